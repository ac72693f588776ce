// Package cfb reads OLE2 compound files (MS-CFB): the container of Outlook's msg and of old and encrypted Office files.
//
// It reads sectors as they are asked for, follows no chain twice through one sector, and bounds every size by the file's own.
package cfb
