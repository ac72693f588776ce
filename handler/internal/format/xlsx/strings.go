package xlsx

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// sharedStrings are the workbook's texts by number, cut out of few large pieces of memory.
type sharedStrings struct {
	texts []string
	rich  map[int][]doc.Inline // the few texts with parts of different looks
	runs  []textRun
	piece []byte
	ends  []int
}

const (
	pieceSize        = 256 << 10
	maxSharedStrings = 20_000_000
	maxCellText      = 1 << 20 // bytes of one cell; Excel allows 32,767 characters
)

// readStrings reads sharedStrings.xml (18.4.9). A workbook without it has none.
// tick is called now and then, to say that work goes on.
func readStrings(ctx context.Context, p *ooxml.Package, part string, tick func()) (*sharedStrings, error) {
	out := &sharedStrings{}
	if part == "" || !p.Has(part) {
		return out, nil
	}
	s, err := p.Scan(part)
	if err != nil {
		return nil, fmt.Errorf("open shared strings: %w", err)
	}
	defer s.Close()
	for s.Next() {
		if s.Kind() != xmltree.Start || s.Name() != "si" {
			continue
		}
		if out.add(s.Scanner); out.count()%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			tick()
		}
		if out.count() > maxSharedStrings {
			return nil, fault.Newf(fault.TooLarge, "The workbook has more than %d different texts. Split it into several workbooks.", maxSharedStrings)
		}
	}
	out.flush()
	return out, s.Err()
}

func (t *sharedStrings) count() int { return len(t.texts) + len(t.ends) }

// add reads one si or is element.
func (t *sharedStrings) add(s *xmltree.Scanner) {
	start := len(t.piece)
	t.piece = appendRichText(t.piece, s, &t.runs)
	if inlines := inlinesOf(t.piece[start:], t.runs); inlines != nil {
		if t.rich == nil {
			t.rich = map[int][]doc.Inline{}
		}
		t.rich[t.count()] = inlines
	}
	t.ends = append(t.ends, len(t.piece))
	if len(t.piece) >= pieceSize {
		t.flush()
	}
}

// flush makes strings of the texts in piece.
func (t *sharedStrings) flush() {
	whole, start := string(t.piece), 0
	for _, end := range t.ends {
		t.texts = append(t.texts, unescape(whole[start:end]))
		start = end
	}
	t.piece, t.ends = t.piece[:0], t.ends[:0]
}

func (t *sharedStrings) at(i int) (string, bool) {
	if i < 0 || i >= len(t.texts) {
		return "", false
	}
	return t.texts[i], true
}

// unescape resolves _xHHHH_, which stands for a character that XML cannot hold (ST_Xstring, 22.9.2.19).
// A carriage return goes away, because Excel writes one before a line feed.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	var b strings.Builder
	for {
		i := strings.Index(text, "_x")
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i:]
		if len(text) >= 7 && text[6] == '_' {
			if n, err := strconv.ParseUint(text[2:6], 16, 16); err == nil {
				if r := rune(n); r >= ' ' && r != 0x7f && (r < 0xD800 || r > 0xDFFF) || r == '\n' || r == '\t' {
					b.WriteRune(r)
				}
				text = text[7:]
				continue
			}
		}
		b.WriteString("_x")
		text = text[2:]
	}
}
