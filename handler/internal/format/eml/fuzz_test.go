package eml_test

import (
	"testing"

	"decant/handler/internal/format/eml"
	"decant/handler/internal/format/formattest"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, eml.Format(), "a.eml",
		"From: a@b\nSubject: =?utf-8?q?=C3=A9?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Type: message/rfc822\n\nSubject: x\n\ny\n--b--\n",
		"Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\nMIAGCSqGSIb3DQEHAqCA\n",
	)
}
