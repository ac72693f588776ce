package xlsx

import (
	"strconv"

	"decant/handler/internal/numfmt"
	"decant/handler/internal/ooxml"
)

// style is what a cell format means for a cell's text.
type style struct {
	format *numfmt.Format
	bold   bool
}

// styles are the cell formats by their number (the s attribute of a cell).
type styles []style

// maxStyles is Excel's own limit of cell formats, 64,000, and some.
const maxStyles = 1 << 17

var general = style{format: numfmt.Parse("General")}

func (s styles) at(i int) style {
	if i >= 0 && i < len(s) {
		return s[i]
	}
	return general
}

// readStyles reads styles.xml (ECMA-376 part 1, 18.8). A workbook without it has only the General format.
func readStyles(p *ooxml.Package, part string) styles {
	root, err := p.Tree(part)
	if err != nil || root == nil {
		return nil
	}
	codes := map[string]string{}
	for _, node := range root.Child("numFmts").All("numFmt") {
		codes[node.Attr("numFmtId")] = node.Attr("formatCode")
	}
	var bold []bool
	for _, font := range root.Child("fonts").All("font") {
		b := font.Child("b")
		bold = append(bold, b != nil && isTrue(b.Attr("val"), true))
	}
	parsed := map[string]*numfmt.Format{}
	var out styles
	for _, xf := range root.Child("cellXfs").All("xf") {
		if len(out) == maxStyles {
			break
		}
		id := xf.Attr("numFmtId")
		if parsed[id] == nil {
			parsed[id] = numfmt.Parse(formatCode(codes, id))
		}
		font, _ := strconv.Atoi(xf.Attr("fontId"))
		out = append(out, style{parsed[id], font >= 0 && font < len(bold) && bold[font]})
	}
	return out
}

// formatCode finds a format's code: in the file, or built in. An unknown number is General.
func formatCode(codes map[string]string, id string) string {
	n, err := strconv.Atoi(id)
	if err != nil {
		return "General"
	}
	// The built-in dates follow the reader's country; a code in the file for one of them is the writer's own.
	if code, ok := codes[id]; ok && code != "" {
		return code
	}
	if code, ok := numfmt.Builtin(n); ok {
		return code
	}
	return "General"
}

// isTrue reads an xsd:boolean attribute.
func isTrue(value string, missing bool) bool {
	switch value {
	case "":
		return missing
	case "1", "true", "on":
		return true
	}
	return false
}
