package archive

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"sort"
	"strings"

	"decant/handler/internal/children"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/zipfile"
)

// maxDirectory is how many entries of a zip directory are looked at.
const maxDirectory = 200_000

func parseZip(ctx context.Context, in *format.Input) (*doc.Document, error) {
	z, err := zip.NewReader(in, in.Size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return rescueZip(ctx, in)
	}
	registerMethods(z)
	l := newLister(ctx, in)
	overlaps := overlapping(z.File)
	for _, f := range z.File[:min(len(z.File), maxDirectory)] {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if f.Mode()&fs.ModeSymlink != 0 && f.UncompressedSize64 < maxLink {
			l.link(memberName(f.Name, !f.NonUTF8), "link to "+linkTarget(f))
			continue
		}
		if err := l.add(zipChild(f, overlaps[f]), int64(f.CompressedSize64)); err != nil {
			return l.finish(err)
		}
	}
	if z.Comment != "" {
		defer func() { setComment(l.d, memberName(z.Comment, false)) }()
	}
	return l.finish(nil)
}

func setComment(d *doc.Document, comment string) {
	if d.Metadata.Other == nil {
		d.Metadata.Other = map[string]string{}
	}
	d.Metadata.Other["comment"] = comment
}

// zipChild opens a member. archive/zip neither minds an encrypted member nor one that shares its bytes with another: this does.
func zipChild(f *zip.File, overlaps bool) children.Child {
	c := children.Child{Name: memberName(f.Name, !f.NonUTF8), Size: int64(f.UncompressedSize64)}
	switch {
	case f.Flags&1 != 0:
		c.Fault = fault.New(fault.Encrypted, "This member of the archive is encrypted. Unpack it with its password, and upload it by itself.", nil)
	case overlaps:
		c.Fault = fault.New(fault.LimitRatio, "Members of the archive overlap, as in a zip bomb, and were not unpacked.", nil)
	default:
		r, err := openMember(f)
		if errors.Is(err, zip.ErrAlgorithm) {
			c.Fault = fault.Newf(fault.Unsupported, "This member of the archive is packed by a method that is not read (%s). Pack it again with the usual method, Deflate.", methodName(f.Method))
			break
		}
		if err != nil {
			c.Fault = fault.New(fault.Corrupt, "This member of the archive cannot be unpacked: it is damaged.", err)
			break
		}
		c.Content = r
	}
	return c
}

// overlapping finds members that share bytes (golang/go#33026).
func overlapping(files []*zip.File) map[*zip.File]bool {
	type span struct {
		f          *zip.File
		start, end int64
	}
	var spans []span
	for _, f := range files {
		if start, err := f.DataOffset(); err == nil && f.CompressedSize64 > 0 {
			spans = append(spans, span{f, start, start + int64(f.CompressedSize64)})
		}
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	found := map[*zip.File]bool{}
	for i := 1; i < len(spans); i++ {
		if spans[i].start < spans[i-1].end {
			found[spans[i].f], found[spans[i-1].f] = true, true
		}
	}
	return found
}

// maxLink is the longest target of a link, in bytes.
const maxLink = 4096

func linkTarget(f *zip.File) string {
	r, err := openMember(f)
	if err != nil {
		return "?"
	}
	defer r.Close()
	target, _ := io.ReadAll(io.LimitReader(r, maxLink)) // what can be read of it
	return memberName(string(target), false)
}

// rescueZip reads an archive that was cut off, and has no directory, from the headers of its members.
func rescueZip(ctx context.Context, in *format.Input) (*doc.Document, error) {
	z, err := zipfile.Open(in, in.Size, in.Limits.Unpack)
	if err != nil {
		return nil, fault.New(fault.Corrupt, "The archive's directory is missing or damaged, so its members cannot be found. Pack it again, or upload it again.", err)
	}
	l := newLister(ctx, in)
	l.d.Warn("truncated", "The archive ends early: its directory is missing. The members that are there were read.")
	for _, name := range z.Names() {
		c := children.Child{Name: memberName(name, false)}
		m, err := z.Open(name)
		if err != nil {
			c.Fault = err
		} else {
			c.Content = cutMember{m}
		}
		if err := l.add(c, 0); err != nil {
			return l.finish(err)
		}
	}
	return l.finish(nil)
}

// cutMember says that a member ended early where zipfile.Member just ends.
type cutMember struct{ *zipfile.Member }

func (c cutMember) Read(p []byte) (int, error) {
	n, err := c.Member.Read(p)
	if errors.Is(err, io.EOF) && c.Damaged() {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
