package record

import (
	"context"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// NamePinyin is the column with the sound of a record's name.
const NamePinyin = namePinyin

// Name gives a record that is written below the write path its name and the sound of it. References in a name stay out of it.
func Name(m *catalog.Model, row map[string]any) {
	f := m.Field(catalog.Name)
	if f == nil {
		return
	}
	if f.System {
		var b strings.Builder
		for _, p := range m.Digest {
			if p.Field == nil {
				b.WriteString(p.Text)
			} else if v := get(row, p.Field); v != nil && p.Field.Target == nil {
				b.WriteString(p.Field.Property.Text(v, property.TextContext{Locale: "zh", Zone: time.UTC}))
			}
		}
		put(row, f, orNil(cut(strings.TrimSpace(b.String()), maxName)))
	}
	name, _ := row[f.Property.Columns()[0].Name].(string)
	if found := finder.Index(name); found != "" {
		row[namePinyin] = found
	}
}

// Refusals is what the model would refuse of a stored record if it came as a new one.
func (w *Writer) Refusals(ctx context.Context, view *authz.View, m *catalog.Model, id string) (out []fault.FieldError, err error) {
	err = w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		cw := &change{session: w.session(ctx, tx, view), m: m, id: id, row: map[string]any{}, set: map[string]any{}, sheets: map[string]*sheetChange{}}
		if cw.row, err = cw.one(m, id, plan.True); err != nil || cw.row == nil {
			return orFault(err, fault.RecordNotFound)
		}
		for _, f := range m.Fields {
			if f.Sheet == nil || len(f.Sheet.Fields) == 0 {
				continue
			}
			s := &sheetChange{field: f}
			if err := cw.joinRows(s); err != nil {
				return err
			}
			for _, r := range s.rows {
				r.old = nil
			}
			cw.sheets[f.Code] = s
		}
		cw.create = true
		err := cw.validate()
		out = cw.errs
		return err
	})
	return out, err
}
