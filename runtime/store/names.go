package store

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

const longestName = 60

// physical is a table's, column's or index's name in the database: longer ones are cut to 51 bytes and 8 hex digits of
// their SHA-256 (docs/formats.md).
func physical(name string) string {
	if len(name) <= longestName {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	cut := name[:51]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	return cut + "_" + hex.EncodeToString(sum[:])[:8]
}

// Ident returns the quoted SQL identifier for a name, shortened if necessary.
func Ident(name string) string { return quote(physical(name)) }

// LinkTable is the table of a Set column's members: v (the record), id (the member), ordinal.
func LinkTable(table, column string) string { return table + "__" + column }

// GramTable is the full text table of a searched column on SQLite.
func GramTable(table, column string) string {
	return gramPrefix + strings.TrimPrefix(table, tablePrefix) + "__" + column
}

// Names of tables begin so: those of models and those of grams.
const tablePrefix, gramPrefix = "d_", "g_"

// GramColumn is the column of grams beside a searched column on PostgreSQL.
func GramColumn(column string) string { return column + "__grams" }

// objectName names an index or constraint from what it covers, so that it stays the same from plan to plan.
func objectName(prefix, table string, columns ...string) string {
	return physical(prefix + "_" + table + "__" + strings.Join(columns, "__"))
}

func primaryKey(table string) string { return objectName("p", table, "id") }
