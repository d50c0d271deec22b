package quality

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

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
		all, err := rows(ctx, r.w, "quality.processesEver", world.Args{"id": n.ID})
		if err != nil {
			return err
		}
		if err := acyclic(all, e.ID, ids(now["prevIds"])); err != nil {
			return err
		}
	}
	return next()
}

// beforeLibrary refuses circles of the library's processes, which no node could take over.
func beforeLibrary(ctx context.Context, e *hook.Record, next func() error) error {
	if _, set := e.Set["prevIds"]; !set || e.Delete {
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
	if err := acyclic(all, e.ID, ids(e.New()["prevIds"])); err != nil {
		return err
	}
	return next()
}

// acyclic refuses processes before each other in a circle, and such as are not among all.
func acyclic(all []world.Row, id string, before []string) error {
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
		if _, known := title[p]; !known && p != id {
			return refuse("prevIds", ProcessElsewhere)
		}
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
	for _, code := range []string{"instances", "objectId", "status", "statusTime", "startTime"} {
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
	if err := workflowIsThere(r.w, e); err != nil {
		return err
	}
	if n, ok, err := r.read(ctx, text(now["qbsId"])); err != nil {
		return err
	} else if ok && n.Text("contractId") != "" {
		e.Set["contractId"] = n.Text("contractId")
	}
	return next()
}

// workflowIsThere refuses a binding to a workflow that there is not.
func workflowIsThere(w world.World, e *hook.Record) error {
	code := text(e.Set["workflowCode"])
	if code == "" {
		return nil
	}
	if _, ok := w.Document("workflow", code); !ok {
		return refuse("workflowCode", WorkflowUnknown, code)
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
		if p.Code == "bizId" && p.Relation == binding || p.Code == "qbsId" && p.Relation == node {
			found++
		}
	}
	return m.Name.Zh, found == 2
}

// beforeSheet is for every model: a new record of a business sheet begins only when its process is open, and takes node and contract from
// its binding; one without a binding takes the contract from its node.
func beforeSheet(ctx context.Context, e *hook.Record, next func() error) error {
	if byPack(e) || e.Delete {
		return next()
	}
	if text(e.Set["bizId"]) == "" {
		return or(unboundSheet(ctx, e), next)
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	bound, err := r.w.Get(ctx, binding, text(e.Set["bizId"]))
	if err != nil {
		return next() // the reference is refused with the others
	}
	if asked := text(e.Set["qbsId"]); asked != "" && asked != text(bound.Values["qbsId"]) {
		n, err := r.w.Get(ctx, node, text(bound.Values["qbsId"]))
		if err != nil {
			return err
		}
		return refuse("qbsId", SheetElsewhere, seenName(ctx, e.World, n.ID, text(n.Values["name"])))
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

// unboundSheet gives a sheet that names its node alone the contract of the node, and its name where no location is written.
func unboundSheet(ctx context.Context, e *hook.Record) error {
	id := text(e.Set["qbsId"])
	if id == "" || text(e.New()["bizId"]) != "" {
		return nil
	}
	m, _ := e.World.ModelOf(e.Model)
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
	has := func(code string) bool {
		return slices.ContainsFunc(m.Properties, func(p world.Property) bool { return p.Code == code })
	}
	if c := n.Text("contractId"); c != "" && has("contractId") {
		e.Set["contractId"] = c
	}
	if has("part") && text(e.New()["part"]) == "" {
		e.Set["part"] = n.Text("name")
	}
	return nil
}

// afterSheet tells the binding of a record of a business sheet that was made or removed, and evaluates the node.
func afterSheet(ctx context.Context, e *hook.Record, next func() error) error {
	if err := next(); err != nil || byPack(e) {
		return err
	}
	b := text(either(e.Set["bizId"], e.Old["bizId"]))
	if b == "" || (e.Model == record || e.Model == binding) && !e.Create && !e.Delete {
		return nil
	}
	r, err := rollerOf(e.World)
	if err != nil {
		return err
	}
	if e.Model != record { // of which afterPart writes
		if err := r.note(ctx, e, text(either(e.New()["qbsId"], e.Old["qbsId"]))); err != nil {
			return err
		}
	}
	if !e.Create && !e.Delete {
		return nil
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
			values["objectId"], values["status"] = lastSheet(ctx, r.w, e.Model, b)
		}
	} else {
		n++
		values["objectId"], values["status"] = e.ID, "COMPLETED"
		if bound.Values["startTime"] == nil {
			values["startTime"] = values["statusTime"]
		}
		if text(bound.Values["workflowCode"]) != "" {
			values["status"] = "DRAFT"
		}
	}
	values["instances"] = itoa(max(0, n))
	if _, err := r.w.Update(ctx, binding, b, bound.Version, values); err != nil {
		return err
	}
	r.day = dayOf(e.New())
	return r.roll(ctx, text(bound.Values["qbsId"]))
}

// lastSheet is the latest record of a binding and its state; nil and NONE when there is none, or the pack sees none of that model.
func lastSheet(ctx context.Context, w world.World, model, binding string) (id any, status string) {
	found, err := w.Find(ctx, model, map[string]any{"bizId": binding}, world.All)
	if err != nil || len(found) == 0 {
		return nil, "NONE"
	}
	last := found[len(found)-1] // ids are in the order of time (docs/adr/0030)
	r, err := w.Get(ctx, model, last)
	if err != nil {
		return nil, "NONE"
	}
	switch state := text(either(r.Values["state"], r.Values["sequenceStatus"])); state {
	case "DRAFT", "CANCELED", "PROCESSING":
		return last, state
	}
	return last, "COMPLETED"
}

// dayOf is the day of which a sheet says that the work was done on; "" of one that says none.
func dayOf(values map[string]any) string {
	for _, code := range []string{"checkDate", "workDate"} {
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
		values := map[string]any{"status": sheetState(e), "statusTime": w.Now().UTC().Format("2006-01-02T15:04:05Z")}
		if _, err := w.Update(ctx, binding, bound.ID, whole(bound.Values["version"]), values); err != nil {
			return err
		}
		if sheet, err := w.Get(ctx, e.Model, e.ID); err == nil {
			r.day = dayOf(sheet.Values)
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
	nodes[text(found.Values["qbsId"])], r.day = true, dayOf(found.Values)
	return nil
}
