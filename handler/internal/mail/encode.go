package mail

import (
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"strings"
)

// Encode writes the letter as a message that Parse reads: for letters that came from somewhere else than a message.
func (l *Letter) Encode(w io.Writer) {
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%s: %s\r\n", name, strings.NewReplacer("\r", " ", "\n", " ").Replace(value))
		}
	}
	const boundary = "=_decant_part"
	field("Subject", mime.QEncoding.Encode("utf-8", l.Subject))
	field("From", encodePeople(l.From))
	field("To", encodePeople(l.To))
	field("Cc", encodePeople(l.Cc))
	field("Bcc", encodePeople(l.Bcc))
	field("Date", l.Date)
	if l.MessageID != "" {
		field("Message-ID", "<"+l.MessageID+">")
	}
	field("MIME-Version", "1.0")
	field("Content-Type", `multipart/related; boundary="`+boundary+`"`)
	for _, b := range l.Bodies {
		kind := "text/plain"
		if b.Kind == "html" {
			kind = "text/html"
		}
		fmt.Fprintf(w, "\r\n--%s\r\nContent-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n", boundary, kind)
		encode64(w, strings.NewReader(b.Text))
	}
	for _, f := range l.Files {
		fmt.Fprintf(w, "\r\n--%s\r\n", boundary)
		if f.Type == "" {
			f.Type = "application/octet-stream"
		}
		placing := "attachment"
		if f.Inline {
			placing = "inline"
		}
		field("Content-Type", f.Type)
		field("Content-Disposition", mime.FormatMediaType(placing, map[string]string{"filename": f.Name}))
		if f.ID != "" {
			field("Content-ID", "<"+f.ID+">")
		}
		field("Content-Transfer-Encoding", "base64")
		fmt.Fprint(w, "\r\n")
		encode64(w, f.Open())
	}
	fmt.Fprintf(w, "\r\n--%s--\r\n", boundary)
}

func encodePeople(people []Address) string {
	var list []string
	for _, a := range people {
		if a.Name != "" && a.Email != "" {
			list = append(list, mime.QEncoding.Encode("utf-8", `"`+strings.ReplaceAll(a.Name, `"`, "'")+`"`)+" <"+a.Email+">")
		} else {
			list = append(list, mime.QEncoding.Encode("utf-8", a.String()))
		}
	}
	return strings.Join(list, ", ")
}

func encode64(w io.Writer, r io.Reader) {
	e := base64.NewEncoder(base64.StdEncoding, w)
	_, _ = io.Copy(e, r)
	_ = e.Close()
	fmt.Fprint(w, "\r\n")
}
