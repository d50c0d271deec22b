package importer

import (
	"errors"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Kinds of refused cells, as the dialog of corrections knows them.
const (
	KindRepeat    = "REPEAT"        // the value is taken, or the row is in the file twice
	KindMissing   = "NOEXIT"        // no such person, department, record or option
	KindEmpty     = "EMPTY"         // required
	KindForbidden = "FORBIDDEN"     // not this person's to write
	KindSingle    = "SINGLE_SELECT" // several values where one is kept
	KindAmbiguous = "AMBIGUOUS"     // several entries have that name
	KindFormat    = "FORMAT"        // not a value of the property's type
	KindRule      = "RULE"          // a data rule refused it
)

// Verdict is why a cell, or with PropertyCode "" a whole row, was refused.
type Verdict struct {
	PropertyCode string     `json:"propertyCode"`
	Row          *int       `json:"row,omitempty"` // in a sub-table: of the record's rows, from 0
	Kind         string     `json:"kind"`
	Code         fault.Code `json:"errcode"`
	Args         []any      `json:"args,omitempty"`
	MessageZh    string     `json:"zh,omitempty"` // the author's own words
	MessageEn    string     `json:"en,omitempty"`
	Message      string     `json:"errmsg"` // filled at the edge
	Suggestions  []Entry    `json:"suggestions,omitempty"`
}

// same reports whether two verdicts say the same of one cell.
func (v Verdict) same(other Verdict) bool {
	here, there := -1, -1
	if v.Row != nil {
		here = *v.Row
	}
	if other.Row != nil {
		there = *other.Row
	}
	return v.PropertyCode == other.PropertyCode && v.Code == other.Code && here == there
}

var kinds = map[fault.Code]string{
	fault.FieldRequired: KindEmpty, fault.KeyMissing: KindEmpty, fault.FieldTooFew: KindEmpty,
	fault.FieldDuplicate: KindRepeat, fault.KeyTwice: KindRepeat, fault.KeyExists: KindRepeat,
	fault.AccountEmpty: KindEmpty, fault.PersonNameEmpty: KindEmpty, fault.DepartmentNameEmpty: KindEmpty, fault.RoleNameEmpty: KindEmpty,
	fault.RoleGroupNameEmpty: KindEmpty, fault.UserExists: KindRepeat, fault.MobileExists: KindRepeat, fault.EmployeeNoExists: KindRepeat,
	fault.IDNumberExists: KindRepeat, fault.DepartmentNameExists: KindRepeat, fault.RoleNameExists: KindRepeat, fault.RoleCodeExists: KindRepeat,
	fault.RoleGroupNameExists: KindRepeat, fault.AccountInvalid: KindFormat, fault.MobileInvalid: KindFormat, fault.EmailInvalid: KindFormat,
	fault.IDNumberInvalid: KindFormat, fault.DepartmentNotFound: KindMissing,
	fault.FieldReference: KindMissing, fault.FieldOption: KindMissing, fault.FieldDisabled: KindMissing, fault.FieldNotOffered: KindMissing,
	fault.CellNotFound: KindMissing, fault.CellDisabled: KindMissing, fault.KeyNotFound: KindMissing, fault.RecordNotFound: KindMissing, fault.FieldRole: KindMissing,
	fault.FieldUnknown: KindForbidden, fault.Forbidden: KindForbidden, fault.NoAddPermission: KindForbidden, fault.FieldAbove: KindForbidden,
	fault.LineGone: KindMissing, fault.LineOfNone: KindMissing, fault.LineTwice: KindRepeat,
	fault.CellSingle: KindSingle, fault.CellAmbiguous: KindAmbiguous, fault.KeyAmbiguous: KindAmbiguous,
	fault.FieldType: KindFormat, fault.FieldNumber: KindFormat, fault.FieldStep: KindFormat, fault.FieldOneLine: KindFormat, fault.FieldScale: KindFormat, fault.FieldWhole: KindFormat, fault.CellError: KindFormat, fault.CellNoValue: KindFormat,
	fault.CellNumber: KindFormat, fault.CellDate: KindFormat, fault.CellInstant: KindFormat, fault.CellTime: KindFormat, fault.CellLogic: KindFormat,
}

func kindOf(c fault.Code) string {
	if k, ok := kinds[c]; ok {
		return k
	}
	return KindRule
}

// formats say what a property's type asks for, by the kind of its values.
var formats = map[plan.Kind]fault.Code{
	plan.Number: fault.CellNumber, plan.Date: fault.CellDate, plan.Instant: fault.CellInstant, plan.Clock: fault.CellTime, plan.Bool: fault.CellLogic,
}

// shownText is how many characters of a cell that cannot be read are told.
const shownText = 40

// unread is the refusal of a text that a property can't read.
func unread(c Column, row *int, text string) Verdict {
	code, ok := formats[c.Field.Property.Kind()]
	if !ok {
		return refuse(c.Code(), row, fault.FieldType)
	}
	if runes := []rune(text); len(runes) > shownText {
		text = string(runes[:shownText]) + "…"
	}
	return refuse(c.Code(), row, code, text)
}

func refuse(column string, row *int, c fault.Code, args ...any) Verdict {
	return Verdict{PropertyCode: column, Row: row, Kind: kindOf(c), Code: c, Args: args}
}

// verdicts are the refusals of a write by cell. Rows of sub-tables are told by their ids or their places; by is what the change made of them, by
// sub-table. false: the error is not a refusal.
func verdicts(err error, by map[string]lines) ([]Verdict, bool) {
	var f *fault.Error
	if !errors.As(err, &f) || f.Code == fault.Internal {
		return nil, false
	}
	invalid, ok := f.Data.(fault.Invalid)
	if !ok || len(invalid.Errors) == 0 {
		return []Verdict{{Kind: kindOf(f.Code), Code: f.Code, Args: f.Args, MessageZh: f.MessageZh, MessageEn: f.MessageEn}}, true
	}
	out := make([]Verdict, len(invalid.Errors))
	for i, e := range invalid.Errors {
		out[i] = refuse(e.PropertyCode, nil, e.Code, e.Args...)
		out[i].MessageZh, out[i].MessageEn = e.MessageZh, e.MessageEn
		if e.Row == "" {
			continue
		}
		sheet, _, _ := strings.Cut(e.PropertyCode, ".")
		if place, isPlace := strings.CutPrefix(e.Row, "#"); isPlace {
			if n, err := strconv.Atoi(place); err == nil {
				out[i].Row = by[sheet].row("", n)
			}
			continue
		}
		out[i].Row = by[sheet].row(e.Row, 0)
	}
	return out, true
}
