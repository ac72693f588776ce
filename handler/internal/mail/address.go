package mail

import (
	"strings"

	"decant/handler/internal/lazyregexp"
)

// Address is a person or list in a header.
type Address struct {
	Name  string
	Email string
}

// String is "Name <email>", or what there is of it.
func (a Address) String() string {
	switch {
	case a.Name == "" || a.Name == a.Email:
		return a.Email
	case a.Email == "":
		return a.Name
	}
	return a.Name + " <" + a.Email + ">"
}

// Addresses reads a list of addresses. One that breaks the rules is kept as it stands; it never spoils the others.
func Addresses(header string) []Address {
	var list []Address
	for _, piece := range splitAddresses(header) {
		a := address(piece)
		a.Email = plainText(a.Email) // what is no ASCII there is against the rules, and found all the same
		if a != (Address{}) {
			list = append(list, a)
		}
	}
	return list
}

// splitAddresses cuts at commas and semicolons outside of quotes, brackets and comments, and looks into groups ("name: a, b;").
func splitAddresses(header string) []string {
	var pieces []string
	start, depth, quoted, angle := 0, 0, false, false
	for i := 0; i < len(header); i++ {
		switch c := header[i]; {
		case c == '\\':
			i++
		case c == '"' && depth == 0:
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == '<':
			angle = true
		case c == '>':
			angle = false
		case depth > 0 || angle:
		case c == ':' && !strings.Contains(header[start:i], "@"):
			start = i + 1
		case c == ',' || c == ';':
			pieces = append(pieces, header[start:i])
			start = i + 1
		}
	}
	if start < len(header) {
		pieces = append(pieces, header[start:])
	}
	return pieces
}

var comment = lazyregexp.New(`\(([^()]*)\)`)

func address(piece string) Address {
	piece = strings.TrimSpace(piece)
	if open := strings.LastIndexByte(piece, '<'); open >= 0 {
		email, _, _ := strings.Cut(piece[open+1:], ">")
		return Address{Name: personName(piece[:open]), Email: strings.TrimSpace(email)}
	}
	if m := comment.FindStringSubmatch(piece); m != nil {
		return Address{Name: personName(m[1]), Email: strings.TrimSpace(comment.ReplaceAllString(piece, ""))}
	}
	if strings.Contains(piece, "@") && !strings.Contains(piece, " ") {
		return Address{Email: strings.Trim(piece, `"'`)}
	}
	return Address{Name: personName(piece)}
}

func personName(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, `"`) {
		s = unquoteString(s)
	}
	return strings.TrimSpace(strings.Trim(DecodeWords(s), `"'`))
}
