// Package children saves documents found inside a document: mail attachments, archive members, embedded files.
//
// Add is the one way to do it: it keeps the level and member limits, follows Options.Attachments, and records in the parent
// what could not be taken out and why, so that one bad child never fails its parent.
package children

import (
	"context"
	"errors"
	"fmt"
	"io"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// Child is a document inside another.
type Child struct {
	Name      string // as its container calls it
	MediaType string
	Inline    bool
	Size      int64     // bytes, when known; for lists
	Content   io.Reader // nil when Fault is set
	Fault     error     // why it cannot be taken out
}

// Add records the child in d and saves its content. The error is nil unless the context ended: a child's own failure is part of the record.
func Add(ctx context.Context, in *format.Input, d *doc.Document, c Child) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	a := doc.Attachment{Name: c.Name, MediaType: c.MediaType, Bytes: c.Size, Inline: c.Inline}
	err := c.Fault
	switch {
	case err != nil:
	case in.Options.Attachments == "list":
		d.Warn("attachments_listed", "A document inside was listed, not converted.")
	case in.Limits.Level <= 0:
		err = fault.New(fault.LimitDepth, "", nil)
	default:
		a, err = save(in, c)
	}
	if err != nil {
		kind := fault.From(err)
		if kind.Kind == fault.Internal {
			kind = fault.New(fault.Corrupt, "The document inside could not be taken out.", err)
		}
		a.Name, a.File, a.Fault, a.Message = c.Name, "", string(kind.Kind), kind.Message
		d.Warn("attachment_failed", fmt.Sprintf("%s: %s", c.Name, kind.Message))
	}
	if a.Name != c.Name && c.Name != "" {
		d.Warn("name_cleaned", fmt.Sprintf("The name %q was changed to %q.", c.Name, a.Name))
	}
	d.Attachments = append(d.Attachments, a)
	return nil
}

func save(in *format.Input, c Child) (doc.Attachment, error) {
	a, err := in.Files.Attachment(c.Name, c.MediaType, c.Content)
	if err != nil {
		return doc.Attachment{Name: c.Name, MediaType: c.MediaType, Bytes: c.Size, Inline: c.Inline}, err
	}
	a.Inline = c.Inline
	return a, nil
}

// IsFull tells whether the parent may have no more children, so that a parser can stop reading members.
func IsFull(in *format.Input, d *doc.Document) bool {
	return in.Limits.Members > 0 && len(d.Attachments) >= in.Limits.Members
}

// IsLimit tells a failure that all further children would share.
func IsLimit(err error) bool {
	kind := fault.KindOf(err)
	return kind == fault.LimitDisk || kind == fault.TooLarge || errors.Is(err, context.Canceled)
}
