// Package findertest holds names that every place where something is picked by its name is tested with, in Go and in the browser
// (ui/src/testing/names.ts): 40 that a longer name has, and more than 40 that people type by several sounds. It is for tests.
package findertest

import (
	_ "embed" // the table
	"encoding/json"
)

//go:embed names.json
var table []byte

// Reading is a name and sounds by which people type it, initials among them.
type Reading struct {
	Name   string   `json:"name"`
	Sounds []string `json:"sounds"`
}

// Table is the names.
type Table struct {
	Pairs    [][2]string `json:"pairs"` // a name, and a longer one that has it
	Readings []Reading   `json:"readings"`
}

// Names is the table.
func Names() (out Table) {
	if err := json.Unmarshal(table, &out); err != nil || len(out.Pairs) < 40 || len(out.Readings) < 40 {
		panic("names.json is no table of names")
	}
	return out
}
