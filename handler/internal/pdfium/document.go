package pdfium

import (
	"errors"
	"fmt"
	"io"
)

// Errors of Engine.Open.
var (
	ErrFormat   = errors.New("pdfium: not a PDF, or damaged beyond repair")
	ErrPassword = errors.New("pdfium: a password is needed, or the one given is wrong")
	ErrSecurity = errors.New("pdfium: the kind of encryption is not supported")
)

// Document is an open PDF. Close must be called once, unless the Engine was restarted or closed.
type Document struct {
	e      *Engine
	handle uint64
	access uint32
	fonts  map[uint64]Font
	pages  int

	form      uint64 // see formFill
	formInfo  uint32
	formTried bool
}

// Open opens a document. The file is read in blocks while its pages are read.
// An Engine has one document open at a time.
func (e *Engine) Open(file io.ReaderAt, size int64, password string) (*Document, error) {
	if e.err != nil {
		return nil, e.err
	}
	if size <= 0 || size > 1<<31-1 {
		return nil, fmt.Errorf("%w: size %d", ErrFormat, size)
	}
	e.source = io.NewSectionReader(file, 0, size)
	access := uint32(e.call("FPDF_FILEACCESS_Create", uint64(size), 0))
	var secret uint32
	if password != "" {
		secret = e.put([]byte(password))
		defer e.free(secret)
	}
	handle := e.call("FPDF_LoadCustomDocument", uint64(access), uint64(secret))
	if e.err != nil {
		return nil, e.err
	}
	if uint32(handle) == 0 {
		code := uint32(e.call("FPDF_GetLastError"))
		e.free(access)
		return nil, openError(code)
	}
	d := &Document{e: e, handle: handle, access: access, fonts: map[uint64]Font{}}
	d.pages = max(0, int32Of(e.call("FPDF_GetPageCount", handle)))
	return d, e.err
}

// openError translates FPDF_GetLastError.
func openError(code uint32) error {
	switch code {
	case 4:
		return ErrPassword
	case 5:
		return ErrSecurity
	}
	return fmt.Errorf("%w (code %d)", ErrFormat, code)
}

// Close closes the document.
func (d *Document) Close() {
	d.closeForm()
	d.e.call("FPDF_CloseDocument", d.handle)
	d.e.free(d.access)
	d.e.source = nil
}

// Pages is how many pages the document says it has; a damaged page tree may lie.
func (d *Document) Pages() int { return d.pages }

// Meta is an entry of the document information: Title, Author, Subject, Keywords, Creator, Producer, CreationDate, ModDate.
func (d *Document) Meta(key string) string {
	tag := d.e.put([]byte(key))
	defer d.e.free(tag)
	return utf16Text(d.e.fetch(func(buffer, size uint64) uint64 {
		return d.e.call("FPDF_GetMetaText", d.handle, uint64(tag), buffer, size)
	}))
}

// Version is the file's version times ten: 17 for 1.7.
func (d *Document) Version() int {
	d.e.call("FPDF_GetFileVersion", d.handle, uint64(d.e.scratch))
	return int(int32(d.e.u32(d.e.scratch)))
}

// Tagged tells whether the document says it is tagged.
func (d *Document) Tagged() bool { return truth(d.e.call("FPDFCatalog_IsTagged", d.handle)) }

// Language is the document's declared language, or "".
func (d *Document) Language() string {
	return utf16Text(d.e.fetch(func(buffer, size uint64) uint64 {
		return d.e.call("FPDFCatalog_GetLanguage", d.handle, buffer, size)
	}))
}

// Encrypted tells whether the document is encrypted (also when an empty password opens it).
func (d *Document) Encrypted() bool {
	return int32Of(d.e.call("FPDF_GetSecurityHandlerRevision", d.handle)) >= 0
}

// SoundXref is false when the cross-reference table was damaged and had to be rebuilt.
func (d *Document) SoundXref() bool {
	return truth(d.e.call("FPDF_DocumentHasValidCrossReferenceTable", d.handle))
}

// Label is the printed number of a page (from 0): "iv", "A-5"; "" when the document has no labels.
func (d *Document) Label(page int) string {
	return utf16Text(d.e.fetch(func(buffer, size uint64) uint64 {
		return d.e.call("FPDF_GetPageLabel", d.handle, uint64(page), buffer, size)
	}))
}

// Bookmark is an entry of the outline.
type Bookmark struct {
	Title string
	Level int     // from 1
	Page  int     // from 0; -1 when it leads elsewhere
	Top   float64 // in user space, of the page it leads to; 0 when not given
}

// Outline lists the bookmarks in order, at most limit. Cycles end it.
func (d *Document) Outline(limit int) []Bookmark {
	var list []Bookmark
	seen := map[uint32]bool{}
	var walk func(parent uint64, level int)
	walk = func(parent uint64, level int) {
		next := d.e.call("FPDFBookmark_GetFirstChild", d.handle, parent)
		for uint32(next) != 0 && !seen[uint32(next)] && len(list) < limit && level < 64 && d.e.err == nil {
			seen[uint32(next)] = true
			list = append(list, d.bookmark(next, level))
			walk(next, level+1)
			next = d.e.call("FPDFBookmark_GetNextSibling", d.handle, next)
		}
	}
	walk(0, 1)
	return list
}

func (d *Document) bookmark(handle uint64, level int) Bookmark {
	b := Bookmark{Level: level, Page: -1}
	b.Title = utf16Text(d.e.fetch(func(buffer, size uint64) uint64 {
		return d.e.call("FPDFBookmark_GetTitle", handle, buffer, size)
	}))
	dest := d.e.call("FPDFBookmark_GetDest", d.handle, handle)
	if uint32(dest) == 0 {
		if action := d.e.call("FPDFBookmark_GetAction", handle); uint32(action) != 0 {
			dest = d.e.call("FPDFAction_GetDest", d.handle, action)
		}
	}
	if uint32(dest) != 0 {
		b.Page, b.Top = d.destination(dest)
	}
	return b
}

// destination gives the page (from 0, or -1) and the height a destination leads to.
func (d *Document) destination(dest uint64) (page int, top float64) {
	page = int32Of(d.e.call("FPDFDest_GetDestPageIndex", d.handle, dest))
	s := uint64(d.e.scratch)
	ok := d.e.call("FPDFDest_GetLocationInPage", dest, s, s+4, s+8, s+12, s+16, s+20)
	if truth(ok) && d.e.u32(d.e.scratch+4) != 0 {
		top = d.e.f32(d.e.scratch + 16)
	}
	return page, top
}

// Attachment is a file embedded in the document.
type Attachment struct {
	Name string
	Data []byte // nil when it is larger than the limit or cannot be read
	Size int64
}

// Attachments lists embedded files, at most count of them, with those up to limit bytes read.
func (d *Document) Attachments(count int, limit int64) []Attachment {
	n := min(max(0, int32Of(d.e.call("FPDFDoc_GetAttachmentCount", d.handle))), count)
	var list []Attachment
	for i := 0; i < n && d.e.err == nil; i++ {
		handle := d.e.call("FPDFDoc_GetAttachment", d.handle, uint64(i))
		if uint32(handle) != 0 {
			list = append(list, d.attachment(handle, limit))
		}
	}
	return list
}

func (d *Document) attachment(handle uint64, limit int64) Attachment {
	var a Attachment
	a.Name = utf16Text(d.e.fetch(func(buffer, size uint64) uint64 {
		return d.e.call("FPDFAttachment_GetName", handle, buffer, size)
	}))
	length := uint64(d.e.scratch)
	if !truth(d.e.call("FPDFAttachment_GetFile", handle, 0, 0, length)) {
		return a
	}
	a.Size = int64(d.e.u32(d.e.scratch))
	if a.Size > limit {
		return a
	}
	buffer := uint32(d.e.call("malloc", uint64(a.Size+1)))
	if buffer == 0 {
		return a
	}
	defer d.e.free(buffer)
	if truth(d.e.call("FPDFAttachment_GetFile", handle, uint64(buffer), uint64(a.Size), length)) {
		view, _ := d.e.memory.Read(buffer, uint32(a.Size))
		a.Data = append([]byte{}, view...)
	}
	return a
}
