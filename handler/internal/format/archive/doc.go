// Package archive reads zip, tar and 7z archives and compressed files (gz, bz2, xz, zst).
//
// The members become documents of their own through children.Add; the archive's own document lists them. Names are decoded and
// cleaned, encrypted members are named as such, members that unpack to far more than they store are stopped while they unpack,
// and whatever is wrong with one member leaves the others alone.
package archive
