package query_test

import (
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestRowDefaults: a form says what new rows of its sub-tables begin with, and nothing of fields that the caller may not read.
func TestRowDefaults(t *testing.T) {
	c := catalogOf(t, "testdata/defaults.txtar")
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, c, o)
		form, err := w.FormLoad(t.Context(), w.rights("clerk", "clerk"), query.FormRequest{SchemaCode: "order"})
		must(t, err)
		var got []string
		for _, child := range form.Form.Fields[1].Children {
			got = append(got, child.PropertyCode+" "+string(child.DefaultValue)+string(child.DefaultRule))
		}
		want := []string{"item ", `qty "1"`, `unit "BOX"`, `day "2026-11-21"`,
			`tax {"op":"field","kind":"number","column":"rate","outer":true}`, "price "}
		if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
			t.Errorf("got\n%s\nwant\n%s", a, b)
		}
	})
}
