package quality

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

var (
	// errTakenBack ends an attempt whose writes are undone.
	errTakenBack = errors.New("the rows are written for a look")
	// errEach ends an attempt that wrote all rows together: one was refused, and writing them one by one tells which others are.
	errEach = errors.New("a row was refused")
)

// tally is what became of the rows of an import.
type tally struct{ inserted, updated, skipped int }

// write stores the rows without mistakes, each behind the one above it. What the writes themselves refuse becomes a mistake of its row, and so
// do the rows that need it. Without keep everything is undone: that is how a check says what an import would.
func (m *importing) write(ctx context.Context, keep bool) (out tally, err error) {
	outer := m.World
	defer func() { m.World = outer }()
	for each := false; ; each = true {
		again := false
		err = outer.Try(ctx, func(w world.World) (err error) {
			m.World = w
			m.forget()
			out, again, err = m.pass(ctx, each)
			if err == nil && (again || !keep) {
				return errTakenBack
			}
			return err
		})
		m.World = outer
		switch {
		case errors.Is(err, errEach), errors.Is(err, errTakenBack) && again:
		case errors.Is(err, errTakenBack):
			return out, nil
		default:
			return out, err
		}
	}
}

// forget takes back what an attempt before this one noted of the rows.
func (m *importing) forget() {
	for _, r := range m.rows {
		if r.made {
			r.id = ""
		}
		r.made, r.done = false, false
	}
}

// pass writes the rows once. again is true when a row was refused that others of this pass may rest on already.
func (m *importing) pass(ctx context.Context, each bool) (out tally, again bool, err error) {
	for _, r := range m.rows {
		if err := m.put(ctx, r, each, &out); err != nil {
			return out, false, err
		}
	}
	for _, r := range m.rows { // what refers to other rows
		if len(r.Errors) > 0 || len(r.last) == 0 {
			continue
		}
		if r.needs() {
			m.lacks(r)
		} else if err := m.single(ctx, r, each, func(w world.World) error {
			return update(ctx, w, m.model, r.id, resolved(r.last))
		}); err != nil {
			return out, false, err
		}
		again = again || len(r.Errors) > 0
	}
	for _, r := range m.rows {
		out.skipped += int(count(len(r.Errors) > 0))
	}
	return out, again, nil
}

// put writes a row, behind the one above it.
func (m *importing) put(ctx context.Context, r *ImportRow, each bool, out *tally) error {
	if r.done || len(r.Errors) > 0 {
		return nil
	}
	r.done = true
	if r.above != nil {
		if err := m.put(ctx, r.above, each, out); err != nil {
			return err
		}
		if r.above.id == "" {
			m.orphan(r)
			return nil
		}
		r.values[m.importKind.parent] = r.above.id
	}
	if r.same {
		return nil
	}
	err := m.single(ctx, r, each, func(w world.World) (err error) {
		if r.id != "" {
			return update(ctx, w, m.model, r.id, r.values)
		}
		r.id, err = w.Create(ctx, m.model, r.values)
		r.made = err == nil
		return err
	})
	switch {
	case err != nil || len(r.Errors) > 0:
	case r.made:
		out.inserted++
	default:
		out.updated++
	}
	return err
}

// single is one write of a row. A refusal is a mistake of the row where rows are written one by one, and otherwise the end of the attempt.
func (m *importing) single(ctx context.Context, r *ImportRow, each bool, write func(w world.World) error) error {
	if !each {
		err := write(m.World)
		if len(m.Refusals(err)) > 0 {
			return errEach
		}
		return err
	}
	err := m.Try(ctx, write)
	refusals := m.Refusals(err)
	if len(refusals) == 0 {
		return err
	}
	for _, one := range refusals {
		col := m.columnOf(one.Property)
		if !slices.ContainsFunc(r.Errors, func(e CellError) bool { return e.Col == col && e.Msg == one.Text }) {
			r.Errors = append(r.Errors, CellError{Col: col, Kind: kindOf(one.Code), Msg: one.Text})
		}
	}
	return nil
}

// columnOf is the column that brings a property: that of the code for a refusal of the whole row.
func (m *importing) columnOf(property string) string {
	if col := m.brings[property]; col != "" {
		return col
	}
	if slices.ContainsFunc(m.columns, func(c importColumn) bool { return c.key == property }) {
		return property
	}
	return m.key
}

// kindOf is the kind of mistake that a refusal is.
func kindOf(code fault.Code) string {
	switch code {
	case fault.FieldRequired:
		return empty
	case fault.FieldDuplicate, DuplicateCode, ComponentBound:
		return repeat
	case fault.FieldReference, fault.RecordNotFound, fault.FieldOption:
		return noExit
	}
	return forbidden
}

// needs reports whether a row refers to one that is not imported.
func (r *ImportRow) needs() bool {
	for _, v := range r.last {
		list, _ := v.([]any)
		if slices.ContainsFunc(list, func(one any) bool { of, ok := one.(*ImportRow); return ok && of.id == "" }) {
			return true
		}
	}
	return false
}

func (m *importing) lacks(r *ImportRow) {
	for code, v := range r.last {
		list, _ := v.([]any)
		for _, one := range list {
			if of, ok := one.(*ImportRow); ok && of.id == "" {
				r.bad(m, m.columnOf(code), noExit, fmt.Sprintf("第 %d 行不能导入", of.Row), fmt.Sprintf("Row %d can't be imported", of.Row))
			}
		}
	}
}

// orphan tells a row whose upper row is not imported.
func (m *importing) orphan(r *ImportRow) {
	r.bad(m, "parentCode", noExit, fmt.Sprintf("上级（第 %d 行）不能导入", r.above.Row), fmt.Sprintf("What is above it (row %d) can't be imported", r.above.Row))
}

// bad are the rows with mistakes.
func (m *importing) bad() (out []*ImportRow) {
	for _, r := range m.rows {
		if len(r.Errors) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// mostTold is how many mistakes a refusal names.
const mostTold = 100

// refusal names the rows for which a file is refused, each with its column.
func (m *importing) refusal() error {
	bad := m.bad()
	var told []fault.FieldError
	for _, r := range bad {
		for _, e := range r.Errors {
			if len(told) < mostTold {
				told = append(told, fault.FieldError{PropertyCode: e.Col, Row: strconv.Itoa(r.Row), Code: ImportBad,
					MessageZh: e.Msg, MessageEn: e.Msg})
			}
		}
	}
	return &fault.Error{Code: ImportBad, Args: []any{len(bad)}, Data: fault.Invalid{Errors: told}}
}

// resolved puts the ids of rows into lists of them.
func resolved(values map[string]any) map[string]any {
	out := map[string]any{}
	for code, v := range values {
		list, _ := v.([]any)
		found := []string{}
		for _, one := range list {
			if r, ok := one.(*ImportRow); ok {
				found = append(found, r.id)
			} else if id, ok := one.(string); ok {
				found = append(found, id)
			}
		}
		out[code] = found
	}
	return out
}

// brought are the properties that columns of another name bring.
var (
	broughtByNodes      = map[string]string{codes.ParentID: "parentCode", codes.ContractID: "contract", codes.StationFrom: "station", codes.StationTo: "station"}
	broughtByLibrary    = map[string]string{codes.ParentID: "parentCode", codes.PrevIDs: "prevCodes"}
	broughtByComponents = map[string]string{codes.ParentID: "parentCode", codes.ComponentName: "name", codes.IfcClass: "type"}
	broughtByRelations  = map[string]string{codes.QbsID: "qbsCode", codes.MbsID: "mbsCode"}
)
