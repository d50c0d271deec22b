package workflow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/plugins/core/kind/workflow"
)

// compiler compiles the documents of archives as one pack.
type compiler struct {
	set     *pack.Set
	kinds   kind.List
	schemas *schema.Schemas
}

func newCompiler(t *testing.T) compiler {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, errors.Join(base.Register(set), plugintest.Measuring(set)))
	set.Freeze()
	schemas, err := compile.Schemas(set)
	require.NoError(t, err)
	return compiler{set, compile.Kinds(set), schemas}
}

func files(t *testing.T, archive string) fstest.MapFS {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	require.NoError(t, err)
	out := fstest.MapFS{}
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "want.") {
			out[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return out
}

func (c compiler) compile(files fstest.MapFS) (*catalog.Catalog, diag.List) {
	p, found := compile.Load(files, "", c.kinds, c.schemas)
	cat, more := compile.Compile(c.set, []*def.Pack{p}, compile.Options{})
	return cat, append(found, more...)
}

// Each document of faults.txtar has the diagnostic that it is called after, once, and no other error.
func TestFaults(t *testing.T) {
	cat, found := newCompiler(t).compile(files(t, "testdata/faults.txtar"))
	told := map[string][]string{}
	for _, d := range found {
		told[path.Base(d.File)] = append(told[path.Base(d.File)], d.Code)
	}
	documents := 0
	seen := map[string]bool{}
	for name := range files(t, "testdata/faults.txtar") {
		code, _, _ := strings.Cut(strings.TrimSuffix(path.Base(name), ".json"), "_")
		code = strings.ToUpper(code)
		if path.Dir(name) != "workflows" || !regexp.MustCompile(`[0-9]$`).MatchString(code) {
			continue
		}
		documents++
		seen[code] = true
		require.Equal(t, []string{code}, told[path.Base(name)], name)
		w := cat.Workflow(strings.TrimSuffix(path.Base(name), ".json"))
		require.Equal(t, workflow.Kind.Messages[code].Severity == diag.Warning, w != nil, name)
	}
	require.GreaterOrEqual(t, documents, 80)
	for _, code := range []string{"conditioned", "circle", "circling"} {
		require.NotNil(t, cat.Workflow(code), "a circle with a condition in it ends")
	}
	for code := range workflow.Kind.Messages {
		require.True(t, seen[code], "no document shows %s", code)
	}
}

// Both languages name the same arguments.
func TestMessages(t *testing.T) {
	arguments := regexp.MustCompile(`\{\d\}`)
	for code, m := range workflow.Kind.Messages {
		zh, en := arguments.FindAllString(m.Zh, -1), arguments.FindAllString(m.En, -1)
		slices.Sort(zh)
		slices.Sort(en)
		require.Equal(t, zh, en, code)
	}
}

func good(t *testing.T) (*catalog.Workflow, *catalog.Catalog) {
	t.Helper()
	cat, found := newCompiler(t).compile(files(t, "testdata/good.txtar"))
	require.False(t, found.HasErrors(), found)
	w := cat.Workflow("GOOD")
	require.NotNil(t, w)
	return w, cat
}

func TestSettings(t *testing.T) {
	w, cat := good(t)
	require.Equal(t, cat.Model("period"), w.Model)
	want := &catalog.Workflow{
		Pack: "demo", Label: plan.Label{Zh: "计量期审批", I18n: map[string]string{"en": "Measurement period approval"}}, Published: true, Final: true,
		InstanceName: "{name}-{createdTime:yyyyMMdd}", Calendar: "workday", UrgeInterval: 45, MaxHops: 3,
		Notify:   catalog.Notify{Channels: []string{"STATION"}, ItemsCompleted: true},
		Starters: []catalog.Starter{{Kind: catalog.FromRole, Values: []string{"cost"}}, {Kind: catalog.FromDept, Values: []string{"d1"}, Recursive: true}},
		Hooks: []catalog.WorkflowHook{{On: "instance.completed", Service: "measure.onApproved"},
			{On: "activity.started", Node: "n1", Service: "measure.begun"}},
	}
	if diff := cmp.Diff(want, w, cmpopts.IgnoreFields(catalog.Workflow{}, "Template", "Model", "Nodes", "Document", "FinalExcept")); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, []*catalog.Field{w.Model.Field("remark")}, w.FinalExcept)
	tm := w.Template
	require.Equal(t, "good period anytime adjacent toUser u1", strings.Join([]string{tm.Code, tm.Model, string(tm.AllowRevoke), string(tm.Dedupe), string(tm.Empty.Action), tm.Empty.User}, " "))
	require.Equal(t, "start", tm.Start().ID)
	require.Len(t, w.Nodes, len(tm.Nodes))
	var document map[string]any
	require.NoError(t, json.Unmarshal(w.Document, &document))
	require.Equal(t, "period", document["schemaCode"])
	require.NotContains(t, string(w.Document), "\n")

	usual := cat.Workflow("payment")
	if diff := cmp.Diff(&catalog.Workflow{Pack: "demo", Label: plan.Label{Zh: "付款", I18n: map[string]string{"en": "Payment"}}, Published: true, Everybody: true,
		Final: true, AdminVoids: true, UrgeInterval: 30, MaxHops: 1}, usual, cmpopts.IgnoreFields(catalog.Workflow{}, "Template", "Model", "Nodes", "Document")); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, "untilFirstHandled none toAdmin", strings.Join([]string{string(usual.Template.AllowRevoke), string(usual.Template.Dedupe), string(usual.Template.Empty.Action)}, " "))
	require.Equal(t, "payment", usual.Nodes["start"].Form.Code, "the generated form")
}

func TestPeople(t *testing.T) {
	w, cat := good(t)
	n1, n2, f1, l1, start := w.Nodes["n1"], w.Nodes["n2"], w.Nodes["f1"], w.Nodes["l1"], w.Nodes["start"]
	wantNode := func(want flow.Node, got *catalog.WorkflowNode) {
		t.Helper()
		if diff := cmp.Diff(&want, got.Node, cmpopts.IgnoreUnexported(flow.Node{}), cmpopts.IgnoreFields(flow.Node{}, "AutoWhen")); diff != "" {
			t.Error(diff)
		}
	}
	wantNode(flow.Node{ID: "start", Name: "填报", Type: flow.Start, Next: "n1", Mode: flow.Any, AgreeExit: flow.Full, Early: true, Most: 50, Strict: true,
		Reject: flow.Reject{Targets: []string{"start"}, Resubmit: flow.Rerun}, Actions: []flow.Action{"submit", "save", "revoke", "urge", "void"}}, start)
	wantNode(flow.Node{ID: "n1", Name: "专业监理", Type: flow.Approve, Next: "g1", Disagree: "rejected", Mode: flow.All, AgreeExit: 667_000, DisagreeExit: 10_000,
		Dedupe: flow.DedupeNone, Empty: flow.EmptyPolicy{Action: flow.EmptyAutoPass}, Most: 20, Strict: true, Expect: 1440, Timeout: 2880,
		Reject:  flow.Reject{Targets: []string{"start", "previous"}, Resubmit: flow.ToRejector},
		Actions: []flow.Action{"agree", "reject", "transfer", "addSign", "assist", "circulate", "withdraw"}}, n1)
	wantNode(flow.Node{ID: "n2", Name: "业主", Type: flow.Approve, Next: "s1", Mode: flow.Any, AgreeExit: flow.Full, Early: true, EveryVote: true, SkipSelf: true, Most: 50,
		Strict: true, Reject: flow.Reject{Targets: []string{"n1"}, Resubmit: flow.Rerun},
		Actions: []flow.Action{"agree", "disagree", "reject", "transfer", "circulate", "withdraw", "urge"}}, n2)
	wantNode(flow.Node{ID: "f1", Name: "补充", Type: flow.Fill, Next: "q1", Mode: flow.Claim, Live: true, AgreeExit: flow.Full, Early: true, Most: 50, Strict: true,
		Reject:  flow.Reject{Targets: []string{"start"}, Resubmit: flow.Rerun},
		Actions: []flow.Action{"submit", "save", "transfer", "withdraw", "urge"}}, f1)
	require.True(t, l1.Node.Vote && l1.Node.Mode == flow.Levels && l1.Node.AgreeExit == flow.Full/2)
	require.True(t, n2.ChoosesResubmit && !n1.ChoosesResubmit)

	require.True(t, n1.Batch && n1.Node.AutoWhen != nil && !n1.Node.Live)
	require.Equal(t, cat.Form("main"), n1.Form, "the model's first form")
	require.Equal(t, map[string]catalog.NodeRight{"amount": {Write: true, Required: true}, "remark": {Hidden: true}, "items": {Write: true, AddRows: true, DeleteRows: true},
		"items.qty": {Write: true}}, start.Fields)
	require.Equal(t, map[string]catalog.NodeRight{"qtySup": {Write: true}, "amount": {}}, n1.Fields)
	require.Equal(t, catalog.Opinion{Required: "onReject", MaxLength: 100, Signature: true, Secret: true}, n1.Opinion)
	require.Equal(t, catalog.Opinion{Required: "never", MaxLength: 200}, n2.Opinion)
	require.Equal(t, catalog.Notify{Channels: []string{"MAIL"}}, n1.Notify)
	require.Equal(t, w.Notify, n2.Notify)
	require.Equal(t, catalog.TimeLimit{Expect: 1440, Timeout: 2880, Calendar: "shift", OnTimeout: []catalog.TimeoutStep{{Action: "remind", Repeat: 60},
		{Action: "toSuperior", After: 1440}, {Action: "jump", To: "g1"}}}, n1.Time)
	require.Equal(t, "workday", n2.Time.Calendar)

	role := n1.Participants[0]
	require.Equal(t, "byField contract 2 initiator", strings.Join([]string{role.Scope.Kind, role.Scope.Path.Code, string(rune('0' + role.Weight)), string(role.Exclude[0].Kind)}, " "))
	require.Equal(t, cat.Model("period").Field("unit"), n1.Participants[1].Scope.Path.Field)
	p := n2.Participants
	require.Equal(t, "field", p[0].Of.Kind)
	require.Equal(t, "unit", p[0].Of.Path.Code)
	require.True(t, p[0].Level == 2 && !p[0].WalkUp)
	require.True(t, p[1].Of.Kind == "previous" && p[1].Levels == 2 && p[1].Until == "supervisor")
	require.True(t, l1.Participants[0].Of.Kind == "initiator" && l1.Participants[0].Levels == 0)
	require.Equal(t, "contract.client", p[2].Path.Code)
	require.Equal(t, catalog.Participant{Kind: catalog.FromInitiatorChoice, Max: 2, Candidates: []catalog.Participant{{Kind: catalog.FromDept, Values: []string{"d1"}, Recursive: true}}}, p[4])
	require.Equal(t, plan.Set, p[5].Formula.Kind())
	require.Equal(t, plan.Set, p[6].Formula.Kind(), "one person is a set of one")
	require.Equal(t, 1, f1.Participants[1].Min)
	require.Equal(t, "n1", f1.Participants[0].Node)
	c1 := w.Nodes["c1"]
	require.True(t, len(c1.Participants) == 3 && c1.Label.In("en") == "Copies" && c1.Form != nil && c1.Node.Actions == nil)
	require.Equal(t, []string{"zhang.wei"}, c1.Participants[0].Values)
}

func TestOtherNodes(t *testing.T) {
	w, cat := good(t)
	g1 := w.Nodes["g1"]
	require.Equal(t, flow.XOR, g1.Node.Kind)
	require.Equal(t, []string{"n2", "end"}, []string{g1.Node.Routes[0].To, g1.Node.Routes[1].To}, "by order")
	require.True(t, g1.Node.Routes[1].Default && g1.Node.Routes[0].When != nil)
	require.Equal(t, "大额", g1.RouteLabels[0].Zh)
	var names []string
	plan.Walk(g1.Node.Routes[0].When, func(e plan.Expr) {
		if v, ok := e.(*plan.Var); ok {
			names = append(names, v.Name)
		}
	})
	slices.Sort(names)
	require.Equal(t, []string{"initiator.roles", "instance.name"}, names)

	require.Equal(t, []int{1, 2, 0}, []int{w.Nodes["o2"].Node.Needs, w.Nodes["q1"].Node.Needs, w.Nodes["j1"].Node.Needs})
	s1 := w.Nodes["s1"].Service
	require.True(t, w.Nodes["s1"].Node.Effects && s1.Async && s1.Retries == 0 && s1.BackoffSeconds == 10)
	require.Equal(t, plan.Text, s1.Output["posted"].Kind())
	require.Equal(t, plan.Number, s1.Output["amount"].Kind())
	require.Equal(t, plan.Number, s1.Input["amount"].Kind())
	h1 := w.Nodes["h1"].Service
	require.Equal(t, &catalog.ServiceCall{Method: "POST", URL: "https://example.com/{posted}", TimeoutSeconds: 30, Retries: 3, BackoffSeconds: 10}, h1)
	w1, w2 := w.Nodes["w1"], w.Nodes["w2"]
	require.True(t, w1.Signal == "posted" && w1.Key.Kind() == plan.Text && w1.Node.Expect == 5 && w1.Until == nil)
	require.Equal(t, plan.Instant, w2.Until.Kind(), "a date is its beginning")
	u1 := w.Nodes["u1"].Sub
	require.True(t, u1.Workflow == "payment" && u1.Each.Code == "items" && u1.When != nil && u1.Wait == "ANY" && u1.IgnoreVoid && len(u1.Input) == 2 && len(u1.Output) == 1)
	end, rejected := w.Nodes["end"], w.Nodes["rejected"]
	require.True(t, rejected.Node.Ends && rejected.Result == flow.Rejected && end.Result == flow.Agreed && !end.Node.Ends)
	m := cat.Model("period")
	require.Equal(t, []catalog.Assignment{{Field: m.Field("state"), Value: "APPROVED"}, {Field: m.Field("remark")}}, end.Set[:2])
	require.Equal(t, plan.Instant, end.Set[2].Formula.Kind())
}

// What authors may leave out, or write in another form.
func TestOtherForms(t *testing.T) {
	_, cat := good(t)
	w := cat.Workflow("goodToo")
	require.NotNil(t, w)
	require.True(t, w.Everybody && w.Template.Start().ID == "begin" && w.Nodes["begin"].Node.Next == "fill")
	require.Nil(t, w.Nodes["always"].Node.Routes[1].When)
	require.Empty(t, w.Nodes["never"].Node.Actions)
	require.NotNil(t, w.Nodes["never"].Node.Actions)
	require.Equal(t, []string{"begin", "start", "previous", "any", "fill"}, w.Nodes["never"].Node.Reject.Targets)
	require.Equal(t, &catalog.SubWorkflow{Workflow: "chain", Wait: "ALL"}, w.Nodes["chain"].Sub)
	require.True(t, w.Nodes["chain"].Node.Effects)
	require.Equal(t, "aside", w.Nodes["fork"].Node.Routes[0].To, "order 0 is before the first place")
}

// The schema allows 500 nodes; what has more is not looked at any further.
func TestManyNodes(t *testing.T) {
	c := newCompiler(t)
	for nodes, fits := range map[int]bool{500: true, 501: false} {
		all := files(t, "testdata/good.txtar")
		var list []string
		for i := range nodes - 1 {
			list = append(list, fmt.Sprintf(`{"id": "n%d", "type": "WAIT", "until": "closedAt", "next": ["n%d"]}`, i, i+1))
		}
		list[0] = `{"id": "start", "type": "START", "name": "发起", "name_i18n": {"en": "Start"}, "next": ["n1"]}`
		list = append(list, fmt.Sprintf(`{"id": "n%d", "type": "END"}`, nodes-1))
		all["workflows/many.json"] = &fstest.MapFile{Data: []byte(`{"schemaCode": "period", "name": "多", "name_i18n": {"en": "Many"}, "nodes": [` + strings.Join(list, ",") + `]}`)}
		cat, found := c.compile(all)
		require.Equal(t, fits, !found.HasErrors())
		require.Equal(t, fits, cat.Workflow("many") != nil)
	}
}

// Any value of a good document may be missing or of another type: there is always an answer, and what passes without an error can be run.
func TestAnyValueMayBeWrong(t *testing.T) {
	c := newCompiler(t)
	all := files(t, "testdata/good.txtar")
	var root any
	require.NoError(t, json.Unmarshal(all["workflows/good.json"].Data, &root))
	tried, passed := 0, 0
	try := func() {
		data, err := json.Marshal(root)
		require.NoError(t, err)
		all["workflows/good.json"] = &fstest.MapFile{Data: data}
		cat, found := c.compile(all)
		tried++ // also chooses the next wrong value
		if found.HasErrors() {
			for _, d := range found {
				require.NotZero(t, d.Line, "%s: %s", d.Code, data)
			}
			return
		}
		passed++
		require.NotNil(t, cat.Workflow("good"), "%s", data)
		require.NotNil(t, cat.Workflow("good").Template.Start(), "%s", data)
	}
	wrong := []any{nil, "end", 0, true, []any{}, []any{nil, "end", 7}, map[string]any{}}
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(func(yield func(string) bool) {
				for k := range x {
					if !yield(k) {
						return
					}
				}
			}) {
				was := x[k]
				delete(x, k)
				try()
				x[k] = wrong[tried/2%len(wrong)]
				try()
				x[k] = was
				walk(was)
			}
		case []any:
			for _, item := range x {
				walk(item)
			}
		}
	}
	walk(root)
	require.Greater(t, tried, 400)
	require.Greater(t, passed, 30)
}
