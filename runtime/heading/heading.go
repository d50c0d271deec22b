// Package heading says what the columns of a spreadsheet are called, and what a heading of a file means. The reader decides what is written
// (docs/adr/0078-what-files-call-things.md): a heading is a label where the reader takes it as this one column, otherwise the label with the
// code behind it: "Status（sequenceStatus）". It reads headings of our own files; what foreign files may mean is in engine/sheethead.
package heading

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/record"
)

// ID is the code of the column that says which record, or which row of a sub-table, a row of a file is.
const ID = catalog.ID

// idLabel is what files call it.
const idLabel = "ID"

// Column is a property that an import can write: of the model, or of one of its sub-tables.
type Column struct {
	Field *catalog.Field
	Sheet *catalog.Field // that holds it; nil for the record's own
}

// Code is how files and calls name the column: "part", or "items.point" in a sub-table.
func (c Column) Code() string { return join(c.Sheet, c.Field.Code) }

// Label is what people call the column.
func (c Column) Label(locale string) string {
	if c.Sheet != nil {
		return c.Sheet.Label.In(locale) + "." + c.Field.Label.In(locale)
	}
	return c.Field.Label.In(locale)
}

func join(sheet *catalog.Field, code string) string {
	if sheet != nil {
		return sheet.Code + "." + code
	}
	return code
}

// All are the columns of a model that somebody may be able to import.
func All(m *catalog.Model) []Column {
	return Columns(m, record.Settable)
}

// Columns are the properties of a model that cells can hold, in the order of the model, those of each sub-table together at the place of the
// sub-table: as far as may is true of them and of their sub-table.
func Columns(m *catalog.Model, may func(*catalog.Field) bool) (out []Column) {
	for _, f := range m.Fields {
		switch {
		case !may(f):
		case f.Sheet != nil:
			for _, g := range f.Sheet.Fields {
				if may(g) && g.Sheet == nil && readable(g) {
					out = append(out, Column{Field: g, Sheet: f})
				}
			}
		case readable(f):
			out = append(out, Column{Field: f})
		}
	}
	return out
}

// readable: a cell can say the value. Files cannot come in cells.
func readable(f *catalog.Field) bool {
	_, files := f.Property.(property.FileTaker)
	return !files && len(f.Columns()) > 0
}

// names are what the columns of a record, or of a sub-table, are called.
type names struct {
	columns map[string][]string // plain heading -> codes of columns that an import can write; of several the first one is meant
	called  map[string][]string // code in lower case -> plain headings, also of columns that no import can write
	writes  map[string]string   // code in lower case -> code, of columns that an import can write
}

func newNames() *names {
	return &names{columns: map[string][]string{}, called: map[string][]string{}, writes: map[string]string{}}
}

// property adds what a property is called: its label in each language, and its code.
func (n *names) property(f *catalog.Field) {
	for _, text := range texts(f) {
		n.call(strings.ToLower(f.Code), text)
	}
}

// column adds a property that an import can write. Of two that are called the same the first one is meant.
func (n *names) column(f *catalog.Field) {
	n.writes[strings.ToLower(f.Code)] = f.Code
	for _, text := range texts(f) {
		n.mean(text, f.Code)
	}
}

func (n *names) call(code, text string) { n.called[code] = append(n.called[code], text) }

func (n *names) mean(text, code string) {
	if text != "" && !slices.Contains(n.columns[text], code) {
		n.columns[text] = append(n.columns[text], code)
	}
}

// id adds the column of ids; a property that is called so is meant before it.
func (n *names) id() {
	n.writes[ID] = ID
	n.call(ID, Plain(idLabel))
	n.mean(Plain(idLabel), ID)
}

// shown adds what a list calls its columns. Properties are meant before them.
func (n *names) shown(columns []catalog.Column) {
	for _, c := range columns {
		if c.Label.Zh == "" || len(c.Path.Steps) > 0 || c.Path.Field == nil {
			continue
		}
		code := strings.ToLower(c.Path.Field.Code)
		for _, text := range labels(c.Label) {
			n.call(code, text)
			if own, writes := n.writes[code]; writes {
				n.mean(text, own)
			}
		}
	}
}

// code is the column that a heading means: "" where no import can write it. known is false when nothing is called so.
func (n *names) code(text string) (code string, known bool) {
	if code, known = n.told(text); known {
		return code, true
	}
	if all := n.columns[Plain(text)]; len(all) > 0 {
		return all[0], true
	}
	return "", false
}

// told reads a label with the code behind it.
func (n *names) told(text string) (code string, ok bool) {
	label, in, ok := bracketed(text)
	if !ok {
		return "", false
	}
	in = strings.ToLower(in)
	if slices.Contains(n.called[in], Plain(label)) {
		return n.writes[in], true
	}
	first, _, related := strings.Cut(in, ".")
	return "", related && n.called[first] != nil
}

// written is what a file calls a column: code is that of the property, or the path to one of a related record.
func (n *names) written(code, label string) string {
	want := n.writes[strings.ToLower(code)]
	other := func(c string) bool { return c != want }
	if got, _ := n.code(label); got == want && !slices.ContainsFunc(n.columns[Plain(label)], other) {
		return label
	}
	return WithCode(label, code)
}

// WithCode is a label with what tells it apart.
func WithCode(label, code string) string { return label + "（" + code + "）" }

// bracketed parts a text that ends with brackets of either width.
func bracketed(text string) (before, in string, ok bool) {
	text = strings.TrimSpace(text)
	for _, pair := range []string{"（）", "()"} {
		open, end := string([]rune(pair)[0]), string([]rune(pair)[1])
		if at := strings.LastIndex(text, open); at > 0 && strings.HasSuffix(text, end) {
			return text[:at], strings.TrimSpace(text[at+len(open) : len(text)-len(end)]), true
		}
	}
	return "", "", false
}

func texts(f *catalog.Field) []string { return append(labels(f.Label), Plain(f.Code)) }

func labels(l plan.Label) []string { return []string{Plain(l.In("zh")), Plain(l.In("en"))} }

var required = regexp.MustCompile(`^[*]+|[*]+$|[(（](必填|required|mandatory)[)）]$`)

// Plain is how headings are compared: without case, width, spaces and marks of required columns.
func Plain(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(norm.NFKC.String(text)), " "))
	for {
		shorter := strings.TrimSpace(required.ReplaceAllString(text, ""))
		if shorter == text {
			return strings.ReplaceAll(text, " ", "")
		}
		text = shorter
	}
}
