package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
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
	// Of the parts of a node the node is told too.
	QbsID   string `json:"qbsId,omitempty"`
	QbsCode string `json:"qbsCode,omitempty"`
	QbsName string `json:"qbsName,omitempty"`
}

func sheetOf(r world.Row) Sheet {
	return Sheet{ID: r.ID, JbsID: r.Text("jbsId"), SchemaCode: r.Text("schemaCode"), SheetCode: r.Text("sheetCode"), WorkflowCode: r.Text("workflowCode"), Title: r.Text("sheetTitle"),
		BizKind: r.Text("bizKind"), Required: r.Is("required"), Multi: r.Is("multi"), FillRole: r.Set("fillRole"), AuditRole: r.Set("auditRole"), Instances: whole(r.Values["instances"]),
		BizObjectID: r.Text("objectId"), Status: r.Text("status")}
}

// listSheets gives the bindings of a node, process or component; with IncludeChildren those of a node and its parts, in the order of the tree.
func listSheets(ctx context.Context, c action.Call, in struct {
	OwnerType, OwnerID string
	IncludeChildren    bool
}) ([]Sheet, error) {
	if in.IncludeChildren && in.OwnerType == "QBS" {
		return sheetsBelow(ctx, c, in.OwnerID)
	}
	query := map[string]string{"QBS": "quality.bindings", "JBS": "quality.bindingsOfProcess", "MBS": "quality.bindingsOfComponent"}[in.OwnerType]
	out := []Sheet{}
	for row, err := range c.Rows(ctx, query, world.Args{"id": in.OwnerID}) {
		if err != nil {
			return nil, err
		}
		out = append(out, sheetOf(row))
	}
	return out, nil
}

func sheetsBelow(ctx context.Context, c action.Call, root string) ([]Sheet, error) {
	nodes, err := rows(ctx, c, "quality.subtree", world.Args{"root": root})
	if err != nil || len(nodes) == 0 {
		return []Sheet{}, err
	}
	place := make(map[string]int, len(nodes))
	for i, n := range nodes {
		place[n.ID] = i
	}
	out := []Sheet{}
	for row, err := range c.Rows(ctx, "quality.bindingsAll", world.Args{"id": nodes[0].Text("projectId")}) {
		if err != nil {
			return nil, err
		}
		at, inside := place[row.Text("qbsId")]
		if !inside {
			continue
		}
		s := sheetOf(row)
		s.QbsID, s.QbsCode, s.QbsName = nodes[at].ID, nodes[at].Text("code"), nodes[at].Text("name")
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Sheet) int { return place[a.QbsID] - place[b.QbsID] })
	return out, nil
}

// bindSheets binds sheets to nodes or processes; bindings that are there are passed over. Each write is the caller's own.
func bindSheets(ctx context.Context, c action.Call, in struct {
	OwnerType string
	OwnerIDs  []string
	Sheets    []map[string]any
}) (map[string]any, error) {
	created, skipped := []string{}, 0
	for _, owner := range in.OwnerIDs {
		values := map[string]any{"ownerType": in.OwnerType, "qbsId": owner}
		query := "quality.bindings"
		if in.OwnerType == "JBS" {
			p, err := c.Get(ctx, process, owner)
			if err != nil {
				return nil, err
			}
			values["jbsId"], values["qbsId"], query = owner, text(p.Values["qbsId"]), "quality.bindingsOfProcess"
		}
		there, err := rows(ctx, c, query, world.Args{"id": owner})
		if err != nil {
			return nil, err
		}
		has := map[string]bool{}
		for _, b := range there {
			if b.Text("ownerType") == in.OwnerType {
				has[b.Text("schemaCode")+" "+b.Text("bizKind")] = true
			}
		}
		for _, s := range in.Sheets {
			kind := text(s["bizKind"])
			if kind == "" {
				kind = "RECORD"
			}
			if has[text(s["schemaCode"])+" "+kind] {
				skipped++
				continue
			}
			one := map[string]any{"bizKind": kind}
			for code, v := range s {
				one[code] = v
			}
			for code, v := range values {
				one[code] = v
			}
			id, err := c.Create(ctx, binding, one)
			if err != nil {
				return nil, err
			}
			created = append(created, id)
		}
	}
	return map[string]any{"ids": created, "skipped": skipped}, nil
}

func unbindSheets(ctx context.Context, c action.Call, in struct{ IDs []string }) (map[string]int, error) {
	for _, id := range in.IDs {
		if err := c.Delete(ctx, binding, id); err != nil {
			return nil, err
		}
	}
	return map[string]int{"unbound": len(in.IDs)}, nil
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

func processesOf(ctx context.Context, w world.World, nodes []string) ([]Process, error) {
	sheets := map[string][]Sheet{} // by process
	for row, err := range w.Rows(ctx, "quality.bindingsOfNodes", world.Args{"ids": nodes}) {
		if err != nil {
			return nil, err
		}
		sheets[row.Text("jbsId")] = append(sheets[row.Text("jbsId")], sheetOf(row))
	}
	out := []Process{}
	for row, err := range w.Rows(ctx, "quality.processesOfNodes", world.Args{"ids": nodes}) {
		if err != nil {
			return nil, err
		}
		p := Process{ID: row.ID, QbsID: row.Text("qbsId"), ParentID: row.Text("parentId"), Code: row.Text("code"), Name: row.Text("title"), Status: row.Text("status"), PrevIDs: append([]string{}, row.Set("prevIds")...), Required: row.Is("required"),
			Sheets: Done{whole(row.Values["sheetTotal"]), whole(row.Values["sheetDone"])}, Done: whole(row.Values["sheetDone"]), Biz: append([]Sheet{}, sheets[row.ID]...)}
		out = append(out, p)
	}
	return out, nil
}

// applyTemplate copies the processes and sheets of a library template to nodes of the lowest level. A node that has processes is passed over.
func applyTemplate(ctx context.Context, c action.Call, in struct {
	QbsIDs    []string
	JbsBaseID string
}) (map[string]int, error) {
	all, err := templates(ctx, c)
	if err != nil {
		return nil, err
	}
	t := all[in.JbsBaseID]
	if t == nil || len(t.steps) == 0 {
		return nil, fault.New(fault.BadParameter, "jbsBaseId")
	}
	out := map[string]int{"created": 0, "skipped": 0}
	for _, id := range in.QbsIDs {
		_, has, err := first(c.Rows(ctx, "quality.processes", world.Args{"id": id}))
		if err != nil {
			return nil, err
		}
		if has {
			out["skipped"]++
			continue
		}
		if _, err := t.sync(ctx, c, id, false, false, &Synced{}); err != nil {
			return nil, err
		}
		if err := update(ctx, c, node, id, map[string]any{"jbsTemplateId": in.JbsBaseID}); err != nil {
			return nil, err
		}
		out["created"]++
	}
	return out, nil
}
