package query_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestGives compares what reports, buttons, templates, forms, selections and histories are given of a few records with testdata/gives.golden,
// by role: all, a part of the records and fields, another part, both parts at once, nothing. -update rewrites the file.
func TestGives(t *testing.T) {
	const file = "testdata/gives.golden"
	zone, err := time.LoadLocation("Asia/Shanghai") // databases know it by its name
	must(t, err)
	c := compileFile(t, "testdata/gives.txtar", zone)
	callable(c.List("lot"))
	var got []byte
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = slices.Concat(workflow.Tables(), comment.Tables())
		w := newWorld(t, c, o)
		places := directory.NewPlaces(w.db)
		places.Use(c)
		w.Reader = query.New(w.db, w.people, places, zone, func() time.Time { return now }, []byte("a key of this installation"))
		w.organise()
		w.gives()
		a := &txtar.Archive{Comment: []byte("What runtime/query gives of the records of gives.txtar, by roles.\n")}
		for _, roles := range []string{"keeper", "part", "looker", "part looker", "nobody"} {
			a.Files = append(a.Files, txtar.File{Name: roles, Data: []byte(w.given(roles))})
		}
		if text := txtar.Format(a); got != nil && !bytes.Equal(got, text) {
			t.Error("the databases answer differently: " + difference(string(got), string(text)))
		} else {
			got = text
		}
	})
	if *update {
		must(t, os.WriteFile(file, got, 0o600))
		return
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Error(difference(string(want), string(got)))
	}
}

// given is all that people with some roles are given, a line for each call.
func (w *world) given(roles string) string {
	var out strings.Builder
	take := taker{w, w.rights("clerk", strings.Fields(roles)...), func(name string, answer any, err error) {
		if err != nil {
			if fault.Of(err) == fault.Internal {
				w.t.Errorf("%s, %s: %v", roles, name, err)
			}
			fmt.Fprintf(&out, "%s: refused %d\n", name, fault.Of(err))
			return
		}
		text, is := answer.(string)
		if !is {
			raw, err := json.Marshal(answer)
			must(w.t, err)
			text = string(raw)
		}
		fmt.Fprintf(&out, "%s: %s\n", name, text)
	}}
	w.LetStart(nil)
	take.menus()
	take.figures()
	take.conditions()
	take.saved()
	take.forms(false)
	w.LetStart(func(view *authz.View, code string) bool {
		return code == "approval" || slices.Contains(view.Principal().Roles, "keeper")
	})
	take.forms(true)
	must(w.t, w.db.Read(w.t.Context(), func(tx *store.Tx) error {
		take.buttons(tx)
		take.selections(tx)
		take.papers(tx)
		take.names(tx)
		take.writes(tx)
		return nil
	}))
	return out.String()
}

// callable makes the button "count" one that runs an action of a program, as packs with code have them.
func callable(l *catalog.List) {
	for i := range l.Actions {
		if a := &l.Actions[i]; a.Code == "count" {
			a.Association, a.Call = 3, &catalog.Route{}
			a.Attributes = map[string]any{"icon": "sum", "input": map[string]any{"fixed": 7, "part": "", "over": "list"}}
			a.Input = map[string]*catalog.Template{"part": {Parts: []catalog.TemplatePart{{Text: "of "}, {Path: &catalog.Path{Code: "part", Field: l.Model.Field("part")}}}}}
		}
	}
}

func (w *world) gives() {
	var files []blob.File
	for name, by := range map[string]string{"1 photo": "clerk", "2 scan": "boss", "3 photo": "boss"} {
		files = append(files, blob.File{ID: id(name), Name: name, Mime: "image/png", Size: 9, CreatedBy: id(by), Held: true, Model: "lot", Field: "photos"})
	}
	must(w.t, w.db.Write(w.t.Context(), func(tx *store.Tx) error { return tx.System().Create(&files).Error }))
	w.put("division", map[string]values{"11": {"code": "11", "name": "北京市", "nameEn": "Beijing"}, "1101": {"code": "1101", "name": "市辖区"}, "110101": {"code": "110101", "name": "东城区", "nameEn": "Dongcheng"},
		"12": {"code": "12", "name": "天津市", "nameEn": "Tianjin"}})
	w.put("contract", map[string]values{"open": {"title": "open", "budget": 7}, "secret": {"title": "secret", "budget": 9}})
	w.put("site", map[string]values{"S1": {"title": "S1"}})
	w.put("site", map[string]values{"S2": {"title": "S2", "above": "S1"}, "T2": {"title": "T2", "above": "S1", "secret": true}})
	w.put("site", map[string]values{"S3": {"title": "S3", "above": "S2"}, "T3": {"title": "T3", "above": "T2"}})
	w.put("site", map[string]values{"S4": {"title": "S4", "above": "S3"}})
	at := func(text string) time.Time {
		moment, err := time.Parse(time.DateTime, text)
		must(w.t, err)
		return moment
	}
	w.put("lot", map[string]values{
		"a": {"part": "A / 1", "price": 5, "twice": 10, "total": 6, "many": false, "ok": true, "day": "2026-03-31", "at": at("2026-03-31 15:30:00"), "clock": "08:30:00", "result": "OK", "tags": []string{"a", "b"}, "person": "clerk", "unit": "branch",
			"mixed": []string{id("boss"), id("head")}, "place": "110101", "place__detail": "9", "photos": []string{id("1 photo")}, "site": "S4", "contract": "open", "others": []string{"open", "secret"},
			"items": []values{{"item": "one", "rate": 2, "much": 10, "source": "secret"}, {"item": "two", "rate": 4, "much": 20, "source": "open", "scans": []string{id("2 scan")}}}},
		"b": {"part": "B", "price": 3, "twice": 6, "total": 9, "many": true, "ok": false, "day": "2026-04-01", "at": at("2026-03-31 16:00:00"), "result": "OK", "tags": []string{"b"}, "person": "boss", "place": "1101", "photos": []string{id("1 photo")},
			"site": "S3", "contract": "secret", "others": []string{"secret"}, "items": []values{{"item": "one", "rate": 9, "much": 27, "source": "open", "at": "S4"}}},
		"c": {"part": "C", "price": 2, "ok": true, "day": "2026-12-31", "at": at("2026-12-31 16:00:00"), "result": "BAD", "person": "boss", "mixed": []string{id("gone")}, "place": "12", "photos": []string{id("3 photo")}, "site": "T3", "contract": "open",
			"items": []values{{"item": "three", "rate": 1, "source": "secret", "at": "T3"}}},
		"d": {"part": "..", "result": "OK", "ok": true, "sequenceStatus": "PROCESSING", "workflowInstanceId": id("w"), "site": "T3"},
		"e": {"part": "\"\\\n\t\r\x01\u2028\u2029<é中>", "price": 5, "ok": true, "day": "2027-01-01", "at": at("2026-03-31 15:45:00"), "result": "BAD", "contract": "secret", "site": "S2", "place": "110101"},
		"f": {"part": "F", "price": -1, "result": "OK", "ok": true, "site": "S1", "place": "11", "day": "2026-03-30"},
		"z": {"part": "Z", "price": 8, "result": "OK", "ok": true, "items": []values{{"item": "z", "rate": 3}}}})
	said := w.c.Model("lot").Field("said")
	must(w.t, w.db.Write(w.t.Context(), func(tx *store.Tx) error {
		for i, o := range []property.Opinion{{Node: plan.Label{Zh: "审"}, User: id("boss"), Result: "AGREE", Text: "fine", Time: now}, {Node: plan.Label{Zh: "批"}, User: id("clerk"), Text: "well", Time: now.Add(time.Hour)}} {
			row := values{"id": id(fmt.Sprint(i, "said")), "parentId": id("a"), "sortKey": int64(i)}
			for k, cell := range said.Property.(property.OpinionKeeper).Keep(o) {
				row[said.Sheet.Own[k].Name] = cell
			}
			if err := tx.Insert(w.t.Context(), said.Sheet, row); err != nil {
				return err
			}
		}
		if err := tx.System().Table(catalog.CommentsTable).Create(map[string]any{"id": id("1 comment"), "model": "lot", "record": id("b"), "author": id("clerk"), "text": "hm", "mentions": "[]", "reply_to": "", "revision": 1, "created_at": now,
			"deleted": false, "request": ""}).Error; err != nil {
			return err
		}
		if err := tx.System().Table(catalog.InstancesTable).Create(map[string]any{"id": id("w"), "code": "approval", "version": 1, "model": "lot", "record": id("d"), "name": "d", "search": "d", "initiator": id("clerk"), "status": "RUNNING", "result": "",
			"started": now, "events": 1, "parent": "", "parent_activity": 0, "parent_number": 0, "state": []byte("{}")}).Error; err != nil {
			return err
		}
		if err := tx.System().Table(catalog.TasksTable).Create(map[string]any{"id": id("1 task"), "instance": id("w"), "number": 1, "code": "approval", "node": "start", "person": id("clerk"), "list": "unfinished", "type": "", "state": "", "result": "",
			"delegate_from": "", "opinion": "", "urged": 0}).Error; err != nil {
			return err
		}
		return tx.System().Create(w.written()).Error
	}))
}

// written are writes of the lots: of fields, of rows, for a reason, and by nobody whom the directory knows.
func (w *world) written() []record.History {
	one := func(code, before, after string) record.FieldChange {
		side := func(s string) []json.RawMessage {
			if s == "" {
				return nil
			}
			return []json.RawMessage{json.RawMessage(s)}
		}
		return record.FieldChange{Code: code, Before: side(before), After: side(after)}
	}
	text := func(c record.Changes) string {
		raw, err := json.Marshal(c)
		must(w.t, err)
		return string(raw)
	}
	first, second := id("A0a"), id("B1a")
	return []record.History{
		{ID: id("1"), Model: "lot", Record: id("a"), Version: 1, Kind: record.Created, UserID: id("boss"), Name: "李娜", Dept: id("head"), At: now, Changes: "{}"},
		{ID: id("2"), Model: "lot", Record: id("a"), Version: 2, Kind: record.Updated, UserID: id("clerk"), Name: "张伟", At: now.Add(time.Second), Changes: text(record.Changes{Remark: "why", Reason: "other",
			Fields: []record.FieldChange{one("price", `"4.00"`, `"5.00"`), one("contract", `"`+id("secret")+`"`, `"`+id("open")+`"`), one("nothing", `1`, `2`)},
			Rows: []record.RowChange{{Sheet: "items", ID: first, Kind: record.Updated, Was: 1, Place: 1, Changes: []record.FieldChange{one("rate", `"1.00"`, `"2.00"`), one("source", "", `"`+id("secret")+`"`)}},
				{Sheet: "items", ID: second, Kind: record.Updated, Was: 2, Place: 2, Changes: []record.FieldChange{one("rate", `"9.00"`, `"4.00"`)}},
				{Sheet: "items", ID: id("gone"), Kind: record.Deleted, Was: 3, Changes: []record.FieldChange{one("item", `"three"`, "")}}, {Sheet: "nothing", ID: id("x"), Kind: record.Created}}})},
		{ID: id("3"), Model: "lot", Record: id("a"), Version: 3, Kind: record.Updated, UserID: id("clerk"), Name: "张伟", At: now.Add(2 * time.Second), Changes: text(record.Changes{Reason: "machine",
			Rows: []record.RowChange{{Sheet: "items", ID: second, Kind: record.Updated, Was: 2, Place: 1}, {Sheet: "items", ID: first, Kind: record.Updated, Was: 1, Place: 2}}})},
		{ID: id("4"), Model: "lot", Record: id("a"), Version: 4, Kind: record.Updated, UserID: id("clerk"), Name: "张伟", At: now.Add(3 * time.Second), Changes: text(record.Changes{
			Rows: []record.RowChange{{Sheet: "items", ID: second, Kind: record.Created, Place: 2, Changes: []record.FieldChange{one("item", "", `"two"`)}}, {Sheet: "items", ID: first, Kind: record.Updated, Was: 1, Place: 1}}})},
		{ID: id("5"), Model: "lot", Record: id("c"), Version: 2, Kind: record.Updated, UserID: id("gone"), Name: "王芳", At: now, Changes: text(record.Changes{Fields: []record.FieldChange{one("result", `"OK"`, `"BAD"`), one("price", `"3.00"`, `"2.00"`), one("part", `"B"`, `"C"`)}})},
	}
}

func (k taker) menus() {
	k.tell("applications", k.Groups(k.view), nil)
	for _, at := range []string{"world", "world/all", "world/ALL", "world/inner", "world/money", "world/nothing", "nothing", "world/lot"} {
		for _, manages := range []bool{false, true} {
			nodes, err := k.Children(k.view, at, manages)
			var codes func(in []query.MenuNode) string
			codes = func(in []query.MenuNode) (out string) {
				for _, n := range in {
					out += fmt.Sprintf(" %s %d %d", n.ID, n.Published, n.SortKey)
					if n.ModelType != nil {
						out += " " + *n.ModelType
					}
					if len(n.Children) > 0 {
						out += " [" + codes(n.Children) + "]"
					}
				}
				return out
			}
			k.tell(fmt.Sprintf("menu of %s, manages %t", at, manages), codes(nodes), err)
		}
	}
	for _, model := range []string{"lot", "site", "contract", "nothing"} {
		all, who := query.SeesAll(k.view, model)
		placed, err := k.Forest(k.t.Context(), k.view, model, 4)
		k.tell(fmt.Sprintf("tree of %s, all %t, who %t", model, all, who), fmt.Sprint(placed), err)
		seen, err := k.Seen(k.t.Context(), k.view, model, []string{id("a"), id("c"), id("S1"), id("T2"), id("open"), id("secret"), "no id"})
		k.tell("seen of "+model, seen, err)
		seen, err = k.Seen(k.t.Context(), k.view, model, nil)
		k.tell("seen of none of "+model, seen, err)
		for _, code := range []string{"photos", "items", "items.scans", "part", "site.above", "contract.title", "nothing"} {
			limits, err := k.TakesFiles(k.view, model, code)
			k.tell("files into "+model+"."+code, limits, err)
		}
	}
	for _, code := range []string{"", "11", "1101", "12", "99"} {
		k.tell("divisions of "+code, k.Divisions(code), nil)
	}
	for _, word := range []string{"东城", "bei", ""} {
		k.tell("divisions by "+word, k.FindDivisions(word, 3), nil)
	}
}

// figures are the data sets of the report, under filters, and these in words.
func (k taker) figures() {
	ctx, r := k.t.Context(), k.c.Report("figures")
	for _, set := range r.Sets {
		for _, in := range [][]query.Filter{nil, {filter("part", "Contains", "A")}, {filter("items.rate", "GreaterThan", "3")}, {filter("items.rate", "GreaterThan", "3"), filter("contract", "Equal", id("open"))}} {
			if len(in) > 0 && set.Code != "rows" && set.Code != "level1" {
				continue
			}
			rows, ok, err := k.DataSet(ctx, k.view, set, in)
			var lines []string
			for _, row := range rows {
				line := ""
				for _, g := range row.Groups {
					line += fmt.Sprintf(" %q %q", g.Value, g.Text)
				}
				lines = append(lines, line+fmt.Sprint(" ", row.Figures, row.Counts, row.Sums))
			}
			if len(set.Groups) > 0 {
				slices.Sort(lines)
			}
			k.tell(fmt.Sprintf("figures %s by %d filters, all %t", set.Code, len(in), ok), strings.Join(lines, ";"), err)
		}
	}
	var narrowed []query.Narrowed
	for _, set := range []query.Filter{filter("part", "", "A;B"), filter("price", "Between", "5;600"), filter("price", "GreaterThan", "5"), filter("price", "NotBetween", "1;2"), filter("price", "Between", "5"), filter("price", "LessThan", 5),
		filter("price", "LessThanOrEqual", "5"), filter("price", "GreaterThanOrEqual", "5"), filter("price", "Equal", "word"), filter("day", "", "2026-01-01;2026-02-01"), filter("day", "Equal", "2026-01-01"), filter("day", "", "today"),
		filter("result", "", "OK;BAD"), filter("result", "NotIn", "OK"), filter("result", "IsNull", nil), filter("result", "IsNotNull", nil), filter("contract", "", id("open")), filter("contract", "", id("secret")+";"+id("open")),
		filter("contract", "", "no id"), filter("person", "", id("boss")), filter("person", "", []string{id("clerk"), id("gone")}), filter("budget", "Equal", "7"), filter("part", "NotContains", "x"), filter("part", "Equal", strings.Repeat("w;", 30)+"w")} {
		for _, of := range r.Filters {
			if of.Code == set.PropertyCode {
				narrowed = append(narrowed, query.Narrowed{Of: of, Set: set})
			}
		}
	}
	texts, err := k.FilterTexts(ctx, k.view, narrowed)
	k.tell("filters in words", texts, err)
	zh := k.policy.View(withLocale(k.view, "zh"), now, zone)
	texts, err = k.FilterTexts(ctx, zh, narrowed)
	k.tell("filters in Chinese words", texts, err)
	for _, step := range []string{"year", "quarter", "month", "week", "day"} {
		k.tell("steps "+step, fmt.Sprint(query.StepText("2026-10-05", step, "en"), " ", query.StepText("2026-03-01", step, "zh"), " ", query.StepText("", step, "en")), nil)
	}
}

// conditions are lists whose conditions ask for what the reader may not see, and lists behind figures.
func (k taker) conditions() {
	ids := func(name string, req query.ListRequest) {
		data, err := k.List(k.t.Context(), k.view, req)
		var page struct {
			Content       []struct{ ID string }
			TotalElements int
		}
		if err == nil {
			must(k.t, json.Unmarshal(data, &page))
		}
		var out []string
		for _, row := range page.Content {
			out = append(out, row.ID[:2])
		}
		slices.Sort(out)
		k.tell(name, fmt.Sprint(out, page.TotalElements), err)
	}
	for _, l := range k.c.Lists {
		if l.Model.Code == "lot" {
			ids("list "+l.Code, query.ListRequest{SchemaCode: "lot", QueryCode: l.Code})
		}
	}
	data, err := k.List(k.t.Context(), k.view, query.ListRequest{SchemaCode: "lot"})
	k.tell("page", string(data), err)
	for _, of := range []string{"figures/lots", "figures/lots/n", "figures/lots/good", "figures/lots/rich", "figures/lots/share", "figures/lots/goodPrice", "figures/lots/nothing", "figures/rows", "figures/rows/n", "figures/nothing", "nothing/lots",
		"figures", "figures/lots/n/n", "figures/contracts"} {
		ids("behind "+of, query.ListRequest{SchemaCode: "lot", Filters: []query.Filter{{Behind: of}}})
	}
	for _, in := range []query.Filter{{}, {And: []query.Filter{}, Or: []query.Filter{}}, {PropertyCode: "part", Behind: "figures/lots"}, {Or: []query.Filter{filter("part", "Equal", "B"), {Behind: "figures/lots/good"}}}, {And: []query.Filter{filter("ok", "", true), filter("price", "Equal", "5")}},
		filter("items.item", "Equal", "one"), filter("items", "IsNull", nil), filter("said", "IsNull", nil), filter("photos", "IsNotNull", nil), filter("mixed", "Equal", id("boss")), filter("person", "Equal", id("boss"))} {
		raw, err := json.Marshal(in)
		must(k.t, err)
		ids("filtered "+string(raw), query.ListRequest{SchemaCode: "lot", Filters: []query.Filter{in}})
	}
}

// saved are stored filters of every shape of operand.
func (k taker) saved() {
	l, err := k.ListOf(k.view, "lot", "")
	if err != nil {
		k.tell("stored filters", nil, err)
		return
	}
	stored := [][]query.Filter{{}}
	for _, f := range []query.Filter{filter("part", "Contains", "A"), filter("price", "Between", "5;6"), filter("contract", "In", id("open")+";"+id("secret")), filter("contract", "Equal", id("secret")), filter("contract", "In", []string{id("open"), "no id"}), filter("contract", "IsNull", nil),
		filter("contract.title", "Contains", "o"), filter("others", "In", []string{id("open")}), filter("person", "Equal", id("boss")), filter("mixed", "In", []string{id("boss"), id("head")}), filter("unit", "Of", id("head")), filter("mixed", "Of", id("head")),
		filter("photos", "Contains", "photo"), filter("result", "In", "OK"), filter("nothing", "Equal", "x"), filter("day", "Between", "today"), filter("contract", "Equal", 7), filter("items.rate", "Equal", "1")} {
		f.PropertyValueName = json.RawMessage(`"as it was called"`)
		stored = append(stored, []query.Filter{f})
	}
	stored = append(stored, []query.Filter{{Or: []query.Filter{filter("part", "Equal", "B"), filter("price", "Equal", "3")}}, filter("contract", "Equal", id("open"))})
	usable, err := k.UsableFilters(k.t.Context(), k.view, l, stored)
	if err != nil {
		k.tell("stored filters", nil, err)
		return
	}
	for i, f := range usable {
		raw, err := json.Marshal(stored[i])
		must(k.t, err)
		k.tell("stored "+string(raw), f, k.CheckFilters(k.t.Context(), k.view, l, nil))
	}
}

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
		case of == "" || of == "a" && !starting:
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
			for _, ids := range [][]string{nil, {id("a")}, {id("b")}, {id("d")}, {id("f")}, {id("z")}, {id("c"), id("a"), id("c")}, many} {
				for _, input := range []map[string]json.RawMessage{nil, {"given": json.RawMessage(`1`), "over": json.RawMessage(`"client"`)}} {
					if len(input) > 0 && code != "count" && code != "add" {
						continue
					}
					name := fmt.Sprintf("button %s of form %q on %d records, input %t", code, sheet, len(ids), len(input) > 0)
					if len(ids) == 1 {
						name += " " + ids[0][:2]
					}
					b, err := k.Button(k.view, query.ActionRequest{SchemaCode: "lot", SheetCode: sheet, ActionCode: code, ObjectIDs: ids, Input: input})
					if err != nil {
						if len(ids) < 2 {
							k.tell(name, nil, err)
						}
						continue
					}
					answer, given, err := b.Prepare(k.t.Context(), tx)
					raw, _ := json.Marshal(answer)
					k.tell(name, fmt.Sprint(string(raw), string(given), len(b.IDs()), b.Call() != nil), err)
				}
			}
		}
	}
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
	must(k.t, k.Within(ctx, func(*store.Tx) error { return nil }))
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
