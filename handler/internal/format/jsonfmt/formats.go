package jsonfmt

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

	"decant/handler/internal/charset"
	"decant/handler/internal/datadoc"
	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/textfile"
)

// JSON describes JSON and NDJSON.
func JSON() format.Format {
	return format.Format{
		Name: "json", Title: "JSON data",
		Extensions: []string{".json", ".ndjson", ".jsonl", ".geojson", ".json5"}, MediaTypes: []string{"application/json", "application/x-ndjson"},
		Description: "objects as named values, lists of records as tables, one value a line (NDJSON) too",
		Match:       matchJSON,
		Parse:       parseJSON,
	}
}

// YAML describes YAML.
func YAML() format.Format {
	return format.Format{
		Name: "yaml", Title: "YAML data",
		Extensions: []string{".yaml", ".yml"}, MediaTypes: []string{"application/yaml"},
		Description: "as JSON; several documents in one file",
		Match: func(h *format.Head) int {
			switch {
			case h.Text == "":
				return 0
			case h.HasExtension(".yaml", ".yml"):
				return format.Plausible + 3
			case strings.HasPrefix(h.Text, "%YAML "), strings.HasPrefix(h.Text, "---\n") && yamlLine.MatchString(h.Text[4:]) && !strings.Contains(h.Text[4:], "\n---\n"):
				return 20
			}
			return 0
		},
		Parse: parseYAML,
	}
}

var yamlLine = lazyregexp.New(`^[\w.-]+:(?: |\n)`)

// jsonStart is how an object or a list begins.
var jsonStart = lazyregexp.New(`^\s*(?:\{\s*(?:"[^"\n]*"\s*:|\})|\[\s*(?:[\[{"\d\-\]]|true|false|null))`)

func matchJSON(h *format.Head) int {
	text := h.Text
	if text == "" && charset.IsText(h.Bytes) {
		text = charset.Decode(string(h.Bytes)).String
	}
	switch {
	case !jsonStart.MatchString(text):
		if h.HasExtension(".json", ".ndjson", ".jsonl", ".geojson") && text != "" {
			return format.Plausible
		}
		return 0
	case h.HasExtension(".json", ".ndjson", ".jsonl", ".geojson"):
		return 85
	case int64(len(h.Bytes)) == h.Size && json.Valid([]byte(text)):
		return 80
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		return 40
	}
	return 20
}

func parseJSON(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	if textfile.IsLarge(in, len(text)) {
		return d, textfile.Lean(ctx, in, d, text, "json")
	}
	values, err := decodeJSON(text)
	if err != nil {
		d.Warn("repaired", "The JSON is not valid ("+err.Error()+"); the file was kept as text from there on.")
	}
	if err != nil && len(values) == 0 {
		return d, textfile.Lean(ctx, in, d, text, "json")
	}
	d.Blocks = datadoc.Blocks(ctx, values)
	return d, ctx.Err()
}

// decodeJSON reads one value, or one a line. Values before an error are given with it.
func decodeJSON(text string) ([]datadoc.Value, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var list []datadoc.Value
	for decoder.More() {
		v, err := readValue(decoder, 0)
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

func parseYAML(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	if textfile.IsLarge(in, len(text)) || len(text) > maxYAML {
		return d, textfile.Lean(ctx, in, d, text, "yaml")
	}
	var values []datadoc.Value
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		var node yaml.Node
		if err := decoder.Decode(&node); err != nil {
			if err.Error() != "EOF" {
				d.Warn("repaired", "The YAML is not valid and was kept as text.")
				return d, textfile.Lean(ctx, in, d, text, "yaml")
			}
			break
		}
		budget := min(maxNodes, 10_000+20*len(text))
		v, ok := fromYAML(&node, 0, &budget)
		if !ok {
			return nil, fault.New(fault.LimitRatio, "The YAML refers to itself so often that it would unpack to far more than it is, and was not read.", nil)
		}
		values = append(values, v)
	}
	d.Blocks = datadoc.Blocks(ctx, values)
	return d, ctx.Err()
}
