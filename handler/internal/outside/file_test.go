//go:build linux

package outside_test

import (
	"strings"
	"testing"
	"time"

	"decant/handler/internal/child"
	"decant/handler/internal/job"
	"decant/handler/internal/outside"
)

// TestFileMode: one process for each document, whose result is taken from where the arguments say.
func TestFileMode(t *testing.T) {
	tests := []struct {
		name      string
		arguments []string
		text      string
		want      string
	}{
		{"named file", []string{"{input}", "{outfile}"}, "text Hello", "Hello\n"},
		{"any file in the folder", []string{"{input}", "{output}/other.md"}, "text Hello", "Hello\n"},
		{"the one with the right extension", []string{"{input}", "{output}/other.markdown"}, "text Hello\nsecond log.txt", "Hello\n"},
		{"standard output", []string{"{input}"}, "text Hello", "Hello\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRouter(t, child.SandboxAuto, program(t, func(c *outside.Converter) { c.Command = append(c.Command[:2], tt.arguments...) }))
			e := convertOne(t, r, request(t, "report.fake", tt.text, limits))
			if e.err != nil || e.text != tt.want {
				t.Fatalf("text %q, %v", e.text, e.err)
			}
			if e.result.Format != "fake" || e.result.Outside == nil || e.result.Outside.Returns != "markdown" {
				t.Errorf("result %+v", e.result)
			}
			if len(e.result.Warnings) == 0 || e.result.Warnings[0].Class != "outside_converter" {
				t.Errorf("warnings %v", e.result.Warnings)
			}
		})
	}
}

func TestFileModeFaults(t *testing.T) {
	short := limits
	short.NoProgress = 5 * time.Second
	tests := []struct{ name, text, kind, death, says string }{
		{"exit code", "exit 3", "corrupt", child.DeathRefused, "(exit code 3: told to exit)"},
		{"shell's exit code of a signal", "exit 134", "crash", child.DeathCrash, "(aborted)"},
		{"crashed", "kill", "crash", child.DeathCrash, "crashed on this document"},
		{"nothing", "nothing", "corrupt", child.DeathRefused, "made nothing of the file"},
		{"empty", "blank", "corrupt", child.DeathRefused, "found nothing in the file"},
		{"two files", "nothing\nsecond a.txt\nsecond b.txt", "crash", child.DeathCrash, "2 files instead of one"},
		{"too much memory", "heap 2048", "memory", child.DeathMemory, "fake needed more memory than its limit of 512 MiB. Split the document, or raise the limit (--memory"},
		{"hangs without using the processor", "hang", "no_progress", child.DeathNoProgress, "fake gave no sign of life for 5s and was stopped. Save"},
		{"a file as large as the disk may be full", "exit 153", "limit_disk", child.DeathDiskLimit, "fake used more disk than its limit of 64 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRouter(t, child.SandboxAuto, program(t, nil))
			l := limits
			if tt.text == "hang" {
				l = short
			}
			e := convertOne(t, r, request(t, "x.fake", tt.text, l))
			if e.kind() != tt.kind || e.usage.Death != tt.death || e.err == nil || !strings.Contains(e.err.Error(), tt.says) {
				t.Errorf("kind %s, death %s: %v\nwant %s, %s: %q", e.kind(), e.usage.Death, e.err, tt.kind, tt.death, tt.says)
			}
		})
	}
}

// TestBusyProgramIsAlive: a program that says nothing and uses the processor is not taken for one that hangs; the deadline ends it.
func TestBusyProgramIsAlive(t *testing.T) {
	l := limits
	l.NoProgress, l.Timeout = 10*time.Second, 25*time.Second
	r := newRouter(t, child.SandboxAuto, program(t, nil))
	if e := convertOne(t, r, request(t, "x.fake", "spin", l)); e.kind() != "timeout" {
		t.Errorf("kind %s: %v", e.kind(), e.err)
	}
}

// TestLimitsOfItsOwn: a fault names the limit that was reached, and that it is set with the converter.
func TestLimitsOfItsOwn(t *testing.T) {
	r := newRouter(t, child.SandboxAuto, program(t, func(c *outside.Converter) {
		c.Limits = outside.Limits{Timeout: outside.Duration(3 * time.Second), Memory: outside.Size(256 * job.MiB)}
	}))
	for text, says := range map[string]string{
		"spin":      "The outside converter fake took longer than its time limit of 3s and was stopped. Split the document, or raise the limit (limits.timeout of the converter).",
		"heap 2048": "The outside converter fake needed more memory than its limit of 256 MiB. Split the document, or raise the limit (limits.memory of the converter).",
	} {
		if e := convertOne(t, r, request(t, "x.fake", text, limits)); e.err == nil || !strings.Contains(e.err.Error(), says) {
			t.Errorf("%s: %v\nwant %s", text, e.err, says)
		}
	}
}

// TestHTMLIsRead: a web page that comes back is read as one of the web is: its structure in Markdown, in its encoding, nothing of it
// that runs, and what was left out is told.
func TestHTMLIsRead(t *testing.T) {
	page := `text <!DOCTYPE html><html><head><meta charset="utf-8"><title>Järvet</title><script>steal()</script></head><body onload="steal()">
text <h1>Ice on lakes</h1><p>The <b>ice</b> on Päijänne, <a href="javascript:steal()">see</a>.</p>
text <table><tr><th>Lake</th><th>m</th></tr><tr><td>Inari</td><td>0.61</td></tr></table><ul><li>Saimaa</li></ul></body></html>`
	want := "# Ice on lakes\n\nThe **ice** on Päijänne, see.\n\n| Lake | m |\n| --- | --- |\n| Inari | 0.61 |\n\n- Saimaa\n"
	for _, arguments := range [][]string{{"{input}", "{output}/page.html"}, {"{input}"}} {
		r := newRouter(t, child.SandboxAuto, program(t, func(c *outside.Converter) {
			c.Returns = "html"
			c.Command = append(c.Command[:2], arguments...)
		}))
		e := convertOne(t, r, request(t, "x.fake", page, limits))
		if e.err != nil || e.text != want {
			t.Fatalf("%s: %q, %v", arguments, e.text, e.err)
		}
		if e.result.Format != "fake" || e.result.Outside == nil || e.result.Outside.Returns != "html" {
			t.Errorf("result %+v", e.result)
		}
		classes := map[string]bool{}
		for _, w := range e.result.Warnings {
			classes[w.Class] = true
		}
		for _, class := range []string{"outside_converter", "active_content", "unsafe_link"} {
			if !classes[class] {
				t.Errorf("warnings %v, want %s among them", e.result.Warnings, class)
			}
		}
	}
}

// TestRubbishIsNotRead: what comes back is read only as what was promised.
func TestRubbishIsNotRead(t *testing.T) {
	r := newRouter(t, child.SandboxAuto, program(t, func(c *outside.Converter) { c.Returns = "docx" }))
	if e := convertOne(t, r, request(t, "x.fake", "text not a package", limits)); e.kind() != "crash" || !strings.Contains(e.err.Error(), "gave back something that is not docx") {
		t.Errorf("%v", e.err)
	}
}

// TestAnswerByFormat: a format that decant reads itself goes to the converter that the settings name for it, by content.
func TestAnswerByFormat(t *testing.T) {
	r := newRouter(t, child.SandboxAuto, program(t, func(c *outside.Converter) { c.Extensions, c.Formats = nil, []string{"rtf"} }))
	e := convertOne(t, r, request(t, "letter.bin", `{\rtf1 text`, limits))
	if e.err != nil || !strings.Contains(e.text, "unknown instruction") || e.result.Format != "rtf" {
		t.Errorf("format %q, text %q, %v", e.result.Format, e.text, e.err)
	}
}
