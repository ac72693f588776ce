// Package config is the only reader of the environment. Load reads it once, fills in defaults, and reports every problem in one error.
//
// Variables is the table of all settings; the README's configuration table is checked against it.
package config
