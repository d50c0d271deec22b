package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// Plan is what bringing a database to a catalog would do, to its tables and to the values that formulas stored. The catalog was compiled
// from the documents of the configuration.
func Plan(ctx context.Context, cfg Config, db *store.DB, c *catalog.Catalog, o store.PlanOptions) (*store.Plan, error) {
	return planned(ctx, cfg, db, c, o, func() (*record.Writer, error) {
		people, err := directory.New(ctx, db, c)
		if err != nil {
			return nil, err
		}
		w := record.New(db, cfg.Set, people, cfg.Zone, cfg.Clock)
		w.HeldBy(workflow.Held)
		return w, nil
	})
}

// planned is Plan with the writer whose formulas are tried; writer is called only where the tables are as the catalog wants them.
func planned(ctx context.Context, cfg Config, db *store.DB, c *catalog.Catalog, o store.PlanOptions, writer func() (*record.Writer, error)) (*store.Plan, error) {
	p, err := db.Plan(ctx, c.Storage, o)
	if err != nil || p.Have == "" {
		return p, err
	}
	ends, err := endingSteps(ctx, db, c, cfg.Zone, p)
	if err != nil {
		return nil, err
	}
	p.Steps = append(p.Steps, ends...)
	others, err := record.FindOtherFormulas(ctx, db, c, db.NamesFor(c.Storage.Names))
	if err != nil || len(others) == 0 {
		return p, err
	}
	if p.Have != p.Want || slices.ContainsFunc(p.Steps, ofTables) {
		for _, m := range others {
			p.Steps = append(p.Steps, formulaStep(m.Model, nil))
		}
		return p, nil
	}
	policy, err := authz.Compile(c)
	if err != nil {
		return nil, fmt.Errorf("compile rights: %w", err)
	}
	w, err := writer()
	if err != nil {
		return nil, err
	}
	view := policy.View(principal.System("formulas"), cfg.Clock(), cfg.Zone)
	for _, m := range others {
		change, err := w.LookAtFormulas(ctx, view, m)
		if err != nil {
			return nil, fmt.Errorf("look at the formulas of %s: %w", m.Model.Code, err)
		}
		p.Steps = append(p.Steps, formulaStep(m.Model, change))
	}
	return p, nil
}

// formulaStep words what becomes of the stored values of a model; change is nil where its tables are not there yet.
func formulaStep(m *catalog.Model, change *record.FormulaChange) store.Step {
	s := store.Step{Action: store.Recompute, Class: store.Safe, Table: m.Table, Model: m.Code}
	if i := slices.IndexFunc(m.Computed, func(f *catalog.Field) bool { return f.Model == m && f.At != "" }); i >= 0 {
		s.At = m.Computed[i].At
	}
	say := func(n int, args ...any) {
		of := [2]string{}
		for i, locale := range []string{"zh", "en"} {
			of[i] = s.Text.In(locale) + diag.Fill(formulaTexts[locale][n], args, locale)
		}
		s.Text = plan.Label{Zh: of[0], I18n: map[string]string{"en": of[1]}}
	}
	say(0, m.Code)
	if change == nil {
		say(1)
		return s
	}
	s.Count = change.Changed
	say(2, change.Checked, change.Records, change.Changed)
	if change.Changed > 0 {
		say(3, strings.Join(change.Fields, ", "))
	}
	if change.Approved > 0 {
		say(4, change.Approved)
	}
	if change.Sealed > 0 {
		say(6, change.Sealed)
	}
	if change.Changed > 0 && len(m.Dependents) > 0 {
		say(5)
	}
	return s
}

var formulaTexts = map[string][]string{
	"zh": {"{0} 的公式已更改，其记录将重新计算", "（数据表同时更改，未统计变化的值）", "：检查了 {1} 条记录中的 {0} 条，其中 {2} 条的值会改变", "（{0}）", "，包括流程已审批完成但未锁定的 {0} 条", "；引用这些值的公式随之更新", "；另有 {0} 条已审批锁定的记录保留审批时的值"},
	"en": {"formulas of {0} changed; its records are computed again", " (values that change were not counted: tables change as well)", ": of {0} {0|record|records} checked, out of {1}, {2} {2|gets|get} other values", " ({0})",
		", among them {0} that a workflow completed without sealing {0|it|them}", "; formulas that read these values follow",
		"; {0} sealed {0|record keeps|records keep} the approved values"},
}
