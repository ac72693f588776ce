package ipynb

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/fault"
	"decant/handler/internal/format"
	"decant/handler/internal/htmldoc"
	"decant/handler/internal/lazyregexp"
	"decant/handler/internal/mdtext"
	"decant/handler/internal/textfile"
)

// Format describes notebooks.
func Format() format.Format {
	return format.Format{
		Name: "ipynb", Title: "Jupyter notebook", Extensions: []string{".ipynb"}, MediaTypes: []string{"application/x-ipynb+json"},
		Description: "text, code in the kernel's language, outputs, pictures, errors",
		Match: func(h *format.Head) int {
			text := strings.TrimSpace(h.Text)
			if strings.HasPrefix(text, "{") && (strings.Contains(text, `"cells"`) || strings.Contains(text, `"worksheets"`)) &&
				(strings.Contains(text, `"nbformat"`) || strings.Contains(string(h.Tail), `"nbformat"`)) {
				return 96
			}
			return 0
		},
		Parse: parse,
	}
}

// lines is text that notebooks store as one string or as a list of lines.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var list []string
	if err := json.Unmarshal(data, &list); err == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	var one string
	if err := json.Unmarshal(data, &one); err != nil {
		*l = lines(data) // a JSON value, as application/json outputs have it
		return nil
	}
	*l = lines(one)
	return nil
}

type notebook struct {
	Metadata struct {
		Kernel struct {
			Name, Language string
		} `json:"kernelspec"`
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
		Title   string `json:"title"`
		Authors []struct {
			Name string `json:"name"`
		} `json:"authors"`
	} `json:"metadata"`
	Cells      []cell `json:"cells"`
	Worksheets []struct {
		Cells []cell `json:"cells"`
	} `json:"worksheets"` // nbformat 3
}

type cell struct {
	Type        string                      `json:"cell_type"`
	Source      lines                       `json:"source"`
	Input       lines                       `json:"input"` // nbformat 3
	Level       int                         `json:"level"` // of heading cells, nbformat 3
	Language    string                      `json:"language"`
	Outputs     []output                    `json:"outputs"`
	Attachments map[string]map[string]lines `json:"attachments"`
}

type output struct {
	Type  string           `json:"output_type"`
	Text  lines            `json:"text"`
	Data  map[string]lines `json:"data"`
	PNG   lines            `json:"png"` // nbformat 3 has the forms side by side
	JPEG  lines            `json:"jpeg"`
	SVG   lines            `json:"svg"`
	HTML  lines            `json:"html"`
	LaTeX lines            `json:"latex"`
	Name  string           `json:"ename"`
	Value string           `json:"evalue"`
	Trace []string         `json:"traceback"`
}

func parse(ctx context.Context, in *format.Input) (*doc.Document, error) {
	d := &doc.Document{}
	text, err := textfile.Read(in, d)
	if err != nil {
		return nil, err
	}
	var n notebook
	if err := json.Unmarshal([]byte(text), &n); err != nil {
		return nil, fault.New(fault.Corrupt, "The notebook is not valid JSON. Open and save it again in Jupyter.", err)
	}
	for _, sheet := range n.Worksheets {
		n.Cells = append(n.Cells, sheet.Cells...)
	}
	d.Metadata.Title = n.Metadata.Title
	for _, a := range n.Metadata.Authors {
		d.Metadata.Authors = append(d.Metadata.Authors, a.Name)
	}
	d.Metadata.Other = map[string]string{"language": n.language()}
	for i, c := range n.Cells {
		in.Progress(i+1, len(n.Cells))
		r := cellReader{ctx: ctx, in: in, d: d, language: n.language(), place: doc.Place{Part: fmt.Sprintf("cell %d", i+1)}}
		if err := r.read(c); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// language is that of the code cells: what the kernel says, in the names of Markdown.
func (n *notebook) language() string {
	for _, name := range []string{n.Metadata.Language.Name, n.Metadata.Kernel.Language, n.Metadata.Kernel.Name} {
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case name == "":
		case name == "ir":
			return "r"
		case strings.HasPrefix(name, "python"):
			return "python"
		case strings.HasPrefix(name, "julia"):
			return "julia"
		default:
			return name
		}
	}
	return "python"
}

type cellReader struct {
	ctx      context.Context
	in       *format.Input
	d        *doc.Document
	language string
	place    doc.Place
}

func (r *cellReader) read(c cell) error {
	source := string(c.Source)
	switch c.Type {
	case "markdown":
		return mdtext.Convert(r.ctx, r.in, r.d, source, mdtext.Options{Place: r.place, Resource: func(reference string) ([]byte, string) {
			name, ok := strings.CutPrefix(reference, "attachment:")
			if !ok {
				return nil, ""
			}
			return picture(c.Attachments[name])
		}})
	case "heading":
		r.add(doc.H(min(max(c.Level, 1), 6), source, r.place))
	case "code":
		if c.Language != "" {
			r.language = c.Language
		}
		source += string(c.Input)
		language := r.language
		if m := magic.FindStringSubmatch(source); m != nil {
			language = m[1] // the cell is in another language: "%%bash"
		}
		r.code(source, language)
		for _, o := range c.Outputs {
			if err := r.output(o); err != nil {
				return err
			}
		}
	default:
		r.code(source, "")
	}
	return nil
}

func (r *cellReader) add(b doc.Block) {
	b.Places = []doc.Place{r.place}
	r.d.Blocks = append(r.d.Blocks, b)
}

func (r *cellReader) code(text, language string) {
	if strings.TrimSpace(text) != "" {
		r.add(doc.Block{Kind: doc.Code, Language: language, Text: strings.TrimRight(text, "\n")})
	}
}

// magic is the first line of a cell in another language.
var magic = lazyregexp.New(`^\s*%%(bash|sh|sql|html|javascript|js|latex|perl|ruby|R|svg|markdown)\b`)

var colours = lazyregexp.New(`\x1b\[[0-9;]*[A-Za-z]`)

func (r *cellReader) output(o output) error {
	if o.Type == "pyout" || o.Type == "display_data" && o.Data == nil {
		o.Data = o.forms()
	}
	switch {
	case o.Name != "" || o.Type == "error" || o.Type == "pyerr":
		text := o.Name + ": " + o.Value
		if len(o.Trace) > 0 && o.Name == "" {
			text = strings.Join(o.Trace, "\n")
		}
		r.code(colours.ReplaceAllString(text, ""), "text")
		return nil
	case o.Text != "" && len(o.Data) == 0:
		r.code(overwritten(colours.ReplaceAllString(string(o.Text), "")), "text")
		return nil
	}
	return r.data(o.Data)
}

// forms are those of an output of nbformat 3, by the names that nbformat 4 has for them.
func (o *output) forms() map[string]lines {
	forms := map[string]lines{}
	for mediaType, text := range map[string]lines{
		"image/png": o.PNG, "image/jpeg": o.JPEG, "image/svg+xml": o.SVG, "text/html": o.HTML, "text/latex": o.LaTeX, "text/plain": o.Text,
	} {
		if text != "" {
			forms[mediaType] = text
		}
	}
	return forms
}

// overwritten is what a terminal shows of lines that begin again, as progress bars do: what was written last.
func overwritten(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.Contains(text, "\r") {
		return text
	}
	var shown []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, "\r")
		shown = append(shown, line[strings.LastIndexByte(line, '\r')+1:])
	}
	return strings.Join(shown, "\n")
}

// data shows an output in its best form: a picture, an HTML table, Markdown, LaTeX, plain text.
func (r *cellReader) data(forms map[string]lines) error {
	if data, mediaType := picture(forms); data != nil {
		img, err := r.in.Files.Image(data, mediaType, "", strings.TrimSpace(firstLine(string(forms["text/plain"]))))
		if err != nil {
			r.d.Warn("image_skipped", "A picture of the notebook could not be kept.")
			return nil
		}
		if r.d.Image(img.ID) == nil {
			r.d.Images = append(r.d.Images, img)
		}
		r.add(doc.Block{Kind: doc.Figure, Image: img.ID})
		return nil
	}
	if html := string(forms["text/html"]); strings.Contains(html, "<table") {
		return htmldoc.Convert(r.ctx, r.d, html, htmldoc.Options{Files: r.in.Files, Place: r.place})
	}
	if text := string(forms["text/markdown"]); text != "" {
		return mdtext.Convert(r.ctx, r.in, r.d, text, mdtext.Options{Place: r.place})
	}
	if text := strings.TrimSpace(string(forms["text/latex"])); text != "" {
		return mdtext.Convert(r.ctx, r.in, r.d, text, mdtext.Options{Place: r.place})
	}
	if text := string(forms["text/plain"]); text != "" {
		r.code(text, "text")
		return nil
	}
	if text := string(forms["application/json"]); text != "" {
		r.code(text, "json")
		return nil
	}
	if html := string(forms["text/html"]); html != "" {
		return htmldoc.Convert(r.ctx, r.d, html, htmldoc.Options{Files: r.in.Files, Place: r.place})
	}
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// picture gives the picture among the forms of an output, or nil.
func picture(forms map[string]lines) ([]byte, string) {
	if text := strings.TrimSpace(string(forms["image/svg+xml"])); text != "" && forms["image/png"] == "" {
		return []byte(text), "image/svg+xml"
	}
	for _, mediaType := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		if text := string(forms[mediaType]); text != "" {
			data, err := base64.StdEncoding.DecodeString(strings.Map(func(r rune) rune {
				if r == '\n' || r == '\r' || r == ' ' {
					return -1
				}
				return r
			}, text))
			if err == nil && len(data) > 0 {
				return data, mediaType
			}
		}
	}
	return nil, ""
}
