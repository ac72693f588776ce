package convert_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"decant/handler/internal/convert"
	"decant/handler/internal/fault"
	"decant/handler/internal/format/all"
	"decant/handler/internal/format/formattest"
	"decant/handler/internal/job"
)

// TestCases holds that the hard inputs that users of other converters reported come out right, with what was lost or guessed said.
// What the Markdown is in full stands in the golden files; workbooks are in format/xlsx, depth in htmldoc, archives in format/archive.
func TestCases(t *testing.T) {
	converter := convert.New(all.Formats(all.Options{}), "test")
	for _, tt := range []struct {
		name, file string
		has        []string // in this order
		lacks      []string
		warnings   []string // class and count
	}{
		{"tracked changes", "docx/tracked-changes.docx.txtar", []string{"The price is 120 EUR.", "AlphaBeta", "Moved."}, []string{"100"}, []string{"tracked_changes"}},
		{"notes, comments, wrappers, a picture that is not there", "docx/notes-comments-wrappers.docx.txtar", []string{"Fact[^1] and more[^e1].", "State of Delaware, USA", "[^1]: See Smith.", "[^e1]: End."}, []string{"check"}, []string{"missing_part", "comments_left_out"}},
		{"automatic numbers", "docx/numbering-as-printed.docx.txtar", []string{"# 1. Introduction", "## 1.1 Scope", "# 2. Terms", "1. one", "2. two", "3. three", "1. fresh", "(a) alpha", "(b) beta", "# Annex"}, nil, nil},
		{"groups, a table, notes, a hidden slide", "pptx/groups-table-smartart-and-notes.pptx.txtar", []string{"Plan", "BOX", "SECOND"}, []string{"BOXSECOND", "hidden slide"}, []string{"hidden_slide"}},
		{"five thousand elements deep", "html/five-thousand-divs.html", []string{"deep"}, nil, []string{"nesting_flattened"}},
		{"hidden text, scripts, data URIs", "html/hidden-scripts-data-uris.html", []string{"S", "inside", "![logo](images/image-1.png)", "go", "cell", "ns"}, []string{"h1", "h2", "h3", "evil", "tpl", "javascript"}, []string{"hidden_element", "unsafe_link"}},
		{"a mail that breaks rules", "eml/unquoted-boundary-never-closed.eml", []string{"日本語", "Привет", "2015-10-06T11:25:00+02:00", "Inner.eml", "IMG_0907[1].txt", "€.txt", "Привет"}, nil, []string{"unclosed_boundary"}},
		{"windows-1252 and semicolons", "csv/cp1252-semicolon.csv", []string{"| Name | Preis |", "| Müller | 1,50 |"}, nil, nil},
		{"UTF-16 and tabs", "csv/utf16-tabs.csv", []string{"| Name | Preis |", "| Müller | 1,50 |"}, nil, nil},
		{"a mark before the header", "csv/mark-before-header.csv", []string{"| a | b |"}, []string{"\ufeff"}, nil},
		{"ragged rows", "csv/ragged-rows.csv", []string{"| a | b |  |", "| 1 | 2 | 3 |", "| 4 |"}, nil, []string{"ragged_rows"}},
		{"bars, line ends, stray quotes", "csv/quotes-out-of-order.csv", []string{`x\|y`, "l1<br>l2", `5" pipe`}, nil, []string{"quoting_repaired"}},
		{"an accent after five thousand lines", "csv/accent-after-5000-lines.csv", []string{"é"}, []string{"Ã"}, nil},
		{"old Mac line ends", "csv/old-mac-line-ends.csv", []string{"| a | b |", "| 1 | 2 |"}, nil, nil},
		{"a book's paths and order", "epub/paths-and-spine-order.epub.txtar", nil, nil, nil},
		{"an R notebook", "ipynb/r-with-outputs.ipynb", []string{"```r"}, []string{"```python"}, nil},
		{"an encrypted member alone", "zip/one-member-encrypted.zip", []string{"ok.txt", "secret.txt | encrypted", "also.txt"}, nil, []string{"attachment_failed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, result := caseOf(t, converter, filepath.Join(corpus, tt.file))
			rest := text
			for _, want := range tt.has {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("%q is missing, or not in its place:\n%.2000s", want, text)
				}
				rest = after
			}
			for _, not := range tt.lacks {
				if strings.Contains(text, not) {
					t.Errorf("%q is there:\n%.2000s", not, text)
				}
			}
			for _, class := range tt.warnings {
				if !strings.Contains(fmt.Sprint(result.Warnings), "{"+class+" ") {
					t.Errorf("no warning %s, only %v", class, result.Warnings)
				}
			}
		})
	}
}

func caseOf(t *testing.T, converter *convert.Converter, file string) (string, job.Result) {
	t.Helper()
	if strings.HasSuffix(file, ".txtar") {
		file = zipped(t, file)
	}
	source, out := job.Source{Path: filepath.Base(file), Size: -1}, t.TempDir()
	result, err := converter.Convert(t.Context(), job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: file, OutDir: out})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, job.MarkdownFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(text), result
}

// TestProtectedOfficeFiles: a protected Office file is a compound file with the stream EncryptedPackage, whatever its kind.
func TestProtectedOfficeFiles(t *testing.T) {
	converter := convert.New(all.Formats(all.Options{}), "test")
	data := formattest.Compound(formattest.Storage{Streams: map[string]string{"EncryptedPackage": strings.Repeat("x", 5000), "EncryptionInfo": "y"}})
	for _, ext := range []string{".docx", ".xlsx", ".pptx"} {
		input := filepath.Join(t.TempDir(), "x"+ext)
		if err := os.WriteFile(input, data, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, password := range []string{"", "guess"} {
			source := job.Source{Path: "x" + ext, Size: -1}
			request := job.Request{Job: job.Job{ID: source.ID(), Source: source}, Input: input, OutDir: t.TempDir()}
			request.Job.Options.Password = job.Secret(password)
			if _, err := converter.Convert(t.Context(), request); fault.KindOf(err) != fault.Encrypted {
				t.Errorf("%s with the password %q: %v, want encrypted", ext, password, err)
			}
		}
	}
}
