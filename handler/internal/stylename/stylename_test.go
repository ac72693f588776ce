package stylename_test

import (
	"testing"

	"decant/handler/internal/stylename"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name  string
		names []string
		want  stylename.Role
	}{
		{"pandoc's code", []string{"Source Code"}, stylename.Code},
		{"LibreOffice's code by its name in the file", []string{"Preformatted_20_Text"}, stylename.Code},
		{"a style of one's own, on one that is known", []string{"house style", "block-text", "normal"}, stylename.Quote},
		{"the nearest name counts", []string{"subtitle", "title"}, stylename.Subtitle},
		{"a translated name", []string{"Intensives Zitat"}, stylename.Quote},
		{"captions of tables stand above them", []string{"table caption", "caption"}, stylename.TableCaption},
		{"terms", []string{"Definition Term Tight"}, stylename.Term},
		{"no name", nil, stylename.None},
		{"an ordinary one", []string{"body text", "normal"}, stylename.None},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := stylename.Of(c.names...); got != c.want {
				t.Errorf("Of(%q) = %v, want %v", c.names, got, c.want)
			}
		})
	}
	if got := stylename.OfText("Verbatim Char"); got != stylename.CodeText {
		t.Errorf("OfText = %v, want CodeText", got)
	}
	if got := stylename.OfText("Quote Char"); got != stylename.None {
		t.Errorf("OfText of a quote = %v, want None", got)
	}
}

func TestHeadingLevel(t *testing.T) {
	for name, want := range map[string]int{"heading 1": 1, "Überschrift 3": 3, "Heading_20_2": 2, "見出し 1": 1, "heading": 0, "heading 12": 0, "my heading 1": 0} {
		if got := stylename.HeadingLevel(name); got != want {
			t.Errorf("HeadingLevel(%q) = %d, want %d", name, got, want)
		}
	}
}

// TestCaptionBelow has captions between a picture or table and the next one: whose they are.
func TestCaptionBelow(t *testing.T) {
	for _, c := range []struct {
		role          stylename.Role
		text          string
		table, figure bool
	}{
		{stylename.Caption, "Sales by year", true, true},
		{stylename.Caption, "Table 3: sales", true, false},
		{stylename.Caption, "Abb. 3 Umsatz", false, true},
		{stylename.Caption, "Tables of the law", true, true},
		{stylename.TableCaption, "Sales", false, false},
		{stylename.FigureCaption, "Sales", false, true},
	} {
		if table, figure := stylename.BelowTable(c.role, c.text), stylename.BelowFigure(c.role, c.text); table != c.table || figure != c.figure {
			t.Errorf("%q: below a table %v, below a picture %v; want %v, %v", c.text, table, figure, c.table, c.figure)
		}
	}
}
