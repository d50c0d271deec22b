package record_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	packs "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestRememberedRecords: what a transaction remembers of a record is forgotten when the record changes, by its own write or by what it is made of.
func TestRememberedRecords(t *testing.T) {
	w, ctx := newWorldOn(t, works, with(map[string]string{"models/note.json": `{"name": "备注", "digest": "{title}", "properties": [
		{"code": "title", "propertyType": "ShortText", "name": "标题"},
		{"code": "contract", "propertyType": "RelevanceForm", "name": "合同", "relativeCode": "contract"},
		{"code": "twin", "propertyType": "RelevanceForm", "name": "同伴", "relativeCode": "note", "onDelete": "clear"},
		{"code": "others", "propertyType": "RelevanceFormEx", "name": "其他", "relativeCode": "note", "onDelete": "clear"},
		{"code": "paid", "propertyType": "Number", "name": "已付", "scale": 2, "computeFormula": "contract.paid"},
		{"code": "called", "propertyType": "ShortText", "name": "称", "computeFormula": "concat(twin.title, '/', contract.title)"},
		{"code": "far", "propertyType": "ShortText", "name": "远", "computeFormula": "twin.twin.title"},
		{"code": "lines", "propertyType": "Sheet", "name": "行", "properties": [
			{"code": "to", "propertyType": "RelevanceForm", "name": "到", "relativeCode": "note", "onDelete": "clear"},
			{"code": "says", "propertyType": "ShortText", "name": "言", "computeFormula": "row.to.title"}]}]}`})), t.Context()
	c := w.save(w.boss, "contract", "", 0, `{"title": "C", "factor": "1"}`).ID
	must(t, w.w.Together(ctx, w.boss, func(b *record.Batch) error {
		version := int64(1)
		for _, ch := range []record.Change{
			change("note", "", `{"title": "before", "contract": "`+c+`"}`, ""),
			change("payment", "", `{"title": "p", "contract": "`+c+`", "amount": "7"}`, ""),
			change("note", "", `{"title": "between", "contract": "`+c+`"}`, ""),
			{Model: "contract", ID: c, Version: nil, Set: set(`{"title": "D"}`)},
			change("note", "", `{"title": "after", "contract": "`+c+`"}`, ""),
		} {
			if ch.ID != "" {
				if version++; true {
					ch.Version = &version
				}
			}
			if _, err := b.Save(ch); err != nil {
				return err
			}
		}
		return nil
	}))
	same(t, w.read("note", plan.True, "title", "paid", "called"), "before | 7 | /D", "between | 7 | /D", "after | 7 | /D")

	// Notes that refer to one another and to themselves go and come back with what is computed of it.
	note := func(title string) string { return w.save(w.boss, "note", "", 0, `{"title": "`+title+`"}`).ID }
	one, two, three := note("one"), note("two"), note("three")
	w.save(w.boss, "note", one, 1, `{"twin": "`+one+`", "others": ["`+one+`", "`+two+`"]}`)
	w.save(w.boss, "note", two, 1, `{"twin": "`+one+`", "others": ["`+three+`", "`+one+`"]}`)
	state := func() []string {
		return w.read("note", &plan.Not{X: &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "called", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "/D"}}}, "title", "twin", "others", "called")
	}
	four := note("four")
	w.save(w.boss, "note", four, 1, `{"lines": [{"to": "`+four+`"}]}`)
	same(t, w.read("note.lines", plan.True, "to", "says"), four+" | four")
	w.delete(w.boss, "note", four)
	_, err := w.restore(w.boss, "note", four)
	must(t, err)
	same(t, w.read("note.lines", plan.True, "to", "says"), four+" | four")
	w.delete(w.boss, "note", four)
	must(t, w.w.Together(ctx, w.boss, func(b *record.Batch) error { // what is emptied with a record that goes is forgotten too
		last, err := b.Save(change("note", "", `{"title": "last"}`, ""))
		must(t, err)
		middle, err := b.Save(change("note", "", `{"title": "middle", "twin": "`+last.ID+`"}`, ""))
		must(t, err)
		text := `{"title": "far", "twin": "` + middle.ID + `"}`
		_, err = b.Save(change("note", "", text, ""))
		must(t, err)
		must(t, b.Delete("note", last.ID))
		_, err = b.Save(change("note", "", text, ""))
		return err
	}))
	far := &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "title", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "far"}}
	same(t, w.read("note", far, "far"), "<nil>", "<nil>")
	for _, title := range []string{"far", "middle"} {
		for _, row := range w.read("note", &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "title", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: title}}, "id") {
			w.delete(w.boss, "note", row)
		}
	}
	all := state()
	w.delete(w.boss, "note", one)
	same(t, state(), "two | <nil> | ["+three+"] | /", "three | <nil> | <nil> | /")
	_, err = w.restore(w.boss, "note", one)
	must(t, err)
	same(t, state(), all...)
}

// TestRowsFollow: rows that read a record follow it, also where nothing else asks for them, and a formula of rows that changes is computed again.
func TestRowsFollow(t *testing.T) {
	model := func(formula string) string {
		return `{"name": "单", "properties": [{"code": "title", "propertyType": "ShortText", "name": "标题"},
			{"code": "lines", "propertyType": "Sheet", "name": "行", "properties": [
				{"code": "to", "propertyType": "RelevanceForm", "name": "到", "relativeCode": "customer"}, {"code": "qty", "propertyType": "Number", "name": "数", "scale": 2},
				{"code": "says", "propertyType": "ShortText", "name": "言", "computeFormula": "row.to.title"}]},
			{"code": "others", "propertyType": "Sheet", "name": "行", "properties": [{"code": "qty", "propertyType": "Number", "name": "数", "scale": 2},
				{"code": "more", "propertyType": "Number", "name": "倍", "scale": 2, "computeFormula": "` + formula + `"}]}]}`
	}
	docs := map[string]string{"models/slip.json": model("row.qty * 2")}
	w := newWorldOn(t, with(docs))
	must(t, w.w.Recompute(t.Context(), w.system()))
	c := w.save(w.boss, "customer", "", 0, `{"title": "C"}`).ID
	o := w.save(w.boss, "slip", "", 0, `{"title": "s", "lines": [{"to": "`+c+`"}, {"qty": "1"}], "others": [{"qty": "3"}]}`).ID
	same(t, w.read("slip.lines", plan.True, "says"), "C", "<nil>")
	w.save(w.boss, "customer", c, 1, `{"title": "D"}`)
	same(t, w.read("slip.lines", plan.True, "says"), "D", "<nil>")
	same(t, w.read("slip.others", plan.True, "more"), "6")
	same(t, w.read("slip", id(o), "version"), "2")
	for name, text := range documents {
		docs[name] = text
	}
	docs["models/slip.json"] = model("row.qty * 5")
	w.compile(docs)
	must(t, w.w.Recompute(t.Context(), w.system()))
	same(t, w.read("slip.others", plan.True, "more"), "15")
	same(t, w.read("slip", id(o), "version"), "3")
}

// TestWritesOfHooks: records that hooks write belong to the write: they take the next numbers without a hole, a refusal that is passed over undoes
// all, and hooks of hooks end somewhere.
func TestWritesOfHooks(t *testing.T) {
	var batch *record.Batch
	register := func(_ map[string]string, s *pack.Set) {
		s.AfterWrite.Add(func(_ context.Context, e *hook.Record, next func() error) error {
			title, _ := e.Set["title"].(string)
			b := batch
			switch {
			case e.Delete || !e.Create:
			case strings.HasPrefix(title, "two"):
				for i := range 2 {
					if _, err := b.Save(change("order", "", fmt.Sprintf(`{"title": "of %s %d"}`, title, i), "")); err != nil {
						return err
					}
				}
				lines, err := e.Stored("lines")
				must(t, err)
				if len(lines) != 2 || lines[0]["item"] != "a" || lines[1]["item"] != "b" || lines[0]["id"] == nil {
					t.Errorf("stored %v", lines)
				}
				for _, of := range []string{"title", "nothing"} {
					if _, err := e.Stored(of); err == nil {
						t.Errorf("%s has rows", of)
					}
				}
			case strings.HasPrefix(title, "refused"):
				_, _ = b.Save(change("order", "", `{"title": ""}`, ""))
			case strings.HasPrefix(title, "deep"):
				if _, err := b.Save(change("order", "", `{"title": "deep"}`, "")); err != nil {
					return err
				}
			}
			return next()
		})
	}
	w := newWorldOn(t, register)
	w.w.Worlds(func(b *record.Batch, _ bool) packs.World { batch = b; return nil })
	w.save(w.boss, "order", "", 0, `{"title": "two", "lines": [{"item": "a"}, {"item": "b"}]}`)
	if _, err := w.try(w.boss, "order", "", 0, `{"title": "refused"}`); explain(err) != "title 302004; " {
		t.Errorf("a refusal that a hook passes over: %v", err)
	}
	if _, err := w.try(w.boss, "order", "", 0, `{"title": "deep"}`); err == nil || !strings.Contains(err.Error(), "more than 8 deep") {
		t.Errorf("hooks of hooks: %v", err)
	}
	w.save(w.boss, "order", "", 0, `{"title": "last"}`)
	got := w.read("order", plan.True, "sequenceNo", "title")
	slices.Sort(got)
	same(t, got, "D-202611001 | two", "D-202611002 | of two 0", "D-202611003 | of two 1", "D-202611004 | last")
}

// TestWithAndToken: what is done with a change is done once with its token, and its error refuses the change.
func TestWithAndToken(t *testing.T) {
	w := newWorldOn(t)
	done, refuse := 0, error(nil)
	save := func(token string) error {
		ch := change("customer", "", `{"title": "c"}`, token)
		ch.With = func(context.Context, *store.Tx) error { done++; return refuse }
		_, err := w.w.Save(t.Context(), w.boss, ch)
		return err
	}
	must(t, errors.Join(save("k"), save("k"), save("")))
	refuse = fault.New(fault.RecordBusy)
	if err := save("l"); fault.Of(err) != fault.RecordBusy {
		t.Error(err)
	}
	if n := len(w.read("customer", plan.True, "id")); n != 2 || done != 3 {
		t.Errorf("%d customers, done %d times", n, done)
	}
}

// TestTouchingRulesInCode: rules in code on columns count where the column changes, and those of the whole record always.
func TestTouchingRulesInCode(t *testing.T) {
	w, ctx := newWorldOn(t, func(_ map[string]string, s *pack.Set) {
		_ = s.Rules.Add(hook.NewRule("never", func(context.Context, hook.Checked) (bool, error) { return false, nil }))
	}), t.Context()
	o := w.save(w.boss, "order", "", 0, `{"title": "t", "lines": [{"item": "a"}, {"item": "b"}]}`)
	rows, version := w.read("order.lines", plan.True, "id"), o.Version
	for _, try := range []struct{ rule, set, refused, warned string }{
		{`"propertyCode": "lines.item", `, `{"day": "2026-11-20"}`, "ok", "lines.item lines.item"},
		{`"propertyCode": "lines.item", `, `{"lines": [{"id": "` + rows[0] + `", "item": "c"}, {"id": "` + rows[1] + `"}]}`, "lines.item 302011; ", ""},
		{`"propertyCode": "title", `, `{"day": "2026-11-19"}`, "ok", "title"},
		{`"propertyCode": "title", `, `{"title": "u"}`, "title 302011; ", ""},
		{``, `{"day": "2026-11-18"}`, " 302011; ", ""},
	} {
		docs := map[string]string{}
		for name, text := range documents {
			docs[name] = text
		}
		docs["models/order.json"] = strings.Replace(docs["models/order.json"], `"dataRules": [`, `"dataRules": [{`+try.rule+`"checkType": "hook", "hook": "never"},`, 1)
		w.compile(docs)
		saved, err := w.w.Save(ctx, w.rights(w.bossID, "boss"), record.Change{Model: "order", ID: o.ID, Version: &version, Set: set(try.set), Touching: true})
		var warned []string
		for _, e := range saved.Warnings {
			warned = append(warned, e.PropertyCode)
		}
		if got := explain(err); got != try.refused || strings.Join(warned, " ") != try.warned {
			t.Errorf("%s %s: %s, warned of %q", try.rule, try.set, got, warned)
		}
		if err == nil {
			version = saved.Version
		}
	}
}

// TestRowsInRefusals: a refusal names a stored row by its id, and one that came by its place.
func TestRowsInRefusals(t *testing.T) {
	w := newWorldOn(t)
	o := w.save(w.boss, "order", "", 0, `{"title": "t", "lines": [{"item": "a"}, {"item": "b"}]}`)
	rows := w.read("order.lines", plan.True, "id")
	_, err := w.try(w.boss, "order", o.ID, 1, `{"lines": [{"id": "`+rows[0]+`"}, {"qty": "1"}, {"id": "`+rows[1]+`", "item": null}]}`)
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatal(err)
	}
	var named []string
	for _, e := range f.Data.(fault.Invalid).Errors {
		named = append(named, e.Row+" "+e.PropertyCode)
	}
	same(t, named, "#2 lines.item", rows[1]+" lines.item")
	w.save(w.boss, "order", o.ID, 1, `{"lines": [{"id": "`+rows[0]+`", "qty": "7"}]}`)
	if _, err := w.try(w.boss, "order", o.ID, 1, `{"title": "u"}`); !errors.As(err, &f) || fmt.Sprint(f.Data.(fault.Stale).Changed) != "[lines]" {
		t.Errorf("stale by its rows: %v", err)
	}
	for form, model := range map[string]string{"nothing": "order", "order": "customer"} {
		if _, err := w.w.Save(t.Context(), w.boss, change(model, form, `{"title": "t"}`, "")); fault.Of(err) != fault.FormNotFound {
			t.Errorf("%s through the form %s: %v", model, form, err)
		}
	}
	for _, model := range []string{"ghost", "order.lines"} {
		if _, err := w.w.Preview(t.Context(), w.boss, change(model, "", `{}`, "")); fault.Of(err) != fault.ModelNotFound {
			t.Errorf("a preview of %s: %v", model, err)
		}
	}
}

// TestPatterns: a value breaks the pattern of its own property and of no other.
func TestPatterns(t *testing.T) {
	w := newWorldOn(t)
	m := w.c.Model("order")
	for _, try := range []struct {
		code  string
		value any
		want  fault.Code
	}{{"number", "wrong", fault.FieldPattern}, {"number", "A1", 0}, {"number", "A1 ", fault.FieldPattern}, {"number", nil, 0}, {"title", "wrong", 0}, {"day", "2099-01-01", 0}} {
		e, err := w.w.Breaks(m.Field(try.code), try.value)
		if err != nil || e == nil && try.want != 0 || e != nil && (e.Code != try.want || e.MessageEn != "A letter and digits") {
			t.Errorf("%s %v: %+v %v", try.code, try.value, e, err)
		}
	}
}

// TestSoundOfNames: the sound of a name changes with it.
func TestSoundOfNames(t *testing.T) {
	w := newWorldOn(t)
	c := w.save(w.boss, "customer", "", 0, `{"title": "闸"}`).ID
	same(t, w.read("customer", id(c), record.NamePinyin), finder.Index("闸"))
	w.save(w.boss, "customer", c, 1, `{"title": "门"}`)
	same(t, w.read("customer", id(c), record.NamePinyin), finder.Index("门"))
	w.save(w.boss, "customer", c, 2, `{"title": "door"}`)
	same(t, w.read("customer", id(c), record.NamePinyin), finder.Index("door"))
}

// TestMadeUp: what is made up for somebody to go on with may lack what is required, and says so.
func TestMadeUp(t *testing.T) {
	w := newWorldOn(t)
	saved, err := w.w.Save(t.Context(), w.boss, record.Change{Model: "order", Set: set(`{"lines": [{"qty": "1"}]}`), MadeUp: true})
	must(t, err)
	var warned []string
	for _, e := range saved.Warnings {
		warned = append(warned, e.PropertyCode)
	}
	same(t, warned, "title", "lines.item")
	if _, err := w.w.Save(t.Context(), w.boss, record.Change{Model: "order", Set: set(`{"title": 7}`), MadeUp: true}); explain(err) == "ok" {
		t.Error("what is wrong was taken")
	}
}

// TestTouchingRequiredRows: a column that rows lack is refused where the rows, or what asks for it, change, and warned of elsewhere.
func TestTouchingRequiredRows(t *testing.T) {
	w := newWorldOn(t)
	o := w.save(w.boss, "order", "", 0, `{"title": "t", "price": "1", "lines": [{"item": "a", "qty": "7"}, {"item": "b"}]}`)
	rows, version := w.read("order.lines", plan.True, "id"), o.Version
	docs := map[string]string{}
	for name, text := range documents {
		docs[name] = text
	}
	docs["models/order.json"] = strings.Replace(docs["models/order.json"], `"name": "供方", `, `"name": "供方", "requiredFormula": "row.qty > 5 or record.price > 100", `, 1)
	w.compile(docs)
	for _, try := range []struct{ set, refused, warned string }{
		{`{"day": "2026-11-20"}`, "ok", "lines.supplier"},
		{`{"lines": [{"id": "` + rows[0] + `", "item": "c"}, {"id": "` + rows[1] + `"}]}`, "ok", "lines.supplier"},
		{`{"lines": [{"id": "` + rows[0] + `", "qty": "8"}, {"id": "` + rows[1] + `"}]}`, "lines.supplier 302004; ", ""},
		{`{"price": "101"}`, "lines.supplier 302004; lines.supplier 302004; ", ""},
	} {
		saved, err := w.w.Save(t.Context(), w.rights(w.bossID, "boss"), record.Change{Model: "order", ID: o.ID, Version: &version, Set: set(try.set), Touching: true})
		var warned []string
		for _, e := range saved.Warnings {
			warned = append(warned, e.PropertyCode)
		}
		if got := explain(err); got != try.refused || strings.Join(warned, " ") != try.warned {
			t.Errorf("%s: %s, warned of %q", try.set, got, warned)
		}
		if err == nil {
			version = saved.Version
		}
	}
}

// TestRowsAskTheRecord: rows that were not sent are judged when what they require speaks of the record.
func TestRowsAskTheRecord(t *testing.T) {
	w := newWorldOn(t, with(map[string]string{"models/slip.json": `{"name": "单", "properties": [{"code": "title", "propertyType": "ShortText", "name": "标题"},
		{"code": "lines", "propertyType": "Sheet", "name": "行", "properties": [{"code": "item", "propertyType": "ShortText", "name": "项", "requiredFormula": "record.title == 'closed'"},
			{"code": "qty", "propertyType": "Number", "name": "数"}]}]}`}))
	o := w.save(w.boss, "slip", "", 0, `{"title": "open", "lines": [{"qty": "1"}]}`)
	w.save(w.boss, "slip", o.ID, 1, `{"title": "open still"}`)
	if _, err := w.try(w.boss, "slip", o.ID, 2, `{"title": "closed"}`); explain(err) != "lines.item 302004; " {
		t.Error(explain(err))
	}
}

// TestFewestRows: a sub-table that must have rows is asked for them on create and when its list comes, and not by what leaves it alone.
func TestFewestRows(t *testing.T) {
	w := newWorldOn(t, with(map[string]string{"models/order.json": strings.Replace(documents["models/order.json"], `"maxRows": 5`, `"minRows": 1, "maxRows": 5`, 1)}))
	for text, want := range map[string]string{`{"title": "t"}`: "lines 302034; ", `{"title": "t", "lines": []}`: "lines 302034; "} {
		if _, err := w.try(w.boss, "order", "", 0, text); explain(err) != want {
			t.Errorf("%s: %s", text, explain(err))
		}
	}
	o := w.save(w.boss, "order", "", 0, `{"title": "t", "lines": [{"item": "a"}]}`)
	w.save(w.boss, "order", o.ID, 1, `{"title": "u"}`)
	if _, err := w.try(w.boss, "order", o.ID, 2, `{"lines": []}`); explain(err) != "lines 302034; " {
		t.Error(explain(err))
	}
}

// TestKeptValues: what a history kept in the form of another type is empty, and read in its own.
func TestKeptValues(t *testing.T) {
	set := &pack.Set{}
	must(t, base.Register(set))
	set.Freeze()
	c := compiletest.Pack(t, set, map[string]string{"pack.json": `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
		"models/kept.json": `{"name": "存", "properties": [{"code": "number", "propertyType": "Number", "name": "x"}, {"code": "yes", "propertyType": "Logic", "name": "x"},
			{"code": "boxes", "propertyType": "Checkbox", "name": "x", "options": ["A", "B"]}, {"code": "day", "propertyType": "Date", "name": "x"}, {"code": "text", "propertyType": "ShortText", "name": "x"}]}`}, nil)
	for code, want := range map[string][]string{
		"number": {"[7.5]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]"},
		"yes":    {"[<nil>]", "[true]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]"},
		"boxes":  {"[[7.5]]", "[<nil>]", "[[A B]]", "[[A]]", "[<nil>]", "[<nil>]", "[<nil>]", "[[007]]", "[[2026-02-28]]", "[[2026-02-30]]"},
		"text":   {"[7.5]", "[是]", "[<nil>]", "[A]", "[<nil>]", "[<nil>]", "[<nil>]", "[007]", "[2026-02-28]", "[2026-02-30]"},
		"day":    {"[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[<nil>]", "[2026-02-28]", "[<nil>]"},
	} {
		p := c.Model("kept").Field(code).Property
		var got []string
		for _, raw := range []string{`"7.5"`, `true`, `["A", "B"]`, `"A"`, `null`, `""`, `[]`, `"007"`, `"2026-02-28"`, `"2026-02-30"`} {
			got = append(got, fmt.Sprint(record.Columns(p, []json.RawMessage{json.RawMessage(raw)})))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, not %v", code, got, want)
		}
		same(t, []string{fmt.Sprint(record.Columns(p, nil))}, "[<nil>]")
	}
}
