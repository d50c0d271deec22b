package workflow

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Line is a property of the record in the row of a task or an instance (api.yaml WorkItemLine).
type Line struct {
	Property string            `json:"propertyCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Text     string            `json:"text"` // in the reader's language; never empty
}

// Votes are the votes of a step that needs several, in weights (api.yaml WorkItemVotes).
type Votes struct {
	All       int64 `json:"all"`
	Agreed    int64 `json:"agreed"`
	Disagreed int64 `json:"disagreed"`
	Open      int64 `json:"open"`
	Need      int64 `json:"need"` // agreed passes from here on
}

// glance adds to rows of a list what they tell of their records, and of the votes where they are open.
func (s *Service) glance(ctx context.Context, tx *store.Tx, view *authz.View, rows []item, of map[string]instance, by []*catalog.Workflow, out []Item) error {
	if err := s.tellTasks(ctx, tx, view, rows, of, by, out); err != nil {
		return err
	}
	var open []int // rows of steps that may need several votes
	var ids []string
	for i, row := range rows {
		n := by[i].Nodes[row.Node]
		if n != nil && row.List == listUnfinished && countersigned(n.Node) && !out[i].secret {
			open, ids = append(open, i), append(ids, row.Instance)
		}
	}
	states, err := statesOf(tx, ids)
	for _, i := range open {
		if state := states[rows[i].Instance]; state != nil {
			out[i].Votes = votes(by[i].Template, state, rows[i].Number)
		}
	}
	return err
}

// statesOf are the states of instances by their ids, without those that cannot be read.
func statesOf(tx *store.Tx, ids []string) (map[string]*flow.State, error) {
	out := map[string]*flow.State{}
	if len(ids) == 0 {
		return out, nil
	}
	var found []instance
	if err := tx.System().Where("id IN ?", ids).Find(&found).Error; err != nil {
		return nil, err
	}
	for _, row := range found {
		state, err := stateOf(tx, row)
		if err != nil && !unreadable(err) {
			return nil, err
		}
		out[row.ID] = state
	}
	return out, nil
}

// countersigned reports whether a step may need several votes.
func countersigned(n *flow.Node) bool {
	return n.Type == flow.Approve && (n.Mode == flow.All || n.Mode == flow.Seq || n.Mode == flow.Levels)
}

// votes are those of the step that a task belongs to; nil where one person decides alone.
func votes(t *flow.Template, s *flow.State, number int) *Votes {
	i := s.Item(number)
	if i == nil || s.Activity(i.Activity) == nil || t.Node(s.Activity(i.Activity).Node) == nil {
		return nil
	}
	v := t.Count(s, i.Activity)
	if v.All <= i.Weight {
		return nil
	}
	return &Votes{All: v.All, Agreed: v.For, Disagreed: v.Against, Open: v.Open, Need: v.Need}
}

// glanced is a row that tells of its record.
type glanced struct {
	seenAs
	record string
	lines  *[]Line
}

// seenAs are rows whose records their reader sees with the same rights.
type seenAs struct {
	w    *catalog.Workflow // the version of the instance
	node string            // whose rights hold; "" = those of the reader
}

// tellInstances adds to rows of instances what they tell of their records, with the rights of the reader.
func (s *Service) tellInstances(ctx context.Context, tx *store.Tx, view *authz.View, out []*Instance) error {
	tells := make([]glanced, len(out))
	for i, one := range out {
		w, err := s.workflow(tx, view.Catalog, one.Workflow, one.Version)
		if err != nil {
			return err
		}
		tells[i] = glanced{seenAs{w: w}, one.Record, &one.Summary}
	}
	return s.summaries(ctx, tx, view, tells)
}

// tellTasks adds to rows of tasks what they tell of their records: of the reader's own task with the rights of its step, else with those of the reader.
func (s *Service) tellTasks(ctx context.Context, tx *store.Tx, view *authz.View, rows []item, of map[string]instance, by []*catalog.Workflow, out []Item) error {
	tells := make([]glanced, len(rows))
	for i, row := range rows {
		tells[i] = glanced{seenAs{w: by[i]}, of[row.Instance].Record, &out[i].Summary}
		if row.Person == view.User() {
			tells[i].node = row.Node
		}
	}
	return s.summaries(ctx, tx, view, tells)
}

// summaries adds the properties that a workflow of now shows in its rows (settings.summary), as the reader may see them.
func (s *Service) summaries(ctx context.Context, tx *store.Tx, view *authz.View, rows []glanced) error {
	groups := map[seenAs][]glanced{}
	for _, row := range rows {
		groups[row.seenAs] = append(groups[row.seenAs], row)
	}
	for as, rows := range groups {
		fields := as.w.Summary
		if now := view.Catalog.Workflow(as.w.Template.Code); now != nil {
			fields = now.Summary
		}
		node := as.w.Nodes[as.node]
		if len(fields) == 0 || as.w.Model == nil || as.node != "" && node == nil {
			continue
		}
		ids := make([]string, len(rows))
		for i, row := range rows {
			ids[i] = row.record
		}
		through := view
		if node != nil {
			through = view.Through(atItem(as.w, node, ids[0], false, ids[1:]...))
		}
		found, err := s.cfg.Reader.Texts(ctx, tx, through, as.w.Model, ids, fields)
		if err != nil {
			return err
		}
		for _, row := range rows {
			for _, one := range found[row.record] {
				*row.lines = append(*row.lines, Line{one.Field.Code, one.Field.Label.Zh, i18n(one.Field.Label), one.Text})
			}
		}
	}
	return nil
}

// among is the condition that a record is one of some.
func among(ids ...string) plan.Expr {
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	if len(ids) == 1 {
		return &plan.Compare{Op: plan.EQ, A: key, B: &plan.Const{K: plan.ID, Value: ids[0]}}
	}
	return &plan.InSet{Op: plan.SetWithin, F: key, G: &plan.Const{K: plan.Set, Value: ids}}
}
