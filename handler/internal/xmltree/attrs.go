package xmltree

import "bytes"

// rawAttr is an attribute as it stands in the tag.
type rawAttr struct{ name, value []byte }

// nextAttr cuts the first attribute off a tag's text. Values without quotes are taken up to the next white space.
func nextAttr(tag []byte) (attr rawAttr, rest []byte, ok bool) {
	tag = bytes.TrimLeft(tag, " \t\r\n/")
	n := nameLen(tag)
	if n == 0 {
		if len(tag) > 0 { // a stray character
			return attr, tag[1:], true
		}
		return attr, nil, false
	}
	attr.name, tag = tag[:n], bytes.TrimLeft(tag[n:], " \t\r\n")
	if len(tag) == 0 || tag[0] != '=' {
		return attr, tag, true
	}
	tag = bytes.TrimLeft(tag[1:], " \t\r\n")
	if len(tag) > 0 && (tag[0] == '"' || tag[0] == '\'') {
		end := bytes.IndexByte(tag[1:], tag[0])
		if end < 0 {
			return attr, nil, true
		}
		attr.value = tag[1 : 1+end]
		return attr, tag[end+2:], true
	}
	end := bytes.IndexAny(tag, " \t\r\n")
	if end < 0 {
		end = len(tag)
	}
	attr.value = tag[:end]
	return attr, tag[end:], true
}

// bind takes in the namespace declarations of a tag, before its own name is read.
func (s *Scanner) bind(tag []byte) {
	if !bytes.Contains(tag, []byte("xmlns")) {
		return
	}
	for ok := true; ok; {
		var attr rawAttr
		attr, tag, ok = nextAttr(tag)
		if prefix, declares := bytes.CutPrefix(attr.name, []byte("xmlns")); declares && (len(prefix) == 0 || prefix[0] == ':') {
			s.names.bind(string(bytes.TrimPrefix(prefix, []byte(":"))), string(s.decode(attr.value)))
		}
	}
}

func (s *Scanner) readAttrs(tag []byte) {
	s.attrs = s.attrs[:0]
	for ok := true; ok; {
		var attr rawAttr
		attr, tag, ok = nextAttr(tag)
		if len(attr.name) == 0 || bytes.HasPrefix(attr.name, []byte("xmlns")) {
			continue
		}
		name := s.names.attribute(attr.name)
		if s.opts.SkipAttr != nil && s.opts.SkipAttr(name) {
			continue
		}
		value := s.names.intern(s.decode(attr.value))
		if name == s.opts.PrefixAttr {
			value = s.names.prefixes(value)
		}
		s.attrs = append(s.attrs, Attr{name, value})
	}
}

// nameLen is the length of the name at the start of a tag's text.
func nameLen(tag []byte) int {
	for i, c := range tag {
		switch c {
		case ' ', '\t', '\r', '\n', '/', '=', '>', '"', '\'':
			return i
		}
	}
	return len(tag)
}

func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == ':' || c >= 0x80
}
