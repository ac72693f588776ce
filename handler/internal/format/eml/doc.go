// Package eml reads a single mail (RFC 5322). The work is done by package mail: this one finds out that a file is a mail
// and gives it to mail.Parse, mail.FromMessage and Letter.Write.
package eml
