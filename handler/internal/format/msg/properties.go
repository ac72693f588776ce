package msg

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"decant/handler/internal/cfb"
	"decant/handler/internal/charset"
)

// Property ids (MS-OXPROPS).
const (
	pidMessageClass  = 0x001A
	pidSubject       = 0x0037
	pidSubmitTime    = 0x0039
	pidSentName      = 0x0042
	pidSentEmail     = 0x0065
	pidSenderName    = 0x0C1A
	pidSenderEmail   = 0x0C1F
	pidSenderSMTP    = 0x5D01
	pidSentSMTP      = 0x5D02
	pidDeliveryTime  = 0x0E06
	pidHeaders       = 0x007D
	pidDisplayTo     = 0x0E04
	pidDisplayCc     = 0x0E03
	pidBody          = 0x1000
	pidRTF           = 0x1009
	pidHTML          = 0x1013
	pidMessageID     = 0x1035
	pidInReplyTo     = 0x1042
	pidCreated       = 0x3007
	pidModified      = 0x3008
	pidRecipientType = 0x0C15
	pidDisplayName   = 0x3001
	pidEmail         = 0x3003
	pidSMTP          = 0x39FE
	pidAttachData    = 0x3701
	pidAttachMethod  = 0x3705
	pidAttachShort   = 0x3704
	pidAttachLong    = 0x3707
	pidAttachMIME    = 0x370E
	pidAttachID      = 0x3712
	pidAttachPlace   = 0x3713
	pidAttachHidden  = 0x7FFE
	pidAttachFlags   = 0x3714
	pidCodePage      = 0x3FFD
	pidInternetCP    = 0x3FDE
	pidCompany       = 0x3A16
	pidJobTitle      = 0x3A17
	pidBusinessPhone = 0x3A08
	pidMobilePhone   = 0x3A1C
	pidHomePhone     = 0x3A09
	pidPostalAddress = 0x3A15
)

// Property types.
const (
	typeInt32   = 0x0003
	typeBool    = 0x000B
	typeObject  = 0x000D
	typeString8 = 0x001E
	typeUnicode = 0x001F
	typeTime    = 0x0040
	typeBinary  = 0x0102
)

// properties are those of one storage: a message, a recipient or an attachment.
type properties struct {
	storage  cfb.Storage
	fixed    map[uint32]uint64 // tag → value, of those that fit into eight bytes
	codePage int
	damaged  int
}

// load reads the fixed values from the property stream, whose header has headerSize bytes (MS-OXMSG 2.4).
func load(s cfb.Storage, headerSize, codePage int) properties {
	p := properties{storage: s, fixed: map[uint32]uint64{}, codePage: codePage}
	data, err := s.Read("__properties_version1.0")
	if err != nil {
		p.damaged++
	}
	for at := headerSize; at+16 <= len(data); at += 16 {
		p.fixed[binary.LittleEndian.Uint32(data[at:])] = binary.LittleEndian.Uint64(data[at+8:])
	}
	return p
}

func tag(id, kind int) uint32 { return uint32(id)<<16 | uint32(kind) }

func (p *properties) integer(id int) int { return int(int32(p.fixed[tag(id, typeInt32)])) }

func (p *properties) isTrue(id int) bool { return p.fixed[tag(id, typeBool)]&0xFF != 0 }

// moment gives a time in RFC 3339, or "". It is stored as 100 ns since 1601.
func (p *properties) moment(id int) string {
	value := p.fixed[tag(id, typeTime)]
	if value == 0 || value > 1<<62 {
		return ""
	}
	const from1601 = 11644473600
	return time.Unix(int64(value/10_000_000)-from1601, 0).UTC().Format(time.RFC3339)
}

func (p *properties) bytes(id, kind int) []byte {
	data, err := p.storage.Read(fmt.Sprintf("__substg1.0_%04X%04X", id, kind))
	if err != nil {
		p.damaged++
	}
	return data
}

// text gives a string property, stored as UTF-16 or in the message's code page.
func (p *properties) text(id int) string {
	if data := p.bytes(id, typeUnicode); len(data) > 0 {
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(data[2*i:])
		}
		return strings.TrimRight(string(utf16.Decode(units)), "\x00")
	}
	data := p.bytes(id, typeString8)
	if len(data) == 0 {
		return ""
	}
	name, _, _ := charset.CodePage(p.codePage)
	return strings.TrimRight(charset.Decode(string(data), name).String, "\x00")
}

// first gives the first of several properties that has a text.
func (p *properties) first(ids ...int) string {
	for _, id := range ids {
		if text := strings.TrimSpace(p.text(id)); text != "" {
			return text
		}
	}
	return ""
}
