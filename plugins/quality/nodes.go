package quality

import (
	"cmp"
	"context"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// computed are the columns of a node that only the pack writes.
var computed = []string{codes.WorkStatus, codes.EvalStatus, codes.PassRate, codes.Score, codes.DocComplete, codes.RuleCode, codes.RuleRevision, codes.Conclusion, codes.NcrState, codes.TestOk, codes.Records, codes.Round, codes.ActStart, codes.ActFinish,
	codes.OwnStarted, codes.OwnExcellent, codes.OwnProcesses, codes.OwnProcessesDone, codes.Points, codes.OkPoints, codes.MainItems, codes.MainOk, codes.GeneralItems, codes.GeneralOk, codes.SheetTotal, codes.SheetDone, codes.NcrOpen,
	codes.OwnPoints, codes.OwnOkPoints, codes.OwnMainItems, codes.OwnMainOk, codes.OwnGeneralItems, codes.OwnGeneralOk, codes.OwnSheetTotal, codes.OwnSheetDone, codes.OwnNcrOpen, codes.DueCode, codes.DueRevision, codes.DueChanges, codes.Missing, codes.KindsGiven}

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
		} else if code != codes.WorkStatus && code != codes.EvalStatus && code != codes.NcrState {
			delete(e.Set, code)
		}
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if e.Delete {
		if err := r.partsStay(ctx, e); err != nil {
			return err
		}
		if n := whole(e.Old[codes.Measures]) + whole(e.Old[codes.FinalMeasures]); n > 0 {
			return fault.New(NodeReferenced, n)
		}
		return next()
	}
	delete(e.Set, codes.Batch)
	if e.Create {
		if batch, ok := e.World.Memo()[batchMemo].(string); ok {
			e.Set[codes.Batch] = batch
		}
		e.Set[codes.WorkStatus], e.Set[codes.EvalStatus], e.Set[codes.NcrState] = rule.NotStarted, rule.None, rule.NoNCR
	}
	if err := r.partsStay(ctx, e); err != nil {
		return err
	}
	if err := r.place(ctx, e); err != nil {
		return err
	}
	if err := stationed(e); err != nil {
		return err
	}
	if err := r.concede(ctx, e); err != nil {
		return err
	}
	if err := r.kindOfTemplate(ctx, e); err != nil {
		return err
	}
	if kind, set := e.Set[codes.DueSetID]; set && !e.Create && text(kind) != text(e.Old[codes.DueSetID]) {
		if n, ok, err := r.read(ctx, e.ID); err != nil || !ok {
			return or(err, next)
		} else if err := r.unsigned(ctx, n); err != nil {
			return err
		}
	}
	return next()
}

// place gives a node what it has from its parent, and refuses a level that is not below it.
func (r *roller) place(ctx context.Context, e *hook.Record) error {
	_, moved := e.Set[codes.ParentID]
	_, leveled := e.Set[codes.NodeType]
	now := e.New()
	if !e.Create && text(now[codes.ProjectID]) != text(e.Old[codes.ProjectID]) { // what is below it and its records would stay behind
		return refuse(codes.ProjectID, OtherProject)
	}
	if !e.Create && !moved && !leveled {
		return nil
	}
	parentID, above, parentRule, prefix := text(now[codes.ParentID]), "", "", ""
	if parentID != "" {
		parent, ok, err := r.above(ctx, parentID)
		if err != nil || !ok {
			return err // the reference is refused with the others
		}
		above, parentRule, prefix = parent.Text(codes.NodeType), parent.Text(codes.ProjectIDEvalRule), parent.Text(codes.Code)
		if !e.Create && parent.Text(codes.ProjectID) != text(e.Old[codes.ProjectID]) {
			return refuse(codes.ParentID, OtherProject)
		}
		if e.Create || moved {
			if n := whole(parent.Values[codes.OwnProcesses]); n > 0 {
				return refuse(codes.ParentID, HasProcesses, parent.Text(codes.Name))
			}
		}
		e.Set[codes.ProjectID] = parent.Text(codes.ProjectID)
		inherits := text(now[codes.ContractID]) == ""
		if _, given := e.Set[codes.ContractID]; !inherits && moved && !given {
			if inherits, err = r.inherited(ctx, e); err != nil {
				return err
			}
		}
		if of := parent.Text(codes.ContractID); inherits && of != "" {
			e.Set[codes.ContractID] = of
		}
	}
	if project := text(e.New()[codes.ProjectID]); text(now[codes.Code]) == "" && project != "" && (e.Create || parentID != "") {
		var err error
		if e.Set[codes.Code], err = r.nextCode(ctx, project, parentID, prefix); err != nil {
			return err
		}
	}
	if e.Create || moved {
		if err := r.putLast(ctx, e, cmp.Or(parentID, text(e.New()[codes.ProjectID])), parentID != ""); err != nil {
			return err
		}
	}
	if parentID != "" && parentRule != "" {
		r.projects[text(e.New()[codes.ProjectID])] = parentRule
	}
	set, err := r.current(ctx, text(e.New()[codes.ProjectID]))
	if err != nil {
		return err
	}
	if !set.Below(above, text(now[codes.NodeType])) {
		return refuse(codes.NodeType, WrongLevel, levelName(above), levelName(text(now[codes.NodeType])))
	}
	if e.Create || !leveled {
		return nil
	}
	below, err := rows(ctx, r.w, "quality.children", world.Args{"id": e.ID})
	if err != nil {
		return err
	}
	for _, c := range below {
		if !set.Below(text(now[codes.NodeType]), c.Text(codes.NodeType)) {
			return refuse(codes.NodeType, WrongLevel, levelName(text(now[codes.NodeType])), levelName(c.Text(codes.NodeType)))
		}
	}
	return nil
}

// inherited reports whether a node that is there has its contract from the one above it.
func (r *roller) inherited(ctx context.Context, e *hook.Record) (bool, error) {
	was := text(e.Old[codes.ParentID])
	if e.Create || was == "" {
		return false, nil
	}
	above, ok, err := r.above(ctx, was)
	return ok && above.Text(codes.ContractID) == text(e.Old[codes.ContractID]), err
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
	switch given := e.Set[codes.SortKey]; {
	case given != nil:
		last = max(last, whole(given))
	case last > 0:
		last++
		e.Set[codes.SortKey] = decimal.NewFromInt(last)
	}
	r.last[beside] = last
	return nil
}

// nextCode is the code of the next child: below that of the parent, from the number of children on. A node
// of no parent counts from 1 in its project.
func (r *roller) nextCode(ctx context.Context, project, parent, above string) (string, error) {
	if err := r.w.Lock(ctx, "quality.codes."+cmp.Or(parent, project)); err != nil {
		return "", err
	}
	n := int64(1)
	if parent != "" {
		children, _, err := first(r.w.Rows(ctx, "quality.childCount", world.Args{"id": parent}))
		if err != nil {
			return "", err
		}
		n += whole(children.Values["rows"])
	}
	for ; ; n++ {
		code := partBelow(above, n)
		taken, err := r.w.Find(ctx, node, map[string]any{codes.ProjectID: project, codes.Code: code}, 1)
		if err != nil || len(taken) == 0 {
			return code, err
		}
	}
}

// levelNames are how refusals call the levels.
var levelNames = map[string]plan.Label{
	codes.OptionProject:     {Zh: "建设项目", I18n: map[string]string{"en": "a project"}},
	codes.OptionSingle:      {Zh: "单项工程", I18n: map[string]string{"en": "single works"}},
	codes.OptionUnit:        {Zh: "单位工程", I18n: map[string]string{"en": "unit works"}},
	codes.OptionSubunit:     {Zh: "子单位工程", I18n: map[string]string{"en": "sub-unit works"}},
	codes.OptionDivision:    {Zh: "分部工程", I18n: map[string]string{"en": "divisional works"}},
	codes.OptionSubdivision: {Zh: "子分部工程", I18n: map[string]string{"en": "sub-divisional works"}},
	codes.OptionItem:        {Zh: "分项工程", I18n: map[string]string{"en": "a work item"}},
	codes.OptionLot:         {Zh: "检验批", I18n: map[string]string{"en": "an inspection lot"}},
}

func levelName(code string) plan.Label {
	if name, ok := levelNames[code]; ok {
		return name
	}
	return plan.Label{Zh: "/", I18n: map[string]string{"en": "/"}}
}

// rolled are the columns of a node that its evaluation depends on.
var rolled = []string{codes.ParentID, codes.NodeType, codes.MainFlag, codes.Appearance, codes.Concession, codes.ConcessionBy, codes.ProjectID, codes.ContractID, codes.DueSetID}

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
		if parent, ok, err := r.above(ctx, text(e.New()[codes.ParentID])); err != nil || !ok || unmoved(parent) {
			return or(err, next)
		}
	}
	touched := e.Create || e.Delete
	for _, code := range rolled {
		_, set := e.Set[code]
		touched = touched || set
	}
	if touched {
		for _, id := range []string{e.ID, text(e.Old[codes.ParentID])} {
			if id == "" || e.Delete && id == e.ID {
				continue
			}
			if err := r.roll(ctx, id); err != nil {
				return err
			}
		}
	}
	if _, set := e.Set[codes.DueSetID]; set && !e.Create && !e.Delete {
		if err := r.rollWithLots(ctx, e.ID); err != nil {
			return err
		}
	}
	return next()
}

// unmoved reports whether a part that has not begun changes nothing of a node: thousands of nodes are added before work begins.
func unmoved(parent world.Row) bool {
	eval, work := parent.Text(codes.EvalStatus), parent.Text(codes.WorkStatus)
	return (eval == rule.None || eval == rule.Pending) && work != rule.Done && !parent.Is(codes.DocComplete)
}

// inherit gives a new contract to what is below the node and had the old one or none.
func (r *roller) inherit(ctx context.Context, e *hook.Record) error {
	now, set := e.Set[codes.ContractID]
	was := text(e.Old[codes.ContractID])
	if e.Create || e.Delete || !set || text(now) == was {
		return nil
	}
	below, err := rows(ctx, r.w, "quality.subtree", world.Args{"root": e.ID})
	if err != nil {
		return err
	}
	for _, n := range below {
		if n.ID == e.ID || n.Text(codes.ContractID) != was {
			continue
		}
		if _, err := r.w.Update(ctx, node, n.ID, whole(n.Values["version"]), map[string]any{codes.ContractID: orNil(text(now))}); err != nil {
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
	follow, component, at := r.carried, text(e.New()[codes.MbsID]), text(e.New()[codes.QbsID])
	if e.Delete {
		follow, component, at = r.leftBehind, text(e.Old[codes.MbsID]), text(e.Old[codes.QbsID])
	}
	if err := follow(ctx, component, at); err != nil {
		return err
	}
	return r.note(ctx, e, text(either(e.New()[codes.QbsID], e.Old[codes.QbsID])))
}

// told are the values by which a log names what was deleted.
var told = []string{codes.Code, codes.Name, codes.MbsID, "sequenceNo", codes.Title, codes.SheetTitle, codes.Description}

// note adds a write to the log of a node.
func (r *roller) note(ctx context.Context, e *hook.Record, qbs string) error {
	action := "edit"
	switch {
	case e.Delete && e.Model == node: // its own log goes with it
		action, qbs = "delete", text(e.Old[codes.ParentID])
	case e.Delete:
		action = "delete"
	case e.Create:
		action = "add"
	}
	values := map[string]any{codes.ObjectType: e.Model, codes.ObjectID: e.ID, codes.Action: action, codes.QbsID: orNil(qbs), codes.ContractID: orNil(text(either(e.New()[codes.ContractID], e.Old[codes.ContractID])))}
	before, after := map[string]any{}, map[string]any{}
	for code, v := range e.Set {
		if _, list := v.([]map[string]any); list || code == codes.Rules { // long, and nobody's own words
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
	values[codes.Before], values[codes.After] = asText(before), asText(after)
	_, err := r.w.Create(ctx, logEntry, values)
	return err
}

func either(a, b any) any {
	if a != nil {
		return a
	}
	return b
}
