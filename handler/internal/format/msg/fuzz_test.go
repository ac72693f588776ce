package msg_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/msg"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, msg.Format(), "a.msg",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		string(formattest.Compound(message{header: 32, texts: map[int]string{0x001A: "IPM.Note", 0x0037: "Subject", 0x1000: "Text."}}.storage())),
	)
}
