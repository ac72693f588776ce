package mail_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/mail"
)

// nested is a mail of that many multiparts, each the second part of the one around it, with a text before and after.
func nested(levels int, kind, innermost string) string {
	var b, tail strings.Builder
	b.WriteString("From: a@b.c\n")
	for i := range levels {
		fmt.Fprintf(&b, "Content-Type: multipart/%s; boundary=b%d\n\npreamble\n--b%d\n\nbefore %d\n--b%d\n", kind, i, i, i, i)
	}
	b.WriteString(innermost)
	for i := levels - 1; i >= 0; i-- {
		fmt.Fprintf(&tail, "\n--b%d\n\nafter %d\n--b%d--\nepilogue", i, i, i)
	}
	return b.String() + tail.String()
}

// TestDeepMultiparts: text in more multiparts than are followed was in no output, without a word.
func TestDeepMultiparts(t *testing.T) {
	for _, levels := range []int{3, 60, 61, 63, 500} {
		l := mail.FromMessage(mail.Parse(nested(levels, "mixed", "Content-Type: text/plain\n\ninnermost")))
		var want, got []string
		for i := range levels {
			want = append(want, fmt.Sprint("before ", i))
		}
		want = append(want, "innermost")
		for i := levels - 1; i >= 0; i-- {
			want = append(want, fmt.Sprint("after ", i))
		}
		for _, body := range l.Bodies {
			got = append(got, body.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d levels: %s", levels, diff)
		}
		if told := l.Flattened > 0; told != (levels > 60) {
			t.Errorf("%d levels: %d told as flattened", levels, l.Flattened)
		}
		if l.Repaired != 0 || l.Unclosed != 0 {
			t.Errorf("%d levels: %d repaired, %d unclosed", levels, l.Repaired, l.Unclosed)
		}
	}
}

// Below the bound, what is a form of what is not known: both are read. A multipart without its boundary is text.
func TestDeepParts(t *testing.T) {
	tests := []struct{ name, innermost, want string }{
		{"alternatives", "Content-Type: multipart/alternative; boundary=x\n\n--x\n\nplain\n--x\nContent-Type: text/html\n\n<p>html\n--x--\n", "plain|<p>html"},
		{"never closed", "Content-Type: multipart/mixed; boundary=x\n\n--x\n\none\n--x\n\ntwo", "one|two"},
		{"boundary that is not there", "Content-Type: multipart/mixed; boundary=x\n\n--y\n\none", "--y\n\none"},
		{"no boundary", "Content-Type: multipart/mixed\n\nwords", "words"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := mail.FromMessage(mail.Parse(nested(62, "mixed", test.innermost)))
			var got []string
			for _, body := range l.Bodies {
				if !strings.HasPrefix(body.Text, "before") && !strings.HasPrefix(body.Text, "after") {
					got = append(got, strings.TrimSpace(body.Text))
				}
			}
			if diff := cmp.Diff(test.want, strings.Join(got, "|")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTooManyParts: the parts beyond the bound were left out without a word.
func TestTooManyParts(t *testing.T) {
	for _, test := range []struct {
		parts int
		cut   bool
	}{{20_000, false}, {20_001, true}} {
		text := "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", test.parts) + "--b--\n"
		if l := mail.FromMessage(mail.Parse(text)); l.Cut != test.cut || len(l.Bodies) != 20_000 {
			t.Errorf("%d parts: cut %v, %d bodies", test.parts, l.Cut, len(l.Bodies))
		}
	}
}
