package ipynb_test

import (
	"testing"

	"decant/handler/internal/format/formattest"
	"decant/handler/internal/format/ipynb"
)

func FuzzParse(f *testing.F) {
	formattest.Fuzz(f, ipynb.Format(), "a.ipynb",
		"{\"cells\":[{\"cell_type\":\"code\",\"source\":[\"x\"],\"outputs\":[{\"output_type\":\"stream\",\"text\":[\"y\"]}]},{\"cell_type\":\"markdown\",\"source\":\"# h\"}],\"nbformat\":4}",
	)
}
