package epub

import (
	"slices"
	"strings"

	"decant/handler/internal/doc"
)

// cover puts the cover first, when no chapter shows it: many books name it for the shelf only.
func (r *reader) cover() error {
	one, ok := r.book.cover()
	if !ok || !r.book.zip.Has(one.path) {
		return nil
	}
	for _, img := range r.doc.Images {
		if r.book.resolve(r.book.path, img.Source) == one.path || img.Source == one.path || strings.HasSuffix(one.path, "/"+strings.TrimLeft(img.Source, "./")) {
			return nil
		}
	}
	before := len(r.doc.Images)
	figure, err := r.figure(one, doc.Place{Part: one.path})
	if figure == nil || err != nil {
		return err
	}
	if len(r.doc.Images) == before { // the same picture under another name
		return nil
	}
	r.doc.Blocks = slices.Insert(r.doc.Blocks, 0, *figure)
	return nil
}

// cover is the picture that the package document names as the cover: by its properties (EPUB 3), or by a meta element (EPUB 2).
func (b *book) cover() (item, bool) {
	manifest := all(find(b.opf, "manifest"), "item")
	for _, n := range manifest {
		if one := b.items[n.Attr("id")]; strings.Contains(one.properties, " cover-image ") && one.isPicture() {
			return one, true
		}
	}
	for _, n := range all(find(b.opf, "metadata"), "meta") {
		if one, ok := b.items[n.Attr("content")]; ok && n.Attr("name") == "cover" && one.isPicture() {
			return one, true
		}
	}
	return item{}, false
}

func (i item) isPicture() bool { return strings.HasPrefix(i.mediaType, "image/") }
