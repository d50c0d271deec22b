package quality

import (
	"cmp"
	"context"
	"regexp"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// computed are the columns of a node that only the pack writes.
var computed = []string{"workStatus", "evalStatus", "passRate", "score", "docComplete", "ruleCode", "ruleRevision", "conclusion", "ncrState", "testOk", "records", "round", "actStart", "actFinish",
	"ownStarted", "ownExcellent", "ownProcesses", "ownProcessesDone", "points", "okPoints", "mainItems", "mainOk", "generalItems", "generalOk", "sheetTotal", "sheetDone", "ncrOpen",
	"ownPoints", "ownOkPoints", "ownMainItems", "ownMainOk", "ownGeneralItems", "ownGeneralOk", "ownSheetTotal", "ownSheetDone", "ownNcrOpen"}

// byPack reports whether a write is the pack's own or the system's, which judge themselves.
func byPack(e *hook.Record) bool {
	return e.World == nil || e.Principal.Reason == engine || e.Principal.System != ""
}

// beforeNode keeps the breakdown in order: levels, codes, stations, signatures of a concession; and what refers to a node keeps it.
func beforeNode(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	for _, code := range computed {
		if !e.Create {
			delete(e.Set, code)
		} else if code != "workStatus" && code != "evalStatus" && code != "ncrState" {
			delete(e.Set, code)
		}
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if e.Delete {
		if n := whole(e.Old["measures"]) + whole(e.Old["finalMeasures"]); n > 0 {
			return fault.New(NodeReferenced, n)
		}
		return next()
	}
	if e.Create {
		e.Set["workStatus"], e.Set["evalStatus"], e.Set["ncrState"] = rule.NotStarted, rule.None, rule.NoNCR
	}
	if err := r.place(ctx, e); err != nil {
		return err
	}
	now := e.New()
	_, begins := e.Set["stationFrom"]
	_, ends := e.Set["stationTo"]
	if begins || ends {
		if err := stations(text(now["stationFrom"]), text(now["stationTo"])); err != nil {
			return err
		}
	}
	if err := r.concede(ctx, e); err != nil {
		return err
	}
	return next()
}

// place gives a node what it has from its parent, and refuses a level that is not below it.
func (r *roller) place(ctx context.Context, e *hook.Record) error {
	_, moved := e.Set["parentId"]
	_, leveled := e.Set["nodeType"]
	now := e.New()
	if !e.Create && text(now["projectId"]) != text(e.Old["projectId"]) { // what is below it and its records would stay behind
		return refuse("projectId", OtherProject)
	}
	if !e.Create && !moved && !leveled {
		return nil
	}
	parentID, above, parentRule, prefix := text(now["parentId"]), "", "", ""
	if parentID != "" {
		parent, ok, err := r.above(ctx, parentID)
		if err != nil || !ok {
			return err // the reference is refused with the others
		}
		above, parentRule, prefix = parent.Text("nodeType"), parent.Text("projectId.evalRule"), parent.Text("code")+"-"
		if !e.Create && parent.Text("projectId") != text(e.Old["projectId"]) {
			return refuse("parentId", OtherProject)
		}
		if e.Create || moved {
			if n := whole(parent.Values["ownProcesses"]); n > 0 {
				return refuse("parentId", HasProcesses, parent.Text("name"))
			}
		}
		e.Set["projectId"] = parent.Text("projectId")
		if text(now["contractId"]) == "" && parent.Text("contractId") != "" {
			e.Set["contractId"] = parent.Text("contractId")
		}
	}
	if project := text(e.New()["projectId"]); text(now["code"]) == "" && project != "" && (e.Create || parentID != "") {
		var err error
		if e.Set["code"], err = r.nextCode(ctx, project, parentID, prefix); err != nil {
			return err
		}
	}
	if e.Create || moved {
		if err := r.putLast(ctx, e, cmp.Or(parentID, text(e.New()["projectId"])), parentID != ""); err != nil {
			return err
		}
	}
	if parentID != "" && parentRule != "" {
		r.projects[text(e.New()["projectId"])] = parentRule
	}
	set, err := r.current(ctx, text(e.New()["projectId"]))
	if err != nil {
		return err
	}
	if !set.Below(above, text(now["nodeType"])) {
		return refuse("nodeType", WrongLevel, levelName(above), levelName(text(now["nodeType"])))
	}
	if e.Create || !leveled {
		return nil
	}
	below, err := rows(ctx, r.w, "quality.children", world.Args{"id": e.ID})
	if err != nil {
		return err
	}
	for _, c := range below {
		if !set.Below(text(now["nodeType"]), c.Text("nodeType")) {
			return refuse("nodeType", WrongLevel, levelName(text(now["nodeType"])), levelName(c.Text("nodeType")))
		}
	}
	return nil
}

// putLast gives a node that says nothing of its order its place behind those beside it, where these have an order.
func (r *roller) putLast(ctx context.Context, e *hook.Record, beside string, below bool) error {
	last, known := r.last[beside]
	if !known && beside != "" {
		query := "quality.lastRoot"
		if below {
			query = "quality.lastBelow"
		}
		found, _, err := first(r.w.Rows(ctx, query, world.Args{"id": beside}))
		if err != nil {
			return err
		}
		last = whole(found.Values["last"])
	}
	switch given := e.Set["sortKey"]; {
	case given != nil:
		last = max(last, whole(given))
	case last > 0:
		last++
		e.Set["sortKey"] = decimal.NewFromInt(last)
	}
	r.last[beside] = last
	return nil
}

// nextCode is the code of the next child: what the parent's begins it with and a number of two digits or more, from the number of children on. A node
// of no parent counts from 1 in its project.
func (r *roller) nextCode(ctx context.Context, project, parent, prefix string) (string, error) {
	if err := r.w.Lock(ctx, "quality.codes."+cmp.Or(parent, project)); err != nil {
		return "", err
	}
	n := int64(1)
	if parent != "" {
		children, _, err := first(r.w.Rows(ctx, "quality.childCount", world.Args{"id": parent}))
		if err != nil {
			return "", err
		}
		n += whole(children.Values["n"])
	}
	for ; ; n++ {
		number := itoa(n)
		code := prefix + strings.Repeat("0", max(0, 2-len(number))) + number
		taken, err := r.w.Find(ctx, node, map[string]any{"projectId": project, "code": code}, 1)
		if err != nil || len(taken) == 0 {
			return code, err
		}
	}
}

// levelNames are how refusals call the levels.
var levelNames = map[string]plan.Label{
	"PROJECT":     {Zh: "建设项目", I18n: map[string]string{"en": "a project"}},
	"SINGLE":      {Zh: "单项工程", I18n: map[string]string{"en": "single works"}},
	"UNIT":        {Zh: "单位工程", I18n: map[string]string{"en": "unit works"}},
	"SUBUNIT":     {Zh: "子单位工程", I18n: map[string]string{"en": "sub-unit works"}},
	"DIVISION":    {Zh: "分部工程", I18n: map[string]string{"en": "divisional works"}},
	"SUBDIVISION": {Zh: "子分部工程", I18n: map[string]string{"en": "sub-divisional works"}},
	"ITEM":        {Zh: "分项工程", I18n: map[string]string{"en": "a work item"}},
	"LOT":         {Zh: "检验批", I18n: map[string]string{"en": "an inspection lot"}},
}

func levelName(code string) plan.Label {
	if name, ok := levelNames[code]; ok {
		return name
	}
	return plan.Label{Zh: "/", I18n: map[string]string{"en": "/"}}
}

// stationText is a station: an optional letter prefix, kilometers, meters. K-0+100 is 100 m before the origin.
var stationText = regexp.MustCompile(`^([A-Z]*)K(-?)(\d+)\+(\d{1,3}(?:\.\d+)?)$`)

// Station reads a station such as K12+345.678: its prefix and the meters from the origin.
func Station(s string) (prefix string, meters decimal.Decimal, ok bool) {
	m := stationText.FindStringSubmatch(strings.ToUpper(strings.TrimSpace(s)))
	if m == nil {
		return "", decimal.Zero, false
	}
	km, err := decimal.NewFromString(m[3])
	if err != nil {
		return "", decimal.Zero, false
	}
	rest, err := decimal.NewFromString(m[4])
	meters = km.Shift(3).Add(rest)
	if m[2] != "" {
		meters = meters.Neg()
	}
	return m[1], meters, err == nil
}

// stations refuses a range whose ends are not read, or are the wrong way round on the same line.
func stations(from, to string) error {
	var ends [2]decimal.Decimal
	var lines [2]string
	for i, s := range []string{from, to} {
		if s == "" {
			continue
		}
		var ok bool
		if lines[i], ends[i], ok = Station(s); !ok {
			return refuse([]string{"stationFrom", "stationTo"}[i], StationFormat, s)
		}
	}
	if from != "" && to != "" && lines[0] == lines[1] && ends[0].GreaterThan(ends[1]) {
		return refuse("stationTo", StationOrder, from, to)
	}
	return nil
}

// rolled are the columns of a node that its evaluation depends on.
var rolled = []string{"parentId", "nodeType", "mainFlag", "appearance", "concession", "concessionBy", "projectId", "contractId"}

// afterNode evaluates the node and what it was and is a part of, and writes the log.
func afterNode(ctx context.Context, e *hook.Record, next func() error) error {
	if e.World == nil {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	delete(r.parents, e.ID)
	if byPack(e) {
		return next()
	}
	if err := r.note(ctx, e, e.ID); err != nil {
		return err
	}
	if !r.logged { // from here on what is above changes by this transaction alone: before, another may have evaluated it
		r.logged = true
		clear(r.parents)
	}
	if err := r.inherit(ctx, e); err != nil {
		return err
	}
	if e.Create && !e.Restore {
		if parent, ok, err := r.above(ctx, text(e.New()["parentId"])); err != nil || !ok || unmoved(parent) {
			return or(err, next)
		}
	}
	touched := e.Create || e.Delete
	for _, code := range rolled {
		_, set := e.Set[code]
		touched = touched || set
	}
	if touched {
		for _, id := range []string{e.ID, text(e.Old["parentId"])} {
			if id == "" || e.Delete && id == e.ID {
				continue
			}
			if err := r.roll(ctx, id); err != nil {
				return err
			}
		}
	}
	return next()
}

// unmoved reports whether a part that has not begun changes nothing of a node: thousands of nodes are added before work begins.
func unmoved(parent world.Row) bool {
	eval, work := parent.Text("evalStatus"), parent.Text("workStatus")
	return (eval == rule.None || eval == rule.Pending) && work != rule.Done && !parent.Is("docComplete")
}

// inherit gives a new contract to what is below the node and had the old one or none.
func (r *roller) inherit(ctx context.Context, e *hook.Record) error {
	now, set := e.Set["contractId"]
	was := text(e.Old["contractId"])
	if e.Create || e.Delete || !set || text(now) == was {
		return nil
	}
	below, err := rows(ctx, r.w, "quality.subtree", world.Args{"root": e.ID})
	if err != nil {
		return err
	}
	for _, n := range below {
		if n.ID == e.ID || n.Text("contractId") != was {
			continue
		}
		if _, err := r.w.Update(ctx, node, n.ID, whole(n.Values["version"]), map[string]any{"contractId": orNil(text(now))}); err != nil {
			return err
		}
	}
	return nil
}

// afterRelation writes bindings of components into the log of their node.
func afterRelation(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) {
		return err
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	return r.note(ctx, e, text(either(e.New()["qbsId"], e.Old["qbsId"])))
}

// told are the values by which a log names what was deleted.
var told = []string{"code", "name", "mbsId", "sequenceNo", "title", "sheetTitle", "description"}

// note adds a write to the log of a node.
func (r *roller) note(ctx context.Context, e *hook.Record, qbs string) error {
	action := "edit"
	switch {
	case e.Delete && e.Model == node: // its own log goes with it
		action, qbs = "delete", text(e.Old["parentId"])
	case e.Delete:
		action = "delete"
	case e.Create:
		action = "add"
	}
	values := map[string]any{"objectType": e.Model, "objectId": e.ID, "action": action, "qbsId": orNil(qbs), "contractId": orNil(text(either(e.New()["contractId"], e.Old["contractId"])))}
	before, after := map[string]any{}, map[string]any{}
	for code, v := range e.Set {
		if _, list := v.([]map[string]any); list || code == "rules" { // long, and nobody's own words
			continue
		}
		after[code] = v
		if old := e.Old[code]; old != nil {
			before[code] = old
		}
	}
	if e.Delete {
		for _, code := range told {
			if v := e.Old[code]; v != nil {
				before[code] = v
			}
		}
	}
	values["before"], values["after"] = asText(before), asText(after)
	_, err := r.w.Create(ctx, logEntry, values)
	return err
}

func either(a, b any) any {
	if a != nil {
		return a
	}
	return b
}
