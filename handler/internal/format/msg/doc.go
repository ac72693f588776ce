// Package msg reads Outlook messages (MS-OXMSG): mails, appointments, contacts, tasks and notes.
//
// properties.go reads MAPI properties from the streams of the compound file; letter.go makes a mail.Letter of them, which package mail
// writes like any other. A body that exists as RTF only is unpacked (lzfu.go) and its HTML or text taken out (rtf.go, MS-OXRTFEX).
// A message attached to the message is written as a mail again (nested.go), so that it becomes a document of its own.
package msg
