package query

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// opened is a record's fields while they are read.
type opened struct {
	b      *formBuilder
	names  *names
	values []any
	sheets map[int]*sheetCell
}

// offeredWords are the words that a record has where its form offers them and the person has the right.
var offeredWords = []string{CopyRight, PrintRight, catalog.ExternalLinkAction}

// transact runs a function in a transaction, one of its own or one that is open.
type transact func(store.Do) error

// loadRecord reads the record of a form.
func (r *Reader) loadRecord(ctx context.Context, view *authz.View, b *formBuilder, objectID string, in transact, out *FormLoad) error {
	m := b.form.Model
	name, nameErr := b.graph.resolve(catalog.Name)
	q := &plan.Query{Model: m.Code, Limit: 1, Select: []plan.Expr{&plan.Field{Column: catalog.Version, K: plan.Int}},
		Where: plan.AllOf(&plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.ID, K: plan.ID}, B: id(objectID)}, rule(view.Rows(m)))}
	if nameErr == nil {
		q.Select = append(q.Select, name.columns()...)
	}
	fieldAt := make([]int, len(b.nodes))
	for i, n := range b.nodes {
		fieldAt[i] = len(q.Select)
		if n.field.Sheet != nil {
			q.Select = append(q.Select, &plan.Guarded{Cond: rule(n.guard), X: plan.True})
			continue
		}
		q.Select = append(q.Select, n.columns()...)
	}
	rights := len(q.Select)
	for _, action := range slices.Concat([]string{"edit", "delete", HistoryRight, catalog.AmendAction}, offeredWords) {
		q.Select = append(q.Select, &plan.Guarded{Cond: plan.AllOf(rule(view.EditRows(m, action)), acts(view, action)), X: plan.True})
	}
	pressed := len(q.Select)
	for _, a := range b.buttons {
		cond := plan.AllOf(rule(view.EditRows(m, actionRight(a))), pressable(view, &a), b.graph.restrict(a.Enabled))
		q.Select = append(q.Select, &plan.Guarded{Cond: cond, X: plan.True})
	}
	submitAt := len(q.Select)
	if b.plan.Submits != "" {
		q.Select = append(q.Select, &plan.Guarded{Cond: plan.AllOf(rule(view.EditRows(m, "edit")), startable()), X: plan.True})
	}
	flowAt := flowPlace(q)
	q.Joins = b.graph.joins
	rec := &opened{b: b, names: r.names(ctx, view), values: make([]any, len(b.nodes)), sheets: map[int]*sheetCell{}}
	err := in(func(ctx context.Context, tx *store.Tx) error {
		var row []any
		if err := tx.Query(ctx, view.Catalog, q, func(found []any) error { row = slices.Clone(found); return nil }); err != nil || row == nil {
			return orNotFound(err)
		}
		version, _ := row[0].(int64)
		out.ID, out.Version = &objectID, &version
		if nameErr == nil {
			out.Name, _ = translated(name.field.Property, row[1], view).(string)
		}
		out.Workflow, out.Seal = instanceAt(row, flowAt), b.seal
		if out.Seal != nil && row[rights+3] == true && view.Can(m, catalog.AmendAction) {
			out.Actions = append(out.Actions, catalog.AmendAction)
		}
		if row[rights] == true && view.Can(m, "edit") && (out.Seal == nil || len(out.Seal.Open) > 0) {
			out.Actions = append(out.Actions, "save")
			if b.plan.Submits != "" && row[submitAt] == true {
				out.Actions = append(out.Actions, submitAction)
			}
		}
		if row[rights+1] == true && view.Can(m, "delete") {
			out.Actions = append(out.Actions, "delete")
		}
		if row[rights+2] == true && view.Can(m, HistoryRight) {
			out.Actions = append(out.Actions, HistoryRight)
		}
		for i, word := range offeredWords {
			if row[rights+4+i] == true && view.Can(m, word) && slices.Contains(b.form.Actions, word) && (word != CopyRight || view.Offers(m, "add")) {
				out.Actions = append(out.Actions, word)
			}
		}
		for i, a := range b.buttons {
			if row[pressed+i] == true {
				out.Actions = append(out.Actions, a.Code)
			}
		}
		for i, n := range b.nodes {
			if n.field.Sheet != nil {
				if row[fieldAt[i]] != true {
					continue
				}
				if n.field.Gathers() != nil {
					values, err := gather(ctx, tx, view.Catalog, n.field, []string{objectID}, 0)
					if err != nil {
						return err
					}
					rec.values[i] = values[objectID]
					rec.names.collect(n.field, rec.values[i])
				} else if err := rec.readSheet(ctx, tx, view.Catalog, i, objectID); err != nil {
					return err
				}
				continue
			}
			rec.values[i] = n.field.Property.Load(row[fieldAt[i] : fieldAt[i]+len(n.field.Property.Columns())])
			rec.names.collect(n.field, rec.values[i])
			rec.values[i] = translated(n.field.Property, rec.values[i], view)
		}
		return rec.names.resolve(tx.Context(), tx)
	})
	if err != nil {
		return err
	}
	out.Data = rec.encode()
	return nil
}

// sealOf is the seal of a record; nil = no workflow holds it.
func (r *Reader) sealOf(ctx context.Context, view *authz.View, m *catalog.Model, id string) (out *Seal, err error) {
	if r.seals == nil {
		return nil, nil
	}
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		out, err = r.sealIn(ctx, tx, view, m, id)
		return err
	})
	return out, err
}

func (r *Reader) sealIn(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, id string) (*Seal, error) {
	if r.seals == nil {
		return nil, nil
	}
	found, err := r.seals(ctx, tx, view, m.Code, []string{id})
	return found[id], err
}

func (rec *opened) readSheet(ctx context.Context, tx *store.Tx, c *catalog.Catalog, i int, objectID string) error {
	sheet := rec.b.nodes[i].field
	var columns []sheetColumn
	for _, child := range rec.b.plan.Fields[i].Children {
		if n, err := rec.b.graph.resolve(sheet.Code + "." + child.PropertyCode); err == nil {
			columns = append(columns, sheetColumn{node: n})
		}
	}
	cell := &sheetCell{columns: columns, keys: sheetKeys(columns)}
	rec.sheets[i] = cell
	q, at := sheetQuery(rec.b.graph.joins, sheet, columns, []string{objectID})
	return tx.Query(ctx, c, q, func(row []any) error { cell.add(row, at, rec.names); return nil })
}

func (rec *opened) encode() json.RawMessage {
	dst := []byte{'{'}
	for i, n := range rec.b.nodes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, quotedKey(n.field.Code)...)
		switch {
		case !n.field.IsTable():
			dst = n.field.Property.AppendJSON(dst, rec.values[i], rec.names.of(n.field))
		case rec.sheets[i] == nil:
			dst = append(dst, "null"...)
		default:
			dst = rec.sheets[i].encodeRows(dst, rec.names)
		}
	}
	return append(dst, '}')
}
