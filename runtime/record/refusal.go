package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Unseen are the faults of a change in fields that the principal may not know of. It is the cause of a refusal, for the log:
// the answer names none of them.
type Unseen struct {
	Model  string
	Faults []fault.FieldError
}

// Error lists the fields with the codes of their faults.
func (u *Unseen) Error() string {
	parts := make([]string, len(u.Faults))
	for i, e := range u.Faults {
		parts[i] = fmt.Sprintf("%s.%s: %d", u.Model, e.PropertyCode, e.Code)
	}
	return "refused for hidden fields: " + strings.Join(parts, ", ")
}

// noRequest represents the id of the request, which the edge knows.
const noRequest = "-"

func (c *change) refuse(code string, why fault.Code, args ...any) {
	c.errs = append(c.errs, fault.FieldError{PropertyCode: code, Code: why, Args: args})
}

// refusal is the answer to what was refused so far; nil when nothing was.
func (c *change) refusal() error {
	if len(c.errs) == 0 {
		return nil
	}
	return c.refusalOf(nil, c.errs, true)
}

// unknown refuses a code that no property has which may be set. One that a property had before is told what it is called now. prefix is
// "sheet." in rows.
func (c *change) unknown(m *catalog.Model, prefix, code string) fault.FieldError {
	if m.Field(code) == nil {
		if f := c.view.Catalog.Renamed(m, code); f != nil {
			return fault.FieldError{PropertyCode: prefix + code, Code: fault.FieldRenamed, Args: []any{prefix + f.Code}}
		}
	}
	return fault.FieldError{PropertyCode: prefix + code, Code: fault.FieldUnknown, Args: []any{prefix + code}}
}

// subject is the property that a fault speaks of: one that is called otherwise now is told to those who may know that one.
func subject(e fault.FieldError) string {
	if e.Code == fault.FieldRenamed {
		now, _ := e.Args[0].(string)
		return now
	}
	return e.PropertyCode
}

// maskHiddenFields gives values of fields that the principal may not use the one answer of unknown fields, whatever is wrong with them.
func (c *change) maskHiddenFields() error {
	for i, e := range c.errs {
		known, err := c.mayKnow(subject(e), true)
		if err != nil {
			return err
		}
		if !known {
			c.errs[i] = fault.FieldError{PropertyCode: e.PropertyCode, Row: e.Row, Code: fault.FieldUnknown, Args: []any{e.PropertyCode}}
		}
	}
	return nil
}

// refusalOf makes the refusal. Errors in hidden fields are not named; if there are only such errors, one general refusal is returned.
func (c *change) refusalOf(cause error, errs []fault.FieldError, ask bool) error {
	unseen := &Unseen{Model: c.m.Code}
	var told []fault.FieldError
	for _, e := range errs {
		known, err := c.mayKnow(subject(e), ask)
		if err != nil {
			return err
		}
		if known || e.Code == fault.FieldUnknown { // a code that the caller has sent
			one := c.named(e)
			if one.Code != e.Code { // a pack's own words for several properties, such as those of a key, are told once, at the last of them
				told = slices.DeleteFunc(told, func(t fault.FieldError) bool { return t.Code == one.Code && t.Row == one.Row })
			}
			told = append(told, one)
		} else {
			unseen.Faults = append(unseen.Faults, e)
		}
	}
	if len(unseen.Faults) > 0 {
		cause = errors.Join(unseen, cause)
	}
	if len(told) == 0 {
		return &fault.Error{Code: fault.RecordUnseen, Args: []any{noRequest}, Err: cause}
	}
	return invalid(cause, told)
}

// named gives a fault the code that the model's pack has for it, and the label of its field where the form does not show it.
func (c *change) named(e fault.FieldError) fault.FieldError {
	if own := c.w.set.Refused(c.m.Code, e.PropertyCode, e.Code); own != e.Code {
		e.Code, e.MessageZh, e.MessageEn = own, "", ""
	}
	head, _, _ := strings.Cut(e.PropertyCode, ".")
	if f := c.m.Field(head); f != nil && c.form != nil && c.item(f) == nil && e.Code != fault.FieldUnknown {
		e.Name, e.NameI18n = f.Label.Zh, f.Label.I18n
	}
	return e
}

func invalid(cause error, errs []fault.FieldError) error {
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{len(errs)}, Data: fault.Invalid{Errors: errs}, Err: cause}
}

// mayKnow reports whether the principal may hear of a property ("code", or "sheet.code"): one that it may set or read on this record.
// Without ask, after the transaction, conditions are not looked up and count as not met.
func (c *change) mayKnow(code string, ask bool) (bool, error) {
	head, column, inSheet := strings.Cut(code, ".")
	f := c.m.Field(head)
	if f != nil && inSheet && f.Sheet != nil {
		f = f.Sheet.Field(column)
	}
	if f == nil {
		return true, nil // no property: a refusal of the whole record, or a code that the caller has made up
	}
	where := c.view.FieldRows(f, c.action())
	if right, guard := c.view.Field(f); right > catalog.Hidden {
		where = plan.AnyOf(where, guard)
	}
	switch {
	case plan.IsTrue(where) || plan.IsFalse(where):
		return plan.IsTrue(where), nil
	case !ask:
		return slices.Contains(c.given, f), nil
	case c.create:
		ok, err := expression.Holds(where, c.scope())
		return ok && err == nil, nil //nolint:nilerr // what cannot be decided yet is not told
	}
	return c.holds(c.m, c.id, where)
}

// refused turns the store's refusals into those of fields.
func (c *change) refused(err error) error {
	var dup *store.Duplicate
	var ref *store.Referenced
	switch {
	case errors.As(err, &dup) && len(dup.Columns) > 0 && dup.Model != "":
		prefix, in := "", c.m
		for _, s := range c.m.Sheets {
			if s.Table == dup.Table {
				in, prefix = s, sheetCode(s)+"."
			}
		}
		var out []fault.FieldError
		for _, column := range dup.Columns {
			if f := fieldOfColumn(in, column); f != nil {
				out = append(out, fault.FieldError{PropertyCode: prefix + f.Code, Code: fault.FieldDuplicate, Args: []any{f.Label}})
			}
		}
		if len(out) > 0 {
			return c.refusalOf(err, out, false)
		}
	case errors.As(err, &ref) && ref.Missing:
		if f := fieldOfColumn(c.m, ref.Column); f != nil {
			return c.refusalOf(err, []fault.FieldError{{PropertyCode: f.Code, Code: fault.FieldReference, Args: []any{f.Label}}}, false)
		}
	}
	return err
}
