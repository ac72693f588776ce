// Package ooxml opens Office packages (ECMA-376 part 2, Open Packaging Conventions) that others made, safely,
// and reads what Word, PowerPoint and Excel files share.
//
//	p, err := ooxml.Open(in)           // zip checked; a password-protected file is fault.Encrypted
//	main := p.Main()                   // the part that the package is about: "word/document.xml"
//	s, err := p.Scan(main)             // its XML as a stream; s.Close() gives what was damaged
//	rels := p.Rels(main)               // rels["rId5"].Target is a part's name, .Type a short name: "image"
//	p.ContentType(main)                // "application/vnd...main+xml"
//	p.Properties(&document.Metadata)   // core, app and custom properties
//
// Part names have no leading slash. XML names carry the usual prefixes, whatever the file uses: see Namespaces.
// Shared readers: Chart, Diagram (SmartArt), Math (OMML to LaTeX), Image.
package ooxml
