package quality

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// mostAdded is how many nodes one call adds, with those in them.
const mostAdded = 2000

// wanted is a node that is to be added: its values, the template whose processes it gets, and its parts.
type wanted struct {
	values   map[string]any
	template *template
	parts    []*wanted
	id       string
}

// addNodes adds the node whose properties the input has, or the nodes of a list, with the parts that stand in them as "nodes" and the processes of
// the template that they name as "jbsBaseId". All of it is one batch, which "undo" takes back.
func addNodes(ctx context.Context, c action.Call, in fields) (Added, error) {
	if undo := in.text("undo"); undo != "" {
		out, err := undoNodes(ctx, c, undo)
		if err == nil && is(in["dryRun"]) {
			out.DryRun, err = true, action.ErrRehearsed
		}
		return out, err
	}
	out := Added{IDs: []string{}, DryRun: is(in["dryRun"]), Batch: rand.Text()}
	project, err := projectOf(ctx, c, in.text("projectKey"))
	if err != nil {
		return out, err
	}
	library := map[string]*template(nil)
	if templated(in) {
		if library, err = templates(ctx, c); err != nil {
			return out, err
		}
	}
	var list []*wanted
	if many, ok := in["nodes"].([]any); ok {
		list, err = wantedOf(many, in["parentId"], library)
	} else {
		list, err = wantedOf([]any{map[string]any(in.values("dryRun", "undo"))}, nil, library)
	}
	if err != nil {
		return out, err
	}
	memo := c.Memo()
	memo[batchMemo] = out.Batch
	defer delete(memo, batchMemo)
	if err := add(ctx, c, project, list, &out); err != nil {
		return out, err
	}
	if out.DryRun {
		return out, action.ErrRehearsed
	}
	for _, one := range list {
		out.IDs = append(out.IDs, one.id)
	}
	return out, nil
}

// templated reports whether an input names a template anywhere.
func templated(v any) bool {
	switch v := v.(type) {
	case fields:
		return templated(map[string]any(v))
	case map[string]any:
		return v[codes.JbsBaseID] != nil || templated(v["nodes"])
	case []any:
		return slices.ContainsFunc(v, templated)
	}
	return false
}

// wantedOf reads nodes of an input. Those that name no parent are parts of above.
func wantedOf(list []any, above any, library map[string]*template) (out []*wanted, err error) {
	for _, v := range list {
		values, ok := v.(map[string]any)
		if !ok {
			return nil, fault.New(fault.BadParameter, "nodes")
		}
		one := &wanted{values: maps.Clone(values)}
		if one.values[codes.ParentID] == nil && above != nil {
			one.values[codes.ParentID] = above
		}
		if of := one.values[codes.JbsBaseID]; of != nil {
			if one.template = library[text(of)]; one.template == nil || len(one.template.steps) == 0 {
				return nil, fault.New(fault.BadParameter, "jbsBaseId")
			}
			one.values[codes.JbsTemplateID] = one.template.ID
		}
		if parts, given := one.values["nodes"]; given {
			list, ok := parts.([]any)
			if !ok {
				return nil, fault.New(fault.BadParameter, "nodes")
			}
			if one.parts, err = wantedOf(list, nil, library); err != nil {
				return nil, err
			}
		}
		delete(one.values, codes.JbsBaseID)
		delete(one.values, "nodes")
		out = append(out, one)
	}
	return out, nil
}

// add writes nodes level by level, and then the processes of those that have a template.
func add(ctx context.Context, c action.Call, project string, level []*wanted, out *Added) error {
	var steps []*wanted
	for len(level) > 0 {
		if out.Nodes += len(level); out.Nodes > mostAdded {
			return fault.New(fault.BadParameter, "nodes")
		}
		rows, next := []map[string]any{}, []*wanted{}
		for _, one := range level {
			one.values[codes.ProjectID] = project
			rows = append(rows, one.values)
		}
		ids, err := c.CreateAll(ctx, node, rows)
		if err != nil {
			return err
		}
		for i, one := range level {
			one.id = ids[i]
			for _, part := range one.parts {
				part.values[codes.ParentID] = one.id
			}
			if next = append(next, one.parts...); one.template != nil {
				steps = append(steps, one)
			}
		}
		level = next
	}
	var sum Synced
	for _, one := range steps {
		if _, err := one.template.sync(ctx, c, one.id, false, false, &sum); err != nil {
			return err
		}
	}
	out.Processes, out.Sheets = sum.NodesAdded, sum.SheetsAdded
	return nil
}

// batchMemo is where a call keeps the batch of the nodes that it adds for the hook that writes it: nobody else says of what batch a node is.
const batchMemo = "quality.batch"

// undoNodes takes a batch of nodes of the caller back, the last one or one by its code, with their processes and sheets. What was begun, or has
// been given other parts or records since, refuses all of it.
func undoNodes(ctx context.Context, c action.Call, batch string) (Added, error) {
	out := Added{IDs: []string{}}
	mine := world.Args{"id": c.Principal().UserID}
	if batch == "last" {
		last, ok, err := first(c.Rows(ctx, "quality.nodeBatches", mine))
		if err != nil || !ok {
			return out, err
		}
		batch = last.Text(codes.Batch)
	}
	mine["batch"] = batch
	nodes, err := rows(ctx, c, "quality.nodesInBatch", mine)
	if err != nil {
		return out, err
	}
	if len(nodes) == 0 {
		return out, fault.New(fault.BadParameter, "undo")
	}
	out.Batch = batch
	for _, n := range nodes {
		steps, err := rows(ctx, c, "quality.processesEver", world.Args{"id": n.ID})
		if err != nil {
			return out, err
		}
		for _, p := range steps {
			if err := deleteProcess(ctx, c, p.ID); err != nil {
				return out, err
			}
			out.Processes++
		}
	}
	for _, n := range partsFirst(nodes) {
		if err := c.Delete(ctx, node, n.ID); err != nil {
			return out, err
		}
		out.Undone++
	}
	return out, nil
}

// partsFirst are nodes with those that are parts of others before them.
func partsFirst(nodes []world.Row) []world.Row {
	above, depth := map[string]string{}, map[string]int{}
	for _, n := range nodes {
		above[n.ID] = n.Text(codes.ParentID)
	}
	for _, n := range nodes {
		for at := above[n.ID]; at != ""; at = above[at] {
			depth[n.ID]++
		}
	}
	out := slices.Clone(nodes)
	slices.SortStableFunc(out, func(a, b world.Row) int { return depth[b.ID] - depth[a.ID] })
	return out
}
