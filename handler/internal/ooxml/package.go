package ooxml

import (
	"io"
	"path"
	"strings"

	"decant/handler/internal/cfb"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/xmltree"
	"decant/handler/internal/zipfile"
)

// maxTree bounds the bytes of a part that is read as one tree (styles, numbering, a chart): far above honest ones.
const maxTree = 64 << 20

// Package is an open Office package. It is not safe for concurrent use.
type Package struct {
	zip       *zipfile.Archive
	depth     int
	encrypted bool // it was opened with a password
	types     contentTypes
	rels      map[string]Relationships // by source part, read once
}

// Open opens a package. A password-protected file is opened with Options.Password and is fault.Encrypted when that does not fit; an old binary
// Office file is fault.Unsupported, anything else that is no package fault.Corrupt.
func Open(in *format.Input) (*Package, error) {
	head := make([]byte, 8)
	if n, err := in.ReadAt(head, 0); n < len(head) && err != nil && in.Size == 0 {
		return nil, fault.New(fault.Empty, "", nil)
	}
	source, size, encrypted := io.ReaderAt(in), in.Size, false
	if string(head) == cfb.Magic {
		var err error
		if source, size, err = openProtected(in, in.Size, in.Options.Password); err != nil {
			return nil, err
		}
		encrypted = true
	}
	archive, err := zipfile.Open(source, size, in.Limits.Unpack)
	if err != nil {
		return nil, err
	}
	p := &Package{zip: archive, depth: in.Limits.Depth, encrypted: encrypted, rels: map[string]Relationships{}}
	p.types = p.readContentTypes()
	return p, nil
}

// Names are the names of all parts.
func (p *Package) Names() []string { return p.zip.Names() }

// CutOff tells whether the file lost its end: parts are missing, and the last one may be incomplete.
func (p *Package) CutOff() bool { return p.zip.CutOff() }

// Notes are sentences about what was odd in the zip directory, for warnings of the class "repaired".
func (p *Package) Notes() []string { return p.zip.Notes() }

// Has tells whether there is a part of that name; case does not matter.
func (p *Package) Has(part string) bool { return p.zip.Has(part) }

// Size is how many bytes a part says it unpacks to.
func (p *Package) Size(part string) int64 { return p.zip.Size(part) }

// Part opens a part for reading, within the package's byte budget. It must be closed.
// The error is fs.ErrNotExist when there is no such part.
func (p *Package) Part(part string) (io.ReadCloser, error) {
	member, err := p.zip.Open(part)
	if err != nil {
		return nil, err
	}
	return member, nil
}

// Bytes gives a whole part of at most limit bytes; 0 means 256 MiB.
func (p *Package) Bytes(part string, limit int64) ([]byte, error) { return p.zip.ReadAll(part, limit) }

// Scanner is a part's XML as a stream. It must be closed.
type Scanner struct {
	*xmltree.Scanner
	member *zipfile.Member
}

// Scan opens a part's XML as a stream.
func (p *Package) Scan(part string) (*Scanner, error) {
	member, err := p.zip.Open(part)
	if err != nil {
		return nil, err
	}
	return &Scanner{xmltree.NewScanner(member, p.options()), member}, nil
}

func (p *Package) options() xmltree.Options {
	return xmltree.Options{Namespaces: Namespaces, MaxDepth: p.depth, SkipAttr: noise, PrefixAttr: "Requires"}
}

// Damage is what was repaired in the XML or missing in the packed data.
func (s *Scanner) Damage() xmltree.Damage {
	damage := s.Scanner.Damage()
	damage.Truncated = damage.Truncated || s.member.Damaged()
	return damage
}

// Close ends the reading.
func (s *Scanner) Close() error { return s.member.Close() }

// Tree reads a part's XML whole. The root is nil when there is no XML in it. Use it for parts that are small in honest files.
func (p *Package) Tree(part string) (*xmltree.Node, error) {
	member, err := p.zip.Open(part)
	if err != nil {
		return nil, err
	}
	defer member.Close()
	root, _, err := xmltree.Parse(io.LimitReader(member, maxTree), p.options())
	return root, err
}

// Main is the name of the part that the package is about, by its relationships, its content types, or the usual names; "" when there is none.
func (p *Package) Main() string {
	for _, rel := range p.Rels("") {
		if rel.Type == "officeDocument" && p.Has(rel.Target) {
			return rel.Target
		}
	}
	for _, usual := range []string{"word/document.xml", "ppt/presentation.xml", "xl/workbook.xml"} {
		if p.Has(usual) {
			return usual
		}
	}
	for _, name := range p.Names() {
		if kind := p.ContentType(name); strings.HasSuffix(kind, ".main+xml") {
			return name
		}
	}
	return ""
}

// resolve makes a relationship's target a part name. An absolute target counts from the root.
func resolve(source, target string) string {
	if strings.HasPrefix(target, "/") {
		return zipfile.Clean(target)
	}
	return zipfile.Clean(path.Join(path.Dir(source), target))
}
