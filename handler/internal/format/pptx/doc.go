// Package pptx reads PowerPoint presentations: pptx, pptm, ppsx, potx and their macro forms.
//
// presentation.go knows the slides in their order and the size of the page; slide.go makes a group of each slide: title as heading,
// shapes in reading order, notes last. inherit.go finds what a placeholder inherits from its layout and master: its place and its
// bullets, never their text. comment.go reads the old and the new kind of comments. What shapes are is read by drawingml.
package pptx
