package jsonfmt

import (
	"encoding/json"
	"errors"
	"fmt"

	"decant/handler/internal/datadoc"
)

// Limits of data: deeper or larger is kept as text.
const (
	maxDepth = 500
	maxYAML  = 16 << 20  // bytes
	maxTitle = 300       // bytes
	maxNodes = 2_000_000 // of a YAML document with its aliases followed; at most twenty for each byte
)

// readValue reads one JSON value token by token, so that the order of names is kept.
func readValue(d *json.Decoder, depth int) (datadoc.Value, error) {
	token, err := d.Token()
	if err != nil {
		return datadoc.Value{}, err
	}
	if depth > maxDepth {
		return datadoc.Value{}, errors.New("nested too deeply")
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return fromToken(token), nil
	}
	v := datadoc.Value{Kind: datadoc.Object}
	if delim == '[' {
		v.Kind = datadoc.List
	}
	for d.More() {
		if v.Kind == datadoc.Object {
			name, err := d.Token()
			if err != nil {
				return v, err
			}
			v.Names = append(v.Names, fmt.Sprint(name))
		}
		item, err := readValue(d, depth+1)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
	}
	_, err = d.Token()
	return v, err
}

func fromToken(token json.Token) datadoc.Value {
	switch t := token.(type) {
	case nil:
		return datadoc.Value{Kind: datadoc.Null}
	case string:
		return datadoc.Value{Text: t}
	}
	return datadoc.Value{Text: fmt.Sprint(token)}
}
