package workflow

import (
	"context"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Impact is what the definitions of a catalog mean for the instances of a workflow that run.
type Impact struct {
	Workflow string          `json:"workflowCode"` // as it is called until then
	Gone     bool            `json:"gone"`         // there is no such workflow any more; its instances go on by their versions
	Count    int64           `json:"count"`
	Versions []ImpactVersion `json:"versions"` // of other documents than the catalog's
	Unsealed int             `json:"unsealed"` // the version that starts go on with and that an older program kept: its end seals nothing; 0 = none
}

// ImpactVersion is a version that instances go on by, linked as the server will link it.
type ImpactVersion struct {
	Running
	Looked     int64        `json:"looked"`     // instances that were looked at: all, or the oldest ones that the time allowed
	Movable    int64        `json:"movable"`    // of these, those that can move to the new version
	Misfits    int64        `json:"misfits"`    // of these, those whose steps don't fit the new version
	Broken     []BrokenStep `json:"broken"`     // steps that no instance of the version can pass
	Unreadable bool         `json:"unreadable"` // nothing of the version can be linked: its instances can be voided, moved or deleted

	named []Fitting // the first ones that don't fit
}

// lookTime bounds a look at what becomes of instances.
var lookTime = 20 * time.Second

// BrokenStep is a step that does not fit the definitions, and why.
type BrokenStep struct {
	Node StepName   `json:"activity"`
	Why  plan.Label `json:"why"`
}

// ImpactOf tells of each workflow whose instances would run by an older version than the catalog's what becomes of them. Names are followed
// through the renames that the catalog brings.
func ImpactOf(ctx context.Context, db *store.DB, c *catalog.Catalog) (out []Impact, err error) {
	log, until := db.NamesFor(c.Storage.Names), time.Now().Add(lookTime)
	err = db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		read := log.Since(tx.Epoch(), time.Time{})
		var codes []struct {
			Code  string
			Count int64
		}
		err := tx.System().Model(&instance{}).Select("code, COUNT(*) AS count").Where("live IS NOT NULL").Group("code").Order("code").Find(&codes).Error
		if err != nil {
			return err
		}
		for _, row := range codes {
			one := Impact{Workflow: row.Code, Count: row.Count, Versions: []ImpactVersion{}}
			var w *catalog.Workflow
			if code, ok := read.Document(names.Workflow, row.Code); ok {
				w = c.Workflow(code)
			}
			one.Gone = w == nil
			current := func(kept template) (bool, error) { return kept.means(log, c, w), nil }
			looks := map[int]*ImpactVersion{}
			more := func(_ int, of Fitting) bool {
				if looks[of.Version] == nil {
					looks[of.Version] = &ImpactVersion{}
				}
				looks[of.Version].add(read, w, of)
				return time.Now().Before(until)
			}
			versions, err := runningOf(tx, log, row.Code, w, current, more)
			if err != nil {
				return err
			}
			for _, v := range versions {
				if look := looks[v.Version]; !v.Current && look != nil {
					look.Running = v
					look.broken(c, log)
					one.Versions = append(one.Versions, *look)
				}
			}
			if one.Gone || len(one.Versions) > 0 {
				out = append(out, one)
			}
		}
		more, err := unsealed(tx, c, log, read)
		out = append(out, more...)
		return err
	})
	return out, err
}

// unsealed are the workflows that go on with a version that was kept before versions sealed what they approve.
func unsealed(tx *store.Tx, c *catalog.Catalog, log *names.Log, read names.Reading) (out []Impact, err error) {
	var kept []template
	if err := tx.System().Order("code, version DESC").Find(&kept).Error; err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, one := range kept {
		code, ok := read.Document(names.Workflow, one.Code)
		w := c.Workflow(code)
		if !ok || w == nil || seen[one.Code] || !one.means(log, c, w) {
			continue
		}
		if seen[one.Code] = true; w.Final && !one.Seals {
			out = append(out, Impact{Workflow: one.Code, Versions: []ImpactVersion{}, Unsealed: one.Version})
		}
	}
	return out, nil
}

// add counts what becomes of an instance; w is the workflow of the catalog, nil where it is gone.
func (v *ImpactVersion) add(read names.Reading, w *catalog.Workflow, one Fitting) {
	v.Looked++
	if len(one.Misfits) > 0 {
		if v.Misfits++; v.Misfits <= mostNamed {
			v.named = append(v.named, one)
		}
		return
	}
	if model, ok := read.Model(one.model); w != nil && ok && model == w.Model.Code {
		v.Movable++
	}
}

// broken finds the steps at which the instances of the version stop.
func (v *ImpactVersion) broken(c *catalog.Catalog, log *names.Log) {
	v.Broken = []BrokenStep{}
	linked, _ := linkedAgain(c, log, v.kept)
	if linked == nil {
		v.Unreadable = true
		return
	}
	called := namingOf(linked, log, v.kept)
	for _, n := range linked.Template.Nodes {
		why := n.Broken
		if i := slices.IndexFunc(n.Routes, func(r flow.Route) bool { return r.Broken != nil }); why == nil && i >= 0 {
			why = n.Routes[i].Broken
		}
		if why != nil {
			v.Broken = append(v.Broken, BrokenStep{Node: called.of(n.ID), Why: reasonOf(why)})
		}
	}
}

// reasonOf are the words of a fault that has its own.
func reasonOf(why *fault.Error) plan.Label {
	return plan.Label{Zh: why.MessageZh, I18n: map[string]string{"en": why.MessageEn}}
}
