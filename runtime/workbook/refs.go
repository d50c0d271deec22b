package workbook

import "bytes"

// parseRef reads "B3" or "$B$3": row is 1-based, column 0-based. A reference outside a worksheet is not ok.
func parseRef(ref []byte) (row, column int, ok bool) {
	i := 0
	if i < len(ref) && ref[i] == '$' {
		i++
	}
	letters := i
	for ; i < len(ref); i++ {
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		if column = column*26 + int(c-'A') + 1; column > MaxColumns {
			return 0, 0, false
		}
	}
	if i == letters {
		return 0, 0, false
	}
	if i < len(ref) && ref[i] == '$' {
		i++
	}
	row, ok = parseRow(ref[i:])
	return row, column - 1, ok
}

func parseRow(digits []byte) (row int, ok bool) {
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		if row = row*10 + int(c-'0'); row > MaxRows {
			return 0, false
		}
	}
	return row, row > 0
}

// parseRange reads "A1:C3" or "A1".
func parseRange(ref []byte) (Range, bool) {
	first, last, two := bytes.Cut(ref, []byte(":"))
	if !two {
		last = first
	}
	row, column, ok := parseRef(first)
	row2, column2, ok2 := parseRef(last)
	if !ok || !ok2 || row2 < row || column2 < column {
		return Range{}, false
	}
	return Range{Row: row, Column: column, Rows: row2 - row + 1, Columns: column2 - column + 1}, true
}
