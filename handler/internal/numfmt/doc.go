// Package numfmt turns the numbers of spreadsheet cells into the text that a person sees, by Excel's number formats
// (ECMA-376 part 1, 18.8.30 and 18.8.31; the same codes serve OpenDocument once its styles are written as codes).
//
// Parse reads a format code once; Format.Number applies it to a value as often as wanted. A code has up to four sections
// (positive; negative; zero; text), each with literals, digits, scaling, fractions, exponents, conditions and date parts.
//
// Two policies differ from Excel's screen. Dates are always ISO 8601, because the built-in date formats follow the reader's country;
// times of day and durations are shown as the format says. And numbers in the General format are not cut to the column's width:
// they have up to 15 significant digits, and whole numbers keep all the digits that the file has.
package numfmt
