package doc

import (
	"encoding/json"
	"fmt"
)

var markNames = []string{
	"strong", "emphasis", "underline", "strike", "superscript", "subscript", "monospace", "highlight", "inserted", "deleted", "smallcaps",
}

// Has tells whether all of the given marks are set.
func (m Marks) Has(marks Marks) bool { return m&marks == marks }

// Names lists the marks by name, in a fixed order.
func (m Marks) Names() []string {
	var names []string
	for i, name := range markNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// MarshalJSON writes the marks as a list of names.
func (m Marks) MarshalJSON() ([]byte, error) { return json.Marshal(m.Names()) }

// UnmarshalJSON reads a list of names.
func (m *Marks) UnmarshalJSON(text []byte) error {
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		return err
	}
	*m = 0
next:
	for _, name := range names {
		for i, known := range markNames {
			if name == known {
				*m |= 1 << i
				continue next
			}
		}
		return fmt.Errorf("unknown mark %q", name)
	}
	return nil
}
