package importer

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Condition compares what a cell says, with Equal, NotEqual, Contains, NotContains, IsNull or IsNotNull (docs/formats.md).
type Condition struct {
	PropertyCode    string  `json:"propertyCode"`
	QueryFilterType plan.Op `json:"queryFilterType"` // "" = Equal
	PropertyValue   string  `json:"propertyValue"`
}

func (c Condition) holds(text string) bool {
	switch c.QueryFilterType {
	case plan.NotEqual:
		return text != c.PropertyValue
	case plan.Contains:
		return strings.Contains(strings.ToLower(text), strings.ToLower(c.PropertyValue))
	case plan.NotContains:
		return !strings.Contains(strings.ToLower(text), strings.ToLower(c.PropertyValue))
	case plan.OpIsNull:
		return text == ""
	case plan.IsNotNull:
		return text != ""
	}
	return text == c.PropertyValue
}

// Replacement gives a column of some rows another value.
type Replacement struct {
	ID           string          `json:"id"`
	Rows         []string        `json:"rows"` // ids; with All none
	All          bool            `json:"all"`
	Conditions   []Condition     `json:"conditions"` // all must hold
	PropertyCode string          `json:"propertyCode"`
	Value        json.RawMessage `json:"value"` // a text, or entries
}

// Replace carries out a replacement and tells how many cells it changed. Conditions on columns of the same sub-table choose its rows.
func (s *Service) Replace(ctx context.Context, view *authz.View, req Replacement) (changed int, err error) {
	imp, err := s.idle(ctx, view.User(), req.ID)
	if err != nil {
		return 0, err
	}
	j, err := s.judgeOf(view, imp)
	if err != nil {
		return 0, err
	}
	c, ok := fieldOf(j.columns, req.PropertyCode)
	var value input
	if !ok || json.Unmarshal(req.Value, &value) != nil {
		return 0, fault.New(fault.BadParameter, "propertyCode")
	}
	for _, cond := range req.Conditions {
		if _, ok := fieldOf(j.columns, cond.PropertyCode); !ok {
			return 0, fault.New(fault.BadParameter, "conditions")
		}
	}
	return changed, s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		changed = 0
		if err := imp.hold(tx); err != nil {
			return err
		}
		return s.eachKept(tx, imp, req.Rows, req.All, func(k keptRow) error {
			r, err := decodeRaw(k.Content)
			if err != nil {
				return err
			}
			n := r.replace(c, value, req.Conditions)
			if n == 0 {
				return nil
			}
			changed += n
			_, err = s.change(ctx, tx, j, k, func(again *raw) ([]string, error) {
				again.replace(c, value, req.Conditions)
				return []string{c.Code()}, nil
			})
			return err
		})
	})
}

// replace gives the cells of a column a value where conditions hold, and counts them.
func (r *raw) replace(c Column, value input, conditions []Condition) (n int) {
	if c.Sheet == nil {
		for _, cond := range conditions {
			if !cond.holds(r.textOf(cond.PropertyCode, -1)) {
				return 0
			}
		}
		r.Cells[c.Field.Code] = value
		return 1
	}
	for i := range r.Rows[c.Sheet.Code] {
		if !slices.ContainsFunc(conditions, func(cond Condition) bool { return !cond.holds(r.textOf(cond.PropertyCode, i)) }) {
			r.Rows[c.Sheet.Code][i].Cells[c.Field.Code] = value
			n++
		}
	}
	return n
}

// textOf is what a cell says; of a sub-table the row i, or for i < 0 all rows.
func (r *raw) textOf(code string, i int) string {
	sheet, column, inSheet := strings.Cut(code, ".")
	if !inSheet {
		return r.Cells[code].text()
	}
	rows := r.Rows[sheet]
	if i >= 0 && i < len(rows) {
		return rows[i].Cells[column].text()
	}
	var out []string
	for _, sub := range rows {
		out = append(out, sub.Cells[column].text())
	}
	return strings.Join(out, ";")
}
