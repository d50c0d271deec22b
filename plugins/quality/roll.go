package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// roller evaluates nodes in one transaction, as the pack itself. What it stores follows from records, sheets, processes and corrective actions
// alone (rule.Set.Roll), so the nodes of a project can be computed again from nothing at any time (refresh).
type roller struct {
	w world.World // of the pack's own right
	*seen
	day string // when the work was done that changes something, as its sheet says; "" = today
}

// seen is what a transaction has read and every node asks for: thousands are imported at once. What a write makes untrue is forgotten.
type seen struct {
	sets     map[string]*rule.Set
	projects map[string]string    // code of the rule set, by project
	parents  map[string]world.Row // what nodes need of the one above them, by its id
	last     map[string]int64     // the largest sort key among the parts of a node or the roots of a project; 0 where there is none
	titles   map[string]any       // of rule sets, by code and revision
	dues     map[string]*dueSet   // by code and revision; @0 is the current one
	dueCodes map[string]string    // code of a due set, by its id
	holders  map[string][]string  // current due sets by the items that they hold; nil = not read
	logged   bool                 // the transaction has taken a number of the log, and others that log wait for its end
}

// forgetRules comes after writes of rule sets and projects.
func forgetRules(_ context.Context, e *hook.Record, next func() error) error {
	if e.World == nil {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	clear(r.sets)
	clear(r.dues)
	clear(r.dueCodes)
	clear(r.projects)
	clear(r.parents)
	return next()
}

// rollerOf takes the pack's own right in the transaction of w.
func rollerOf(w world.World) (*roller, error) {
	own, err := w.As(engine)
	if err != nil {
		return nil, err
	}
	return rollerIn(own), nil
}

func rollerIn(own world.World) *roller {
	memo := own.Memo()
	s, ok := memo["quality.seen"].(*seen)
	if !ok {
		s = &seen{sets: map[string]*rule.Set{}, projects: map[string]string{}, parents: map[string]world.Row{}, last: map[string]int64{}, titles: map[string]any{},
			dues: map[string]*dueSet{}, dueCodes: map[string]string{}}
		memo["quality.seen"] = s
	}
	return &roller{w: own, seen: s}
}

// facts are the parts of one node, canceled records left out.
type facts struct{ records, bindings, processes, ncrs, consents []world.Row }

// own computes what a node has itself, by the round that counts.
func (f *facts) own(n world.Row) (o rule.Own, round int64) {
	f.records = slices.DeleteFunc(slices.Clone(f.records), func(r world.Row) bool { return r.Text(codes.State) == codes.OptionCanceled })
	if round = f.latestRound(); round > 1 && !f.isWhole(round) {
		round-- // the failed round stays what the node is, until what failed was inspected again
	}
	o.Appearance, o.Concession = n.Text(codes.Appearance), n.Is(codes.Concession)
	o.Records, o.Started = int64(len(f.records)), len(f.records) > 0
	f.latest(round, &o)
	f.sheets(&o)
	for _, p := range f.processes {
		done := p.Text(codes.Status) == codes.OptionDone
		o.Started = o.Started || done || p.Text(codes.Status) == codes.OptionDoing
		if p.Is(codes.Required) {
			o.Processes++
			o.ProcessesDone += count(done)
		}
	}
	f.actions(round, &o)
	return o, round
}

func (f *facts) latestRound() (round int64) {
	for _, r := range f.records {
		round = max(round, whole(r.Values[codes.Round]))
	}
	return round
}

// isWhole reports whether a round counts in place of the one before it: its completed records judge again each item that failed before. One that was
// begun beside them holds its verdict up, and does not bring the round before back.
func (f *facts) isWhole(round int64) bool {
	var failed, judged []string
	begun := false
	for _, r := range f.records {
		of, completed := whole(r.Values[codes.Round]), r.Text(codes.State) == codes.OptionCompleted
		switch {
		case of == round-1 && completed:
			failed = append(failed, strings.Fields(r.Text(codes.FailedItems))...)
		case of == round && completed:
			begun = true
			judged = append(judged, strings.Fields(r.Text(codes.JudgedItems))...)
		}
	}
	return begun && !slices.ContainsFunc(failed, func(id string) bool { return !slices.Contains(judged, id) })
}

func count(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// latest adds the records of a round: those of the one that counts do, and no others.
func (f *facts) latest(round int64, o *rule.Own) {
	var conclusions []string
	o.Excellent = true
	for _, r := range f.records {
		if whole(r.Values[codes.Round]) != round {
			continue
		}
		if r.Text(codes.State) != codes.OptionCompleted {
			conclusions = append(conclusions, rule.Incomplete)
			continue
		}
		conclusions = append(conclusions, r.Text(codes.Conclusion))
		o.Points += whole(r.Values[codes.Points])
		o.OKPoints += whole(r.Values[codes.OkPoints])
		o.MainItems += whole(r.Values[codes.MainItems])
		o.MainOK += whole(r.Values[codes.MainOk])
		o.GeneralItems += whole(r.Values[codes.GeneralItems])
		o.GeneralOK += whole(r.Values[codes.GeneralOk])
		o.Excellent = o.Excellent && r.Is(codes.Excellent)
	}
	if len(conclusions) > 0 {
		o.Conclusion = rule.Record(conclusions)
	}
	o.Excellent = o.Excellent && o.Conclusion == rule.OK
}

// isDone reports whether a sheet is completed, and answers yes where it answers.
func isDone(b world.Row) bool {
	return b.Text(codes.Status) == codes.OptionCompleted && b.Text(codes.Answer) != codes.OptionNotOk
}

// sheets adds the business sheets. Tests are passed when there are some and all of them are completed.
func (f *facts) sheets(o *rule.Own) {
	tests := 0
	o.TestOK = true
	for _, b := range f.bindings {
		done := isDone(b)
		o.Started = o.Started || whole(b.Values[codes.Instances]) > 0
		if b.Text(codes.BizKind) == codes.OptionTest {
			tests++
			o.TestOK = o.TestOK && done
		}
		if b.Is(codes.Required) {
			o.SheetTotal++
			o.SheetDone += count(done)
		}
	}
	f.appearance(o)
	o.TestOK = o.TestOK && tests > 0
}

// appearance takes the answer of the sheets that judge it, once one was begun: one that says no fails it, and one that is open leaves it open. Without
// any it is what people entered at the node.
func (f *facts) appearance(o *rule.Own) {
	begun, open, bad := false, false, false
	for _, b := range f.bindings {
		if b.Text(codes.SchemaCode) == codes.AppearanceCheck && whole(b.Values[codes.Instances]) > 0 {
			completed := b.Text(codes.Status) == codes.OptionCompleted
			begun, open, bad = true, open || !completed, bad || completed && !isDone(b)
		}
	}
	switch {
	case !begun:
	case bad:
		o.Appearance = rule.NotOK
	case open:
		o.Appearance = ""
	default:
		o.Appearance = rule.OK
	}
}

// actions adds the corrective actions, and how far those of the latest round are.
func (f *facts) actions(round int64, o *rule.Own) {
	latest := map[string]bool{}
	for _, r := range f.records {
		latest[r.ID] = whole(r.Values[codes.Round]) == round
	}
	o.NCR = rule.NoNCR
	for _, n := range f.ncrs {
		status := n.Text(codes.Status)
		o.NCROpen += count(status != codes.OptionReviewed)
		switch {
		case !latest[n.Text(codes.RecordID)]:
		case status == codes.OptionOpen:
			o.NCR = rule.OpenNCR
		case status != codes.OptionReviewed && o.NCR != rule.OpenNCR:
			o.NCR = rule.ReworkNCR
		case o.NCR == rule.NoNCR:
			o.NCR = rule.ClosedNCR
		}
	}
}

// stored reads what a node has itself from its own columns.
func stored(n world.Row) (o rule.Own) {
	v := func(code string) int64 { return whole(n.Values[code]) }
	o.Counts = rule.Counts{Points: v(codes.OwnPoints), OKPoints: v(codes.OwnOkPoints), MainItems: v(codes.OwnMainItems), MainOK: v(codes.OwnMainOk), GeneralItems: v(codes.OwnGeneralItems),
		GeneralOK: v(codes.OwnGeneralOk), SheetTotal: v(codes.OwnSheetTotal), SheetDone: v(codes.OwnSheetDone), NCROpen: v(codes.OwnNcrOpen), Records: v(codes.Records), Started: n.Is(codes.OwnStarted),
		Processes: v(codes.OwnProcesses), ProcessesDone: v(codes.OwnProcessesDone)}
	o.Conclusion, o.NCR, o.TestOK, o.Appearance = n.Text(codes.Conclusion), n.Text(codes.NcrState), n.Is(codes.TestOk), n.Text(codes.Appearance)
	o.Concession, o.Excellent = n.Is(codes.Concession), n.Is(codes.OwnExcellent)
	return o
}

// child reads what a parent needs of a node.
func child(n world.Row) (c rule.Child) {
	v := func(code string) int64 { return whole(n.Values[code]) }
	c.Counts = rule.Counts{Points: v(codes.Points), OKPoints: v(codes.OkPoints), MainItems: v(codes.MainItems), MainOK: v(codes.MainOk), GeneralItems: v(codes.GeneralItems), GeneralOK: v(codes.GeneralOk),
		SheetTotal: v(codes.SheetTotal), SheetDone: v(codes.SheetDone), NCROpen: v(codes.NcrOpen)}
	c.Main, c.Eval, c.Work, c.DocComplete = n.Is(codes.MainFlag), n.Text(codes.EvalStatus), n.Text(codes.WorkStatus), n.Is(codes.DocComplete)
	if score := number(n.Values[codes.Score]); score != nil {
		c.Score, c.ScoreValue = true, *score
	}
	return c
}

// columns are the values of a node that the pack computes, in the Go forms of rows.
func (r *roller) columns(n world.Row, o rule.Own, round int64, s rule.State, set *rule.Set) map[string]any {
	d := func(n int64) any { return decimal.NewFromInt(n) }
	out := map[string]any{codes.OwnPoints: d(o.Points), codes.OwnOkPoints: d(o.OKPoints), codes.OwnMainItems: d(o.MainItems), codes.OwnMainOk: d(o.MainOK), codes.OwnGeneralItems: d(o.GeneralItems),
		codes.OwnGeneralOk: d(o.GeneralOK), codes.OwnSheetTotal: d(o.SheetTotal), codes.OwnSheetDone: d(o.SheetDone), codes.OwnNcrOpen: d(o.NCROpen), codes.Records: d(o.Records), codes.OwnStarted: o.Started,
		codes.OwnProcesses: d(o.Processes), codes.OwnProcessesDone: d(o.ProcessesDone), codes.Conclusion: orNil(o.Conclusion), codes.NcrState: o.NCR, codes.TestOk: o.TestOK, codes.OwnExcellent: o.Excellent,
		codes.Appearance: orNil(o.Appearance), codes.Round: d(round), codes.Points: d(s.Points), codes.OkPoints: d(s.OKPoints), codes.MainItems: d(s.MainItems), codes.MainOk: d(s.MainOK), codes.GeneralItems: d(s.GeneralItems), codes.GeneralOk: d(s.GeneralOK),
		codes.SheetTotal: d(s.SheetTotal), codes.SheetDone: d(s.SheetDone), codes.NcrOpen: d(s.NCROpen), codes.EvalStatus: s.Eval, codes.WorkStatus: s.Work, codes.DocComplete: s.DocComplete,
		codes.PassRate: nil, codes.Score: nil, codes.RuleCode: nil, codes.RuleRevision: nil}
	if rate, ok := s.Rate(); ok {
		out[codes.PassRate] = rate
	}
	if s.Score != nil {
		out[codes.Score] = *s.Score
	}
	if s.Eval != rule.None { // from now on the node keeps the revision that it was evaluated by
		out[codes.RuleCode], out[codes.RuleRevision] = set.Code, decimal.NewFromInt(int64(set.Revision))
	}
	day := r.day
	if day == "" {
		day = r.w.Now().In(r.w.Zone()).Format(time.DateOnly)
	}
	if s.Work != rule.NotStarted && (n.Empty(codes.ActStart) || r.day != "" && r.day < n.Text(codes.ActStart)) {
		out[codes.ActStart] = day
	}
	switch {
	case s.Work != rule.Done:
		out[codes.ActFinish] = nil
	case n.Empty(codes.ActFinish):
		out[codes.ActFinish] = max(day, n.Text(codes.ActStart), text(out[codes.ActStart]))
	}
	return out
}

// same compares a value of a row with a computed one.
func same(was, is any) bool {
	a, b := number(was), number(is)
	switch {
	case a != nil && b != nil:
		return a.Equal(*b)
	case was == nil: // of a node that nothing was stored in yet
		return is == nil || is == false || b != nil && b.IsZero()
	}
	return fmt.Sprint(was) == fmt.Sprint(is)
}

// store writes what differs, into the row too, and reports whether something did.
func (r *roller) store(ctx context.Context, n world.Row, values map[string]any) (bool, error) {
	changes := map[string]any{}
	for code, v := range values {
		shares := code == codes.PassRate || code == codes.Score // none is not 0
		if was := n.Values[code]; !same(was, v) || shares && (was == nil) != (v == nil) {
			changes[code], n.Values[code] = v, v
		}
	}
	if len(changes) == 0 {
		return false, nil
	}
	version, err := r.w.Update(ctx, node, n.ID, whole(n.Values["version"]), changes)
	n.Values["version"] = version
	return true, err
}

// node evaluates one node from its parts and from its children as they are stored, and reports whether something changed.
func (r *roller) node(ctx context.Context, n world.Row, f *facts, children []world.Row) (bool, error) {
	set, err := r.setOf(ctx, n)
	if err != nil {
		return false, err
	}
	own, round := stored(n), whole(n.Values[codes.Round])
	if f != nil {
		own, round = f.own(n)
	}
	of := make([]rule.Child, len(children))
	for i, c := range children {
		of[i] = child(c)
	}
	state := set.Roll(n.Text(codes.NodeType), own, of)
	due, err := r.compare(ctx, n, f, round, children, set, state.Eval)
	if err != nil {
		return false, err
	}
	if due != nil && due.missing > 0 {
		own.Missing = due.missing
		state = set.Roll(n.Text(codes.NodeType), own, of)
	}
	values := r.columns(n, own, round, state, set)
	due.columns(n, values, state.Eval)
	return r.store(ctx, n, values)
}

// read reads a node as a row; false when it is not there.
func (r *roller) read(ctx context.Context, id string) (world.Row, bool, error) {
	return first(r.w.Rows(ctx, "quality.node", world.Args{"id": id}))
}

// above reads what a node needs of the one above it.
func (r *roller) above(ctx context.Context, id string) (world.Row, bool, error) {
	if n, ok := r.parents[id]; ok {
		return n, true, nil
	}
	n, ok, err := first(r.w.Rows(ctx, "quality.above", world.Args{"id": id}))
	if err == nil && ok {
		r.parents[id] = n
	}
	return n, ok, err
}

// parts reads the parts of a node.
func (r *roller) parts(ctx context.Context, id string) (f facts, err error) {
	for query, to := range map[string]*[]world.Row{"records": &f.records, "bindings": &f.bindings, "processes": &f.processes, "ncrs": &f.ncrs, "consents": &f.consents} {
		if *to, err = rows(ctx, r.w, "quality."+query, world.Args{"id": id}); err != nil {
			return f, err
		}
	}
	return f, nil
}

// roll evaluates a node whose parts changed and everything above it, from the bottom up. It ends where nothing changes any more.
func (r *roller) roll(ctx context.Context, id string) error {
	n, ok, err := r.read(ctx, id)
	if err != nil || !ok {
		return err
	}
	if err := r.w.Lock(ctx, "quality.roll."+n.Text(codes.ProjectID)); err != nil {
		return err
	}
	if n, ok, err = r.read(ctx, id); err != nil || !ok { // as the transaction before left it
		return err
	}
	f, err := r.parts(ctx, id)
	if err != nil {
		return err
	}
	if err := r.processes(ctx, n, f); err != nil {
		return err
	}
	for at := &f; ; at = nil {
		children, err := rows(ctx, r.w, "quality.children", world.Args{"id": n.ID})
		if err != nil {
			return err
		}
		changed, err := r.node(ctx, n, at, children)
		if err != nil || !changed && at == nil || n.Text(codes.ParentID) == "" {
			return err
		}
		if n, ok, err = r.read(ctx, n.Text(codes.ParentID)); err != nil || !ok {
			return err
		}
	}
}

// refresh evaluates a node and everything below it from nothing, then what is above it, and returns how many nodes changed. root "" is the
// whole project.
func (r *roller) refresh(ctx context.Context, projectID, root string) (changed int, err error) {
	if err := r.w.Lock(ctx, "quality.roll."+projectID); err != nil {
		return 0, err
	}
	parts, err := r.allParts(ctx, projectID)
	if err != nil {
		return 0, err
	}
	query, args := "quality.tree", world.Args{"project": projectID}
	if root != "" {
		query, args = "quality.subtree", world.Args{"root": root}
	}
	nodes, err := rows(ctx, r.w, query, args)
	if err != nil {
		return 0, err
	}
	children := map[string][]world.Row{}
	for _, n := range slices.Backward(nodes) { // depth first, so children are behind their parent
		f := parts[n.ID]
		if f == nil {
			f = &facts{}
		}
		if err := r.processes(ctx, n, *f); err != nil {
			return changed, err
		}
		different, err := r.node(ctx, n, f, children[n.ID])
		if err != nil {
			return changed, err
		}
		changed += int(count(different))
		children[n.Text(codes.ParentID)] = append(children[n.Text(codes.ParentID)], n)
	}
	if len(nodes) > 0 && nodes[0].Text(codes.ParentID) != "" {
		return changed, r.roll(ctx, nodes[0].Text(codes.ParentID))
	}
	return changed, nil
}

// allParts reads the parts of all nodes of a project.
func (r *roller) allParts(ctx context.Context, projectID string) (map[string]*facts, error) {
	out := map[string]*facts{}
	of := map[string]func(f *facts) *[]world.Row{
		"recordsAll": func(f *facts) *[]world.Row { return &f.records }, "bindingsAll": func(f *facts) *[]world.Row { return &f.bindings },
		"processesAll": func(f *facts) *[]world.Row { return &f.processes }, "ncrsAll": func(f *facts) *[]world.Row { return &f.ncrs },
		"consentsAll": func(f *facts) *[]world.Row { return &f.consents }}
	for query, to := range of {
		for row, err := range r.w.Rows(ctx, "quality."+query, world.Args{"id": projectID}) {
			if err != nil {
				return nil, err
			}
			id := row.Text(codes.QbsID)
			if out[id] == nil {
				out[id] = &facts{}
			}
			list := to(out[id])
			*list = append(*list, row)
		}
	}
	return out, nil
}
