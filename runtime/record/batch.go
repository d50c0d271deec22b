package record

import (
	"context"
	"errors"
	"maps"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Batch writes several records in one transaction. It ends with the function that Together gave it to.
type Batch struct {
	s         *session
	rehearsal bool
}

// Together runs f in one transaction: all that its batch writes is stored when f returns nil, and nothing otherwise. A write
// that was refused undoes the others, even when f passes over the refusal: what it left behind is not known.
func (w *Writer) Together(ctx context.Context, view *authz.View, f func(b *Batch) error) error {
	err := w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return w.Within(ctx, tx, view, f) })
	if errors.Is(err, store.ErrConflict) { // f may have done more than write: it is not run again
		return fault.Wrap(err, fault.RecordBusy)
	}
	return err
}

// Within is Together inside a transaction of the caller's, which must be given up after an error.
func (w *Writer) Within(ctx context.Context, tx *store.Tx, view *authz.View, f func(b *Batch) error) error {
	b := &Batch{s: w.session(ctx, tx, view)}
	b.s.nested.gathers = true
	return b.all(f)
}

// all runs f and stores what its writes left to the end.
func (b *Batch) all(f func(b *Batch) error) error {
	if err := f(b); err != nil {
		return err
	}
	if b.s.nested.refused != nil {
		return b.s.nested.refused
	}
	if err := errors.Join(b.s.flush(), b.s.storeWaiting()); err != nil {
		return err
	}
	if err := b.s.giveBack(); err != nil {
		return err
	}
	if b.rehearsal {
		return ErrRehearsed
	}
	return nil
}

// Try runs f with a batch of its own in the same transaction. When f fails, or a write of it was refused, what it wrote is undone and the
// transaction goes on; otherwise it stays.
func (b *Batch) Try(f func(b *Batch) error) error {
	s := b.s
	if s.nested.refused != nil {
		return s.nested.refused
	}
	// What waits belongs to the time before: it is not undone with f, and f reads it. Numbers that nobody took go back, for f takes its own.
	if err := errors.Join(s.flush(), s.storeWaiting(), s.giveBack()); err != nil {
		return b.fail(err)
	}
	inner := s.island()
	err := s.tx.Try(s.ctx, func() error { return (&Batch{s: inner}).all(f) })
	if err != nil {
		return err
	}
	for _, read := range []map[string]bool{s.held, s.approvals} {
		clear(read)
	}
	clear(s.rows)
	clear(s.known)
	maps.Copy(s.nested.made, inner.nested.made)
	s.nested.memos = nil
	return nil
}

// island is a session of the same rights that shares nothing of what it reads and gathers: what it learns may be undone.
func (s *session) island() *session {
	out := s.as(s.view)
	out.rows, out.held, out.approvals, out.going = map[string]map[string]any{}, map[string]bool{}, map[string]bool{}, maps.Clone(s.going)
	out.numbers, out.failed = map[string]*numbers{}, nil
	out.nested = &nested{depth: s.nested.depth, gathers: true, made: maps.Clone(s.nested.made)}
	return out
}

// ErrRehearsed is the end of a batch that was a rehearsal: it could have been stored, and is not.
var ErrRehearsed = errors.New("a rehearsal: nothing is stored")

// Rehearse lets nothing of the batch be stored. What refuses it still does.
func (b *Batch) Rehearse() { b.rehearsal = true }

// Tx is the transaction, to read what the batch has written.
func (b *Batch) Tx() *store.Tx { return b.s.tx }

// View is what the batch reads and writes with.
func (b *Batch) View() *authz.View { return b.s.view }

// As is the batch with another view, in the same transaction.
func (b *Batch) As(view *authz.View) *Batch { return &Batch{s: b.s.as(view)} }

// Memo is what code of packs keeps for the rest of the transaction, for the right of the batch's view.
func (b *Batch) Memo() world.Memo {
	who := b.s.view.Principal()
	right := who.UserID + "\x00" + who.System + "\x00" + who.Reason
	m := b.s.nested.memos[right]
	if m == nil {
		if b.s.nested.memos == nil {
			b.s.nested.memos = map[string]world.Memo{}
		}
		m = world.Memo{}
		b.s.nested.memos[right] = m
	}
	return m
}

// Once runs f and keeps its answer with what the batch writes. When a call of the principal with the same token was committed
// before, f does not run and that call's answer comes back; asked tells what the call is, for the same token on another one is
// refused (RepeatSubmit). Without a token f runs.
func (b *Batch) Once(token, asked string, f func() ([]byte, error)) ([]byte, error) {
	first, done, err := b.s.claim(token, func() string { return hash("call", asked) })
	if err != nil || done {
		return first.Answer, err
	}
	out, err := f()
	if err != nil {
		return nil, err
	}
	return out, b.s.answer(token, Idempotency{Answer: out})
}

// Save works as Writer.Save.
func (b *Batch) Save(ch Change) (Saved, error) {
	cw, err := newChange(b.s.view, ch)
	if err != nil {
		return Saved{}, b.fail(err)
	}
	out, err := cw.save(b.s, ch)
	if err != nil {
		return Saved{}, b.fail(cw.refused(err))
	}
	return out, nil
}

// Delete removes one record, or says why it cannot be.
func (b *Batch) Delete(model, id string) error {
	if err := b.delete(model, id); err != nil {
		return b.fail(err)
	}
	return b.s.flush()
}

// fail keeps the first refusal: the transaction cannot be stored any more.
func (b *Batch) fail(err error) error {
	if b.s.nested.refused == nil {
		b.s.nested.refused = err
	}
	return err
}

func (b *Batch) delete(model, id string) error {
	m, err := deletable(b.s.view, model, []string{id})
	if err != nil {
		return err
	}
	state, err := b.s.delete(m, id)
	var ref *store.Referenced
	if errors.As(err, &ref) && !ref.Missing {
		return fault.Wrap(err, fault.RecordReferenced, b.label(ref.Model))
	}
	switch {
	case err != nil || Deletable(state.ResultCode):
		return err
	case state.Code != 0:
		return fault.New(state.Code, state.Args...)
	case state.RelativeModel != nil:
		return fault.New(fault.RecordReferenced, b.label(*state.RelativeModel))
	}
	seen, err := b.s.one(m, id, b.s.view.Rows(m))
	if err != nil || seen == nil {
		return orFault(err, fault.RecordNotFound)
	}
	return fault.New(fault.Forbidden)
}

func (b *Batch) label(model string) string {
	if m := b.s.view.Model(model); m != nil {
		return m.Label.In(b.s.view.Principal().Locale)
	}
	return model
}
