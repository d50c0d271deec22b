package workbook

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/xuri/excelize/v2"

	"github.com/sluice-platform/sluice/engine/property"
)

// maxInlineList is how long a list in a cell's rule can be, in UTF-16 units; longer ones are in a worksheet that nobody sees.
const maxInlineList = 255

// rule gives the cells below a heading a list, or a check of dates and numbers. Rules only warn: import takes more spellings than a spreadsheet
// knows, and several options in one cell.
func (f *templateFile) rule(column int, c TemplateColumn) {
	v := excelize.NewDataValidation(true)
	v.SetSqref(Ref(f.head+1, column) + ":" + Ref(MaxRows, column))
	message := ""
	p := partsOf(*cellFormat(c))
	switch {
	case len(c.Options) > 0:
		message = f.texts.list
		if inline, ok := inlineList(c.Options); ok {
			f.try(v.SetDropList(inline))
		} else {
			v.SetSqrefDropList(f.list(c.Options))
		}
	case c.Example.Kind == property.CellTime || p.any():
		message = f.texts.date
		kind := excelize.DataValidationTypeDate
		if !p.date() && p.any() {
			kind = excelize.DataValidationTypeTime
		}
		f.try(v.SetRange(0, maxSerial-1, kind, excelize.DataValidationOperatorBetween))
	case c.Example.Kind == property.CellNumber:
		message = f.texts.number
		f.try(v.SetRange(-999_999_999_999_999, 999_999_999_999_999, excelize.DataValidationTypeDecimal, excelize.DataValidationOperatorBetween))
	default:
		return
	}
	v.SetError(excelize.DataValidationErrorStyleWarning, f.texts.title, message)
	f.try(f.AddDataValidation(f.sheet, v))
}

// inlineList tells if the options fit into a rule: commas separate them there.
func inlineList(options []string) ([]string, bool) {
	units := len(options) - 1
	for _, o := range options {
		if strings.ContainsAny(o, ",\"\r\n") || strings.TrimSpace(o) != o || o == "" {
			return nil, false
		}
		units += len(utf16.Encode([]rune(o)))
	}
	return options, units <= maxInlineList
}

// list writes options into a column of the hidden worksheet and returns the name of the cells.
func (f *templateFile) list(options []string) string {
	if f.lists == 0 {
		_, err := f.NewSheet(optionsSheet)
		f.try(err)
		f.try(f.SetSheetVisible(optionsSheet, false, true))
	}
	column := f.lists
	f.lists++
	for i, o := range options {
		f.try(f.SetCellStr(optionsSheet, Ref(i+1, column), cutText(o, MaxText)))
	}
	name := "options_" + strconv.Itoa(f.lists)
	letters := columnName(column)
	f.try(f.SetDefinedName(&excelize.DefinedName{Name: name, RefersTo: fmt.Sprintf("%s!$%s$1:$%s$%d", quoteSheet(optionsSheet), letters, letters, len(options))}))
	return name
}
