package jsonfmt

import (
	"context"
	"encoding/json"
	"strconv"
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
	values, read, err := decodeJSON(text)
	if err == nil {
		d.Blocks = datadoc.Blocks(ctx, values)
		title(d, values)
		return d, ctx.Err()
	}
	if lines, broken := decodeLines(text); len(lines) > len(broken) {
		d.Blocks = datadoc.Blocks(ctx, lines)
		return d, keepBroken(ctx, in, d, broken)
	}
	d.Warn("repaired", "The JSON is not valid ("+err.Error()+"); the file was kept as text from there on.")
	d.Blocks = datadoc.Blocks(ctx, values)
	if len(values) == 0 {
		d.Blocks, read = nil, 0
	}
	return d, textfile.Verbatim(ctx, in, d, text[read:], "json", 1+strings.Count(text[:read], "\n"))
}

// decodeJSON reads one value, or one after the other. Values before an error are given with it, and where the last of them ends.
func decodeJSON(text string) (list []datadoc.Value, read int, err error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	for decoder.More() {
		v, err := readValue(decoder, 0)
		if err != nil {
			return list, read, err
		}
		read = int(decoder.InputOffset())
		list = append(list, v)
	}
	return list, read, nil
}

// decodeLines reads a text that should have an object or a list in each line. Lines that are not valid are given as they are.
func decodeLines(text string) (list []datadoc.Value, broken []textfile.Line) {
	for line := range textfile.Lines(text) {
		if strings.TrimSpace(line.Text) == "" {
			continue
		}
		values, _, err := decodeJSON(line.Text)
		if err != nil || len(values) != 1 || values[0].IsScalar() {
			broken = append(broken, line)
			continue
		}
		list = append(list, values[0])
	}
	return list, broken
}

// keepBroken keeps the lines that are no JSON as text, after the values of the others.
func keepBroken(ctx context.Context, in *format.Input, d *doc.Document, broken []textfile.Line) error {
	for _, line := range broken {
		d.Warn("repaired", "A line is not valid JSON; it was kept as text.", doc.Place{Line: line.Number})
		if err := textfile.Verbatim(ctx, in, d, line.Text, "json", line.Number); err != nil {
			return err
		}
	}
	return nil
}

// title takes what a file's only object calls itself.
func title(d *doc.Document, values []datadoc.Value) {
	if len(values) != 1 {
		return
	}
	for i, name := range values[0].Names {
		if v := values[0].Items[i]; strings.EqualFold(name, "title") && v.Kind == datadoc.Scalar && len(v.Text) < maxTitle {
			d.Metadata.Title = v.Text
			d.Metadata.Sources = map[string]string{"title": name}
		}
	}
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
	for _, part := range yamlDocuments(text) {
		var node yaml.Node
		if err := yaml.Unmarshal([]byte(part.Text), &node); err != nil {
			d.Warn("repaired", "The YAML is not valid and was kept as text.", doc.Place{Line: part.Number})
			d.Blocks = append(d.Blocks, datadoc.Blocks(ctx, values)...)
			values = nil
			if err := textfile.Verbatim(ctx, in, d, part.Text, "yaml", part.Number); err != nil {
				return nil, err
			}
			continue
		}
		reader := yamlReader{budget: min(maxNodes, 10_000+20*len(text))}
		v, ok := reader.value(&node, 0)
		if !ok {
			return nil, fault.New(fault.LimitRatio, "The YAML refers to itself so often that it would unpack to far more than it is, and was not read.", nil)
		}
		if reader.flattened {
			d.Warn("nesting_flattened", "The YAML is nested more deeply than "+strconv.Itoa(maxDepth)+" levels; what lies deeper was kept as one list.", doc.Place{Line: part.Number})
		}
		values = append(values, v)
	}
	if len(values) > 0 {
		d.Blocks = append(d.Blocks, datadoc.Blocks(ctx, values)...)
		title(d, values)
	}
	return d, ctx.Err()
}
