package ooxml_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"decant/handler/internal/ooxml"
	"decant/handler/internal/xmltree"
)

// Categories that are dates, and values that are shares, are stored as plain numbers.
func TestChartShowsNumbersAsTheirFormatsDo(t *testing.T) {
	const chart = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:lineChart><c:ser>
		<c:tx><c:v>share</c:v></c:tx>
		<c:cat><c:numRef><c:numCache><c:formatCode>m/d/yyyy</c:formatCode><c:pt idx="0"><c:v>45366</c:v></c:pt><c:pt idx="1"><c:v>45367</c:v></c:pt></c:numCache></c:numRef></c:cat>
		<c:val><c:numRef><c:numCache><c:formatCode>0.0%</c:formatCode><c:pt idx="0"><c:v>0.125</c:v></c:pt><c:pt idx="1" formatCode="General"><c:v>0.30000000000000004</c:v></c:pt></c:numCache></c:numRef></c:val>
		</c:ser></c:lineChart></c:plotArea></c:chart></c:chartSpace>`
	root, _, err := xmltree.Parse(strings.NewReader(chart), xmltree.Options{Namespaces: ooxml.Namespaces})
	if err != nil {
		t.Fatal(err)
	}
	block, ok := ooxml.Chart(root)
	if !ok {
		t.Fatal("no data")
	}
	var got []string
	for _, c := range block.Table.Cells {
		got = append(got, c.PlainText())
	}
	if diff := cmp.Diff([]string{"", "share", "2024-03-15", "12.5%", "2024-03-16", "0.3"}, got); diff != "" {
		t.Error(diff)
	}
}
