package ooxml

import (
	"io"

	"decant/handler/internal/cfb"
	"decant/handler/internal/fault"
)

// everybodysPassword opens workbooks that Excel encrypts only to keep them from being changed ([MS-OFFCRYPTO] 2.4.2.1).
const everybodysPassword = "VelvetSweatshop"

// openProtected reads an OLE2 compound file: an encrypted package is opened with the password, if that is right;
// an old binary Office file is fault.Unsupported.
func openProtected(r io.ReaderAt, size int64, password string) (io.ReaderAt, int64, error) {
	file, err := cfb.Open(r, size)
	if err != nil {
		return nil, 0, fault.New(fault.Corrupt, "The file is a damaged compound file: an old binary Office file or an encrypted one. Open and save it again in the program that made it.", err)
	}
	root := file.Root()
	if !root.Has("EncryptedPackage") && !root.Has("EncryptionInfo") {
		return nil, 0, fault.New(fault.Unsupported, "The file is an old binary Office file (before 2007) or another compound file. Save it in the current format (.docx, .xlsx, .pptx).", nil)
	}
	info, infoErr := root.Read("EncryptionInfo")
	data, dataErr := root.Read("EncryptedPackage")
	if infoErr != nil || dataErr != nil {
		return nil, 0, fault.New(fault.Encrypted, "The document is protected by a password, and damaged.", nil)
	}
	for _, try := range []string{password, everybodysPassword} {
		if try == "" {
			continue
		}
		if opened, size, ok := decrypt(info, data, try); ok {
			return opened, size, nil
		}
	}
	if password != "" {
		return nil, 0, fault.New(fault.Encrypted, "The password does not open the document, or it is protected in a way that is not known. Give the right password, or remove the protection.", nil)
	}
	return nil, 0, fault.New(fault.Encrypted, "", nil)
}
