package image

import (
	"context"
	"fmt"
	"io"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
)

// kind is one picture format: how it begins and how its header is read.
type kind struct {
	name       format.Name
	title      string
	mediaType  string
	extensions []string
	isKind     func(head []byte) bool
	read       func(r *reader) (facts, error)
}

// facts are what a header says.
type facts struct {
	width, height int // pixels, as stored
	orientation   int // EXIF, 1 to 8; 0 when unknown
	dpi           float64
	pages         int
	info          map[string]string
}

func kinds() []kind {
	begins := func(magic ...string) func([]byte) bool {
		return func(head []byte) bool {
			for _, m := range magic {
				if strings.HasPrefix(string(head), m) {
					return true
				}
			}
			return false
		}
	}
	return []kind{
		{"png", "PNG picture", "image/png", []string{".png"}, begins("\x89PNG\r\n\x1a\n"), readPNG},
		{"jpeg", "JPEG picture", "image/jpeg", []string{".jpg", ".jpeg", ".jpe"}, begins("\xff\xd8\xff"), readJPEG},
		{"tiff", "TIFF picture", "image/tiff", []string{".tif", ".tiff"}, begins("II*\x00", "MM\x00*", "II+\x00", "MM\x00+"), readTIFF},
		{"webp", "WebP picture", "image/webp", []string{".webp"}, func(h []byte) bool { return len(h) > 12 && string(h[:4]) == "RIFF" && string(h[8:12]) == "WEBP" }, readWebP},
		{"gif", "GIF picture", "image/gif", []string{".gif"}, begins("GIF87a", "GIF89a"), readGIF},
		{"bmp", "BMP picture", "image/bmp", []string{".bmp", ".dib"}, isBMP, readBMP},
		{"heic", "HEIC picture", "image/heic", []string{".heic", ".heif", ".avif"}, isHEIC, readHEIC},
	}
}

// Formats lists the pictures that are read.
func Formats() []format.Format {
	list := []format.Format{svg()}
	for _, k := range kinds() {
		list = append(list, format.Format{
			Name: k.name, Title: k.title, Extensions: k.extensions, MediaTypes: []string{k.mediaType}, Paged: "page",
			Description: "size, orientation, EXIF; a page to be recognized",
			Match: func(h *format.Head) int {
				if k.isKind(h.Bytes) {
					return 97
				}
				return 0
			},
			Parse: func(_ context.Context, in *format.Input) (*doc.Document, error) { return parse(in, k) },
		})
	}
	return list
}

// maxPicture is the largest file that is kept as a picture, in bytes.
const maxPicture = 256 << 20

func parse(in *format.Input, k kind) (*doc.Document, error) {
	r := &reader{r: in, size: in.Size}
	f, err := k.read(r)
	if err != nil {
		return nil, fault.New(fault.Corrupt, "The picture's header is damaged.", err)
	}
	if f.width <= 0 || f.height <= 0 || f.width > 1<<20 || f.height > 1<<20 {
		return nil, fault.Newf(fault.Corrupt, "The picture says it is %d by %d pixels, which cannot be.", f.width, f.height)
	}
	if in.Size > maxPicture || in.Limits.Memory > 0 && in.Size > in.Limits.Memory/4 {
		return nil, fault.Newf(fault.TooLarge, "The picture has %d bytes, more than fits into memory.", in.Size)
	}
	data, err := io.ReadAll(in.Reader())
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	img, err := in.Files.Image(data, k.mediaType, in.Name, "")
	if err != nil {
		return nil, err
	}
	return document(in, f, img)
}

// document is a page for each picture in the file.
func document(in *format.Input, f facts, img doc.Image) (*doc.Document, error) {
	width, height := f.width, f.height
	if f.orientation >= 5 { // lying on its side
		width, height = height, width
	}
	img.Width, img.Height = width, height
	dpi := f.dpi
	if dpi < 30 || dpi > 3000 {
		dpi = 96
	}
	pages := max(1, f.pages)
	if in.Limits.Pages > 0 && pages > in.Limits.Pages {
		return nil, fault.New(fault.TooManyPages, "", nil)
	}
	d := &doc.Document{Images: []doc.Image{img}}
	for n := 1; n <= pages; n++ {
		d.Pages = append(d.Pages, doc.Page{Number: n, Kind: "page", Width: float64(width) * 72 / dpi, Height: float64(height) * 72 / dpi, Scan: true})
		d.Warn("scanned_page", "The page is a picture; its text needs to be recognized.", doc.Place{Page: n})
	}
	place := doc.Place{Page: 1, Box: &doc.Box{X1: d.Pages[0].Width, Y1: d.Pages[0].Height}}
	d.Images[0].Places = []doc.Place{place}
	d.Blocks = []doc.Block{{Kind: doc.Figure, Image: img.ID, Places: []doc.Place{place}}}
	d.Metadata.Scanned = 1
	describe(&d.Metadata, f)
	return d, nil
}

func describe(m *doc.Metadata, f facts) {
	m.Other = map[string]string{"width": fmt.Sprint(f.width), "height": fmt.Sprint(f.height)}
	if f.orientation > 0 {
		m.Other["orientation"] = fmt.Sprint(f.orientation)
	}
	if f.dpi > 0 {
		m.Other["dpi"] = fmt.Sprintf("%.0f", f.dpi)
	}
	m.Sources = map[string]string{}
	for name, text := range f.info {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		switch name {
		case "created":
			m.Created, m.Sources["created"] = exifDate(text), "exif"
		case "title":
			m.Title, m.Sources["title"] = text, "exif"
		case "author":
			m.Authors, m.Sources["authors"] = []string{text}, "exif"
		case "software":
			m.Application, m.Sources["application"] = text, "exif"
		default:
			m.Other[name] = text
		}
	}
}

var exifTime = lazyregexp.New(`^(\d{4}):(\d\d):(\d\d)(?:[ T](\d\d:\d\d:\d\d))?`)

// exifDate makes "2010-05-04T11:22:33" of "2010:05:04 11:22:33"; EXIF has no zone.
func exifDate(text string) string {
	m := exifTime.FindStringSubmatch(text)
	switch {
	case m == nil:
		return text
	case m[4] == "":
		return m[1] + "-" + m[2] + "-" + m[3]
	}
	return m[1] + "-" + m[2] + "-" + m[3] + "T" + m[4]
}
