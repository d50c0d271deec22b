package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

func (k taker) forms(starting bool) {
	for _, of := range []string{"", "a", "b", "c", "d", "f", "none"} {
		req := query.FormRequest{SchemaCode: "lot"}
		if of != "" {
			req.ObjectID = id(of)
		}
		form, err := k.FormLoad(k.t.Context(), k.view, req)
		name := fmt.Sprintf("form of %q, starting %t", of, starting)
		switch {
		case err != nil:
			k.tell(name, nil, err)
		case !starting && (of == "" || of == "a" || of == "c"):
			k.tell(name, form, nil)
		default:
			var buttons []string
			for _, b := range form.Form.Buttons {
				buttons = append(buttons, b.ActionCode)
			}
			k.tell(name, fmt.Sprint(form.Actions, buttons, form.Form.Submits, string(form.Data)), nil)
		}
	}
	config, err := k.Config(k.view, "lot", "")
	if err != nil {
		k.tell("buttons of the list", nil, err)
		return
	}
	for _, a := range config.Actions {
		raw, err := json.Marshal(a)
		must(k.t, err)
		k.tell("button of the list", string(raw), nil)
	}
}

func (k taker) buttons(tx *store.Tx) {
	var many []string
	for i := range query.MaxPageSize + 1 {
		many = append(many, id(fmt.Sprint(i)))
	}
	for _, sheet := range []string{"", "lot", "contract", "nothing"} {
		for _, code := range []string{"map", "begin", "sign", "add", "count", "greet", "wave", "edit", "nothing"} {
			var told []string
			for _, ids := range [][]string{nil, {id("a")}, {id("b")}, {id("d")}, {id("f")}, {id("z")}, {id("c"), id("a"), id("c")}, many} {
				for _, input := range []map[string]json.RawMessage{nil, {"given": json.RawMessage(`1`), "over": json.RawMessage(`"client"`)}} {
					if len(input) > 0 && code != "count" && code != "add" {
						continue
					}
					told = append(told, k.pressed(tx, query.ActionRequest{SchemaCode: "lot", SheetCode: sheet, ActionCode: code, ObjectIDs: ids, Input: input}))
				}
			}
			k.tell(fmt.Sprintf("button %s of form %q", code, sheet), strings.Join(told, " | "), nil)
		}
	}
}

// pressed is what a button answers, without what is empty.
func (k taker) pressed(tx *store.Tx, req query.ActionRequest) string {
	b, err := k.Button(k.view, req)
	if err != nil {
		return fmt.Sprint(fault.Of(err))
	}
	answer, given, err := b.Prepare(k.t.Context(), tx)
	if err != nil {
		return fmt.Sprint(fault.Of(err), " when pressed")
	}
	var shown map[string]any
	raw, err := json.Marshal(answer)
	must(k.t, err)
	must(k.t, json.Unmarshal(raw, &shown))
	maps.DeleteFunc(shown, func(_ string, v any) bool { return v == nil })
	return fmt.Sprint(shown, string(given), len(b.IDs()), b.Call() != nil)
}

func (k taker) selections(tx *store.Tx) {
	ctx := k.t.Context()
	number := k.c.Model("lot").Field("price").Column()
	tags := k.c.Model("lot").Field("tags").Column()
	for _, req := range []query.SelectionRequest{{All: true}, {All: true, Filters: []query.Filter{filter("part", "Contains", "A")}}, {All: true, Keyword: "B"}, {All: true, ObjectIDs: []string{id("a")}}, {},
		{ObjectIDs: []string{id("f"), id("c"), id("a"), id("none"), id("a"), id("z"), id("d")}}, {ObjectIDs: make([]string, query.MaxObjects+1)}, {Filters: []query.Filter{filter("id", "In", id("a")+";;"+id("b"))}},
		{Filters: []query.Filter{filter("id", "Equal", id("a"))}}, {Filters: []query.Filter{filter("id", "In", 7)}}, {Filters: []query.Filter{filter("part", "In", "A")}}, {Filters: []query.Filter{filter("id", "In", ";")}}, {QueryCode: "lot_items", All: true},
		{All: true, Filters: []query.Filter{filter("nothing", "Equal", "x")}}, {QueryCode: "nothing", All: true}} {
		for _, action := range []string{"batch_update", "delete"} {
			req.SchemaCode = "lot"
			raw, err := json.Marshal(req)
			must(k.t, err)
			name := fmt.Sprintf("%s of %.300s", action, raw)
			s, err := k.Select(ctx, k.view, req, action)
			if err != nil {
				k.tell(name, nil, err)
				continue
			}
			counts, err := s.Count(ctx, tx)
			k.tell("number, "+name, fmt.Sprint(counts), err)
			after, out := "", ""
			for range 20 {
				part, err := s.Next(ctx, tx, after, 2, []plan.Expr{number, tags})
				must(k.t, err)
				if len(part) == 0 {
					break
				}
				for _, one := range part {
					out += fmt.Sprintf(" %.2s %v;", one.ID, one)
				}
				after = part[len(part)-1].ID
			}
			k.tell(name, out, nil)
			s.Before(now.Add(-time.Hour))
			counts, err = s.Count(ctx, tx)
			k.tell("number before, "+name, fmt.Sprint(counts), err)
		}
	}
	m, ids := k.c.Model("lot"), []string{id("a"), id("b"), id("c"), id("d"), id("none")}
	for _, code := range []string{"part", "price", "items.rate", "items.item", "items", "said", "contract", "contract.budget", "contract.title", "nothing"} {
		visible, err := k.Visible(ctx, tx, k.view, m, ids, code)
		k.tell("visible "+code, visible, err)
	}
	visible, err := k.Visible(ctx, tx, k.view, m, nil, "part")
	k.tell("visible of none", visible, err)
}

func (k taker) papers(tx *store.Tx) {
	ctx, m := k.t.Context(), k.c.Model("lot")
	column := func(code string) plan.Expr { return m.Field(code).Column() }
	rate, item := m.Field("items").Sheet.Field("rate").Column(), m.Field("items").Sheet.Field("item").Column()
	outer := &plan.Field{Column: "price", K: plan.Number, Outer: true}
	show := func(p query.Paper) string {
		data, texts := p.Whole()
		line := fmt.Sprintf("%.2s %s %s %v", p.ID, p.Workflow, data, texts)
		for _, code := range []string{"price", "day", "at", "part", "ok", "contract.budget", "nothing"} {
			f, v := p.Value(code)
			cell, typed := p.Cell(code, "0.0")
			line += fmt.Sprintf(" {%s %t %v %v %t %s}", code, f != nil, v, cell, typed, p.Text(code, ""))
		}
		for _, row := range p.Rows("items") {
			line += " ["
			for _, code := range []string{"item", "rate", "source", "nothing"} {
				cell, typed := row.Cell(code, "0.0")
				line += fmt.Sprintf(" %s %v %v %t %s", code, row.Value(code), cell, typed, row.Text(code, ""))
			}
			for _, when := range []plan.Expr{nil, &plan.Compare{Op: plan.GT, A: rate, B: outer}, &plan.Compare{Op: plan.EQ, A: item, B: &plan.Const{K: plan.Text, Value: "one"}},
				&plan.Compare{Op: plan.EQ, A: &plan.Field{Path: []string{"source"}, Column: "title", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "open"}}, &plan.Compare{Op: plan.EQ, A: &plan.Var{Name: "user.name", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "clerk"}}} {
				line += fmt.Sprint(" ", row.Holds(when))
			}
			line += "]"
		}
		return line + fmt.Sprint(len(p.Rows("nothing")))
	}
	for _, labels := range []bool{false, true} {
		for _, columns := range [][]string{{"contract.budget", "price", "at"}, nil, {"nothing"}} {
			papers, err := k.Paper(ctx, tx, k.view, query.PaperRequest{PrintRequest: query.PrintRequest{SchemaCode: "lot", ObjectIDs: []string{id("d"), id("c"), id("a"), id("z"), id("b")}}, Columns: columns, Labels: labels,
				Conditions: []plan.Expr{&plan.Compare{Op: plan.GT, A: column("price"), B: &plan.Const{K: plan.Number, Value: dec(4)}}, plan.True, plan.False}})
			told := ""
			for _, p := range papers {
				if len(columns) < 2 {
					told += fmt.Sprintf(" %.2s", p.ID)
					continue
				}
				told += show(p) + fmt.Sprint(p.Holds(0), p.Holds(1), p.Holds(2)) + "; "
			}
			k.tell(fmt.Sprintf("paper with %d columns, labels %t", len(columns), labels), told, err)
		}
	}
	for i, when := range []plan.Expr{nil, &plan.Compare{Op: plan.GT, A: column("price"), B: &plan.Const{K: plan.Number, Value: dec(4)}}} {
		for _, relation := range []string{"contract", "others", "part"} {
			pointing, err := k.Pointing(ctx, tx, k.view, k.c.List("lot"), m.Field(relation), []string{id("open"), id("secret")}, []string{"part", "price", "nothing", relation}, when, fmt.Sprint("t", i))
			told := ""
			for _, to := range slices.Sorted(maps.Keys(pointing)) {
				for _, p := range pointing[to] {
					told += fmt.Sprintf(" %.2s<%.2s %s %s", to, p.ID, p.Text("part", ""), p.Text("price", ""))
				}
			}
			k.tell(fmt.Sprintf("what points by %s, condition %t", relation, when != nil), told, err)
		}
	}
	none, err := k.Pointing(ctx, tx, k.view, k.c.List("lot"), m.Field("contract"), nil, nil, nil, "t")
	k.tell("what points at nothing", len(none), err)
	must(k.t, k.Within(ctx, func(context.Context, *store.Tx) error { return nil }))
	err = k.Stream(ctx, tx, k.view, query.ListRequest{SchemaCode: "lot"}, func(p *query.Rows) bool {
		for i := range p.Len() {
			line := ""
			for c := range p.Columns() {
				line += fmt.Sprintf(" %s %v", p.Column(c).Code, p.Cell(i, c))
			}
			for s, sheet := range p.Sheets() {
				for n := range p.Inner(i, s) {
					line += fmt.Sprintf(" [%.2s", p.InnerID(i, s, n))
					for c := range sheet.Columns {
						line += fmt.Sprintf(" %v", p.InnerCell(i, s, n, c))
					}
					line += "]"
				}
			}
			k.tell("cells of "+p.ID(i)[:2], line, nil)
		}
		return true
	})
	k.tell("cells", "", err)
}

func (k taker) names(tx *store.Tx) {
	ctx := k.t.Context()
	refs := []query.Ref{{SchemaCode: "lot", ID: id("a")}, {SchemaCode: "lot", ID: id("c")}, {SchemaCode: "contract", ID: id("secret")}, {SchemaCode: "contract", ID: id("open")}, {SchemaCode: "nothing", ID: id("a")}, {SchemaCode: "site", ID: "no id"}}
	found, err := k.Titles(ctx, tx, k.view, refs)
	var told []string
	for ref, name := range found {
		told = append(told, fmt.Sprintf("%s %.2s %q", ref.SchemaCode, ref.ID, name))
	}
	slices.Sort(told)
	k.tell("names", strings.Join(told, "; "), err)
	for _, ref := range refs {
		m, name, err := k.Title(ctx, tx, k.view, ref)
		k.tell(fmt.Sprintf("name of %s %.2s", ref.SchemaCode, ref.ID), fmt.Sprintf("%t %q", m != nil, name), err)
	}
	for _, code := range []string{"part", "price", "items", "contract", "photos", "result", "person"} {
		k.tell("input "+code, query.InputField(k.view, k.c.Model("lot").Field(code)), nil)
	}
	k.tell("input of a row", query.InputField(k.view, k.c.Model("lot").Field("items").Sheet.Field("rate")), nil)
}

// writes are histories: of a record, of what somebody has just written, and between two versions.
func (k taker) writes(tx *store.Tx) {
	ctx := k.t.Context()
	for _, of := range []string{"a", "b", "c", "none"} {
		page, err := k.History(ctx, k.view, query.HistoryRequest{SchemaCode: "lot", BizObjectID: id(of)})
		k.tell("history of "+of, page, err)
		for _, part := range []bool{false, true} {
			page, err = k.Written(ctx, k.view, "lot", id(of), 1, 3, part)
			if err != nil {
				page = nil
			}
			k.tell(fmt.Sprintf("written in %s, part %t", of, part), page, err)
		}
	}
	page, err := k.Histories(ctx, k.view, query.HistoriesRequest{SchemaCode: "lot", BizObjectIDs: []string{id("none")}})
	k.tell("history of nothing", page, err)
	made, err := k.Made(ctx, tx, k.view, k.c.Model("lot"), map[string]int64{id("a"): 2, id("c"): 2, id("b"): 1, id("none"): 1})
	k.tell("made", made, err)
	zh := k.policy.View(withLocale(k.view, "zh"), now, zone)
	page, err = k.History(ctx, zh, query.HistoryRequest{SchemaCode: "lot", BizObjectID: id("a")})
	if err == nil {
		for _, e := range page.Content {
			for _, c := range e.Changes {
				if c.AfterText != nil {
					k.tell("in Chinese", *c.AfterText, nil)
				}
			}
		}
	}
}

// rest are the rules of forms, the reasons of lists, new records of lists, trees with what is above, widgets, and records as they were.
func (k taker) rest() {
	ctx := k.t.Context()
	rules, err := k.DataRules(k.view, "lot")
	k.tell("rules", rules, err)
	for _, form := range []string{"lot", "contract"} {
		items, err := k.DataItems(k.view, "lot", form)
		k.tell("items of form "+form, items, err)
	}
	for _, l := range []string{"lot", "lot_files", "site", "contract", "nothing"} {
		text, err := k.Explain(ctx, k.view, l)
		text, _, _ = strings.Cut(text, "\nsql (") // as each database has it
		k.tell("reasons of "+l, text, err)
	}
	config, err := k.Config(k.view, "lot", "")
	k.tell("list", config, err)
	for _, l := range []string{"site_plan", "site_tree", "site_down", "site_bare", "site_dated", "site_table"} {
		config, err := k.Config(k.view, "site", l)
		if err != nil {
			k.tell("shape of "+l, nil, err)
			continue
		}
		k.tell("shape of "+l, config.Presentation, nil)
	}
	for _, req := range []query.FormRequest{{QueryCode: "lot_bad"}, {QueryCode: "contract"}, {QueryCode: "nothing"}, {RelPropertyCode: "contract", RelID: "no id"}, {RelPropertyCode: "contract", RelID: id("open")}, {RelSchemaCode: "contract", RelID: id("open")},
		{RelSchemaCode: "site", RelID: id("S2")}, {SheetCode: "contract"}} {
		req.SchemaCode = "lot"
		form, err := k.FormLoad(ctx, k.view, req)
		if err != nil {
			k.tell(fmt.Sprintf("new %+v", req), nil, err)
			continue
		}
		k.tell(fmt.Sprintf("new %+v", req), string(form.Data), nil)
	}
	for _, of := range []string{"", "open", "secret"} {
		req := query.FormRequest{SchemaCode: "contract"}
		if of != "" {
			req.ObjectID = id(of)
		}
		form, err := k.FormLoad(ctx, k.view, req)
		k.tell("form of contract "+of, form, err)
	}
	for _, order := range []query.ListRequest{{OrderType: 1}, {OrderType: 2}, {OrderByFields: []string{"price"}}, {OrderByFields: []string{"price"}, OrderType: 1}, {OrderByFields: []string{"contract.title", "price"}, OrderType: 2}, {OrderByFields: []string{"day", "nothing"}, OrderType: 1},
		{OrderType: 3}, {OrderType: -1}, {OrderByFields: []string{"items"}, OrderType: 1}, {OrderByFields: make([]string, 11), OrderType: 1}, {Page: -1}, {Page: 1 << 30}, {Keyword: strings.Repeat("x", 300)}} {
		order.SchemaCode = "lot"
		data, err := k.List(ctx, k.view, order)
		var page struct{ Content []struct{ ID string } }
		if err == nil {
			must(k.t, json.Unmarshal(data, &page))
		}
		told := ""
		for _, row := range page.Content {
			told += " " + row.ID[:2]
		}
		k.tell(fmt.Sprintf("ordered by %.30q, %d, page %d", order.OrderByFields, order.OrderType, order.Page), told, err)
	}
	one := 1
	for _, asked := range [][2]int{{-1, 10}, {0, 0}, {0, 1}, {1, 1}, {3, 1}, {4, 1}, {0, 100}, {0, 101}, {1 << 20, 100}, {1 << 30, 1}} {
		page, err := k.History(ctx, k.view, query.HistoryRequest{SchemaCode: "lot", BizObjectID: id("a"), Page: asked[0], Size: &asked[1]})
		told := ""
		if err == nil {
			told = fmt.Sprint(page.Total)
			for _, e := range page.Content {
				told += fmt.Sprint(" ", e.Version)
			}
		}
		k.tell(fmt.Sprintf("history, page %d of %d", asked[0], asked[1]), told, err)
	}
	for _, word := range []string{"S4", "T3", "S"} {
		for page := range 2 {
			data, err := k.List(ctx, k.view, query.ListRequest{SchemaCode: "site", Ancestors: true, Filters: []query.Filter{filter("title", "Contains", word)}, Size: &one, Page: page})
			k.tell(fmt.Sprintf("page %d of sites by %s", page, word), string(data), err)
		}
	}
	for _, of := range []string{"a", "b", "none"} {
		for _, list := range []string{"", "lot_items"} {
			data, err := k.SheetRows(ctx, k.view, query.SheetRequest{SchemaCode: "lot", QueryCode: list, ObjectID: id(of), PropertyCode: "items", Size: 1, Page: 0})
			k.tell("rows of "+of+" in "+list, string(data), err)
		}
	}
	m := k.c.Model("lot")
	for i, rows := range []*catalog.PortalRows{{Model: m, List: k.c.List("lot"), Start: "day"}, {Model: m, Start: "day", End: "until", Columns: []string{"part", "price", "nothing"}}, {Model: m, Columns: []string{"nothing"}, Sort: "price", Descending: true},
		{Model: m, Where: k.c.List("lot_bad").Condition, Columns: []string{"part"}, More: []string{"price"}}} {
		for _, days := range [][2]string{{"", ""}, {"2026-03-31", "2026-04-02"}, {"2026-04-02", "2026-04-02"}, {"2026-04-02", "x"}, {"2026-04-03", "2026-04-05"}} {
			got, more, err := k.Widget(ctx, k.view, query.WidgetRequest{Rows: rows, Key: fmt.Sprint("w", i), Size: 4, From: days[0], To: days[1]})
			text := ""
			if err == nil {
				text = rowsText(got, more)
			}
			k.tell(fmt.Sprint("widget ", i, days), strings.ReplaceAll(text, "\n", ";"), err)
		}
	}
	for version := range int64(6) {
		form, err := k.FormLoad(ctx, k.view, query.FormRequest{SchemaCode: "lot", ObjectID: id("a"), Moment: &record.Moment{Version: &version}})
		if err != nil {
			k.tell(fmt.Sprint("version ", version), nil, err)
			continue
		}
		k.tell(fmt.Sprint("version ", version), fmt.Sprint(string(form.Data), form.Name, form.Actions), nil)
	}
	found, err := k.FieldOptions(ctx, k.view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: "contract", Keyword: strings.Repeat("x", 300)})
	k.tell("choices by a long word", found, err)
	found, err = k.FieldOptions(ctx, k.view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: "contract", IDs: []string{id("open"), id("secret"), "no id"}})
	k.tell("choices by id", found, err)
}
