package mail_test

import (
	"io"
	"strings"
	"testing"

	"decant/handler/internal/mail"
)

// read gives the bodies and the files ("name=content") of a message.
func read(t *testing.T, text string) (bodies, files string, l *mail.Letter) {
	t.Helper()
	l = mail.FromMessage(mail.Parse(text))
	for _, b := range l.Bodies {
		bodies += b.Text
	}
	for _, f := range l.Files {
		content, err := io.ReadAll(f.Open())
		if err != nil {
			t.Fatal(err)
		}
		files += f.Name + "=" + string(content) + ";"
	}
	return strings.Join(strings.Fields(bodies), " "), files, l
}

func TestWhatPlainTextsHold(t *testing.T) {
	tests := []struct{ name, text, bodies, files string }{
		{"a file in uuencode", "Subject: x\n\nSee this:\n\nbegin 644 cat.txt\n#0V%T\n`\nend\n\nBye\n", "See this: Bye", "cat.txt=Cat;"},
		{"a sentence that begins with begin", "Subject: x\n\nbegin 644 words\nof a text that has no file\nend\n", "begin 644 words of a text that has no file end", ""},
		{"signed with OpenPGP", "Subject: x\n\n-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSigned.\n- -- \nAnn\n-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n", "Signed. -- Ann", ""},
		{"no boundary is named", "Subject: x\nContent-Type: multipart/alternative\n\n--q1\nContent-Type: text/plain\n\nPlain\n--q1\nContent-Type: text/html\n\n<p>Rich</p>\n--q1--\n", "<p>Rich</p>", ""},
		{"a table that is meant to be seen in its place", "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nBefore\n--b\nContent-Type: text/csv; name=t.csv\nContent-Disposition: inline; filename=t.csv\n\nx,y\n--b\n\nAfter\n--b--\n", "BeforeAfter", "t.csv=x,y;"},
	}
	for _, tt := range tests {
		bodies, files, _ := read(t, tt.text)
		if bodies != tt.bodies || files != tt.files {
			t.Errorf("%s: bodies %q, files %q, want %q, %q", tt.name, bodies, files, tt.bodies, tt.files)
		}
	}
}

func TestEncryptedTextIsNoBody(t *testing.T) {
	bodies, _, l := read(t, "Subject: x\n\n-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n")
	if !l.Encrypted || bodies != "" {
		t.Errorf("encrypted %v, bodies %q", l.Encrypted, bodies)
	}
}

func TestExternalBodiesAreNamed(t *testing.T) {
	_, files, l := read(t, "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/external-body; access-type=URL; URL=\"http://example.org/f.pdf\"\n\nContent-Type: application/pdf\n\n--b--\n")
	if files != "" || len(l.Elsewhere) != 1 || l.Elsewhere[0] != "http://example.org/f.pdf" {
		t.Errorf("files %q, elsewhere %q", files, l.Elsewhere)
	}
}
