package query

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// File is what is known of a file, when the principal may read it: some row and field that the principal
// sees hold it; or something beside the fields of a record that they see, such as a comment; or it is not attached yet and the principal uploaded it. All else is FileNotFound.
func (r *Reader) File(ctx context.Context, view *authz.View, id string) (f blob.File, err error) {
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		f, err = r.FileIn(ctx, tx, view, id)
		return err
	})
	return f, err
}

// FileIn is File inside a transaction.
func (r *Reader) FileIn(ctx context.Context, tx *store.Tx, view *authz.View, id string) (blob.File, error) {
	found, err := blob.Files(tx, []string{id})
	if err != nil {
		return blob.File{}, err
	}
	f, known := found[id]
	if !known {
		return blob.File{}, fault.New(fault.FileNotFound)
	}
	return f, r.seesFile(ctx, tx, view, f)
}

// Kept is what is known of a file, for those who have found out that it may be read.
func (r *Reader) Kept(ctx context.Context, id string) (f blob.File, err error) {
	err = r.read(ctx, func(_ context.Context, tx *store.Tx) error {
		found, err := blob.Files(tx, []string{id})
		if err != nil {
			return err
		}
		var known bool
		if f, known = found[id]; !known {
			return fault.New(fault.FileNotFound)
		}
		return nil
	})
	return f, err
}

// seesFile is FileNotFound when the principal may not read a file.
func (r *Reader) seesFile(ctx context.Context, tx *store.Tx, view *authz.View, f blob.File) error {
	if !f.Held && f.CreatedBy != "" && f.CreatedBy == view.Principal().UserID {
		return nil
	}
	if seen, err := r.heldBeside(ctx, tx, view, f.ID); err != nil || seen {
		return err
	}
	err := r.seesHeld(ctx, tx, view, f)
	if r.through == nil || fault.Of(err) != fault.FileNotFound {
		return err
	}
	if seen, failed := r.through(ctx, tx, view, f.ID); failed != nil || seen {
		return failed
	}
	return err
}

// ReadsFile reports whether the principal may read a file in the field of a record, or of a deleted one that they see: then a
// record of theirs may hold it too. What is held beside the fields, as by comments, stays there.
func (r *Reader) ReadsFile(ctx context.Context, tx *store.Tx, view *authz.View, id string) (bool, error) {
	found, err := blob.Files(tx, []string{id})
	if f, known := found[id]; err != nil || !known || !f.Held {
		return false, err
	}
	err = r.seesHeld(ctx, tx, view, found[id])
	if fault.Of(err) == fault.FileNotFound {
		return false, nil
	}
	return err == nil, err
}

// seesHeld is FileNotFound when no field that the principal may read holds a file.
func (r *Reader) seesHeld(ctx context.Context, tx *store.Tx, view *authz.View, f blob.File) error {
	for _, at := range holders(view.Catalog, f) {
		if seen, err := holds(ctx, tx, view, at, f.ID); err != nil || seen {
			return err
		}
	}
	return r.recycledFile(ctx, tx, view, f.ID)
}

// HoldFiles names what else holds files, as comments do: the records whose readers may read a file. It is said once, before
// the first request.
func (r *Reader) HoldFiles(by func(tx *store.Tx, file string) ([]Ref, error)) { r.beside = by }

// LetReadFiles names something else that holds files and judges itself who may read one, as opinions of workflows and portal pages do. It is
// said before the first request.
func (r *Reader) LetReadFiles(judge func(ctx context.Context, tx *store.Tx, view *authz.View, file string) (bool, error)) {
	r.others = append(r.others, judge)
}

// LetReadThroughTasks names what shows records to people without a right of theirs, as tasks do. It is asked last. It is called once, before
// the first request.
func (r *Reader) LetReadThroughTasks(judge func(ctx context.Context, tx *store.Tx, view *authz.View, file string) (bool, error)) {
	r.through = judge
}

// heldBeside reports whether the principal sees a record that holds the file elsewhere than in its fields.
func (r *Reader) heldBeside(ctx context.Context, tx *store.Tx, view *authz.View, id string) (bool, error) {
	for _, judge := range r.others {
		if seen, err := judge(ctx, tx, view, id); err != nil || seen {
			return seen, err
		}
	}
	if r.beside == nil {
		return false, nil
	}
	refs, err := r.beside(tx, id)
	if err != nil || len(refs) == 0 {
		return false, err
	}
	seen, err := r.Titles(ctx, tx, view, refs)
	return len(seen) > 0, err
}

// TakesFiles is the property of a model, or of its sub-table ("items.photos"), that the principal would put a file into, with
// what it takes.
func (r *Reader) TakesFiles(view *authz.View, schemaCode, propertyCode string) (property.FileLimits, error) {
	m := view.Model(schemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "view") && !view.Can(m, "add") {
		return property.FileLimits{}, fault.New(fault.ModelNotFound)
	}
	n, err := newGraph(view, m).resolve(propertyCode)
	if err != nil {
		return property.FileLimits{}, err
	}
	taker, ok := n.field.Property.(property.FileTaker)
	if !ok || len(n.path) > 0 {
		return property.FileLimits{}, unknown()
	}
	return taker.Files(), nil
}

// fileField is a field that files may be in.
type fileField struct {
	model *catalog.Model
	code  string
}

// holders are the fields that may hold a file, the one that took it first before the others.
func holders(c *catalog.Catalog, f blob.File) []fileField {
	var out []fileField
	for _, m := range c.Models {
		if m.Parent == nil {
			out = append(out, fileFields(m)...)
		}
	}
	if i := slices.IndexFunc(out, func(p fileField) bool { return p.model.Code == f.Model && p.code == f.Field }); i > 0 {
		out[0], out[i] = out[i], out[0]
	}
	return out
}

// fileFields are the fields of a model and of its sub-tables that hold files.
func fileFields(m *catalog.Model) (out []fileField) {
	for _, field := range m.Fields {
		if _, ok := field.Property.(property.FileTaker); ok {
			out = append(out, fileField{m, field.Code})
		}
		if field.Sheet == nil {
			continue
		}
		for _, g := range field.Sheet.Fields {
			if _, ok := g.Property.(property.FileTaker); ok {
				out = append(out, fileField{m, field.Code + "." + g.Code})
			}
		}
	}
	return out
}

// holds reports whether a row of the model that the principal sees holds the file in a field that they see there.
func holds(ctx context.Context, tx *store.Tx, view *authz.View, at fileField, id string) (bool, error) {
	q, ok := holding(view, at, id)
	if !ok {
		return false, nil
	}
	count, err := tx.Count(ctx, view.Catalog, q)
	return count > 0, err
}

// holding is the query for rows that the principal sees and that hold the file in a field that they see there; false = there are none.
func holding(view *authz.View, at fileField, id string) (*plan.Query, bool) {
	if !view.Can(at.model, "view") {
		return nil, false
	}
	g := newGraph(view, at.model)
	n, err := g.resolve(at.code)
	if err != nil {
		return nil, false // a field that may not be read shows no files
	}
	var has plan.Expr = &plan.InSet{Op: plan.SetHas, F: n.column(n.field.Column().Column), G: &plan.Const{K: plan.Set, Value: []string{id}}}
	if n.sheet != nil {
		has = &plan.AnyRow{Sheet: n.sheet.Code, Where: plan.AllOf(rule(n.guard), has)}
	}
	where := plan.AllOf(rule(view.Rows(at.model)), has)
	return &plan.Query{Model: at.model.Code, Joins: g.joins, Where: where}, !plan.IsFalse(where)
}
