package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/world"
)

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
