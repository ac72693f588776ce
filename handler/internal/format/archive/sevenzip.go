package archive

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/bodgit/sevenzip"

	"decant/handler/internal/children"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

func parseSevenZip(ctx context.Context, in *format.Input) (*doc.Document, error) {
	z, err := openSevenZip(in)
	if err != nil {
		return nil, sevenZipFault(err, "The archive is damaged.")
	}
	l := newLister(ctx, in)
	for _, f := range z.File {
		if f.FileInfo().IsDir() {
			continue
		}
		if err := l.addSevenZip(f); err != nil {
			return l.finish(err)
		}
	}
	return l.finish(nil)
}

func openSevenZip(in *format.Input) (z *sevenzip.Reader, err error) {
	defer recovered(&err)
	if in.Options.Password != "" {
		return sevenzip.NewReaderWithPassword(in, in.Size, in.Options.Password)
	}
	return sevenzip.NewReader(in, in.Size)
}

// addSevenZip adds a member. The stored size of one member is not known where members are packed together; the budget bounds all.
func (l *lister) addSevenZip(f *sevenzip.File) (err error) {
	defer recovered(&err)
	c := children.Child{Name: f.Name, Size: int64(f.UncompressedSize)}
	r, err := f.Open()
	if err != nil {
		c.Fault = sevenZipFault(err, "This member of the archive is damaged.")
		return l.add(c, 0)
	}
	defer r.Close()
	c.Content = faultReader{r}
	return l.add(c, l.in.Size)
}

// faultReader names what goes wrong while a member unpacks: a wrong or missing password shows only then.
type faultReader struct{ r io.Reader }

func (f faultReader) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	var readError *sevenzip.ReadError
	if errors.As(err, &readError) {
		err = sevenZipFault(err, "This member of the archive is damaged.")
	}
	return n, err
}

func sevenZipFault(err error, words string) error {
	var readError *sevenzip.ReadError
	if errors.As(err, &readError) && readError.Encrypted {
		return fault.New(fault.Encrypted, "The archive is encrypted. Give its password with --password, or unpack it yourself.", err)
	}
	return fault.New(fault.Corrupt, words, err)
}

// recovered turns a panic of the library on broken input into an error.
func recovered(err *error) {
	if p := recover(); p != nil {
		*err = fault.New(fault.Corrupt, "The archive is damaged.", fmt.Errorf("panic: %v", p))
	}
}
