package mail

import (
	"bytes"
	"strings"
)

// Kinds of content of a CMS structure (RFC 5652).
const (
	cmsOther = iota
	cmsSigned
	cmsEnveloped
)

var (
	oidSigned    = []byte{0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02}
	oidEnveloped = []byte{0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03}
	oidData      = []byte{0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01}
)

// unwrapCMS takes the signed text out of a CMS structure in BER, where lengths may be indefinite. The signature is not checked.
func unwrapCMS(der []byte) (content string, kind int) {
	head := der[:min(len(der), 64)]
	switch {
	case bytes.Contains(head, oidEnveloped):
		return "", cmsEnveloped
	case !bytes.Contains(head, oidSigned):
		return "", cmsOther
	}
	at := bytes.Index(der, oidData)
	if at < 0 {
		return "", cmsOther
	}
	r := berReader{data: der[at+len(oidData):]}
	tag, body, ok := r.next() // [0] EXPLICIT
	if !ok || tag != 0xa0 {
		return "", cmsOther
	}
	var b strings.Builder
	inner := berReader{data: body}
	if tag, body, ok = inner.next(); !ok {
		return "", cmsOther
	}
	octets(&b, tag, body, 0)
	return b.String(), cmsSigned
}

// octets joins the pieces of an OCTET STRING.
func octets(b *strings.Builder, tag byte, body []byte, depth int) {
	if tag&0x20 == 0 {
		b.Write(body)
		return
	}
	r := berReader{data: body}
	for depth < 8 {
		tag, piece, ok := r.next()
		if !ok || tag == 0 {
			return
		}
		octets(b, tag, piece, depth+1)
	}
}

// berReader reads elements of BER one after the other.
type berReader struct{ data []byte }

// next gives an element's tag and content. Content of indefinite length reaches to the end of what is there.
func (r *berReader) next() (tag byte, body []byte, ok bool) {
	if len(r.data) < 2 {
		return 0, nil, false
	}
	tag, first := r.data[0], r.data[1]
	r.data = r.data[2:]
	if first == 0x80 {
		body, r.data = r.data, nil
		return tag, body, true
	}
	length := int(first)
	if first > 0x80 {
		n := int(first & 0x7f)
		if n > 4 || n > len(r.data) {
			return 0, nil, false
		}
		length = 0
		for _, c := range r.data[:n] {
			length = length<<8 | int(c)
		}
		r.data = r.data[n:]
	}
	length = min(length, len(r.data))
	body, r.data = r.data[:length], r.data[length:]
	return tag, body, true
}
