package quality

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// setOf is the rule set of a node: the revision that it was evaluated by before, else the current one of its project.
func (r *roller) setOf(ctx context.Context, n world.Row) (*rule.Set, error) {
	if code := n.Text(codes.RuleCode); code != "" {
		return r.set(ctx, code, whole(n.Values[codes.RuleRevision]))
	}
	return r.current(ctx, n.Text(codes.ProjectID))
}

// current is the rule set that a project names, in its current revision.
func (r *roller) current(ctx context.Context, projectID string) (*rule.Set, error) {
	code, known := r.projects[projectID]
	if !known {
		found, err := r.w.Get(ctx, project, projectID)
		if err != nil {
			return nil, err
		}
		code = text(found.Values[codes.EvalRule])
		r.projects[projectID] = code
	}
	return r.set(ctx, code, 0)
}

// set reads a revision of a rule set; 0 is the current one.
func (r *roller) set(ctx context.Context, code string, revision int64) (*rule.Set, error) {
	key := code + "@" + itoa(revision)
	if s := r.sets[key]; s != nil {
		return s, nil
	}
	query, args := "quality.ruleNow", world.Args{"code": code}
	if revision > 0 {
		query, args = "quality.ruleThen", world.Args{"code": code, "revision": decimal.NewFromInt(revision)}
	}
	found, ok, err := first(r.w.Rows(ctx, query, args))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fault.Refuse("没有评定标准 "+code, "There is no rule set "+code)
	}
	at := found.ID + "@" + itoa(whole(found.Values["version"]))
	if known, ok := parsed.Load(at); ok {
		r.sets[key], _ = known.(*rule.Set)
		return r.sets[key], nil
	}
	one, err := r.w.Get(ctx, ruleSet, found.ID)
	if err != nil {
		return nil, err
	}
	s, err := readSet(one.Values)
	if err != nil {
		return nil, err
	}
	r.sets[key] = s
	if one.Version == whole(found.Values["version"]) {
		parsed.Store(at, s)
	}
	return s, nil
}

// parsed are rule sets that were read, by id and version of their record: each node that is written asks for one. Nothing changes them.
var parsed sync.Map

// readSet makes a rule set of a record of q_rule.
func readSet(values map[string]any) (*rule.Set, error) {
	text, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	var wire struct {
		rule.Set
		Revision   decimal.Decimal `json:"revision"`
		Compaction []struct {
			N, T       decimal.Decimal
			Confidence *decimal.Decimal
		} `json:"compaction"`
		Strength []struct {
			From                  decimal.Decimal
			Below, L1, L2, L3, L4 *decimal.Decimal
			MeanOver, LeastUnder  *decimal.Decimal
		} `json:"strength"`
	}
	var plain map[string]json.RawMessage
	if err := json.Unmarshal(text, &plain); err != nil {
		return nil, err
	}
	for code, v := range plain { // empty thresholds keep their zero value
		if string(v) == "null" {
			delete(plain, code)
		}
	}
	if text, err = json.Marshal(plain); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &wire); err != nil {
		return nil, err
	}
	s := wire.Set
	s.Revision = int(wire.Revision.IntPart())
	for _, c := range wire.Compaction {
		s.Compaction = append(s.Compaction, rule.Coefficient{N: int(c.N.IntPart()), T: c.T, Confidence: c.Confidence})
	}
	for _, l := range wire.Strength {
		s.Strength = append(s.Strength, rule.Strength{From: int(l.From.IntPart()), Below: l.Below, L1: l.L1, L2: l.L2, L3: l.L3, L4: l.L4, MeanOver: l.MeanOver, LeastUnder: l.LeastUnder})
	}
	return &s, nil
}

// beforeRules keeps the revision that was in force: a change of a rule set makes a copy of it as it was, and counts the revision on. Nodes and
// records that were evaluated by it keep it.
func beforeRules(ctx context.Context, e *hook.Record, next func() error) error {
	return keepRevision(ctx, e, next, ruleSet, ruleColumns)
}

// keepRevision makes a change of a record a new revision of it: a copy, which is not the current one, stays as it was.
func keepRevision(ctx context.Context, e *hook.Record, next func() error, model string, columns []string) error {
	if e.Create || e.Delete || byPack(e) {
		return next()
	}
	if !is(e.Old[codes.Current]) {
		return fault.Refuse("以前的版次不能修改", "Earlier revisions can't be changed")
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	was, err := r.w.Get(ctx, model, e.ID)
	if err != nil {
		return err
	}
	copied := map[string]any{codes.Current: false}
	for _, code := range columns {
		if v := was.Values[code]; v != nil {
			copied[code] = withoutIDs(v)
		}
	}
	delete(e.Set, codes.Code) // the code tells revisions together
	e.Set[codes.Revision] = decimal.NewFromInt(whole(e.Old[codes.Revision]) + 1)
	if err := next(); err != nil {
		return err
	}
	_, err = r.w.Create(ctx, model, copied)
	return err
}

var ruleColumns = []string{codes.Code, codes.Title, codes.Revision, codes.MainRate, codes.MachineMainRate, codes.GeneralRate, codes.SafetyFactor, codes.MachineFactor, codes.GeneralFactor, codes.Extremes, codes.CompactionLow, codes.CompactionPoint,
	codes.Compaction, codes.Confidence, codes.LookRate, codes.Strength, codes.LeastDeviation, codes.MeanDigits, codes.DeviationDigits, codes.Levels, codes.Grading, codes.ExcellentRate, codes.ExcellentShare}

// withoutIDs makes rows of a sub-table new ones.
func withoutIDs(v any) any {
	list, isList := v.([]any)
	if !isList {
		return v
	}
	out := make([]any, len(list))
	for i, one := range list {
		row, _ := one.(map[string]any)
		fresh := map[string]any{}
		for code, v := range row {
			if of, isMap := v.(map[string]any); isMap && of["id"] != nil {
				v = of["id"] // a relation
			}
			if code != "id" {
				fresh[code] = v
			}
		}
		out[i] = fresh
	}
	return out
}
