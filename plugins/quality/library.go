package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
)

// template is what nodes get from the library: processes in order, each with its sheets.
type template struct {
	world.Row
	steps  []world.Row
	sheets map[string][]world.Row // by the library process
}

func (t *template) revision() string { return itoa(whole(t.Values["revision"])) }

// templates reads the templates of the library, by id.
func templates(ctx context.Context, w world.World) (map[string]*template, error) {
	all, err := rows(ctx, w, "quality.library", nil)
	if err != nil {
		return nil, err
	}
	out, inside := map[string]*template{}, map[string]*template{}
	for _, row := range all { // depth first
		if row.Text("kind") == "TEMPLATE" {
			out[row.ID] = &template{Row: row, sheets: map[string][]world.Row{}}
			inside[row.ID] = out[row.ID]
		} else if t := inside[row.Text("parentId")]; t != nil {
			inside[row.ID] = t
			if row.Text("kind") == "PROCESS" {
				t.steps = append(t.steps, row)
			}
		}
	}
	sheets, err := rows(ctx, w, "quality.librarySheets", nil)
	if err != nil {
		return nil, err
	}
	for _, s := range sheets {
		if t := inside[s.Text("jbsBaseId")]; t != nil {
			t.sheets[s.Text("jbsBaseId")] = append(t.sheets[s.Text("jbsBaseId")], s)
		}
	}
	return out, nil
}

// counted keeps the revision of a template: what is changed in it or below it makes a new one.
func counted(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) {
		return err
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	var ids []string
	for _, v := range []any{e.New()["parentId"], e.Old["parentId"], e.New()["jbsBaseId"], e.Old["jbsBaseId"]} {
		if id := text(v); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	done := map[string]bool{}
	for _, id := range ids {
		for at := id; at != "" && !done[at]; {
			done[at] = true
			found, err := r.w.Get(ctx, library, at)
			if err != nil {
				return nil //nolint:nilerr // it is being deleted with what is below it
			}
			if text(found.Values["kind"]) == "TEMPLATE" {
				_, err := r.w.Update(ctx, library, at, found.Version, map[string]any{"revision": itoa(whole(found.Values["revision"]) + 1)})
				if err != nil {
					return err
				}
				break
			}
			at = text(found.Values["parentId"])
		}
	}
	return nil
}

// Difference is what differs between a template and the processes of one node. Lists hold titles.
type Difference struct {
	Added   []Drift `json:"added"`
	Removed []Drift `json:"removed"`
	Changed []Drift `json:"changed"`
}

// Drift is a process or sheet that differs.
type Drift struct {
	Kind  string `json:"kind"` // PROCESS or SHEET
	ID    string `json:"id,omitempty"`
	Code  string `json:"code"`
	Title string `json:"title"`
	Was   string `json:"was,omitempty"`
	What  []What `json:"what,omitempty"` // of what is changed: its values
	Kept  bool   `json:"kept,omitempty"` // of what is removed: it has records, so it stays
}

// What is a value that differs: of the node, and of the template.
type What struct {
	Code string `json:"code"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// differing are the values of a node's process or sheet that are not as the template has them.
func differing(has, wants world.Row, codes ...string) (out []What) {
	for _, code := range codes {
		if was, is := written(has.Values[code]), written(wants.Values[code]); was != is {
			out = append(out, What{code, was, is})
		}
	}
	return out
}

// named says workflows by their names in place of their codes.
func named(w world.World, model string, what []What) []What {
	m, _ := w.ModelOf(model)
	name := func(code string) string {
		for _, one := range m.Workflows {
			if one.Code == code {
				return one.Name.In(w.Principal().Locale)
			}
		}
		return code
	}
	for i, one := range what {
		if one.Code == "workflowCode" {
			what[i].Was, what[i].Is = name(one.Was), name(one.Is)
		}
	}
	return what
}

// written is a value as a text; no is as empty as nothing.
func written(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		if v {
			return "true"
		}
	default:
		if n := number(v); n != nil {
			return n.String()
		}
	}
	return ""
}

// sync brings the processes of one node to the state of its template; dry only tells. sheetsOnly leaves processes as they are.
func (t *template) sync(ctx context.Context, w world.World, qbs string, dry, sheetsOnly bool, sum *Synced) (d Difference, err error) {
	d = Difference{[]Drift{}, []Drift{}, []Drift{}}
	there, err := rows(ctx, w, "quality.processesEver", world.Args{"id": qbs})
	if err != nil {
		return d, err
	}
	bound, err := rows(ctx, w, "quality.bindingsEver", world.Args{"id": qbs})
	if err != nil {
		return d, err
	}
	mine := map[string]world.Row{} // by the library process
	for _, p := range there {
		if b := p.Text("baseId"); b != "" {
			mine[b] = p
		}
	}
	for _, s := range t.steps { // what was written by hand with the code of a step is that step
		if i := slices.IndexFunc(there, func(p world.Row) bool { return p.Empty("baseId") && p.Text("code") == s.Text("code") }); i >= 0 && mine[s.ID].ID == "" {
			mine[s.ID] = there[i]
		}
	}
	do := func(f func() error) error {
		if dry {
			return nil
		}
		return f()
	}
	ids := map[string]string{} // process of a node by library process
	for _, s := range t.steps {
		p, ok := mine[s.ID]
		if ok {
			ids[s.ID] = p.ID
		}
		if sheetsOnly || ok && !p.Is("syncFlag") {
			continue
		}
		values := map[string]any{"title": s.Text("title"), "sortKey": s.Values["sortKey"], "required": s.Is("required"), "qbsType": orNil(s.Text("qbsType")), "baseVersion": t.revision(), "active": true}
		what := differing(p, s, "title", "required", "sortKey")
		switch {
		case !ok:
			d.Added = append(d.Added, Drift{Kind: "PROCESS", Code: s.Text("code"), Title: s.Text("title")})
			sum.NodesAdded++
			err = do(func() error {
				values["qbsId"], values["code"], values["baseId"] = qbs, s.Text("code"), s.ID
				ids[s.ID], err = w.Create(ctx, process, values)
				return err
			})
		case !p.Is("active"):
			d.Added = append(d.Added, Drift{Kind: "PROCESS", ID: p.ID, Code: p.Text("code"), Title: s.Text("title")})
			sum.NodesAdded++
			err = do(func() error { return update(ctx, w, process, p.ID, values) })
		case len(what) > 0:
			d.Changed = append(d.Changed, Drift{Kind: "PROCESS", ID: p.ID, Code: p.Text("code"), Title: s.Text("title"), Was: p.Text("title"), What: what})
			sum.Renamed++
			err = do(func() error { return update(ctx, w, process, p.ID, values) })
		}
		if err != nil {
			return d, err
		}
	}
	if !sheetsOnly {
		if err := t.retire(ctx, w, there, bound, ids, do, &d, sum); err != nil {
			return d, err
		}
		if err := t.reorder(ctx, w, there, ids, do); err != nil {
			return d, err
		}
	}
	return d, t.syncSheets(ctx, w, qbs, mine, bound, ids, do, &d, sum)
}

// retire switches off the processes that the template does not have any more; those with records stay.
func (t *template) retire(ctx context.Context, w world.World, there, bound []world.Row, ids map[string]string, do func(func() error) error, d *Difference, sum *Synced) error {
	kept := map[string]bool{}
	for _, id := range ids {
		kept[id] = true
	}
	for _, p := range there {
		if kept[p.ID] || !p.Is("active") || !p.Is("syncFlag") || p.Empty("baseVersion") { // those without one were written by hand
			continue
		}
		used := begun(p.Text("status")) || slices.ContainsFunc(bound, func(b world.Row) bool { return b.Text("jbsId") == p.ID && whole(b.Values["instances"]) > 0 })
		d.Removed = append(d.Removed, Drift{Kind: "PROCESS", ID: p.ID, Code: p.Text("code"), Title: p.Text("title"), Kept: used})
		if used {
			sum.KeptBecauseUsed++
			continue
		}
		sum.Deactivated++
		if err := do(func() error { return update(ctx, w, process, p.ID, map[string]any{"active": false}) }); err != nil {
			return err
		}
	}
	return nil
}

// reorder gives processes those before them, as the template has it.
func (t *template) reorder(ctx context.Context, w world.World, there []world.Row, ids map[string]string, do func(func() error) error) error {
	now := map[string]world.Row{}
	for _, p := range there {
		now[p.ID] = p
	}
	for _, s := range t.steps {
		id := ids[s.ID]
		if p, old := now[id]; id == "" || old && !p.Is("syncFlag") {
			continue
		}
		before := []string{}
		for _, b := range s.Set("prevIds") {
			if ids[b] != "" {
				before = append(before, ids[b])
			}
		}
		slices.Sort(before)
		had := slices.Sorted(slices.Values(now[id].Set("prevIds")))
		if slices.Equal(before, had) {
			continue
		}
		if err := do(func() error { return update(ctx, w, process, id, map[string]any{"prevIds": before}) }); err != nil {
			return err
		}
	}
	return nil
}

func (t *template) syncSheets(ctx context.Context, w world.World, qbs string, mine map[string]world.Row, bound []world.Row, ids map[string]string, do func(func() error) error, d *Difference, sum *Synced) error {
	at := map[string]world.Row{}
	for _, b := range bound {
		if base := b.Text("baseId"); base != "" {
			at[base] = b
		}
	}
	library := map[string]bool{}
	for _, s := range t.steps {
		if p, old := mine[s.ID]; old && !p.Is("syncFlag") {
			continue
		}
		for _, b := range t.sheets[s.ID] {
			library[b.ID] = true
			values := sheetValues(b, t.revision())
			one, there := at[b.ID]
			what := differing(one, b, "sheetTitle", "required", "multi", "bizKind", "workflowCode")
			var err error
			switch {
			case there && one.Is("active") && len(what) == 0:
			case there && one.Is("active"):
				d.Changed = append(d.Changed, Drift{Kind: "SHEET", ID: one.ID, Code: b.Text("schemaCode"), Title: b.Text("sheetTitle"), Was: one.Text("sheetTitle"), What: named(w, b.Text("schemaCode"), what)})
				sum.Renamed++
				err = do(func() error { return update(ctx, w, binding, one.ID, values) })
			default:
				d.Added = append(d.Added, Drift{Kind: "SHEET", ID: one.ID, Code: b.Text("schemaCode"), Title: b.Text("sheetTitle")})
				sum.SheetsAdded++
				err = do(func() error {
					if there {
						return update(ctx, w, binding, one.ID, values)
					}
					if ids[s.ID] == "" {
						return nil // a process that was not copied
					}
					values["ownerType"], values["qbsId"], values["jbsId"], values["schemaCode"], values["baseId"] = "JBS", qbs, ids[s.ID], b.Text("schemaCode"), b.ID
					_, err := w.Create(ctx, binding, values)
					return err
				})
			}
			if err != nil {
				return err
			}
		}
	}
	synced := map[string]bool{}
	for step, id := range ids {
		if p, old := mine[step]; !old || p.Is("syncFlag") {
			synced[id] = true
		}
	}
	for _, b := range bound {
		if !b.Is("active") || !synced[b.Text("jbsId")] || library[b.Text("baseId")] || b.Empty("baseVersion") {
			continue
		}
		used := whole(b.Values["instances"]) > 0
		d.Removed = append(d.Removed, Drift{Kind: "SHEET", ID: b.ID, Code: b.Text("schemaCode"), Title: b.Text("sheetTitle"), Kept: used})
		if used {
			sum.KeptBecauseUsed++
			continue
		}
		sum.Deactivated++
		if err := do(func() error { return update(ctx, w, binding, b.ID, map[string]any{"active": false}) }); err != nil {
			return err
		}
	}
	return nil
}

// sheetValues are what a binding has from a sheet of the library.
func sheetValues(b world.Row, revision string) map[string]any {
	return map[string]any{"sheetCode": orNil(b.Text("sheetCode")), "workflowCode": orNil(b.Text("workflowCode")), "sheetTitle": orNil(b.Text("sheetTitle")), "bizKind": b.Text("bizKind"),
		"required": b.Is("required"), "multi": b.Is("multi"), "fillRole": b.Set("fillRole"), "auditRole": b.Set("auditRole"), "sortKey": b.Values["sortKey"], "baseVersion": revision, "active": true}
}

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
		if n.Text("jbsTemplateId") != t.ID || len(only) > 0 && !slices.Contains(only, n.ID) {
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
			out.Nodes = append(out.Nodes, SyncedNode{n.ID, n.Text("code"), n.Text("name"), d})
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
	return out, t.run(ctx, c, nodes, in.QbsIDs, in.DryRun, false, &out)
}

// syncLibrary copies the sheets of the library to the processes of whole projects.
func syncLibrary(ctx context.Context, c action.Call, in struct {
	ProjectKey string
	Targets    []string
	DryRun     bool
}) (map[string]any, error) {
	if len(in.Targets) == 0 {
		in.Targets = []string{in.ProjectKey}
	}
	out := Synced{DryRun: in.DryRun, Nodes: []SyncedNode{}}
	all, err := templates(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, key := range in.Targets {
		id, err := projectOf(ctx, c, key)
		if err != nil {
			return nil, err
		}
		for _, t := range all {
			nodes, err := rows(ctx, c, "quality.nodesOfTemplate", world.Args{"id": t.ID})
			if err != nil {
				return nil, err
			}
			nodes = slices.DeleteFunc(nodes, func(n world.Row) bool { return n.Text("projectId") != id })
			if err := t.run(ctx, c, nodes, nil, in.DryRun, true, &out); err != nil {
				return nil, err
			}
		}
	}
	return map[string]any{"targets": len(in.Targets), "nodes": len(out.Nodes), "sheetsAdded": out.SheetsAdded, "renamed": out.Renamed, "deactivated": out.Deactivated,
		"keptBecauseUsed": out.KeptBecauseUsed, "dryRun": in.DryRun}, nil
}

// attached is the template of a node and what differs from it.
func attached(ctx context.Context, c action.Call, in struct{ QbsID string }) (map[string]any, error) {
	n, err := c.Get(ctx, node, in.QbsID)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"template": nil, "version": nil, "current": nil, "drift": Difference{[]Drift{}, []Drift{}, []Drift{}}}
	all, err := templates(ctx, c)
	if err != nil {
		return nil, err
	}
	t := all[text(n.Values["jbsTemplateId"])]
	if t == nil {
		return out, nil
	}
	has, err := rows(ctx, c, "quality.processes", world.Args{"id": in.QbsID})
	if err != nil {
		return nil, err
	}
	version := int64(0)
	for _, p := range has {
		version = max(version, whole(p.Values["baseVersion"]))
	}
	out["template"] = map[string]any{"id": t.ID, "code": t.Text("code"), "title": t.Text("title")}
	out["version"], out["current"] = version, whole(t.Values["revision"])
	out["drift"], err = t.sync(ctx, c, in.QbsID, true, false, &Synced{})
	return out, err
}

// LibraryNode is a part of the library: a kind of work item, a template, group or process, a sheet or a check item.
type LibraryNode struct {
	ID           string         `json:"id"`
	ParentID     string         `json:"parentId"`
	Title        string         `json:"title"`
	Value        string         `json:"value"`
	Key          string         `json:"key"`
	Code         string         `json:"code"`
	Level        int            `json:"level"`
	Leaf         bool           `json:"leaf"`
	Kind         string         `json:"kind"` // TYPE, TEMPLATE, GROUP, PROCESS, SHEET, ITEM
	QbsType      string         `json:"qbsType,omitempty"`
	Professional string         `json:"professional,omitempty"`
	Required     bool           `json:"required"`
	Revision     int64          `json:"revision,omitempty"`
	PrevIDs      []string       `json:"prevIds,omitempty"`
	BizKind      string         `json:"bizKind,omitempty"`
	ItemClass    string         `json:"itemClass,omitempty"`
	EvalMethod   string         `json:"evalMethod,omitempty"`
	Children     []*LibraryNode `json:"children"`
}

func (n *LibraryNode) add(one *LibraryNode) {
	one.ParentID, one.Level, n.Leaf = n.ID, n.Level+1, false
	n.Children = append(n.Children, one)
}

func baseTree(ctx context.Context, c action.Call, in struct{ Professional string }) ([]*LibraryNode, error) {
	out, _, err := libraryTree(ctx, c, in.Professional)
	return out, err
}

// libraryTree is the library by kinds of work items.
func libraryTree(ctx context.Context, w world.World, professional string) (roots []*LibraryNode, byID map[string]*LibraryNode, err error) {
	roots, byID = []*LibraryNode{}, map[string]*LibraryNode{}
	types := map[string]*LibraryNode{}
	for row, err := range w.Rows(ctx, "quality.library", nil) {
		if err != nil {
			return nil, nil, err
		}
		one := &LibraryNode{ID: row.ID, Title: row.Text("title"), Value: row.ID, Key: row.ID, Code: row.Text("code"), Leaf: true, Kind: row.Text("kind"), QbsType: row.Text("qbsType"),
			Professional: row.Text("professional"), Required: row.Is("required"), Revision: whole(row.Values["revision"]), PrevIDs: row.Set("prevIds"), Children: []*LibraryNode{}}
		if parent := byID[row.Text("parentId")]; parent != nil {
			parent.add(one)
			byID[one.ID] = one
			continue
		}
		if len(row.Path) > 0 || professional != "" && one.Professional != professional {
			continue // of another discipline, with what is below it
		}
		of := types[one.QbsType]
		if of == nil {
			title := one.QbsType
			if title == "" {
				title = say(w, "未分类", "Not classified")
			}
			of = &LibraryNode{ID: "type:" + one.QbsType, Title: title, Value: "type:" + one.QbsType, Key: "type:" + one.QbsType, Level: 1, Kind: "TYPE", QbsType: one.QbsType, Children: []*LibraryNode{}}
			types[one.QbsType] = of
			roots = append(roots, of)
		}
		of.add(one)
		byID[one.ID] = one
	}
	return roots, byID, nil
}

// systemTree is the library with the sheets of its processes and the check items.
func systemTree(ctx context.Context, c action.Call, in struct{ Professional string }) ([]*LibraryNode, error) {
	roots, byID, err := libraryTree(ctx, c, in.Professional)
	if err != nil {
		return nil, err
	}
	for row, err := range c.Rows(ctx, "quality.librarySheets", nil) {
		if err != nil {
			return nil, err
		}
		if p := byID[row.Text("jbsBaseId")]; p != nil {
			p.add(&LibraryNode{ID: row.ID, Title: row.Text("sheetTitle"), Value: row.ID, Key: row.ID, Code: row.Text("schemaCode"), Leaf: true, Kind: "SHEET", Required: row.Is("required"),
				BizKind: row.Text("bizKind"), Children: []*LibraryNode{}})
		}
	}
	byType := map[string]*LibraryNode{}
	for _, n := range roots {
		byType[n.QbsType] = n
	}
	for row, err := range c.Rows(ctx, "quality.checkItems", nil) {
		if err != nil {
			return nil, err
		}
		p := byID[row.Text("jbsBaseId")]
		if p == nil && row.Empty("jbsBaseId") && !row.Empty("qbsType") {
			p = byType[row.Text("qbsType")]
		}
		if p != nil {
			p.add(&LibraryNode{ID: row.ID, Title: row.Text("itemName"), Value: row.ID, Key: row.ID, Code: row.Text("code"), Leaf: true, Kind: "ITEM", ItemClass: row.Text("itemClass"),
				EvalMethod: row.Text("evalMethod"), Children: []*LibraryNode{}})
		}
	}
	return roots, nil
}
