package quality

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// asText is a value of the log; "" when there is nothing.
func asText(values map[string]any) any {
	if len(values) == 0 {
		return nil
	}
	out, err := json.Marshal(values)
	if err != nil || len(out) > 20_000 {
		return nil
	}
	return string(out)
}

// afterPart evaluates the node of a process, binding, record or corrective action that was written.
func afterPart(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) {
		return err
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	now := text(either(e.New()[codes.QbsID], e.Old[codes.QbsID]))
	if err := r.note(ctx, e, now); err != nil {
		return err
	}
	if e.Model == record {
		r.day = dayOf(e.New())
		if err := r.completed(ctx, e); err != nil {
			return err
		}
	}
	if e.Model == record && !e.Delete && text(e.New()[codes.Conclusion]) == rule.NotOK && text(e.New()[codes.State]) == codes.OptionCompleted {
		if err := r.demand(ctx, e.ID, e.New()); err != nil {
			return err
		}
	}
	for _, id := range slices.Compact([]string{now, text(e.Old[codes.QbsID])}) {
		if id == "" {
			continue
		}
		if err := r.roll(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// demand opens the corrective action of a record that failed, unless it has one.
func (r *roller) demand(ctx context.Context, id string, values map[string]any) error {
	has, err := r.w.Find(ctx, ncr, map[string]any{codes.RecordID: id}, 1)
	if err != nil || len(has) > 0 {
		return err
	}
	n, _, err := r.read(ctx, text(values[codes.QbsID]))
	if err != nil {
		return err
	}
	_, err = r.w.Create(ctx, ncr, map[string]any{codes.QbsID: n.ID, codes.RecordID: id, codes.Level: codes.OptionNormal, codes.Description: failed(n.Text(codes.Name), values[codes.Items]),
		codes.Duty: orNil(text(values[codes.Inspector])), codes.Deadline: r.w.Now().In(r.w.Zone()).AddDate(0, 0, 7).Format("2006-01-02")})
	return err
}

// longest is as many characters as the description of a corrective action has.
const longest = 2000

// rowsIn are the rows of a sub-table, of a record that was read or is being written.
func rowsIn(v any) (out []map[string]any) {
	list, ok := v.([]any)
	if !ok {
		out, _ = v.([]map[string]any)
		return out
	}
	for _, one := range list {
		if row, ok := one.(map[string]any); ok {
			out = append(out, row)
		}
	}
	return out
}

// failed describes a failed inspection by names and figures, which say the same in every language: "Slab 1 · Flatness 42/53".
func failed(name string, items any) string {
	for _, row := range rowsIn(items) {
		if text(row[codes.Conclusion]) == rule.NotOK {
			name += fmt.Sprintf(" · %s %d/%d", text(row[codes.ItemName]), whole(row[codes.OkPoints]), whole(row[codes.Points]))
		}
	}
	if long := []rune(name); len(long) > longest {
		return string(long[:longest-1]) + "…"
	}
	return name
}

// beforeRecord judges the items of an inspection by the rules of their time, numbers its round, and keeps what approved measures rest on.
func beforeRecord(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if !e.Create {
		if err := r.measured(ctx, text(e.Old[codes.QbsID]), e.Old); err != nil {
			return err
		}
	}
	if e.Delete {
		return next()
	}
	for _, code := range []string{codes.Conclusion, codes.Points, codes.OkPoints, codes.Rate, codes.MainItems, codes.MainOk, codes.GeneralItems, codes.GeneralOk, codes.Excellent, codes.RuleTitle, codes.RuleCode, codes.RuleRevision, codes.Rules, codes.State, codes.Round, codes.JudgedItems, codes.FailedItems, codes.VoidItems, codes.ClaimedItems, codes.Party, codes.SignedBy} {
		delete(e.Set, code)
	}
	n, ok, err := r.read(ctx, text(e.New()[codes.QbsID]))
	if err != nil || !ok {
		return or(err, next)
	}
	due, err := r.dueAt(ctx, n)
	if err != nil {
		return err
	}
	if err := staysAt(e); err != nil {
		return err
	}
	waits := true // what is there already is completed behind the write (completed)
	party, err := r.partyOf(ctx, e.Principal, n.Text(codes.ContractID))
	if err != nil {
		return err
	}
	if e.Create {
		e.Set[codes.Party] = orNil(party)
		if waits, err = r.begin(ctx, e, n, due); err != nil {
			return err
		}
	}
	if err := r.inspectorFits(ctx, e, n, due); err != nil {
		return err
	}
	set, err := r.rulesOf(ctx, e, n)
	if err != nil {
		return err
	}
	if err := judge(ctx, r.w, set, due, e, party); err != nil {
		return err
	}
	if !waits && lacksReadings(e.New()) {
		e.Set[codes.State] = codes.OptionDraft
	}
	return next()
}

func lacksReadings(values map[string]any) bool {
	return text(values[codes.Conclusion]) == rule.Incomplete
}

// completed completes a draft that no workflow completes, once its readings are complete. It is a write of the pack: a completed record is sealed
// for who is inspected.
func (r *roller) completed(ctx context.Context, e *hook.Record) error {
	now := e.New()
	if e.Create || e.Delete || e.InProcess || text(now[codes.State]) != codes.OptionDraft || text(e.Old["workflowInstanceId"]) != "" || lacksReadings(now) || r.approved(ctx, e) {
		return nil
	}
	n, ok, err := r.read(ctx, text(now[codes.QbsID]))
	if err != nil || !ok {
		return err
	}
	due, err := r.dueAt(ctx, n)
	if err != nil || due.approves(text(now[codes.RecordKind])) {
		return err
	}
	e.Set[codes.State] = codes.OptionCompleted
	return update(ctx, r.w, record, e.ID, map[string]any{codes.State: codes.OptionCompleted})
}

// approves reports whether a record of a kind waits for the end of a workflow.
func (d *dueAt) approves(kind string) bool {
	return slices.ContainsFunc(d.due.Kinds, func(k rule.DueKind) bool { return k.Kind == kind && k.Workflow != "" })
}

// approved reports whether the binding of a record names a workflow.
func (r *roller) approved(ctx context.Context, e *hook.Record) bool {
	id := text(e.New()[codes.BizID])
	if id == "" {
		return false
	}
	bound, err := r.w.Get(ctx, binding, id)
	return err == nil && text(bound.Values[codes.WorkflowCode]) != ""
}

func or(err error, next func() error) error {
	if err != nil {
		return err
	}
	return next()
}

// measured refuses what would take the ground from an approved measure.
func (r *roller) measured(ctx context.Context, id string, old map[string]any) error {
	if text(old[codes.State]) != codes.OptionCompleted {
		return nil
	}
	n, ok, err := r.read(ctx, id)
	if err == nil && ok && whole(n.Values[codes.FinalMeasures]) > 0 {
		return fault.New(NodeMeasured, n.Text(codes.Name))
	}
	return err
}

// begin gives a new record its round, state and party, and reports whether a workflow completes it. A new round begins when the latest one failed and its corrective action was carried out; records
// of a round that is not whole yet go into it.
func (r *roller) begin(ctx context.Context, e *hook.Record, n world.Row, due *dueAt) (waits bool, err error) {
	if err := r.w.Lock(ctx, "quality.roll."+n.Text(codes.ProjectID)); err != nil {
		return false, err
	}
	f, err := r.parts(ctx, n.ID)
	if err != nil {
		return false, err
	}
	own, counts := f.own(n)
	if err := due.notBoth(e.Principal.UserID, text(e.New()[codes.RecordKind]), n, &f, e.ID); err != nil {
		return false, err
	}
	bound, err := r.onlyOne(ctx, e, own)
	if err != nil {
		return false, err
	}
	if of := text(bound.Values[codes.BizKind]); (of == rule.Sup || of == rule.Test) && of != text(e.New()[codes.RecordKind]) { // a test is done by a test alone
		return false, fault.New(SheetRole, text(bound.Values[codes.SheetTitle]))
	}
	round := f.latestRound()
	if failed := own.Conclusion == rule.NotOK && counts == round; failed || round == 0 {
		if failed && own.NCR == rule.OpenNCR {
			return false, fault.New(RepairFirst, n.Text(codes.Name))
		}
		round++
		if err := r.unconcede(ctx, n.ID); err != nil {
			return false, err
		}
	}
	e.Set[codes.Round], e.Set[codes.State] = decimal.NewFromInt(round), codes.OptionCompleted
	if waits = e.InProcess || text(bound.Values[codes.WorkflowCode]) != "" || due.approves(text(e.New()[codes.RecordKind])); waits {
		e.Set[codes.State] = codes.OptionDraft // until its workflow ends
	}
	return waits, nil
}

// onlyOne returns the binding of a new record, if it has one. A sheet that is filled in once has one record a round: who comes second is told.
func (r *roller) onlyOne(ctx context.Context, e *hook.Record, own rule.Own) (world.Record, error) {
	b := text(e.New()[codes.BizID])
	if b == "" {
		return world.Record{}, nil
	}
	bound, err := r.w.Get(ctx, binding, b)
	if err != nil {
		return world.Record{}, nil // the reference is refused with the others
	}
	status := text(bound.Values[codes.Status])
	again := own.Conclusion == rule.NotOK && status == codes.OptionCompleted
	if whole(bound.Values[codes.Instances]) > 0 && !is(bound.Values[codes.Multi]) && status != codes.OptionCanceled && !again {
		return bound, fault.New(SheetSingle, text(bound.Values[codes.SheetTitle]))
	}
	return bound, nil
}

// rulesOf is the rule set of a record: the one that it was judged by first. A record whose own can't be read, as in generated data, is not judged by others.
func (r *roller) rulesOf(ctx context.Context, e *hook.Record, n world.Row) (*rule.Set, error) {
	if own := text(e.Old[codes.Rules]); own != "" {
		var set rule.Set
		if json.Unmarshal([]byte(own), &set) != nil || set.Code == "" {
			return nil, fault.New(RulesUnreadable)
		}
		return &set, nil
	}
	set, err := r.current(ctx, n.Text(codes.ProjectID))
	if err != nil {
		return nil, err
	}
	kept, err := json.Marshal(set)
	if err != nil {
		return nil, err
	}
	revision := decimal.NewFromInt(int64(set.Revision))
	e.Set[codes.Rules], e.Set[codes.RuleCode], e.Set[codes.RuleRevision] = string(kept), set.Code, revision
	title, known := r.titles[set.Code+"/"+revision.String()]
	if !known {
		if title, err = ruleTitle(ctx, r.w, set.Code, revision); err != nil {
			return nil, err
		}
		r.titles[set.Code+"/"+revision.String()] = title
	}
	e.Set[codes.RuleTitle] = title
	return set, nil
}

// judge evaluates the items in the rows of a record.
func judge(ctx context.Context, w world.World, set *rule.Set, due *dueAt, e *hook.Record, party string) error {
	list, changed := e.Set[codes.Items].([]map[string]any)
	if !changed {
		return nil
	}
	var conclusions, judged, failed, void []string
	before := strings.Fields(text(e.Old[codes.JudgedItems]))
	var points, okPoints, main, mainOK, general, generalOK int64
	excellent := true
	a, err := newAsking(w, due, e, party)
	if err != nil {
		return err
	}
	for i, row := range list {
		if err := a.row(ctx, i, row); err != nil {
			return err
		}
		it := itemOf(row)
		row[codes.Tolerance] = orNil(toleranceText(it))
		if id := text(row[codes.ItemID]); row[codes.Conclusion] == rule.NA && (slices.Contains(before, id) || a.allowed(ctx)) {
			judged = append(judged, id) // for who is inspected alone what failed does not cease to apply
		} else if row[codes.Conclusion] == rule.NA {
			void = append(void, id)
		}
		if row[codes.Conclusion] == rule.NA {
			conclusions = append(conclusions, rule.NA)
			continue
		}
		values, err := Readings(text(row[codes.Values]), it.Method, text(row[codes.Unit]))
		if err != nil {
			return unread(err, codes.ItemsValues, rowName(row, i+1))
		}
		res := set.Evaluate(it, values)
		row[codes.Points], row[codes.OkPoints], row[codes.Rate], row[codes.Conclusion] = itoa(int64(res.Points)), itoa(int64(res.OKPoints)), res.Rate.Round(6).String(), res.Conclusion
		row[codes.MaxDev] = nil
		if res.MaxDev != nil {
			row[codes.MaxDev] = res.MaxDev.Round(4).String()
		}
		conclusions = append(conclusions, res.Conclusion)
		if res.Conclusion == rule.OK || res.Conclusion == rule.NotOK {
			judged = append(judged, text(row[codes.ItemID]))
		}
		if res.Conclusion == rule.NotOK {
			failed = append(failed, text(row[codes.ItemID]))
		}
		points, okPoints = points+int64(res.Points), okPoints+int64(res.OKPoints)
		passed := count(res.Conclusion == rule.OK)
		if it.Class == rule.Main {
			main, mainOK = main+1, mainOK+passed
		} else {
			general, generalOK = general+1, generalOK+passed
		}
		excellent = excellent && set.Excellent(res)
	}
	if err := a.refusal(); err != nil {
		return err
	}
	d := decimal.NewFromInt
	e.Set[codes.Items] = list
	e.Set[codes.JudgedItems], e.Set[codes.FailedItems] = orNil(strings.Join(judged, " ")), orNil(strings.Join(failed, " "))
	e.Set[codes.VoidItems], e.Set[codes.ClaimedItems] = orNil(strings.Join(void, " ")), orNil(strings.Join(a.claims, " "))
	e.Set[codes.Conclusion], e.Set[codes.Points], e.Set[codes.OkPoints] = rule.Record(conclusions), d(points), d(okPoints)
	e.Set[codes.MainItems], e.Set[codes.MainOk], e.Set[codes.GeneralItems], e.Set[codes.GeneralOk], e.Set[codes.Excellent] = d(main), d(mainOK), d(general), d(generalOK), excellent
	e.Set[codes.Rate] = nil
	if points > 0 {
		e.Set[codes.Rate] = d(okPoints).DivRound(d(points), 6)
	}
	return nil
}

// toleranceText is what a point may be, as norms write it: ±10, -5 … +10, and with one bound ≤ 8 or ≥ -5, without the sign that a pair of deviations
// has. "" where nothing bounds it.
func toleranceText(it rule.Item) string {
	low, high, sign := it.DevLow, it.DevHigh, "+"
	if low == nil && high == nil {
		low, high, sign = it.LimitLow, it.LimitHigh, ""
	}
	signed := func(d *decimal.Decimal) string {
		if d.IsPositive() {
			return sign + d.String()
		}
		return d.String()
	}
	switch {
	case low != nil && high != nil && low.Equal(high.Neg()):
		return "±" + high.String()
	case low != nil && high != nil:
		return signed(low) + " … " + signed(high)
	case low != nil:
		return "≥ " + low.String()
	case high != nil:
		return "≤ " + high.String()
	}
	return ""
}
