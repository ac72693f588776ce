package docx

import (
	"strings"

	"decant/handler/internal/doc"
	"decant/handler/internal/xmltree"
)

// field is an open complex field (ECMA-376 part 1, 17.16.18): its instruction, then its stored result.
type field struct {
	instruction strings.Builder
	result      bool // the separator was passed
	shown       bool // the result has something in it
	code        string
	link        string
	toc         bool
	form        *xmltree.Node // w:ffData of a form field
}

const maxInstruction = 64 << 10

// field is the innermost open field, or nil.
func (f *flow) field() *field {
	if len(f.fields) == 0 {
		return nil
	}
	return f.fields[len(f.fields)-1]
}

func (fd *field) inInstruction() bool { return fd != nil && !fd.result }

// instructing is the outermost field whose instruction is still being read, or nil: what fields inside it show belongs to it.
func (f *flow) instructing() *field {
	for _, fd := range f.fields {
		if !fd.result {
			return fd
		}
	}
	return nil
}

func (fd *field) instruct(text string) {
	if fd.inInstruction() && fd.instruction.Len()+len(text) < maxInstruction {
		fd.instruction.WriteString(text)
	}
}

// link is the target of the innermost open field that is a link.
func (f *flow) link() string {
	for i := len(f.fields) - 1; i >= 0; i-- {
		if f.fields[i].link != "" {
			return f.fields[i].link
		}
	}
	return ""
}

func (f *flow) hasResult() {
	if fd := f.field(); fd != nil {
		fd.shown = true
	}
}

// tocField tells whether an open field is a table of contents.
func (f *flow) tocField() bool {
	for _, fd := range f.fields {
		if fd.toc {
			return true
		}
	}
	return false
}

// maxFields bounds fields in fields.
const maxFields = 200

func (l *line) fieldChar(c *xmltree.Node, k look) {
	f := l.f
	switch c.Attr("w:fldCharType") {
	case "begin":
		if len(f.fields) < maxFields {
			f.fields = append(f.fields, &field{form: c.Child("w:ffData")})
		}
	case "separate":
		if fd := f.field(); fd.inInstruction() {
			l.understand(fd)
			fd.result = true
		}
	case "end":
		fd := f.field()
		if fd == nil {
			return
		}
		if fd.inInstruction() {
			l.understand(fd)
			fd.result = true
		}
		if !fd.shown {
			l.withoutResult(fd, k)
		}
		f.fields = f.fields[:len(f.fields)-1]
		if fd.toc {
			f.toc--
		}
		if fd.shown {
			f.hasResult()
		}
	}
}

// understand reads a complete instruction.
func (l *line) understand(fd *field) {
	code, args := splitInstruction(fd.instruction.String())
	fd.code = code
	fd.link = l.f.p.fieldLink(code, args)
	if code == "TOC" && !fd.toc {
		fd.toc = true
		l.f.toc++
	}
}

// fieldLink is where a field's result leads: HYPERLINK, and references to bookmarks with the switch \h.
func (p *parser) fieldLink(code string, args []string) string {
	target, anchor, linked := "", "", code == "HYPERLINK"
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == `\l` && i+1 < len(args):
			anchor = args[i+1]
			i++
		case arg == `\h`:
			linked = true
		case (arg == `\o` || arg == `\t` || arg == `\n`) && code == "HYPERLINK":
			if arg != `\n` {
				i++
			}
		case !strings.HasPrefix(arg, `\`) && target == "":
			target = arg
		}
	}
	switch code {
	case "HYPERLINK":
		if anchor != "" {
			target += "#" + anchor
		}
	case "REF", "PAGEREF", "NOTEREF":
		if target == "" || !linked {
			return ""
		}
		target = "#" + target
	default:
		return ""
	}
	return p.safeLink(target)
}

// splitInstruction cuts a field's instruction into its code and arguments; quotes hold an argument together.
func splitInstruction(text string) (code string, args []string) {
	var words []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if text[0] == '"' || strings.HasPrefix(text, "“") {
			text = strings.TrimPrefix(strings.TrimPrefix(text, "“"), `"`)
			end := strings.IndexAny(text, `"”`)
			if end < 0 {
				end = len(text)
			}
			words = append(words, text[:end])
			text = strings.TrimLeft(text[end:], `"”`)
			continue
		}
		end := strings.IndexAny(text, " \t\n\u00a0")
		if end < 0 {
			end = len(text)
		}
		words = append(words, text[:end])
		text = text[end:]
	}
	if len(words) == 0 {
		return "", nil
	}
	return strings.ToUpper(words[0]), words[1:]
}

// silent are fields that never show anything, or nothing that is content.
var silent = map[string]bool{"XE": true, "TC": true, "RD": true, "TA": true, "SET": true, "ASK": true, "ADVANCE": true, "PRIVATE": true, "TOC": true, "INDEX": true,
	"HYPERLINK": true, "PAGE": true, "NUMPAGES": true, "SECTION": true, "SECTIONPAGES": true, "NEXT": true, "": true, "FORMTEXT": true, "ADDIN": true, "AUTOTEXT": true,
	"BIBLIOGRAPHY": true, "CITATION": true, "TOA": true, "COMMENTS": true}

// withoutResult shows a field that has no stored result, as far as its instruction says what it would be.
func (l *line) withoutResult(fd *field, k look) {
	_, args := splitInstruction(fd.instruction.String())
	switch fd.code {
	case "FORMCHECKBOX", "FORMDROPDOWN":
		l.formField(fd)
	case "SYMBOL":
		l.text(symbolField(args), k)
	case "MACROBUTTON", "GOTOBUTTON":
		if len(args) > 1 {
			l.text(strings.Join(args[1:], " "), k)
		}
	case "QUOTE":
		l.text(strings.Join(args, " "), k)
	case "EQ":
		l.add(doc.Inline{Kind: doc.Math, Text: strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(fd.instruction.String()), "EQ"))})
		l.f.p.doc.Warn("equation_approximated", "An equation in the old EQ field is shown as it was written.")
	default:
		if !silent[fd.code] {
			l.f.p.doc.Warn("field_uncached", "A field has no stored result: "+fd.code+".")
		}
	}
}

// formField shows a check box or a drop-down list of an old form.
func (l *line) formField(fd *field) {
	in := doc.Inline{Kind: doc.Input, Name: fd.form.Child("w:name").Attr("w:val")}
	if box := fd.form.Child("w:checkBox"); box != nil {
		state := box.Child("w:checked")
		if state == nil {
			state = box.Child("w:default")
		}
		in.Text = "☐"
		if state != nil && on(state.Attr("w:val")) {
			in.Text = "☒"
		}
	}
	if list := fd.form.Child("w:ddList"); list != nil {
		entries := list.All("w:listEntry")
		at := atoi(list.Child("w:result").Attr("w:val"), atoi(list.Child("w:default").Attr("w:val"), 0))
		if at >= 0 && at < len(entries) {
			in.Text = entries[at].Attr("w:val")
		}
	}
	if in.Text != "" {
		l.add(in)
	}
}

// simpleField takes in a w:fldSimple: its children are its result.
func (l *line) simpleField(n *xmltree.Node, k look) {
	code, args := splitInstruction(n.Attr("w:instr"))
	if link := l.f.p.fieldLink(code, args); link != "" {
		k.link = link
	}
	before := len(l.inlines)
	l.children(n, k)
	if len(l.inlines) == before && !silent[code] && len(n.All("w:r")) == 0 {
		l.f.p.doc.Warn("field_uncached", "A field has no stored result: "+code+".")
	}
}
