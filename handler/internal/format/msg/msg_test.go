package msg_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/fault"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/msg"
	"decant/handler/internal/markdown"
)

// message makes a message's storage: texts and bytes by property id, numbers and times in the property stream.
type message struct {
	header  int // bytes of the property stream's header: 32 at the top, 24 nested, 8 for recipients and attachments
	texts   map[int]string
	bytes   map[int]string
	numbers map[int]int32
	times   map[int]time.Time
	inside  map[string]formattest.Storage
}

func (m message) storage() formattest.Storage {
	s := formattest.Storage{Streams: map[string]string{}, Storages: m.inside}
	for id, text := range m.texts {
		s.Streams[fmt.Sprintf("__substg1.0_%04X001F", id)] = wide(text)
	}
	for id, data := range m.bytes {
		s.Streams[fmt.Sprintf("__substg1.0_%04X0102", id)] = data
	}
	properties := make([]byte, m.header)
	entry := func(id, kind int, value uint64) {
		properties = binary.LittleEndian.AppendUint32(properties, uint32(id)<<16|uint32(kind))
		properties = binary.LittleEndian.AppendUint32(properties, 6)
		properties = binary.LittleEndian.AppendUint64(properties, value)
	}
	for id, n := range m.numbers {
		entry(id, 3, uint64(uint32(n)))
	}
	for id, at := range m.times {
		entry(id, 0x40, uint64(at.Unix()+11_644_473_600)*10_000_000)
	}
	s.Streams["__properties_version1.0"] = string(properties)
	return s
}

func wide(text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return string(b)
}

func person(kind int32, name, address string) formattest.Storage {
	return message{header: 8, texts: map[int]string{0x3001: name, 0x39FE: address}, numbers: map[int]int32{0x0C15: kind}}.storage()
}

// stored is RTF as messages hold it when it is not compressed (MS-OXRTFCP 2.1.3.1.3).
func stored(rtf string) string {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(rtf)+12))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(rtf)))
	b = append(b, "MELA\x00\x00\x00\x00"...)
	return string(b) + rtf
}

var sent = time.Date(2015, 10, 6, 9, 25, 0, 0, time.UTC)

// TestMessages reads messages that are hard in one way each. What each should look like is Markdown.
func TestMessages(t *testing.T) {
	head := func(more map[int]string) map[int]string {
		texts := map[int]string{0x001A: "IPM.Note", 0x0037: "Приёмка 日本", 0x0C1A: "Ann", 0x5D01: "ann@example.com"}
		for id, text := range more {
			texts[id] = text
		}
		return texts
	}
	tests := []struct {
		name string
		m    message
		want []string // in the Markdown, in order
		not  string
	}{
		{"HTML only, with Cc and a date", message{
			texts: head(nil), bytes: map[int]string{0x1013: "<p>Dear <b>all</b>,</p><table><tr><th>a<th>b<tr><td>1<td>2</table>"}, numbers: map[int]int32{0x3FDE: 65001}, times: map[int]time.Time{0x0039: sent},
			inside: map[string]formattest.Storage{"__recip_version1.0_#00000000": person(1, "Bo", "bo@example.com"), "__recip_version1.0_#00000001": person(2, "Cy", "cy@example.com")},
		}, []string{"Приёмка 日本", `Ann \<ann@example.com>`, `Bo \<bo@example.com>`, `Cy \<cy@example.com>`, "2015-10-06", "Dear **all**", "| a | b |"}, ""},
		{"plain text beside HTML comes once", message{
			texts: head(map[int]string{0x1000: "The same words."}), bytes: map[int]string{0x1013: "<p>The same words.</p>"},
		}, []string{"The same words."}, "The same words.\n\nThe same words."},
		{"a body of RTF only", message{
			texts: head(nil), bytes: map[int]string{0x1009: stored(`{\rtf1\ansi\ansicpg1252 Rich \b text\b0 , gr\'fcn.\par}`)},
		}, []string{"Rich text, grün."}, "rtf1"},
		{"HTML inside RTF", message{
			texts: head(nil), bytes: map[int]string{0x1009: stored(`{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}Hidden in {\*\htmltag84 <b>}\htmlrtf {\b \htmlrtf0 RTF\htmlrtf }\htmlrtf0 {\*\htmltag92 </b>}.{\*\htmltag72 </p>}}`)},
		}, []string{"Hidden in **RTF**."}, "htmltag"},
		{"recipients by name only", message{
			texts: head(map[int]string{0x0E04: "Bo; Cy", 0x1000: "Text."}),
		}, []string{"Bo, Cy", "Text."}, ""},
		{"a long body is in sectors of its own", message{
			texts: head(map[int]string{0x1000: strings.Repeat("A sentence of a long letter. ", 400)}),
		}, []string{"A sentence of a long letter."}, ""},
		{"a contact", message{
			texts: map[int]string{0x001A: "IPM.Contact", 0x0037: "Ann Example", 0x3001: "Ann Example", 0x3A16: "Example Ltd", 0x3A08: "+44 1"},
		}, []string{"Ann Example", "Company: Example Ltd", "Business phone: +44 1"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.m.header = 32
			d, _, err := formattest.Parse(t, msg.Format(), "a.msg", formattest.Compound(tt.m.storage()))
			if err != nil {
				t.Fatal(err)
			}
			text := markdown.Render(d, markdown.Options{}).Text
			rest := text
			for _, want := range tt.want {
				at := strings.Index(rest, want)
				if at < 0 {
					t.Fatalf("%q is missing, or not in its place:\n%s", want, text)
				}
				rest = rest[at+len(want):]
			}
			if tt.not != "" && strings.Contains(text, tt.not) {
				t.Errorf("%q is there:\n%s", tt.not, text)
			}
		})
	}
}

// TestFilesInside holds that attachments and attached messages become documents of their own.
func TestFilesInside(t *testing.T) {
	nested := message{header: 24, texts: map[int]string{0x001A: "IPM.Note", 0x0037: "Inner", 0x1000: "Inside.", 0x0C1A: "Bo"}}.storage()
	m := message{header: 32, texts: map[int]string{0x001A: "IPM.Note", 0x0037: "Outer", 0x1000: "See the files."}, inside: map[string]formattest.Storage{
		"__attach_version1.0_#00000000": message{header: 8, texts: map[int]string{0x3707: "a long name €.csv", 0x3704: "ALONGN~1.CSV"}, bytes: map[int]string{0x3701: "a,b\n1,2\n"}, numbers: map[int]int32{0x3705: 1}}.storage(),
		"__attach_version1.0_#00000001": message{header: 8, texts: map[int]string{0x3001: "Inner"}, numbers: map[int]int32{0x3705: 5}, inside: map[string]formattest.Storage{"__substg1.0_3701000D": nested}}.storage(),
	}}
	d, files, err := formattest.Parse(t, msg.Format(), "a.msg", formattest.Compound(m.storage()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range d.Attachments {
		names = append(names, a.Name)
	}
	if diff := cmp.Diff([]string{"a long name €.csv", "Inner.eml"}, names); diff != "" {
		t.Errorf("attachments (-want +got):\n%s", diff)
	}
	if got := files.Attachments["a long name €.csv"]; got != "a,b\n1,2\n" {
		t.Errorf("the file is %q", got)
	}
	if got := files.Attachments["Inner.eml"]; !strings.Contains(got, "Subject: Inner") || !strings.Contains(got, base64.StdEncoding.EncodeToString([]byte("Inside."))) {
		t.Errorf("the message inside is %q", got)
	}
}

func TestNoMessage(t *testing.T) {
	_, _, err := formattest.Parse(t, msg.Format(), "a.msg", formattest.Compound(formattest.Storage{Streams: map[string]string{"WordDocument": "x"}}))
	if fault.KindOf(err) != fault.Corrupt {
		t.Errorf("%v, want corrupt", err)
	}
}
