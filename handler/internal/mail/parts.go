package mail

import (
	"io"
	"strconv"
	"strings"

	"decant/handler/internal/charset"
)

// Part is a message or a part of one.
type Part struct {
	Header   Header
	Type     string            // media type, lower case: "text/plain"
	Params   map[string]string // of Content-Type
	Placing  string            // of Content-Disposition: attachment, inline, or ""
	Name     string            // file name, decoded, "" when there is none
	ID       string            // Content-ID without brackets
	Location string            // Content-Location
	Path     string            // "1.2": place in the tree
	Body     string            // as it stands in the message
	Parts    []*Part           // of a multipart
}

// Message is a parsed message.
type Message struct {
	Root     *Part
	Unclosed int // multiparts without a closing boundary
	Repaired int // header lines that break the rules
	// Flattened counts multiparts so deep in others that their parts were taken out of them, side by side.
	Flattened int
	Cut       bool // there are more parts than are read
	count     int
}

// Bounds of a message's tree.
const (
	maxDepth = 60
	maxParts = 20_000
)

// Parse takes a message apart. There is always a root, however broken the text is.
func Parse(text string) *Message {
	m := &Message{}
	text = strings.TrimLeft(text, "\r\n")
	m.Root = m.part(text, "", 0)
	return m
}

func (m *Message) part(text, path string, depth int) *Part {
	p := &Part{Path: path}
	var repaired int
	p.Header, p.Body, repaired = readHeader(text)
	m.Repaired += repaired
	p.describe()
	switch {
	case !strings.HasPrefix(p.Type, "multipart/"):
	case depth < maxDepth:
		m.split(p, depth)
	default:
		m.flatten(p)
	}
	return p
}

// describe reads the fields that say what a part is.
func (p *Part) describe() {
	p.Type, p.Params = parameters(p.Header.Raw("content-type"))
	if !strings.Contains(p.Type, "/") {
		p.Type = "text/plain"
	}
	placing, params := parameters(p.Header.Raw("content-disposition"))
	p.Placing, p.Name = placing, params["filename"]
	if p.Name == "" {
		p.Name = p.Params["name"]
	}
	p.ID = strings.Trim(strings.TrimSpace(plainText(p.Header.Raw("content-id"))), "<> ")
	p.Location = strings.TrimSpace(plainText(p.Header.Raw("content-location")))
}

// split finds the parts of a multipart between its boundaries.
func (m *Message) split(p *Part, depth int) {
	boundary := p.Params["boundary"]
	if boundary == "" || !strings.Contains(p.Body, "--"+boundary) {
		boundary = guessBoundary(p.Body)
		m.Repaired++
	}
	if boundary == "" {
		p.Type = "text/plain"
		return
	}
	pieces, closed := cutAtBoundary(p.Body, boundary)
	if !closed {
		m.Unclosed++
	}
	for i, piece := range pieces {
		if m.isFull() {
			return
		}
		child := m.part(piece, p.below(i+1), depth+1)
		if child.Header.Raw("content-type") == "" && p.Type == "multipart/digest" {
			child.Type = "message/rfc822"
		}
		p.Parts = append(p.Parts, child)
	}
}

// isFull counts a part, and tells whether it is one too many.
func (m *Message) isFull() bool {
	m.count++
	m.Cut = m.Cut || m.count > maxParts
	return m.Cut
}

// below is the path of the part of that number.
func (p *Part) below(number int) string {
	if p.Path == "" {
		return strconv.Itoa(number)
	}
	return p.Path + "." + strconv.Itoa(number)
}

// guessBoundary takes the first line that looks like one: two dashes, then no space.
func guessBoundary(body string) string {
	for rest := body; rest != ""; {
		var line string
		line, rest = cutLine(rest)
		line = strings.TrimRight(line, " \t")
		if strings.HasPrefix(line, "--") && strings.Trim(line, "-") != "" && len(line) < 200 && !strings.ContainsAny(line, " \t") && looksLikeFields(rest) {
			return line[2:]
		}
	}
	return ""
}

// cutAtBoundary gives the pieces between delimiter lines. What stands before the first and after the closing one is left out (RFC 2046, 5.1.1).
func cutAtBoundary(body, boundary string) (pieces []string, closed bool) {
	delimiter := "--" + strings.TrimRight(boundary, " \t")
	start := -1
	for pos := 0; pos < len(body); {
		at := strings.Index(body[pos:], delimiter)
		if at < 0 {
			break
		}
		at += pos
		line, rest := cutLine(body[at+len(delimiter):])
		tail := strings.TrimRight(line, " \t")
		if at > 0 && body[at-1] != '\n' && body[at-1] != '\r' || tail != "" && tail != "--" {
			pos = at + len(delimiter)
			continue
		}
		if start >= 0 {
			pieces = append(pieces, trimLineEnd(body[start:at]))
		}
		if tail == "--" {
			return pieces, true
		}
		start = len(body) - len(rest)
		pos = start
	}
	if start >= 0 && start < len(body) {
		pieces = append(pieces, body[start:])
	}
	return pieces, false
}

// trimLineEnd takes off the line end before a delimiter, which belongs to the delimiter.
func trimLineEnd(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return strings.TrimSuffix(s, "\r")
}

// Reader gives the part's content without its transfer encoding.
func (p *Part) Reader() io.Reader { return decoded(p.Body, p.Header.Raw("content-transfer-encoding")) }

// Bytes is the content without its transfer encoding.
func (p *Part) Bytes() string {
	var b strings.Builder
	_, _ = io.Copy(&b, p.Reader()) // reading a part does not fail: see decoded
	return b.String()
}

// Text is the content as text, by the charset that the part and then the given names declare.
func (p *Part) Text(declared ...string) charset.Text {
	return charset.Decode(p.Bytes(), append([]string{p.Params["charset"]}, declared...)...)
}

// IsAttachment tells whether a part is meant to be saved rather than read in its place.
func (p *Part) IsAttachment() bool {
	return p.Placing == "attachment" || p.Placing != "inline" && p.Name != "" && p.ID == "" && !strings.HasPrefix(p.Type, "multipart/")
}
