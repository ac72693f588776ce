package convert

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/job"
)

// files writes result files below the result folder and keeps the output and disk limits. It is the parsers' format.Files.
type files struct {
	dir     string
	options job.Options
	limits  job.Limits
	output  atomic.Int64 // bytes of results so far
	disk    int64        // bytes of attachments so far
	written []job.File
	images  map[[sha256.Size]byte]doc.Image
	members int
}

func newFiles(dir string, limits job.Limits, options job.Options) *files {
	return &files{dir: dir, limits: limits, options: options, images: map[[sha256.Size]byte]doc.Image{}}
}

// Image saves a picture once and gives it its id.
func (f *files) Image(data []byte, mediaType, source, alt string) (doc.Image, error) {
	sum := sha256.Sum256(data)
	if known, ok := f.images[sum]; ok {
		return known, nil
	}
	id := fmt.Sprintf("image-%d", len(f.images)+1)
	img := doc.Image{ID: id, MediaType: mediaType, Bytes: int64(len(data)), SHA256: hex.EncodeToString(sum[:]), Source: source, Alt: alt}
	if f.options.Images != "none" {
		img.File = path.Join(job.ImagesDir, id+imageExtension(mediaType, source))
		err := f.write(img.File, mediaType, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		})
		if err != nil {
			return doc.Image{}, err
		}
	}
	f.images[sum] = img
	return img, nil
}

var imageExtensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/tiff": ".tiff", "image/bmp": ".bmp",
	"image/svg+xml": ".svg", "image/x-emf": ".emf", "image/emf": ".emf", "image/x-wmf": ".wmf", "image/wmf": ".wmf", "image/jp2": ".jp2", "image/jpx": ".jp2", "image/heic": ".heic",
}

func imageExtension(mediaType, source string) string {
	if ext, ok := imageExtensions[mediaType]; ok {
		return ext
	}
	if ext := strings.ToLower(path.Ext(source)); len(ext) > 1 && len(ext) <= 6 && strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") == "" {
		return ext
	}
	return ".bin"
}

// Attachment saves a file found inside the document, for conversion as a document of its own.
func (f *files) Attachment(name, mediaType string, content io.Reader) (doc.Attachment, error) {
	if f.members >= f.limits.Members {
		return doc.Attachment{}, fault.Newf(fault.TooLarge, "The document has more than %d documents inside. Raise DECANT_MAX_MEMBERS to read them all.", f.limits.Members)
	}
	f.members++
	a := doc.Attachment{Name: cleanName(name), MediaType: mediaType}
	a.File = fmt.Sprintf("%s/%d%s", job.AttachDir, f.members, safeExtension(a.Name))
	target := filepath.Join(f.dir, filepath.FromSlash(a.File))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return doc.Attachment{}, fmt.Errorf("make the attachments folder: %w", err)
	}
	out, err := os.Create(target)
	if err != nil {
		return doc.Attachment{}, fmt.Errorf("create %s: %w", a.File, err)
	}
	defer out.Close()
	room := f.limits.Disk - f.disk
	h := sha256.New()
	a.Bytes, err = io.Copy(io.MultiWriter(out, h), io.LimitReader(content, room+1))
	f.disk += a.Bytes
	switch {
	case err != nil:
		os.Remove(target)
		return doc.Attachment{}, fmt.Errorf("take out %q: %w", a.Name, err)
	case a.Bytes > room:
		os.Remove(target)
		return doc.Attachment{}, fault.Newf(fault.LimitDisk, "The documents inside are larger together than the limit of %d bytes. Raise DECANT_MAX_DISK to read them all.", f.limits.Disk)
	}
	f.written = append(f.written, job.File{Path: a.File, Bytes: a.Bytes, SHA256: hex.EncodeToString(h.Sum(nil)), MediaType: mediaTypeOf(a.File, mediaType)})
	return a, out.Close()
}

func mediaTypeOf(name, declared string) string {
	if declared != "" {
		return declared
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

// cleanName makes a member's name relative, with slashes and without "..", so that it names something below and nothing else.
func cleanName(name string) string {
	clean := path.Clean("/" + strings.ReplaceAll(name, `\`, "/"))[1:]
	clean = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return '_'
		}
		return r
	}, clean)
	if clean == "" {
		return "unnamed"
	}
	return clean
}

func safeExtension(name string) string {
	ext := strings.ToLower(path.Ext(name))
	if len(ext) < 2 || len(ext) > 12 || strings.Trim(ext[1:], "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return ext
}

// write makes one result file, hashes it, and keeps the output limit.
func (f *files) write(name, mediaType string, fill func(io.Writer) error) error {
	file, err := f.create(name, mediaType)
	if err != nil {
		return err
	}
	defer file.discard()
	if err := fill(file.to); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return file.close()
}

// file is a result file that is being written.
type file struct {
	name, mediaType string
	files           *files
	out             *os.File
	meter           *meter
	to              *bufio.Writer
}

func (f *files) create(name, mediaType string) (*file, error) {
	target := filepath.Join(f.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of %s: %w", name, err)
	}
	out, err := os.Create(target)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	m := &meter{w: out, used: &f.output, limit: f.limits.Output, hash: sha256.New()}
	return &file{name: name, mediaType: mediaType, files: f, out: out, meter: m, to: bufio.NewWriterSize(m, 64<<10)}, nil
}

// close finishes the file and lists it among the results.
func (f *file) close() error {
	if err := f.to.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", f.name, err)
	}
	if err := f.out.Close(); err != nil {
		return fmt.Errorf("write %s: %w", f.name, err)
	}
	f.files.written = append(f.files.written, job.File{
		Path: f.name, Bytes: f.meter.bytes, SHA256: hex.EncodeToString(f.meter.hash.Sum(nil)), MediaType: mediaTypeOf(f.name, f.mediaType),
	})
	return nil
}

// discard closes the file if nobody has; a result that was not finished is not listed.
func (f *file) discard() { _ = f.out.Close() }
