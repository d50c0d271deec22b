package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// Sheet is a binding with how far its records are.
type Sheet struct {
	ID           string   `json:"id"`
	JbsID        string   `json:"jbsId,omitempty"`
	SchemaCode   string   `json:"schemaCode"`
	SheetCode    string   `json:"sheetCode,omitempty"`
	WorkflowCode string   `json:"workflowCode,omitempty"`
	Title        string   `json:"title"`
	BizKind      string   `json:"bizKind"`
	Required     bool     `json:"required"`
	Multi        bool     `json:"multi"`
	FillRole     []string `json:"fillRole"`
	AuditRole    []string `json:"auditRole"`
	Instances    int64    `json:"instances"`
	BizObjectID  string   `json:"bizObjectId,omitempty"`
	Status       string   `json:"status"`
	MayFill      *bool    `json:"mayFill,omitempty"` // the caller may begin a record of it; missing where a call does not say
	// Of the parts of a node the node is told too.
	QbsID   string `json:"qbsId,omitempty"`
	QbsCode string `json:"qbsCode,omitempty"`
	QbsName string `json:"qbsName,omitempty"`
}

func sheetOf(r world.Row) Sheet {
	return Sheet{ID: r.ID, JbsID: r.Text(codes.JbsID), SchemaCode: r.Text(codes.SchemaCode), SheetCode: r.Text(codes.SheetCode), WorkflowCode: r.Text(codes.WorkflowCode), Title: r.Text(codes.SheetTitle),
		BizKind: r.Text(codes.BizKind), Required: r.Is(codes.Required), Multi: r.Is(codes.Multi), FillRole: append([]string{}, r.Set(codes.FillRole)...), AuditRole: append([]string{}, r.Set(codes.AuditRole)...), Instances: whole(r.Values[codes.Instances]),
		BizObjectID: r.Text(codes.ObjectID), Status: r.Text(codes.Status)}
}

type sheetsInput struct {
	OwnerType, OwnerID string
	IncludeChildren    bool
}

// listSheets gives the bindings of a node, process or component; with IncludeChildren those of a node and its parts, in the order of the tree.
func listSheets(ctx context.Context, c action.Call, in sheetsInput) ([]Sheet, error) {
	if in.IncludeChildren && in.OwnerType == codes.OptionQbs {
		return sheetsBelow(ctx, c, in.OwnerID)
	}
	query := map[string]string{codes.OptionQbs: "quality.bindings", codes.OptionJbs: "quality.bindingsOfProcess", codes.OptionMbs: "quality.bindingsOfComponent"}[in.OwnerType]
	bound, err := rows(ctx, c, query, world.Args{"id": in.OwnerID})
	if err != nil {
		return nil, err
	}
	return fillable(ctx, c, bound)
}

func sheetsBelow(ctx context.Context, c action.Call, root string) ([]Sheet, error) {
	nodes, err := rows(ctx, c, "quality.subtree", world.Args{"root": root})
	if err != nil || len(nodes) == 0 {
		return []Sheet{}, err
	}
	nodes = ordered(nodes)
	place := make(map[string]int, len(nodes))
	for i, n := range nodes {
		place[n.ID] = i
	}
	out := []Sheet{}
	for row, err := range c.Rows(ctx, "quality.bindingsAll", world.Args{"id": nodes[0].Text(codes.ProjectID)}) {
		if err != nil {
			return nil, err
		}
		at, inside := place[row.Text(codes.QbsID)]
		if !inside {
			continue
		}
		s := sheetOf(row)
		s.QbsID, s.QbsCode, s.QbsName = nodes[at].ID, nodes[at].Text(codes.Code), nodes[at].Text(codes.Name)
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Sheet) int { return place[a.QbsID] - place[b.QbsID] })
	return out, nil
}

// bindSheets binds sheets to nodes, processes or components. A binding of the same owner, model, sheet, workflow and kind that is there is passed over.
// Each write is the caller's own.
func bindSheets(ctx context.Context, c action.Call, in struct {
	OwnerType, QbsID string // the node is for components that are bound to several
	OwnerIDs         []string
	Sheets           []map[string]any
}) (out Bound, err error) {
	out.IDs = []string{}
	for _, owner := range unique(in.OwnerIDs) {
		values := map[string]any{codes.OwnerType: in.OwnerType, codes.QbsID: owner}
		query := "quality.bindings"
		if in.OwnerType == codes.OptionJbs {
			p, err := c.Get(ctx, process, owner)
			if err != nil {
				return out, err
			}
			values[codes.JbsID], values[codes.QbsID], query = owner, text(p.Values[codes.QbsID]), "quality.bindingsOfProcess"
		}
		if in.OwnerType == codes.OptionMbs {
			values[codes.MbsID], values[codes.QbsID], query = owner, orNil(in.QbsID), "quality.bindingsOfComponent"
		}
		there, err := rows(ctx, c, query, world.Args{"id": owner})
		if err != nil {
			return out, err
		}
		has := map[[4]string]bool{}
		for _, b := range there {
			if b.Text(codes.OwnerType) == in.OwnerType && (in.OwnerType != codes.OptionMbs || in.QbsID == "" || b.Text(codes.QbsID) == in.QbsID) {
				has[[4]string{b.Text(codes.SchemaCode), b.Text(codes.SheetCode), b.Text(codes.WorkflowCode), b.Text(codes.BizKind)}] = true
			}
		}
		for _, s := range in.Sheets {
			kind := text(s["bizKind"])
			if kind == "" {
				kind = codes.OptionRecord
			}
			key := [4]string{text(s[codes.SchemaCode]), text(s[codes.SheetCode]), text(s[codes.WorkflowCode]), kind}
			if has[key] {
				out.Skipped++
				continue
			}
			has[key] = true
			one := map[string]any{codes.BizKind: kind}
			for code, v := range s {
				one[code] = v
			}
			for code, v := range values {
				one[code] = v
			}
			id, err := c.Create(ctx, binding, one)
			if err != nil {
				return out, err
			}
			out.IDs = append(out.IDs, id)
		}
	}
	return out, nil
}

func unbindSheets(ctx context.Context, c action.Call, in struct{ IDs []string }) (out Unbound, err error) {
	for _, id := range unique(in.IDs) {
		if err := c.Delete(ctx, binding, id); err != nil {
			return out, err
		}
		out.Unbound++
	}
	return out, nil
}

// Process is a process of a node with its sheets.
type Process struct {
	ID       string   `json:"id"`
	QbsID    string   `json:"qbsId"`
	ParentID string   `json:"parentId,omitempty"`
	Code     string   `json:"code"`
	Name     string   `json:"name"`
	Status   string   `json:"status"`
	PrevIDs  []string `json:"prevIds"`
	Required bool     `json:"required"`
	Sheets   Done     `json:"bizCount"`
	Done     int64    `json:"done"` // sheets
	Biz      []Sheet  `json:"biz"`
	BaseID   string   `json:"baseId,omitempty"` // the process of the library that it is a copy of, and of which revision
	Revision int64    `json:"baseVersion,omitempty"`
}

// listProcesses gives the processes of a node, or of some nodes.
func listProcesses(ctx context.Context, c action.Call, in struct {
	QbsID  string
	QbsIDs []string
}) ([]Process, error) {
	if in.QbsID != "" {
		in.QbsIDs = append(in.QbsIDs, in.QbsID)
	}
	if len(in.QbsIDs) == 0 {
		return nil, fault.New(fault.EmptyParameter, "qbsId")
	}
	return processesOf(ctx, c, in.QbsIDs)
}

func processesOf(ctx context.Context, c action.Call, nodes []string) ([]Process, error) {
	bound, err := rows(ctx, c, "quality.bindingsOfNodes", world.Args{"ids": nodes})
	if err != nil {
		return nil, err
	}
	all, err := fillable(ctx, c, bound)
	if err != nil {
		return nil, err
	}
	sheets := map[string][]Sheet{} // by process
	for _, s := range all {
		sheets[s.JbsID] = append(sheets[s.JbsID], s)
	}
	out := []Process{}
	for row, err := range c.Rows(ctx, "quality.processesOfNodes", world.Args{"ids": nodes}) {
		if err != nil {
			return nil, err
		}
		p := Process{ID: row.ID, QbsID: row.Text(codes.QbsID), ParentID: row.Text(codes.ParentID), Code: row.Text(codes.Code), Name: row.Text(codes.Title), Status: row.Text(codes.Status), PrevIDs: append([]string{}, row.Set(codes.PrevIDs)...), Required: row.Is(codes.Required),
			Sheets: Done{whole(row.Values[codes.SheetTotal]), whole(row.Values[codes.SheetDone])}, Done: whole(row.Values[codes.SheetDone]), Biz: append([]Sheet{}, sheets[row.ID]...), BaseID: row.Text(codes.BaseID), Revision: whole(row.Values[codes.BaseVersion])}
		out = append(out, p)
	}
	return out, nil
}

// applyTemplate copies the processes and sheets of a library template to nodes of the lowest level. A node that has processes is passed over.
func applyTemplate(ctx context.Context, c action.Call, in struct {
	QbsIDs    []string
	JbsBaseID string
}) (out Applied, err error) {
	all, err := templates(ctx, c)
	if err != nil {
		return out, err
	}
	t := all[in.JbsBaseID]
	if t == nil || len(t.steps) == 0 {
		return out, fault.New(fault.BadParameter, "jbsBaseId")
	}
	for _, id := range unique(in.QbsIDs) {
		_, has, err := first(c.Rows(ctx, "quality.processes", world.Args{"id": id}))
		if err != nil {
			return out, err
		}
		if has {
			out.Skipped++
			continue
		}
		if _, err := t.sync(ctx, c, id, false, false, &Synced{}); err != nil {
			return out, err
		}
		if err := update(ctx, c, node, id, map[string]any{codes.JbsTemplateID: in.JbsBaseID}); err != nil {
			return out, err
		}
		out.Created++
	}
	return out, nil
}
