package mail_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/mail"
)

func TestDecodeWords(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"Cyrillic", "=?windows-1251?B?z/Do4uXy?=", "Привет"},
		{"Japanese", "=?ISO-2022-JP?B?GyRCRnxLXDhsGyhC?=", "日本語"},
		{"a character cut apart", "=?utf-8?Q?K=C3?= =?utf-8?Q?=B6ln?=", "Köln"},
		{"plain text between", "Re: =?utf-8?q?Gr=C3=BC=C3=9Fe?= from me", "Re: Grüße from me"},
		{"raw bytes", "Gr\xfc\xdfe", "Grüße"},
		{"unknown charset", "=?x-none?q?abc?=", "abc"},
		{"broken base64", "=?utf-8?B?SGVsbG8?=", "Hello"},
		{"with language", "=?us-ascii*en?Q?hi_there?=", "hi there"},
	}
	for _, tt := range tests {
		if got := mail.DecodeWords(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct{ name, header, want string }{
		{"no quotes", "Content-Disposition: attachment; filename=IMG_0907[1].txt", "IMG_0907[1].txt"},
		{"spaces without quotes", "Content-Disposition: attachment; filename=my file.txt", "my file.txt"},
		{"RFC 2231", "Content-Disposition: attachment; filename*=UTF-8''%e2%82%ac.txt", "€.txt"},
		{"in pieces", "Content-Disposition: attachment; filename*0*=utf-8''a%20; filename*1=b.txt", "a b.txt"},
		{"encoded word", `Content-Type: text/plain; name="=?utf-8?B?4oKsLnR4dA==?="`, "€.txt"},
		{"doubled", "Content-Disposition: attachment; filename=a.txt; filename=b.txt", "a.txt"},
		{"quote never closed", `Content-Disposition: attachment; filename="a.txt; size=3`, "a.txt"},
		{"escaped quote", `Content-Disposition: attachment; filename="a\"b.txt"`, `a"b.txt`},
	}
	for _, tt := range tests {
		if got := mail.Parse(tt.header + "\n\nx").Root.Name; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestDate(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Tue, 06 Oct 2015 11:25:00 +0200 (CEST)", "2015-10-06T11:25:00+02:00"},
		{"6 Oct 2015 11:25 CEST", "2015-10-06T11:25:00+02:00"},
		{"Tue, 6 Oct 15 11:25:00 GMT", "2015-10-06T11:25:00Z"},
		{"2015-10-06 11:25:00", "2015-10-06T11:25:00"},
		{"Tuesday, October 6, 2015 3:04 PM", "2015-10-06T15:04:00"},
		{"Tue Oct  6 11:25:00 2015", "2015-10-06T11:25:00"},
		{"yesterday", ""},
	}
	for _, tt := range tests {
		if got := mail.Date(tt.in); got != tt.want {
			t.Errorf("Date(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	in := `"Last, First" <a@b.c>, =?x-unknown?q?Odd?= <o@b.c>, bare@b.c, team: x@b.c, Y <y@b.c>;, z@b.c (Zed), <broken`
	want := []mail.Address{{"Last, First", "a@b.c"}, {"Odd", "o@b.c"}, {"", "bare@b.c"}, {"", "x@b.c"}, {"Y", "y@b.c"}, {"Zed", "z@b.c"}, {"", "broken"}}
	if diff := cmp.Diff(want, mail.Addresses(in)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTransferEncodings(t *testing.T) {
	tests := []struct{ name, encoding, body, want string }{
		{"base64 wrapped and padded", "base64", "SGVs\r\nbG8=\r\n", "Hello"},
		{"base64 with rubbish and one letter too many", "base64", "SGVs!bG8x\n-- \nA", "Hello1\x00"},
		{"base64 without padding", "base64", "SGVsbG8", "Hello"},
		{"quoted-printable", "quoted-printable", "a=\nb=3Dc=ZZ=\n", "ab=c=ZZ"},
		{"uuencode", "x-uuencode", "begin 644 a\n#0V%T\n`\nend\n", "Cat"},
		{"unknown", "x-none", "as is", "as is"},
	}
	for _, tt := range tests {
		got := mail.Parse("Content-Transfer-Encoding: " + tt.encoding + "\n\n" + tt.body).Root.Bytes()
		if got != tt.want && !(tt.encoding == "base64" && strings.HasPrefix(got, strings.TrimRight(tt.want, "\x00"))) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSignedWhole reads a message wrapped in CMS, with lengths that are not told in advance, as mail programs write it.
func TestSignedWhole(t *testing.T) {
	inner := "Content-Type: text/plain\r\n\r\nsigned text"
	oid := "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
	octets := "\x04" + string(rune(len(inner))) + inner
	der := "\x30\x80" + oid + "\x02" + "\xa0\x80\x30\x80\x02\x01\x01\x31\x00\x30\x80" + oid + "\x01" + "\xa0\x80\x24\x80" + octets + "\x00\x00\x00\x00\x00\x00"
	text := "Subject: s\nContent-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(der))
	l := mail.FromMessage(mail.Parse(text))
	if !l.Signed || len(l.Bodies) != 1 || l.Bodies[0].Text != "signed text" {
		t.Errorf("got signed %v, bodies %+v", l.Signed, l.Bodies)
	}
}

// TestEncode holds that a letter that was written as a message reads back the same.
func TestEncode(t *testing.T) {
	want := mail.FromMessage(mail.Parse("From: Zoë <z@b.c>\nTo: a@b.c\nSubject: Grüße\nMessage-ID: <1@b>\nDate: Tue, 06 Oct 2015 11:25:00 +0200\n\nbody\n"))
	var b strings.Builder
	want.Encode(&b)
	got := mail.FromMessage(mail.Parse(b.String()))
	if got.Subject != want.Subject || got.Date != want.Date || got.MessageID != want.MessageID || len(got.Bodies) != 1 || got.Bodies[0].Text != want.Bodies[0].Text {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if diff := cmp.Diff(want.From, got.From); diff != "" {
		t.Error(diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("From: a@b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--")
	f.Fuzz(func(t *testing.T, text string) {
		l := mail.FromMessage(mail.Parse(text))
		for _, file := range l.Files {
			if _, err := file.Open().Read(make([]byte, 10)); err != nil && err.Error() != "EOF" {
				t.Errorf("read %q: %v", file.Name, err)
			}
		}
	})
}

// TestRawBytesInHeaders: no header may bring bytes into the document that are no UTF-8 (found by fuzzing the address of a sender).
func TestRawBytesInHeaders(t *testing.T) {
	m := mail.Parse("From: a@\xb7\nTo: \xe9 <\xe9@b.c>\nDate: \xe9\nMessage-ID: <\xe9>\nContent-Type: \xe9/x; name=\xe9\nContent-Location: \xe9\nContent-ID: <\xe9>\n\nx")
	l := mail.FromMessage(m)
	texts := []string{l.Date, l.MessageID, m.Root.Type, m.Root.ID, m.Root.Location, fmt.Sprint(l.From, l.To, l.Other, m.Root.Params)}
	for _, text := range texts {
		if !utf8.ValidString(text) {
			t.Errorf("raw bytes in %q", text)
		}
	}
}
