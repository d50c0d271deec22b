package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// fill adds a row of an engine's table; what is not said is empty.
func fill(t *testing.T, tx *store.Tx, table string, values map[string]any) {
	t.Helper()
	var cache sync.Map
	for _, model := range (Config{}).store().System {
		s, err := schema.Parse(model, &cache, schema.NamingStrategy{})
		require.NoError(t, err)
		if s.Table != table {
			continue
		}
		row := map[string]any{}
		for _, f := range s.Fields {
			switch {
			case f.DBName == "" || f.FieldType.Kind().String() == "ptr":
			case f.DataType == schema.Bool:
				row[f.DBName] = false
			case f.DataType == schema.Int, f.DataType == schema.Uint, f.DataType == schema.Float:
				row[f.DBName] = 0
			case f.DataType == schema.Time:
				row[f.DBName] = time.Unix(0, 0).UTC()
			case f.DataType == schema.Bytes:
				row[f.DBName] = []byte{}
			default:
				row[f.DBName] = ""
			}
		}
		for k, v := range values {
			row[k] = v
		}
		require.NoError(t, tx.System().Table(table).Create(row).Error)
		return
	}
	require.Fail(t, "no table "+table)
}

// TestNobodyTakesOver: what was left behind by something that is gone does not become that of what is called so later.
func TestNobodyTakesOver(t *testing.T) {
	t.Parallel()
	gone := func(k names.Kind, owner, code string) names.Step { return names.Step{Kind: k, Owner: owner, Old: code} }
	becomes := func(k names.Kind, owner, from, to string) names.Step {
		return names.Step{Kind: k, Owner: owner, Old: from, New: to}
	}
	type row map[string]any
	for _, c := range []struct {
		name, table string
		rows        []row
		steps       []names.Step
		column      string
		want        []string // in the order of the rows
	}{
		{"batches of a property that goes as another takes its code", "sl_batch", []row{{"model": "m", "property": "a"}, {"model": "m", "property": "b"}},
			[]names.Step{gone(names.Property, "m", "a"), becomes(names.Property, "m", "b", "a")}, "property", []string{"a~7", "a"}},
		{"batches of a property that went before", "sl_batch", []row{{"model": "m", "property": "a"}, {"model": "m", "property": "b"}},
			[]names.Step{becomes(names.Property, "m", "b", "a")}, "property", []string{"a~7", "a"}},
		{"imports", "sl_import", []row{{"model": "m", "key_field": "a"}, {"model": "m", "key_field": "b"}},
			[]names.Step{gone(names.Property, "m", "a"), becomes(names.Property, "m", "b", "a")}, "key_field", []string{"a~7", "a"}},
		{"external links", "sl_link", []row{{"form": "f", "hash": "1"}, {"form": "g", "hash": "2"}},
			[]names.Step{gone(names.Form, "", "f"), becomes(names.Form, "", "g", "f")}, "form", []string{"f~7", "f"}},
		{"published documents of a pack that takes part no more", "sl_document", []row{{"pack": "q", "path": "lists/a.json"}, {"pack": "p", "path": "lists/a.json"}},
			[]names.Step{becomes(names.Pack, "", "p", "q")}, "pack", []string{"q~7", "q"}},
		{"drafts of documents", "sl_document_draft", []row{{"pack": "q", "path": "lists/a.json"}, {"pack": "p", "path": "lists/a.json"}},
			[]names.Step{becomes(names.Pack, "", "p", "q")}, "pack", []string{"q~7", "q"}},
		{"tokens of an application that is renamed", "sl_session", []row{{"apps": `[{"app":"x","write":true},{"app":"z"}]`}, {"apps": ""}},
			[]names.Step{becomes(names.App, "", "x", "y")}, "apps", []string{`[{"app":"y","write":true},{"app":"z"}]`, ""}},
		{"tokens of an application that is gone", "sl_session", []row{{"apps": `[{"app":"x"},{"app":"z"}]`}, {"apps": `[{"app":"y"}]`}},
			[]names.Step{becomes(names.App, "", "y", "x")}, "apps", []string{`[{"app":"~x"},{"app":"z"}]`, `[{"app":"x"}]`}},
		{"external links to a form that is gone", "sl_link", []row{{"form": "f", "hash": "1"}}, []names.Step{gone(names.Form, "", "f")}, "form", []string{"f~7"}},
		{"tokens of an application that went before another gets its code", "sl_session", []row{{"apps": `[{"app":"x"},{"app":"z"}]`}},
			[]names.Step{gone(names.App, "", "x")}, "apps", []string{`[{"app":"~x"},{"app":"z"}]`}},
		{"delegations", "sl_wf_delegation", []row{{"codes": `["x","z"]`}, {"codes": `["y"]`}},
			[]names.Step{gone(names.Workflow, "", "x"), becomes(names.Workflow, "", "y", "x")}, "codes", []string{`["~x","z"]`, `["x"]`}},
		{"delegations of what is gone", "sl_wf_delegation", []row{{"codes": `["x"]`}}, []names.Step{gone(names.Workflow, "", "x")}, "codes", []string{`["~x"]`}},
		{"marks of what is gone", "sl_wf_delegation", []row{{"codes": `["~x","x"]`}}, []names.Step{gone(names.Workflow, "", "x")}, "codes", []string{`["~x","~x"]`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				require.NoError(t, db.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					for i, row := range c.rows {
						if c.table != "sl_document" && c.table != "sl_document_draft" {
							row["id"] = fmt.Sprintf("%036d", i)
						}
						fill(t, tx, c.table, row)
					}
					require.NoError(t, codes.Rewrite(ctx, tx, 7, c.steps))
					var out []string
					require.NoError(t, tx.System().Table(c.table).Pluck(c.column, &out).Error)
					slices.Sort(out)
					want := slices.Sorted(slices.Values(c.want))
					require.Equal(t, strings.Join(want, " "), strings.Join(out, " "))
					return nil
				}))
			}, (Config{}).store().System...)
		})
	}
}
