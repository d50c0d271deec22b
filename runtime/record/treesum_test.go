package record_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// items are a bill of quantities: a tree whose formulas read the same properties of the children, and a bid that folds the tree.
func items(docs map[string]string, _ *pack.Set) {
	docs["models/bid.json"] = `{"name": "标", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称"},
		{"code": "total", "propertyType": "Number", "name": "合计", "scale": 2, "computeFormula": "sum(related('item', 'bid'), .total)"}]}`
	docs["models/item.json"] = `{"name": "子目", "digest": "{title}", "tree": "parent", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称"},
		{"code": "parent", "propertyType": "RelevanceForm", "name": "上级", "relativeCode": "item", "onDelete": "clear"},
		{"code": "bid", "propertyType": "RelevanceForm", "name": "标", "relativeCode": "bid", "onDelete": "clear"},
		{"code": "cost", "propertyType": "Number", "name": "费用", "scale": 2},
		{"code": "total", "propertyType": "Number", "name": "合计", "scale": 2, "computeFormula": "(cost ?? 0) + (sum(related('item', 'parent'), .total) ?? 0)"},
		{"code": "nodes", "propertyType": "Number", "name": "个数", "computeFormula": "1 + (sum(related('item', 'parent'), .nodes) ?? 0)"},
		{"code": "height", "propertyType": "Number", "name": "层数", "computeFormula": "1 + (maximum(related('item', 'parent'), .height) ?? 0)"},
		{"code": "even", "propertyType": "Logic", "name": "偶", "computeFormula": "count(filter(related('item', 'parent'), .large)) == 0"},
		{"code": "large", "propertyType": "Logic", "name": "大", "computeFormula": "total > 100 and not even"}]}`
}

// forest reads the tree in one snapshot.
func (w *world) forest(ctx context.Context) (items, bids map[string]row, err error) {
	items, bids = map[string]row{}, map[string]row{}
	err = w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for code, into := range map[string]map[string]row{"item": items, "bid": bids} {
			var columns []plan.Column
			q := &plan.Query{Model: code, Where: plan.True}
			for _, f := range w.c.Model(code).Fields {
				if !f.System || f.Code == catalog.ID || f.Code == catalog.Version {
					columns = append(columns, f.Property.Columns()...)
				}
			}
			for _, c := range columns {
				q.Select = append(q.Select, &plan.Field{Column: c.Name, K: c.Kind})
			}
			err := tx.Query(ctx, w.c, q, func(values []any) error {
				r := row{}
				for i, c := range columns {
					r[c.Name] = values[i]
				}
				into[r.text("id")] = r
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return items, bids, err
}

// sums is the oracle: what a node's formulas say, from the leaves up, without the engine.
type sums struct {
	total         decimal.Decimal
	nodes, height int
	even, large   bool
}

func uneven(items, bids map[string]row) (out []string) {
	below := map[string][]string{}
	for id, r := range items {
		below[r.text("parent")] = append(below[r.text("parent")], id)
	}
	known := map[string]sums{}
	var of func(id string, depth int) sums
	of = func(id string, depth int) sums {
		if depth > len(items) {
			out = append(out, "ring at "+id)
			return sums{}
		}
		s := sums{total: items[id].number("cost", 0), nodes: 1}
		large := 0
		for _, child := range below[id] {
			c := of(child, depth+1)
			s.total, s.nodes, s.height = s.total.Add(c.total), s.nodes+c.nodes, max(s.height, c.height)
			if c.large {
				large++
			}
		}
		s.height++
		s.even = large == 0
		s.large = s.total.GreaterThan(decimal.NewFromInt(100)) && !s.even
		known[id] = s
		return s
	}
	for id, r := range items {
		if items[r.text("parent")] == nil {
			of(id, 0)
		}
	}
	of1 := map[string]decimal.Decimal{}
	for id, r := range items {
		s, ok := known[id]
		want := fmt.Sprint(s.total, s.nodes, s.height, s.even, s.large)
		if got := fmt.Sprint(r.number("total", -1), r.number("nodes", -1), r.number("height", -1), r["even"], r["large"]); !ok || got != want {
			out = append(out, fmt.Sprintf("item %s is %s, not %s (%t)", id, got, want, ok))
		}
		if b := r.text("bid"); b != "" {
			of1[b] = of1[b].Add(s.total)
		}
	}
	for id, b := range bids {
		if got := b.number("total", 0); !got.Equal(of1[id]) {
			out = append(out, fmt.Sprintf("bid %s is %s, not %s", id, got, of1[id]))
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) even(what string) {
	w.t.Helper()
	items, bids, err := w.forest(w.t.Context())
	must(w.t, err)
	if bad := uneven(items, bids); len(bad) > 0 {
		w.t.Fatalf("%s:\n%s", what, strings.Join(bad, "\n"))
	}
}

// gardener writes at random: adds, edits, moves whole branches, deletes and restores.
type gardener struct {
	w    *world
	r    *rand.Rand
	gone []string
	done map[string]int
}

func (g *gardener) play() error {
	items, bids, err := g.w.forest(g.w.t.Context())
	if err != nil {
		return err
	}
	ids, tops := slices.Sorted(maps.Keys(items)), slices.Sorted(maps.Keys(bids))
	any := func(of []string) string {
		if len(of) == 0 || g.r.IntN(6) == 0 {
			return "null"
		}
		return fmt.Sprintf("%q", of[g.r.IntN(len(of))])
	}
	what := ""
	switch n := g.r.IntN(20); {
	case n == 0 && len(tops) < 3:
		what = "bid"
		_, err = g.w.try(g.w.boss, "bid", "", 0, `{"title": "B"}`)
	case n < 6 || len(ids) == 0:
		what = "add"
		_, err = g.w.try(g.w.boss, "item", "", 0, fmt.Sprintf(`{"title": "x", "parent": %s, "bid": %s, "cost": "%d.5"}`, any(ids), any(tops), g.r.IntN(60)))
	case n < 11:
		id := ids[g.r.IntN(len(ids))]
		what = "edit"
		_, err = g.w.try(g.w.boss, "item", id, items[id]["version"].(int64), fmt.Sprintf(`{"cost": "%d.25", "bid": %s}`, g.r.IntN(90), any(tops)))
	case n < 16:
		id := ids[g.r.IntN(len(ids))]
		what = "move"
		_, err = g.w.try(g.w.boss, "item", id, items[id]["version"].(int64), fmt.Sprintf(`{"parent": %s}`, any(ids)))
	case n < 18:
		id := ids[g.r.IntN(len(ids))]
		what = "delete"
		_, err = g.w.w.Delete(g.w.t.Context(), g.w.boss, "item", []string{id})
		g.gone = append(g.gone, id)
	case len(g.gone) > 0:
		what = "restore"
		i := g.r.IntN(len(g.gone))
		_, err = g.w.w.Restore(g.w.t.Context(), g.w.boss, "item", g.gone[i])
		g.gone = slices.Delete(g.gone, i, i+1)
	}
	var f *fault.Error
	codes := []fault.Code{fault.VersionStale, fault.RecordNotFound, fault.RecordInvalid, fault.RecordBusy, fault.DeleteBusy, fault.RestoreExists, fault.RecycleGone}
	switch {
	case err == nil:
		g.done[what]++
	case errors.As(err, &f) && slices.Contains(codes, f.Code):
		g.done[what+" refused"]++
	default:
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// TestTreeSums: after every write, each sum over children is what the tree says from the leaves up.
func TestTreeSums(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		g := &gardener{w: w, r: rand.New(rand.NewPCG(5, 27)), done: map[string]int{}}
		for i := range 90 {
			must(t, g.play())
			w.even(fmt.Sprintf("after write %d", i+1))
		}
		for _, what := range []string{"add", "edit", "move", "move refused", "delete", "restore"} {
			if g.done[what] == 0 {
				t.Errorf("no %s: %v", what, g.done)
			}
		}
	}, items)
}

// TestTreeSumsAtOnce: several write in one tree at once; no update is lost, no ring is closed, and every snapshot is right.
func TestTreeSumsAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var all sync.WaitGroup
		var mu sync.Mutex
		done := map[string]int{}
		wrote := make(chan struct{}, 1)
		for i := range 4 {
			all.Go(func() {
				g := &gardener{w: w, r: rand.New(rand.NewPCG(uint64(i), 9)), done: map[string]int{}}
				for range 35 {
					if err := g.play(); err != nil {
						t.Errorf("gardener %d: %v", i, err)
						return
					}
					select {
					case wrote <- struct{}{}:
					default:
					}
				}
				mu.Lock()
				defer mu.Unlock()
				for what, n := range g.done {
					done[what] += n
				}
			})
		}
		go func() { all.Wait(); stop() }()
		snapshots := 0
		for ; ctx.Err() == nil; snapshots++ {
			items, bids, err := w.forest(t.Context())
			must(t, err)
			if bad := uneven(items, bids); len(bad) > 0 {
				t.Errorf("snapshot %d:\n%s", snapshots, strings.Join(bad, "\n"))
				break
			}
			select {
			case <-wrote:
			case <-ctx.Done():
			}
		}
		all.Wait()
		w.even("at the end")
		t.Logf("%d snapshots, %v", snapshots, done)
	}, items)
}

// TestTreeSumsAnew: after a start with new formulas all sums are right, whatever the order of the ids, and a record whose children
// all come after it is written once.
func TestTreeSumsAnew(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		r := rand.New(rand.NewPCG(8, 8))
		var ids []string
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			for i := range 230 {
				id := fmt.Sprintf("00000000-0000-7000-8000-%012x", i)
				row := map[string]any{"id": id, "name": "x", "sequenceNo": fmt.Sprint(i), "version": int64(1), "createdTime": now, "modifiedTime": now, "cost": decimal.NewFromInt(r.Int64N(50))}
				if i > 0 {
					row["parent"] = ids[r.IntN(i)]
				}
				ids = append(ids, id)
				if err := tx.Insert(t.Context(), w.c.Model("item"), row); err != nil {
					return err
				}
			}
			return record.OutOfDate(tx, w.c.Model("item"))
		}))
		anew := func() {
			must(t, w.w.Recompute(t.Context(), w.system()))
			w.even("computed anew")
		}
		anew()
		for _, v := range w.read("item", plan.True, "version") {
			if v != "2" {
				t.Fatalf("a record was written %s times", v)
			}
		}
		// Some parents come after their children now.
		for range 12 {
			i := r.IntN(len(ids)/2) + 1
			items, _, err := w.forest(t.Context())
			must(t, err)
			v := items[ids[i]]["version"].(int64)
			_, err = w.try(w.boss, "item", ids[i], v, fmt.Sprintf(`{"parent": %q}`, ids[len(ids)/2+r.IntN(len(ids)/2)]))
			var f *fault.Error
			if err != nil && !(errors.As(err, &f) && f.Code == fault.RecordInvalid) {
				t.Fatal(err)
			}
		}
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			for _, id := range ids {
				if _, err := tx.Update(t.Context(), w.c.Model("item"), id, 0, plan.True, map[string]any{"total": nil}); err != nil {
					return err
				}
			}
			return record.OutOfDate(tx, w.c.Model("item"))
		}))
		anew()
	}, items)
}

// TestRestoreClosesNoRing: a child that was cleared when its parent was deleted, and above which the parent's place was moved since,
// does not come back under it.
func TestRestoreClosesNoRing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		add := func(parent string) string {
			return w.save(w.boss, "item", "", 0, fmt.Sprintf(`{"title": "x", "cost": "1", "parent": %s}`, parent)).ID
		}
		top := add("null")
		middle := add(fmt.Sprintf("%q", top))
		low := add(fmt.Sprintf("%q", middle))
		_, err := w.w.Delete(t.Context(), w.boss, "item", []string{middle})
		must(t, err)
		items, _, err := w.forest(t.Context())
		must(t, err)
		w.save(w.boss, "item", top, items[top]["version"].(int64), fmt.Sprintf(`{"parent": %q}`, low))
		_, err = w.w.Restore(t.Context(), w.boss, "item", middle)
		must(t, err)
		w.even("restored")
		same(t, w.read("item", id(low), "parent", "total"), "<nil> | 3")
	}, items)
}

// TestTreeSumsAnewInAnyOrder: trees whose parents were made before or after their children, in any mix, are recomputed in chunks of
// any size, from wrong values, with stops and with writes between the chunks: at the end every sum is right.
func TestTreeSumsAnewInAnyOrder(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		m := w.c.Model("item")
		for seed := range uint64(storetest.Full(4, 12)) {
			r := rand.New(rand.NewPCG(seed, 35))
			ids := make([]string, 20+r.IntN(40))
			for i := range ids { // parents first here, whatever their ids
				ids[i] = fmt.Sprintf("%08x-0000-7000-8000-%012x", r.Uint32(), seed)
			}
			newer := 0
			must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				for i, id := range ids {
					row := map[string]any{"id": id, "name": "x", "sequenceNo": fmt.Sprint(seed, "-", i), "version": int64(1), "createdTime": now, "modifiedTime": now,
						"cost": decimal.NewFromInt(r.Int64N(50)), "total": decimal.NewFromInt(r.Int64N(200)), "nodes": decimal.NewFromInt(r.Int64N(4)),
						"height": decimal.NewFromInt(r.Int64N(4)), "even": r.IntN(2) == 0, "large": r.IntN(2) == 0}
					if i > 0 {
						parent := ids[max(0, i-1-r.IntN(4))]
						row["parent"] = parent
						if parent > id {
							newer++
						}
					}
					if err := tx.Insert(t.Context(), m, row); err != nil {
						return err
					}
				}
				return record.OutOfDate(tx, m, w.c.Model("bid"))
			}))
			if newer == 0 || newer == len(ids)-1 {
				t.Fatalf("seed %d: %d of %d parents are newer", seed, newer, len(ids))
			}
			g := &gardener{w: w, r: r, done: map[string]int{}}
			for range r.IntN(8) {
				must(t, g.play())
			}
			for range r.IntN(12) {
				_, err := w.w.RecomputeSome(t.Context(), w.system(), m, 1+r.IntN(9))
				must(t, err)
				for range r.IntN(3) {
					must(t, g.play())
				}
			}
			must(t, w.w.Recompute(t.Context(), w.system()))
			w.even(fmt.Sprintf("seed %d, %v", seed, g.done))
		}
	}, items)
}
