package quality

import (
	"cmp"
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// beforeProcess refuses circles and processes of nodes that have parts.
func beforeProcess(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	delete(e.Set, codes.Status)
	delete(e.Set, codes.ByContractor)
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if err := r.askedProcess(ctx, e); err != nil {
		return err
	}
	if e.Create && text(e.Set[codes.BaseID]) == "" {
		inspected, err := r.inspectedAt(ctx, e)
		if err != nil {
			return err
		}
		e.Set[codes.ByContractor] = inspected
	}
	if e.Delete {
		if s := text(e.Old[codes.Status]); s == codes.OptionDoing || s == codes.OptionDone {
			return fault.New(ProcessStarted, text(e.Old[codes.Title]))
		}
		return next()
	}
	now := e.New()
	n, ok, err := r.read(ctx, text(now[codes.QbsID]))
	if err != nil || !ok {
		return or(err, next)
	}
	if e.Create {
		below, err := rows(ctx, r.w, "quality.children", world.Args{"id": n.ID})
		if err != nil {
			return err
		}
		if len(below) > 0 {
			return refuse(codes.QbsID, NotLowest, n.Text(codes.Name))
		}
	}
	if _, set := e.Set[codes.PrevIDs]; set {
		all, err := rows(ctx, r.w, "quality.processesEver", world.Args{"id": n.ID})
		if err != nil {
			return err
		}
		if err := acyclic(all, e.ID, ids(now[codes.PrevIDs])); err != nil {
			return err
		}
	}
	return next()
}

// beforeLibrary refuses circles of the library's processes, which no node could take over.
func beforeLibrary(ctx context.Context, e *hook.Record, next func() error) error {
	if _, set := e.Set[codes.PrevIDs]; !set || e.Delete {
		return next()
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	all, err := rows(ctx, r.w, "quality.library", nil)
	if err != nil {
		return err
	}
	if err := acyclic(all, e.ID, ids(e.New()[codes.PrevIDs])); err != nil {
		return err
	}
	return next()
}

// acyclic refuses processes before each other in a circle, and such as are not among all.
func acyclic(all []world.Row, id string, before []string) error {
	prev, title := map[string][]string{id: before}, map[string]string{}
	for _, p := range all {
		title[p.ID] = p.Text(codes.Title)
		if p.ID != id {
			prev[p.ID] = p.Set(codes.PrevIDs)
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
		if _, known := title[p]; !known && p != id {
			return refuse(codes.PrevIDs, ProcessElsewhere)
		}
		if back(p) {
			return refuse(codes.PrevIDs, ProcessCycle, title[id]+" ← "+title[p])
		}
	}
	return nil
}

// beforeBinding checks that a binding names a sheet, and keeps one that has records.
func beforeBinding(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	for _, code := range []string{codes.Instances, codes.ObjectID, codes.Status, codes.StatusTime, codes.StartTime} {
		if !e.Create || code != codes.Status {
			delete(e.Set, code)
		}
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if err := r.askedBinding(ctx, e); err != nil {
		return err
	}
	if e.Delete {
		if n := whole(e.Old[codes.Instances]); n > 0 {
			return fault.New(SheetUsed, n)
		}
		return next()
	}
	if e.Create {
		e.Set[codes.Status] = codes.OptionNone
	}
	now := e.New()
	if _, set := e.Set[codes.SchemaCode]; set {
		title, ok := sheetTitle(e.World, text(now[codes.SchemaCode]))
		if !ok {
			return refuse(codes.SchemaCode, SheetUnknown, text(now[codes.SchemaCode]))
		}
		if text(now[codes.SheetTitle]) == "" {
			e.Set[codes.SheetTitle] = title
		}
	}
	if err := workflowIsThere(r.w, e); err != nil {
		return err
	}
	return next()
}

// workflowIsThere refuses a binding to a workflow that there is not.
func workflowIsThere(w world.World, e *hook.Record) error {
	code := text(e.Set[codes.WorkflowCode])
	if code == "" {
		return nil
	}
	if _, ok := w.Document("workflow", code); !ok {
		return refuse(codes.WorkflowCode, WorkflowUnknown, code)
	}
	return nil
}

// beforeLibraryBinding is the same for the library.
func beforeLibraryBinding(_ context.Context, e *hook.Record, next func() error) error {
	if !e.Delete {
		if err := workflowIsThere(e.World, e); err != nil {
			return err
		}
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
		if p.Code == codes.BizID && p.Relation == binding || p.Code == codes.QbsID && p.Relation == node {
			found++
		}
	}
	return m.Name.Zh, found == 2
}

// beforeSheet is for every model: a new record of a business sheet begins only when its process is open, and takes node and contract from
// its binding; one without a binding takes the contract from its node.
func beforeSheet(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) {
		return next()
	}
	if _, sheet := sheetTitle(e.World, e.Model); sheet && !e.Create {
		if e.Model != record { // of which beforeRecord asks
			if err := staysAt(e); err != nil {
				return err
			}
		}
		if err := filled(ctx, e); err != nil {
			return err
		}
	}
	if e.Delete {
		return next()
	}
	if text(e.Set[codes.BizID]) == "" {
		return or(unboundSheet(ctx, e), next)
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	bound, err := r.w.Get(ctx, binding, text(e.Set[codes.BizID]))
	if err != nil {
		return next() // the reference is refused with the others
	}
	if asked := text(e.Set[codes.QbsID]); asked != "" && asked != text(bound.Values[codes.QbsID]) {
		n, err := r.w.Get(ctx, node, text(bound.Values[codes.QbsID]))
		if err != nil {
			return err
		}
		return refuse(codes.QbsID, SheetElsewhere, seenName(ctx, e.World, n.ID, text(n.Values[codes.Name])))
	}
	e.Set[codes.QbsID] = text(bound.Values[codes.QbsID])
	if !e.Create {
		return next()
	}
	if err := r.mayFill(ctx, e, bound.Values); err != nil {
		return err
	}
	if whole(bound.Values[codes.Instances]) > 0 && !is(bound.Values[codes.Multi]) && text(bound.Values[codes.Status]) != codes.OptionCanceled && !(text(bound.Values[codes.Status]) == codes.OptionCompleted && text(bound.Values[codes.Answer]) == codes.OptionNotOk) && e.Model != record {
		return fault.New(SheetSingle, text(bound.Values[codes.SheetTitle]))
	}
	n, _, err := r.read(ctx, text(bound.Values[codes.QbsID]))
	if err != nil {
		return err
	}
	namePlace(e, n)
	p, err := rows(ctx, r.w, "quality.processes", world.Args{"id": text(bound.Values[codes.QbsID])})
	if err != nil {
		return err
	}
	if err := r.sheetWaits(ctx, n, bound.Values, p); err != nil {
		return err
	}
	if id := text(bound.Values[codes.JbsID]); id != "" {
		byID := map[string]world.Row{}
		for _, one := range p {
			byID[one.ID] = one
		}
		waits, err := r.holdsOf(ctx, n)
		if err != nil {
			return err
		}
		if before := lockedBy(byID[id], byID, waits); before != "" {
			return fault.New(ProcessLocked, byID[id].Text(codes.Title), before)
		}
	}
	return next()
}

// unboundSheet gives a sheet that names its node alone the name of the node where no location is written.
func unboundSheet(ctx context.Context, e *hook.Record) error {
	id := text(e.Set[codes.QbsID])
	if id == "" || text(e.New()[codes.BizID]) != "" {
		return nil
	}
	if _, sheet := sheetTitle(e.World, e.Model); !sheet {
		return nil
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	n, ok, err := r.read(ctx, id)
	if err != nil || !ok {
		return err
	}
	namePlace(e, n)
	return nil
}

// namePlace gives a sheet the name of its node where no location is written: lists, tasks and prints tell it from others by that.
func namePlace(e *hook.Record, n world.Row) {
	m, _ := e.World.ModelOf(e.Model)
	has := slices.ContainsFunc(m.Properties, func(p world.Property) bool { return p.Code == codes.Part })
	if has && text(e.New()[codes.Part]) == "" {
		e.Set[codes.Part] = n.Text(codes.Name)
	}
}

// afterSheet tells the binding of a record of a business sheet that was made or removed, and evaluates the node.
func afterSheet(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) {
		return err
	}
	b := text(either(e.Set[codes.BizID], e.Old[codes.BizID]))
	if b == "" || e.Model == binding && !e.Create && !e.Delete {
		return nil
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if e.Model != record { // of which afterPart writes
		if err := r.note(ctx, e, text(either(e.New()[codes.QbsID], e.Old[codes.QbsID]))); err != nil {
			return err
		}
	}
	answered, speaks := r.answerOf(ctx, e)
	if !e.Create && !e.Delete && !speaks {
		return nil
	}
	bound, err := r.w.Get(ctx, binding, b)
	if err != nil {
		return err
	}
	n := whole(bound.Values[codes.Instances])
	values := map[string]any{codes.StatusTime: r.w.Now().UTC().Format("2006-01-02T15:04:05Z")}
	switch {
	case e.Delete:
		n--
		if text(bound.Values[codes.ObjectID]) == e.ID || n <= 0 {
			values[codes.ObjectID], values[codes.Status] = lastSheet(ctx, r.w, e.Model, b)
		}
	case !e.Create: // an answer or a date that was changed
		delete(values, codes.StatusTime)
	default:
		n++
		values[codes.ObjectID], values[codes.Status], values[codes.SignedBy] = e.ID, codes.OptionCompleted, nil
		if bound.Values[codes.StartTime] == nil {
			values[codes.StartTime] = values[codes.StatusTime]
		}
		if text(bound.Values[codes.WorkflowCode]) != "" || e.InProcess {
			values[codes.Status] = codes.OptionDraft
		}
	}
	values[codes.Instances] = itoa(max(0, n))
	r.says(ctx, e, answered, bound.Values, values)
	if _, err := r.w.Update(ctx, binding, b, bound.Version, values); err != nil {
		return err
	}
	if err := r.demandSheet(ctx, b, either(values[codes.Status], bound.Values[codes.Status]), values[codes.Answer], bound.Values); err != nil {
		return err
	}
	r.day = dayOf(e.New())
	return r.roll(ctx, text(bound.Values[codes.QbsID]))
}

// lastSheet is the latest record of a binding and its state; nil and NONE when there is none, or the pack sees none of that model.
func lastSheet(ctx context.Context, w world.World, model, binding string) (id any, status string) {
	found, err := w.Find(ctx, model, map[string]any{codes.BizID: binding}, world.All)
	if err != nil || len(found) == 0 {
		return nil, codes.OptionNone
	}
	last := found[len(found)-1] // ids are in the order of time (docs/adr/0030)
	r, err := w.Get(ctx, model, last)
	if err != nil {
		return nil, codes.OptionNone
	}
	switch state := text(either(r.Values[codes.State], r.Values["sequenceStatus"])); state {
	case codes.OptionDraft, codes.OptionCanceled, codes.OptionProcessing:
		return last, state
	}
	return last, codes.OptionCompleted
}

// dayOf is the day of which a sheet says that the work was done on; "" of one that says none.
func dayOf(values map[string]any) string {
	for _, code := range []string{codes.CheckDate, codes.WorkDate} {
		if day := text(values[code]); day != "" {
			return day
		}
	}
	return ""
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
	r := rollerIn(w)
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
		if e.Instance != "" && sheetState(e) != codes.OptionCompleted && bound.Text(codes.Status) == codes.OptionCompleted && bound.Text(codes.Answer) == codes.OptionNotOk {
			if stays, err := r.failureStays(ctx, sheetState(e), bound.Text(codes.ContractID)); err != nil || stays {
				return cmp.Or(err, error(fault.New(FailureStays, bound.Text(codes.SheetTitle))))
			}
		}
		signed, err := r.signer(ctx, e, bound.Text(codes.ContractID), bound.Set(codes.AuditRole))
		if err != nil {
			return err
		}
		values := map[string]any{codes.Status: sheetState(e), codes.StatusTime: w.Now().UTC().Format("2006-01-02T15:04:05Z"), codes.SignedBy: signed}
		if _, err := w.Update(ctx, binding, bound.ID, whole(bound.Values["version"]), values); err != nil {
			return err
		}
		if err := r.demandSheet(ctx, bound.ID, values[codes.Status], bound.Values[codes.Answer], bound.Values); err != nil {
			return err
		}
		if sheet, err := w.Get(ctx, e.Model, e.ID); err == nil {
			r.day = dayOf(sheet.Values)
		}
		nodes[bound.Text(codes.QbsID)] = true
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
		return codes.OptionDraft
	case e.New == "DRAFT", e.New == "COMPLETED", e.New == "CANCELED":
		return e.New
	}
	return codes.OptionProcessing
}

func (r *roller) movedRecord(ctx context.Context, e *hook.Move, nodes map[string]bool) error {
	found, err := r.w.Get(ctx, record, e.ID)
	if err != nil {
		return err
	}
	state := sheetState(e)
	if state != codes.OptionCompleted {
		if err := r.measured(ctx, text(found.Values[codes.QbsID]), found.Values); err != nil {
			return err
		}
	}
	if e.Instance != "" && state != codes.OptionCompleted && text(found.Values[codes.State]) == codes.OptionCompleted && text(found.Values[codes.Conclusion]) == rule.NotOK {
		if stays, err := r.failureStays(ctx, state, text(found.Values[codes.ContractID])); err != nil || stays {
			return cmp.Or(err, error(fault.New(FailureStays, text(found.Values[codes.Part]))))
		}
	}
	if state == codes.OptionProcessing && text(found.Values[codes.Conclusion]) == rule.Incomplete {
		return fault.New(RecordIncomplete, lacking(found.Values[codes.Items]))
	}
	var roles []string
	if id := text(found.Values[codes.BizID]); id != "" {
		bound, err := r.w.Get(ctx, binding, id)
		if err != nil {
			return err
		}
		roles = ids(bound.Values[codes.AuditRole])
	}
	signed, err := r.signer(ctx, e, text(found.Values[codes.ContractID]), roles)
	if err != nil {
		return err
	}
	if _, err := r.w.Update(ctx, record, e.ID, found.Version, map[string]any{codes.State: state, codes.SignedBy: signed}); err != nil {
		return err
	}
	if state == codes.OptionCompleted && text(found.Values[codes.Conclusion]) == rule.NotOK {
		if err := r.demand(ctx, e.ID, found.Values); err != nil {
			return err
		}
	}
	nodes[text(found.Values[codes.QbsID])], r.day = true, dayOf(found.Values)
	return nil
}
