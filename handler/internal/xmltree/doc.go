// Package xmltree reads XML that others wrote: fast, lenient and bounded.
//
// A Scanner gives start tags, end tags and text, one after another, in constant memory. Element turns what it stands on into
// a tree of Nodes, so that a parser streams over the paragraphs of a book and still sees each paragraph whole.
//
//	s := xmltree.NewScanner(part, xmltree.Options{Namespaces: ooxml.Namespaces})
//	for s.Next() {
//		if s.Kind() == xmltree.Start && s.Name() == "w:p" {
//			paragraph(s.Element())
//		}
//	}
//	err := s.Err() // of the reader only: bad XML is repaired, see Damage
//
// Names are written with the prefix that Options.Namespaces gives to a namespace, whatever prefix the file uses.
// Nothing outside the file is ever read, and no entity is expanded but the characters of XML and HTML: a DOCTYPE is skipped.
// Wrong nesting, stray ampersands and an early end are repaired and told in Damage; elements nested deeper than
// Options.MaxDepth are dissolved and their text is kept.
package xmltree
