package mail

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"decant/handler/internal/lazyregexp"
)

var (
	// uuBegin is the first line of a file inside a text, as mailers wrote them before MIME.
	uuBegin = lazyregexp.New(`(?m)^begin(?:-base64)? [0-7]{3,4} (\S[^\r\n]*)\r?$`)
	uuEnd   = lazyregexp.New(`(?m)^(?:end|====)\r?$`)

	pgpSigned    = lazyregexp.New(`(?m)^-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:[A-Za-z]+: [^\r\n]*\r?\n)*\r?\n`)
	pgpSignature = lazyregexp.New(`(?ms)^-----BEGIN PGP SIGNATURE-----\r?$.*?^-----END PGP SIGNATURE-----\r?$`)
	pgpMessage   = lazyregexp.New(`(?s)^\s*-----BEGIN PGP MESSAGE-----.*-----END PGP MESSAGE-----\s*$`)
	dashEscape   = lazyregexp.New(`(?m)^- `)
)

// plain takes out of a plain text what is no text: files in uuencode, the frame of a signature (RFC 9580, 7). A text that is
// nothing but an encrypted message is one.
func (l *Letter) plain(text string, p *Part, r reading) string {
	if strings.Contains(text, "begin") {
		text = l.uuFiles(text, p, r)
	}
	if !strings.Contains(text, "-----BEGIN PGP ") {
		return text
	}
	if pgpMessage.MatchString(text) {
		l.Encrypted = true
		return ""
	}
	at := pgpSigned.FindStringIndex(text)
	end := pgpSignature.FindStringIndex(text)
	if at == nil || end == nil || end[0] < at[1] {
		return text
	}
	l.Signed = true
	return text[:at[0]] + dashEscape.ReplaceAllString(text[at[1]:end[0]], "") + text[end[1]:]
}

// uuFiles makes files of what stands between "begin" and "end", when the lines between are of that kind.
func (l *Letter) uuFiles(text string, p *Part, r reading) string {
	for number, from := 1, 0; from < len(text) && number <= maxParts; {
		at := uuBegin.FindStringSubmatchIndex(text[from:])
		if at == nil {
			break
		}
		end := uuEnd.FindStringIndex(text[from+at[1]:])
		if end == nil {
			break
		}
		block, name := text[from+at[0]:from+at[1]+end[1]], text[from+at[2]:from+at[3]]
		content := uuContent(block)
		if len(content) == 0 {
			from += at[1]
			continue
		}
		file := *p
		file.Path, file.Type, file.ID, file.Placing = p.Path+"uu"+strconv.Itoa(number), "application/octet-stream", "", "attachment"
		l.addFile(&file, r, strings.TrimSpace(name), func() io.Reader { return bytes.NewReader(content) })
		text = text[:from+at[0]] + text[from+at[0]+len(block):]
		from += at[0]
		number++
	}
	return text
}

// uuContent decodes a block, or gives nothing when one of its lines is not as long as it says.
func uuContent(block string) []byte {
	head, rest := cutLine(block)
	if strings.HasPrefix(head, "begin-base64") {
		content, _ := io.ReadAll(decoded(rest, "base64"))
		return content
	}
	for body := rest; body != ""; {
		var line string
		if line, body = cutLine(body); line == "end" {
			break
		}
		if line == "" || line == "`" {
			continue
		}
		size := int(line[0]-' ') & 63
		if need := (size + 2) / 3 * 4; line[0] < ' ' || line[0] > '`' || len(line)-1 > need+4 || len(line)-1 < (size*4+2)/3 {
			return nil
		}
	}
	return uudecode(block)
}
