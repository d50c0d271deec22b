package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// The list of breaks that change no answer: three lines for each and an empty one between them. The first line is the file, a colon
// and the text of the line; the second what is broken and what it becomes; the third the reason.
//
//go:embed testdata/equivalent.txt
var equivalentText string

// readEquivalent returns the reason of each listed break by its key.
func readEquivalent() (map[string]string, error) {
	out := map[string]string{}
	if equivalentText == "" {
		return out, nil
	}
	for entry := range strings.SplitSeq(strings.TrimSpace(equivalentText), "\n\n") {
		lines := strings.Split(entry, "\n")
		if len(lines) != 3 {
			return nil, fmt.Errorf("equivalent.txt: an entry has three lines:\n%s", entry)
		}
		key := lines[0] + "\n" + lines[1]
		if out[key] != "" {
			return nil, fmt.Errorf("equivalent.txt: twice:\n%s", key)
		}
		out[key] = lines[2]
	}
	return out, nil
}
