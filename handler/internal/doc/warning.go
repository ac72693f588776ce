package doc

import "fmt"

// Warning is one entry of the loss report: something that was left out, guessed or repaired.
type Warning struct {
	Class   Class   `json:"class"`
	Message string  `json:"message"`         // for people: what, where, and what became of it
	Count   int     `json:"count,omitempty"` // how often, when more than once
	Places  []Place `json:"places,omitempty"`
}

// Class names one kind of loss, guess or repair. docs/warnings.md is generated from Classes.
type Class string

// ClassInfo describes a class.
type ClassInfo struct {
	Class  Class
	Effect string // lost, guessed, repaired, hidden, noted
	Words  string
}

// Classes lists every class that a warning may have.
var Classes = []ClassInfo{
	// anything
	{"wrong_extension", "noted", "The content is of another format than the name says; the content was believed."},
	{"outside_converter", "noted", "The file was read through an outside converter, which does not say what it leaves out."},
	{"charset_guessed", "guessed", "The character encoding is not declared and was guessed from the whole text."},
	{"invalid_characters", "repaired", "Bytes that are not text in the file's encoding were replaced by U+FFFD."},
	{"truncated", "lost", "The file ends early; what was there was read."},
	{"repaired", "repaired", "Damaged structure was repaired."},
	{"nesting_flattened", "repaired", "Content nested deeper than the limit was kept, but flattened."},
	{"limit_reached", "lost", "A limit was reached; what lies beyond it was not read."},
	{"structure_simplified", "noted", "The document is so large that its structure was kept in a simpler form; the text is whole."},
	{"unsupported_part", "lost", "A part of a kind that is not read was left out."},
	{"missing_part", "lost", "A part that the document refers to is not there."},
	{"external_reference", "noted", "The document refers to something outside; it was not fetched."},
	{"active_content", "lost", "Scripts, macros or other active content were left out."},
	{"unsafe_link", "lost", "A link with an unsafe target lost its target and kept its text."},
	{"image_skipped", "lost", "A picture could not be read or written and was left out."},
	{"empty_document", "noted", "There is nothing to read in the document."},
	{"hidden_text", "hidden", "Text that a reader does not see was kept apart."},
	{"hidden_element", "hidden", "Elements that a reader does not see were kept apart."},
	{"boilerplate_dropped", "lost", "Navigation and other boilerplate was left out of the main content."},
	{"metadata_invalid", "repaired", "A metadata field could not be understood and was left out."},
	// sheets and tables
	{"hidden_sheet", "hidden", "A hidden sheet was kept apart."},
	{"hidden_rows", "hidden", "Hidden rows were kept apart."},
	{"hidden_columns", "hidden", "Hidden columns were kept apart."},
	{"ragged_rows", "repaired", "Rows have different numbers of cells; the table was widened."},
	{"delimiter_guessed", "guessed", "The delimiter was guessed from the whole text."},
	{"quoting_repaired", "repaired", "Quotation marks that break the rules of CSV were kept as text."},
	{"formula_uncached", "lost", "A formula has no stored result; the formula is shown."},
	{"number_format_unknown", "guessed", "A number format is not understood; the plain number is shown."},
	{"header_guessed", "guessed", "The header rows of a table were guessed."},
	{"table_guessed", "guessed", "A table without rules was found by alignment."},
	{"overlapping_cells", "repaired", "Cells that cover each other were moved apart."},
	// word processing
	{"tracked_changes", "noted", "The document has tracked changes; Options.Revisions says which view was taken."},
	{"comments_left_out", "hidden", "Comments are in document.json only."},
	{"numbering_guessed", "guessed", "An automatic number could not be computed exactly."},
	{"field_uncached", "lost", "A field has no stored result."},
	{"equation_approximated", "guessed", "An equation has parts that LaTeX was only approximated for."},
	{"chart_without_data", "lost", "A chart has no stored data; its title was kept."},
	// slides
	{"hidden_slide", "hidden", "A hidden slide was kept apart."},
	// mail
	{"unclosed_boundary", "repaired", "A multipart body has no closing boundary."},
	{"header_repaired", "repaired", "A header breaks the rules and was read leniently."},
	{"duplicate_part", "noted", "An alternative form of the same content was left out."},
	{"signature_unchecked", "noted", "The mail is signed; the signature was not checked."},
	// archives and attachments
	{"attachment_failed", "lost", "A document inside this one could not be converted; it has its own record."},
	{"attachments_listed", "noted", "Documents inside this one were listed, not converted."},
	{"name_cleaned", "repaired", "A member's name would leave its folder, or is not valid, and was cleaned."},
	// PDF and images
	{"unmapped_glyphs", "lost", "Characters have no Unicode mapping; the text of the page is not reliable."},
	{"page_failed", "lost", "A page could not be read."},
	{"scanned_page", "lost", "A page is a picture without text; it needs OCR."},
	{"ocr_text", "guessed", "The text was recognized from a picture and may have errors."},
	{"visual_order", "repaired", "Right-to-left text was stored in visual order and was put into logical order."},
	{"hyphen_joined", "repaired", "Words divided at line ends were joined."},
	{"reading_order_guessed", "guessed", "The reading order is not clear on a page."},
	{"furniture_dropped", "noted", "Running headers, footers or page numbers were taken out of the body."},
	{"headings_guessed", "guessed", "Headings were recognized by their looks."},
	{"annotation_kept_apart", "hidden", "Annotations are in document.json only."},
	// chunks
	{"header_dropped", "lost", "A table's header rows did not fit beside the row and were left out of the chunk's context."},
	{"path_shortened", "noted", "A heading path was shortened from the top to fit the chunk."},
}

// Known tells whether a class is in Classes.
func (c Class) Known() bool {
	for _, info := range Classes {
		if info.Class == c {
			return true
		}
	}
	return false
}

// Warn adds a warning. Equal class and message add up into one entry with a count, and keep the first places.
// A class has at most maxClassEntries different messages: what comes then is counted in one entry, so that a document
// made to have a million faults costs neither time nor memory.
func (d *Document) Warn(class Class, message string, places ...Place) {
	if !class.Known() {
		panic(fmt.Sprintf("doc: internal error: unknown warning class %q", class))
	}
	ofClass := 0
	for i := range d.Warnings {
		w := &d.Warnings[i]
		if w.Class != class {
			continue
		}
		if ofClass++; ofClass > maxClassEntries {
			message = moreOfClass
		}
		if w.Message == message {
			w.Count = max(1, w.Count) + 1
			if len(w.Places) < maxWarningPlaces {
				w.Places = append(w.Places, places...)
			}
			return
		}
	}
	if ofClass == maxClassEntries {
		message = moreOfClass
	}
	d.Warnings = append(d.Warnings, Warning{Class: class, Message: message, Places: places})
}

// Bounds of the loss report.
const (
	maxWarningPlaces = 20  // places of one warning, so that a document full of faults has a readable report
	maxClassEntries  = 100 // different messages of one class

	moreOfClass = "There is more of this kind; it is counted, not listed one by one."
)
