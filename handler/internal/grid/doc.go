// Package grid finds the tables of a spreadsheet and makes document blocks of them.
//
// A sheet is a sparse field of cells with titles, tables, remarks and stray values on it. A parser fills a Sheet with the cells
// that are not empty, and Blocks gives what a person sees there, in reading order:
//
//   - regions.go: cells that touch form a region; the used range of the sheet is never walked, so a far cell costs nothing
//   - join.go: regions that an empty spacer column or row tears apart become one again, when all evidence says so
//   - title.go: rows above and below a table that hold one text become paragraphs
//   - header.go: header rows, by defined tables, print titles and filters, else by what stands in them
//   - hidden.go: cells in hidden rows and columns, apart
//   - adopt.go: column names that spacers tear off come back to their table
//   - blocks.go, table.go, cell.go: regions as tables and paragraphs with their places
//   - stream.go: the same for a sheet that is too large to be in memory, window by window
//   - lines.go: what a sheet becomes that has more cells than memory holds as tables
//
// It knows no file format; xlsx and ods fill it.
package grid
