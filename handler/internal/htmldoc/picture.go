package htmldoc

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// picture adds an <img>: saved when its bytes are at hand, a reference otherwise.
func (f *flow) picture(n *html.Node, l look) {
	if isPixel(n) || hasClass(n, "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display") {
		return
	}
	alt := strings.Join(strings.Fields(attr(n, "alt")), " ")
	source := pictureSource(n)
	if source == "" && alt == "" {
		return
	}
	id := f.b.image(source, alt)
	if id == "" {
		if alt != "" {
			f.add(doc.Inline{Kind: doc.Text, Text: alt, Marks: l.marks, Link: l.link})
		}
		return
	}
	f.add(doc.Inline{Kind: doc.Picture, Image: id, Text: alt, Link: l.link})
}

// pictureSource is where the picture is, also when a script would load it later.
func pictureSource(n *html.Node) string {
	source := strings.TrimSpace(attr(n, "src"))
	for _, name := range []string{"data-src", "data-original", "data-lazy-src"} {
		if later := strings.TrimSpace(attr(n, name)); later != "" && (source == "" || strings.HasPrefix(source, "data:")) {
			return later
		}
	}
	if source == "" {
		source, _, _ = strings.Cut(strings.TrimSpace(attr(n, "srcset")), " ")
	}
	return source
}

// isPixel tells tracking pictures and spacers.
func isPixel(n *html.Node) bool {
	width, errW := strconv.Atoi(strings.TrimSuffix(attr(n, "width"), "px"))
	height, errH := strconv.Atoi(strings.TrimSuffix(attr(n, "height"), "px"))
	return errW == nil && errH == nil && (width <= 1 || height <= 1)
}

// image gives the id of the picture at source, after saving it where possible; "" when there is nothing to refer to.
func (b *builder) image(source, alt string) string {
	data, mediaType := b.bytesOf(source)
	if len(data) > 0 && b.o.Files != nil {
		return b.save(data, mediaType, source, alt)
	}
	if strings.HasPrefix(strings.ToLower(source), "data:") {
		b.skipped("A picture in the page could not be decoded.")
		return ""
	}
	address, ok := SafeLink(source)
	if !ok || address == "" {
		return ""
	}
	address = b.resolve(address)
	for _, known := range b.d.Images {
		if known.Source == address && known.File == "" {
			return known.ID
		}
	}
	id := "external-" + strconv.Itoa(len(b.d.Images)+1)
	b.d.Images = append(b.d.Images, doc.Image{ID: id, Source: address, Alt: alt})
	if b.quiet == 0 {
		b.d.Warn("external_reference", "A picture is not part of the document; its address was kept.")
	}
	return id
}

func (b *builder) save(data []byte, mediaType, source, alt string) string {
	if mediaType == "" || mediaType == "application/octet-stream" {
		mediaType = http.DetectContentType(data)
	}
	if strings.Contains(mediaType, "svg") && hasScript(data) {
		b.skipped("A drawing with a script was left out.")
		return ""
	}
	if strings.HasPrefix(source, "data:") {
		source = ""
	}
	img, err := b.o.Files.Image(data, mediaType, source, alt)
	if err != nil {
		b.skipped(fmt.Sprintf("A picture of %d bytes could not be kept.", len(data)))
		return ""
	}
	if b.d.Image(img.ID) == nil {
		b.d.Images = append(b.d.Images, img)
	}
	return img.ID
}

func (b *builder) skipped(message string) {
	b.d.Warn("image_skipped", message)
}

func hasScript(svg []byte) bool {
	lower := bytes.ToLower(svg)
	for _, sign := range []string{"<script", "javascript:", "onload=", "onclick=", "onerror=", "<foreignobject", "<!entity"} {
		if bytes.Contains(lower, []byte(sign)) {
			return true
		}
	}
	return false
}

// bytesOf gives a picture's bytes when they are in the page or in its package.
func (b *builder) bytesOf(source string) ([]byte, string) {
	if len(source) > 5 && strings.EqualFold(source[:5], "data:") {
		return dataURI(source)
	}
	if b.o.Resource != nil && source != "" {
		return b.o.Resource(source)
	}
	return nil, ""
}

// dataURI decodes "data:image/png;base64,..." (RFC 2397).
func dataURI(uri string) (data []byte, mediaType string) {
	head, body, ok := strings.Cut(uri[5:], ",")
	if !ok {
		return nil, ""
	}
	mediaType, _, _ = strings.Cut(head, ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	if !strings.HasPrefix(mediaType, "image/") && mediaType != "" && mediaType != "application/octet-stream" {
		return nil, ""
	}
	text, err := url.PathUnescape(body)
	if err != nil {
		text = body
	}
	if !strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), "base64") {
		return []byte(text), mediaType
	}
	text = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\n', '\r', '\t', '=':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text)
	data, err = base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, ""
	}
	return data, mediaType
}
