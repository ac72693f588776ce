package pdfium

import (
	"fmt"
	"math"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"
)

// hotFunctions are called for every character or path segment; a lookup by name would cost more than the call.
type hotFunctions struct {
	unicode, loose, box, origin, object, generated, hyphen, mapError, angle api.Function
	segment, segmentType, segmentPoint, segmentClose                        api.Function
}

func (e *Engine) resolveHot() hotFunctions {
	f := e.instance.ExportedFunction
	return hotFunctions{
		unicode: f("FPDFText_GetUnicode"), loose: f("FPDFText_GetLooseCharBox"), box: f("FPDFText_GetCharBox"),
		origin: f("FPDFText_GetCharOrigin"), object: f("FPDFText_GetTextObject"), generated: f("FPDFText_IsGenerated"),
		hyphen: f("FPDFText_IsHyphen"), mapError: f("FPDFText_HasUnicodeMapError"), angle: f("FPDFText_GetCharAngle"),
		segment: f("FPDFPath_GetPathSegment"), segmentType: f("FPDFPathSegment_GetType"),
		segmentPoint: f("FPDFPathSegment_GetPoint"), segmentClose: f("FPDFPathSegment_GetClose"),
	}
}

// call calls an export by name and gives its result, or 0 when the instance is dead.
func (e *Engine) call(name string, args ...uint64) uint64 {
	if e.err != nil {
		return 0
	}
	fn := e.fns[name]
	if fn == nil {
		if fn = e.instance.ExportedFunction(name); fn == nil {
			panic("pdfium: internal error: no export " + name)
		}
		e.fns[name] = fn
	}
	return e.do(fn, args...)
}

func (e *Engine) do(fn api.Function, args ...uint64) uint64 {
	if e.err != nil {
		return 0
	}
	copy(e.stack[:], args)
	if err := fn.CallWithStack(e.ctx, e.stack[:]); err != nil {
		e.err = fmt.Errorf("pdfium trapped in %s: %w", fn.Definition().Name(), err)
		return 0
	}
	return e.stack[0]
}

// truth reads an FPDF_BOOL result; the upper half of the slot is not defined.
func truth(result uint64) bool { return uint32(result) != 0 }

func int32Of(result uint64) int { return int(int32(uint32(result))) }

func float32Of(result uint64) float64 { return float64(math.Float32frombits(uint32(result))) }

func (e *Engine) f32(address uint32) float64 {
	v, _ := e.memory.ReadFloat32Le(address)
	return float64(v)
}

func (e *Engine) f64(address uint32) float64 {
	v, _ := e.memory.ReadFloat64Le(address)
	return v
}

func (e *Engine) u32(address uint32) uint32 {
	v, _ := e.memory.ReadUint32Le(address)
	return v
}

// rect reads an FS_RECTF: left, top, right, bottom.
func (e *Engine) rect(address uint32) Rect {
	return Rect{Left: e.f32(address), Top: e.f32(address + 4), Right: e.f32(address + 8), Bottom: e.f32(address + 12)}
}

// put copies bytes into the module with a zero byte behind them; the caller frees them.
func (e *Engine) put(data []byte) uint32 {
	address := uint32(e.call("malloc", uint64(len(data)+1)))
	if address == 0 {
		return 0
	}
	e.memory.Write(address, data)
	e.memory.WriteByte(address+uint32(len(data)), 0)
	return address
}

func (e *Engine) free(address uint32) {
	if address != 0 {
		e.call("free", uint64(address))
	}
}

// maxString bounds a text that the module hands out, in bytes.
const maxString = 16 << 20

// fetch reads something whose length is asked first: get(0, 0) gives the size in bytes, get(buffer, size) fills it.
func (e *Engine) fetch(get func(buffer, size uint64) uint64) []byte {
	size := uint32(get(0, 0))
	if size == 0 || size > maxString || e.err != nil {
		return nil
	}
	address := e.scratch + scratchSize/2
	if size > scratchSize/2 {
		if address = uint32(e.call("malloc", uint64(size))); address == 0 {
			return nil
		}
		defer e.free(address)
	}
	written := min(uint32(get(uint64(address), uint64(size))), size)
	view, _ := e.memory.Read(address, written)
	return append([]byte(nil), view...)
}

// utf16Text decodes UTF-16LE up to its terminating zero.
func utf16Text(data []byte) string {
	units := make([]uint16, 0, len(data)/2)
	for i := 0; i+1 < len(data); i += 2 {
		unit := uint16(data[i]) | uint16(data[i+1])<<8
		if unit == 0 {
			break
		}
		units = append(units, unit)
	}
	return string(utf16.Decode(units))
}

// cText cuts the terminating zero off.
func cText(data []byte) string {
	for i, b := range data {
		if b == 0 {
			return string(data[:i])
		}
	}
	return string(data)
}
