package ooxml

import (
	"strings"

	"decant/handler/internal/xmltree"
)

// families are how the namespaces of Office begin. What is in them is read by its elements; what is in others means nothing to us.
var families = []string{
	"http://schemas.microsoft.com/", "http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/", "urn:schemas-microsoft-com:",
}

// Choose picks what to read of an mc:AlternateContent: the first choice that requires namespaces of Office only and is readable, else the
// fallback (ECMA-376 part 3, 7.6). All hold the same content, so never more than one is read. Where the fallback is not readable either, a
// readable choice of foreign namespaces is better than nothing. It gives nil when there is nothing to read.
func Choose(n *xmltree.Node, readable func(*xmltree.Node) bool) *xmltree.Node {
	var foreign *xmltree.Node
	for _, choice := range n.All("mc:Choice") {
		switch {
		case !readable(choice):
		case understands(choice.Attr("Requires")):
			return choice
		case foreign == nil:
			foreign = choice
		}
	}
	fallback := n.Child("mc:Fallback")
	if foreign != nil && (fallback == nil || !readable(fallback)) {
		return foreign
	}
	return fallback
}

// understands tells whether all that a choice requires is of Office. What it requires are prefixes of Namespaces, or namespaces.
func understands(requires string) bool {
	for _, name := range strings.Fields(requires) {
		if !isPrefix(name) && !isOffice(name) {
			return false
		}
	}
	return true
}

func isPrefix(name string) bool {
	for _, prefix := range Namespaces {
		if prefix == name {
			return true
		}
	}
	return false
}

func isOffice(namespace string) bool {
	for _, family := range families {
		if strings.HasPrefix(namespace, family) {
			return true
		}
	}
	return false
}
