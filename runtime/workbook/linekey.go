package workbook

import (
	"strconv"
	"strings"
)

// LineKey is what the hidden column of ids has in the rows of a record of an export: the record's id in its first row, and "id/2", "id/3" in those
// that only bring further rows of its sub-tables. So each row says whose it is, wherever somebody sorts it to.
func LineKey(id string, line int) string {
	if line == 0 {
		return id
	}
	return id + "/" + strconv.Itoa(line+1)
}

// LineOf reads a LineKey: the id, and whether the row is the record's first.
func LineOf(key string) (id string, first bool) {
	id, line, further := strings.Cut(strings.TrimSpace(key), "/")
	if n, err := strconv.Atoi(line); further && (err != nil || n < 2) {
		return key, true
	}
	return id, !further
}
