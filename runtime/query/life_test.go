package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// living is a world whose records are written as the runtime writes them, at times that go on.
type living struct {
	*world
	w    *record.Writer
	time time.Time
}

func live(t *testing.T, w *world) *living {
	t.Helper()
	l := liveIn(t, w)
	w.put("contract", map[string]values{"c1": {"title": "One", "budget": 10}, "c2": {"title": "Two", "budget": 20, "owner": "boss"}})
	return l
}

// liveIn adds a writer and the organisation to a world.
func liveIn(t *testing.T, w *world) *living {
	t.Helper()
	set := &pack.Set{}
	must(t, base.Register(set))
	set.Freeze()
	l := &living{world: w, time: now}
	l.w = record.New(w.db, set, w.people, zone, func() time.Time { l.time = l.time.Add(time.Second); return l.time })
	w.organise()
	return l
}

func (l *living) save(view *authz.View, recordID string, version int64, set map[string]any) record.Saved {
	l.t.Helper()
	ch := record.Change{Model: "lot", ID: recordID, Set: map[string]json.RawMessage{}}
	if recordID != "" {
		ch.Version = &version
	}
	for code, v := range set {
		text, err := json.Marshal(v)
		must(l.t, err)
		ch.Set[code] = text
	}
	out, err := l.w.Save(l.t.Context(), view, ch)
	must(l.t, err)
	return out
}

func (l *living) load(view *authz.View, recordID string, at *record.Moment) (*query.FormLoad, error) {
	return l.FormLoad(l.t.Context(), view, query.FormRequest{SchemaCode: "lot", ObjectID: recordID, Moment: at})
}

type row = map[string]any

// TestEarlierVersions: over random writes, what a record was at each version is what the form answered then.
func TestEarlierVersions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l, boss := live(t, w), w.rights("boss", "chief")
		for seed := range uint64(6) {
			r := rand.New(rand.NewPCG(seed, 7))
			pick := func(of ...any) any { return of[r.IntN(len(of))] }
			change := func(rows []row) map[string]any {
				out := map[string]any{}
				for code, v := range map[string]any{"part": pick("A", "B", "C", nil), "price": pick("1.5", "20", nil), "result": pick("OK", "BAD", nil),
					"tags": pick([]string{"a"}, []string{"a", "b"}, []string{}), "inspector": pick(id("boss"), id("clerk"), nil), "contract": pick(id("c1"), id("c2"), nil),
					"others": pick([]string{id("c1")}, []string{id("c2"), id("c1")}, []string{}), "checkDate": pick("2026-11-20", "2026-11-21", nil)} {
					if r.IntN(3) == 0 {
						out[code] = v
					}
				}
				if r.IntN(3) > 0 {
					kept := []row{}
					for _, old := range rows {
						if r.IntN(4) > 0 {
							kept = append(kept, row{"id": old["id"], "item": pick("i", "j", nil), "rate": pick("1", "2.5")})
						}
					}
					r.Shuffle(len(kept), func(i, j int) { kept[i], kept[j] = kept[j], kept[i] })
					for range r.IntN(3) {
						at := r.IntN(len(kept) + 1)
						kept = append(kept[:at:at], append([]row{{"item": pick("k", "l"), "source": pick(id("c1"), nil)}}, kept[at:]...)...)
					}
					out["items"] = kept
				}
				return out
			}
			o := l.save(boss, "", 0, map[string]any{"part": "A", "price": "3", "items": []row{{"item": "first"}, {"item": "second", "rate": "4"}}})
			was, at := map[int64]string{}, map[int64]time.Time{}
			see := func(version int64) []row {
				now, err := l.load(boss, o.ID, nil)
				must(t, err)
				was[version], at[version] = now.Name+" "+string(now.Data), l.time
				var data struct{ Items []row }
				must(t, json.Unmarshal(now.Data, &data))
				return data.Items
			}
			rows, version := see(1), int64(1)
			for range 25 {
				version = l.save(boss, o.ID, version, change(rows)).Version
				if rows = see(version); r.IntN(12) == 0 {
					res, err := l.w.Delete(t.Context(), boss, "lot", []string{o.ID})
					must(t, err)
					if res.SuccessCount != 1 {
						t.Fatalf("%+v", res)
					}
					back, err := l.w.Restore(t.Context(), boss, "lot", o.ID)
					must(t, err)
					version = back.Version
					rows = see(version)
				}
			}
			for v, want := range was {
				moment := at[v].Add(time.Millisecond)
				for name, m := range map[string]*record.Moment{"version": {Version: &v}, "time": {At: &moment}} {
					got, err := l.load(boss, o.ID, m)
					must(t, err)
					if said := got.Name + " " + string(got.Data); said != want || *got.Version != v || got.Snapshot.Version != v {
						t.Fatalf("seed %d, %s %d of %d:\n%s\nnot\n%s", seed, name, v, version, said, want)
					}
				}
			}
		}
	})
}

// TestEarlierVersionRights: the rights of today decide what is shown of the past, and to whom.
func TestEarlierVersionRights(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := live(t, w)
		boss, clerk := w.rights("boss", "chief"), w.rights("clerk", "clerk")
		o := l.save(clerk, "", 0, map[string]any{"part": "OLD", "items": []row{{"item": "i"}}})
		l.save(boss, o.ID, 1, map[string]any{"price": "7", "part": "NEW", "items": []row{{"item": "j", "rate": "9"}}})
		first, second := int64(1), int64(2)
		got, err := l.load(clerk, o.ID, &record.Moment{Version: &first})
		must(t, err)
		if !strings.Contains(string(got.Data), `"OLD"`) || got.Name != "OLD" || fmt.Sprint(got.Actions) != "[revert]" {
			t.Errorf("%s %s %s", got.Name, got.Actions, got.Data)
		}
		if got, err = l.load(clerk, o.ID, &record.Moment{Version: &second}); err != nil || strings.Contains(string(got.Data), "price") || strings.Contains(string(got.Data), "rate") {
			t.Errorf("hidden fields: %s %v", got.Data, err)
		}
		got, err = l.load(w.rights("clerk", "stranger"), o.ID, &record.Moment{Version: &first})
		must(t, err)
		if got.Name != "" || got.Snapshot.UserName == nil || len(got.Actions) != 0 { // of a creation its creator is told, not who changed it
			t.Errorf("%q %v %q", got.Name, got.Snapshot, got.Actions)
		}
		if got, err = l.load(w.rights("clerk", "stranger"), o.ID, &record.Moment{Version: &second}); err != nil || got.Snapshot.UserName != nil || got.Snapshot.Time != nil {
			t.Errorf("%+v %v", got.Snapshot, err)
		}
		// A column of a sub-table that one of two roles shows, on the records of that role.
		w.put("contract", map[string]values{"c3": {"title": "Three", "closed": true}})
		for contract, want := range map[string]bool{"c1": true, "c3": false} {
			o := l.save(clerk, "", 0, map[string]any{"part": "P", "contract": id(contract), "items": []row{{"item": "i"}}})
			l.save(boss, o.ID, 1, map[string]any{"items": []row{{"item": "j", "rate": "777"}}})
			got, err := l.load(w.rights("clerk", "clerk", "auditor"), o.ID, &record.Moment{Version: &second})
			must(t, err)
			if strings.Contains(string(got.Data), `"rate":"777"`) != want || !strings.Contains(string(got.Data), `"j"`) {
				t.Errorf("of %s: %s", contract, got.Data)
			}
		}
		his := l.save(boss, "", 0, map[string]any{"part": "HIS"})
		if _, err := l.load(clerk, his.ID, &record.Moment{Version: &first}); fault.Of(err) != fault.RecordNotFound {
			t.Errorf("another's: %v", err)
		}
		if _, err := l.load(w.rights("clerk", "nosy"), o.ID, &record.Moment{Version: &first}); fault.Of(err) != fault.Forbidden {
			t.Errorf("without the right to histories: %v", err)
		}
	})
}

// TestHistoryOfRows: rows of sub-tables are told one by one, each with its number, its name and the cells that may be read.
func TestHistoryOfRows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := live(t, w)
		boss, clerk := w.rights("boss", "chief"), w.rights("clerk", "clerk")
		o := l.save(clerk, "", 0, map[string]any{"part": "A", "items": []row{{"item": "one"}, {"item": "two"}, {"item": "three"}}})
		now, err := l.load(boss, o.ID, nil)
		must(t, err)
		var data struct{ Items []row }
		must(t, json.Unmarshal(now.Data, &data))
		at := func(i int) any { return data.Items[i]["id"] }
		l.save(boss, o.ID, 1, map[string]any{"items": []row{{"item": "new", "source": id("c2")}, {"id": at(0)}, {"id": at(2), "item": "drei", "rate": "4"}}})
		l.save(boss, o.ID, 2, map[string]any{"items": []row{{"id": at(0), "rate": "5"}, {"id": at(2)}}})
		tell := func(view *authz.View, n int) string {
			page, err := l.History(t.Context(), view, query.HistoryRequest{SchemaCode: "lot", BizObjectID: o.ID})
			must(t, err)
			word := func(s *string) string {
				if s == nil {
					return "-"
				}
				return *s
			}
			place := func(n *int64) string {
				if n == nil {
					return "-"
				}
				return fmt.Sprint(*n)
			}
			var out []string
			for _, c := range page.Content[n].Changes {
				for _, r := range c.Rows {
					line := fmt.Sprintf("%s %s>%s %s", r.Kind, place(r.Was), place(r.Place), word(r.Label))
					for _, c := range r.Changes {
						line += fmt.Sprintf(" [%s %s>%s]", c.PropertyCode, word(c.BeforeText), word(c.AfterText))
					}
					out = append(out, line)
				}
				out = append(out, word(c.AfterText))
			}
			for _, code := range []string{"items.rate", "items.item"} {
				if _, ok := page.Fields[code]; ok {
					out = append(out, code)
				}
			}
			return strings.Join(out, "\n")
		}
		for _, c := range []struct {
			name string
			view *authz.View
			n    int
			want string
		}{
			{"the boss of cells", boss, 1, "delete 2>- two [items.item two>-]\ncreate ->1 new [items.item ->new] [items.source ->Two]\nupdate 3>3 drei [items.item three>drei] [items.rate ->4.00]\n3 rows changed\nitems.rate\nitems.item"},
			{"the clerk of the cells he may read", clerk, 1, "delete 2>- two [items.item two>-]\ncreate ->1 new [items.item ->new] [items.source ->-]\nupdate 3>3 drei [items.item three>drei]\n3 rows changed\nitems.item"},
			{"the boss of the last", boss, 0, "delete 1>- new [items.item new>-] [items.source Two>-]\nupdate 2>1 one [items.rate ->5.00]\n2 rows changed\nitems.rate\nitems.item"},
			{"the clerk of the last", clerk, 0, "delete 1>- new [items.item new>-] [items.source ->-]\n1 row changed\nitems.item"},
		} {
			if got := tell(c.view, c.n); got != c.want {
				t.Errorf("%s:\n%s\nnot\n%s", c.name, got, c.want)
			}
		}
		l.save(boss, o.ID, 3, map[string]any{"items": []row{{"id": at(2)}, {"id": at(0)}}})
		if got := tell(clerk, 0); !strings.HasPrefix(got, "rows in another order") {
			t.Errorf("a new order: %s", got)
		}
	})
}

// TestHistoryOfRelations: a history names the records that a relation led to, before and after.
func TestHistoryOfRelations(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := live(t, w)
		boss := w.rights("boss", "chief")
		o := l.save(boss, "", 0, map[string]any{"part": "A", "contract": id("c1")})
		l.save(boss, o.ID, 1, map[string]any{"contract": id("c2")})
		page, err := l.History(t.Context(), boss, query.HistoryRequest{SchemaCode: "lot", BizObjectID: o.ID})
		must(t, err)
		c := page.Content[0].Changes[0]
		if c.PropertyCode != "contract" || c.BeforeText == nil || *c.BeforeText != "One" || c.AfterText == nil || *c.AfterText != "Two" {
			t.Errorf("%+v", c)
		}
	})
}

// TestRecycleBin: people see of the bin what they could have seen and deleted, and of it the fields that they may read.
func TestRecycleBin(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := live(t, w)
		boss, clerk := w.rights("boss", "chief"), w.rights("clerk", "clerk")
		his := l.save(boss, "", 0, map[string]any{"part": "HIS", "price": "3"})
		bad := l.save(clerk, "", 0, map[string]any{"part": "BAD"})
		l.save(boss, bad.ID, 1, map[string]any{"result": "BAD"})
		own := l.save(clerk, "", 0, map[string]any{"part": "OWN", "items": []row{{"item": "i"}}})
		l.save(boss, own.ID, 1, map[string]any{"price": "7", "contract": id("c2")})
		res, err := l.w.Delete(t.Context(), boss, "lot", []string{his.ID, bad.ID, own.ID})
		must(t, err)
		if res.SuccessCount != 3 {
			t.Fatalf("%+v", res)
		}
		ask := func(view *authz.View, search string, page, size int) string {
			p, err := l.Recycled(t.Context(), view, query.RecycleRequest{SchemaCode: "lot", SearchWord: search, Page: page, Size: size, Keep: 30 * 24 * time.Hour})
			if err != nil {
				return fmt.Sprint(int(fault.Of(err)))
			}
			out := fmt.Sprint(p.Total, p.KeepDays)
			for _, e := range p.Content {
				if out += " "; e.Name != nil {
					out += *e.Name
				}
				if e.UserName != nil && e.DaysLeft != nil {
					out += fmt.Sprint("/", *e.DaysLeft)
				}
			}
			return out
		}
		nameless := w.rights("clerk", "nameless")
		for _, c := range []struct {
			name, search string
			view         *authz.View
			page, size   int
			want         string
		}{
			{"all of it", "", boss, 0, 10, "3 30 OWN/31 BAD/31 HIS/31"},
			{"its second page", "", boss, 1, 2, "3 30 HIS/31"},
			{"a part", "wn", boss, 0, 10, "1 30 OWN/31"},
			{"his own", "", clerk, 0, 10, "1 30 OWN/31"},
			{"nothing behind it", "", clerk, 1, 1, "1 30"},
			{"by the name of another's", "HIS", clerk, 0, 10, "0 30"},
			{"without names", "", nameless, 0, 10, "3 30 /31 /31 /31"},
			{"a name he may not read", "OWN", nameless, 0, 10, "0 30"},
			{"without the right to delete", "", w.rights("clerk", "stranger"), 0, 10, fmt.Sprint(int(fault.Forbidden))},
			{"without any right", "", w.rights("clerk", "ghost"), 0, 10, fmt.Sprint(int(fault.ModelNotFound))},
			{"too much", "", boss, 0, 101, fmt.Sprint(int(fault.PageOutOfRange))},
		} {
			if got := ask(c.view, c.search, c.page, c.size); got != c.want {
				t.Errorf("%s: %q, not %q", c.name, got, c.want)
			}
		}
		one := func(view *authz.View, recordID string) (*query.FormLoad, error) {
			return l.RecycledOne(t.Context(), view, query.RecycledRequest{SchemaCode: "lot", ID: recordID, Keep: time.Hour})
		}
		got, err := one(boss, own.ID)
		must(t, err)
		for _, part := range []string{`"part":"OWN"`, `"price":"7"`, `"item":"i"`, `"rate"`, `"Two"`} {
			if !strings.Contains(string(got.Data), part) {
				t.Errorf("the boss reads no %s in %s", part, got.Data)
			}
		}
		if got, err = one(clerk, own.ID); err != nil || got.Name != "OWN" || strings.Contains(string(got.Data), "price") || strings.Contains(string(got.Data), "rate") || strings.Contains(string(got.Data), "Two") {
			t.Errorf("the clerk reads %s %v", got.Data, err)
		}
		if got, err = one(nameless, own.ID); err != nil || got.Name != "" {
			t.Errorf("%q %v", got.Name, err)
		}
		for _, recordID := range []string{his.ID, bad.ID, "none"} {
			if _, err := one(clerk, recordID); fault.Of(err) != fault.RecycleGone {
				t.Errorf("what he may not see: %v", err)
			}
		}
	})
}

// TestRulesOverTheBin: conditions that follow relations or look into sub-tables are decided over what was deleted; what cannot
// be decided any more is not shown.
func TestRulesOverTheBin(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		l := live(t, w)
		boss := w.rights("boss", "chief")
		add := func(part, contract string, source any) string {
			return l.save(boss, "", 0, map[string]any{"part": part, "contract": contract, "items": []row{{"item": "i", "source": source}}}).ID
		}
		ids := []string{add("CHEAP", id("c1"), nil), add("DEAR", id("c2"), nil), add("CHEAP2", id("c1"), id("c2"))}
		res, err := l.w.Delete(t.Context(), boss, "lot", ids)
		must(t, err)
		if res.SuccessCount != 3 {
			t.Fatalf("%+v", res)
		}
		names := func(role string) string {
			p, err := l.Recycled(t.Context(), w.rights("clerk", role), query.RecycleRequest{SchemaCode: "lot", Size: 10})
			must(t, err)
			out := []string{}
			for _, e := range p.Content {
				out = append(out, *e.Name)
			}
			return strings.Join(out, " ")
		}
		if got := names("frugal"); got != "CHEAP2 CHEAP" {
			t.Errorf("by the contract: %s", got)
		}
		if got := names("sourced"); got != "CHEAP2" {
			t.Errorf("by the rows: %s", got)
		}
		if got := names("unsourced"); got != "DEAR CHEAP" {
			t.Errorf("by their absence: %s", got)
		}
		must(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			for _, name := range []string{"c1", "c2"} {
				if _, err := tx.Delete(t.Context(), w.c.Model("contract"), id(name), -1, nil); err != nil {
					return err
				}
			}
			return nil
		}))
		if got := names("frugal") + names("sourced") + names("careless"); got != "" {
			t.Errorf("when the contracts are gone: %s", got)
		}
	})
}
