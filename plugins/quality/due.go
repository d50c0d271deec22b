package quality

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// dueSet is one revision of what is due of a kind of work. A revision never changes.
type dueSet struct {
	id, code, title string
	revision        int64
	due             rule.Due
	items           map[string]map[string]any // rows of the set by item, with what is asked of it
}

// dueAt is what is due at a node: its set, if it has one, with the changes that hold there.
type dueAt struct {
	set     *dueSet // nil = nothing is set as due
	holder  string  // id of the node that names the set; "" = the set is of the node's level
	lower   bool    // the set is of the node above
	due     rule.Due
	items   map[string]map[string]any // what is asked, by item
	changed map[string]world.Row      // the last change by what it is of (changeKey)
	late    map[string]bool           // processes, and models of sheets, whose broken order was accepted
}

// dueOf is what is due at a node. A node takes the set that it names; a lot that names none that of the node above it; any other node that names
// none the set that its level has in the rule set. It keeps the revision that it was evaluated by.
func (r *roller) dueOf(ctx context.Context, n world.Row, rules *rule.Set) (*dueAt, error) {
	out := &dueAt{late: map[string]bool{}, changed: map[string]world.Row{}}
	levels := rules.Levels
	lowest := len(levels) > 0 && levels[len(levels)-1].NodeType == n.Text(codes.NodeType)
	id, holders := n.Text(codes.DueSetID), []world.Row{n}
	if out.holder = n.ID; id == "" && lowest && n.Text(codes.ParentID) != "" {
		above, ok, err := r.above(ctx, n.Text(codes.ParentID))
		if err != nil {
			return nil, err
		}
		if ok && above.Text(codes.DueSetID) != "" {
			id, out.lower, out.holder, holders = above.Text(codes.DueSetID), true, above.ID, []world.Row{above, n}
		}
	}
	var err error
	if id != "" {
		out.set, err = r.dueSetOf(ctx, id, n)
	} else if code := rules.Level(n.Text(codes.NodeType)).DueCode; code != "" {
		out.holder = ""
		out.set, err = r.dueSetNamed(ctx, code, n)
	}
	if err != nil || out.set == nil {
		out.holder = ""
		return out, err
	}
	out.due, out.items = out.set.due, out.set.items
	for _, h := range holders {
		if whole(h.Values[codes.DueChanges]) == 0 {
			continue
		}
		list, err := rows(ctx, r.w, "quality.dueChanges", world.Args{"id": h.ID})
		if err != nil {
			return nil, err
		}
		if err := out.apply(ctx, r, list); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// dueAt is dueOf by the rules of the node.
func (r *roller) dueAt(ctx context.Context, n world.Row) (*dueAt, error) {
	rules, err := r.setOf(ctx, n)
	if err != nil {
		return nil, err
	}
	return r.dueOf(ctx, n, rules)
}

// dueSetOf is the revision of a set, which a record names, that a node keeps, or the current one.
func (r *roller) dueSetOf(ctx context.Context, id string, n world.Row) (*dueSet, error) {
	code, known := r.dueCodes[id]
	if !known {
		found, ok, err := first(r.w.Rows(ctx, "quality.dueSet", world.Args{"id": id}))
		if err != nil || !ok {
			return nil, err
		}
		code = found.Text(codes.Code)
		r.dueCodes[id] = code
	}
	return r.dueSetNamed(ctx, code, n)
}

func (r *roller) dueSetNamed(ctx context.Context, code string, n world.Row) (*dueSet, error) {
	revision := whole(n.Values[codes.DueRevision])
	if n.Text(codes.DueCode) != code {
		revision = 0
	}
	return r.dueRevision(ctx, code, revision)
}

// dueRevision reads a revision of a set; 0 is the current one. nil = there is none.
func (r *roller) dueRevision(ctx context.Context, code string, revision int64) (*dueSet, error) {
	key := code + "@" + itoa(revision)
	if s, known := r.dues[key]; known {
		return s, nil
	}
	query, args := "quality.dueNow", world.Args{"code": code}
	if revision > 0 {
		query, args = "quality.dueThen", world.Args{"code": code, "revision": decimal.NewFromInt(revision)}
	}
	found, ok, err := first(r.w.Rows(ctx, query, args))
	if err != nil {
		return nil, err
	}
	if !ok {
		r.dues[key] = nil
		return nil, nil
	}
	at := found.ID + "@" + itoa(whole(found.Values["version"]))
	if known, ok := parsedDues.Load(at); ok {
		r.dues[key], _ = known.(*dueSet)
		return r.dues[key], nil
	}
	one, err := r.w.Get(ctx, dueSets, found.ID)
	if err != nil {
		return nil, err
	}
	s := readDue(found.ID, one.Values)
	r.dues[key] = s
	if one.Version == whole(found.Values["version"]) {
		parsedDues.Store(at, s)
	}
	return s, nil
}

// parsedDues are sets that were read, by id and version of their record. Nothing changes them.
var parsedDues sync.Map

// readDue makes a set of a record of q_due_set.
func readDue(id string, values map[string]any) *dueSet {
	s := &dueSet{id: id, code: text(values[codes.Code]), title: text(values[codes.Title]), revision: whole(values[codes.Revision]), items: map[string]map[string]any{}}
	for _, row := range rowsIn(values[codes.Items]) {
		item := text(row[codes.ItemID])
		s.items[item] = row
		s.due.Items = append(s.due.Items, dueItem(item, row))
	}
	for _, row := range rowsIn(values[codes.Kinds]) {
		s.due.Kinds = append(s.due.Kinds, rule.DueKind{Kind: text(row[codes.RecordKind]), Share: number(row[codes.Share]), Items: text(row[codes.Judges]), Workflow: text(row[codes.WorkflowCode]), Witnessed: is(row[codes.Witnessed])})
	}
	for _, row := range rowsIn(values[codes.Sheets]) {
		s.due.Sheets = append(s.due.Sheets, rule.DueSheet{Model: text(row[codes.SchemaCode]), Kind: text(row[codes.BizKind]), Workflow: text(row[codes.WorkflowCode]), Title: text(row[codes.Title]), Top: is(row[codes.Top]), After: text(row[codes.After])})
	}
	for _, row := range rowsIn(values[codes.Consents]) {
		s.due.Consents = append(s.due.Consents, rule.DueConsent{Key: text(row[codes.Code]), Title: text(row[codes.Title]), Roles: ids(row[codes.ReleasedBy]), Process: text(row[codes.ProcessCode]), Top: is(row[codes.Top])})
	}
	return s
}

func dueItem(id string, row map[string]any) rule.DueItem {
	kind := text(row[codes.RecordKind])
	if kind == "" {
		kind = rule.Self
	}
	return rule.DueItem{ID: id, Name: text(row[codes.ItemName]), Class: text(row[codes.ItemClass]), Kind: kind}
}

// changeable are the values of an item that a change can set.
var changeable = []string{codes.DevLow, codes.DevHigh, codes.LimitLow, codes.LimitHigh, codes.MinPoints, codes.DesignValue}

// changeKey names what a change is of.
func changeKey(c world.Row) string {
	what := c.Text(codes.What)
	switch what {
	case codes.OptionItem:
		return what + " " + c.Text(codes.ItemID)
	case codes.OptionKind:
		return what + " " + c.Text(codes.RecordKind)
	case codes.OptionSheet:
		return what + " " + c.Text(codes.SchemaCode)
	case codes.OptionOrder:
		return what + " " + orderOf(c)
	}
	return what + " " + c.Text(codes.DueCode)
}

// orderOf is whose order a change accepts: a process, or the sheets of a model.
func orderOf(c world.Row) string {
	return cmp.Or(c.Text(codes.JbsID), c.Text(codes.SchemaCode))
}

// apply adds changes in the order of time. What a change restores is as the set says.
func (d *dueAt) apply(ctx context.Context, r *roller, list []world.Row) error {
	d.items = clone(d.items)
	d.due = rule.Due{Items: slices.Clone(d.due.Items), Kinds: slices.Clone(d.due.Kinds), Sheets: slices.Clone(d.due.Sheets), Consents: slices.Clone(d.due.Consents)}
	for _, c := range list {
		effect := c.Text(codes.Effect)
		d.changed[changeKey(c)] = c
		if effect == codes.OptionRestore {
			delete(d.changed, changeKey(c))
		}
		switch c.Text(codes.What) {
		case codes.OptionItem:
			if err := d.changeItem(ctx, r, c); err != nil {
				return err
			}
		case codes.OptionKind:
			d.changeKind(c)
		case codes.OptionSheet:
			model := c.Text(codes.SchemaCode)
			d.due.Sheets = edited(d.due.Sheets, d.set.due.Sheets, effect, func(s rule.DueSheet) bool { return s.Model == model }, rule.DueSheet{Model: model, Top: !d.lower})
		case codes.OptionConsent:
			key := c.Text(codes.DueCode)
			d.due.Consents = edited(d.due.Consents, d.set.due.Consents, effect, func(x rule.DueConsent) bool { return x.Key == key }, rule.DueConsent{})
		case codes.OptionOrder:
			d.late[orderOf(c)] = effect != codes.OptionRestore
		}
	}
	return nil
}

// edited is a list of what is due after a change of those that it is of: left out, as the set has them, or added.
func edited[T any](list, set []T, effect string, of func(T) bool, added T) []T {
	switch effect {
	case codes.OptionLeaveOut, codes.OptionRestore:
		list = slices.DeleteFunc(list, of)
		if effect == codes.OptionRestore {
			for _, one := range set {
				if of(one) {
					list = append(list, one)
				}
			}
		}
	case codes.OptionAdd:
		if !slices.ContainsFunc(list, of) && of(added) {
			list = append(list, added)
		}
	}
	return list
}

func (d *dueAt) changeKind(c world.Row) {
	kind := c.Text(codes.RecordKind)
	d.due.Kinds = edited(d.due.Kinds, d.set.due.Kinds, c.Text(codes.Effect), func(k rule.DueKind) bool { return k.Kind == kind }, rule.DueKind{Kind: kind, Items: rule.AnyItem, Share: number(c.Values[codes.Share])})
	if c.Text(codes.Effect) == codes.OptionChange {
		for i, k := range d.due.Kinds {
			if k.Kind == kind && k.Share != nil {
				d.due.Kinds[i].Share = number(c.Values[codes.Share])
			}
		}
	}
}

// changeItem gives an item other values, leaves it out, adds it from the library or restores it.
func (d *dueAt) changeItem(ctx context.Context, r *roller, c world.Row) error {
	id, effect := c.Text(codes.ItemID), c.Text(codes.Effect)
	row := d.items[id]
	if row == nil && (effect == codes.OptionAdd || effect == codes.OptionChange) {
		found, err := r.w.Get(ctx, checkItem, id)
		if err != nil {
			return err
		}
		row = clone(found.Values)
	}
	switch effect {
	case codes.OptionLeaveOut:
		delete(d.items, id)
	case codes.OptionRestore:
		delete(d.items, id)
		if was := d.set.items[id]; was != nil {
			d.items[id] = was
		}
	default:
		row = clone(row)
		for _, code := range changeable {
			if v := c.Values[code]; v != nil {
				row[code] = v
			}
		}
		d.items[id] = row
	}
	d.due.Items = slices.DeleteFunc(d.due.Items, func(it rule.DueItem) bool { return it.ID == id })
	if now := d.items[id]; now != nil {
		d.due.Items = append(d.due.Items, dueItem(id, now))
	}
	return nil
}

func clone[K comparable, V any](m map[K]V) map[K]V {
	out := make(map[K]V, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// missing compares a node with what is due. leaf says that it has no children; of one that has, lots are the children.
func (d *dueAt) missing(n world.Row, f *facts, round int64, children []world.Row, level rule.Level) []rule.Missing {
	leaf := len(children) == 0
	scope := d.due.Scope(leaf, d.lower)
	needs := leaf || level.Documents || level.Tests || level.Appearance
	if needs && d.set == nil || leaf && !scope.Judges() {
		return []rule.Missing{{What: rule.LacksSet, Need: 1}}
	}
	return scope.Missing(d.given(f, round, children))
}

// given is what a node has of what is due.
func (d *dueAt) given(f *facts, round int64, children []world.Row) rule.Given {
	g := rule.Given{Lots: 1, ByKind: map[string]int64{}}
	for _, rec := range f.records {
		of := whole(rec.Values[codes.Round])
		g.Records = append(g.Records, rule.GivenRecord{Kind: rec.Text(codes.RecordKind), Party: rec.Text(codes.Party), Author: rec.Text("creator"), Inspector: rec.Text(codes.Inspector), Workflow: rec.Text(codes.SignedBy), Round: of,
			Counts: rec.Text(codes.State) == codes.OptionCompleted && of <= round,
			Judged: wordsOf(rec, codes.JudgedItems), Failed: wordsOf(rec, codes.FailedItems), Void: wordsOf(rec, codes.VoidItems), Claimed: wordsOf(rec, codes.ClaimedItems)})
	}
	for _, b := range f.bindings {
		g.Sheets = append(g.Sheets, rule.GivenSheet{Model: b.Text(codes.SchemaCode), Kind: b.Text(codes.BizKind), Workflow: b.Text(codes.SignedBy), Done: isDone(b)})
	}
	for _, c := range f.consents {
		g.Consents = append(g.Consents, c.Text(codes.DueCode))
	}
	g.Late = f.late(d.late, d.due.Sheets)
	if len(children) == 0 {
		for _, kind := range d.kinds(g) {
			g.ByKind[kind] = 1
		}
		return g
	}
	g.Lots = int64(len(children))
	for _, c := range children {
		for _, kind := range wordsOf(c, codes.KindsGiven) {
			g.ByKind[kind]++
		}
	}
	return g
}

// kinds are the kinds of records of which a node has what is due.
func (d *dueAt) kinds(g rule.Given) (out []string) {
	for _, k := range d.due.Kinds {
		if !slices.Contains(out, k.Kind) && len(d.due.Lacks(k, g)) == 0 {
			out = append(out, k.Kind)
		}
	}
	return out
}

// compared is how a node compares with what is due; nil where nobody looked.
type compared struct {
	at      *dueAt
	missing int64
	kinds   []string
	kept    bool // a verdict that was signed before anything was set as due stays
}

// compare compares a node with what is due, where the answer can decide: of nodes whose parts are given, and of those that would pass by
// everything else.
func (r *roller) compare(ctx context.Context, n world.Row, f *facts, round int64, children []world.Row, set *rule.Set, eval string) (*compared, error) {
	passes := eval == rule.Qualified || eval == rule.Excellent
	if eval == rule.None || !passes && (f == nil || len(children) > 0) {
		return nil, nil
	}
	at, err := r.dueOf(ctx, n, set)
	if err != nil {
		return nil, err
	}
	if f == nil {
		parts, err := r.parts(ctx, n.ID)
		if err != nil {
			return nil, err
		}
		parts.own(n)
		f = &parts
	}
	out := &compared{at: at, missing: int64(len(at.missing(n, f, round, children, set.Level(n.Text(codes.NodeType)))))}
	if len(children) == 0 {
		out.kinds = at.kinds(at.given(f, round, children))
	}
	if was := n.Text(codes.EvalStatus); out.missing > 0 && n.Empty(codes.DueCode) && (was == rule.Qualified || was == rule.Excellent) {
		if out.kept, err = r.isSigned(ctx, n.ID); out.kept {
			out.missing = 0
		}
	}
	return out, err
}

// columns adds what a node keeps of the comparison.
func (c *compared) columns(n world.Row, values map[string]any, eval string) {
	values[codes.Missing], values[codes.DueCode], values[codes.DueRevision] = nil, nil, nil
	switch {
	case eval == rule.None:
		values[codes.KindsGiven] = nil
	case c == nil:
		values[codes.DueCode], values[codes.DueRevision] = n.Values[codes.DueCode], n.Values[codes.DueRevision]
	case !c.kept:
		values[codes.Missing] = decimal.NewFromInt(c.missing)
		if s := c.at.set; s != nil {
			values[codes.DueCode], values[codes.DueRevision] = s.code, decimal.NewFromInt(s.revision)
		}
		values[codes.KindsGiven] = orNil(strings.Join(c.kinds, " "))
	}
}

// isSigned reports whether an evaluation of a node that passed was signed.
func (r *roller) isSigned(ctx context.Context, id string) (bool, error) {
	list, err := rows(ctx, r.w, "quality.signed", world.Args{"id": id})
	return slices.ContainsFunc(list, func(e world.Row) bool {
		return e.Text(codes.EvalStatus) == rule.Qualified || e.Text(codes.EvalStatus) == rule.Excellent
	}), err
}

// holds are the hold points of a node that are not released, by the code of the process that waits.
func (r *roller) holds(ctx context.Context, n world.Row, f facts) (map[string]string, error) {
	at, err := r.dueAt(ctx, n)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, c := range at.due.Scope(true, at.lower).Consents {
		if c.Process != "" && !slices.ContainsFunc(f.consents, func(row world.Row) bool { return row.Text(codes.DueCode) == c.Key }) {
			out[c.Process] = c.Title
		}
	}
	return out, nil
}

// holdsOf is holds of a node whose parts are not read.
func (r *roller) holdsOf(ctx context.Context, n world.Row) (map[string]string, error) {
	released, err := rows(ctx, r.w, "quality.consents", world.Args{"id": n.ID})
	if err != nil {
		return nil, err
	}
	return r.holds(ctx, n, facts{consents: released})
}

// words are the parts of a text.
func wordsOf(r world.Row, column string) []string { return strings.Fields(r.Text(column)) }
