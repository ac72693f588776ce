// Package pdftest writes small PDF files for tests: content streams are given as text, so that a test shows what stands on its pages.
//
//	file := pdftest.New()
//	file.Page("BT /F1 12 Tf 72 720 Td (Hello) Tj ET")
//	data := file.Bytes()
//
// Every page is US Letter, 612 x 792 points, with the fonts F1 (Helvetica), F2 (Helvetica-Bold), F3 (Times-Roman) and F4 (Courier).
// Whatever else a test needs, such as images, layers or annotations, it adds as objects with File.Object.
package pdftest
