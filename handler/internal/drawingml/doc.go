// Package drawingml turns DrawingML (ECMA-376 part 1, 20 and 21) into document blocks: the shapes of slides and of drawings on sheets,
// with their text, lists, tables, pictures, charts and diagrams.
//
//	shapes := drawingml.Shapes(tree, document)          // the shape tree with boxes and placeholders
//	reader := &drawingml.Reader{Package: p, Part: part, ...}
//	for _, s := range drawingml.ReadingOrder(shapes) {
//		blocks = append(blocks, reader.Blocks(s)...)
//	}
//
// Names are compared without their prefix, because the same shapes stand in the namespaces of slides ("p:sp") and of sheets ("xdr:sp").
// Boxes are in points. The package knows neither slides nor sheets; pptx and xlsx say what is inherited and where things stand.
package drawingml
