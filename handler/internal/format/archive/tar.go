package archive

import (
	"archive/tar"
	"bufio"
	"context"
	"errors"
	"io"

	"decant/handler/internal/children"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

func parseTar(ctx context.Context, in *format.Input) (*doc.Document, error) {
	l := newLister(ctx, in)
	return l.finish(l.tar(bufio.NewReaderSize(in.Reader(), 64<<10)))
}

// tar adds every regular file of a tar stream.
func (l *lister) tar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		header, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return fault.New(fault.Corrupt, "The archive is damaged or cut off.", err)
		}
		switch header.Typeflag {
		case tar.TypeReg, tar.TypeGNUSparse, tar.TypeCont:
		case tar.TypeSymlink, tar.TypeLink:
			l.link(memberName(header.Name, false), "link to "+memberName(header.Linkname, false))
			continue
		case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
			l.link(memberName(header.Name, false), "device")
			continue
		default: // folders and headers of tar itself
			continue
		}
		if err := l.add(children.Child{Name: memberName(header.Name, false), Size: header.Size, Content: t}, 0); err != nil {
			return err
		}
	}
}
