package scenario_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/scenario"
)

func documents(t *testing.T, dirs ...string) app.Documents {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	return app.Documents{Set: set, Dirs: dirs, Zone: time.UTC}
}

// files reads scenarios that are written in the test.
func files(t *testing.T, docs app.Documents, texts map[string]string) []*scenario.File {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys["tests/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	out, list, err := scenario.Find(docs.Set, fsys, "pack")
	require.NoError(t, err)
	require.Empty(t, list)
	return out
}

// TestExample: the scenarios of the example pack hold.
func TestExample(t *testing.T) {
	const dir = "../../examples/ship-lock"
	docs := documents(t, dir)
	files, list, err := scenario.Find(docs.Set, os.DirFS(dir), dir)
	require.NoError(t, err)
	require.Empty(t, list)
	require.NotEmpty(t, files)
	results, err := scenario.Run(t.Context(), docs, "test", files)
	require.NoError(t, err)
	for _, r := range results {
		require.Empty(t, r.Problems, r.File.Path())
		require.Positive(t, r.Steps)
	}
}

const desk = `{
  "now": "2026-11-23T09:00:00Z",
  "departments": {"sales": {}, "north": {"parent": "sales"}},
  "people": {"li": {"roles": ["agent"], "departments": ["north"]}, "wang": {"roles": ["lead"], "departments": ["sales"]}},
  "records": {
    "mine": {"schemaCode": "ticket", "owner": "li", "values": {"name": "one", "note": "secret", "hours": "1.50"}},
    "theirs": {"schemaCode": "ticket", "owner": "wang", "values": {"name": "two"}}
  },
  "steps": [%s]
}`

// TestSteps: each kind of step passes where the rights are so, and reports a problem at its place where they are not.
func TestSteps(t *testing.T) {
	cases := []struct{ step, code, at string }{
		{`{"person": "li", "sees": ["mine"], "seesNot": ["theirs"]}`, "", ""},
		{`{"person": "li", "sees": ["theirs"]}`, "SCENARIO003", "/steps/0/sees/0"},
		{`{"person": "wang", "seesNot": ["mine"]}`, "SCENARIO004", "/steps/0/seesNot/0"},
		{`{"person": "li", "record": "mine", "can": ["view", "edit"], "cannot": ["delete"], "fields": {"note": "r", "name": "rw"}}`, "", ""},
		{`{"person": "li", "schemaCode": "ticket", "can": ["add"], "cannot": ["delete"]}`, "", ""},
		{`{"person": "li", "record": "theirs", "cannot": ["view", "edit"], "fields": {"name": "-"}}`, "", ""},
		{`{"person": "li", "record": "mine", "can": ["delete"]}`, "SCENARIO005", "/steps/0/can/0"},
		{`{"person": "li", "record": "mine", "cannot": ["EDIT"]}`, "SCENARIO006", "/steps/0/cannot/0"},
		{`{"person": "li", "record": "mine", "fields": {"note": "rw"}}`, "SCENARIO007", "/steps/0/fields/note"},
		{`{"person": "li", "record": "mine", "fields": {"nothing": "rw"}}`, "SCENARIO016", "/steps/0/fields/nothing"},
		{`{"person": "li", "record": "mine", "can": ["fly"]}`, "SCENARIO018", "/steps/0/can/0"},
		{`{"person": "li", "record": "nobody", "can": ["view"]}`, "SCENARIO001", "/steps/0/record"},
		{`{"person": "ghost", "sees": ["mine"]}`, "SCENARIO001", "/steps/0/person"},
		{`{"person": "li", "schemaCode": "none", "can": ["view"]}`, "SCENARIO015", "/steps/0"},
		{`{"person": "li", "opens": ["desk"], "permissions": []}`, "", ""},
		{`{"person": "wang", "opens": ["desk"]}`, "SCENARIO008", "/steps/0/opens/0"},
		{`{"person": "li", "opensNot": ["desk"]}`, "SCENARIO009", "/steps/0/opensNot/0"},
		{`{"person": "li", "opens": ["elsewhere"]}`, "SCENARIO017", "/steps/0/opens/0"},
		{`{"person": "wang", "permissions": []}`, "SCENARIO010", "/steps/0/permissions"},
		{`{"person": "li"}`, "SCENARIO019", "/steps/0"},
		{`{"person": "li", "record": "mine", "values": {"name": "one", "hours": "1.5", "owner": "@li"}}`, "", ""},
		{`{"person": "li", "record": "mine", "values": {"name": "two"}}`, "SCENARIO014", "/steps/0/values/name"},
		{`{"person": "li", "record": "theirs", "values": {"name": "two"}}`, "SCENARIO013", "/steps/0/values"},
		{`{"person": "li", "change": "mine", "values": {"name": "new"}}, {"person": "wang", "record": "mine", "values": {"name": "new"}}`, "", ""},
		{`{"person": "li", "change": "theirs", "values": {"name": "new"}, "refused": true}`, "", ""},
		{`{"person": "li", "change": "theirs", "values": {"name": "new"}}`, "SCENARIO013", "/steps/0/change"},
		{`{"person": "li", "change": "mine", "values": {"name": "new"}, "refused": true}`, "SCENARIO011", "/steps/0/refused"},
		{`{"person": "li", "change": "mine", "values": {"note": "new"}, "refused": 700001}`, "SCENARIO012", "/steps/0/refused"},
		{`{"person": "li", "create": "new", "schemaCode": "ticket", "values": {"name": "n"}}, {"person": "li", "sees": ["new"]}`, "", ""},
		{`{"person": "li", "create": "new", "schemaCode": "ticket", "values": {}}, {"person": "li", "sees": ["new"]}`, "SCENARIO013", "/steps/0/create"},
		{`{"person": "li", "delete": "mine", "refused": true}, {"person": "wang", "delete": "mine"}, {"person": "wang", "seesNot": ["mine"]}`, "", ""},
		{`{"person": "li", "delete": "mine"}`, "SCENARIO013", "/steps/0/delete"},
	}
	docs := documents(t, "testdata/desk")
	texts := map[string]string{}
	for i, c := range cases {
		texts[fmt.Sprintf("%03d.access.json", i)] = fmt.Sprintf(desk, c.step)
	}
	results, err := scenario.Run(t.Context(), docs, "test", files(t, docs, texts))
	require.NoError(t, err)
	require.Len(t, results, len(cases))
	for i, c := range cases {
		switch list := results[i].Problems; {
		case c.code == "" && len(list) > 0:
			t.Errorf("%s: %v", c.step, list)
		case c.code != "" && (len(list) != 1 || list[0].Code != c.code || list[0].Pointer != c.at):
			t.Errorf("%s: want %s at %s, got %+v", c.step, c.code, c.at, list)
		}
	}
}

// TestFaultyFiles: files that are no scenarios, and people and records that cannot be made, are reported and nothing is run.
func TestFaultyFiles(t *testing.T) {
	docs := documents(t, "testdata/desk")
	_, list, err := scenario.Find(docs.Set, fstest.MapFS{
		"tests/a.access.json": &fstest.MapFile{Data: []byte(`{"steps": [`)},
		"tests/b.test.json":   &fstest.MapFile{Data: []byte(`{"steps": [{"person": "li", "seas": []}]}`)},
		"tests/other.json":    &fstest.MapFile{Data: []byte(`{`)},
	}, "pack")
	require.NoError(t, err)
	var at []string
	for _, d := range list {
		at = append(at, d.File)
	}
	require.Equal(t, []string{"pack/tests/a.access.json", "pack/tests/b.test.json"}, slices.Compact(at))

	results, err := scenario.Run(t.Context(), docs, "test", files(t, docs, map[string]string{"a.access.json": `{
		"people": {"li": {"roles": ["none"]}},
		"records": {"a": {"schemaCode": "nothing"}, "b": {"schemaCode": "ticket", "values": {"note": "@ghost"}}, "c": {"schemaCode": "ticket", "values": {}},
			"d": {"schemaCode": "ticket", "find": {"name": "none"}}},
		"steps": [{"person": "li", "sees": ["a"]}]}`}))
	require.NoError(t, err)
	var codes []string
	for _, d := range results[0].Problems {
		require.Equal(t, diag.Error, d.Severity)
		codes = append(codes, d.Code)
	}
	require.Equal(t, []string{"SCENARIO001", "SCENARIO015", "SCENARIO001", "SCENARIO002", "SCENARIO002"}, codes)
	require.Zero(t, results[0].Steps)
}
