package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/record"
)

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
}

func TestCreate(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.save(w.boss, "customer", "", 0, `{"title": "江河公司", "limit": "1000"}`)
		o := w.save(w.boss, "order", "", 0, `{"title": "水泥", "customer": "`+c.ID+`", "price": "2.5", "lines": [{"item": "a", "qty": "3"}, {"item": "b"}]}`)
		if o.Version != 1 {
			t.Errorf("version %d", o.Version)
		}
		same(t, w.read("order", id(o.ID), "name", "name__pinyin", "sequenceNo", "day", "state", "total", "rest", "sequenceStatus", "owner", "agent"),
			"D-202611001 水泥 | "+finder.Index("D-202611001 水泥")+" | D-202611001 | 2026-11-21 | OPEN | 10 | 990 | COMPLETED | "+w.bossID+" | "+w.bossID)
		same(t, w.read("order.lines", plan.True, "item", "qty", "amount", "sortKey"), "a | 3 | 7.5 | 1", "b | 1 | 2.5 | 2")
		o = w.save(w.boss, "order", o.ID, 1, `{"price": "3"}`)
		same(t, w.read("order", id(o.ID), "total", "rest", "version"), "12 | 988 | 2")
	})
}

func TestRefusals(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.save(w.boss, "customer", "", 0, `{"title": "A"}`)
		hidden := w.save(w.boss, "customer", "", 0, `{"title": "B", "secret": "x"}`)
		mine := w.save(w.clerk, "order", "", 0, `{"title": "mine"}`)
		his := w.save(w.boss, "order", "", 0, `{"title": "his", "number": "A1"}`)
		closed := w.save(w.clerk, "order", "", 0, `{"title": "closed"}`)
		w.save(w.boss, "order", closed.ID, 1, `{"state": "CLOSED", "reason": "x"}`)
		for _, k := range []struct {
			name    string
			who     string
			model   string
			id      string
			version int64
			set     string
			want    string
		}{
			{"unknown field", "clerk", "order", "", 0, `{"title": "x", "colour": "red"}`, "colour 302003; "},
			{"case variant", "clerk", "order", "", 0, `{"title": "x", "Title": "y"}`, "Title 302003; "},
			{"system fields", "boss", "order", "", 0, `{"title": "x", "owner": "` + w.clerkID + `", "id": "1", "version": 9, "sequenceNo": "1", "creator": "x"}`, "id 302003; sequenceNo 302003; creator 302003; owner 302003; version 302003; "},
			{"computed field", "boss", "order", "", 0, `{"title": "x", "total": "5"}`, "total 302003; "},
			{"readable only", "clerk", "order", mine.ID, 1, `{"price": "5"}`, "price 302003; "},
			{"hidden", "clerk", "order", mine.ID, 1, `{"friends": []}`, "friends 302003; "},
			{"sub-table forged", "clerk", "order", "", 0, `{"title": "x", "lines": [{"item": "a", "parentId": "1", "amount": "7"}]}`, "lines.amount 302003; lines.parentId 302003; "},
			{"case variant in a row", "clerk", "order", "", 0, `{"title": "x", "lines": [{"item": "a", "Qty": "1"}]}`, "lines.Qty 302003; "},
			{"wrong types", "boss", "order", "", 0, `{"title": 5, "price": "five", "day": "2026-13-01", "lines": "x"}`, "title 302005; day 302005; price 302096; lines 302005; "},
			{"all at once", "boss", "order", "", 0, `{"title": "", "number": "1", "day": "2027-01-01", "state": "CLOSED", "lines": [{"qty": "1"}]}`, "title 302004; reason 302004; lines.item 302004; number 302010; day 302011; "},
			{"too long", "boss", "order", "", 0, `{"title": "123456789012345678901"}`, "title 302006; "},
			{"range", "boss", "order", "", 0, `{"title": "x", "price": "-1"}`, "price 302035; "},
			{"option", "boss", "order", "", 0, `{"title": "x", "state": "MAYBE"}`, "state 302008; "},
			{"a result too large", "boss", "order", "", 0, `{"title": "x", "price": "9999999999999999", "lines": [{"item":"1", "qty": "2"}]}`, "lines.amount 302019; "},
			{"too many rows", "boss", "order", "", 0, `{"title": "x", "lines": [{"item":"1"},{"item":"1"},{"item":"1"},{"item":"1"},{"item":"1"},{"item":"1"}]}`, "lines 302033; "},
			{"not unique", "boss", "order", "", 0, `{"title": "x", "number": "A1"}`, "number 302012; "},
			{"required, of white space", "boss", "order", "", 0, `{"title": " \u3000\u00a0", "state": "CLOSED", "reason": "\t", "lines": [{"item": "  "}]}`, "title 302004; reason 302004; lines.item 302004; "},
			{"unique but for white space", "boss", "order", "", 0, `{"title": "x", "number": "\u3000A1 "}`, "number 302012; "},
			{"no such relation", "boss", "order", "", 0, `{"title": "x", "customer": "` + mine.ID + `"}`, "customer 302009; "},
			{"relation not visible", "clerk", "order", "", 0, `{"title": "x", "customer": "` + hidden.ID + `"}`, "customer 302009; "},
			{"relation in a row", "clerk", "order", "", 0, `{"title": "x", "lines": [{"item": "a", "supplier": "` + hidden.ID + `"}, {"item": "b", "supplier": "` + c.ID + `"}]}`, "lines.supplier 302009; "},
			{"person", "boss", "order", "", 0, `{"title": "x", "agent": "` + mine.ID + `"}`, "agent 302009; "},
			{"not visible", "clerk", "order", his.ID, 1, `{"title": "x"}`, "302000"},
			{"no such record", "boss", "order", c.ID, 1, `{"title": "x"}`, "302000"},
			{"no id", "boss", "order", "x' OR 1=1", 1, `{"title": "x"}`, "302000"},
			{"old row not editable", "clerk", "order", closed.ID, 2, `{"title": "x"}`, "700001"},
			{"merged row not editable", "clerk", "order", mine.ID, 1, `{"state": "CLOSED", "reason": "done"}`, "700001"},
			{"no right to add", "clerk", "customer", "", 0, `{"title": "x"}`, "700020"},
			{"no right to edit", "clerk", "customer", c.ID, 1, `{"title": "x"}`, "700001"},
			{"no such model", "boss", "orders", "", 0, `{"title": "x"}`, "300001"},
			{"sub-table alone", "boss", "order.lines", "", 0, `{"item": "x"}`, "300001"},
			{"repeated keys within", "boss", "order", "", 0, `{"title": "x", "lines": [{"item": "a", "Item": "b"}]}`, "lines 302005; "},
		} {
			view := w.boss
			if k.who == "clerk" {
				view = w.clerk
			}
			_, err := w.try(view, k.model, k.id, k.version, k.set)
			if got := explain(err); got != k.want {
				t.Errorf("%s: got %q, want %q", k.name, got, k.want)
			}
		}
		if n := len(w.read("order", plan.True, "id")); n != 3 {
			t.Errorf("%d orders: a refused write left a row", n)
		}
	})
}

// TestSequence: running numbers begin at 1 again with each period of their reset, grow beyond their length, and never come back.
func TestSequence(t *testing.T) {
	models := map[string]string{
		"never": `{"prefix": "N-", "length": 2}`, "year": `{"date": "yyyy", "length": 3, "reset": "year"}`,
		"month": `{"prefix": "M", "date": "yyyyMMdd", "length": 1, "reset": "month"}`, "day": `{"prefix": "D", "date": "yyyyMMdd", "length": 2, "reset": "day"}`,
	}
	each(t, func(t *testing.T, w *world) {
		at := now
		w.w = record.New(w.db, w.set, compiletest.Nobody{}, w.zone, func() time.Time { return at })
		// Half past three at night in Shanghai is still yesterday in UTC: the day is that of the installation.
		times := []time.Time{now, time.Date(2026, 11, 29, 19, 30, 0, 0, time.UTC), time.Date(2026, 11, 30, 19, 30, 0, 0, time.UTC), time.Date(2026, 12, 31, 15, 0, 0, 0, time.UTC), time.Date(2026, 12, 31, 17, 0, 0, 0, time.UTC)}
		for model, want := range map[string]string{
			"never": "N-01 N-02 N-03 N-04 N-05 N-06 N-07 N-08 N-09 N-10",
			"year":  "2026001 2026002 2026003 2026004 2026005 2026006 2026007 2026008 2027001 2027002",
			"month": "M202611211 M202611212 M202611303 M202611304 M202612011 M202612012 M202612313 M202612314 M202701011 M202701012",
			"day":   "D2026112101 D2026112102 D2026113001 D2026113002 D2026120101 D2026120102 D2026123101 D2026123102 D2027010101 D2027010102",
		} {
			var got []string
			for _, at = range times {
				for range 2 {
					got = append(got, w.read(model, id(w.save(w.boss, model, "", 0, `{}`).ID), "sequenceNo")...)
				}
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s: %s, not %s", model, s, want)
			}
		}
		at = now
		for range 89 {
			w.save(w.boss, "never", "", 0, `{}`)
		}
		last := w.save(w.boss, "never", "", 0, `{}`)
		same(t, w.read("never", id(last.ID), "sequenceNo"), "N-100")
		_, err := w.w.Delete(t.Context(), w.boss, "never", []string{last.ID})
		must(t, err)
		same(t, w.read("never", id(w.save(w.boss, "never", "", 0, `{}`).ID), "sequenceNo"), "N-101")
	}, func(docs map[string]string, _ *pack.Set) {
		for code, sequence := range models {
			docs["models/"+code+".json"] = `{"name": "` + code + `", "sequence": ` + sequence + `, "properties": [{"code": "note", "propertyType": "ShortText", "name": "备注"}]}`
		}
	})
}

func TestTreeCycle(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.save(w.boss, "place", "", 0, `{"code": "a"}`)
		b := w.save(w.boss, "place", "", 0, `{"code": "b", "parent": "`+a.ID+`"}`)
		if _, err := w.try(w.boss, "place", a.ID, 1, `{"parent": "`+b.ID+`"}`); explain(err) != "parent 302013; " {
			t.Error(explain(err))
		}
		if _, err := w.try(w.boss, "place", a.ID, 1, `{"parent": "`+a.ID+`"}`); explain(err) != "parent 302013; " {
			t.Error(explain(err))
		}
	})
}

func TestForm(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for text, want := range map[string]string{
			`{"title": "x", "number": "A1"}`:                       "number 302003; ",
			`{"title": "x", "state": "OPEN"}`:                      "state 302003; ",
			`{"title": "x", "lines": [{"item": "a", "qty": "2"}]}`: "lines.qty 302003; ",
			`{"title": "x", "lines": [{"item": "a"}]}`:             "ok",
		} {
			_, err := w.w.Save(t.Context(), w.clerk, change("order", "order", text, ""))
			if explain(err) != want {
				t.Errorf("%s: %s", text, explain(err))
			}
		}
		if _, err := w.w.Save(t.Context(), w.boss, change("order", "order", `{"title": "x", "number": "A1"}`, "")); err != nil {
			t.Error(explain(err))
		}
		if _, err := w.w.Save(t.Context(), w.boss, change("customer", "order", `{}`, "")); explain(err) != "300003" {
			t.Error(explain(err))
		}
	})
}
