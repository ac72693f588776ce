package textfile

import (
	"fmt"

	"decant/handler/internal/charset"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
)

// Read reads the whole document as UTF-8. Declared encodings, as a header or a tag names them, are tried in order.
// What had to be guessed or replaced becomes a warning of d.
func Read(in *format.Input, d *doc.Document, declared ...string) (string, error) {
	raw, err := ReadRaw(in)
	if err != nil {
		return "", err
	}
	return Decode(raw, d, declared...), nil
}

// wholeShare is the part of the memory that a text may take: reading, decoding and writing it needs up to four times its size.
const wholeShare = 4

// ReadRaw reads the whole document once. One that is larger than a quarter of the memory is refused with a fault that says so.
func ReadRaw(in *format.Input) (string, error) {
	if in.Limits.Memory > 0 && in.Size > in.Limits.Memory/wholeShare {
		return "", tooLarge(in)
	}
	raw, err := charset.ReadAll(in.Reader(), in.Size)
	if err != nil {
		return "", fmt.Errorf("read the text: %w", err)
	}
	return raw, nil
}

// Decode turns raw into UTF-8 and says in d what it had to guess or replace. UTF-8 is not copied.
func Decode(raw string, d *doc.Document, declared ...string) string {
	text := charset.Decode(raw, declared...)
	Warn(d, text)
	return text.String
}

// Warn says what decoding had to guess or replace.
func Warn(d *doc.Document, text charset.Text, places ...doc.Place) {
	if text.Guessed() {
		d.Warn("charset_guessed", "The text was read as "+text.Name+".", places...)
	}
	if text.Invalid > 0 {
		d.Warn("invalid_characters", fmt.Sprintf("%d sequences are not text in %s.", text.Invalid, text.Name), places...)
	}
}

func tooLarge(in *format.Input) error {
	return fault.Newf(fault.TooLarge,
		"The text has %d bytes, more than fits into the memory limit of %d bytes. Split it, or raise the limit (--memory, DECANT_MEMORY).",
		in.Size, in.Limits.Memory)
}
