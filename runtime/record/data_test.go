package record_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestDataOfSeveralModels: rows refer to others by their keys, whatever file, pack or person they come from, in lists and rows of sub-tables too; a row
// that somebody made under the same key is taken for it, and nothing is written twice.
func TestDataOfSeveralModels(t *testing.T) {
	docs := map[string]string{
		"models/alpha.json": `{"name": "甲", "digest": "{code}", "properties": [
			{"code": "code", "propertyType": "ShortText", "name": "编码", "required": true, "unique": true},
			{"code": "to", "propertyType": "RelevanceForm", "name": "到", "relativeCode": "zeta", "required": true},
			{"code": "many", "propertyType": "RelevanceFormEx", "name": "多", "relativeCode": "zeta"},
			{"code": "who", "propertyType": "RelevanceForm", "name": "谁", "relativeCode": "user"}]}`,
		"models/zeta.json": `{"name": "乙", "digest": "{title}", "properties": [
			{"code": "title", "propertyType": "ShortText", "name": "名称", "required": true},
			{"code": "part", "propertyType": "ShortText", "name": "部分"},
			{"code": "left", "propertyType": "ShortText", "name": "旧码", "unique": true}]}`,
		"data/alpha.json":    `{"key": ["code"], "rows": [{"code": "1", "to": "Z", "many": ["Y", "Z"]}, {"code": "2", "to": "Y"}]}`,
		"data/customer.json": `{"key": ["title"], "rows": []}`,
		"data/zeta.json":     `{"key": ["title"], "rows": [{"title": "Y"}, {"title": "Z"}]}`,
	}
	w := newWorldOn(t, with(docs))
	named := func() map[string]string {
		out := map[string]string{}
		for _, row := range w.read("zeta", plan.True, "id", "title") {
			out[row[:36]] = row[39:]
		}
		return out
	}
	links := func() (out []string) {
		titles := named()
		q := &plan.Query{Model: "alpha", Where: plan.True, Order: []plan.Order{{By: &plan.Field{Column: "code", K: plan.Text}}},
			Select: []plan.Expr{&plan.Field{Column: "code", K: plan.Text}, &plan.Field{Column: "to", K: plan.ID}, &plan.Field{Column: "many", K: plan.Set}, &plan.Field{Column: "who", K: plan.ID}}}
		must(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.Query(t.Context(), w.c, q, func(row []any) error {
				to, _ := row[1].(string)
				ids, _ := row[2].([]string)
				many := make([]string, len(ids))
				for i, id := range ids {
					many[i] = titles[id]
				}
				slices.Sort(many)
				out = append(out, fmt.Sprintf("%v: %s %v %t", row[0], titles[to], many, row[3] != nil))
				return nil
			})
		}))
		return out
	}
	same(t, links(), "1: Z [Y Z] false", "2: Y [] false")
	must(t, w.w.LoadData(t.Context(), w.system()))
	same(t, links(), "1: Z [Y Z] false", "2: Y [] false")

	w.save(w.boss, "zeta", "", 0, `{"title": "X", "left": "old"}`)
	y := ""
	for id, title := range named() {
		if title == "Y" {
			y = id
		}
	}
	made := w.save(w.boss, "alpha", "", 0, `{"code": "3", "to": "`+y+`"}`).ID
	for name, text := range documents {
		if _, own := docs[name]; !own {
			docs[name] = text
		}
	}
	docs["data/alpha.json"] = `{"key": ["code"], "rows": [{"code": "1", "to": "Y"}, {"code": "2", "to": "Y"}, {"code": "3", "to": "Z"}, {"code": "4", "to": "old", "who": "boss"}, {"code": "5", "to": "Z", "who": "clerk"}]}`
	w.compile(docs)
	must(t, w.w.LoadData(t.Context(), w.system()))
	same(t, links(), "1: Z [Y Z] false", "2: Y [] false", "3: Y [] false", "4: X [] true", "5: Z [] true")
	same(t, w.read("alpha", id(made), "version"), "1")
	docs["data/alpha.json"] = `{"key": ["code"], "rows": [{"code": "6", "to": "nowhere"}]}`
	w.compile(docs)
	if err := w.w.LoadData(t.Context(), w.system()); err == nil {
		t.Error("a row that refers to nothing was written")
	}
	same(t, w.read("alpha", &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: "code", K: plan.Text}, B: &plan.Const{K: plan.Text, Value: "6"}}, "id"))
}
