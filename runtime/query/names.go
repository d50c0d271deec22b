package query

import (
	"context"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// names resolves what a page refers to: people and departments from memory, records and files in one batch each. What the
// principal may not see has no name here, and so does not show.
type names struct {
	ctx    context.Context
	reader *Reader

	view    *authz.View
	people  property.Names
	wanted  map[want][]string
	records map[want]map[string]property.Named
	files   map[string]blob.File
	gone    map[string]bool // files that the principal may read about and not fetch
	told    *told           // for files: what tells them apart; nil = names alone
	fileIDs []string
}

// want is a batch: records of one model, shown by one of its fields.
type want struct {
	model   *catalog.Model
	display *catalog.Field
}

func (r *Reader) names(ctx context.Context, view *authz.View) *names {
	return &names{ctx: ctx, reader: r, view: view, people: r.people.Names(ctx), wanted: map[want][]string{}, records: map[want]map[string]property.Named{}}
}

// collects reports whether values of a field have names that collect must note: those of people and departments are in memory.
func collects(f *catalog.Field) bool {
	_, ok := f.Property.(property.Referrer)
	return ok && (f.Target == nil || !directory.Knows(f.Target.Code))
}

// collect notes the references of a value.
func (n *names) collect(f *catalog.Field, v any) {
	if v == nil || !collects(f) {
		return
	}
	ref := f.Property.(property.Referrer)
	for _, one := range ref.Refs(v) {
		switch {
		case one.Model == "":
			n.fileIDs = append(n.fileIDs, one.ID)
		case !directory.Knows(one.Model) && f.Target != nil:
			w := want{f.Target, f.Display}
			n.wanted[w] = append(n.wanted[w], one.ID)
		}
	}
}

// resolve reads all names that were noted, in one query for each model and shown field.
func (n *names) resolve(_ context.Context, tx *store.Tx) error {
	for w, ids := range n.wanted {
		slices.Sort(ids)
		found, err := n.batch(tx, w, slices.Compact(ids))
		if err != nil {
			return err
		}
		n.records[w] = found
		if n.told != nil {
			if err := n.told.records(tx, w, found); err != nil {
				return err
			}
		}
	}
	files, err := blob.Files(tx, n.fileIDs)
	n.files = files
	return err
}

// past finds which of the files of an earlier time the principal may still fetch: the right to a file is the right to what holds
// it now, and what was taken off its record is named only.
func (n *names) past(tx *store.Tx) error {
	n.gone = map[string]bool{}
	for id, f := range n.files {
		err := n.reader.seesFile(tx.Context(), tx, n.view, f)
		if err != nil && fault.Of(err) != fault.FileNotFound {
			return err
		}
		n.gone[id] = err != nil
	}
	return nil
}

func (n *names) batch(tx *store.Tx, w want, ids []string) (map[string]property.Named, error) {
	g := newGraph(n.view, w.model)
	shown, err := g.resolve(w.display.Code)
	if err != nil {
		return nil, nil //nolint:nilerr // a name that may not be read is no name
	}
	rows := n.view.Rows(w.model)
	out := make(map[string]property.Named, len(ids))
	if !common(rows, shown, w.display) {
		return out, n.read(tx, w, g, shown, rows, ids, out)
	}
	key := nameKey{w, n.view.Principal().Locale}
	version := n.reader.db.Versions(w.model.Table)
	missing := n.reader.known.find(key, version, ids, out)
	if len(missing) == 0 {
		return out, nil
	}
	read := make(map[string]property.Named, len(missing))
	if err := n.read(tx, w, g, shown, rows, missing, read); err != nil {
		return nil, err
	}
	n.reader.known.keep(tx, key, version, read)
	maps.Copy(out, read)
	return out, nil
}

// read asks the database for names.
func (n *names) read(tx *store.Tx, w want, g *graph, shown node, rows plan.Expr, ids []string, out map[string]property.Named) error {
	shows := shown.field.Property
	q := &plan.Query{Model: w.model.Code, Joins: g.joins, Select: append([]plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, shown.columns()...),
		Where: plan.AllOf(oneOf(catalog.ID, ids), rule(rows)), Order: []plan.Order{{By: &plan.Field{Column: catalog.ID, K: plan.ID}}}}
	context := property.TextContext{Locale: n.view.Principal().Locale, Zone: n.reader.zone, Names: n.people}
	return tx.Query(tx.Context(), n.view.Catalog, q, func(row []any) error {
		v := shows.Load(row[1:])
		name := ""
		if v != nil {
			name = shows.Text(v, context)
		}
		out[row[0].(string)] = property.Named{Name: name}
		return nil
	})
}

// oneOf is the condition that a column of ids holds one of some.
func oneOf(column string, ids []string) plan.Expr {
	return &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: column, K: plan.ID}, G: &plan.Const{K: plan.Set, Value: ids}}
}

// of returns the names as one field's values see them.
func (n *names) of(f *catalog.Field) property.Names {
	return fieldNames{n, want{f.Target, f.Display}, f.Target == nil}
}

type fieldNames struct {
	*names
	want  want
	mixed bool // people and departments
}

// Name implements property.Names.
func (n fieldNames) Name(ref plan.Ref) (property.Named, bool) {
	switch {
	case ref.Model == "":
		f, ok := n.files[ref.ID]
		return property.Named{Name: f.Name, Mime: f.Mime, Size: f.Size, Gone: n.gone[ref.ID]}, ok
	case directory.Knows(ref.Model):
		named, ok := n.people.Name(ref)
		if ok && n.told != nil {
			named.Written = n.told.party(ref, n.mixed)
		}
		return named, ok
	}
	named, ok := n.records[n.want][ref.ID]
	return named, ok
}
