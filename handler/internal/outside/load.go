package outside

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// maxSettings is the largest file of settings, in bytes.
const maxSettings = 1 << 20

// settings is the file that DECANT_CONVERTERS names.
type settings struct {
	Converters []Converter `json:"converters"`
}

// Load reads the converters of a file of settings, and puts the built-in ones behind them that it does not name. An empty path
// gives the built-in ones. known are the formats by name, with true for those that decant reads itself. The error names everything
// that is wrong.
func Load(path string, known map[string]bool) ([]Converter, error) {
	var own []Converter
	if path != "" {
		var err error
		if own, err = read(path); err != nil {
			return nil, fmt.Errorf("converters %s: %w", path, err)
		}
	}
	var list []Converter
	var problems []error
	for i, c := range own {
		c = c.withDefaults()
		if slices.ContainsFunc(own[:i], func(o Converter) bool { return o.Name == c.Name }) {
			problems = append(problems, fmt.Errorf("converter %q is there twice", c.Name))
		}
		problems = append(problems, c.check(known))
		list = append(list, c)
	}
	for _, c := range BuiltIn() {
		if !slices.ContainsFunc(own, func(o Converter) bool { return o.Name == c.Name }) {
			list = append(list, c.withDefaults())
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, fmt.Errorf("converters %s:\n%w", path, err)
	}
	return slices.DeleteFunc(list, func(c Converter) bool { return c.Disabled }), nil
}

func read(path string) ([]Converter, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSettings))
	if err != nil {
		return nil, err
	}
	var s settings
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(&s)
	if err == nil && d.Decode(&struct{}{}) != io.EOF {
		err = errors.New("there is something behind the object")
	}
	if err != nil {
		return nil, fmt.Errorf(`it must hold one JSON object, {"converters": [...]}, as in docs/outside-converters.md: %w`, err)
	}
	return s.Converters, nil
}
