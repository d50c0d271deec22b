package record

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ErrEach is returned where the database refused a record of a lot after other records had been written with it: the transaction can only
// be given up. The caller comes again, in another one, with LotOf.Each.
var ErrEach = errors.New("a record of the lot was refused after it had been written")

// Lot saves many records of one model in a transaction of the caller's, each by itself: one that is refused leaves nothing behind, and the
// others are stored. What single saves ask of the database each time is asked once for all: running numbers, and the rows of the history.
type Lot struct {
	s    *session
	m    *catalog.Model
	each bool
}

// LotOf is what a lot is made for.
type LotOf struct {
	Model   string
	Creates int // new records at most
	// Each stores every record in a savepoint. Without it nothing is asked of the database before it must be, which is much faster as long as
	// it refuses nothing.
	Each bool
}

// Lot runs f with a lot.
func (w *Writer) Lot(ctx context.Context, tx *store.Tx, view *authz.View, of LotOf, f func(*Lot) error) error {
	m := view.Model(of.Model)
	if m == nil {
		return fault.New(fault.ModelNotFound, of.Model)
	}
	l := &Lot{s: w.session(ctx, tx, view), m: m, each: of.Each}
	if of.Creates > 0 {
		if err := l.s.reserve(m, int64(of.Creates)); err != nil {
			return err
		}
	}
	all := func() error {
		if err := f(l); err != nil {
			return err
		}
		return l.end()
	}
	if l.each {
		return all()
	}
	err := tx.Together(ctx, all)
	if err != nil && tx.Failed() != nil {
		return fmt.Errorf("%w: %w", ErrEach, err)
	}
	return err
}

// Expect looks for the records that new records of the lot will refer to, by the fields that refer to them: with one question a model
// instead of one for each record. What is not found is looked for again when it is saved, which refuses it. References without a key in
// the database are left to that as well, and so is what a field offers once the lot has changed a record that it could offer.
func (l *Lot) Expect(refs map[*catalog.Field][]string) error {
	c := &change{session: l.s, m: l.m, create: true}
	var wanted []wantedRef
	for _, f := range append(slices.Clone(l.m.Fields), sheetFields(l.m)...) {
		cols := f.Columns()
		if len(refs[f]) == 0 || f.Target == nil || len(cols) == 0 || cols[0].References == "" {
			continue
		}
		w := wantedRef{code: f.Code, field: f, ids: map[string][]string{}}
		for _, id := range refs[f] {
			w.ids[id] = []string{f.Target.Code}
		}
		if f.Model == l.m {
			w.offer = c.offer(f)
		}
		wanted = append(wanted, w)
	}
	if len(wanted) == 0 {
		return nil
	}
	if err := c.learn(wanted); err != nil {
		return err
	}
	l.s.expected = offering{}
	for _, w := range wanted {
		if w.offer != nil && ofOneRow(w.offer) {
			l.s.expected[w.field] = c.offers[w.field]
		}
	}
	return nil
}

func sheetFields(m *catalog.Model) (out []*catalog.Field) {
	for _, f := range m.Fields {
		if f.Sheet != nil {
			out = append(out, f.Sheet.Fields...)
		}
	}
	return out
}

// ofOneRow reports whether a condition reads nothing but columns of the row itself, so that it stays as true as it is while nobody
// changes the row.
func ofOneRow(e plan.Expr) bool {
	all := true
	plan.Walk(e, func(x plan.Expr) {
		switch x := x.(type) {
		case *plan.Const, *plan.And, *plan.Or, *plan.Not, *plan.Compare, *plan.IsNull, *plan.Match:
		case *plan.Field:
			all = all && len(x.Path) == 0
		default:
			all = false
		}
	})
	return all
}

// Save works as Writer.SaveIn inside tx.Try.
func (l *Lot) Save(ch Change) (out Saved, err error) {
	cw, err := newChange(l.s.view, ch)
	if err != nil {
		return Saved{}, err
	}
	s := l.s
	if ch.ID != "" { // the history may be asked for what changed since
		if err := s.flush(); err != nil {
			return Saved{}, err
		}
	}
	noted, numbers, wrote := len(s.history), s.blockOf(l.m), s.tx.Writes()
	save := func() error {
		cw.session = s
		out, err = cw.saveLater(ch)
		return err
	}
	if l.each {
		err = s.tx.Try(s.ctx, save)
	} else if err = save(); err != nil && s.tx.Writes() != wrote {
		return Saved{}, fmt.Errorf("%w: %w", ErrEach, err)
	}
	if err != nil {
		s.history = s.history[:min(noted, len(s.history))]
		s.rows, s.held, s.failed, s.nested = map[string]map[string]any{}, map[string]bool{}, nil, &nested{made: map[string]bool{}}
		if numbers != nil {
			s.numbers[l.m.Code] = numbers
		}
		return Saved{}, cw.refused(err)
	}
	clear(s.rows) // related records as they were: later ones of the lot may change them
	return out, nil
}

// blockOf copies the block of numbers of a model, to put back what a refused record took.
func (s *session) blockOf(m *catalog.Model) *numbers {
	n := s.numbers[m.Code]
	if n == nil {
		return nil
	}
	kept := *n
	return &kept
}

// saveLater makes the change; its history is stored with that of others.
func (cw *change) saveLater(ch Change) (Saved, error) {
	if err := cw.run(ch); err != nil {
		return Saved{}, err
	}
	out := Saved{ID: cw.id, Version: cw.version}
	var err error
	out.Warnings, err = cw.told()
	return out, err
}

// end stores the history, and gives back the numbers that nobody took.
func (l *Lot) end() error {
	if err := l.s.flush(); err != nil {
		return err
	}
	return l.s.giveBack()
}
