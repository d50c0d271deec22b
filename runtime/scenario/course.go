package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// Course is a scenario that plays a workflow, and how it should go.
type Course struct {
	Workflow  string         `json:"workflow"`
	Initiator string         `json:"initiator"`
	Record    string         `json:"record"`
	Values    map[string]any `json:"values"`
	Steps     []Stop         `json:"steps"`
	Never     []string       `json:"never"`
	Nobody    *[]string      `json:"nobody"`
	Findings  *bool          `json:"findings"`
	Outcome   string         `json:"outcome"`
	Result    string         `json:"result"`
	Final     map[string]any `json:"final"`
	Node      *source.Node   `json:"@"`
}

// Stop is a node that a run should come to, and what is decided there.
type Stop struct {
	At        string       `json:"node"`
	Round     int          `json:"round"`
	People    *[]string    `json:"people"`
	Dropped   *[]string    `json:"dropped"`
	Takes     *[]string    `json:"takes"`
	Decisions []Decision   `json:"decisions"`
	Node      *source.Node `json:"@"`
}

// Decision is what somebody does at a node, instead of agreeing.
type Decision struct {
	Person  string         `json:"person"`
	Action  string         `json:"action"`
	To      string         `json:"to"`
	Opinion string         `json:"opinion"`
	Values  map[string]any `json:"values"`
	Node    *source.Node   `json:"@"`
}

// play runs a workflow and compares it with how it should go. It returns how many expectations were met.
func (w *world) play(ctx context.Context, c *Course) (int, *workflow.Rehearsed, error) {
	view := w.system()
	of := view.Catalog.Workflow(c.Workflow)
	if of == nil {
		var codes []string
		for _, one := range view.Catalog.Workflows() {
			codes = append(codes, one.Template.Code)
		}
		w.suggest("SCENARIO020", c.Node.Get("workflow"), c.Workflow, codes, c.Workflow)
		return 0, nil, nil
	}
	var nodes []string
	for _, n := range of.Template.Nodes {
		nodes = append(nodes, n.ID)
	}
	known := func(n *source.Node) {
		if !slices.Contains(nodes, n.Text()) {
			w.suggest("SCENARIO021", n, n.Text(), nodes, c.Workflow, n.Text())
		}
	}
	run, at, ok := w.script(c)
	for _, s := range c.Steps {
		known(s.Node.Get("node"))
	}
	for _, key := range []string{"never", "nobody"} {
		for _, n := range items(c.Node.Get(key)) {
			known(n)
		}
	}
	if !ok || len(w.out) > 0 {
		return 0, nil, nil
	}
	report, err := w.Workflows().Rehearse(ctx, view, workflow.Rehearsal{Workflow: c.Workflow, Runs: []workflow.RehearsalRun{run}})
	var misfit *workflow.Misfit
	if errors.As(err, &misfit) {
		w.misfit(c, misfit, at)
		return 0, nil, nil
	}
	if text, refused := w.refusal(err); refused {
		w.report("SCENARIO013", either2(c.Node.Get("values"), c.Node), text)
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	before := len(w.out)
	good := w.stops(ctx, c, &report.Runs[0])
	w.over(c, &report.Runs[0], at)
	var data map[string]any
	if c.Final != nil {
		if err := json.Unmarshal(report.Runs[0].Values, &data); err != nil {
			return good, report, err
		}
		w.compare(of.Model, data, c.Final, c.Node.Get("final"))
	}
	if len(w.out) > before {
		return good, nil, nil
	}
	return good, report, nil
}

func either2(a, b *source.Node) *source.Node {
	if a != nil {
		return a
	}
	return b
}

// script makes the request of a scenario; at are the nodes of its decisions.
func (w *world) script(c *Course) (run workflow.RehearsalRun, at []*source.Node, ok bool) {
	run = workflow.RehearsalRun{Initiator: c.Initiator}
	now := w.Now()
	run.At = &now
	ok = true
	if c.Record != "" {
		of, known := w.records[c.Record]
		if !known {
			w.report("SCENARIO001", c.Node.Get("record"), c.Record)
			return run, nil, false
		}
		run.Record = of.id
	}
	if run.Values, ok = w.wire(c.Values, c.Node.Get("values")); !ok {
		return run, nil, false
	}
	for _, s := range c.Steps {
		for _, d := range s.Decisions {
			values, fine := w.wire(d.Values, d.Node.Get("values"))
			ok = ok && fine
			run.Decisions = append(run.Decisions, workflow.RehearsalDecision{Node: s.At, Person: d.Person, Do: d.Action, To: d.To, Opinion: d.Opinion, Values: values})
			at = append(at, d.Node)
		}
	}
	return run, at, ok
}

// misfit reports a name that the rehearsal does not know.
func (w *world) misfit(c *Course, m *workflow.Misfit, at []*source.Node) {
	place := c.Node
	if m.Decision >= 0 && m.Decision < len(at) {
		place = at[m.Decision]
	}
	if n := place.Get(m.Key); n != nil {
		place = n
	}
	w.suggest("SCENARIO001", place, m.Word, []string{m.Near}, m.Word)
}

func (w *world) suggest(code string, at *source.Node, word string, candidates []string, args ...any) {
	w.out = append(w.out, problem(code, at, args...).Suggest(word, candidates))
}

// stops compares the nodes of a run with those of the scenario, in their order.
func (w *world) stops(ctx context.Context, c *Course, run *workflow.RehearsedRun) (good int) {
	from := 0
	for _, s := range c.Steps {
		i := slices.IndexFunc(run.Steps[from:], func(is workflow.RehearsedStep) bool {
			return is.Node == s.At && is.Kind != "decision" && is.Kind != "time" && is.Kind != "skip" && (s.Round == 0 || is.Round == s.Round)
		})
		if i < 0 {
			w.report("SCENARIO022", s.Node.Get("node"), s.At, way(run.Steps[from:]))
			return good // the rest is about another way
		}
		is := run.Steps[from+i]
		from += i + 1
		before := len(w.out)
		if s.People != nil {
			if want, got := sorted(*s.People), w.usernames(ctx, is.People); !slices.Equal(want, got) {
				w.report("SCENARIO023", s.Node.Get("people"), s.At, names(want), names(got), whyPeople(is))
			}
		}
		if s.Dropped != nil {
			if want, got := sorted(*s.Dropped), w.usernames(ctx, is.Dropped); !slices.Equal(want, got) {
				w.report("SCENARIO031", s.Node.Get("dropped"), names(want), names(got))
			}
		}
		if s.Takes != nil {
			var got []string
			for _, r := range is.Routes {
				if r.Taken {
					got = append(got, r.To)
				}
			}
			if want := sorted(*s.Takes); !slices.Equal(want, sorted(got)) {
				w.report("SCENARIO024", s.Node.Get("takes"), s.At, names(want), names(got), whyRoutes(is))
			}
		}
		if len(w.out) == before {
			good++
		}
	}
	return good
}

// over compares how a run ends.
func (w *world) over(c *Course, run *workflow.RehearsedRun, at []*source.Node) {
	want := c.Outcome
	if want == "" {
		want = workflow.OutcomeEnded
	}
	if run.Outcome != want {
		w.report("SCENARIO025", either2(c.Node.Get("outcome"), c.Node), want, run.Outcome, last(run))
	}
	if c.Result != "" && run.Result != c.Result {
		w.report("SCENARIO026", c.Node.Get("result"), c.Result, run.Result)
	}
	for i, n := range items(c.Node.Get("never")) {
		if !slices.ContainsFunc(run.Never, func(p workflow.Place) bool { return p.Node == c.Never[i] }) {
			w.report("SCENARIO027", n, n.Text())
		}
	}
	if c.Nobody != nil {
		got := []string{}
		for _, d := range run.Nobody {
			got = append(got, d.Node)
		}
		if want := sorted(*c.Nobody); !slices.Equal(want, sorted(got)) {
			w.report("SCENARIO028", c.Node.Get("nobody"), names(want), names(got))
		}
	}
	for _, k := range run.Unused {
		w.report("SCENARIO029", at[k])
	}
	if c.Findings != nil && !*c.Findings {
		for _, f := range run.Findings {
			if f.Kind != "unused" {
				w.report("SCENARIO030", c.Node.Get("findings"), diag.Text{Zh: f.Text.Zh, En: f.Text.En})
			}
		}
	}
}

func sorted(of []string) []string { return slices.Sorted(slices.Values(of)) }

// usernames of people in a report, sorted.
func (w *world) usernames(ctx context.Context, of []workflow.Chosen) []string {
	out := []string{}
	for _, one := range of {
		if who, known := w.People().Person(ctx, one.Person.ID); known && !slices.Contains(out, who.Username) {
			out = append(out, who.Username)
		}
	}
	slices.Sort(out)
	return out
}

// way is where a run goes, in short.
func way(steps []workflow.RehearsedStep) string {
	var out []string
	for _, s := range steps {
		if s.Kind != "decision" && s.Kind != "time" {
			out = append(out, s.Node)
		}
	}
	return names(out)
}

func whyPeople(s workflow.RehearsedStep) diag.Text {
	if len(s.People) == 0 {
		return diag.Text{Zh: s.Text.Zh, En: s.Text.En}
	}
	var zh, en []string
	for _, p := range s.People {
		for _, why := range p.Why {
			zh, en = append(zh, p.Person.Name+"："+why.Zh), append(en, p.Person.Name+": "+why.En)
		}
	}
	return diag.Text{Zh: strings.Join(zh, "；"), En: strings.Join(en, "; ")}
}

func whyRoutes(s workflow.RehearsedStep) diag.Text {
	var zh, en []string
	for _, r := range s.Routes {
		if r.Condition != "" && r.Holds != nil {
			a, b := r.Because()
			zh, en = append(zh, a), append(en, b)
		}
	}
	return diag.Text{Zh: strings.Join(zh, "；"), En: strings.Join(en, "; ")}
}

// last is why a run is over.
func last(run *workflow.RehearsedRun) diag.Text {
	if len(run.Steps) == 0 {
		return diag.Text{}
	}
	s := run.Steps[len(run.Steps)-1]
	out := diag.Text{Zh: s.Node + " " + s.Text.Zh, En: s.Node + " " + s.Text.En}
	if s.Refused != nil {
		out.Zh, out.En = out.Zh+s.Refused.Zh, out.En+s.Refused.En
	}
	return out
}
