package exporter

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// HistoryType is the kind of remembered choice that exports have.
const HistoryType = "VIEW_EXPORT_QUERY"

// Chosen is what somebody chose last in a list (api.yaml ExportHistory).
type Chosen struct {
	ID             string `json:"id"`
	Type           string `json:"type"`
	SchemaCode     string `json:"schemaCode"`
	QueryCode      string `json:"queryCode"`
	QueryCondition string `json:"queryCondition"` // JSON: {"columns": [...]}
}

// History is what the caller chose last in a list: one or none. Fields that they can no longer export are not in it.
func (s *Service) History(ctx context.Context, view *authz.View, schemaCode, queryCode string) ([]Chosen, error) {
	l, err := s.Reader.ListOf(view, schemaCode, queryCode)
	if err != nil {
		return nil, err
	}
	fields, err := s.Reader.ExtractFields(view, schemaCode, queryCode, Action)
	if err != nil {
		return nil, err
	}
	var c choice
	var log *names.Log
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		log = tx.NameLog()
		return tx.System().Where("owner = ? AND list = ?", view.User(), strings.ToLower(l.Code)).Limit(1).Find(&c).Error
	})
	if err != nil || c.ID == "" {
		return []Chosen{}, err
	}
	var columns []Column
	if err := json.Unmarshal([]byte(c.Columns), &columns); err != nil {
		return nil, fmt.Errorf("the fields that %s exported last of %s: %w", c.Owner, c.List, err)
	}
	columns = now(log.Since(c.Epoch, c.UpdatedAt), l.Model, nil, columns)
	if columns, err = still(columns, fields); err != nil || len(columns) == 0 {
		return []Chosen{}, err
	}
	text, err := json.Marshal(map[string]any{"columns": columns})
	return []Chosen{{ID: c.ID, Type: HistoryType, SchemaCode: l.Model.Code, QueryCode: l.Code, QueryCondition: string(text)}}, err
}

// now gives columns the codes of now; above is the sub-table whose columns they are, as it was called then.
func now(then names.Reading, m *catalog.Model, above []string, in []Column) (out []Column) {
	if then.Now() {
		return in
	}
	for _, c := range in {
		was := append(slices.Clone(above), strings.Split(c.PropertyCode, ".")...)
		path, ok := codes.Path(then, m, was)
		if !ok {
			continue
		}
		c.PropertyCode = strings.Join(path[min(len(above), len(path)):], ".")
		c.ChildColumns = now(then, m, was, c.ChildColumns)
		out = append(out, c)
	}
	return out
}

// still are the columns that are there, called as they are called now.
func still(columns []Column, fields []query.ExtractField) ([]Column, error) {
	out := []Column{}
	for _, c := range columns {
		f := find(fields, c.PropertyCode)
		if f == nil {
			continue
		}
		children, err := still(c.ChildColumns, f.ChildColumns)
		if err != nil {
			return nil, err
		}
		if len(c.ChildColumns) > 0 && len(children) == 0 {
			continue
		}
		one, err := columnFor(f)
		if err != nil {
			return nil, err
		}
		one.ChildColumns = children
		out = append(out, one)
	}
	return out, nil
}

// columnFor is a field as choices have it (api.yaml ExportColumn).
func columnFor(f *query.ExtractField) (Column, error) {
	names, err := json.Marshal(f.NameI18n)
	if err != nil {
		return Column{}, err
	}
	kind, err := json.Marshal(f.PropertyType)
	if err != nil {
		return Column{}, err
	}
	format, err := json.Marshal(f.DisplayFormat)
	return Column{PropertyCode: f.PropertyCode, Name: f.Name, NameI18n: string(names), PropertyType: kind, DisplayFormat: format, ChildColumns: []Column{}}, err
}
