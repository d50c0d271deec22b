package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	packs "github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestTakes compares what exports, prints, copies, changes of many records, imports and packs are given of a few records with
// testdata/takes.golden, for people who see all of it, a part of it, or may not take it. -update rewrites the file.
func TestTakes(t *testing.T) {
	const file = "testdata/takes.golden"
	c := catalogOf(t, "testdata/takes.txtar")
	w := newWorld(t, c, store.Options{Dir: t.TempDir(), System: workflow.Tables()})
	w.organise()
	w.takes()
	got := &txtar.Archive{Comment: []byte("What runtime/query gives of the records of takes.txtar, by role.\n")}
	for _, role := range []string{"keeper", "part", "looker", "nobody"} {
		var out strings.Builder
		take := taker{w, w.rights("clerk", role), func(name string, answer any, err error) {
			if err != nil {
				if fault.Of(err) == fault.Internal {
					t.Errorf("%s: %v", name, err)
				}
				fmt.Fprintf(&out, "%s: refused %d\n", name, fault.Of(err))
				return
			}
			text, is := answer.(string)
			if !is {
				raw, err := json.Marshal(answer)
				must(t, err)
				text = string(raw)
			}
			fmt.Fprintf(&out, "%s: %s\n", name, text)
		}}
		take.lists()
		take.records(t.Context())
		must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			take.inside(tx)
			take.rows(tx)
			return nil
		}))
		got.Files = append(got.Files, txtar.File{Name: role, Data: []byte(out.String())})
	}
	if *update {
		must(t, os.WriteFile(file, txtar.Format(got), 0o600))
		return
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if text := txtar.Format(got); !bytes.Equal(text, want) {
		t.Error(difference(string(want), string(text)))
	}
}

func (w *world) takes() {
	var files []blob.File
	for _, name := range []string{"1 photo", "2 scan"} {
		files = append(files, blob.File{ID: id(name), Name: name, Mime: "image/png", Held: true, Model: "lot", Field: "photos"})
	}
	must(w.t, w.db.Write(w.t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&files).Error }))
	w.put("contract", map[string]values{"open": {"title": "open", "budget": 7}, "secret": {"title": "secret", "budget": 9}})
	w.put("lot", map[string]values{
		"a": {"part": "A", "number": "N1", "price": 5, "double": 10, "checked": true, "day": "2026-11-20", "result": "OK", "photos": []string{id("1 photo")}, "contract": "open", "others": []string{"open", "secret"},
			"items": []values{{"item": "one", "rate": 2, "much": 20, "scans": []string{id("2 scan")}, "source": "secret"}, {"item": "two", "source": "open"}}},
		"c": {"part": "C", "number": "N3", "price": 7, "double": 14, "checked": true, "result": "BAD", "contract": "secret"}})
	w.put("lot", map[string]values{
		"b": {"part": "B", "number": "N2", "price": 6, "double": 12, "checked": false, "result": "OK", "parent": "a", "contract": "secret", "others": []string{"secret"}, "items": []values{{"item": "three", "rate": 4, "much": 40}}},
		"d": {"part": "A", "number": "N4", "result": "OK", "checked": true, "parent": "c"}})
}

// taker takes with a view and tells what it was given.
type taker struct {
	*world
	view *authz.View
	tell func(name string, answer any, err error)
}

// words writes rows of a list with all columns and rows of sub-tables.
func words(p *query.Rows) string {
	var out []string
	for i := range p.Len() {
		line := p.ID(i)[:2]
		for k, c := range p.Columns() {
			line += fmt.Sprintf(" %s=%s", c.Code, p.Text(i, k))
		}
		for k, s := range p.Sheets() {
			for n := range p.Inner(i, k) {
				line += " ["
				for x, c := range s.Columns {
					line += fmt.Sprintf(" %s=%v", c.Code, p.InnerValue(i, k, n, x))
				}
				line += "]"
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func (k taker) lists() {
	ctx := k.t.Context()
	for _, action := range []string{"export", "print", "delete"} {
		for _, list := range []string{"lot", "bare", "nothing"} {
			fields, err := k.ExtractFields(k.view, "lot", list, action)
			k.tell("fields of "+list+" to "+action, fields, err)
		}
	}
	for _, name := range []string{"its own", "chosen"} {
		req := query.ListRequest{SchemaCode: "lot", QueryCode: "lot"}
		if name == "chosen" {
			req.Options = &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: []string{"number", "items.rate", "items", "contract.budget", "photos"}}
			req.Page, req.Size = 3, number(1) // all rows come, whatever the page
		}
		columns, sheets, err := k.ExtractColumns(ctx, k.view, req, "export")
		told := ""
		for _, c := range columns {
			told += " " + c.Code
		}
		for _, s := range sheets {
			told += " ["
			for _, c := range s.Columns {
				told += " " + c.Code
			}
			told += "]"
		}
		k.tell("columns, "+name, told, err)
		for _, action := range []string{"export", "qr_code"} {
			var all []string
			err = k.Extract(ctx, k.view, req, action, func(p *query.Rows) bool { all = append(all, words(p)); return true })
			k.tell("rows to "+action+", "+name, strings.Join(all, "; "), err)
			n, err := k.ExtractCount(ctx, k.view, req, action)
			k.tell("number to "+action+", "+name, n, err)
		}
	}
	for _, list := range []string{"lot", "bare"} {
		fields, err := k.BulkFields(k.view, "lot", list)
		k.tell("fields of many in "+list, fields, err)
	}
	m := k.view.Model("lot")
	var bulk, shown []string
	for _, code := range []string{"part", "number", "price", "double", "day", "items", "items.item", "items.rate", "items.much", "contract", "contract.title", "owner", "nothing", "items.source.title"} {
		if to, err := k.BulkTarget(k.view, m, code); err == nil {
			bulk = append(bulk, to.Code())
		}
		if to, ok := k.Shown(k.view, m, code); ok {
			shown = append(shown, to.Code())
		}
	}
	k.tell("changed in many", bulk, nil)
	k.tell("shown everywhere", shown, nil)
	for _, word := range []string{"", "a", "A", "open", strings.Repeat("x", 300)} {
		found, err := k.Pick(ctx, k.view, "lot", word, 3)
		k.tell(fmt.Sprintf("picked by %.5s", word), found, err)
	}
	for _, code := range []string{"part", "photos", "result", "contract", "others", "items.source", "owner", "ownerDeptId", "parent", "contract.title", "nothing"} {
		for _, kind := range []string{"", "user", "department", "other"} {
			found, err := k.FieldOptions(ctx, k.view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: code, Kind: kind, Size: 2})
			k.tell("choices of "+code+" of kind "+kind, found, err)
		}
		found, err := k.FieldOptions(ctx, k.view, query.OptionsRequest{SchemaCode: "lot", PropertyCode: code, Keyword: "o", Page: 1, Size: 1})
		k.tell("second choice by o of "+code, found, err)
	}
	for _, list := range []string{"lot", "plan"} {
		config, err := k.Config(k.view, "lot", list)
		if err != nil {
			k.tell("bars of "+list, nil, err)
		} else {
			k.tell("bars of "+list, config.Presentation.Gantt, nil)
		}
	}
	for _, list := range []string{"lot", "bare"} {
		_, err := query.Offers(k.view, "lot", list, "export")
		k.tell("offers of "+list, "", err)
	}
}

func (k taker) records(ctx context.Context) {
	for _, of := range []string{"a", "b", "c", "none"} {
		form, err := k.FormLoad(ctx, k.view, query.FormRequest{SchemaCode: "lot", CopyFrom: id(of)})
		if err != nil {
			k.tell("copy of "+of, nil, err)
			continue
		}
		k.tell("copy of "+of, form.Data, nil)
	}
	for _, begun := range []query.FormRequest{{RelPropertyCode: "contract", RelID: id("open")}, {RelPropertyCode: "contract", RelID: id("secret")}, {RelPropertyCode: "others", RelID: id("open")}, {RelPropertyCode: "nothing", RelID: id("open")},
		{RelSchemaCode: "contract", RelID: id("open")}, {RelSchemaCode: "lot", RelID: id("a")}, {RelSchemaCode: "user", RelID: id("boss")}, {RelSchemaCode: "contract"}} {
		begun.SchemaCode = "lot"
		form, err := k.FormLoad(ctx, k.view, begun)
		name := fmt.Sprintf("begun by %q of %q at %.2s", begun.RelPropertyCode, begun.RelSchemaCode, begun.RelID)
		if err != nil {
			k.tell(name, nil, err)
			continue
		}
		k.tell(name, form.Data, nil)
	}
	none, first := "", query.ListRequest{SchemaCode: "lot", QueryCode: "lot", Size: number(2)}
	page, err := k.List(ctx, k.view, first)
	k.tell("page", string(page), err)
	first.Cursor = &none // asks for the first page as well
	same, err := k.List(ctx, k.view, first)
	k.tell("page of no cursor", bytes.Equal(page, same), err)
	for name, ids := range [][]string{nil, {id("b"), id("a")}, {id("d"), id("c"), id("b"), id("a"), id("none")}, make([]string, query.MaxPrinted+1)} {
		for _, seen := range []bool{false, true} {
			var printed []query.Printed
			err := k.Print(ctx, k.view, query.PrintRequest{SchemaCode: "lot", QueryCode: "lot", ObjectIDs: ids, Seen: seen}, func(_ *store.Tx, records []query.Printed) error { printed = records; return nil })
			k.tell(fmt.Sprintf("print %d, seen %t", name, seen), printed, err)
		}
	}
}

func (k taker) inside(tx *store.Tx) {
	ctx, m := k.t.Context(), k.view.Model("lot")
	for _, of := range []string{"a", "c", "none"} {
		r, err := k.Record(ctx, tx, k.view, "lot", id(of))
		k.tell("record "+of, r, err)
		held, err := k.Holds(ctx, tx, k.view, m, []string{id(of)}, append(slices.Clone(m.Fields), m.Field("items").Sheet.Fields...))
		k.tell("held by "+of, heldText(held[id(of)]), err)
		held, err = k.Holds(ctx, tx, k.view, m, []string{id(of)}, []*catalog.Field{m.Field("items")})
		k.tell("rows of "+of, heldText(held[id(of)]), err)
	}
	for _, text := range []string{`{"part": "A"}`, `{"part": null}`, `{"price": "5"}`, `{"result": "OK", "checked": true}`, `{"contract": "` + id("open") + `"}`, `{"nothing": 1}`, `{}`} {
		var equal map[string]json.RawMessage
		must(k.t, json.Unmarshal([]byte(text), &equal))
		for _, limit := range []int{1, 10, -1, 1 << 30} {
			ids, err := k.Find(ctx, tx, k.view, "lot", equal, limit)
			k.tell(fmt.Sprintf("find %d of %s", limit, text), ids, err)
		}
	}
	fields := query.MatchFields(k.view, m, m.Field("part"))
	codes := ""
	for _, f := range fields {
		codes += " " + f.Code
	}
	k.tell("match by", codes, nil)
	for _, texts := range [][]string{nil, {"A"}, {"N2", "a", "B", "c"}} {
		found, err := k.Match(ctx, tx, k.view, m, fields, texts)
		k.tell(fmt.Sprint("match ", texts), found, err)
	}
	found, err := k.Versions(ctx, tx, k.view, m, []string{id("a"), id("c"), "no id", id("none")})
	k.tell("versions", found, err)
	for _, labels := range []bool{false, true} {
		papers, err := k.Paper(ctx, tx, k.view, query.PaperRequest{PrintRequest: query.PrintRequest{SchemaCode: "lot", QueryCode: "lot", ObjectIDs: []string{id("d"), id("b"), id("a"), id("c")}},
			Columns: []string{"contract.title", "contract.budget", "price"}, Labels: labels})
		told := ""
		for _, p := range papers {
			told += fmt.Sprintf(" %s: %s, %s, %s, %s", p.ID[:2], p.Text("part", ""), p.Text("contract.title", ""), p.Text("contract.budget", ""), p.Text("price", ""))
			for _, row := range p.Rows("items") {
				told += fmt.Sprintf(" [%s %v %s]", row.Text("item", ""), row.Value("rate"), row.Text("source", ""))
			}
		}
		k.tell(fmt.Sprintf("paper, labels %t", labels), told, err)
	}
}

func heldText(h *query.Held) any {
	if h == nil {
		return "nothing"
	}
	text := func(values map[*catalog.Field]any) string {
		var parts []string
		for f, v := range values {
			parts = append(parts, fmt.Sprintf("%s=%v", f.Code, v))
		}
		slices.Sort(parts)
		return strings.Join(parts, " ")
	}
	out := text(h.Values)
	for f, rows := range h.Rows {
		for _, r := range rows {
			out += fmt.Sprintf("; %s %s", f.Code, text(r.Values))
		}
	}
	return out
}

// rows reads queries as packs declare them.
func (k taker) rows(tx *store.Tx) {
	m := k.view.Model("lot")
	path := func(code string) catalog.Path {
		p, at := catalog.Path{Code: code}, m
		words := strings.Split(code, ".")
		for i, word := range words {
			f := at.Field(word)
			if i == len(words)-1 {
				p.Field = f
			} else {
				p.Steps, at = append(p.Steps, f), f.Target
			}
		}
		return p
	}
	paths := func(codes ...string) (out []catalog.Path) {
		for _, c := range codes {
			out = append(out, path(c))
		}
		return out
	}
	column := func(code string) plan.Expr { return m.Field(code).Column() }
	inRow := func(code string) catalog.Path {
		return catalog.Path{Code: code, Field: m.Field("items").Sheet.Field(code)}
	}
	price := path("price")
	argument := func(kind plan.Kind) plan.Expr { return &plan.Var{Name: "args.x", K: kind} }
	for _, try := range []struct {
		name string
		q    catalog.Query
		args packs.Args
	}{
		{"all of them", catalog.Query{Model: m, Columns: paths("part", "price", "contract.title", "contract.budget", "others", "checked"), Order: []catalog.ListOrder{{Path: path("part")}, {Path: path("number"), Descending: true}}}, nil},
		{"by what part does not see", catalog.Query{Model: m, Columns: paths("part"), Order: []catalog.ListOrder{{Path: path("price"), Descending: true}}}, nil},
		{"some", catalog.Query{Model: m, Columns: paths("number"), Where: &plan.Compare{Op: plan.EQ, A: column("part"), B: argument(plan.Text)}, Args: map[string]plan.Kind{"x": plan.Text}}, packs.Args{"x": "A"}},
		{"of no argument", catalog.Query{Model: m, Columns: paths("number"), Where: &plan.IsNull{X: argument(plan.Text)}, Args: map[string]plan.Kind{"x": plan.Text}}, nil},
		{"of an empty argument", catalog.Query{Model: m, Columns: paths("number"), Where: &plan.IsNull{X: argument(plan.Text)}, Args: map[string]plan.Kind{"x": plan.Text}}, packs.Args{"x": ""}},
		{"of an empty set", catalog.Query{Model: m, Columns: paths("number"), Where: &plan.IsNull{X: argument(plan.Set)}, Args: map[string]plan.Kind{"x": plan.Set}}, packs.Args{"x": []string{}}},
		{"of another argument", catalog.Query{Model: m, Columns: paths("number"), Args: map[string]plan.Kind{"x": plan.Text}}, packs.Args{"y": "A"}},
		{"of another kind", catalog.Query{Model: m, Columns: paths("number"), Args: map[string]plan.Kind{"x": plan.Number}}, packs.Args{"x": "A"}},
		{"their number", catalog.Query{Model: m, Figures: []catalog.Figure{{As: "n", Fn: plan.SumCount}, {As: "sum", Fn: plan.SumSum, Path: &price}}}, nil},
		{"groups", catalog.Query{Model: m, Groups: paths("result", "checked"), Figures: []catalog.Figure{{As: "n", Fn: plan.SumCount}, {As: "top", Fn: plan.SumMaximum, Path: &price}}}, nil},
		{"the tree", catalog.Query{Model: m, Columns: paths("part"), Order: []catalog.ListOrder{{Path: path("number")}}, Tree: true}, nil},
		{"below one", catalog.Query{Model: m, Columns: paths("part"), Tree: true, Below: "x", Args: map[string]plan.Kind{"x": plan.ID}}, packs.Args{"x": id("a")}},
		{"below another", catalog.Query{Model: m, Columns: paths("part"), Tree: true, Below: "x", Args: map[string]plan.Kind{"x": plan.ID}}, packs.Args{"x": id("c")}},
		{"below none", catalog.Query{Model: m, Columns: paths("part"), Tree: true, Below: "x", Args: map[string]plan.Kind{"x": plan.ID}}, packs.Args{"x": id("none")}},
		{"rows of sub-tables", catalog.Query{Model: m.Field("items").Sheet, Columns: []catalog.Path{inRow("item"), inRow("rate"), inRow("source")}, Order: []catalog.ListOrder{{Path: inRow("item"), Descending: true}}}, nil},
	} {
		for most := range 2 {
			var out []string
			err := k.Rows(k.t.Context(), tx, k.view, &try.q, try.args, func(r packs.Row) bool {
				line := fmt.Sprintf("%.2s %.2s %d %v", r.ID, r.Record, len(r.Path), r.Values)
				out = append(out, line)
				return most == 0 // one is enough
			})
			name := fmt.Sprintf("query %s, to the end %t", try.name, most == 0)
			if err != nil && fault.Of(err) == fault.Internal {
				k.tell(name, err.Error(), nil)
			} else {
				k.tell(name, strings.Join(out, "; "), err)
			}
		}
	}
	for kind, v := range map[plan.Kind]any{plan.Date: "2026-01-01", plan.ID: id("a"), plan.Clock: "08:00:00", plan.Number: decimal.NewFromInt(1), plan.Int: int64(1), plan.Instant: now, plan.Bool: true, plan.Set: []string{"a"}, plan.Text: nil} {
		for _, other := range []plan.Kind{kind, plan.Rows} {
			err := k.Rows(k.t.Context(), tx, k.view, &catalog.Query{Model: m, Columns: paths("part"), Args: map[string]plan.Kind{"x": other}}, packs.Args{"x": v}, func(packs.Row) bool { return false })
			if k.view.Can(m, "view") && (err == nil) != (other == kind || v == nil) {
				k.t.Errorf("an argument %v as %s: %v", v, other, err)
			}
		}
	}
}

// TestScripts: who may open a list or form is given its script, and its style, under its digest.
func TestScripts(t *testing.T) {
	c := compileFile(t, "testdata/takes.txtar", zone)
	file := func(name string) *catalog.File { return &catalog.File{Digest: name, Text: "text of " + name} }
	for _, l := range c.Lists {
		if l.Code == "lot" {
			l.Presentation.Script, l.Presentation.Style = file("list"), file("style")
		}
	}
	for _, f := range c.Forms {
		if f.Model.Code == "lot" {
			f.Script = file("form")
		}
	}
	policy, err := authz.Compile(c)
	must(t, err)
	w := &world{t: t, c: c, policy: policy}
	var r query.Reader
	for _, try := range []struct {
		role, digest string
		script       bool
		want         string
	}{
		{"keeper", "list", true, "text of list"}, {"keeper", "form", true, "text of form"}, {"looker", "list", true, "text of list"}, {"keeper", "style", true, ""}, {"keeper", "other", true, ""},
		{"nobody", "list", true, ""}, {"nobody", "form", true, ""}, {"keeper", "style", false, "text of style"}, {"keeper", "list", false, ""}, {"nobody", "style", false, ""},
	} {
		get := r.Style
		if try.script {
			get = r.Script
		}
		got, err := get(w.rights("clerk", try.role), try.digest)
		if got != try.want || (err != nil) != (try.want == "") {
			t.Errorf("%s is given %q of %s: %v", try.role, got, try.digest, err)
		}
	}
}
