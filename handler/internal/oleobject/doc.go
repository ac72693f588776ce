// Package oleobject finds the file inside an embedded OLE object, as Office documents keep them in parts like oleObject1.bin.
//
// An object is a compound file. The programs that make it put the file into a stream of their own: "CONTENTS" (PDF), "Package"
// (newer Office files), "\x01Ole10Native" (anything that was dragged in, with its name); an old Office file is the object itself.
package oleobject
