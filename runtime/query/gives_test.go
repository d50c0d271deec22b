package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
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
		for _, roles := range []string{"keeper", "part", "looker", "part looker", "rowless", "rowed", "nobody"} {
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
			if fmt.Fprintf(&out, "%s: refused %d", name, fault.Of(err)); fault.Of(err) == fault.Internal {
				fmt.Fprint(&out, " ", err) // of which the reader of the file thinks
			}
			out.WriteByte('\n')
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
	take.rest()
	must(w.t, w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		take.buttons(tx)
		take.selections(tx)
		take.papers(tx)
		take.names(tx)
		take.writes(tx)
		return nil
	}))
	return ids.ReplaceAllString(out.String(), "#$1")
}

// ids are those of the test's records, which begin with the first letters of their names.
var ids = regexp.MustCompile(`([0-9a-f]{8})-0000-7000-8000-[0-9a-f]{12}`)

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
		"figures", "figures/lots/n/n", "figures/contracts", "figures/many/before"} {
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
