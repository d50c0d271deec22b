package heading

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// Names are what the columns of a model's files are called.
type Names struct {
	columns []Column
	byCode  map[string]string // code in lower case -> code, of columns that an import can write
	own     *names
	groups  *names // the sub-tables
	sheets  map[string]*catalog.Field
	within  map[*catalog.Field]*names
	others  map[string]bool // codes of the model in lower case, also of what no import can write
}

// Of are the names for an import that can write some columns, in files of a list, which may be nil.
func Of(m *catalog.Model, columns []Column, l *catalog.List) *Names {
	n := &Names{columns: columns, byCode: map[string]string{ID: ID}, own: newNames(), groups: newNames(), sheets: map[string]*catalog.Field{},
		within: map[*catalog.Field]*names{}, others: map[string]bool{}}
	for _, f := range m.Fields {
		n.others[strings.ToLower(f.Code)] = true
		if f.Sheet == nil {
			n.own.property(f)
			continue
		}
		n.sheet(f)
	}
	for _, c := range columns {
		n.byCode[strings.ToLower(c.Code())] = c.Code()
		if c.Sheet == nil {
			n.own.column(c.Field)
			continue
		}
		n.byCode[strings.ToLower(join(c.Sheet, ID))] = join(c.Sheet, ID)
		n.groups.column(c.Sheet)
		n.within[c.Sheet].column(c.Field)
	}
	n.own.id()
	for _, in := range n.within {
		in.id()
	}
	if l == nil {
		return n
	}
	n.own.shown(l.Columns)
	n.groups.shown(l.Columns)
	for _, c := range l.Columns {
		if in := n.within[c.Path.Field]; in != nil {
			in.shown(c.Children)
		}
	}
	return n
}

// sheet adds a sub-table. Exports have a column of the ids of its rows.
func (n *Names) sheet(f *catalog.Field) {
	in := newNames()
	n.others[strings.ToLower(join(f, ID))] = true
	for _, g := range f.Sheet.Fields {
		n.others[strings.ToLower(join(f, g.Code))] = true
		in.property(g)
	}
	n.within[f], n.sheets[f.Code] = in, f
	n.groups.property(f)
}

// Code reads a code as a cell of the row of codes has it: the column, and whether the model has something of this code, so that a column of an
// export that no import can write is known too ("contract.partyB" is one of a related record).
func (n *Names) Code(text string) (code string, known bool) {
	text = strings.ToLower(text)
	first, _, _ := strings.Cut(text, ".")
	code = n.byCode[text]
	return code, code != "" || n.others[text] || n.others[first]
}

// Own is the column of the record that a heading means; "" = none that can be written.
func (n *Names) Own(text string) string {
	code, _ := n.own.code(text)
	return code
}

// Told reads a heading that has the code behind the label, of the record or of a sub-table: "" is a column that no import can write. ok is false
// for other headings.
func (n *Names) Told(sheet *catalog.Field, text string) (code string, ok bool) {
	in := n.own
	if sheet != nil {
		in = n.within[sheet]
	}
	if code, ok = in.told(text); code != "" {
		code = join(sheet, code)
	}
	return code, ok
}

// Group is the sub-table that a heading above others means; nil = none that can be written.
func (n *Names) Group(text string) *catalog.Field {
	code, _ := n.groups.code(text)
	return n.sheets[code]
}

// Within is the column of a sub-table that a heading below its own means; "" = none that can be written.
func (n *Names) Within(sheet *catalog.Field, text string) string {
	if code, _ := n.within[sheet].code(text); code != "" {
		return join(sheet, code)
	}
	return ""
}

// joints stand between the heading of a sub-table and that of its column where both are in one cell.
const joints = "./-:：·—_"

// Single is the column that a heading of a single row means: "检查项.名称" is one of a sub-table. "" = none that can be written.
func (n *Names) Single(text string) string {
	code, known := n.own.code(text)
	if known {
		return code
	}
	for at, r := range text {
		if !strings.ContainsRune(joints, r) {
			continue
		}
		if sheet := n.Group(text[:at]); sheet != nil {
			if code := n.Within(sheet, text[at+len(string(r)):]); code != "" {
				return code
			}
		}
	}
	return n.byCode[strings.ToLower(text)]
}

// Written is what a file calls a column of the record by a label; "" as the code is for the ids.
func (n *Names) Written(code, label string) string { return n.own.written(code, label) }

// WrittenGroup is what a file calls a sub-table by a label.
func (n *Names) WrittenGroup(sheet *catalog.Field, label string) string {
	return n.groups.written(sheet.Code, label)
}

// WrittenWithin is what a file calls a column of a sub-table below the name of it.
func (n *Names) WrittenWithin(sheet *catalog.Field, code, label string) string {
	return n.within[sheet].written(code, label)
}

// WrittenSingle is what a file with one row of headings calls a column of a sub-table.
func (n *Names) WrittenSingle(sheet *catalog.Field, group, code, label string) string {
	below := n.WrittenWithin(sheet, code, label)
	text := n.WrittenGroup(sheet, group) + "." + below
	if n.Single(text) != n.byCode[strings.ToLower(join(sheet, code))] {
		return WithCode(group, sheet.Code) + "." + below
	}
	return text
}

// Labels are columns in words.
func (n *Names) Labels(codes []string, locale string) string {
	var out []string
	for _, code := range codes {
		i := slices.IndexFunc(n.columns, func(c Column) bool { return c.Code() == code })
		if i < 0 {
			out = append(out, code)
			continue
		}
		out = append(out, n.columns[i].Label(locale))
	}
	return strings.Join(out, ", ")
}
