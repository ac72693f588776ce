package numfmt_test

import (
	"strconv"
	"strings"
	"testing"

	"decant/handler/internal/numfmt"
)

func TestNumber(t *testing.T) {
	tests := []struct{ name, code, raw, want, iso string }{
		{"general keeps big whole numbers", "General", "12345678901234567", "12345678901234567", ""},
		{"general drops binary noise", "General", "0.30000000000000004", "0.3", ""},
		{"general whole float", "General", "12.0", "12", ""},
		{"general small", "General", "1.5E-7", "1.5E-07", ""},
		{"general large", "General", "1E+25", "1E+25", ""},
		{"general negative", "General", "-3.25", "-3.25", ""},
		{"plain digits", "0", "2.5", "3", ""},
		{"half away from zero on decimal digits", "0.00", "1.005", "1.01", ""},
		{"minus", "0.00", "-1.5", "-1.50", ""},
		{"no minus zero", "0", "-0.2", "0", ""},
		{"grouped", "#,##0.00", "1234567.891", "1,234,567.89", ""},
		{"grouped small", "#,##0", "999", "999", ""},
		{"grouped rounds up to a group", "#,##0", "999.6", "1,000", ""},
		{"hash drops a zero", "#.##", "0.5", ".5", ""},
		{"leading zeros", "00000", "123", "00123", ""},
		{"percent", "0.00%", "0.125", "12.50%", ""},
		{"percent rounding", "0%", "0.285", "29%", ""},
		{"thousands scaled", `#,##0,"k"`, "1234567", "1,235k", ""},
		{"millions scaled", "0.0,,", "12345678", "12.3", ""},
		{"accounting negative", `_(* #,##0.00_);_(* \(#,##0.00\);_(* "-"??_);_(@_)`, "-1234.5", "(1,234.50)", ""},
		{"accounting zero", `_(* #,##0.00_);_(* \(#,##0.00\);_(* "-"??_);_(@_)`, "0", "-", ""},
		{"currency with locale", `#,##0.00\ [$€-407]`, "1234.5", "1,234.50 €", ""},
		{"currency in front", `[$$-409]#,##0.00`, "5", "$5.00", ""},
		{"colour is no text", "[Red]0.0", "1", "1.0", ""},
		{"condition", `[>=100]"many";[<0]"debt";0`, "150", "many", ""},
		{"condition falls through", `[>=100]"many";[<0]"debt";0`, "7", "7", ""},
		{"phone", `(000) 000-0000`, "5551234567", "(555) 123-4567", ""},
		{"scientific", "0.00E+00", "12345", "1.23E+04", ""},
		{"scientific small", "0.00E+00", "0.00012", "1.20E-04", ""},
		{"engineering", "##0.0E+0", "12345", "12.3E+3", ""},
		{"scientific rounds to the next power", "0E+0", "9.9", "1E+1", ""},
		{"fraction", "# ?/?", "1.5", "1 1/2", ""},
		{"fraction of two digits", "# ??/??", "0.3333333", "1/3", ""},
		{"fraction fixed", "# ?/8", "2.75", "2 6/8", ""},
		{"fraction whole", "# ?/?", "3", "3", ""},
		{"hidden by format", ";;;", "5", "", ""},
		{"words for zero", `0;-0;"none"`, "0", "none", ""},
		{"text format shows the number", "@", "12", "12", ""},
		{"unit literal", `0.0" kg"`, "2.25", "2.3 kg", ""},

		{"built-in date", "yyyy-mm-dd", "45366", "2024-03-15", "2024-03-15"},
		{"American date is ISO", "m/d/yy", "45366", "2024-03-15", "2024-03-15"},
		{"German date is ISO", `dd\.mm\.yyyy`, "45366", "2024-03-15", "2024-03-15"},
		{"date with locale", `[$-F800]dddd\,\ mmmm\ dd\,\ yyyy`, "45366", "2024-03-15", "2024-03-15"},
		{"month and year", "mmm-yy", "45366", "2024-03", "2024-03-15"},
		{"year", "yyyy", "45366", "2024", "2024-03-15"},
		{"month name", "mmmm", "45366", "March", "2024-03-15"},
		{"weekday", "dddd", "45366", "Friday", "2024-03-15"},
		{"date and time", "m/d/yy h:mm", "45366.5625", "2024-03-15 13:30", "2024-03-15T13:30:00"},
		{"minutes after hours", "h:mm", "0.5625", "13:30", "13:30:00"},
		{"minutes before seconds", "mm:ss", "0.0020833333", "03:00", "00:03:00"},
		{"half day clock", "h:mm AM/PM", "0.5625", "1:30 PM", "13:30:00"},
		{"midnight in half day clock", "h:mm AM/PM", "0", "12:00 AM", "00:00:00"},
		{"fractions of seconds", "mm:ss.0", "0.00001736", "00:01.5", "00:00:01.5"},
		{"elapsed hours", "[h]:mm:ss", "1.5", "36:00:00", "PT36H"},
		{"elapsed minutes", "[mm]:ss", "0.0427083333", "61:30", "PT1H1M30S"},
		{"elapsed negative", "[h]:mm", "-0.5", "-12:00", "-PT12H"},
		{"first day of 1900", "yyyy-mm-dd", "1", "1900-01-01", "1900-01-01"},
		{"before the leap day that never was", "yyyy-mm-dd", "59", "1900-02-28", "1900-02-28"},
		{"the leap day that never was", "yyyy-mm-dd", "60", "1900-02-29", ""},
		{"after the leap day that never was", "yyyy-mm-dd", "61", "1900-03-01", "1900-03-01"},
		{"rounded up to midnight", "yyyy-mm-dd h:mm", "45366.999999999", "2024-03-16 00:00", "2024-03-16"},
		{"negative date is a number", "yyyy-mm-dd", "-5", "-5", ""},
		{"beyond 9999 is a number", "yyyy-mm-dd", "99999999", "99999999", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := strconv.ParseFloat(test.raw, 64)
			if err != nil {
				t.Fatal(err)
			}
			got := numfmt.Parse(test.code).Number(v, test.raw, false)
			if got.Text != test.want || got.ISO != test.iso {
				t.Errorf("Parse(%q).Number(%s) = %q, %q; want %q, %q", test.code, test.raw, got.Text, got.ISO, test.want, test.iso)
			}
		})
	}
}

func TestNumberIn1904System(t *testing.T) {
	if got := numfmt.Parse("yyyy-mm-dd").Number(45366, "45366", true).Text; got != "2028-03-16" {
		t.Errorf("got %q, want 2028-03-16", got)
	}
}

func TestText(t *testing.T) {
	tests := []struct{ code, in, want string }{
		{"General", "a", "a"},
		{"0.00", "a", "a"},
		{`0;0;0;"<"@">"`, "a", "<a>"},
		{`@" units"`, "a", "a units"},
		{";;;", "a", ""},
	}
	for _, test := range tests {
		if got := numfmt.Parse(test.code).Text(test.in); got != test.want {
			t.Errorf("Parse(%q).Text(%q) = %q, want %q", test.code, test.in, got, test.want)
		}
	}
}

func TestBuiltinFormatsParse(t *testing.T) {
	for id := range 60 {
		code, ok := numfmt.Builtin(id)
		if !ok {
			continue
		}
		if got := numfmt.Parse(code).Number(1234.5, "1234.5", false).Text; strings.TrimSpace(got) == "" {
			t.Errorf("built-in %d (%s) shows nothing", id, code)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, code := range []string{"General", "#,##0.00;[Red](0)", "# ?/?", "[h]:mm:ss.00", "0.0E+0", `"x"@`, "yyyy e g b [$€-407]*x_)"} {
		f.Add(code, 45366.5)
	}
	f.Fuzz(func(t *testing.T, code string, v float64) {
		parsed := numfmt.Parse(code)
		shown := parsed.Number(v, strconv.FormatFloat(v, 'g', -1, 64), false)
		if len(shown.Text) > 8*len(code)+800 {
			t.Errorf("%q shows %v as %d bytes", code, v, len(shown.Text))
		}
		parsed.Text(code)
	})
}
