package query_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestAnswers compares whole answers with testdata/answers.txtar; both databases give the same. -update rewrites the file.
func TestAnswers(t *testing.T) {
	const file = "testdata/answers.txtar"
	c := catalogOf(t, "testdata/world.txtar")
	var got *txtar.Archive
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		w.fill(true)
		one, both := w.rights("clerk", "clerk"), w.rights("clerk", "clerk", "boss")
		a := &txtar.Archive{Comment: []byte("Answers of runtime/query in the world of world.txtar, for a clerk and for a clerk who is boss too.\n")}
		add := func(name string, data any, err error) {
			must(t, err)
			raw, ok := data.([]byte)
			if !ok {
				raw, err = json.Marshal(data)
				must(t, err)
			}
			var out bytes.Buffer
			must(t, json.Indent(&out, raw, "", " "))
			out.WriteByte('\n')
			a.Files = append(a.Files, txtar.File{Name: name, Data: out.Bytes()})
		}
		page := query.ListRequest{SchemaCode: "lot", Size: number(2)}
		data, err := w.List(t.Context(), one, page)
		add("clerk/list.json", data, err)
		data, err = w.List(t.Context(), both, page)
		add("both/list.json", data, err)
		config, err := w.Config(one, "lot", "")
		add("clerk/config.json", config, err)
		form, err := w.FormLoad(t.Context(), one, query.FormRequest{SchemaCode: "lot", ObjectID: id("a")})
		add("clerk/form.json", form, err)
		form, err = w.FormLoad(t.Context(), both, query.FormRequest{SchemaCode: "lot"})
		add("both/new.json", form, err)
		menu, err := w.Menu(one, "world", false)
		add("clerk/menu.json", menu, err)
		rules, err := w.DataRules(one, "lot")
		add("clerk/rules.json", rules, err)
		rows, err := w.SheetRows(t.Context(), one, query.SheetRequest{SchemaCode: "lot", ObjectID: id("a"), PropertyCode: "items", Size: 1})
		add("clerk/rows.json", rows, err)
		if got != nil && !bytes.Equal(txtar.Format(got), txtar.Format(a)) {
			t.Error("the databases answer differently")
		}
		got = a
	})
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
