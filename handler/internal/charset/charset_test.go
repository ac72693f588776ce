package charset_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"decant/handler/internal/charset"
)

func encode(t *testing.T, name, text string) string {
	t.Helper()
	_, enc, ok := charset.Lookup(name)
	if !ok {
		t.Fatalf("no encoding %q", name)
	}
	out, err := enc.NewEncoder().String(text)
	if err != nil {
		t.Fatalf("encode %q as %s: %v", text, name, err)
	}
	return out
}

func TestDecodeGuesses(t *testing.T) {
	tests := []struct{ name, encoding, text string }{
		{"two German names", "windows-1252", "Name;Preis\r\nMüller;1,50\r\n"},
		{"French", "windows-1252", "Les élèves étaient déçus, mais l’été sera long – peut-être."},
		{"Spanish", "windows-1252", "El niño comió piñas mañana por la mañana. ¿Qué pasó?"},
		{"Swedish", "windows-1252", "Räksmörgås på ön, åtta öre"},
		{"Russian, Windows", "windows-1251", "Привет, как дела? Документ подписан обеими сторонами."},
		{"Russian, one word", "windows-1251", "Привет"},
		{"Russian, KOI8", "koi8-r", "Привет, как дела? Документ подписан обеими сторонами."},
		{"Russian, DOS", "ibm866", "Привет, как дела? Документ подписан обеими сторонами."},
		{"Polish", "windows-1250", "Zażółć gęślą jaźń. Właściciel mieszkania wysłał list."},
		{"Czech", "windows-1250", "Příliš žluťoučký kůň úpěl ďábelské ódy."},
		{"Greek", "windows-1253", "Καλημέρα κόσμε, πώς είσαι σήμερα;"},
		{"Hebrew", "windows-1255", "שלום עולם, מה שלומך היום"},
		{"Arabic", "windows-1256", "مرحبا بالعالم هذا نص عربي قصير"},
		{"Turkish", "windows-1254", "Şimdi güneşli bir gün, çocuklar bahçede oynuyor. İstanbul ışıl ışıl."},
		{"Japanese, Shift JIS", "shift_jis", "これは日本語のテストです。東京へ行きました。"},
		{"Japanese, a file's name", "shift_jis", "文章1.txt"},
		{"Chinese, a file's name", "gb18030", "合同文件1.txt"},
		{"Japanese, EUC", "euc-jp", "これは日本語のテストです。東京へ行きました。"},
		{"Chinese, simplified", "gb18030", "这是一个中文测试文件，我们在北京工作。"},
		{"Chinese, traditional", "big5", "這是一個中文測試文件，我們在台北工作。"},
		{"Korean", "euc-kr", "안녕하세요. 이것은 한국어 문서입니다."},
		{"Japanese, ISO-2022", "iso-2022-jp", "日本語のメール"},
		{"UTF-16LE without mark", "utf-16le", "Name\tPreis\r\nMüller\t1,50\r\n"},
		{"UTF-16BE without mark", "utf-16be", "Name\tPreis\r\nMüller\t1,50\r\n"},
		{"German, DOS", "ibm850", "Die Größe der Tür über dem Fußboden beträgt zwei Meter."},
		{"French with the euro, Latin-9", "iso-8859-15", "Produit;Prix\r\nŒufs;3 €\r\nCafé;2 €\r\n"},
		{"German, Mac", "macintosh", "Die Größe der Tür über dem Fußboden beträgt zwei Meter."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := charset.Decode(encode(t, tt.encoding, tt.text))
			if got.String != tt.text {
				t.Errorf("read as %s (%s): %q, want %q", got.Name, got.How, got.String, tt.text)
			}
		})
	}
}

func TestDecodeLooksAtTheWholeText(t *testing.T) {
	ascii := strings.Repeat("plain ascii line\n", 5000)
	for _, enc := range []string{"utf-8", "windows-1251"} {
		text := ascii + "Документ подписан обеими сторонами.\n"
		raw := text
		if enc != "utf-8" {
			raw = encode(t, enc, text)
		}
		if got := charset.Decode(raw); got.String != text {
			t.Errorf("%s after 5,000 ASCII lines: read as %s", enc, got.Name)
		}
	}
}

func TestDecodeDeclared(t *testing.T) {
	tests := []struct{ name, raw, declared, want, encoding string }{
		{"fits", "\xe4", "iso-8859-1", "ä", "windows-1252"},
		{"is wrong, bytes are UTF-8", "Grüße", "iso-8859-1", "Grüße", "utf-8"},
		{"says UTF-8, is not", "M\xfcller und S\xf6hne", "utf-8", "Müller und Söhne", "windows-1252"},
		{"says UTF-16, is ASCII", "plain", "utf-16", "plain", "utf-8"},
		{"is unknown", "M\xfcller", "x-nonsense", "Müller", "windows-1252"},
		{"7-bit UTF-7", "Hi Mom +Jjo--!", "utf-7", "Hi Mom ☺-!", "utf-7"},
		{"mark is stronger", "\xEF\xBB\xBFa,b", "windows-1252", "a,b", "utf-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := charset.Decode(tt.raw, tt.declared)
			if got.String != tt.want || got.Name != tt.encoding {
				t.Errorf("got %q as %s, want %q as %s", got.String, got.Name, tt.want, tt.encoding)
			}
		})
	}
}

func TestDecodeReadsEachLineOfAMixedText(t *testing.T) {
	const want = "Name,City\nMüller,Köln\nLefèvre,Besançon\nplain,line\nDvořák,Plzeň\n"
	raw := strings.Replace(want, "Lefèvre,Besançon", encode(t, "windows-1252", "Lefèvre,Besançon"), 1)
	got := charset.Decode(raw)
	if got.String != want || got.Name != "utf-8 and windows-1252" {
		t.Fatalf("got %q as %s, want %q", got.String, got.Name, want)
	}
	surveyed, err := charset.Survey(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r, err := surveyed.Reader(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := io.ReadAll(iotest.OneByteReader(r)); err != nil || string(all) != want {
		t.Errorf("part by part: %q, %v, want %q", all, err, want)
	}
}

func TestStrayZeroBytesAreNoUTF16(t *testing.T) {
	const raw = "a,b\n1,\x00\n2,3\n4,5\n"
	if got := charset.Decode(raw); got.Name != "utf-8" || got.String != raw {
		t.Errorf("read as %s: %q", got.Name, got.String)
	}
}

func TestSeparatorsAreText(t *testing.T) {
	if !charset.IsText([]byte("a\x01b\x01c\n1\x1f2\x1e")) {
		t.Error("ASCII's separators of values count as no text")
	}
}

func TestDecodeCountsWhatItReplaces(t *testing.T) {
	got := charset.Decode(strings.Repeat("é", 40) + "\xff" + strings.Repeat("ü", 40))
	if got.Name != "utf-8" || got.Invalid != 1 || !strings.Contains(got.String, "é\uFFFDü") {
		t.Errorf("got %s, %d invalid, want utf-8 with 1", got.Name, got.Invalid)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "\xff\xfe", "+AA", "a\x00b\x00", "\x1b$B$", "M\xfcller", "+////////-"} {
		f.Add(seed, "utf-7")
	}
	f.Fuzz(func(t *testing.T, raw, declared string) {
		if got := charset.Decode(raw, declared); !utf8.ValidString(got.String) {
			t.Errorf("not UTF-8: %q", got.String)
		}
	})
}
