// Package xlsx compares decant's reading of workbooks with excelize's, on the same file in the same run.
//
//	go test -C tests/bench/xlsx -bench . -benchtime 3x
//
// It is a module of its own, so that excelize is no dependency of decant.
package xlsx
