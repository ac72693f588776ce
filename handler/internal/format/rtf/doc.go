// Package rtf reads Rich Text Format documents (version 1.9.1 and everything before it).
//
// The tokenizer (token.go) cuts the file into groups, control words and bytes. The parser (parse.go) keeps a state for each open
// group, as RTF does, and hands text to the story that is being written (story.go): body, note, header, text box. What a control
// word does is one table (control.go); where a group's text goes is another (destination.go). Tables are rows of cell edges
// until their grid is known (table.go), lists take their labels as they are printed (list.go), equations are read as the
// OMML that they mirror (math.go).
package rtf
