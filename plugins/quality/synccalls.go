package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// Synced counts what a run changed, or would.
type Synced struct {
	NodesAdded      int          `json:"nodesAdded"`
	SheetsAdded     int          `json:"sheetsAdded"`
	Renamed         int          `json:"renamed"`
	Deactivated     int          `json:"deactivated"`
	KeptBecauseUsed int          `json:"keptBecauseUsed"`
	DryRun          bool         `json:"dryRun"`
	Nodes           []SyncedNode `json:"nodes"` // those that differ
}

// SyncedNode is a node whose processes differ from its template.
type SyncedNode struct {
	QbsID string `json:"qbsId"`
	Code  string `json:"code"`
	Name  string `json:"name"`
	Difference
}

// run brings nodes to the state of a template.
func (t *template) run(ctx context.Context, c world.World, nodes []world.Row, only []string, dry, sheetsOnly bool, out *Synced) error {
	for _, n := range nodes {
		if n.Text(codes.JbsTemplateID) != t.ID || len(only) > 0 && !slices.Contains(only, n.ID) {
			continue
		}
		if err := c.Allowed(ctx, "edit", node, n.ID); err != nil {
			if len(only) > 0 {
				return err
			}
			continue // a run over all is one over all that the caller may change
		}
		d, err := t.sync(ctx, c, n.ID, dry, sheetsOnly, out)
		if err != nil {
			return err
		}
		if len(d.Added)+len(d.Removed)+len(d.Changed) > 0 {
			out.Nodes = append(out.Nodes, SyncedNode{n.ID, n.Text(codes.Code), n.Text(codes.Name), d})
		}
	}
	return nil
}

func syncTemplate(ctx context.Context, c action.Call, in struct {
	JbsBaseID string
	QbsIDs    []string
	DryRun    bool
}) (Synced, error) {
	out := Synced{DryRun: in.DryRun, Nodes: []SyncedNode{}}
	all, err := templates(ctx, c)
	if err != nil {
		return out, err
	}
	t := all[in.JbsBaseID]
	if t == nil {
		return out, fault.New(fault.BadParameter, "jbsBaseId")
	}
	nodes, err := rows(ctx, c, "quality.nodesOfTemplate", world.Args{"id": t.ID})
	if err != nil {
		return out, err
	}
	for _, id := range in.QbsIDs { // of another template, or none
		if !slices.ContainsFunc(nodes, func(n world.Row) bool { return n.ID == id }) {
			return out, fault.New(fault.BadParameter, "qbsIds")
		}
	}
	return out, t.run(ctx, c, nodes, in.QbsIDs, in.DryRun, false, &out)
}

// syncLibrary copies the sheets of the library to the processes of whole projects.
func syncLibrary(ctx context.Context, c action.Call, in struct {
	ProjectKey string
	Targets    []string
	DryRun     bool
}) (sum LibrarySynced, err error) {
	if len(in.Targets) == 0 {
		in.Targets = []string{in.ProjectKey}
	}
	in.Targets = unique(in.Targets)
	out := Synced{DryRun: in.DryRun, Nodes: []SyncedNode{}}
	all, err := templates(ctx, c)
	if err != nil {
		return sum, err
	}
	for _, key := range in.Targets {
		id, err := projectOf(ctx, c, key)
		if err != nil {
			return sum, err
		}
		for _, t := range all {
			nodes, err := rows(ctx, c, "quality.nodesOfTemplate", world.Args{"id": t.ID})
			if err != nil {
				return sum, err
			}
			nodes = slices.DeleteFunc(nodes, func(n world.Row) bool { return n.Text(codes.ProjectID) != id })
			if err := t.run(ctx, c, nodes, nil, in.DryRun, true, &out); err != nil {
				return sum, err
			}
		}
	}
	return LibrarySynced{Targets: len(in.Targets), Nodes: len(out.Nodes), SheetsAdded: out.SheetsAdded, Renamed: out.Renamed, Deactivated: out.Deactivated, KeptBecauseUsed: out.KeptBecauseUsed, DryRun: in.DryRun}, nil
}

// attached is the template of a node and what differs from it.
func attached(ctx context.Context, c action.Call, in struct{ QbsID string }) (out Attached, err error) {
	n, err := c.Get(ctx, node, in.QbsID)
	if err != nil {
		return out, err
	}
	out.Drift = Difference{[]Drift{}, []Drift{}, []Drift{}}
	all, err := templates(ctx, c)
	if err != nil {
		return out, err
	}
	t := all[text(n.Values[codes.JbsTemplateID])]
	if t == nil {
		return out, nil
	}
	has, err := rows(ctx, c, "quality.processes", world.Args{"id": in.QbsID})
	if err != nil {
		return out, err
	}
	version := int64(0)
	for _, p := range has {
		version = max(version, whole(p.Values[codes.BaseVersion]))
	}
	current := whole(t.Values[codes.Revision])
	out.Template, out.Version, out.Current = &TemplateName{t.ID, t.Text(codes.Code), t.Text(codes.Title)}, &version, &current
	out.Drift, err = t.sync(ctx, c, in.QbsID, true, false, &Synced{})
	return out, err
}
