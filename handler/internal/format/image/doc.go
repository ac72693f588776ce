// Package image reads pictures: size, orientation and what EXIF says of when and with what they were made, ready for recognition.
//
// A picture is one page that is a scan (several in a TIFF), with the picture itself as a figure. Pixels are not decoded here:
// headers are enough, so a picture of any size is read in no time. An SVG drawing gives its text.
package image
