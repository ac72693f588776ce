package odf

import (
	"math"
	"strconv"
	"strings"

	"decant/handler/internal/xmltree"
)

// A shape is a rule across the page when it is at least this wide and at most this high, in points.
const (
	minRuleWidth  = 200
	maxRuleHeight = 7.2
)

// isRule tells whether a shape without text is a line across the page: Word's horizontal lines become such shapes in LibreOffice.
func isRule(shape *xmltree.Node) bool {
	switch shape.Name {
	case "draw:line":
		return extent(shape, "svg:x1", "svg:x2") >= minRuleWidth && extent(shape, "svg:y1", "svg:y2") <= maxRuleHeight
	case "draw:rect", "draw:custom-shape":
		wide := shape.Attr("style:rel-width") == "100%" || points(shape.Attr("svg:width")) >= minRuleWidth
		return wide && points(shape.Attr("svg:height")) <= maxRuleHeight
	}
	return false
}

func extent(shape *xmltree.Node, from, to string) float64 {
	return math.Abs(points(shape.Attr(to)) - points(shape.Attr(from)))
}

// isRuled tells whether the style has a border above or below. It may be called on nil.
func (st *Style) isRuled() bool {
	return st != nil && st.border != "" && st.border != "none" && st.border != "hidden"
}

// units are points by unit of length.
var units = map[string]float64{"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72, "pt": 1, "pc": 12, "px": 0.75}

// Length reads a length such as "2.54cm" as points.
func Length(text string) (float64, bool) {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	unit, known := units[text[len(number):]]
	value, err := strconv.ParseFloat(number, 64)
	return value * unit, known && err == nil
}

func points(length string) float64 {
	value, _ := Length(length)
	return value
}
