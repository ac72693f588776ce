package xmltree

import (
	"bytes"
	"io"
)

// Kind says what a Scanner stands on.
type Kind int

// The kinds of tokens.
const (
	None  Kind = iota
	Start      // Name, Attr
	End        // Name; also after an empty element, and for elements that the file forgot to close
	Text       // Text
)

// Limits of the scanner itself.
const (
	DefaultDepth = 10_000   // honest documents stay below a few hundred
	bufferSize   = 64 << 10 // bytes; text longer than this comes in pieces
	maxTag       = 8 << 20  // bytes of one tag with its attributes
)

// Options say how to read.
type Options struct {
	// Namespaces gives the prefix to use in names, by namespace URI. Names in other namespaces keep the file's prefix.
	Namespaces map[string]string
	// MaxDepth is how deep elements may nest before they are dissolved; 0 means DefaultDepth.
	MaxDepth int
	// SkipAttr tells which attributes are of no use, so that they cost nothing. It may be nil.
	SkipAttr func(name string) bool
	// PrefixAttr names the attribute whose value is a list of the file's prefixes, such as mc:Choice's Requires (ECMA-376 part 3, 7.6). Each is
	// given as Namespaces has it, else as the namespace it stands for, else as it is. Empty means none.
	PrefixAttr string
}

// Attr is an attribute. Unprefixed attributes have no prefix, prefixed ones are named as elements are.
type Attr struct {
	Name  string
	Value string
}

// Damage says what was wrong with the XML and was repaired.
type Damage struct {
	Truncated bool // it ends inside an element
	Nesting   bool // end tags do not match start tags
	Invalid   bool // bytes that are no text in the declared encoding
	Flattened bool // nested deeper than MaxDepth
	Entities  bool // entities that are not known were kept as they stand
}

// Scanner reads XML token by token.
type Scanner struct {
	input  io.Reader
	opts   Options
	buf    []byte
	pos    int // next byte to read
	eof    bool
	err    error
	kind   Kind
	name   string
	attrs  []Attr
	text   []byte
	cdata  bool // inside a CDATA section
	empty  bool // the start tag was an empty element: its end comes next
	names  names
	open   []element
	flat   int // elements below MaxDepth that are open but dissolved
	damage Damage
}

type element struct {
	name     string
	bindings int // len(names.bindings) before it
}

// NewScanner reads XML from r, in the encoding that it declares.
func NewScanner(r io.Reader, opts Options) *Scanner {
	if opts.MaxDepth <= 0 {
		opts.MaxDepth = DefaultDepth
	}
	return &Scanner{input: decoded(r), opts: opts, names: newNames(opts.Namespaces)}
}

// Kind is what the scanner stands on.
func (s *Scanner) Kind() Kind { return s.kind }

// Name is the name of the start or end tag, with its prefix.
func (s *Scanner) Name() string { return s.name }

// Depth is how many elements are open, including the one of a start tag.
func (s *Scanner) Depth() int { return len(s.open) }

// Text is the text of a Text token, decoded. It is valid until the next call of Next.
func (s *Scanner) Text() []byte { return s.text }

// Attr is the value of an attribute of the start tag, or "".
func (s *Scanner) Attr(name string) string {
	for i := range s.attrs {
		if s.attrs[i].Name == name {
			return s.attrs[i].Value
		}
	}
	return ""
}

// Attrs are the attributes of the start tag, valid until the next call of Next.
func (s *Scanner) Attrs() []Attr { return s.attrs }

// Damage is what was repaired so far.
func (s *Scanner) Damage() Damage { return s.damage }

// Err is the error of the reader below, or nil.
func (s *Scanner) Err() error { return s.err }

// Next goes to the next token and tells whether there is one.
func (s *Scanner) Next() bool {
	if s.empty {
		s.empty = false
		s.close()
		return true
	}
	for {
		if !s.more(1) {
			return s.atEnd()
		}
		if s.cdata {
			if s.readCDATA() {
				return true
			}
			continue
		}
		if s.buf[s.pos] != '<' {
			s.readText()
			return true
		}
		if s.readMarkup() {
			return true
		}
	}
}

// Skip passes over the rest of the element whose start tag the scanner stands on.
func (s *Scanner) Skip() {
	depth := len(s.open)
	for len(s.open) >= depth && s.Next() {
	}
}

// atEnd closes what is still open when the input ends.
func (s *Scanner) atEnd() bool {
	if len(s.open) == 0 {
		s.kind = None
		return false
	}
	s.damage.Truncated = true
	s.close()
	return true
}

// readMarkup reads what starts with "<" and tells whether it is a token.
func (s *Scanner) readMarkup() bool {
	s.more(9)
	rest := s.buf[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		s.pos += 4
		s.skipPast([]byte("-->"))
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		s.pos += 9
		s.cdata = true
	case bytes.HasPrefix(rest, []byte("<!")):
		s.skipDoctype()
	case bytes.HasPrefix(rest, []byte("<?")):
		s.skipPast([]byte("?>"))
	case bytes.HasPrefix(rest, []byte("</")):
		return s.readEnd()
	case len(rest) > 1 && isNameStart(rest[1]):
		return s.readStart()
	default: // a bare "<" in text
		s.kind, s.text = Text, rest[:1]
		s.pos++
		s.damage.Nesting = true
		return true
	}
	return false
}

// readEnd reads an end tag. One without a start tag is left out; one that skips open elements closes them too, one a call.
func (s *Scanner) readEnd() bool {
	size := s.tagSize()
	if size < 0 {
		return false
	}
	raw := bytes.TrimRight(s.buf[s.pos+2:s.pos+size-1], " \t\r\n")
	name := s.names.element(raw)
	if s.flat > 0 {
		s.flat--
		s.pos += size
		return false
	}
	last := len(s.open) - 1
	if last >= 0 && s.open[last].name == name {
		s.pos += size
		s.close()
		return true
	}
	s.damage.Nesting = true
	for i := last - 1; i >= 0; i-- {
		if s.open[i].name == name {
			s.close() // the tag is read again for the next one
			return true
		}
	}
	s.pos += size
	return false
}

func (s *Scanner) close() {
	last := len(s.open) - 1
	s.kind, s.name, s.attrs, s.text = End, s.open[last].name, s.attrs[:0], nil
	s.names.unbind(s.open[last].bindings)
	s.open = s.open[:last]
}

// readStart reads a start tag or an empty element.
func (s *Scanner) readStart() bool {
	size := s.tagSize()
	if size < 0 {
		return false
	}
	tag := s.buf[s.pos+1 : s.pos+size-1]
	s.pos += size
	empty := len(tag) > 0 && tag[len(tag)-1] == '/'
	if empty {
		tag = tag[:len(tag)-1]
	}
	if len(s.open) >= s.opts.MaxDepth {
		s.damage.Flattened = true
		if !empty {
			s.flat++
		}
		return false
	}
	n := nameLen(tag)
	mark := len(s.names.bindings)
	s.bind(tag[n:])
	s.kind, s.name, s.text = Start, s.names.element(tag[:n]), nil
	s.readAttrs(tag[n:])
	s.open = append(s.open, element{s.name, mark})
	s.empty = empty
	return true
}
