// Package zipfile opens zip archives that others made and does not trust them: Office packages, OpenDocument, EPUB.
//
// archive/zip hands out members that are encrypted, overlap, repeat a name or leave their folder, and unpacks whatever a
// member holds (golang/go#33026, #12081). Here the directory is checked once, names are cleaned, and every byte that
// is unpacked counts against one budget for the whole archive and against a ratio for each member.
package zipfile
