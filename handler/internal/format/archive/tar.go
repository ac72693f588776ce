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
		if header.Typeflag != tar.TypeReg && header.Typeflag != tar.TypeGNUSparse {
			continue
		}
		if err := l.add(children.Child{Name: memberName(header.Name, false), Size: header.Size, Content: t}, 0); err != nil {
			return err
		}
	}
}
