package importer

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/sheethead"
	files "github.com/sluice-platform/sluice/runtime/heading"
)

// known are the names by which a model's columns are called in files.
type known struct {
	columns []Column
	byCode  map[string]string
	own     *index                    // of the record's properties
	groups  map[string]*catalog.Field // heading -> sub-table
	inGroup map[*catalog.Field]*index
	flat    *index             // "sub-table.column"
	others  map[string]bool    // codes of the model that are not among the columns
	ours    *files.Names       // what files of ours call the columns
	kept    map[string]string  // what a person said last: heading -> code, "" = left out
	met     map[string]meaning // texts that were read: the first rows of a file are tried as many heads
}

// mostMet is how many texts are remembered.
const mostMet = 20_000

func newHeadings(m *catalog.Model, columns []Column) *known {
	k := &known{columns: columns, ours: files.Of(m, columns, nil), byCode: map[string]string{rowID: rowID}, own: newIndex(), groups: map[string]*catalog.Field{},
		inGroup: map[*catalog.Field]*index{}, flat: newIndex(), others: map[string]bool{}, met: map[string]meaning{}}
	for _, f := range m.Fields {
		k.others[strings.ToLower(f.Code)] = true
		if f.Sheet == nil {
			continue
		}
		k.others[strings.ToLower(f.Code+"."+rowID)] = true
		for _, g := range f.Sheet.Fields {
			k.others[strings.ToLower(f.Code+"."+g.Code)] = true
		}
	}
	plain := func(label string) string { return label }
	for _, c := range columns {
		code := c.Code()
		k.byCode[strings.ToLower(code)] = code
		if c.Sheet == nil {
			k.own.add(c.Field, code, plain)
			continue
		}
		if k.inGroup[c.Sheet] == nil {
			k.inGroup[c.Sheet] = newIndex()
			k.byCode[strings.ToLower(c.Sheet.Code+"."+rowID)] = c.Sheet.Code + "." + rowID
		}
		k.inGroup[c.Sheet].add(c.Field, code, plain)
		for _, group := range namesOf(c.Sheet) {
			k.flat.add(c.Field, code, func(label string) string { return sheethead.Joined(group + "." + label) })
			k.groups[group] = c.Sheet
		}
	}
	k.own.id(rowID, rowID)
	for sheet, names := range k.inGroup { // exports name the ids of rows so; a column that is called so comes first
		names.id(rowID, sheet.Code+"."+rowID)
		for _, group := range namesOf(sheet) {
			k.flat.id(sheethead.Joined(group+"."+rowID), sheet.Code+"."+rowID)
		}
	}
	return k
}

// id gives ids the name that nothing else has.
func (x *index) id(name, code string) { x.of.Name(name, code) }

// namesOf are the headings of a sub-table: its label in each language, and its code.
func namesOf(f *catalog.Field) []string {
	return slices.DeleteFunc([]string{heading(f.Label.In("zh")), heading(f.Label.In("en")), heading(f.Code)}, func(name string) bool { return name == "" })
}

// has tells if a code is one of the columns, or that of ids.
func (k *known) has(code string) bool {
	_, ok := k.byCode[strings.ToLower(code)]
	return ok
}

// labels are columns in words.
func (k *known) labels(codes []string, locale string) string {
	var out []string
	for _, code := range codes {
		if c, ok := fieldOf(k.columns, code); ok {
			out = append(out, c.Label(locale))
		} else {
			out = append(out, code)
		}
	}
	return strings.Join(out, ", ")
}

// cellText is a cell in words: what a person would type into it.
func cellText(c property.Cell) string {
	switch c.Kind {
	case property.CellText, property.CellError, property.CellUnknown:
		return c.Text
	case property.CellNumber:
		return c.Digits()
	case property.CellBool:
		if c.Bool {
			return "TRUE"
		}
		return "FALSE"
	case property.CellTime:
		switch t := c.Time; {
		case t.Year() == 1899 || t.Year() == 1900 && t.YearDay() == 1 && t.Hour()+t.Minute()+t.Second() > 0:
			return t.Format("15:04:05")
		case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
			return t.Format("2006-01-02")
		default:
			return t.Format("2006-01-02 15:04:05")
		}
	}
	return ""
}
