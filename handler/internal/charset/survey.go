package charset

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// What Survey looks at beside the start: pieces of the text that are not plain ASCII, up to so many bytes together.
const (
	surveyBlock = 64 << 10
	surveyed    = 1 << 20
)

// Survey finds the encoding of a text that is too large to be decoded whole. It reads all of it, once: text that is UTF-8 up to its
// last byte is UTF-8. The String of the result is empty; Reader decodes.
func Survey(r io.Reader) (Text, error) {
	block := make([]byte, surveyBlock)
	var odd []byte // what is not plain ASCII
	valid, carried := true, 0
	for first := true; ; first = false {
		n, err := io.ReadFull(r, block[carried:])
		n += carried
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return Text{}, err
		}
		if first {
			if t := evident(string(block[:n])); t.Name != "" {
				return t, nil
			}
		}
		whole := n
		if err == nil {
			whole = wholeRunes(block[:n])
		}
		if !isASCII(string(block[:whole])) {
			valid = valid && utf8.Valid(block[:whole])
			odd = append(odd, block[:min(whole, max(0, surveyed-len(odd)))]...)
		}
		carried = copy(block, block[whole:n])
		if err != nil {
			break
		}
	}
	if valid {
		return Text{Name: "utf-8", How: ByValidity}, nil
	}
	t := Decode(string(odd))
	t.String = ""
	return t, nil
}

// evident is the encoding that the start of a text shows by a byte order mark, zero bytes or escapes.
func evident(start string) Text {
	if name, _ := bom(start); name != "" {
		return Text{Name: name, How: ByBOM}
	}
	if name := zeroPattern(start); name != "" {
		return Text{Name: name, How: ByPattern}
	}
	if name := escapes(start, nil); name != "" {
		return Text{Name: name, How: ByPattern}
	}
	return Text{}
}

// wholeRunes is how much of a block does not end inside a UTF-8 sequence.
func wholeRunes(block []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(block); i++ {
		if c := block[len(block)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(block[len(block)-i:]) {
				return len(block) - i
			}
			break
		}
	}
	return len(block)
}

// Reader gives the text in r, which is in t's encoding, as UTF-8 without a byte order mark.
func (t Text) Reader(r io.Reader) (io.Reader, error) {
	if t.How == ByBOM {
		start := make([]byte, 4)
		n, err := io.ReadFull(r, start)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
		_, size := bom(string(start[:n]))
		r = io.MultiReader(bytes.NewReader(start[size:n]), r)
	}
	if other, mixed := strings.CutPrefix(t.Name, mixedName); mixed {
		if _, enc, ok := Lookup(other); ok {
			return newLineReader(r, enc), nil
		}
	}
	_, enc, ok := Lookup(t.Name)
	if !ok || t.Name == "utf-8" && t.How == ByValidity && t.Invalid == 0 {
		return r, nil
	}
	return transform.NewReader(r, enc.NewDecoder()), nil
}
