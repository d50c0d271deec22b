package scenario_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/scenario"
)

const course = `{
  "departments": {"south": {}},
  "people": {"li": {"roles": ["agent"], "departments": ["south"]}, "wang": {"roles": ["lead"]}, "zhao": {"roles": ["lead"]}},
  "workflow": "ticketApproval", "initiator": "li", "values": {"name": "Pump", "hours": %s},
  "steps": [%s]%s
}`

// TestCourses: a scenario of a workflow passes where the workflow goes so, and reports a problem at its place where it does not.
func TestCourses(t *testing.T) {
	cases := []struct{ hours, steps, more, code, at, text string }{
		{`"9"`, `{"node": "lead", "people": ["wang", "zhao"]}, {"node": "long", "takes": ["again"]}, {"node": "again"}, {"node": "end"}`, `, "result": "AGREED", "nobody": [], "final": {"note": "done"}`, "", "", ""},
		{`"2"`, `{"node": "long", "takes": ["end"]}, {"node": "end"}`, `, "never": ["again"]`, "", "", ""},
		{`"2"`, `{"node": "lead", "people": ["wang"]}`, ``, "SCENARIO023", "/steps/0/people", "lead should be for wang and is for wang, zhao. wang: role “Lead”; zhao: role “Lead”"},
		{`"2"`, `{"node": "lead", "dropped": ["wang"]}`, ``, "SCENARIO031", "/steps/0/dropped", "wang should be found without a task, and it is []"},
		{`"2"`, `{"node": "long", "takes": ["again"]}`, ``, "SCENARIO024", "/steps/0/takes", "long should lead to again and leads to end. hours >= 8: hours is 2"},
		{`"2"`, `{"node": "again"}`, ``, "SCENARIO022", "/steps/0/node", "the run should come to again here; it goes: start, lead, long, end"},
		{`"2"`, `{"node": "agian"}`, ``, "SCENARIO021", "/steps/0/node", "the workflow ticketApproval has no node agian (did you mean \"again\"?)"},
		{`"9"`, `{"node": "end"}`, `, "never": ["again"]`, "SCENARIO027", "/never/0", ""},
		{`"9"`, `{"node": "end"}`, `, "outcome": "WAITS"`, "SCENARIO025", "/outcome", ""},
		{`"9"`, `{"node": "end"}`, `, "result": "REJECTED"`, "SCENARIO026", "/result", ""},
		{`"9"`, `{"node": "end"}`, `, "nobody": ["lead"]`, "SCENARIO028", "/nobody", ""},
		{`"9"`, `{"node": "end"}`, `, "final": {"note": "open"}`, "SCENARIO014", "/final/note", "note should be open and is done"},
		{`"2"`, `{"node": "lead", "decisions": [{"person": "li"}]}`, ``, "SCENARIO029", "/steps/0/decisions/0", ""},
		{`"2"`, `{"node": "lead", "decisions": [{"person": "wong"}]}`, ``, "SCENARIO001", "/steps/0/decisions/0/person", "wong is neither in this scenario nor in the packs (did you mean \"wang\"?)"},
		{`"2"`, `{"node": "lead", "decisions": [{"action": "reject", "to": "again"}]}`, ``, "SCENARIO025", "", ""},
		{`"2"`, `{"node": "lead", "decisions": [{"action": "reject"}]}, {"node": "start", "round": 2}, {"node": "lead", "round": 2}`, ``, "", "", ""},
		{`"2"`, `{"node": "lead", "decisions": [{"action": "timeout"}]}`, `, "outcome": "WAITS"`, "", "", ""},
		{`"much"`, `{"node": "lead"}`, ``, "SCENARIO013", "/values", ""},
		{`"2"`, `{"node": "lead"}`, `, "findings": false`, "", "", ""},
		{`null`, `{"node": "lead"}`, `, "findings": false`, "SCENARIO030", "/findings", "in earnest: Hours: Required"},
	}
	docs := documents(t, "testdata/desk")
	texts := map[string]string{}
	for i, c := range cases {
		texts[fmt.Sprintf("%03d.workflow.json", i)] = fmt.Sprintf(course, c.hours, c.steps, c.more)
	}
	results, err := scenario.Run(t.Context(), docs, "test", files(t, docs, texts))
	require.NoError(t, err)
	require.Len(t, results, len(cases))
	for i, c := range cases {
		switch list := results[i].Problems; {
		case c.code == "" && len(list) > 0:
			t.Errorf("%s: %v", c.steps, list)
		case c.code != "" && (len(list) != 1 || list[0].Code != c.code || list[0].Pointer != c.at || c.text != "" && list[0].En != c.text):
			t.Errorf("%s: want %s at %s %s, got %+v", c.steps, c.code, c.at, c.text, list)
		}
	}
	_, list, err := scenario.Find(docs.Set, fstest.MapFS{"tests/a.workflow.json": &fstest.MapFile{Data: []byte(`{"workflow": "x", "initiator": "y", "steps": [{"node": "a", "taks": []}]}`)}}, "pack")
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Contains(t, list[0].En, `did you mean "takes"`)
}

// TestChangedDefinition: a scenario of the example fails at its place when the workflow goes another way.
func TestChangedDefinition(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ship-lock")
	require.NoError(t, os.CopyFS(dir, os.DirFS("../../examples/ship-lock")))
	file := filepath.Join(dir, "workflows", "contractApproval.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "amount >= 10000000", "amount >= 50000000", 1)), 0o600))
	docs := documents(t, dir)
	found, list, err := scenario.Find(docs.Set, os.DirFS(dir), dir)
	require.NoError(t, err)
	require.Empty(t, list)
	results, err := scenario.Run(t.Context(), docs, "test", found)
	require.NoError(t, err)
	for _, r := range results {
		if !strings.HasSuffix(r.File.Path(), "contractApproval.workflow.json") {
			require.Empty(t, r.Problems, r.File.Path())
			continue
		}
		require.Equal(t, "SCENARIO024", r.Problems[0].Code)
		require.Equal(t, "/steps/1/takes", r.Problems[0].Pointer)
		require.Equal(t, 12, r.Problems[0].Line)
		require.Equal(t, "size should lead to project and leads to reviewed. amount >= 50000000: amount is 12000000", r.Problems[0].En)
	}
}
