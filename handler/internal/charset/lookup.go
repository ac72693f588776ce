package charset

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// extra are encodings that the WHATWG index leaves out, and names that mailers and old programs write.
var extra = map[string]encoding.Encoding{
	"utf-16le":   unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be":   unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-16":     unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	"utf-32le":   utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be":   utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM),
	"utf-32":     utf32.UTF32(utf32.BigEndian, utf32.UseBOM),
	"utf-7":      utf7{},
	"hz-gb-2312": simplifiedchinese.HZGB2312,
	"ibm437":     charmap.CodePage437,
	"ibm850":     charmap.CodePage850,
	"ibm852":     charmap.CodePage852,
	"ibm855":     charmap.CodePage855,
	"ibm858":     charmap.CodePage858,
	"ibm860":     charmap.CodePage860,
	"ibm862":     charmap.CodePage862,
	"ibm863":     charmap.CodePage863,
	"ibm865":     charmap.CodePage865,
	"ibm037":     charmap.CodePage037,
	"ibm1047":    charmap.CodePage1047,
}

// alias are other spellings, after cleaning.
var alias = map[string]string{
	"utf8": "utf-8", "utf8mb4": "utf-8", "unicode-1-1-utf-8": "utf-8", "unicode": "utf-16", "ucs-2": "utf-16", "ucs-2le": "utf-16le",
	"unicode-1-1-utf-7": "utf-7", "utf7": "utf-7", "hz": "hz-gb-2312",
	"ansi": "windows-1252", "8bit": "windows-1252", "7bit": "us-ascii", "unknown-8bit": "", "x-unknown": "", "default": "", "binary": "",
	"cp437": "ibm437", "cp850": "ibm850", "cp852": "ibm852", "cp855": "ibm855", "cp858": "ibm858", "cp860": "ibm860", "cp862": "ibm862",
	"cp863": "ibm863", "cp865": "ibm865", "cp037": "ibm037", "cp1047": "ibm1047", "437": "ibm437", "850": "ibm850", "852": "ibm852",
	"cp932": "shift_jis", "cp936": "gbk", "cp949": "euc-kr", "cp950": "big5", "ks_c_5601-1987": "euc-kr", "gb2312_charset": "gbk",
	"cp1250": "windows-1250", "cp1251": "windows-1251", "cp1252": "windows-1252", "cp1253": "windows-1253", "cp1254": "windows-1254",
	"cp1255": "windows-1255", "cp1256": "windows-1256", "cp1257": "windows-1257", "cp1258": "windows-1258", "cp65001": "utf-8",
	"macroman": "macintosh", "mac-roman": "macintosh", "x-mac-roman": "macintosh",
}

// Lookup finds an encoding by any of its usual names. Its own name is in lower case, as WHATWG spells it where it does.
func Lookup(label string) (name string, enc encoding.Encoding, ok bool) {
	label = strings.ToLower(strings.Trim(label, " \t\r\n\"'"))
	if other, known := alias[label]; known {
		label = other
	}
	if enc, known := extra[label]; known {
		return label, enc, true
	}
	if label == "" {
		return "", nil, false
	}
	enc, err := htmlindex.Get(label)
	if err == nil && enc != encoding.Replacement {
		name, err := htmlindex.Name(enc)
		return name, enc, err == nil
	}
	if enc, err = ianaindex.IANA.Encoding(label); err == nil && enc != nil {
		return label, enc, true
	}
	return "", nil, false
}

// CodePage finds an encoding by its Windows number: 1252, 932, 65001.
func CodePage(number int) (name string, enc encoding.Encoding, ok bool) {
	if name, known := codePages[number]; known {
		return Lookup(name)
	}
	return "", nil, false
}

var codePages = map[int]string{
	37: "ibm037", 437: "ibm437", 850: "ibm850", 852: "ibm852", 855: "ibm855", 858: "ibm858", 860: "ibm860", 862: "ibm862", 863: "ibm863",
	865: "ibm865", 866: "ibm866", 874: "windows-874", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 1047: "ibm1047",
	1200: "utf-16le", 1201: "utf-16be", 1250: "windows-1250", 1251: "windows-1251", 1252: "windows-1252", 1253: "windows-1253",
	1254: "windows-1254", 1255: "windows-1255", 1256: "windows-1256", 1257: "windows-1257", 1258: "windows-1258", 10000: "macintosh",
	10007: "x-mac-cyrillic", 12000: "utf-32le", 12001: "utf-32be", 20127: "us-ascii", 20866: "koi8-r", 21866: "koi8-u", 20932: "euc-jp",
	28591: "iso-8859-1", 28592: "iso-8859-2", 28593: "iso-8859-3", 28594: "iso-8859-4", 28595: "iso-8859-5", 28596: "iso-8859-6",
	28597: "iso-8859-7", 28598: "iso-8859-8", 28599: "iso-8859-9", 28603: "iso-8859-13", 28605: "iso-8859-15", 38598: "iso-8859-8",
	50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 51932: "euc-jp", 51949: "euc-kr", 52936: "hz-gb-2312",
	54936: "gb18030", 65000: "utf-7", 65001: "utf-8",
}
