package facts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/doc"
	"decant/handler/internal/facts"
)

func TestIdentifiersAreChecked(t *testing.T) {
	tests := []struct {
		name, text string
		want       []doc.Identifier
	}{
		{"doi before a full stop", "See doi:10.1000/xyz123.", []doc.Identifier{{Scheme: "doi", Value: "10.1000/xyz123", Source: "text"}}},
		{"doi in brackets", "(10.1016/0022-2836(81)90087-5)", []doc.Identifier{{Scheme: "doi", Value: "10.1016/0022-2836(81)90087-5", Source: "text"}}},
		{"isbn with hyphens", "ISBN 978-3-16-148410-0", []doc.Identifier{{Scheme: "isbn", Value: "9783161484100", Source: "text"}}},
		{"isbn-10 with X", "ISBN-10: 0-8044-2957-X", []doc.Identifier{{Scheme: "isbn", Value: "080442957X", Source: "text"}}},
		{"isbn with a wrong check digit", "ISBN 978-3-16-148410-1", nil},
		{"issn", "ISSN 0317-8471", []doc.Identifier{{Scheme: "issn", Value: "0317-8471", Source: "text"}}},
		{"issn with a wrong check digit", "ISSN 0317-8472", nil},
		{"arxiv", "arXiv:2101.00001v2 [cs.CL]", []doc.Identifier{{Scheme: "arxiv", Value: "2101.00001v2", Source: "text"}}},
		{"the same twice", "10.1000/a and 10.1000/A", []doc.Identifier{{Scheme: "doi", Value: "10.1000/a", Source: "text"}}},
		{"a version number is no doi", "version 10.15/2", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := doc.Document{Blocks: []doc.Block{doc.P(tt.text)}}
			facts.Fill(&d)
			if diff := cmp.Diff(tt.want, d.Metadata.Identifiers); diff != "" {
				t.Errorf("identifiers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestIdentifiersInRunningHeaders(t *testing.T) {
	d := doc.Document{Blocks: []doc.Block{doc.P("x")}, Furniture: []doc.Block{doc.P("Journal of Tests, ISSN 0317-8471")}}
	facts.Fill(&d)
	want := []doc.Identifier{{Scheme: "issn", Value: "0317-8471", Source: "furniture"}}
	if diff := cmp.Diff(want, d.Metadata.Identifiers); diff != "" {
		t.Errorf("identifiers (-want +got):\n%s", diff)
	}
}

func TestLanguage(t *testing.T) {
	tests := []struct{ name, text, declared, want string }{
		{"english", "The quick brown fox jumps over the lazy dog while the people of the town are watching it from their windows.", "", "en"},
		{"german", "Die Lieferung erfolgt innerhalb von dreißig Tagen nach Eingang der Bestellung, sofern nichts anderes vereinbart ist.", "", "de"},
		{"russian", "Договор вступает в силу с момента его подписания обеими сторонами и действует до конца года.", "", "ru"},
		{"japanese", "潮位表には満潮と干潮の時刻と高さが港ごとに記載されています。", "", "ja"},
		{"too short to tell", "Total 12", "", ""},
		{"keyboard noise", "asdf qwer zxcv tyui ghjk bnm, werwe sdfsd werwer xcvxcv werwer sdfsdf werwer", "", ""},
		{"numbers only", "1200 950 1410 610 48210.5 39840 61005.25 22310 1200 950 1410 610 48210.5 39840 61005.25 22310", "", ""},
		{"declared is believed", "The quick brown fox jumps over the lazy dog while the people of the town are watching.", "nl", "nl"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := doc.Document{Metadata: doc.Metadata{Language: tt.declared}, Blocks: []doc.Block{doc.P(tt.text)}}
			facts.Fill(&d)
			if d.Metadata.Language != tt.want {
				t.Errorf("language = %q (%.2f), want %q", d.Metadata.Language, d.Metadata.Confidence, tt.want)
			}
			if tt.declared != "" && d.Metadata.Confidence != 1 {
				t.Errorf("confidence of a declared language = %v, want 1", d.Metadata.Confidence)
			}
		})
	}
}

// TestLanguageOfAShortMail: the names of the headers are English whatever the mail is.
func TestLanguageOfAShortMail(t *testing.T) {
	headers := doc.Block{Kind: doc.Group, Role: doc.RoleHeaders, Children: []doc.Block{
		doc.P("From: Павел <pavel@example.com>"), doc.P("To: The whole team of the northern division and its friends <all@example.com>"), doc.P("Subject: Re"),
	}}
	d := doc.Document{Blocks: []doc.Block{headers, doc.P("Привет")}}
	facts.Fill(&d)
	if d.Metadata.Language != "" {
		t.Errorf("language = %q (%.2f), want none", d.Metadata.Language, d.Metadata.Confidence)
	}
}

func TestTitle(t *testing.T) {
	d := doc.Document{Blocks: []doc.Block{doc.H(2, "Part one"), doc.H(1, "The  Book"), doc.H(2, "Part two")}}
	facts.Fill(&d)
	if d.Metadata.Title != "The Book" || d.Metadata.Sources["title"] != "first heading" {
		t.Errorf("title = %q from %q", d.Metadata.Title, d.Metadata.Sources["title"])
	}
	d.Metadata.Title = "Declared"
	facts.Fill(&d)
	if d.Metadata.Title != "Declared" {
		t.Errorf("a declared title was overwritten by %q", d.Metadata.Title)
	}
}
