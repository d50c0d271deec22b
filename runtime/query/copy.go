package query

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// CopyRight is the action of access documents that lets somebody begin a record as a copy of another.
const CopyRight = "copy"

// copied are the values of a new record that begins as a copy. It takes over what the caller reads on the old record and may
// set on a new one, sub-tables with all their rows. Left to the new record are what only one record may have (unique values,
// the number), what is computed, and files, which belong to the record that they were brought for.
func (r *Reader) copied(ctx context.Context, view *authz.View, b *formBuilder, from string) (json.RawMessage, error) {
	m := b.form.Model
	if !view.Can(m, CopyRight) || !view.Can(m, "view") {
		return nil, fault.New(fault.Forbidden)
	}
	source := &formBuilder{graph: newGraph(view, m), view: view, form: b.form, action: "add"}
	source.build()
	for i := range source.plan.Fields {
		kept := source.plan.Fields[i].Children[:0:0]
		for _, child := range source.plan.Fields[i].Children {
			if f := source.nodes[i].field.Sheet.Field(child.PropertyCode); f != nil && copies(view, f) {
				kept = append(kept, child)
			}
		}
		source.plan.Fields[i].Children = kept
	}
	full := &FormLoad{}
	err := r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		may, err := r.sees(ctx, tx, view, m, from, view.EditRows(m, CopyRight))
		if err != nil || !may {
			return orNotFound(err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := r.loadRecord(ctx, view, source, from, func(f store.Do) error { return r.read(ctx, f) }, full); err != nil {
		return nil, err
	}
	fresh, err := r.defaults(ctx, view, b, FormRequest{})
	if err != nil {
		return nil, err
	}
	var out, old map[string]json.RawMessage
	if err := json.Unmarshal(fresh, &out); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(full.Data, &old); err != nil {
		return nil, err
	}
	for i, n := range source.nodes {
		if source.plan.Fields[i].ReadOnly || !copies(view, n.field) {
			continue
		}
		v := old[n.field.Code]
		if n.field.Sheet != nil {
			if v, err = withoutIDs(v); err != nil {
				return nil, err
			}
		}
		out[n.field.Code] = v
	}
	return json.Marshal(out)
}

// copies reports whether a field's value goes into a copy.
func copies(view *authz.View, f *catalog.Field) bool {
	if f.System || f.Compute != nil || f.Unique || plan.IsFalse(view.FieldRows(f, "add")) {
		return false
	}
	if f.Sheet == nil {
		return !keepsFiles(f)
	}
	n, ok := f.Property.(property.Nester)
	return ok && n.Nested().Writable
}

// keepsFiles: the values are references to files.
func keepsFiles(f *catalog.Field) bool {
	probe, ok := f.Property.(property.Referrer)
	if !ok || f.Target != nil {
		return false
	}
	return slices.ContainsFunc(probe.Refs(f.Property.Load(sample(f))), func(ref plan.Ref) bool { return ref.Model == "" })
}

// sample is a value of the property that refers to something.
func sample(f *catalog.Field) []any {
	out := make([]any, len(f.Property.Columns()))
	const id = "00000000-0000-7000-8000-000000000000"
	for i, column := range f.Property.Columns() {
		switch column.Kind {
		case plan.Set:
			out[i] = []string{id}
		case plan.ID, plan.Text:
			out[i] = id
		}
	}
	return out
}

func withoutIDs(rows json.RawMessage) (json.RawMessage, error) {
	var of []map[string]json.RawMessage
	if err := json.Unmarshal(rows, &of); err != nil || of == nil {
		return rows, err
	}
	for _, row := range of {
		delete(row, catalog.ID)
	}
	return json.Marshal(of)
}
