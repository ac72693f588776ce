// Package ods reads OpenDocument spreadsheets: ods, ots, and the flat form fods.
//
// content.xml is read as a stream, one row at a time (sheet.go); cells keep their shown text, their stored value and their formula
// (cell.go), and the package grid finds the tables. Text inside cells, pictures, charts and comments are read by package odf.
package ods
