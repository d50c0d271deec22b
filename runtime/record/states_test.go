package record_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// stateTold writes a state of an order: its own properties, and its rows in their order, with or without their ids.
func stateTold(m *catalog.Model, st *record.State, ids bool) string {
	var b strings.Builder
	values := func(m *catalog.Model, row map[string]any) {
		for _, f := range m.Fields {
			if len(f.Property.Columns()) > 0 && (!f.System || f.Code == catalog.Owner || f.Code == catalog.SequenceNo) {
				fmt.Fprintf(&b, "%s=%v ", f.Code, record.ValueOf(row, f))
			}
		}
	}
	values(m, st.Row)
	lines := m.Field("lines")
	place := func(row map[string]any) int64 { at, _ := row[catalog.SheetOrder].(int64); return at }
	for _, row := range slices.SortedFunc(slices.Values(st.Sheets[lines.Code]), func(a, b map[string]any) int { return cmp.Compare(place(a), place(b)) }) {
		if b.WriteString("\n"); ids {
			fmt.Fprint(&b, row[catalog.ID], " ")
		}
		values(lines.Sheet, row)
	}
	return b.String()
}

// TestStatesAgainstOracle: after random changes of a record and its rows, a deletion and a restore among them, every version is told as it was, and
// the last write can be taken back: the record is then as before it.
func TestStatesAgainstOracle(t *testing.T) {
	w, ctx := newWorldOn(t), t.Context()
	r, m := rand.New(rand.NewPCG(31, 7)), w.c.Model("order")
	var customers []string
	for _, title := range []string{"a", "b", "c"} {
		customers = append(customers, w.save(w.boss, "customer", "", 0, `{"title": "`+title+`", "limit": "100"}`).ID)
	}
	quoted := func(s string) string { return `"` + s + `"` }
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	reference := func() string { return pick("null", quoted(customers[0]), quoted(customers[1])) }
	change := func(rows []map[string]any) string {
		set := map[string]json.RawMessage{}
		for code, value := range map[string]string{"title": quoted(pick("x", "y", "z")), "price": pick("null", `"2"`, `"3.5"`), "number": pick("null", `"A1"`), "customer": reference(),
			"friends": pick("[]", "["+quoted(customers[0])+"]", "["+quoted(customers[1])+", "+quoted(customers[0])+"]"), "day": pick("null", `"2026-01-02"`)} {
			if r.IntN(3) == 0 {
				set[code] = json.RawMessage(value)
			}
		}
		if r.IntN(3) > 0 {
			var lines []string
			for _, row := range rows {
				line := fmt.Sprintf(`{"id": %q`, row[catalog.ID])
				for code, value := range map[string]string{"item": quoted(pick("p", "q")), "qty": pick("null", `"1"`, `"7"`), "supplier": reference()} {
					if r.IntN(4) == 0 {
						line += fmt.Sprintf(`, %q: %s`, code, value)
					}
				}
				if r.IntN(5) > 0 {
					lines = append(lines, line+"}")
				}
			}
			if len(lines) < 5 && r.IntN(2) == 0 {
				lines = append(lines, `{"item": "new", "supplier": `+reference()+`}`)
			}
			if r.IntN(3) == 0 {
				r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			}
			set["lines"] = json.RawMessage("[" + strings.Join(lines, ", ") + "]")
		}
		text, err := json.Marshal(set)
		must(t, err)
		return string(text)
	}
	o := w.save(w.boss, "order", "", 0, `{"title": "x", "lines": [{"item": "p"}, {"item": "q"}]}`).ID
	now := func() (st *record.State) {
		must(t, w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			st, err = record.NewJudge(ctx, tx, w.system()).State(m, o)
			return err
		}))
		return st
	}
	takeBack := func(version int64) error {
		return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.TakeBack(ctx, tx, w.boss, "order", o, version)
		})
	}
	was := map[int64]string{1: stateTold(m, now(), true)}
	backs := 0
	for range 90 {
		before := now()
		switch r.IntN(12) {
		case 0:
			w.delete(w.boss, "order", o)
			_, err := w.restore(w.boss, "order", o)
			must(t, err)
		default:
			w.save(w.boss, "order", o, before.Version(), change(before.Sheets["lines"]))
		}
		after := now()
		if after.Version() == before.Version() {
			if stateTold(m, after, true) != stateTold(m, before, true) {
				t.Fatalf("version %d is no longer what it was", after.Version())
			}
			continue
		}
		was[after.Version()] = stateTold(m, after, true)
		if after.Version() > before.Version()+1 || r.IntN(3) > 0 {
			continue
		}
		must(t, takeBack(after.Version()))
		backs++
		back := now()
		if got, want := stateTold(m, back, false), stateTold(m, before, false); got != want {
			t.Fatalf("version %d taken back is\n%s\nnot\n%s", after.Version(), got, want)
		}
		was[back.Version()] = stateTold(m, back, true)
		if err := takeBack(after.Version()); fault.Of(err) != fault.ChangedSince {
			t.Errorf("taken back twice: %v", err)
		}
	}
	if len(was) < 60 || backs < 10 {
		t.Errorf("%d versions, %d were taken back", len(was), backs)
	}
	must(t, w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for version, want := range was {
			st, made, err := record.AsOf(ctx, tx, w.system(), m, o, record.Moment{Version: &version})
			if err != nil || made.Version != version {
				t.Errorf("version %d: %d %v", version, made.Version, err)
			} else if got := stateTold(m, &st, true); got != want {
				t.Errorf("version %d is told as\n%s\nnot\n%s", version, got, want)
			}
		}
		history, total, err := record.HistoryOf(tx, "order", []string{o}, 0, 500)
		if int(total) != len(history) || slices.ContainsFunc(history, func(h record.History) bool { return strings.Contains(h.Changes, `"kind":"update"}`) }) {
			t.Errorf("%d entries of %d, or one of a row in which nothing changed", len(history), total)
		}
		return err
	}))
	first := w.save(w.boss, "order", "", 0, `{"title": "made"}`).ID
	for _, try := range []struct {
		name, model, id string
		version         int64
		want            string
	}{
		{"of no model", "ghost", first, 1, "300001"}, {"of nothing", "order", another, 1, "302000"}, {"of a version that was not", "order", first, 0, "302045"}, {"that made it", "order", first, 1, "ok"},
	} {
		err := w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return w.w.TakeBack(ctx, tx, w.boss, try.model, try.id, try.version)
		})
		if explain(err) != try.want {
			t.Errorf("taking back a write %s: %s", try.name, explain(err))
		}
	}
	same(t, w.read("order", id(first), "id"))
}
