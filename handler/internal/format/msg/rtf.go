package msg

import (
	"strconv"
	"strings"

	"decant/handler/internal/charset"
)

// deencapsulate takes the HTML out of RTF that Outlook made of it (MS-OXRTFEX 3.1): text inside htmltag groups is markup,
// text outside is content unless htmlrtf switches it off.
func deencapsulate(rtf string, codePage int) (string, bool) {
	if !strings.Contains(rtf[:min(len(rtf), 1000)], `\fromhtml1`) {
		return "", false
	}
	w := rtfWalker{text: rtf, codePage: codePage, html: true}
	return w.walk(), true
}

// rtfText gives the plain text of RTF.
func rtfText(rtf string, codePage int) string {
	w := rtfWalker{text: rtf, codePage: codePage}
	return strings.TrimSpace(w.walk())
}

// rtfState is what a group inherits and ends.
type rtfState struct {
	skip    bool // a destination that is not text
	htmlRTF bool // content that is there for RTF readers only
	tag     bool // inside an htmltag group
	unicode int  // how many characters stand in for a \u
}

// rtfWalker reads RTF once.
type rtfWalker struct {
	text     string
	codePage int
	html     bool
	out      strings.Builder
	pending  []byte // bytes in the code page, decoded together
	state    rtfState
	stack    []rtfState
	eat      int  // characters to pass over after a \u
	fresh    bool // at the start of a group: its first word names it
	star     bool // after \*
}

// maxGroups bounds nesting.
const maxGroups = 10_000

func (w *rtfWalker) walk() string {
	w.state.unicode = 1
	for i := 0; i < len(w.text); {
		switch c := w.text[i]; c {
		case '{':
			w.flush()
			if len(w.stack) < maxGroups {
				w.stack = append(w.stack, w.state)
			}
			w.fresh, w.star = true, false
			i++
		case '}':
			w.flush()
			if n := len(w.stack); n > 0 {
				w.state, w.stack = w.stack[n-1], w.stack[:n-1]
			}
			w.fresh, w.star = false, false
			i++
		case '\\':
			i = w.control(i + 1)
		case '\r', '\n':
			i++
		default:
			w.char(c)
			i++
		}
	}
	w.flush()
	return w.out.String()
}

func (w *rtfWalker) visible() bool {
	return !w.state.skip && (!w.html || !w.state.htmlRTF)
}

func (w *rtfWalker) char(c byte) {
	w.fresh = false
	if w.eat > 0 {
		w.eat--
		return
	}
	if w.visible() {
		w.pending = append(w.pending, c)
	}
}

func (w *rtfWalker) flush() {
	if len(w.pending) == 0 {
		return
	}
	name, _, ok := charset.CodePage(w.codePage)
	if !ok {
		name = "windows-1252"
	}
	w.out.WriteString(charset.Decode(string(w.pending), name).String)
	w.pending = w.pending[:0]
}

func (w *rtfWalker) write(s string) {
	if w.visible() {
		w.flush()
		w.out.WriteString(s)
	}
}

// control reads a control word or symbol from behind its backslash and gives where reading goes on.
func (w *rtfWalker) control(i int) int {
	if i >= len(w.text) {
		return i
	}
	c := w.text[i]
	if !isLetter(c) {
		return w.symbol(i)
	}
	start := i
	for i < len(w.text) && isLetter(w.text[i]) {
		i++
	}
	word := w.text[start:i]
	start = i
	if i < len(w.text) && w.text[i] == '-' {
		i++
	}
	for i < len(w.text) && w.text[i] >= '0' && w.text[i] <= '9' && i-start < 11 {
		i++
	}
	number, err := strconv.Atoi(w.text[start:i])
	if err != nil {
		number = 1
	}
	hasNumber := err == nil
	if i < len(w.text) && w.text[i] == ' ' {
		i++
	}
	w.word(word, number, hasNumber)
	w.fresh = false
	return i
}

func (w *rtfWalker) symbol(i int) int {
	switch c := w.text[i]; c {
	case '\'':
		if i+2 < len(w.text) {
			if n, err := strconv.ParseUint(w.text[i+1:i+3], 16, 8); err == nil {
				w.char(byte(n))
			}
			return i + 3
		}
	case '*':
		w.star = true
	case '~':
		w.write("\u00a0")
	case '_':
		w.write("-")
	case '\r', '\n':
		w.write("\n")
	case '\\', '{', '}':
		w.char(c)
	}
	return i + 1
}

// destinations hold no text of the body.
var destinations = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true, "listtable": true, "listoverridetable": true,
	"generator": true, "themedata": true, "colorschememapping": true, "datastore": true, "latentstyles": true, "rsidtbl": true, "xmlnstbl": true, "fldinst": true,
	"header": true, "footer": true, "mhtmltag": true, "revtbl": true,
}

var rtfWords = map[string]string{
	"par": "\n", "line": "\n", "tab": "\t", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—",
	"sect": "\n", "page": "\n", "cell": "\t", "row": "\n",
}

func (w *rtfWalker) word(word string, number int, hasNumber bool) {
	switch {
	case word == "htmlrtf":
		w.flush()
		w.state.htmlRTF = !hasNumber || number != 0
	case word == "htmltag":
		w.state.tag, w.state.skip = true, !w.html
	case word == "ansicpg" && w.codePage == 0:
		w.codePage = number
	case word == "uc":
		w.state.unicode = number
	case word == "u":
		w.write(string(rune(uint16(number))))
		w.eat = w.state.unicode
	case destinations[word] || w.star && w.fresh:
		w.state.skip = true
	case word == "bin":
		w.eat = max(0, number)
	default:
		if text, ok := rtfWords[word]; ok {
			if w.html && w.state.tag && text == "\n" {
				text = "\n"
			}
			w.write(text)
		}
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
