package workbook

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// columnName is "A" for 0.
func columnName(column int) string {
	var b [4]byte
	i := len(b)
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		i--
		b[i] = byte('A' + (n-1)%26)
	}
	return string(b[i:])
}

// Ref is the name of a cell, "B3": row is 1-based, column 0-based.
func Ref(row, column int) string { return columnName(column) + strconv.Itoa(row) }

func (r Range) ref() string {
	return Ref(r.Row, r.Column) + ":" + Ref(r.Row+max(r.Rows, 1)-1, r.Column+max(r.Columns, 1)-1)
}

// maxSheetName is the longest name of a worksheet, in UTF-16 units.
const maxSheetName = 31

// sheetName cleans a name of what spreadsheets refuse and makes it differ from those taken, which are in lower case.
func sheetName(name string, taken map[string]bool) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune(`[]:*?/\`, r) || r < ' ' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, name)
	name = strings.Trim(strings.Join(strings.Fields(name), " "), "' ")
	if name == "" || strings.EqualFold(name, "history") {
		name += "Sheet"
	}
	clean := strings.Trim(cutText(name, maxSheetName), "' ")
	for i := 2; taken[strings.ToLower(clean)]; i++ {
		suffix := " (" + strconv.Itoa(i) + ")"
		clean = strings.TrimRight(cutText(name, maxSheetName-len(suffix)), "' ") + suffix
	}
	taken[strings.ToLower(clean)] = true
	return clean
}

// cutText returns the first units UTF-16 units of s, without half a character.
func cutText(s string, units int) string {
	if len(s) <= units {
		return s
	}
	n := 0
	for i, r := range s {
		if n += max(utf16.RuneLen(r), 1); n > units {
			return s[:i]
		}
	}
	return s
}

// quoteSheet is the name of a worksheet in a formula.
func quoteSheet(name string) string { return "'" + strings.ReplaceAll(name, "'", "''") + "'" }
