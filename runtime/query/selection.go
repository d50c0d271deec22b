package query

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// SelectionRequest names records of a list: those with ids or, with All, every one that the filters match.
type SelectionRequest struct {
	SchemaCode string   `json:"schemaCode"`
	QueryCode  string   `json:"queryCode"`
	ObjectIDs  []string `json:"objectIds,omitempty"`
	All        bool     `json:"all,omitempty"`
	Filters    []Filter `json:"filters,omitempty"`
	Keyword    string   `json:"keyword,omitempty"`
}

// named are the ids of the request. Those who do not say objectIds may say them as a filter on id with the operator In.
func (req SelectionRequest) named(g *graph) ([]string, error) {
	ids := slices.Clone(req.ObjectIDs)
	if len(ids) == 0 && len(req.Filters) == 1 && req.Filters[0].PropertyCode == catalog.ID {
		n, err := g.resolve(catalog.ID)
		if err != nil {
			return nil, err
		}
		var text string
		if op, err := (&filters{}).operator(req.Filters[0], n); err != nil || op != plan.In || json.Unmarshal(req.Filters[0].PropertyValue, &text) != nil {
			return nil, fault.New(fault.BadParameter, "filters")
		}
		ids = slices.DeleteFunc(strings.Split(text, ";"), func(id string) bool { return id == "" })
	}
	switch {
	case len(ids) == 0:
		return nil, fault.New(fault.EmptyParameter, "objectIds")
	case len(ids) > MaxObjects:
		return nil, fault.New(fault.BadParameter, "objectIds")
	}
	return ids, nil
}

// MaxObjects is how many records a request may name by id.
const MaxObjects = 500

// Selection is a SelectionRequest compiled for a principal and an action: the records that they see, and of each whether they
// may do the action.
type Selection struct {
	Model   *catalog.Model
	c       *catalog.Catalog
	where   plan.Expr
	graph   *graph
	ids     []string // sorted; nil with All
	allowed plan.Expr
	name    plan.Expr // nil when it may not be read
}

// Chosen is a record of a selection.
type Chosen struct {
	ID       string
	Name     string
	Version  int64
	Workflow bool  // a workflow instance holds it
	Allowed  bool  // the principal may do the action on it
	Missing  bool  // named by id, and gone or not to be seen
	Columns  []any // of Extra, in the forms of plan.Kind
}

// Select compiles a selection for an action. The list must offer the action and the principal have it on some records.
func (r *Reader) Select(ctx context.Context, view *authz.View, req SelectionRequest, action string) (*Selection, error) {
	l, err := list(view, req.SchemaCode, req.QueryCode)
	if err != nil {
		return nil, err
	}
	offered := slices.ContainsFunc(l.Actions, func(a catalog.ListAction) bool { return a.Type == action })
	if !offered || !view.Can(l.Model, action) {
		return nil, fault.New(fault.Forbidden)
	}
	s := &Selection{Model: l.Model, c: view.Catalog, allowed: rule(view.EditRows(l.Model, action))}
	for _, a := range l.Actions {
		if a.Type == action && a.Enabled != nil {
			s.allowed = plan.AllOf(s.allowed, newGraph(view, l.Model).restrict(a.Enabled))
		}
	}
	p := &listPlan{view: view, list: l, graph: newGraph(view, l.Model), query: &plan.Query{Model: l.Model.Code}}
	s.graph = p.graph
	if n, err := p.graph.resolve(catalog.Name); err == nil {
		s.name = n.columns()[0]
	}
	if req.All {
		s.where, err = r.where(ctx, p, ListRequest{Filters: req.Filters, Keyword: req.Keyword})
		return s, err
	}
	if s.ids, err = req.named(p.graph); err != nil {
		return nil, err
	}
	slices.Sort(s.ids)
	s.ids = slices.Compact(s.ids)
	s.where = rule(view.Rows(l.Model))
	return s, nil
}

// Before leaves out records that were made after a time: those that nobody could have meant.
func (s *Selection) Before(at time.Time) {
	if s.ids == nil {
		s.where = plan.AllOf(s.where, &plan.Compare{Op: plan.LE, A: &plan.Field{Column: catalog.CreatedTime, K: plan.Instant},
			B: &plan.Const{K: plan.Instant, Value: at.UTC().Truncate(time.Millisecond)}})
	}
}

// Counts of a selection.
type Counts struct {
	Total    int64 `json:"total"`    // records; those that are gone or hidden among them when they were named by id
	Refused  int64 `json:"refused"`  // of them without the right, or gone
	Workflow int64 `json:"workflow"` // of those that remain: held by a workflow
}

// Count counts a selection.
func (s *Selection) Count(ctx context.Context, tx *store.Tx) (out Counts, err error) {
	count := func(more ...plan.Expr) (int64, error) {
		where := append([]plan.Expr{s.where}, more...)
		if s.ids != nil {
			where = append(where, idsIn(s.ids))
		}
		return tx.Count(ctx, s.c, &plan.Query{Model: s.Model.Code, Joins: s.graph.joins, Where: plan.AllOf(where...)})
	}
	seen, err := count()
	if err != nil {
		return out, err
	}
	may, err := count(s.allowed)
	if err != nil {
		return out, err
	}
	out.Total = seen
	if s.ids != nil {
		out.Total = int64(len(s.ids))
	}
	out.Refused = out.Total - may
	out.Workflow, err = count(s.allowed, &plan.Not{X: &plan.IsNull{X: &plan.Field{Column: catalog.WorkflowInstance, K: plan.Text}}})
	return out, err
}

// Next reads the records behind an id, in the order of ids; extra are columns that the caller needs of each.
func (s *Selection) Next(ctx context.Context, tx *store.Tx, after string, limit int, extra []plan.Expr) ([]Chosen, error) {
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: s.Model.Code, Joins: s.graph.joins, Where: s.where, Order: []plan.Order{{By: key}}, Limit: limit,
		Select: []plan.Expr{key, &plan.Field{Column: catalog.Version, K: plan.Int}, &plan.Field{Column: catalog.WorkflowInstance, K: plan.Text},
			&plan.Guarded{Cond: s.allowed, X: plan.True}}}
	named := s.name
	if named == nil {
		named = &plan.Const{K: plan.Text}
	}
	q.Select = append(append(q.Select, named), extra...)
	part := s.ids
	if s.ids != nil {
		at, found := slices.BinarySearch(s.ids, after)
		if found {
			at++
		}
		part = s.ids[at:min(len(s.ids), at+limit)]
		q.Where, q.Limit = plan.AllOf(q.Where, idsIn(part)), 0
	} else if after != "" {
		q.After = []any{after}
	}
	var out []Chosen
	err := tx.Query(ctx, s.c, q, func(row []any) error {
		one := Chosen{Allowed: row[3] == true, Columns: slices.Clone(row[5:])}
		one.ID, _ = row[0].(string)
		one.Version, _ = row[1].(int64)
		instance, _ := row[2].(string)
		one.Workflow = instance != ""
		one.Name, _ = row[4].(string)
		for i, v := range one.Columns {
			if set, ok := v.([]string); ok {
				one.Columns[i] = slices.Clone(set)
			}
		}
		out = append(out, one)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.withMissing(part, out), nil
}

// withMissing adds the ids that were not found.
func (s *Selection) withMissing(part []string, found []Chosen) []Chosen {
	if s.ids == nil || len(part) == len(found) {
		return found
	}
	out := make([]Chosen, 0, len(part))
	for _, id := range part {
		i := slices.IndexFunc(found, func(c Chosen) bool { return c.ID == id })
		if i < 0 {
			out = append(out, Chosen{ID: id, Missing: true})
			continue
		}
		out = append(out, found[i])
	}
	return out
}

func idsIn(ids []string) plan.Expr { return oneOf(catalog.ID, ids) }
