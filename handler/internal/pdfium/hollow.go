package pdfium

import (
	"bytes"
	"encoding/binary"
	"errors"
	"sync"
)

// shell is the module without functions' bodies, made once in a process; whoever starts an engine keeps it in memory anyway.
var shell = sync.OnceValues(func() ([]byte, error) { return hollow(module) })

// hollow gives the module with the body of each function replaced by a trap. Everything else, so also whatever an instance
// needs beside the functions' native code, stays as it is: types, imports, tables, memory, data, exports.
//
// wazero reads and validates every function's body before it takes the native code from its cache, which is half of the time
// that an engine needs to start, and keeps the bodies in memory as long as the engine lives. With the native code of the
// full module under the hollow one's name in the cache (Warm puts it there), none of it is needed.
//
// Layout: WebAssembly core specification, 5.5 (modules).
func hollow(full []byte) ([]byte, error) {
	const header, custom, code = 8, 0, 10
	if len(full) < header || !bytes.HasPrefix(full, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	out := append(make([]byte, 0, len(full)/2), full[:header]...)
	for rest := full[header:]; len(rest) > 0; {
		id := rest[0]
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, errors.New("a section is longer than the module")
		}
		content := rest[1+n : 1+n+int(size)]
		switch id {
		case custom: // names for people
		case code:
			number, n := binary.Uvarint(content)
			if n <= 0 || number > size {
				return nil, errors.New("the code section has no count")
			}
			content = append(content[:n:n], bytes.Repeat(trap, int(number))...)
			fallthrough
		default:
			out = append(binary.AppendUvarint(append(out, id), uint64(len(content))), content...)
		}
		rest = rest[1+n+int(size):]
	}
	return out, nil
}

// trap is the body of a function: three bytes long, no locals, unreachable, end.
var trap = []byte{3, 0, 0x00, 0x0b}
