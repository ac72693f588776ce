package xmltree_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"decant/handler/internal/xmltree"
)

// dump writes a tree as one line: name[attr=value]{children}, text in quotes.
func dump(n *xmltree.Node) string {
	if n == nil {
		return "nil"
	}
	if n.Name == "" {
		return fmt.Sprintf("%q", n.Text)
	}
	out := n.Name
	for _, a := range n.Attrs {
		out += "[" + a.Name + "=" + a.Value + "]"
	}
	if len(n.Children) == 0 {
		return out
	}
	var parts []string
	for _, c := range n.Children {
		parts = append(parts, dump(c))
	}
	return out + "{" + strings.Join(parts, " ") + "}"
}

var namespaces = map[string]string{"urn:word": "w", "urn:strict": "w", "urn:sheet": ""}

func TestParse(t *testing.T) {
	tests := []struct {
		name, xml, want string
		damage          xmltree.Damage
	}{
		{"plain", `<?xml version="1.0"?><a x="1">t<b/></a>`, `a[x=1]{"t" b}`, xmltree.Damage{}},
		{"other prefix for a known namespace", `<q:p xmlns:q="urn:word" q:val="1" plain="2"/>`, `w:p[w:val=1][plain=2]`, xmltree.Damage{}},
		{"second namespace with the same prefix", `<p xmlns="urn:strict"/>`, `w:p`, xmltree.Damage{}},
		{"known prefix for a foreign namespace", `<w:p xmlns:w="urn:foreign"/>`, `other:p`, xmltree.Damage{}},
		{"prefix declared again inside", `<x:a xmlns:x="urn:word"><x:b xmlns:x="urn:y"/><x:b/></x:a>`, `w:a{x:b w:b}`, xmltree.Damage{}},
		{"undeclared prefix is believed", `<w:p/>`, `w:p`, xmltree.Damage{}},
		{"entities", `<a>&lt;&amp;&#65;&#x42;&nbsp;&quot;</a>`, `a{"<&AB\u00a0\""}`, xmltree.Damage{}},
		{"unknown entity stays", `<a>x &foo; &amp y</a>`, `a{"x &foo; &amp y"}`, xmltree.Damage{Entities: true}},
		{"entity declared in a doctype is not expanded", `<!DOCTYPE a [<!ENTITY e "]>boom"><!ENTITY f SYSTEM "file:///etc/passwd">]><a>&e;&f;</a>`, `a{"&e;&f;"}`, xmltree.Damage{Entities: true}},
		{"cdata and comment", `<a>x<!-- <b> --><![CDATA[<y>]]>z</a>`, `a{"x<y>z"}`, xmltree.Damage{}},
		{"greater in an attribute", `<a b="x>y" c='"'/>`, `a[b=x>y][c="]`, xmltree.Damage{}},
		{"ends early", `<a><b>text`, `a{b{"text"}}`, xmltree.Damage{Truncated: true}},
		{"ends in a tag", `<a><b>text</b><c x="`, `a{b{"text"}}`, xmltree.Damage{Truncated: true}},
		{"missing end tag", `<a><b>t</a>`, `a{b{"t"}}`, xmltree.Damage{Nesting: true}},
		{"stray end tag", `<a></b>t</a>`, `a{"t"}`, xmltree.Damage{Nesting: true}},
		{"bare less", `<a>1 < 2</a>`, `a{"1 < 2"}`, xmltree.Damage{Nesting: true}},
		{"invalid bytes", "<a>x\xffy\x01</a>", `a{"x�y"}`, xmltree.Damage{Invalid: true}},
		{"latin 1", "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", `a{"é"}`, xmltree.Damage{}},
		{"utf-16", "\xff\xfe<\x00a\x00>\x00\xe9\x00<\x00/\x00a\x00>\x00", `a{"é"}`, xmltree.Damage{}},
		{"too deep", `<a><b><c><d>x</d></c>y</b></a>`, `a{b{c{"x"} "y"}}`, xmltree.Damage{Flattened: true}},
		{"line ends", "<a>x\r\ny\rz</a>", `a{"x\ny\nz"}`, xmltree.Damage{}},
		{"nothing", ``, `nil`, xmltree.Damage{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, reader := range []string{"whole", "byte by byte"} {
				var r = strings.NewReader(tt.xml)
				opts := xmltree.Options{Namespaces: namespaces, MaxDepth: 3}
				root, damage, err := xmltree.Parse(r, opts)
				if reader == "byte by byte" {
					root, damage, err = xmltree.Parse(iotest.OneByteReader(strings.NewReader(tt.xml)), opts)
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := dump(root); got != tt.want {
					t.Errorf("%s: Parse(%q)\n got %s\nwant %s", reader, tt.xml, got, tt.want)
				}
				if damage != tt.damage {
					t.Errorf("%s: Parse(%q) damage = %+v, want %+v", reader, tt.xml, damage, tt.damage)
				}
			}
		})
	}
}

func TestLongText(t *testing.T) {
	want := strings.Repeat("äöü&<\r\n", 50_000)
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(want)
	for _, xml := range []string{"<a>" + escaped + "</a>", "<a><![CDATA[" + want + "]]></a>"} {
		root, damage, err := xmltree.Parse(strings.NewReader(xml), xmltree.Options{})
		if err != nil || damage != (xmltree.Damage{}) {
			t.Fatal(err, damage)
		}
		if got := root.AllText(); got != strings.ReplaceAll(want, "\r\n", "\n") {
			t.Errorf("long text changed: %d bytes, want %d", len(got), len(want)-50_000)
		}
	}
}

func FuzzScanner(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0" encoding="windows-1252"?><!DOCTYPE a [<!ENTITY b "c">]><a x='1' xmlns:w="urn:word"><w:b/>t&amp;<![CDATA[x]]></a>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := xmltree.NewScanner(strings.NewReader(string(data)), xmltree.Options{Namespaces: namespaces, MaxDepth: 20})
		depth, tokens := 0, 0
		for s.Next() {
			tokens++
			switch s.Kind() {
			case xmltree.Start:
				depth++
			case xmltree.End:
				depth--
			}
			if depth < 0 || depth > 20 {
				t.Fatalf("depth %d", depth)
			}
		}
		if depth != 0 || tokens > 3*len(data)+3 {
			t.Fatalf("depth %d after %d tokens of %d bytes", depth, tokens, len(data))
		}
	})
}

func BenchmarkScanner(b *testing.B) {
	xml := `<w:document xmlns:w="urn:word"><w:body>` + strings.Repeat(`<w:p w:rsidR="00112233"><w:pPr><w:jc w:val="both"/></w:pPr><w:r><w:t xml:space="preserve">Some words of a paragraph </w:t></w:r></w:p>`, 5000) + `</w:body></w:document>`
	b.SetBytes(int64(len(xml)))
	b.ReportAllocs()
	for b.Loop() {
		s := xmltree.NewScanner(strings.NewReader(xml), xmltree.Options{Namespaces: namespaces})
		for s.Next() {
		}
	}
}
