// Package mail reads internet messages and makes documents of letters.
//
// Parse takes a message apart (RFC 5322, MIME) as leniently as mail programs do: headers in any encoding (words.go), unquoted and
// doubled parameters (params.go), boundaries that are missing or never closed (parts.go), base64 and quoted-printable with damage
// (transfer.go). Nothing is copied: parts are pieces of the message's text, decoded when they are read.
//
// Letter is a message as people see it: who, when, about what, one body, attachments. FromMessage finds it in a parsed message;
// the msg format fills it from Outlook's properties; Letter.Write makes the document.
package mail
