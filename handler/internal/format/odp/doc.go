// Package odp reads OpenDocument presentations: odp, otp, and the flat form fodp.
//
// Each page becomes a group: its title as heading, its shapes in reading order, its notes last. What is in the shapes is read by
// package odf; the order comes from package drawingml, which knows how slides are read.
package odp
