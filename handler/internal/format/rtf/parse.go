package rtf

import (
	"context"
	"strings"
	"unicode/utf16"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"golang.org/x/text/encoding"
)

// Limits of the parser.
const (
	maxGroups = 10_000   // open groups; deeper ones are dissolved
	maxSink   = 16 << 20 // bytes of a name, an instruction or the like
)

// parser is the state of reading one document.
type parser struct {
	ctx    context.Context
	in     *format.Input
	doc    *doc.Document
	tokens *tokenizer

	actions      map[string]action
	destinations map[string]destination
	listWords    map[string]action

	st    state   // of the innermost open group
	stack []state // of the groups around it
	extra int     // open groups beyond maxGroups

	bytes    []byte // of text, in the code page of encoding, not decoded yet
	page     int    // that code page; 0 for a symbol font
	high     rune   // first half of a surrogate pair
	fallback int    // bytes still to skip after \u

	encodings map[int]encoding.Encoding
	codePage  int
	fonts     map[int]font
	styles    map[int]*styleDef
	charStyle map[int]*styleDef
	lists     map[int]*listDef // by list id
	overrides map[int]*listDef // by \ls number
	authors   []string         // of tracked changes
	newList   *listDef         // being described
	listLevel int
	override  int // list id of the override being read
	row       *tableProps
	labelled  bool // the file stores the labels of its lists

	story   *story
	titles  int
	changes map[string]int
	notes   map[string]int
	images  map[string]bool
	comment doc.Annotation // the one whose author was read
	ranges  map[string]*strings.Builder
	ended   string            // text of the comment range that ended last
	aliases map[string]string // bookmark → first bookmark of its paragraph
	depth   int               // of stories in stories

	property string // of a shape, whose value follows
	alt      string // description of a picture
	form     formField
}

type font struct {
	codePage int
	mono     bool
	symbol   bool
	chars    map[rune]rune // of a symbol font that is known
}

func newParser(ctx context.Context, in *format.Input) *parser {
	p := &parser{
		ctx: ctx, in: in, doc: &doc.Document{Format: "rtf"}, tokens: newTokenizer(in.Reader()), codePage: 1252,
		actions: actionTable(), destinations: destinationTable(), listWords: listWords(),
		encodings: map[int]encoding.Encoding{}, fonts: map[int]font{}, styles: map[int]*styleDef{}, charStyle: map[int]*styleDef{}, lists: map[int]*listDef{}, overrides: map[int]*listDef{},
		changes: map[string]int{}, notes: map[string]int{}, images: map[string]bool{}, ranges: map[string]*strings.Builder{}, aliases: map[string]string{},
	}
	p.st = state{uc: 1, font: -1, par: bare}
	p.story = &story{p: p}
	return p
}

// read reads the whole file.
func (p *parser) read() error {
	found := false
	for count := 1; ; count++ {
		tok := p.tokens.next()
		if tok.kind == endOfFile {
			break
		}
		if tok.kind == control && tok.word == "rtf" {
			found = true
		}
		p.take(tok)
		if found && tok.kind == groupClose && len(p.stack) == 0 { // what follows the outermost group is no text
			break
		}
		if count%65536 == 0 {
			p.in.Progress(1, 0)
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
	}
	if p.tokens.err != nil {
		return p.tokens.err
	}
	if !found {
		return fault.New(fault.Corrupt, `The file is no Rich Text: it does not start with "{\rtf".`, nil)
	}
	p.flush()
	if len(p.stack) > 0 {
		p.doc.Warn("truncated", "The file ends inside a group; what was there was read.")
	}
	for len(p.stack) > 0 {
		p.close()
	}
	p.doc.Blocks = p.story.finish()
	p.finish()
	return nil
}

// take acts on one token.
func (p *parser) take(tok token) {
	if p.skipFallback(tok) {
		return
	}
	switch tok.kind {
	case groupOpen:
		p.flush()
		p.open()
	case groupClose:
		p.flush()
		p.close()
	case plain, hexByte:
		p.high = 0
		p.byte(tok.char)
		p.st.first = false
	case symbol:
		p.symbol(tok.char)
	case control:
		p.control(tok)
	case binary:
		if p.st.picture != nil {
			p.st.picture.data = append(p.st.picture.data, tok.data...)
		}
	}
}

// skipFallback passes over what stands after \u for readers that do not know Unicode.
func (p *parser) skipFallback(tok token) bool {
	if p.fallback == 0 {
		return false
	}
	switch tok.kind {
	case plain, hexByte, symbol, binary:
		p.fallback--
		return true
	case control:
		if tok.word == "u" || tok.word == "uc" { // the next character is there already
			p.fallback = 0
			return false
		}
		p.fallback--
		return true
	}
	p.fallback = 0
	return false
}

func (p *parser) open() {
	if len(p.stack) >= maxGroups {
		p.extra++
		return
	}
	p.stack = append(p.stack, p.st)
	p.st.first, p.st.end, p.st.ignorable = true, nil, false
}

func (p *parser) close() {
	if p.extra > 0 {
		p.extra--
		return
	}
	if len(p.stack) == 0 {
		return
	}
	end := p.st.end
	p.st = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	if end != nil {
		end()
	}
}

// byte takes in one byte of text in the code page of its font, or a hex digit of a picture.
func (p *parser) byte(c byte) {
	if p.st.skip {
		return
	}
	if p.st.picture != nil {
		p.st.picture.digit(c)
		return
	}
	if page := p.fontPage(); page != p.page {
		p.flush()
		p.page = page
	}
	p.bytes = append(p.bytes, c)
	if len(p.bytes) > 1<<16 && c < 0x80 {
		p.flush()
	}
}

// fontPage is the code page of text in the current font; 0 stands for a symbol font.
func (p *parser) fontPage() int {
	f, ok := p.fonts[p.st.font]
	switch {
	case ok && f.symbol:
		return 0
	case ok && f.codePage != 0:
		return f.codePage
	}
	return p.codePage
}

// decoder is the encoding of a code page, or of Windows-1252 for one that is not known.
func (p *parser) decoder(page int) encoding.Encoding {
	if enc, ok := p.encodings[page]; ok {
		return enc
	}
	_, enc, ok := charset.CodePage(page)
	if !ok {
		_, enc, _ = charset.CodePage(1252)
	}
	p.encodings[page] = enc
	return enc
}

// flush decodes the bytes of text read so far and hands them on.
func (p *parser) flush() {
	if len(p.bytes) == 0 {
		return
	}
	data := p.bytes
	p.bytes = p.bytes[:0]
	if p.page == 0 {
		p.text(p.symbols(latin1(data)))
		return
	}
	if isASCII(data) {
		p.text(string(data))
		return
	}
	text, err := p.decoder(p.page).NewDecoder().Bytes(data)
	if err != nil {
		text = []byte(strings.ToValidUTF8(string(data), "\uFFFD"))
	}
	p.text(string(text))
}

// unicode takes in a \u character; characters beyond the basic plane come as two.
func (p *parser) unicode(number int) {
	p.flush()
	r := rune(uint16(number))
	p.fallback = p.st.uc
	switch {
	case p.high != 0:
		if pair := utf16.DecodeRune(p.high, r); pair != '\uFFFD' {
			p.high = 0
			p.text(string(pair))
			return
		}
		p.high = 0
		p.text("\uFFFD")
	}
	if utf16.IsSurrogate(r) {
		p.high = r
		return
	}
	if r >= 0xF000 && r <= 0xF0FF { // a code of a symbol font
		p.text(p.symbols(string(r - 0xF000)))
		return
	}
	p.text(string(r))
}

// text hands decoded text to where the group's text goes.
func (p *parser) text(text string) {
	switch {
	case p.st.skip || text == "" || p.st.picture != nil:
	case p.st.node != nil:
		p.mathText(text)
	case p.st.sink != nil:
		if p.st.sink.Len()+len(text) <= maxSink {
			p.st.sink.WriteString(text)
		}
		if p.st.entry != "" && strings.HasSuffix(strings.TrimSpace(text), ";") {
			p.entryText(p.st.entry, p.st.sink.String(), &p.st)
			p.st.sink.Reset()
		}
	default:
		p.story.text(text, &p.st)
	}
}
