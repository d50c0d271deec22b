package quality

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// evaluation is the sheet on which the parties sign the evaluation of a work item, of divisional or of unit works.
var evaluation = codes.Evaluation

// snapshot are the figures of a node that an evaluation sheet keeps.
var snapshot = []string{codes.NodeType, codes.EvalStatus, codes.PassRate, codes.Points, codes.OkPoints, codes.MainItems, codes.MainOk, codes.GeneralItems, codes.GeneralOk, codes.NcrOpen, codes.DocComplete, codes.Appearance, codes.Concession, codes.Missing, codes.DueChanges, codes.RuleRevision}

var counts = map[string]bool{codes.PassRate: true, codes.Points: true, codes.OkPoints: true, codes.MainItems: true, codes.MainOk: true, codes.GeneralItems: true, codes.GeneralOk: true, codes.NcrOpen: true, codes.RuleRevision: true, codes.Missing: true, codes.DueChanges: true}

func orNone(v *decimal.Decimal) any {
	if v == nil {
		return nil
	}
	return *v
}

// beforeEvaluation writes down how a node and its parts are evaluated at the moment, as the person who saves sees them. It stays when the
// sheet has been sent: what was signed does not change. Nobody else writes these values.
func beforeEvaluation(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) || e.Delete {
		return next()
	}
	for _, code := range append([]string{codes.RuleTitle, codes.Parts}, snapshot...) {
		delete(e.Set, code)
	}
	if status := text(e.Old["sequenceStatus"]); !e.Create && status != "DRAFT" {
		return next()
	}
	id := text(e.New()[codes.QbsID])
	n, err := e.World.Get(ctx, node, id)
	if err != nil {
		return next() // the reference is refused with the others
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	stored, _, err := r.read(ctx, id)
	if err != nil {
		return err
	}
	for _, code := range snapshot {
		e.Set[code] = n.Values[code]
		if counts[code] {
			e.Set[code] = orNone(number(n.Values[code]))
		}
	}
	// No open action was ever counted: that is none, where no value at all would be one that the person may not see.
	if status := text(n.Values[codes.EvalStatus]); status != "" && status != rule.None && stored.Values[codes.NcrOpen] == nil {
		e.Set[codes.NcrOpen] = decimal.Zero
	}
	if text(e.New()[codes.Part]) == "" {
		e.Set[codes.Part] = text(n.Values[codes.Name])
	}
	if e.Set[codes.RuleTitle], err = ruleTitle(ctx, e.World, text(n.Values[codes.RuleCode]), n.Values[codes.RuleRevision]); err != nil {
		return err
	}
	parts := []map[string]any{}
	children, err := rows(ctx, e.World, "quality.children", world.Args{"id": id})
	if err != nil {
		return err
	}
	for _, row := range ordered(children) {
		one := map[string]any{}
		for _, code := range []string{codes.Code, codes.Name, codes.NodeType, codes.Points, codes.OkPoints, codes.PassRate, codes.EvalStatus} {
			one[code] = row.Values[code]
			if counts[code] {
				one[code] = nil
				if v := number(row.Values[code]); v != nil {
					one[code] = v.String() // rows of sub-tables have the form of a request
				}
			}
		}
		parts = append(parts, one)
	}
	e.Set[codes.Parts] = parts
	return next()
}

// ruleTitle is the title of the rule set by which a node was judged; nil when it was not.
func ruleTitle(ctx context.Context, w world.World, code string, revision any) (any, error) {
	if code == "" {
		return nil, nil
	}
	found, err := w.Find(ctx, ruleSet, map[string]any{codes.Code: code, codes.Revision: itoa(whole(revision))}, 1)
	if err != nil || len(found) == 0 {
		return code, err
	}
	r, err := w.Get(ctx, ruleSet, found[0])
	return text(r.Values[codes.Title]), err
}
