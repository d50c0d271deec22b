package record

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// owning are the system properties that say to whom a record belongs, by the model that they refer to.
var owning = map[string]string{userModel: catalog.Owner, departmentModel: catalog.OwnerDept}

// Succeed makes the records that belong to one person or department belong to another, each with a version and history of its own. The
// principal needs the right word on the one whose records go.
func (b *Batch) Succeed(model, from, to, word string) (int, error) {
	if err := b.Allowed(model, from, word); err != nil {
		return 0, b.fail(err)
	}
	if model == departmentModel {
		switch gains, err := b.s.annexes(b.s.view.Model(model), from, to); {
		case err != nil:
			return 0, b.fail(err)
		case gains:
			return 0, b.fail(fault.New(fault.DepartmentGains))
		}
	}
	n, err := b.s.succeed(b.s.view.Model(model), from, to)
	if err != nil {
		return 0, b.fail(err)
	}
	return n, nil
}

// Allowed refuses when the principal does not see a record, does not have a right on it, or when it is a person or role above the
// principal.
func (b *Batch) Allowed(model, id, word string) error {
	return b.s.allowed(model, id, word, b.s.manages)
}

// AllowedAccount is Allowed for a right on the account of a person, which needs none of the rights that the person has (authz.View.MayAdminister).
func (b *Batch) AllowedAccount(id, word string) error {
	return b.s.allowed(userModel, id, word, b.s.keepsAccount)
}

// AllowedIn is Batch.Allowed inside a transaction that may only read.
func (w *Writer) AllowedIn(ctx context.Context, tx *store.Tx, view *authz.View, model, id, word string) error {
	s := w.session(ctx, tx, view)
	return s.allowed(model, id, word, s.manages)
}

func (s *session) allowed(model, id, word string, over func(*catalog.Model, map[string]any) (bool, error)) error {
	m := s.view.Model(model)
	if m == nil {
		return fault.New(fault.ModelNotFound)
	}
	row, err := s.one(m, id, s.view.Rows(m))
	if err != nil || row == nil {
		return orFault(err, fault.RecordNotFound)
	}
	if !s.view.Can(m, word) {
		return fault.New(fault.Forbidden)
	}
	if ok, err := s.holds(m, id, s.view.EditRows(m, word)); err != nil || !ok {
		return orFault(err, fault.Forbidden)
	}
	if ok, err := over(m, row); err != nil || !ok {
		return orFault(err, fault.FieldAbove)
	}
	return nil
}

// Owned is how many records belong to a person, in all models.
func (b *Batch) Owned(person string) (int, error) {
	m, n := b.s.view.Model(userModel), 0
	for _, f := range b.s.owners(m) {
		count, err := b.s.tx.Count(b.s.ctx, b.s.view.Catalog, &plan.Query{Model: f.Model.Code, Where: refersTo(f, person)})
		if err != nil {
			return 0, b.fail(err)
		}
		n += int(count)
	}
	return n, nil
}

// owners are the properties that say that a record belongs to one of a model's.
func (s *session) owners(m *catalog.Model) (out []*catalog.Field) {
	for _, f := range referrers(s.view.Catalog, m) {
		if f.System && f.Code == owning[m.Code] && f.Model.Parent == nil {
			out = append(out, f)
		}
	}
	return out
}

func (s *session) succeed(m *catalog.Model, from, to string) (int, error) {
	n := 0
	for _, f := range s.owners(m) {
		owned := refersTo(f, from)
		count, err := s.tx.Count(s.ctx, s.view.Catalog, &plan.Query{Model: f.Model.Code, Where: owned})
		if err != nil {
			return 0, err
		}
		if n += int(count); n > world.MostSucceeded {
			return 0, fault.New(fault.MergeTooLarge, world.MostSucceeded)
		}
		if count == 0 {
			continue
		}
		rows, err := s.load(f.Model, owned)
		if err != nil {
			return 0, err
		}
		for _, old := range rows {
			if err := s.refer(f, old, to); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}
