package xmlfmt

import (
	"strings"

	"golang.org/x/net/html"

	"decant/handler/internal/doc"
)

// vocabulary says what the elements of one kind of XML are in HTML.
type vocabulary struct {
	name     string
	plain    map[string]string                                  // element → HTML element
	special  map[string]func(*rewriter, *html.Node, *html.Node) // element → writes it below the given HTML element
	drop     map[string]bool                                    // not shown
	metadata func(*doc.Metadata, *html.Node)
}

func vocabularyOf(root *html.Node) (vocabulary, bool) {
	switch {
	case isElement(root, "article", "pmc-articleset", "sub-article", "book-part") && find(root, "front", "article-meta", "sec", "article-title", "front-stub", "book-part-meta") != nil && !strings.Contains(root.Namespace, "docbook"):
		return jats(), true
	case strings.Contains(root.Namespace, "docbook.org"), isElement(root, "book", "article", "chapter", "refentry", "set", "part", "sect1") && find(root, "para", "simpara", "chapter", "sect1", "refnamediv") != nil:
		return docbook(), true
	case isElement(root, "rss", "rdf") && find(root, "item", "channel") != nil, isElement(root, "feed") && (strings.Contains(root.Namespace, "Atom") || find(root, "entry") != nil):
		return feed(), true
	}
	if isElement(root, "workbook") && strings.Contains(root.Namespace, "schemas-microsoft-com:office:spreadsheet") {
		return spreadsheet(), true
	}
	return generic(), false
}

// names makes a map of pairs "a b c=html".
func names(pairs ...string) map[string]string {
	m := map[string]string{}
	for _, pair := range pairs {
		list, target, _ := strings.Cut(pair, "=")
		for _, name := range strings.Fields(list) {
			m[name] = target
		}
	}
	return m
}

func set(list string) map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(list) {
		m[name] = true
	}
	return m
}

// htmlNames are elements of HTML that mean the same wherever they are used: XHTML tables inside of other XML above all.
const htmlNames = "p table thead tbody tfoot tr td th caption ul ol li dl dt dd pre code blockquote sub sup b i u br hr em strong a img h1 h2 h3 h4 h5 h6"

func generic() vocabulary {
	m := names(
		"para paragraph simpara=p", "italic emph emphasis=em", "bold=strong", "underline=u", "section sec div part chapter body=section",
		"list itemizedlist=ul", "orderedlist=ol", "item listitem list-item=li", "quote=blockquote", "row=tr", "entry cell=td", "subscript=sub", "superscript=sup",
	)
	for _, name := range strings.Fields(htmlNames) {
		m[name] = name
	}
	return vocabulary{
		name: "xml", plain: m,
		special: map[string]func(*rewriter, *html.Node, *html.Node){
			"title": (*rewriter).title, "heading": (*rewriter).title, "head": (*rewriter).title, "math": (*rewriter).math, "invention-title": (*rewriter).title,
			"tgroup": (*rewriter).cals, "table": (*rewriter).anyTable, "maths": (*rewriter).inner,
		},
		drop: set("script style"),
	}
}

func jats() vocabulary {
	m := names(
		"sec abstract trans-abstract ack app app-group back body boxed-text sub-article response glossary floats-group=section", "p verse-line attrib copyright-statement=p",
		"italic=i", "bold=b", "underline=u", "strike=s", "monospace=code", "sc roman sans-serif named-content styled-content abbrev institution=span",
		"disp-quote=blockquote", "def-list=dl", "def-item=div", "term=dt", "def=dd", "list-item=li", "code preformat=pre", "break=br",
		"statement verse-group speech=div", "ref=li", "table-wrap-foot=div",
	)
	for _, name := range strings.Fields(htmlNames) {
		m[name] = name
	}
	return vocabulary{
		name: "jats", plain: m, metadata: jatsMetadata,
		special: map[string]func(*rewriter, *html.Node, *html.Node){
			"front": (*rewriter).jatsFront, "front-stub": (*rewriter).jatsFront, "title": (*rewriter).title, "list": (*rewriter).jatsList, "label": (*rewriter).jatsLabel,
			"fig": (*rewriter).jatsFigure, "table-wrap": (*rewriter).jatsFigure, "graphic": (*rewriter).jatsGraphic, "inline-graphic": (*rewriter).jatsGraphic,
			"disp-formula": (*rewriter).jatsFormula, "inline-formula": (*rewriter).jatsFormula, "math": (*rewriter).math, "tex-math": (*rewriter).tex,
			"xref": (*rewriter).jatsReference, "ext-link": (*rewriter).webLink, "uri": (*rewriter).webLink, "email": (*rewriter).webLink, "self-uri": (*rewriter).webLink,
			"code": (*rewriter).jatsCode, "fn": (*rewriter).note, "ref-list": (*rewriter).jatsReferences, "table": (*rewriter).anyTable, "sec": (*rewriter).section,
			"abstract": (*rewriter).jatsAbstract, "trans-abstract": (*rewriter).jatsAbstract, "ack": (*rewriter).jatsNamed, "app": (*rewriter).section, "boxed-text": (*rewriter).section,
			"glossary": (*rewriter).section, "sub-article": (*rewriter).section, "response": (*rewriter).section, "alternatives": (*rewriter).jatsAlternatives,
		},
		drop: set("processing-meta journal-meta permissions object-id custom-meta-group counts"),
	}
}

func docbook() vocabulary {
	m := names(
		"para simpara formalpara abstract bridgehead address=p", "emphasis=em", "literal command filename option code varname function parameter constant classname computeroutput userinput systemitem envar uri prompt type methodname=code",
		"listitem member step=li", "variablelist glosslist=dl", "keycap keycode keysym=kbd", "foreignphrase wordasword=i", "qandaset qandadiv qandaentry answer=div",
		"guimenu guimenuitem guisubmenu guibutton guilabel guiicon application productname acronym abbrev phrase trademark personname firstname surname replaceable date orgname=span", "tag sgmltag returnvalue errorname errortext markup token package interface structname=code", "varlistentry glossentry=div", "term glossterm=dt", "glossdef=dd",
		"programlisting screen literallayout synopsis=pre", "epigraph=blockquote", "subscript=sub", "superscript=sup", "quote=q", "thead=thead", "tbody=tbody", "citetitle firstterm=i",
		"sidebar example informalexample equation informalequation=div",
	)
	for _, name := range strings.Fields(htmlNames) {
		m[name] = name
	}
	special := map[string]func(*rewriter, *html.Node, *html.Node){
		"title": (*rewriter).title, "subtitle": (*rewriter).title, "info": (*rewriter).docbookInfo, "articleinfo": (*rewriter).docbookInfo, "bookinfo": (*rewriter).docbookInfo,
		"chapterinfo": (*rewriter).docbookInfo, "tgroup": (*rewriter).cals, "table": (*rewriter).anyTable, "informaltable": (*rewriter).anyTable,
		"figure": (*rewriter).docbookFigure, "informalfigure": (*rewriter).docbookFigure, "imagedata": (*rewriter).docbookImage, "graphic": (*rewriter).docbookImage,
		"link": (*rewriter).webLink, "ulink": (*rewriter).webLink, "xref": (*rewriter).webLink, "email": (*rewriter).webLink, "footnote": (*rewriter).note,
		"itemizedlist": (*rewriter).docbookList, "orderedlist": (*rewriter).docbookList, "procedure": (*rewriter).docbookList, "substeps": (*rewriter).docbookList, "simplelist": (*rewriter).docbookList,
		"menuchoice": (*rewriter).docbookKeys, "keycombo": (*rewriter).docbookKeys, "cmdsynopsis": (*rewriter).docbookCommand, "blockquote": (*rewriter).docbookQuote,
		"biblioentry": (*rewriter).docbookEntry, "bibliomixed": (*rewriter).docbookEntry, "glossary": (*rewriter).docbookGlossary, "question": (*rewriter).docbookQuestion,
		"math": (*rewriter).math, "emphasis": (*rewriter).docbookEmphasis, "listitem": (*rewriter).docbookItem, "programlisting": (*rewriter).docbookCode,
	}
	for _, name := range strings.Fields("section sect1 sect2 sect3 sect4 sect5 chapter part appendix preface simplesect refsect1 refsect2 refsection colophon dedication bibliography article book refsynopsisdiv") {
		special[name] = (*rewriter).section
	}
	for _, name := range strings.Fields("note tip warning caution important") {
		special[name] = (*rewriter).docbookAdmonition
	}
	return vocabulary{name: "docbook", plain: m, special: special, metadata: docbookMetadata, drop: set("indexterm toc index remark xi:include textobject titleabbrev refmeta")}
}

func feed() vocabulary {
	return vocabulary{
		name: "feed", metadata: feedMetadata, plain: names("channel entry item feed rss rdf=section"),
		special: map[string]func(*rewriter, *html.Node, *html.Node){
			"item": (*rewriter).feedItem, "entry": (*rewriter).feedItem, "channel": (*rewriter).feedChannel, "feed": (*rewriter).feedChannel,
		},
	}
}
