package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"decant/handler/internal/charset"
	"decant/handler/internal/children"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// Limits of unpacking. Deflate reaches 1,032; honest text reaches about 200.
const (
	maxRatio  = 600
	ratioFrom = 8 << 20 // bytes; below that any ratio is harmless
)

// lister takes members in, one after the other, and keeps the list of them.
type lister struct {
	ctx  context.Context
	in   *format.Input
	d    *doc.Document
	rows [][2]string
	seen int
	left int64 // bytes that may still be unpacked
}

func newLister(ctx context.Context, in *format.Input) *lister {
	left := in.Limits.Unpack
	if left <= 0 {
		left = 1 << 30
	}
	return &lister{ctx: ctx, in: in, d: &doc.Document{}, left: left}
}

// add takes one member in. packed is its stored size in bytes, 0 when it is not known.
func (l *lister) add(c children.Child, packed int64) error {
	if isJunk(c.Name) {
		return nil
	}
	l.seen++
	l.in.Progress(l.seen, 0)
	if l.in.Limits.Members > 0 && l.seen > l.in.Limits.Members {
		l.d.Warn("limit_reached", fmt.Sprintf("The archive has more than %d members; the others were not read. Raise DECANT_MAX_MEMBERS to read them all.", l.in.Limits.Members))
		return errFull
	}
	g := &guard{r: c.Content, packed: packed, left: &l.left}
	if c.Content != nil {
		c.Content = g
	}
	if err := children.Add(l.ctx, l.in, l.d, c); err != nil {
		return err
	}
	l.warnCut(g, c.Name)
	a := l.d.Attachments[len(l.d.Attachments)-1]
	state := fmt.Sprintf("%d", a.Bytes)
	if a.Fault != "" {
		state = a.Fault
	}
	l.rows = append(l.rows, [2]string{a.Name, state})
	return nil
}

func (l *lister) warnCut(g *guard, name string) {
	if g.cut {
		l.d.Warn("truncated", name+" ends early; what was there was read.")
	}
}

// link lists a member that holds nothing but where something else is, or is no file at all.
func (l *lister) link(name, state string) {
	if l.seen++; l.in.Limits.Members > 0 && l.seen > l.in.Limits.Members {
		return
	}
	l.d.Warn("unsupported_part", "Links and devices in the archive were listed only: they have no content of their own.")
	l.rows = append(l.rows, [2]string{strings.ToValidUTF8(name, "\uFFFD"), strings.ToValidUTF8(state, "\uFFFD")})
}

// errFull ends the reading of an archive that has more members than may be read.
var errFull = fault.New(fault.TooLarge, "", nil)

// finish gives the archive's document: the list of what is in it.
func (l *lister) finish(err error) (*doc.Document, error) {
	switch {
	case errors.Is(err, errFull):
	case err != nil && l.seen == 0:
		return nil, err
	case err != nil:
		if ctxErr := l.ctx.Err(); ctxErr != nil {
			return nil, ctxErr
		}
		l.d.Warn("truncated", "The archive is damaged: "+fault.From(err).Message)
	}
	if len(l.rows) == 0 {
		return l.d, nil
	}
	g := &doc.Grid{Rows: len(l.rows) + 1, Columns: 2, HeaderRows: 1}
	cell := func(row, column int, text string) {
		g.Cells = append(g.Cells, doc.Cell{Row: row, Column: column, Header: row == 0, Blocks: []doc.Block{doc.P(text)}})
	}
	cell(0, 0, "File")
	cell(0, 1, "Bytes")
	for i, row := range l.rows {
		cell(i+1, 0, row[0])
		cell(i+1, 1, row[1])
	}
	l.d.Blocks = []doc.Block{{Kind: doc.Table, Table: g}}
	l.d.Metadata.Other = map[string]string{"members": fmt.Sprint(len(l.rows))}
	return l.d, nil
}

// isJunk tells files that systems leave in archives for themselves.
func isJunk(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, "._") || base == ".DS_Store" || strings.EqualFold(base, "thumbs.db") || strings.EqualFold(base, "desktop.ini")
}

// guard stops a member that unpacks to far more than it stores, and all members together at the budget.
type guard struct {
	r      io.Reader
	packed int64
	out    int64
	left   *int64
	cut    bool // the data ended early
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.r.Read(p)
	g.out += int64(n)
	*g.left -= int64(n)
	switch {
	case g.packed > 0 && g.out > ratioFrom && g.out > g.packed*maxRatio:
		return 0, fault.New(fault.LimitRatio, "", nil)
	case *g.left < 0:
		return 0, fault.New(fault.LimitDisk, "The archive unpacks to more than the limit. Unpack it yourself, or raise DECANT_MAX_DISK.", nil)
	case errors.Is(err, io.ErrUnexpectedEOF) && g.out > 0:
		g.cut, err = true, io.EOF
	case err != nil && !errors.Is(err, io.EOF) && fault.KindOf(err) == fault.Internal:
		err = fault.New(fault.Corrupt, "This member of the archive is damaged.", err)
	}
	return n, err
}

// memberName decodes a name that is not marked as UTF-8.
func memberName(raw string, utf8 bool) string {
	if utf8 {
		return raw
	}
	t := charset.Decode(raw)
	if t.How == charset.ByDefault {
		t = charset.Decode(raw, "ibm437") // what the zip format says when nothing else is known
	}
	return t.String
}
