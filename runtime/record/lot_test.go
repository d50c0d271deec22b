package record_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestLot: many records of a model are saved each by itself, as single saves would, with or without savepoints: one that is refused takes no
// number and leaves nothing, and the others are stored with their history.
func TestLot(t *testing.T) {
	for _, each := range []bool{false, true} {
		w, ctx := newWorldOn(t), t.Context()
		first := w.save(w.boss, "order", "", 0, `{"title": "first", "price": "1", "lines": [{"item": "a", "qty": "2"}]}`)
		customer := w.save(w.boss, "customer", "", 0, `{"title": "c", "limit": "9"}`)
		version := func(n int64) *int64 { return &n }
		lot := func(f func(*record.Lot) error) error {
			return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				return w.w.Lot(ctx, tx, w.boss, record.LotOf{Model: "order", Creates: 9, Each: each}, f)
			})
		}
		var made []string
		must(t, lot(func(l *record.Lot) error {
			for _, save := range []struct {
				ch   record.Change
				want string
			}{
				{record.Change{Model: "order", Set: set(`{"title": "a", "customer": "` + customer.ID + `", "price": "2", "lines": [{"item": "x"}]}`)}, "ok"},
				{record.Change{Model: "order", Set: set(`{"price": "2"}`)}, "title 302004; "},
				{record.Change{Model: "order", Set: set(`{"title": "b", "number": "wrong"}`)}, "number 302010; "},
				{record.Change{Model: "order", Set: set(`{"title": "b", "nothing": 1}`)}, "nothing 302003; "},
				{record.Change{Model: "ghost", Set: set(`{"title": "b"}`)}, "300001"},
				{record.Change{Model: "order", Set: set(`{"title": "b", "price": "3"}`)}, "ok"},
				{record.Change{Model: "order", ID: first.ID, Version: version(1), Set: set(`{"title": "second"}`)}, "ok"},
				{record.Change{Model: "order", ID: first.ID, Version: version(1), Set: set(`{"title": "third"}`)}, "302002"},
				{record.Change{Model: "order", ID: first.ID, Version: version(2), Set: set(`{"price": "5"}`)}, "ok"},
				{record.Change{Model: "order", Set: set(`{"title": "c"}`)}, "ok"},
			} {
				out, err := l.Save(save.ch)
				if explain(err) != save.want {
					t.Errorf("each=%t %s: %s, not %s", each, save.ch.Set, explain(err), save.want)
				}
				if err == nil && save.ch.ID == "" {
					made = append(made, out.ID)
				}
				if save.want == "302002" {
					var f *fault.Error
					if errors.As(err, &f) {
						same(t, f.Data.(fault.Stale).Changed, "title")
					}
				}
			}
			return nil
		}))
		w.save(w.boss, "order", "", 0, `{"title": "last"}`)
		same(t, w.read("order", plan.True, "sequenceNo", "title", "price", "total", "rest", "version"),
			"D-202611001 | second | 5 | 10 | <nil> | 3", "D-202611002 | a | 2 | 2 | 7 | 1", "D-202611003 | b | 3 | <nil> | <nil> | 1", "D-202611004 | c | <nil> | <nil> | <nil> | 1", "D-202611005 | last | <nil> | <nil> | <nil> | 1")
		for i, id := range append(made, first.ID) {
			if got, want := len(w.history("order", id)), map[bool]int{true: 3, false: 1}[id == first.ID]; got != want {
				t.Errorf("each=%t: %d entries in the history of order %d, not %d", each, got, i, want)
			}
		}

		undone := errors.New("undone")
		if err := lot(func(l *record.Lot) error {
			_, err := l.Save(change("order", "", `{"title": "gone"}`, ""))
			must(t, err)
			return undone
		}); !errors.Is(err, undone) || errors.Is(err, record.ErrEach) {
			t.Errorf("each=%t: %v", each, err)
		}
		if n := len(w.read("order", plan.True, "id")); n != 5 {
			t.Errorf("each=%t: %d orders", each, n)
		}
		if err := w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.Lot(ctx, tx, w.boss, record.LotOf{Model: "ghost"}, func(*record.Lot) error { return undone })
		}); fault.Of(err) != fault.ModelNotFound {
			t.Errorf("of no model: %v", err)
		}
	}
}

// TestLotRefusedLate: what the database refuses after it has written asks for another try with savepoints, in which the others are stored.
func TestLotRefusedLate(t *testing.T) {
	w, ctx := newWorldOn(t), t.Context()
	try := func(each bool) (answers []string, err error) {
		err = w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.Lot(ctx, tx, w.boss, record.LotOf{Model: "order", Creates: 3, Each: each}, func(l *record.Lot) error {
				for i := range 3 {
					_, err := l.Save(change("order", "", fmt.Sprintf(`{"title": "t%d", "number": "A%d"}`, i, i/2), ""))
					if errors.Is(err, record.ErrEach) {
						return err
					}
					answers = append(answers, explain(err))
				}
				return nil
			})
		})
		return answers, err
	}
	if _, err := try(false); !errors.Is(err, record.ErrEach) {
		t.Errorf("without savepoints: %v", err)
	}
	same(t, w.read("order", plan.True, "id"))
	answers, err := try(true)
	must(t, err)
	same(t, answers, "ok", "number 302012; ", "ok")
	same(t, w.read("order", plan.True, "sequenceNo", "number"), "D-202611001 | A0", "D-202611002 | A1")
}
