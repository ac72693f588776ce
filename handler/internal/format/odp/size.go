package odp

import (
	"decant/handler/internal/odf"
	"decant/handler/internal/xmltree"
)

// sizes are the page sizes in points by master page: a master names a page layout, and the layout has the size.
type sizes map[string][2]float64

// readSizes reads the page layouts of styles.xml; a flat file has them in its only part.
func readSizes(pkg *odf.Package) sizes {
	out := sizes{}
	root, err := pkg.Tree("styles.xml")
	if err != nil || root == nil {
		return out
	}
	layouts := map[string][2]float64{}
	root.Walk(func(n *xmltree.Node) bool {
		if n.Name == "style:page-layout" {
			properties := n.Child("style:page-layout-properties")
			width, ok1 := odf.Length(properties.Attr("fo:page-width"))
			height, ok2 := odf.Length(properties.Attr("fo:page-height"))
			if ok1 && ok2 {
				layouts[n.Attr("style:name")] = [2]float64{width, height}
			}
		}
		return n.Name != "office:body"
	})
	for _, master := range root.Child("office:master-styles").All("style:master-page") {
		out[master.Attr("style:name")] = layouts[master.Attr("style:page-layout-name")]
	}
	return out
}
