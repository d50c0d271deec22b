package quality

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
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
	now := text(either(e.New()["qbsId"], e.Old["qbsId"]))
	if e.Model == record && !e.Delete && text(e.New()["conclusion"]) == rule.NotOK && text(e.New()["state"]) == "COMPLETED" {
		if err := r.demand(ctx, e.ID, e.New()); err != nil {
			return err
		}
	}
	for _, id := range slices.Compact([]string{now, text(e.Old["qbsId"])}) {
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
	has, err := r.w.Find(ctx, ncr, map[string]any{"recordId": id}, 1)
	if err != nil || len(has) > 0 {
		return err
	}
	n, _, err := r.read(ctx, text(values["qbsId"]))
	if err != nil {
		return err
	}
	_, err = r.w.Create(ctx, ncr, map[string]any{"qbsId": n.ID, "recordId": id, "level": "NORMAL", "description": n.Text("name") + "：检查不合格 / inspection failed",
		"duty": orNil(text(values["inspector"])), "deadline": r.w.Now().In(r.w.Zone()).AddDate(0, 0, 7).Format("2006-01-02"), "contractId": orNil(n.Text("contractId"))})
	return err
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
		if err := r.measured(ctx, text(e.Old["qbsId"]), e.Old); err != nil {
			return err
		}
	}
	if e.Delete {
		return next()
	}
	for _, code := range []string{"conclusion", "points", "okPoints", "rate", "mainItems", "mainOk", "generalItems", "generalOk", "excellent", "ruleCode", "ruleRevision", "rules", "state", "round"} {
		delete(e.Set, code)
	}
	n, ok, err := r.read(ctx, text(e.New()["qbsId"]))
	if err != nil || !ok {
		return or(err, next)
	}
	if e.Create {
		if err := r.begin(ctx, e, n); err != nil {
			return err
		}
	}
	set, err := r.rulesOf(ctx, e, n)
	if err != nil {
		return err
	}
	if err := judge(ctx, r.w, set, e); err != nil {
		return err
	}
	return next()
}

func or(err error, next func() error) error {
	if err != nil {
		return err
	}
	return next()
}

// measured refuses what would take the ground from an approved measure.
func (r *roller) measured(ctx context.Context, id string, old map[string]any) error {
	if text(old["state"]) != "COMPLETED" {
		return nil
	}
	n, ok, err := r.read(ctx, id)
	if err == nil && ok && whole(n.Values["finalMeasures"]) > 0 {
		return fault.New(NodeMeasured, n.Text("name"))
	}
	return err
}

// begin gives a new record its round, state and contract. A new round begins when the latest one failed.
func (r *roller) begin(ctx context.Context, e *hook.Record, n world.Row) error {
	if err := r.w.Lock(ctx, "quality.roll."+n.Text("projectId")); err != nil {
		return err
	}
	f, err := r.parts(ctx, n.ID)
	if err != nil {
		return err
	}
	own, round := f.own(n)
	if own.Conclusion == rule.NotOK || round == 0 {
		round++
	}
	e.Set["round"], e.Set["state"] = decimal.NewFromInt(round), "COMPLETED"
	if n.Text("contractId") != "" {
		e.Set["contractId"] = n.Text("contractId")
	}
	if b := text(e.New()["bizId"]); b != "" {
		bound, err := r.w.Get(ctx, binding, b)
		if err == nil && text(bound.Values["workflowCode"]) != "" {
			e.Set["state"] = "DRAFT" // until its workflow ends
		}
	}
	return nil
}

// rulesOf is the rule set of a record: the one that it was judged by first.
func (r *roller) rulesOf(ctx context.Context, e *hook.Record, n world.Row) (*rule.Set, error) {
	if kept := text(e.Old["rules"]); kept != "" {
		var set rule.Set
		err := json.Unmarshal([]byte(kept), &set)
		return &set, err
	}
	set, err := r.current(ctx, n.Text("projectId"))
	if err != nil {
		return nil, err
	}
	kept, err := json.Marshal(set)
	if err != nil {
		return nil, err
	}
	e.Set["rules"], e.Set["ruleCode"], e.Set["ruleRevision"] = string(kept), set.Code, decimal.NewFromInt(int64(set.Revision))
	return set, nil
}

// judge evaluates the items in the rows of a record.
func judge(ctx context.Context, w world.World, set *rule.Set, e *hook.Record) error {
	list, changed := e.Set["items"].([]map[string]any)
	if !changed {
		return nil
	}
	var conclusions []string
	var points, okPoints, main, mainOK, general, generalOK int64
	excellent := true
	for _, row := range list {
		it, err := itemOf(ctx, w, row)
		if err != nil {
			return err
		}
		if row["conclusion"] == rule.NA {
			conclusions = append(conclusions, rule.NA)
			continue
		}
		values, ok := Readings(text(row["values"]))
		if !ok {
			return refuse("items", fault.FieldType)
		}
		res := set.Evaluate(it, values)
		row["points"], row["okPoints"], row["rate"], row["conclusion"] = itoa(int64(res.Points)), itoa(int64(res.OKPoints)), res.Rate.Round(6).String(), res.Conclusion
		row["maxDev"] = nil
		if res.MaxDev != nil {
			row["maxDev"] = res.MaxDev.Round(4).String()
		}
		conclusions = append(conclusions, res.Conclusion)
		points, okPoints = points+int64(res.Points), okPoints+int64(res.OKPoints)
		passed := count(res.Conclusion == rule.OK)
		if it.Class == rule.Main {
			main, mainOK = main+1, mainOK+passed
		} else {
			general, generalOK = general+1, generalOK+passed
		}
		excellent = excellent && set.Excellent(res)
	}
	d := decimal.NewFromInt
	e.Set["items"] = list
	e.Set["conclusion"], e.Set["points"], e.Set["okPoints"] = rule.Record(conclusions), d(points), d(okPoints)
	e.Set["mainItems"], e.Set["mainOk"], e.Set["generalItems"], e.Set["generalOk"], e.Set["excellent"] = d(main), d(mainOK), d(general), d(generalOK), excellent
	e.Set["rate"] = nil
	if points > 0 {
		e.Set["rate"] = d(okPoints).DivRound(d(points), 6)
	}
	return nil
}

// itemOf reads a row; what the row leaves out comes from the library.
func itemOf(ctx context.Context, w world.World, row map[string]any) (it rule.Item, err error) {
	if text(row["itemClass"]) == "" || text(row["evalMethod"]) == "" {
		item, err := w.Get(ctx, checkItem, text(row["itemId"]))
		if err != nil {
			return it, err
		}
		for _, code := range []string{"itemName", "itemClass", "evalMethod", "unit", "devLow", "devHigh", "limitLow", "limitHigh", "minPoints", "safetyFlag", "machineFlag"} {
			if row[code] == nil {
				row[code] = item.Values[code]
			}
		}
	}
	it = rule.Item{Class: text(row["itemClass"]), Method: text(row["evalMethod"]), Design: number(row["designValue"]), DevLow: number(row["devLow"]), DevHigh: number(row["devHigh"]),
		LimitLow: number(row["limitLow"]), LimitHigh: number(row["limitHigh"]), MinPoints: int(whole(row["minPoints"])), Safety: is(row["safetyFlag"]), Machine: is(row["machineFlag"])}
	return it, nil
}

// Readings reads measured values as people write them: 12; 15, -3 or one on a line. Yes and no are 1 and 0. False when a part is none of these.
func Readings(s string) (out []decimal.Decimal, ok bool) {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(";；,，、 \t\r\n", r) })
	for _, word := range words {
		switch strings.ToLower(word) {
		case "yes", "是", "√", "合格":
			word = "1"
		case "no", "否", "×", "不合格":
			word = "0"
		}
		d, err := decimal.NewFromString(strings.TrimPrefix(word, "+"))
		if err != nil || d.Exponent() < -8 || d.NumDigits() > 20 {
			return nil, false
		}
		out = append(out, d)
	}
	return out, true
}

// beforeProcess refuses circles and processes of nodes that have parts.
func beforeProcess(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	delete(e.Set, "status")
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if e.Delete {
		if s := text(e.Old["status"]); s == "DOING" || s == "DONE" {
			return fault.New(ProcessStarted, text(e.Old["title"]))
		}
		return next()
	}
	now := e.New()
	n, ok, err := r.read(ctx, text(now["qbsId"]))
	if err != nil || !ok {
		return or(err, next)
	}
	if n.Text("contractId") != "" {
		e.Set["contractId"] = n.Text("contractId")
	}
	if e.Create {
		below, err := rows(ctx, r.w, "quality.children", world.Args{"id": n.ID})
		if err != nil {
			return err
		}
		if len(below) > 0 {
			return refuse("qbsId", NotLowest, n.Text("name"))
		}
	}
	if _, set := e.Set["prevIds"]; set {
		if err := r.acyclic(ctx, n.ID, e.ID, ids(now["prevIds"])); err != nil {
			return err
		}
	}
	return next()
}

// acyclic refuses processes before each other in a circle.
func (r *roller) acyclic(ctx context.Context, nodeID, id string, before []string) error {
	all, err := rows(ctx, r.w, "quality.processes", world.Args{"id": nodeID})
	if err != nil {
		return err
	}
	prev, title := map[string][]string{id: before}, map[string]string{}
	for _, p := range all {
		title[p.ID] = p.Text("title")
		if p.ID != id {
			prev[p.ID] = p.Set("prevIds")
		}
	}
	seen := map[string]bool{}
	var back func(at string) bool
	back = func(at string) bool {
		if at == id {
			return true
		}
		if seen[at] {
			return false
		}
		seen[at] = true
		return slices.ContainsFunc(prev[at], back)
	}
	for _, p := range before {
		if back(p) {
			return refuse("prevIds", ProcessCycle, title[id]+" ← "+title[p])
		}
	}
	return nil
}

// beforeBinding checks that a binding names a sheet, and keeps one that has records.
func beforeBinding(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	for _, code := range []string{"instances", "objectId", "status", "statusTime"} {
		if !e.Create || code != "status" {
			delete(e.Set, code)
		}
	}
	if e.Delete {
		if n := whole(e.Old["instances"]); n > 0 {
			return fault.New(SheetUsed, n)
		}
		return next()
	}
	if e.Create {
		e.Set["status"] = "NONE"
	}
	now := e.New()
	if _, set := e.Set["schemaCode"]; set {
		title, ok := sheetTitle(e.World, text(now["schemaCode"]))
		if !ok {
			return refuse("schemaCode", SheetUnknown, text(now["schemaCode"]))
		}
		if text(now["sheetTitle"]) == "" {
			e.Set["sheetTitle"] = title
		}
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if n, ok, err := r.read(ctx, text(now["qbsId"])); err != nil {
		return err
	} else if ok && n.Text("contractId") != "" {
		e.Set["contractId"] = n.Text("contractId")
	}
	return next()
}

// sheetTitle is how a business sheet is called: a model with a relation bizId to bindings and one, qbsId, to nodes. False for other models.
func sheetTitle(w world.World, model string) (string, bool) {
	m, ok := w.ModelOf(model)
	if !ok {
		return "", false
	}
	found := 0
	for _, p := range m.Properties {
		if p.Code == "bizId" && p.Relation == binding || p.Code == "qbsId" && p.Relation == node {
			found++
		}
	}
	return m.Name.Zh, found == 2
}

// beforeSheet is for every model: a new record of a business sheet begins only when its process is open, and takes node and contract from
// its binding.
func beforeSheet(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) || e.Delete || text(e.Set["bizId"]) == "" {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	bound, err := r.w.Get(ctx, binding, text(e.Set["bizId"]))
	if err != nil {
		return next() // the reference is refused with the others
	}
	e.Set["qbsId"] = text(bound.Values["qbsId"])
	if c := text(bound.Values["contractId"]); c != "" {
		e.Set["contractId"] = c
	}
	if !e.Create {
		return next()
	}
	if whole(bound.Values["instances"]) > 0 && !is(bound.Values["multi"]) && text(bound.Values["status"]) != "CANCELED" && e.Model != record {
		return fault.New(SheetSingle, text(bound.Values["sheetTitle"]))
	}
	if id := text(bound.Values["jbsId"]); id != "" {
		p, err := rows(ctx, r.w, "quality.processes", world.Args{"id": text(bound.Values["qbsId"])})
		if err != nil {
			return err
		}
		byID := map[string]world.Row{}
		for _, one := range p {
			byID[one.ID] = one
		}
		if before := lockedBy(byID[id], byID); before != "" {
			return fault.New(ProcessLocked, byID[id].Text("title"), before)
		}
	}
	return next()
}

// afterSheet tells the binding of a record of a business sheet that was made or removed, and evaluates the node.
func afterSheet(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) || !e.Create && !e.Delete {
		return err
	}
	b := text(either(e.Set["bizId"], e.Old["bizId"]))
	if b == "" {
		return nil
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	bound, err := r.w.Get(ctx, binding, b)
	if err != nil {
		return err
	}
	n := whole(bound.Values["instances"])
	values := map[string]any{"statusTime": r.w.Now().UTC().Format("2006-01-02T15:04:05Z")}
	if e.Delete {
		n--
		if text(bound.Values["objectId"]) == e.ID || n <= 0 {
			values["objectId"], values["status"] = nil, "NONE"
		}
	} else {
		n++
		values["objectId"], values["status"] = e.ID, "COMPLETED"
		if text(bound.Values["workflowCode"]) != "" {
			values["status"] = "DRAFT"
		}
	}
	values["instances"] = itoa(max(0, n))
	if _, err := r.w.Update(ctx, binding, b, bound.Version, values); err != nil {
		return err
	}
	return r.roll(ctx, text(bound.Values["qbsId"]))
}

// moved follows the workflows of sheets and inspections.
func moved(ctx context.Context, e *hook.Move, next func() error) error {
	if err := next(); err != nil {
		return err
	}
	w, err := e.As(engine)
	if err != nil {
		return err
	}
	r := &roller{w: w, sets: map[string]*rule.Set{}, projects: map[string]string{}}
	nodes := map[string]bool{}
	if e.Model == record {
		if err := r.movedRecord(ctx, e, nodes); err != nil {
			return err
		}
	}
	bound, ok, err := first(w.Rows(ctx, "quality.bindingOf", world.Args{"object": e.ID}))
	if err != nil {
		return err
	}
	if ok {
		values := map[string]any{"status": sheetState(e), "statusTime": w.Now().UTC().Format("2006-01-02T15:04:05Z")}
		if _, err := w.Update(ctx, binding, bound.ID, whole(bound.Values["version"]), values); err != nil {
			return err
		}
		nodes[bound.Text("qbsId")] = true
	}
	for id := range nodes {
		if err := r.roll(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// sheetState is the state of a sheet that a workflow has moved. One whose workflow was deleted is a draft again.
func sheetState(e *hook.Move) string {
	switch {
	case e.Instance == "":
		return "DRAFT"
	case e.New == "DRAFT", e.New == "COMPLETED", e.New == "CANCELED":
		return e.New
	}
	return "PROCESSING"
}

func (r *roller) movedRecord(ctx context.Context, e *hook.Move, nodes map[string]bool) error {
	found, err := r.w.Get(ctx, record, e.ID)
	if err != nil {
		return err
	}
	state := sheetState(e)
	if state != "COMPLETED" {
		if err := r.measured(ctx, text(found.Values["qbsId"]), found.Values); err != nil {
			return err
		}
	}
	if _, err := r.w.Update(ctx, record, e.ID, found.Version, map[string]any{"state": state}); err != nil {
		return err
	}
	if state == "COMPLETED" && text(found.Values["conclusion"]) == rule.NotOK {
		if err := r.demand(ctx, e.ID, found.Values); err != nil {
			return err
		}
	}
	nodes[text(found.Values["qbsId"])] = true
	return nil
}

// beforeRelation binds a component once, or by shares that add up to one.
func beforeRelation(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if e.Delete {
		if whole(e.Old["measures"]) > 0 {
			c, err := r.w.Get(ctx, component, text(e.Old["mbsId"]))
			if err != nil {
				return err
			}
			return fault.New(ComponentMeasured, text(c.Values["code"]))
		}
		return next()
	}
	now := e.New()
	id, ratio := text(now["mbsId"]), decimal.NewFromInt(1)
	if v := number(now["ratio"]); v != nil {
		ratio = *v
	}
	if err := r.w.Lock(ctx, "quality.component."+id); err != nil {
		return err
	}
	others, err := rows(ctx, r.w, "quality.boundTo", world.Args{"id": id})
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.ID == e.ID {
			continue
		}
		if ratio = ratio.Add(o.Number("ratio")); ratio.GreaterThan(decimal.NewFromInt(1)) {
			c, err := r.w.Get(ctx, component, id)
			if err != nil {
				return err
			}
			return fault.New(ComponentBound, text(c.Values["code"]), o.Text("qbsId.name"))
		}
	}
	if e.Create {
		e.Set["boundBy"], e.Set["boundTime"] = e.Principal.UserID, r.w.Now().UTC()
	}
	if n, ok, err := r.read(ctx, text(now["qbsId"])); err != nil {
		return err
	} else if ok && n.Text("contractId") != "" {
		e.Set["contractId"] = n.Text("contractId")
	}
	return next()
}

// steps are the states that a corrective action can go to.
var steps = map[string][]string{"OPEN": {"FIXED"}, "FIXED": {"REVIEWED", "REJECTED"}, "REJECTED": {"FIXED"}}

// beforeNCR lets a corrective action go one step.
func beforeNCR(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) || e.Delete {
		return next()
	}
	now, was := text(e.New()["status"]), text(e.Old["status"])
	if e.Create {
		e.Set["status"] = "OPEN"
	} else if now != was && !slices.Contains(steps[was], now) {
		return refuse("status", NCRState, was, now)
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if n, ok, err := r.read(ctx, text(e.New()["qbsId"])); err != nil {
		return err
	} else if ok && n.Text("contractId") != "" {
		e.Set["contractId"] = n.Text("contractId")
	}
	return next()
}

// beforeGroup refuses a scope that another group checks for the same items.
func beforeGroup(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if e.Delete {
		return next() // records keep it: Holders
	}
	now := e.New()
	if is(now["allowOverlap"]) {
		return next()
	}
	others, err := rows(ctx, r.w, "quality.groups", nil)
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.ID == e.ID || o.Is("allowOverlap") {
			continue
		}
		if place, item, err := r.overlap(ctx, ids(now["qbsIds"]), ids(now["itemCodes"]), o); err != nil {
			return err
		} else if place != "" {
			return refuse("qbsIds", GroupOverlap, o.Text("groupName"), place, item)
		}
	}
	return next()
}

// overlap is a node and an item that two groups check; "" when there is none. A group without items checks all of them.
func (r *roller) overlap(ctx context.Context, places, items []string, o world.Row) (place, item string, err error) {
	item = "*"
	if theirs := o.Set("itemCodes"); len(items) > 0 && len(theirs) > 0 {
		i := slices.IndexFunc(items, func(id string) bool { return slices.Contains(theirs, id) })
		if i < 0 {
			return "", "", nil
		}
		found, err := r.w.Get(ctx, checkItem, items[i])
		if err != nil {
			return "", "", err
		}
		item = text(found.Values["itemName"])
	}
	mine, err := r.paths(ctx, places)
	if err != nil {
		return "", "", err
	}
	their, err := r.paths(ctx, o.Set("qbsIds"))
	if err != nil {
		return "", "", err
	}
	for id, above := range mine {
		for other, aboveOther := range their {
			if slices.Contains(above, other) || slices.Contains(aboveOther, id) {
				n, _, err := r.read(ctx, id)
				return n.Text("name"), item, err
			}
		}
	}
	return "", "", nil
}

// paths are the nodes from each node up to the top, the node itself among them.
func (r *roller) paths(ctx context.Context, nodes []string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, id := range nodes {
		for at := id; at != "" && !slices.Contains(out[id], at); {
			out[id] = append(out[id], at)
			n, ok, err := r.read(ctx, at)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			at = n.Text("parentId")
		}
	}
	return out, nil
}
