package query

import (
	"context"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Snapshot tells of a record that is shown as it was (api.yaml Snapshot): before it was deleted, or after one of its writes.
type Snapshot struct {
	Kind     string  `json:"kind"` // version, recycled
	Version  int64   `json:"version"`
	Time     *string `json:"time"`     // of the write, or of the deletion; null without the right to modifiedTime
	UserName *string `json:"userName"` // who wrote or deleted; null without the right to modifier
	DaysLeft *int    `json:"daysLeft"` // of one in the recycle bin
}

// shows reports whether the principal reads a field of the record that is drawn.
type shows func(f *catalog.Field) (bool, error)

// loadEarlier answers a record as it was, with the rights of today: who may read its history now, and of that the fields that
// they may read now.
func (r *Reader) loadEarlier(ctx context.Context, view *authz.View, b *formBuilder, req FormRequest, out *FormLoad) error {
	m := b.form.Model
	if !view.Can(m, HistoryRight) {
		return fault.New(fault.Forbidden)
	}
	return r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, guard := range []plan.Expr{plan.True, view.EditRows(m, HistoryRight)} {
			if seen, err := r.sees(ctx, tx, view, m, req.ObjectID, guard); err != nil || !seen {
				if err == nil && !plan.IsTrue(guard) {
					return fault.New(fault.Forbidden)
				}
				return orNotFound(err)
			}
		}
		st, made, err := record.AsOf(ctx, tx, view, m, req.ObjectID, *req.Moment)
		if err != nil {
			return err
		}
		sees := func(f *catalog.Field) (bool, error) {
			right, guard := view.Field(f)
			if right == catalog.Hidden || plan.IsTrue(guard) {
				return right != catalog.Hidden, nil
			}
			return r.sees(ctx, tx, view, m, req.ObjectID, guard)
		}
		if view.Can(m, "edit") {
			may, err := r.sees(ctx, tx, view, m, req.ObjectID, plan.AllOf(rule(view.EditRows(m, "edit")), acts(view, "edit")))
			if err != nil {
				return err
			}
			seal, err := r.sealIn(ctx, tx, view, m, req.ObjectID)
			if err != nil {
				return err
			}
			if may && seal == nil { // what is approved takes a reason, which nobody gives there
				out.Actions = append(out.Actions, "revert")
			}
		}
		out.Snapshot = &Snapshot{Kind: "version", Version: made.Version}
		if err := out.Snapshot.of(m, sees, made.Kind == record.Created, made.At, made.Name); err != nil {
			return err
		}
		return r.draw(ctx, tx, view, b, st, sees, made.At, out)
	})
}

// of fills in who and when, as far as the principal may know it.
func (s *Snapshot) of(m *catalog.Model, sees shows, created bool, at time.Time, who string) error {
	when, by := catalog.ModifiedTime, catalog.Modifier
	if created {
		when, by = catalog.CreatedTime, catalog.Creator
	}
	for _, code := range []string{when, by} {
		f := m.Field(code)
		if f == nil {
			continue
		}
		if ok, err := sees(f); err != nil || !ok {
			if err != nil {
				return err
			}
			continue
		}
		if code == by {
			s.UserName = orNull(who)
			continue
		}
		text := at.UTC().Format(time.RFC3339)
		s.Time = &text
	}
	return nil
}

// draw fills a form with a state. The name of an earlier state, one of then, is made again: its template is of today.
func (r *Reader) draw(ctx context.Context, tx *store.Tx, view *authz.View, b *formBuilder, st record.State, sees shows, then time.Time, out *FormLoad) error {
	version := st.Version()
	out.ID, out.Version = &st.ID, &version
	rec := &opened{b: b, names: r.names(ctx, view), values: make([]any, len(b.nodes)), sheets: map[int]*sheetCell{}}
	for i, n := range b.nodes {
		ok, err := sees(n.field)
		if err != nil {
			return err
		}
		switch {
		case n.field.Sheet == nil && ok:
			rec.values[i] = record.ValueOf(st.Row, n.field)
			rec.names.collect(n.field, rec.values[i])
		case !n.field.IsTable():
			if rec.values[i] = record.ValueOf(nil, n.field); ok {
				rec.values[i] = record.Gathered(n.field, st.Sheets[n.field.Code], then)
				rec.names.collect(n.field, rec.values[i])
			}
		case ok:
			if err := rec.drawSheet(i, st, sees); err != nil {
				return err
			}
		}
	}
	earlier, name := !then.IsZero(), b.form.Model.Field(catalog.Name)
	named, err := name != nil, error(nil)
	if named {
		named, err = sees(name)
	}
	if err != nil {
		return err
	}
	if named && earlier && name.System {
		for _, p := range b.form.Model.Digest {
			if p.Field != nil {
				rec.names.collect(p.Field, record.ValueOf(st.Row, p.Field))
			}
		}
	}
	if err := rec.names.resolve(tx.Context(), tx); err != nil {
		return err
	}
	if err := rec.names.past(tx); err != nil {
		return err
	}
	switch {
	case named && earlier && name.System:
		out.Name = r.digest(b.form.Model, st.Row, rec.names)
	case named:
		out.Name, _ = record.ValueOf(st.Row, name).(string)
	}
	out.Data = rec.encode()
	return nil
}

// digest makes a record's name of its values.
func (r *Reader) digest(m *catalog.Model, row map[string]any, n *names) string {
	var b strings.Builder
	for _, p := range m.Digest {
		if p.Field == nil {
			b.WriteString(p.Text)
		} else if v := record.ValueOf(row, p.Field); v != nil {
			b.WriteString(p.Field.Property.Text(v, property.TextContext{Locale: "zh", Zone: r.zone, Names: n.of(p.Field)}))
		}
	}
	return strings.TrimSpace(b.String())
}

func (rec *opened) drawSheet(i int, st record.State, sees shows) error {
	sheet := rec.b.nodes[i].field
	cell := &sheetCell{}
	shown := []bool{}
	for _, child := range rec.b.plan.Fields[i].Children {
		n, err := rec.b.graph.resolve(sheet.Code + "." + child.PropertyCode)
		if err != nil {
			continue
		}
		ok, err := sees(n.field)
		if err != nil {
			return err
		}
		cell.columns, shown = append(cell.columns, sheetColumn{node: n}), append(shown, ok)
	}
	cell.keys = sheetKeys(cell.columns)
	for _, row := range st.Sheets[sheet.Code] {
		id, _ := row[catalog.ID].(string)
		values := make([]any, len(cell.columns))
		for k, column := range cell.columns {
			of := row
			if !shown[k] {
				of = nil
			}
			values[k] = record.ValueOf(of, column.node.field)
			rec.names.collect(column.node.field, values[k])
		}
		cell.ids, cell.values = append(cell.ids, id), append(cell.values, values)
	}
	rec.sheets[i] = cell
	return nil
}
