package rtf

import "strings"

// formField is a field of a form that is being read: a box to tick, a list to choose from.
type formField struct {
	name     string
	chosen   int // \ffres: 25 when nobody has chosen
	standard int // \ffdefres
	choices  []string
}

const (
	unset      = 25
	maxChoices = 1000
)

func (p *parser) choice(text string) {
	if len(p.form.choices) < maxChoices {
		p.form.choices = append(p.form.choices, strings.TrimSpace(text))
	}
}

// formValue is what a field of a form shows, when its result does not hold it: the box, ticked or not, or what is chosen.
func (p *parser) formValue(instruction string) string {
	value := p.form.chosen
	if value == unset {
		value = p.form.standard
	}
	word, _, _ := strings.Cut(strings.TrimSpace(instruction), " ")
	switch strings.ToUpper(word) {
	case "FORMCHECKBOX":
		if value == 1 {
			return "☑"
		}
		return "☐"
	case "FORMDROPDOWN":
		if value >= 0 && value < len(p.form.choices) {
			return p.form.choices[value]
		}
	}
	return ""
}
