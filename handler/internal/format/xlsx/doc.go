// Package xlsx reads Excel workbooks: xlsx, xlsm, xltx, xltm.
//
// A worksheet is read as a stream of cells (sheet.go), each cell is turned into what a person sees (cell.go) by the workbook's
// shared strings (strings.go) and number formats (styles.go), and the package grid finds tables, headers, titles and remarks in
// the sparse field of cells. Around the cells come defined tables (table.go), comments (comment.go), and drawings with pictures,
// charts, text boxes and diagrams (drawing.go). workbook.go knows the sheets and their order; parse.go makes the document.
//
// ReadCells is the stream alone, for programs that want a sheet's cells in constant memory.
package xlsx
