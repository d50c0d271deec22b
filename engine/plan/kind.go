package plan

// Kind is what a value is to expressions, predicates and columns. Property types choose from these; the engine knows no
// other distinction between them.
type Kind uint8

// The kinds, and the Go value that represents each wherever values travel between packages. nil is the empty value of
// every kind; "" and empty sets never travel.
const (
	None    Kind = iota
	Text         // string, NFC
	Number       // decimal.Decimal (shopspring), at most 16 integer and 8 fraction digits when stored
	Date         // string "2006-01-02"
	Instant      // time.Time, UTC, whole milliseconds
	Clock        // string "15:04:05"
	Bool         // bool
	ID           // string, lower-case UUID of a record (people and departments are records too)
	Set          // []string without repeats, in the order given: option codes, or ids; stored joined with ';' and in a link table
	Int          // int64; system columns only (version, ordinals)
	Rows         // the rows of a sub-table; no column
	Bytes        // []byte; in tables of the engine only
)

var kindNames = [...]string{"none", "text", "number", "date", "instant", "clock", "bool", "id", "set", "int", "rows", "bytes"}

func (k Kind) String() string { return kindNames[k] }

// Label is a text for people: Chinese and the other locales. Missing locales fall back to Zh.
type Label struct {
	Zh   string            `json:"zh"`
	I18n map[string]string `json:"i18n,omitempty"`
}

// In returns the text in a locale ("zh", "en").
func (l Label) In(locale string) string {
	if t := l.I18n[locale]; t != "" {
		return t
	}
	return l.Zh
}
