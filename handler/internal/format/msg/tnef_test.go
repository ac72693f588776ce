package msg_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/msg"
	"decant/handler/internal/markdown"
)

// attribute is one of a TNEF stream: level, id, length, data, checksum.
func attribute(level byte, id uint32, data string) string {
	b := binary.LittleEndian.AppendUint32([]byte{level}, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	return string(append(b, 0, 0))
}

// mapi writes a list of properties that have a length.
func mapi(list map[uint32]string) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(list)))
	for tag, value := range list {
		b = binary.LittleEndian.AppendUint16(b, uint16(tag))
		b = binary.LittleEndian.AppendUint16(b, uint16(tag>>16))
		b = binary.LittleEndian.AppendUint32(b, 1)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(value)))
		b = append(b, value...)
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	return string(b)
}

func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(append(b, 0, 0))
}

// TestWinmail reads what Outlook sends to other Outlooks: a body in RTF, files with long names, a message in the message.
func TestWinmail(t *testing.T) {
	const head = "\x78\x9f\x3e\x22\x01\x00"
	inner := head + attribute(1, 0x00018004, "Inner\x00") + attribute(1, 0x0002800C, "Inside.\x00")
	data := head +
		attribute(1, 0x00069007, "\xe4\x04\x00\x00\x00\x00\x00\x00") +
		attribute(1, 0x00018004, "Gr\xfc\xdfe\x00") +
		attribute(1, 0x00069003, mapi(map[uint32]string{0x1009_0102: stored(`{\rtf1\ansi\ansicpg1252 Rich gr\'fcn text.\par}`), 0x0C1A_001F: utf16le("Ann")})) +
		attribute(2, 0x00069002, strings.Repeat("\x00", 14)) + attribute(2, 0x00018010, "LONGNA~1.CSV\x00") + attribute(2, 0x0006800F, "a,b\n1,2\n") +
		attribute(2, 0x00069005, mapi(map[uint32]string{0x3707_001F: utf16le("a long name €.csv")})) +
		attribute(2, 0x00069002, strings.Repeat("\x00", 14)) + attribute(2, 0x00018010, "Inner\x00") +
		attribute(2, 0x00069005, mapi(map[uint32]string{0x3701_000D: strings.Repeat("\x07", 16) + inner}))
	d, files, err := formattest.Parse(t, msg.TNEF(), "winmail.dat", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	text := markdown.Render(d, markdown.Options{}).Text
	for _, want := range []string{"# Grüße", "Ann", "Rich grün text."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if files.Attachments["a long name €.csv"] != "a,b\n1,2\n" || files.Attachments["Inner.tnef"] != inner {
		t.Errorf("files: %q", files.Attachments)
	}
	if _, _, err := formattest.Parse(t, msg.TNEF(), "winmail.dat", []byte(data[:len(data)-60])); err != nil {
		t.Errorf("cut off: %v", err)
	}
}

func FuzzTNEF(f *testing.F) {
	formattest.Fuzz(f, msg.TNEF(), "winmail.dat",
		"\x78\x9f\x3e\x22\x01\x00"+attribute(1, 0x00069003, mapi(map[uint32]string{0x1000_001F: utf16le("body")}))+attribute(2, 0x0006800F, "x"))
}
