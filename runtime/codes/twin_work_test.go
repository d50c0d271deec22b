package codes_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/home"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// work is something that people do. It draws from a source that is the same in both worlds, and leaves behind what both have.
type work struct {
	name string
	do   func(s *shop, w *twins, r *rand.Rand) (any, error)
}

var works = []work{
	{"create", func(s *shop, w *twins, r *rand.Rand) (any, error) { return s.writes(w, r, "") }},
	{"create", func(s *shop, w *twins, r *rand.Rand) (any, error) { return s.writes(w, r, "") }},
	{"change", func(s *shop, w *twins, r *rand.Rand) (any, error) { return s.writes(w, r, s.one(r, s.made)) }},
	{"change", func(s *shop, w *twins, r *rand.Rand) (any, error) { return s.writes(w, r, s.one(r, s.made)) }},
	{"delete", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		return s.app.Writer().Delete(s.Context(), s.actor(r), s.now["order"], []string{s.one(r, s.made)})
	}},
	{"restore", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		return s.app.Writer().Restore(s.Context(), s.actor(r), s.now["order"], s.one(r, s.made))
	}},
	{"start", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		done, err := s.app.Workflows().Start(s.Context(), s.actor(r), workflow.Start{Workflow: s.now["approval"], Record: s.one(r, s.made)})
		if err == nil {
			s.instances = append(s.instances, done.Instance)
		}
		return done, err
	}},
	{"act", (*shop).acts}, {"act", (*shop).acts}, {"act", (*shop).acts},
	{"order", func(s *shop, w *twins, r *rand.Rand) (any, error) {
		do := []flow.Operation{flow.OpVoid, flow.OpJump, flow.OpRetry, flow.OpWithdraw}[r.IntN(4)]
		return s.app.Workflows().Order(s.Context(), s.actor(r), workflow.Order{Instance: s.one(r, s.instances), Do: do, Node: s.now[pick(r, nodesOf(w.trees))], Opinion: "so"})
	}},
	{"migrate", func(s *shop, _ *twins, _ *rand.Rand) (any, error) {
		return s.app.Workflows().Migrate(s.Context(), s.boss(), s.now["approval"], s.instances, false)
	}},
	{"draft", func(s *shop, w *twins, r *rand.Rand) (any, error) {
		_, err := s.app.Drafts().Save(s.Context(), s.actor(r), draft.Input{SchemaCode: s.now["order"], SheetCode: s.now["orderForm"], Workflow: s.now["approval"], Data: s.values(w, r)})
		return nil, err
	}},
	{"save a filter", func(s *shop, w *twins, r *rand.Rand) (any, error) {
		name, yes := fmt.Sprint("filter ", r.Uint32()), r.IntN(2) == 0
		var filters []query.Filter
		if p := pick(r, propertiesOf(w.trees, "order")); p.kind != "Sheet" {
			filters = append(filters, query.Filter{PropertyCode: s.now[p.name], PropertyValue: json.RawMessage(s.spell(string(raw(p.draw(w.trees, r)))))})
		}
		_, err := s.app.SavedFilters().Add(s.Context(), s.actor(r), s.now["order"], s.now["orders"], savedfilter.Change{Name: &name, Filters: &filters, Default: &yes})
		return nil, err
	}},
	{"columns of an export", func(s *shop, w *twins, r *rand.Rand) (any, error) {
		req := exporter.Request{ListRequest: query.ListRequest{SchemaCode: s.now["order"], QueryCode: s.now["orders"]}, All: true, Remember: true}
		for _, p := range propertiesOf(w.trees, "order") {
			if r.IntN(2) == 0 && p.kind != "Sheet" {
				req.Columns = append(req.Columns, exporter.Column{PropertyCode: s.now[p.name]})
			}
		}
		_, err := s.app.Exports().Start(s.Context(), s.actor(r), req)
		return nil, err
	}},
	{"batch", func(s *shop, w *twins, r *rand.Rand) (any, error) {
		p := pick(r, propertiesOf(w.trees, "order"))
		value := json.RawMessage(s.spell(string(raw(p.draw(w.trees, r)))))
		out, err := s.app.Bulk().Run(s.Context(), s.actor(r), bulk.Request{Kind: bulk.BatchUpdate, Property: s.now[p.name], Value: value,
			Selection: query.SelectionRequest{SchemaCode: s.now["order"], ObjectIDs: []string{s.one(r, s.made), s.one(r, s.made)}}})
		if err == nil && out.LogID != nil {
			s.batches = append(s.batches, *out.LogID)
		}
		return out, err
	}},
	{"undo a batch", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		return s.app.Bulk().Run(s.Context(), s.actor(r), bulk.Request{Kind: bulk.Undo, Batch: s.one(r, s.batches)})
	}},
	{"comment", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		_, err := s.app.Comments().Add(s.Context(), s.actor(r), comment.Draft{At: query.Ref{SchemaCode: s.now["order"], ID: s.one(r, s.made)}, Text: fmt.Sprint("said ", r.Uint32()), Mentions: []string{s.person}})
		return nil, err
	}},
	{"visit", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		return nil, s.app.Home().Visit(s.Context(), s.actor(r), home.Place{Kind: "record", Place: s.now["order"], Code: s.one(r, s.made)})
	}},
	{"print", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		_, err := s.app.Prints().Print(s.Context(), s.actor(r), printing.Request{PrintRequest: query.PrintRequest{SchemaCode: s.now["order"], ObjectIDs: []string{s.one(r, s.made)}}, Template: s.now["paper"]},
			printing.File, fmt.Sprintf("11111111-1111-7111-8111-%012x", r.Uint32()))
		return nil, err
	}},
	{"delegate", func(s *shop, _ *twins, r *rand.Rand) (any, error) {
		_, err := s.app.Workflows().Delegate(s.Context(), s.actor(r), workflow.DelegationOrder{To: s.other, Codes: []string{s.now["approval"]}, Starts: s.app.Now().Add(time.Hour), Ends: s.app.Now().Add(2 * time.Hour), Enabled: true})
		return nil, err
	}},
	{"import", (*shop).imports},
	{"publish", (*shop).publishes},
	{"design", (*shop).designs},
	{"ware", func(s *shop, w *twins, r *rand.Rand) (any, error) {
		set := map[string]json.RawMessage{}
		for _, p := range propertiesOf(w.trees, "ware") {
			set[s.now[p.name]] = raw(p.draw(w.trees, r))
		}
		saved, err := s.app.Writer().Save(s.Context(), s.boss(), record.Change{Model: s.now["ware"], Set: set})
		if err == nil {
			s.wares = append(s.wares, saved.ID)
		}
		return nil, err
	}},
}

// people are a clerk, another one, and who may do everything.
func (s *shop) people() {
	s.Helper()
	for _, of := range []struct {
		name, role string
		id         *string
	}{{"ann", s.now["clerk"], &s.person}, {"bob", s.now["clerk"], &s.other}, {"root", "administrator", &s.root}} {
		id, err := s.app.AddUser(s.Context(), of.name, of.name, []string{of.role})
		require.NoError(s, err)
		*of.id = id
	}
}

func (s *shop) boss() *authz.View { s.Helper(); return s.viewOf(s.root) }

func (s *shop) actor(r *rand.Rand) *authz.View {
	s.Helper()
	return s.viewOf([]string{s.root, s.person}[r.IntN(2)])
}

// one is some of what was made before; an id that nothing has where nothing was.
func (s *shop) one(r *rand.Rand, of []string) string {
	if len(of) == 0 {
		return "01900000-0000-7000-8000-00000000ffff"
	}
	return pick(r, of)
}

func pick[T any](r *rand.Rand, of []T) (out T) {
	if len(of) > 0 {
		out = of[r.IntN(len(of))]
	}
	return out
}

// writes saves a record with some values; id "" = a new one.
func (s *shop) writes(w *twins, r *rand.Rand, id string) (any, error) {
	s.Helper()
	view, change := s.actor(r), record.Change{Model: s.now["order"], ID: id, Set: s.values(w, r)}
	if id != "" {
		page, err := s.app.Reader().History(s.Context(), s.boss(), query.HistoryRequest{SchemaCode: s.now["order"], BizObjectID: id})
		if err != nil {
			return nil, err
		}
		change.Version = &page.Content[0].Version
	}
	saved, err := s.app.Writer().Save(s.Context(), view, change)
	if err == nil && id == "" {
		s.made = append(s.made, saved.ID)
	}
	return saved, err
}

// acts answers one of the tasks of somebody.
func (s *shop) acts(_ *twins, r *rand.Rand) (any, error) {
	view := s.actor(r)
	tasks, err := s.app.Workflows().Items(s.Context(), view, "unfinished", workflow.Search{Size: 100})
	if err != nil || len(tasks.Content) == 0 {
		return nil, err
	}
	one := pick(r, tasks.Content)
	do := []flow.Operation{flow.OpAgree, flow.OpAgree, flow.OpReject, flow.OpDisagree}[r.IntN(4)]
	c := workflow.Command{Item: one.ID, Do: do, Opinion: "so"}
	if do == flow.OpReject {
		c.Node = s.now["check"]
	}
	return s.app.Workflows().Act(s.Context(), view, c)
}

// prop is a property of the documents.
type prop struct {
	name, kind, dictionary string
	options                []any
	of                     []prop
}

// propertiesOf are those of a model, or of a sub-table, that people fill in.
func propertiesOf(trees map[string]any, model string) (out []prop) {
	of := definition(trees, model)
	list, _ := of["properties"].([]any)
	for _, one := range list {
		p := one.(map[string]any)
		name := definedBy(p)
		if name == "" || name == "scan" {
			continue
		}
		options, _ := p["options"].([]any)
		dictionary, _ := p["dictionary"].(string)
		next := prop{name: name, kind: p["propertyType"].(string), dictionary: dictionary, options: options}
		if next.kind == "Sheet" {
			next.of = propertiesOf(trees, name)
		}
		out = append(out, next)
	}
	return out
}

// choices are the options that a value may be, as signs.
func (p prop) choices(trees map[string]any) (out []string) {
	in := p.options
	if p.dictionary != "" {
		if m := sign.FindStringSubmatch(p.dictionary); m != nil {
			in, _ = definition(trees, m[2])["items"].([]any)
		}
	}
	walk(in, func(of map[string]any) {
		if name := definedBy(of); name != "" {
			out = append(out, "«"+name+"»")
		}
	})
	return out
}

// draw is a value of it, with the signs of options.
func (p prop) draw(trees map[string]any, r *rand.Rand) any {
	if r.IntN(6) == 0 {
		return nil
	}
	switch p.kind {
	case "Number":
		return []int{0, 1, 7, 999, 1000, 5291}[r.IntN(6)]
	case "Logic":
		return r.IntN(2) == 0
	case "Dropdown":
		return pick(r, p.choices(trees))
	case "Checkbox", "DropdownMulti":
		out := []string{}
		for _, one := range p.choices(trees) {
			if r.IntN(2) == 0 {
				out = append(out, one)
			}
		}
		return out
	case "Sheet":
		rows := []any{}
		for range r.IntN(3) {
			row := map[string]any{}
			for _, c := range p.of {
				row["«"+c.name+"»"] = c.draw(trees, r)
			}
			rows = append(rows, row)
		}
		return rows
	}
	return fmt.Sprint("text ", r.IntN(5))
}

// values are some of a record, as a caller sends them.
func (s *shop) values(w *twins, r *rand.Rand) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, p := range propertiesOf(w.trees, "order") {
		v, all := p.draw(w.trees, r), 3
		if p.name == "hush" {
			all = 12 // clerks may not
		}
		if n := r.IntN(12); n < 12/all == (p.name == "hush") {
			out[s.now[p.name]] = json.RawMessage(s.spell(string(raw(v))))
		}
	}
	return out
}

// nodesOf are the steps of the approval.
func nodesOf(trees map[string]any) (out []string) {
	walk(definition(trees, "approval")["nodes"], func(of map[string]any) {
		if name := definedBy(of); name != "" {
			out = append(out, name)
		}
	})
	return out
}
