package expression

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold is the one folding of Contains: NFC, then unicode.ToLower of every rune, so that its length in runes stays and no
// language has rules of its own. Texts are stored in NFC already, so SQL needs only the lower-casing: this function on
// SQLite, lower() on PostgreSQL.
func Fold(s string) string {
	return strings.Map(unicode.ToLower, norm.NFC.String(s))
}
