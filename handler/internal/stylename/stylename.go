package stylename

import (
	"strings"

	"decant/handler/internal/lazyregexp"
)

// Role is what the style of a paragraph or of a piece of text says of it.
type Role uint8

// The roles.
const (
	None Role = iota
	Title
	Subtitle // the line below the title: no heading of its own
	Quote
	Code
	CodeText // of a piece of text
	Caption
	TableCaption // stands above its table
	FigureCaption
	Term    // of a list of definitions
	Details // what follows a Term; without one before it an ordinary paragraph
	Rule
)

// paragraphs are the names of paragraph styles by their role, in the form of plain.
var paragraphs = byName(map[Role][]string{
	Title: {
		"title", "documenttitle", "titel", "título", "titolo", "tytuł",
	},
	Subtitle: {
		"subtitle", "untertitel", "soustitre", "subtítulo", "sottotitolo", "ondertitel",
	},
	Quote: {
		"quote", "intensequote", "blocktext", "blockquote", "blockquotation", "quotation", "quotations", "quotetext", "htmlblockquote", "quotedtext",
		"extract", "blockquoteparagraph", "zitat", "intensiveszitat", "blockzitat", "citation", "citationintense", "cita", "citadestacada", "citazione",
		"citazioneintensa", "citaçãointensa", "citação", "citaat", "duidelijkcitaat", "citat", "starktcitat", "cytat", "цитата",
	},
	Code: {
		"sourcecode", "code", "codeblock", "htmlpreformatted", "preformattedtext", "preformatted", "verbatim", "listing", "macrotext", "macro",
		"sourcetextblock", "plaintextcode", "programlisting", "codelisting", "codesample", "codesnippet", "codeexample", "codeparagraph", "codetext",
		"literalblock", "computercode", "quellcode", "quelltext", "programmcode", "htmlvorformatiert", "vorformatiertertext", "préformatéhtml",
		"textepréformaté", "htmlconformatoprevio", "preformattatohtml",
	},
	Caption: {
		"caption", "beschriftung", "légende", "legende", "epígrafe", "descripción", "didascalia", "legenda", "bijschrift", "beskrivning", "podpis",
		"названиеобъекта",
	},
	TableCaption: {
		"tablecaption", "tabletitle", "tabellenbeschriftung", "tabellenüberschrift",
	},
	FigureCaption: {
		"imagecaption", "figurecaption", "illustrationcaption", "picturecaption", "abbildungsbeschriftung", "bildunterschrift",
	},
	Term: {
		"definitionterm", "definitiontermtight", "listheading", "htmldefinitionterm", "dt",
	},
	Details: {
		"definition", "definitiondefinition", "definitiondefinitiontight", "definitiontight", "listcontents", "definitionlist", "definitiondata", "dd",
	},
	Rule: {
		"horizontalline", "horizontalrule",
	},
})

// texts are the names of styles for pieces of text.
var texts = byName(map[Role][]string{
	CodeText: {
		"verbatimchar", "htmlcode", "codechar", "inlinecode", "codeinline", "sourcetext", "htmltypewriter", "htmlkeyboard", "htmlsample", "teletype",
		"userentry", "example", "sourcecode", "sourcecodechar", "code", "htmlpreformattedchar", "literal", "quelltext", "codecharacter", "verbatim",
		"monospace",
	},
})

func byName(roles map[Role][]string) map[string]Role {
	all := map[string]Role{}
	for role, list := range roles {
		for _, name := range list {
			all[name] = role
		}
	}
	return all
}

// Of is the role of a paragraph by the names of its style and of those that it inherits from, nearest first: the first name that
// says something counts.
func Of(names ...string) Role { return find(paragraphs, names) }

// OfText is the role of a piece of text: CodeText or None.
func OfText(names ...string) Role { return find(texts, names) }

func find(roles map[string]Role, names []string) Role {
	for _, name := range names {
		if role := roles[plain(name)]; role != None {
			return role
		}
	}
	return None
}

// plain is a name without what writers change in it: case, blanks, hyphens.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-', '_', '\u00a0':
			return -1
		}
		return r
	}, strings.ToLower(strings.ReplaceAll(name, "_20_", "")))
}

var headingName = lazyregexp.New(`^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|заголовок|başlık|标题|標題|見出し|제목)([1-9])$`)

// HeadingLevel is the level that a name like "heading 2" says, or 0.
func HeadingLevel(name string) int {
	if match := headingName.FindStringSubmatch(plain(name)); match != nil {
		return int(match[1][0] - '0')
	}
	return 0
}
