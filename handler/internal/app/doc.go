// Package app builds the program from its parts: it is the only package that knows them all.
// One file a subcommand; compose.go makes the parts that several subcommands share.
package app
