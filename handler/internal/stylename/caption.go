package stylename

import "decant/handler/internal/lazyregexp"

var (
	tableLabel  = lazyregexp.New(`(?i)^\s*(?:table|tab\.|tabelle|tableau|tabla|tabella|tabela|tabel|tabell|taulukko|таблица|表)(?:[\s\d.:]|$)`)
	figureLabel = lazyregexp.New(`(?i)^\s*(?:figure|fig\.|abbildung|abb\.|illustration|figura|figuur|figur|kuva|рисунок|рис\.|drawing|photo|图|圖|図)(?:[\s\d.:]|$)`)
)

// BelowTable tells whether a caption with this role and text may be that of the table right above it.
func BelowTable(role Role, text string) bool {
	return role == Caption && !figureLabel.MatchString(text)
}

// BelowFigure tells whether a caption with this role and text may be that of the picture right above it.
func BelowFigure(role Role, text string) bool {
	return role == FigureCaption || role == Caption && !tableLabel.MatchString(text)
}
