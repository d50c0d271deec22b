package quality

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
)

// evaluation is the sheet on which the parties sign the evaluation of a work item, of divisional or of unit works.
const evaluation = "q_eval"

// snapshot are the figures of a node that an evaluation sheet keeps.
var snapshot = []string{"nodeType", "evalStatus", "passRate", "points", "okPoints", "mainItems", "mainOk", "generalItems", "generalOk", "ncrOpen", "docComplete", "appearance", "concession", "ruleRevision"}

var counts = map[string]bool{"passRate": true, "points": true, "okPoints": true, "mainItems": true, "mainOk": true, "generalItems": true, "generalOk": true, "ncrOpen": true, "ruleRevision": true}

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
	for _, code := range append([]string{"ruleTitle", "parts"}, snapshot...) {
		delete(e.Set, code)
	}
	if status := text(e.Old["sequenceStatus"]); !e.Create && status != "DRAFT" {
		return next()
	}
	id := text(e.New()["qbsId"])
	n, err := e.World.Get(ctx, node, id)
	if err != nil {
		return next() // the reference is refused with the others
	}
	for _, code := range snapshot {
		e.Set[code] = n.Values[code]
		if counts[code] {
			e.Set[code] = orNone(number(n.Values[code]))
		}
	}
	if text(e.New()["part"]) == "" {
		e.Set["part"] = text(n.Values["name"])
	}
	if c := text(n.Values["contractId"]); c != "" {
		e.Set["contractId"] = c
	}
	if e.Set["ruleTitle"], err = ruleTitle(ctx, e.World, text(n.Values["ruleCode"]), n.Values["ruleRevision"]); err != nil {
		return err
	}
	parts := []map[string]any{}
	for row, err := range e.World.Rows(ctx, "quality.children", world.Args{"id": id}) {
		if err != nil {
			return err
		}
		one := map[string]any{}
		for _, code := range []string{"code", "name", "nodeType", "points", "okPoints", "passRate", "evalStatus"} {
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
	e.Set["parts"] = parts
	return next()
}

// ruleTitle is the title of the rule set by which a node was judged; nil when it was not.
func ruleTitle(ctx context.Context, w world.World, code string, revision any) (any, error) {
	if code == "" {
		return nil, nil
	}
	found, err := w.Find(ctx, ruleSet, map[string]any{"code": code, "revision": itoa(whole(revision))}, 1)
	if err != nil || len(found) == 0 {
		return code, err
	}
	r, err := w.Get(ctx, ruleSet, found[0])
	return text(r.Values["title"]), err
}
