package quality

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
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

// namedWorkflows says workflows by their names in place of their codes.
func namedWorkflows(w world.World, model string, what []What) []What {
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
		if one.Code == codes.WorkflowCode {
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
	case []string, []any:
		return strings.Join(slices.Sorted(slices.Values(ids(v))), ", ")
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
		if b := p.Text(codes.BaseID); b != "" {
			mine[b] = p
		}
	}
	for _, s := range t.steps { // what was written by hand with the code of a step is that step
		if i := slices.IndexFunc(there, func(p world.Row) bool { return p.Empty(codes.BaseID) && p.Text(codes.Code) == s.Text(codes.Code) }); i >= 0 && mine[s.ID].ID == "" {
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
		if p, ok := mine[s.ID]; ok {
			ids[s.ID] = p.ID
		}
	}
	for _, s := range t.steps {
		p, ok := mine[s.ID]
		if sheetsOnly || ok && !p.Is(codes.SyncFlag) {
			continue
		}
		values := map[string]any{codes.Title: s.Text(codes.Title), codes.SortKey: s.Values[codes.SortKey], codes.Required: s.Is(codes.Required), codes.QbsType: orNil(s.Text(codes.QbsType)), codes.BaseVersion: t.revision(), codes.Active: true}
		what := differing(p, s, codes.Title, codes.Required, codes.SortKey, codes.QbsType)
		if before := t.before(s, ids); ok && before != written(p.Values[codes.PrevIDs]) {
			what = append(what, What{codes.PrevIDs, t.titles(written(p.Values[codes.PrevIDs]), there), t.titles(before, there)})
		}
		switch {
		case !ok:
			d.Added = append(d.Added, Drift{Kind: "PROCESS", Code: s.Text(codes.Code), Title: s.Text(codes.Title)})
			sum.NodesAdded++
			err = do(func() error {
				values[codes.QbsID], values[codes.Code], values[codes.BaseID] = qbs, s.Text(codes.Code), s.ID
				ids[s.ID], err = w.Create(ctx, process, values)
				return err
			})
		case !p.Is(codes.Active):
			d.Added = append(d.Added, Drift{Kind: "PROCESS", ID: p.ID, Code: p.Text(codes.Code), Title: s.Text(codes.Title)})
			sum.NodesAdded++
			err = do(func() error { return update(ctx, w, process, p.ID, values) })
		case len(what) > 0:
			d.Changed = append(d.Changed, Drift{Kind: "PROCESS", ID: p.ID, Code: p.Text(codes.Code), Title: s.Text(codes.Title), Was: p.Text(codes.Title), What: what})
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
	return d, t.syncSheets(ctx, w, qbs, sheetsOnly, mine, bound, ids, do, &d, sum)
}

// before are the processes before a step at a node, by id; those that the node does not have yet by that of the library.
func (t *template) before(step world.Row, ids map[string]string) string {
	out := []string{}
	for _, b := range step.Set(codes.PrevIDs) {
		if slices.ContainsFunc(t.steps, func(s world.Row) bool { return s.ID == b }) {
			out = append(out, cmp.Or(ids[b], b))
		}
	}
	return strings.Join(slices.Sorted(slices.Values(out)), ", ")
}

// titles are the titles of processes of a node or of the template.
func (t *template) titles(of string, there []world.Row) string {
	out := []string{}
	for id := range strings.SplitSeq(of, ", ") {
		for _, p := range slices.Concat(there, t.steps) {
			if p.ID == id {
				out = append(out, p.Text(codes.Title))
			}
		}
	}
	return strings.Join(out, ", ")
}

// retire switches off the processes that the template does not have any more; those with records stay.
func (t *template) retire(ctx context.Context, w world.World, there, bound []world.Row, ids map[string]string, do func(func() error) error, d *Difference, sum *Synced) error {
	kept := map[string]bool{}
	for _, id := range ids {
		kept[id] = true
	}
	for _, p := range there {
		if kept[p.ID] || !p.Is(codes.Active) || !p.Is(codes.SyncFlag) || p.Empty(codes.BaseVersion) { // those without one were written by hand
			continue
		}
		used := begun(p.Text(codes.Status)) || slices.ContainsFunc(bound, func(b world.Row) bool { return b.Text(codes.JbsID) == p.ID && whole(b.Values[codes.Instances]) > 0 })
		d.Removed = append(d.Removed, Drift{Kind: "PROCESS", ID: p.ID, Code: p.Text(codes.Code), Title: p.Text(codes.Title), Kept: used})
		if used {
			sum.KeptBecauseUsed++
			continue
		}
		sum.Deactivated++
		if err := do(func() error { return update(ctx, w, process, p.ID, map[string]any{codes.Active: false}) }); err != nil {
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
		if p, old := now[id]; id == "" || old && !p.Is(codes.SyncFlag) {
			continue
		}
		before := []string{}
		for _, b := range s.Set(codes.PrevIDs) {
			if ids[b] != "" {
				before = append(before, ids[b])
			}
		}
		slices.Sort(before)
		had := slices.Sorted(slices.Values(now[id].Set(codes.PrevIDs)))
		if slices.Equal(before, had) {
			continue
		}
		if err := do(func() error { return update(ctx, w, process, id, map[string]any{codes.PrevIDs: before}) }); err != nil {
			return err
		}
	}
	return nil
}

func (t *template) syncSheets(ctx context.Context, w world.World, qbs string, sheetsOnly bool, mine map[string]world.Row, bound []world.Row, ids map[string]string, do func(func() error) error, d *Difference, sum *Synced) error {
	at := map[string]world.Row{}
	for _, b := range bound {
		if base := b.Text(codes.BaseID); base != "" {
			at[base] = b
		}
	}
	follows := func(step string) bool { // whether the sheets of a step are those of the library; a process that the node does not have gets none
		p, old := mine[step]
		return (!old || p.Is(codes.SyncFlag)) && (!sheetsOnly || old && p.Is(codes.Active))
	}
	library := map[string]bool{}
	for _, s := range t.steps {
		if !follows(s.ID) {
			continue
		}
		for _, b := range t.sheets[s.ID] {
			library[b.ID] = true
			values := sheetValues(b, t.revision())
			one, there := at[b.ID]
			what := differing(one, b, codes.SheetTitle, codes.Required, codes.Multi, codes.BizKind, codes.WorkflowCode, codes.SheetCode, codes.FillRole, codes.AuditRole, codes.SortKey)
			var err error
			switch {
			case there && one.Is(codes.Active) && len(what) == 0:
			case there && one.Is(codes.Active):
				d.Changed = append(d.Changed, Drift{Kind: "SHEET", ID: one.ID, Code: b.Text(codes.SchemaCode), Title: b.Text(codes.SheetTitle), Was: one.Text(codes.SheetTitle), What: namedWorkflows(w, b.Text(codes.SchemaCode), what)})
				sum.Renamed++
				err = do(func() error { return update(ctx, w, binding, one.ID, values) })
			default:
				d.Added = append(d.Added, Drift{Kind: "SHEET", ID: one.ID, Code: b.Text(codes.SchemaCode), Title: b.Text(codes.SheetTitle)})
				sum.SheetsAdded++
				err = do(func() error {
					if there {
						return update(ctx, w, binding, one.ID, values)
					}
					values[codes.OwnerType], values[codes.QbsID], values[codes.JbsID], values[codes.SchemaCode], values[codes.BaseID] = codes.OptionJbs, qbs, ids[s.ID], b.Text(codes.SchemaCode), b.ID
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
		synced[id] = follows(step)
	}
	for _, b := range bound {
		if !b.Is(codes.Active) || !synced[b.Text(codes.JbsID)] || library[b.Text(codes.BaseID)] || b.Empty(codes.BaseVersion) {
			continue
		}
		used := whole(b.Values[codes.Instances]) > 0
		d.Removed = append(d.Removed, Drift{Kind: "SHEET", ID: b.ID, Code: b.Text(codes.SchemaCode), Title: b.Text(codes.SheetTitle), Kept: used})
		if used {
			sum.KeptBecauseUsed++
			continue
		}
		sum.Deactivated++
		if err := do(func() error { return update(ctx, w, binding, b.ID, map[string]any{codes.Active: false}) }); err != nil {
			return err
		}
	}
	return nil
}

// sheetValues are what a binding has from a sheet of the library.
func sheetValues(b world.Row, revision string) map[string]any {
	return map[string]any{codes.SheetCode: orNil(b.Text(codes.SheetCode)), codes.WorkflowCode: orNil(b.Text(codes.WorkflowCode)), codes.SheetTitle: orNil(b.Text(codes.SheetTitle)), codes.BizKind: b.Text(codes.BizKind),
		codes.Required: b.Is(codes.Required), codes.Multi: b.Is(codes.Multi), codes.FillRole: b.Set(codes.FillRole), codes.AuditRole: b.Set(codes.AuditRole), codes.SortKey: b.Values[codes.SortKey], codes.BaseVersion: revision, codes.Active: true}
}
