package odf

import (
	"bytes"
	"io"
	"mime"
	"path"
	"strings"

	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/xmltree"
	"decant/handler/internal/zipfile"
)

// maxTree bounds the bytes of a part that is read as one tree (styles, meta, a formula).
const maxTree = 64 << 20

// Package is an open OpenDocument file. It is not safe for concurrent use.
type Package struct {
	zip   *zipfile.Archive // nil for a flat file
	in    *format.Input
	depth int
	types map[string]string // media types by part

	encrypted bool // it was opened with a password
}

// Open opens a zipped or flat file. An encrypted one is opened with Options.Password and is fault.Encrypted when that does not fit;
// what is neither is fault.Corrupt.
func Open(in *format.Input) (*Package, error) {
	p := &Package{in: in, depth: in.Limits.Depth, types: map[string]string{}}
	head := make([]byte, 4)
	n, _ := in.ReadAt(head, 0)
	if n == 0 {
		return nil, fault.New(fault.Empty, "", nil)
	}
	if !bytes.HasPrefix(head, []byte("PK")) {
		return p, nil
	}
	archive, err := zipfile.Open(in, in.Size, in.Limits.Unpack)
	if err != nil {
		return nil, err
	}
	p.zip = archive
	return p, p.readManifest()
}

// readManifest reads META-INF/manifest.xml (part 2, 4): media types, and which parts are encrypted.
func (p *Package) readManifest() error {
	root, err := p.Tree("META-INF/manifest.xml")
	if err != nil || root == nil {
		return nil // files without one are common enough
	}
	for _, entry := range root.All("manifest:file-entry") {
		p.types[entry.Attr("manifest:full-path")] = entry.Attr("manifest:media-type")
		p.encrypted = p.encrypted || entry.Child("manifest:encryption-data") != nil
	}
	if p.encrypted {
		p.zip, err = p.decrypt(root)
	}
	return err
}

// WasEncrypted tells whether the package was opened with a password.
func (p *Package) WasEncrypted() bool { return p.encrypted }

// IsFlat tells whether the document is one XML file rather than a package.
func (p *Package) IsFlat() bool { return p.zip == nil }

// Has tells whether there is a part of that name.
func (p *Package) Has(part string) bool { return p.zip != nil && p.zip.Has(part) }

// Names are the names of all parts.
func (p *Package) Names() []string {
	if p.zip == nil {
		return nil
	}
	return p.zip.Names()
}

// CutOff tells whether a package lost its end: parts are missing, and the last one may be incomplete.
func (p *Package) CutOff() bool { return p.zip != nil && p.zip.CutOff() }

// Notes are sentences about what was odd in the zip directory, for warnings of the class "repaired".
func (p *Package) Notes() []string {
	if p.zip == nil {
		return nil
	}
	return p.zip.Notes()
}

// Bytes gives a whole part of at most limit bytes; 0 means 256 MiB.
func (p *Package) Bytes(part string, limit int64) ([]byte, error) {
	if p.zip == nil {
		return nil, fault.Newf(fault.Corrupt, "The part %s is not in the file.", part)
	}
	return p.zip.ReadAll(part, limit)
}

// MediaType is what the manifest says about a part, or what its name says.
func (p *Package) MediaType(part string) string {
	if kind := p.types[part]; kind != "" {
		return kind
	}
	kind, _, _ := strings.Cut(mime.TypeByExtension(path.Ext(part)), ";")
	return kind
}

// Scanner is a part's XML as a stream. It must be closed.
type Scanner struct {
	*xmltree.Scanner
	member *zipfile.Member
}

// Scan opens a part's XML as a stream. In a flat file every part is the file itself.
func (p *Package) Scan(part string) (*Scanner, error) {
	if p.zip == nil {
		return &Scanner{xmltree.NewScanner(p.in.Reader(), p.options()), nil}, nil
	}
	member, err := p.zip.Open(part)
	if err != nil {
		return nil, err
	}
	return &Scanner{xmltree.NewScanner(member, p.options()), member}, nil
}

func (p *Package) options() xmltree.Options {
	return xmltree.Options{Namespaces: Namespaces, MaxDepth: p.depth, SkipAttr: func(name string) bool {
		return strings.HasPrefix(name, "officeooo:")
	}}
}

// Damage is what was repaired in the XML or missing in the packed data.
func (s *Scanner) Damage() xmltree.Damage {
	damage := s.Scanner.Damage()
	damage.Truncated = damage.Truncated || s.member != nil && s.member.Damaged()
	return damage
}

// Close ends the reading.
func (s *Scanner) Close() error {
	if s.member == nil {
		return nil
	}
	return s.member.Close()
}

// Tree reads a part's XML whole. The root is nil when there is no XML in it.
func (p *Package) Tree(part string) (*xmltree.Node, error) {
	if p.zip == nil {
		root, _, err := xmltree.Parse(p.in.Reader(), p.options())
		return root, err
	}
	member, err := p.zip.Open(part)
	if err != nil {
		return nil, err
	}
	defer member.Close()
	root, _, err := xmltree.Parse(io.LimitReader(member, maxTree), p.options())
	return root, err
}
