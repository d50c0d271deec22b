package record_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// works are three models whose computed values read each other up and down, and a fourth that chooses some payments.
func works(docs map[string]string, _ *pack.Set) {
	docs["models/project.json"] = `{"name": "项目", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "rate", "propertyType": "Number", "name": "费率", "scale": 2, "defaultValue": "1"},
		{"code": "paid", "propertyType": "Number", "name": "已付", "scale": 4, "computeFormula": "sum(related('contract', 'project'), .paid)"},
		{"code": "large", "propertyType": "Number", "name": "大额", "computeFormula": "count(filter(related('contract', 'project'), .paid > 50))"}]}`
	docs["models/contract.json"] = `{"name": "合同", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "project", "propertyType": "RelevanceForm", "name": "项目", "relativeCode": "project", "onDelete": "clear"},
		{"code": "factor", "propertyType": "Number", "name": "系数", "scale": 2, "defaultValue": "1"},
		{"code": "paid", "propertyType": "Number", "name": "已付", "scale": 4, "computeFormula": "sum(related('payment', 'contract'), .net)"},
		{"code": "fee", "propertyType": "Number", "name": "管理费", "scale": 4, "computeFormula": "paid * project.rate"},
		{"code": "most", "propertyType": "Number", "name": "最大", "scale": 4, "computeFormula": "maximum(filter(related('payment', 'contract'), .amount > 10), .net)"}]}`
	docs["models/payment.json"] = `{"name": "付款", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "contract", "propertyType": "RelevanceForm", "name": "合同", "relativeCode": "contract", "onDelete": "clear"},
		{"code": "amount", "propertyType": "Number", "name": "金额", "scale": 2},
		{"code": "net", "propertyType": "Number", "name": "净额", "scale": 4, "computeFormula": "(amount ?? 0) * (contract.factor ?? 1) + (sum(lines, .value) ?? 0)"},
		{"code": "about", "propertyType": "ShortText", "name": "说明", "computeFormula": "concat(contract.title, '/', contract.project.title)"},
		{"code": "lines", "propertyType": "Sheet", "name": "明细", "properties": [
			{"code": "qty", "propertyType": "Number", "name": "数量", "scale": 2},
			{"code": "value", "propertyType": "Number", "name": "值", "scale": 4, "computeFormula": "row.qty * record.contract.factor"}]}]}`
	docs["models/bundle.json"] = `{"name": "汇总", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
		{"code": "payments", "propertyType": "RelevanceFormEx", "name": "付款", "relativeCode": "payment", "onDelete": "clear"},
		{"code": "net", "propertyType": "Number", "name": "净额", "scale": 4, "computeFormula": "sum(payments, .net)"},
		{"code": "some", "propertyType": "Logic", "name": "有大额", "computeFormula": "any(payments, .amount > 50)"}]}`
}

// row is a record as the test reads it, by column.
type row map[string]any

func (r row) text(column string) string { s, _ := r[column].(string); return s }

// number is a stored number; empty counts as otherwise.
func (r row) number(column string, otherwise int64) decimal.Decimal {
	if d, ok := r[column].(decimal.Decimal); ok {
		return d
	}
	return decimal.NewFromInt(otherwise)
}

// state reads all rows of the four models and the lines in one snapshot, by table and id.
func (w *world) state(ctx context.Context) (map[string]map[string]row, error) {
	out := map[string]map[string]row{}
	return out, w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, code := range []string{"project", "contract", "payment", "bundle", "payment.lines"} {
			m := w.c.Model(code)
			if m == nil {
				m = w.c.Model("payment").Field("lines").Sheet
			}
			q := &plan.Query{Model: m.Code, Where: plan.True}
			columns := []plan.Column{{Name: "id", Kind: plan.ID}}
			if m.Parent != nil {
				columns = append(columns, plan.Column{Name: "parentId", Kind: plan.ID})
			}
			for _, f := range m.Fields {
				if !f.System || f.Code == "version" {
					columns = append(columns, f.Property.Columns()...)
				}
			}
			for _, c := range columns {
				q.Select = append(q.Select, &plan.Field{Column: c.Name, K: c.Kind})
			}
			out[code] = map[string]row{}
			err := tx.Query(ctx, w.c, q, func(values []any) error {
				r := row{}
				for i, c := range columns {
					if r[c.Name] = values[i]; c.Kind == plan.Set && values[i] != nil {
						r[c.Name] = slices.Clone(values[i].([]string))
					}
				}
				out[code][r.text("id")] = r
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// wrong recomputes every computed value of a state from its input alone, without the engine, and tells those that differ.
func wrong(state map[string]map[string]row) []string {
	var out []string
	differ := func(model, id, code string, got, want any) {
		a, isNumber := got.(decimal.Decimal)
		b, wantsNumber := want.(decimal.Decimal)
		if isNumber && wantsNumber && a.Equal(b) || got == want {
			return
		}
		out = append(out, fmt.Sprintf("%s %s %s is %v, not %v", model, id, code, got, want))
	}
	net := map[string]decimal.Decimal{}
	for id, p := range state["payment"] {
		c := state["contract"][p.text("contract")]
		sum := decimal.Zero
		for lineID, l := range state["payment.lines"] {
			if l.text("parentId") != id {
				continue
			}
			var want any
			if l["qty"] != nil && c["factor"] != nil {
				v := l.number("qty", 0).Mul(c.number("factor", 0))
				sum, want = sum.Add(v), v
			}
			differ("line", lineID, "value", l["value"], want)
		}
		net[id] = p.number("amount", 0).Mul(c.number("factor", 1)).Add(sum)
		differ("payment", id, "net", p["net"], net[id])
		differ("payment", id, "about", p["about"], c.text("title")+"/"+state["project"][c.text("project")].text("title"))
	}
	paid := map[string]any{}
	for id, c := range state["contract"] {
		var sum, most any
		for payID, p := range state["payment"] {
			if p.text("contract") != id {
				continue
			}
			if sum == nil {
				sum = decimal.Zero
			}
			sum = sum.(decimal.Decimal).Add(net[payID])
			if p["amount"] != nil && p.number("amount", 0).GreaterThan(decimal.NewFromInt(10)) && (most == nil || net[payID].GreaterThan(most.(decimal.Decimal))) {
				most = net[payID]
			}
		}
		paid[id] = sum
		differ("contract", id, "paid", c["paid"], sum)
		differ("contract", id, "most", c["most"], most)
		var fee any
		if rate := state["project"][c.text("project")]["rate"]; sum != nil && rate != nil {
			fee = sum.(decimal.Decimal).Mul(rate.(decimal.Decimal)).Round(4)
		}
		differ("contract", id, "fee", c["fee"], fee)
	}
	for id, p := range state["project"] {
		var sum any
		large := int64(0)
		for cID, c := range state["contract"] {
			if c.text("project") != id || paid[cID] == nil {
				continue
			}
			if sum == nil {
				sum = decimal.Zero
			}
			sum = sum.(decimal.Decimal).Add(paid[cID].(decimal.Decimal))
			if paid[cID].(decimal.Decimal).GreaterThan(decimal.NewFromInt(50)) {
				large++
			}
		}
		differ("project", id, "paid", p["paid"], sum)
		differ("project", id, "large", p["large"], decimal.NewFromInt(large))
	}
	for id, b := range state["bundle"] {
		var sum any
		some := false
		ids, _ := b["payments"].([]string)
		for _, payID := range ids {
			if sum == nil {
				sum = decimal.Zero
			}
			sum = sum.(decimal.Decimal).Add(net[payID])
			some = some || state["payment"][payID].number("amount", 0).GreaterThan(decimal.NewFromInt(50))
		}
		differ("bundle", id, "net", b["net"], sum)
		differ("bundle", id, "some", b["some"], some)
	}
	slices.Sort(out)
	return out
}

func (w *world) right(when string) {
	w.t.Helper()
	state, err := w.state(w.t.Context())
	must(w.t, err)
	if bad := wrong(state); len(bad) > 0 {
		w.t.Fatalf("%s:\n%s", when, strings.Join(bad, "\n"))
	}
}

// After every commit each stored computed value equals its recomputation, through three models up and down.
func TestDerivedAfterEveryWrite(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := &player{w: w, random: rand.New(rand.NewPCG(7, 11)), done: map[string]int{}}
		kinds := []string{"payment add", "payment edit", "payment delete", "contract edit", "contract delete", "project edit", "project delete", "bundle edit"}
		some := func() bool { return !slices.ContainsFunc(kinds, func(what string) bool { return p.done[what] == 0 }) }
		for i := 0; i < 180 || !some(); i++ {
			if i == 2000 {
				t.Fatalf("the random writes are not of all kinds: %v", p.done)
			}
			must(t, p.play())
			w.right(fmt.Sprintf("after write %d", i+1))
		}
	}, works)
}

// Several write at once: every snapshot that anybody can see is right.
func TestDerivedUnderWrites(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var all, players sync.WaitGroup
		var played atomic.Int64
		var mu sync.Mutex
		done := map[string]int{}
		for i := range 6 {
			players.Go(func() {
				p := &player{w: w, random: rand.New(rand.NewPCG(uint64(i), 3)), done: map[string]int{}}
				for ctx.Err() == nil && played.Add(1) <= 240 {
					if err := p.play(); err != nil {
						t.Errorf("player %d: %v", i, err)
						return
					}
				}
				mu.Lock()
				defer mu.Unlock()
				for what, n := range p.done {
					done[what] += n
				}
			})
		}
		all.Go(func() { players.Wait(); stop() })
		snapshots := 0
		for ; ctx.Err() == nil; snapshots++ {
			state, err := w.state(ctx)
			if ctx.Err() != nil {
				break
			}
			must(t, err)
			if bad := wrong(state); len(bad) > 0 {
				t.Errorf("snapshot %d:\n%s", snapshots, strings.Join(bad, "\n"))
				stop()
			}
		}
		all.Wait()
		w.right("at the end")
		t.Logf("%d snapshots, writes: %v", snapshots, done)
		if done["payment add"] < 10 || done["payment edit"] < 10 {
			t.Errorf("too few writes to show anything: %v", done)
		}
	}, works)
}

// Somebody who opened a record before its computed values changed loses nothing by it, and is not asked to merge.
func TestDerivedIsNoConflict(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.save(w.boss, "contract", "", 0, `{"title": "C"}`)
		pay := w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "7"}`, c.ID))
		same(t, w.read("contract", id(c.ID), "paid", "version"), "7 | 2")
		saved := w.save(w.boss, "contract", c.ID, 1, `{"title": "D"}`)
		same(t, w.read("contract", id(c.ID), "title", "paid", "version"), "D | 7 | 3")
		w.save(w.boss, "payment", pay.ID, pay.Version+1, `{"amount": "8"}`)
		if _, err := w.try(w.boss, "contract", c.ID, 2, `{"title": "E"}`); explain(err) != "302002" {
			t.Errorf("over somebody's input: %s", explain(err))
		}
		w.save(w.boss, "contract", c.ID, saved.Version, `{"title": "E"}`)
		var kinds []string
		for _, entry := range w.history("contract", c.ID) {
			kinds = append(kinds, strings.Fields(entry)[0])
		}
		same(t, kinds, "create", "derive", "update", "derive", "update")
	}, works)
}

// A write after which a value of another record would not fit is refused, and changes nothing.
func TestDerivedOutOfRange(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.save(w.boss, "contract", "", 0, `{"title": "C", "factor": "9000000000"}`)
		w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "900000"}`, c.ID))
		_, err := w.try(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "y", "contract": %q, "amount": "900000"}`, c.ID))
		if explain(err) != fmt.Sprint(int(fault.RelatedRange)) {
			t.Errorf("refused with %s", explain(err))
		}
		same(t, w.read("payment", plan.True, "title"), "x")
		same(t, w.read("contract", id(c.ID), "paid"), "8100000000000000")
	}, works)
}

// Deleted and brought back, what others computed from a record follows both times, in their sub-tables too.
func TestDerivedThroughTheBin(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		p := w.save(w.boss, "project", "", 0, `{"title": "P", "rate": "2"}`)
		c := w.save(w.boss, "contract", "", 0, fmt.Sprintf(`{"title": "C", "project": %q, "factor": "3"}`, p.ID))
		pay := w.save(w.boss, "payment", "", 0, fmt.Sprintf(`{"title": "x", "contract": %q, "amount": "20", "lines": [{"qty": "2"}]}`, c.ID))
		w.save(w.boss, "bundle", "", 0, fmt.Sprintf(`{"title": "B", "payments": [%q]}`, pay.ID))
		for _, gone := range [][2]string{{"contract", c.ID}, {"project", p.ID}, {"payment", pay.ID}} {
			res, err := w.w.Delete(t.Context(), w.boss, gone[0], []string{gone[1]})
			must(t, err)
			if res.SuccessCount != 1 {
				t.Fatalf("%s stays: %+v", gone[0], res)
			}
			w.right(gone[0] + " deleted")
			_, err = w.w.Restore(t.Context(), w.boss, gone[0], gone[1])
			must(t, err)
			w.right(gone[0] + " restored")
		}
		same(t, w.read("payment", id(pay.ID), "net", "about"), "66 | C/P")
		same(t, w.read("project", id(p.ID), "paid"), "66")
	}, works)
}

// A record that refers to itself, and whose deletion changes what it reads, can be deleted.
func TestDeleteInCircles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		n := w.save(w.boss, "knot", "", 0, `{"title": "a"}`)
		w.save(w.boss, "knot", n.ID, 1, fmt.Sprintf(`{"twin": %q, "lines": [{"to": %q}]}`, n.ID, n.ID))
		other := w.save(w.boss, "knot", "", 0, fmt.Sprintf(`{"title": "b", "twin": %q, "lines": [{"to": %q, "qty": "2"}]}`, n.ID, n.ID))
		same(t, w.read("knot", id(other.ID), "seen", "of"), "a | a")
		res, err := w.w.Delete(t.Context(), w.boss, "knot", []string{n.ID})
		must(t, err)
		if res.SuccessCount != 1 {
			t.Fatalf("%+v", res)
		}
		same(t, w.read("knot", id(other.ID), "seen", "of"), "<nil> | <nil>")
	}, func(docs map[string]string, _ *pack.Set) {
		docs["models/knot.json"] = `{"name": "结", "digest": "{title}", "properties": [
			{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
			{"code": "twin", "propertyType": "RelevanceForm", "name": "另一个", "relativeCode": "knot", "onDelete": "clear"},
			{"code": "seen", "propertyType": "ShortText", "name": "所见", "computeFormula": "twin.title"},
			{"code": "of", "propertyType": "ShortText", "name": "明细", "computeFormula": "text(maximum(lines, length(.to.title))) == '1' ? 'a' : nil"},
			{"code": "lines", "propertyType": "Sheet", "name": "明细", "properties": [
				{"code": "qty", "propertyType": "Number", "name": "数量"},
				{"code": "to", "propertyType": "RelevanceForm", "name": "到", "relativeCode": "knot", "onDelete": "clear"}]}]}`
	})
}
