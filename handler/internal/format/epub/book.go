package epub

import (
	"bytes"

	"net/url"
	"path"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/xmltree"
	"decant/handler/internal/zipfile"
)

// Limits of a book's own files.
const (
	maxPackage = 64 << 20  // bytes of the package document or the navigation
	maxChapter = 256 << 20 // bytes of one chapter
	maxImage   = 128 << 20 // bytes of one picture
)

var namespaces = map[string]string{
	"http://www.idpf.org/2007/opf":                     "opf",
	"http://openebook.org/namespaces/oeb-package/1.0/": "opf",
	"http://purl.org/dc/elements/1.1/":                 "dc",
	"http://purl.org/dc/elements/1.0/":                 "dc",
	"http://www.daisy.org/z3986/2005/ncx/":             "ncx",
	"urn:oasis:names:tc:opendocument:xmlns:container":  "container",
	"http://www.w3.org/2001/04/xmlenc#":                "enc",
}

// book is an open EPUB.
type book struct {
	zip   *zipfile.Archive
	path  string // of the package document
	opf   *xmltree.Node
	items map[string]item // manifest by id
	types map[string]string
	depth int
}

// item is one file of the manifest.
type item struct {
	id, path, mediaType, properties string
	beside                          bool // the spine has it, but not in the order of reading
}

func open(in *format.Input) (*book, error) {
	archive, err := zipfile.Open(in, in.Size, in.Limits.Unpack)
	if err != nil {
		return nil, err
	}
	b := &book{zip: archive, items: map[string]item{}, types: map[string]string{}, depth: in.Limits.Depth}
	if b.path = b.findPackage(); b.path == "" {
		return nil, fault.New(fault.Corrupt, "The file is no EPUB: it has no package document.", nil)
	}
	if b.opf, err = b.tree(b.path); err != nil {
		return nil, err
	}
	if b.opf == nil {
		return nil, fault.New(fault.Corrupt, "The book's package document is empty or no XML.", nil)
	}
	b.readManifest()
	return b, b.checkEncryption()
}

// findPackage is the package document that the container names, or else the first one that there is.
func (b *book) findPackage() string {
	if root, err := b.tree("META-INF/container.xml"); err == nil && root != nil {
		if file := find(root, "rootfile"); file != nil {
			if name, ok := b.zip.Find(file.Attr("full-path")); ok {
				return name
			}
		}
	}
	for _, name := range b.zip.Names() {
		if strings.HasSuffix(strings.ToLower(name), ".opf") {
			return name
		}
	}
	return ""
}

// tree reads a file's XML.
func (b *book) tree(name string) (*xmltree.Node, error) {
	data, err := b.zip.ReadAll(name, maxPackage)
	if err != nil {
		return nil, err
	}
	root, _, err := xmltree.Parse(bytes.NewReader(data), xmltree.Options{Namespaces: namespaces, MaxDepth: b.depth})
	return root, err
}

// local is a name without its prefix: old books use any namespace, or none.
func local(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// find is the first descendant of that local name, or nil.
func find(n *xmltree.Node, name string) *xmltree.Node {
	var found *xmltree.Node
	n.Walk(func(c *xmltree.Node) bool {
		if found == nil && local(c.Name) == name {
			found = c
		}
		return found == nil
	})
	return found
}

// all are the descendants of that local name.
func all(n *xmltree.Node, name string) []*xmltree.Node {
	var found []*xmltree.Node
	n.Walk(func(c *xmltree.Node) bool {
		if local(c.Name) == name {
			found = append(found, c)
		}
		return true
	})
	return found
}

func (b *book) readManifest() {
	for _, n := range all(find(b.opf, "manifest"), "item") {
		one := item{id: n.Attr("id"), path: b.resolve(b.path, n.Attr("href")), mediaType: n.Attr("media-type"), properties: " " + n.Attr("properties") + " "}
		b.items[one.id] = one
		b.types[one.path] = one.mediaType
	}
}

// resolve makes a reference in a file the name of a file in the book; percent escapes and ".." are undone.
func (b *book) resolve(from, href string) string {
	href, _, _ = strings.Cut(href, "#")
	if name := zipfile.Clean(path.Join(path.Dir(from), href)); b.zip.Has(name) {
		return name
	}
	if unescaped, err := url.PathUnescape(href); err == nil {
		href = unescaped
	}
	return zipfile.Clean(path.Join(path.Dir(from), href))
}

// checkEncryption tells whether the text is encrypted. Fonts may be obfuscated, which is no protection.
func (b *book) checkEncryption() error {
	root, err := b.tree("META-INF/encryption.xml")
	if err != nil || root == nil {
		return nil
	}
	for _, n := range all(root, "EncryptedData") {
		uri := find(n, "CipherReference").Attr("URI")
		kind := b.types[zipfile.Clean(uri)]
		if strings.Contains(kind, "html") || kind == "application/x-dtbncx+xml" {
			return fault.New(fault.Encrypted, "The book is protected (DRM) and cannot be read. Use a copy without protection.", nil)
		}
	}
	return nil
}

// spine lists the files in reading order; those that are not linear come last (EPUB 3.3, 5.7).
func (b *book) spine() []item {
	var linear, beside []item
	for _, n := range all(find(b.opf, "spine"), "itemref") {
		one, ok := b.items[n.Attr("idref")]
		if !ok {
			one = item{id: n.Attr("idref")}
		}
		if n.Attr("linear") == "no" {
			one.beside = true
			beside = append(beside, one)
		} else {
			linear = append(linear, one)
		}
	}
	if len(linear)+len(beside) > 0 {
		return append(linear, beside...)
	}
	for _, n := range all(find(b.opf, "manifest"), "item") { // no spine: the order of the manifest
		if one := b.items[n.Attr("id")]; strings.Contains(one.mediaType, "html") {
			linear = append(linear, one)
		}
	}
	return linear
}

// metadata reads the Dublin Core elements of the package document.
func (b *book) metadata(m *doc.Metadata) {
	meta := find(b.opf, "metadata")
	texts := func(name string) []string {
		var values []string
		for _, n := range all(meta, name) {
			if text := strings.Join(strings.Fields(n.AllText()), " "); text != "" && strings.HasPrefix(n.Name, "dc:") {
				values = append(values, text)
			}
		}
		return values
	}
	one := func(name string) string { return strings.Join(append(texts(name), "")[:1], "") }
	m.Title, m.Language, m.Publisher, m.Created = one("title"), one("language"), one("publisher"), one("date")
	m.Authors, m.Keywords = texts("creator"), texts("subject")
	if m.Language != "" {
		m.Confidence = 1
	}
	for _, n := range all(meta, "meta") {
		if n.Attr("property") == "dcterms:modified" {
			m.Modified = strings.TrimSpace(n.AllText())
		}
	}
	if text := one("description"); text != "" {
		m.Other = map[string]string{"description": text}
	}
	for _, n := range all(meta, "identifier") {
		if id, ok := identifier(strings.TrimSpace(n.AllText()), n.Attr("opf:scheme")+n.Attr("scheme")); ok {
			m.Identifiers = append(m.Identifiers, id)
		}
	}
	m.Sources = map[string]string{}
	for name, set := range map[string]bool{"title": m.Title != "", "authors": m.Authors != nil, "created": m.Created != "", "modified": m.Modified != "",
		"keywords": m.Keywords != nil, "language": m.Language != "", "publisher": m.Publisher != "", "identifiers": m.Identifiers != nil} {
		if set {
			m.Sources[name] = path.Base(b.path)
		}
	}
}

// identifier names the scheme of a book's identifier: urn:isbn:..., a scheme attribute, or what it looks like.
func identifier(value, scheme string) (doc.Identifier, bool) {
	lower := strings.ToLower(value)
	for _, known := range []string{"isbn", "uuid", "doi", "issn"} {
		for _, prefix := range []string{"urn:" + known + ":", known + ":"} {
			if strings.HasPrefix(lower, prefix) {
				return doc.Identifier{Scheme: known, Value: value[len(prefix):], Source: "package document"}, true
			}
		}
		if strings.EqualFold(scheme, known) {
			return doc.Identifier{Scheme: known, Value: value, Source: "package document"}, true
		}
	}
	return doc.Identifier{}, false
}

// read gives a file's bytes.
func (b *book) read(name string, limit int64) ([]byte, error) { return b.zip.ReadAll(name, limit) }
