package workflow

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
)

func queryRef(model, id string) query.Ref { return query.Ref{SchemaCode: model, ID: id} }

// keep makes events true: it writes them down with the state that they make, the items that changed, timers and messages, and does what an
// END says of the record.
func (r *running) keep(events []flow.Event) error {
	if len(events) == 0 {
		return r.tx.System().Model(&r.row).Select("urged").Updates(&r.row).Error
	}
	first := r.row.Events
	rows := make([]event, 0, len(events))
	had := r.handlers()
	changed, timed := map[int]bool{}, map[int]bool{}
	var told []told
	var opinions []record.Opinion
	var gone []int64
	for _, e := range events {
		told = append(told, r.toldBy(e)...)
		if e.Kind == flow.Logged && r.made > 0 { // the first entry is the person's own step
			e.Was, e.Version, r.made = r.was, r.made, 0
		}
		back, err := r.takenBack(e)
		if err != nil {
			return err
		}
		gone = append(gone, back...)
		if o, says := r.opines(e, r.row.Events+1); says {
			opinions = append(opinions, o)
		}
		r.state.Apply(e)
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		r.row.Events++
		rows = append(rows, event{Instance: r.row.ID, Number: r.row.Events, At: e.At, Body: body, Epoch: r.tx.Epoch()})
		switch e.Kind {
		case flow.ItemIs:
			changed[e.Item.ID] = true
		case flow.Timed:
			timed[e.On] = timed[e.On] || e.Timer == flow.TimerTimeout
		}
	}
	if err := r.tx.System().CreateInBatches(rows, 200).Error; err != nil {
		return fmt.Errorf("write down what happened: %w", err)
	}
	if err := r.keepOpinions(opinions, gone); err != nil {
		return err
	}
	events = append(events, r.alsoTold(told)...)
	ids, err := r.items(changed, timed)
	if err != nil {
		return err
	}
	var stuck []int
	for i, e := range events {
		var fails bool
		switch e.Kind {
		case flow.Messaged:
			key := fmt.Sprint(first + int64(i) + 1)
			if i >= len(rows) {
				key = fmt.Sprintf("%d+%d", first+int64(len(rows)), i-len(rows))
			}
			err = r.tell(e, ids, key)
		case flow.Timed:
			var armed bool
			armed, err = r.arm(e)
			fails = !armed && e.Timer == flow.TimerWait && r.s.notes == nil // for a time, or a key, that is empty
		case flow.EndedAt:
			err = r.assign(e.Node)
		case flow.Called, flow.Children:
			if r.s.notes == nil { // else the rehearsal says what becomes of it
				err = r.arrange(e.On, 1, e.At)
			}
		case flow.Orphaned:
			err = r.abandon(e.On)
		}
		if err != nil {
			return err
		}
		if fails {
			stuck = append(stuck, e.On)
		}
	}
	if err := r.clocks(); err != nil {
		return err
	}
	if err := r.put(); err != nil {
		return err
	}
	if err := r.keepHandlers(had); err != nil {
		return err
	}
	if err := r.pools(0); err != nil {
		return err
	}
	if err := r.hooks(told); err != nil {
		return err
	}
	if _, _, err := r.audit(false); err != nil {
		return err
	}
	for _, activity := range stuck { // the instance waits for an administrator and says so
		if err := r.fail(activity, flow.StuckWait); err != nil {
			return err
		}
	}
	return nil
}

// put writes the instance's row.
func (r *running) put() error {
	var err error
	if r.row.State, err = json.Marshal(r.state); err != nil {
		return err
	}
	r.row.Epoch, r.row.Status, r.row.Result = r.tx.Epoch(), string(r.state.Status), string(r.state.Result)
	before := r.row.Finished != nil
	if over := r.state.Status == flow.Completed || r.state.Status == flow.Canceled; over {
		if r.row.Live = nil; r.row.Finished == nil {
			now := r.s.cfg.Clock().UTC()
			r.row.Finished = &now
		}
		if r.state.Status == flow.Completed {
			r.row.Result = string(r.result())
		}
		if err := r.seal(); err != nil {
			return err
		}
	}
	if err := r.tx.System().Select("*").Updates(&r.row).Error; err != nil {
		return err
	}
	if before { // it had ended: who waited for it knows, and its record may be in another workflow
		return nil
	}
	if err := r.report(); err != nil {
		return err
	}
	status := r.row.Status
	if r.state.Status == flow.Exception { // it waits for an administrator, and so does the record
		status = record.StatusProcessing
	}
	by := r.view
	if r.s.notes != nil { // a rehearsal runs no code of packs besides that of records
		by = nil
	}
	r.facts.state = nil // the record's version has changed, and hooks may have written it
	return r.s.cfg.Writer.MarkIn(r.ctx, r.tx, r.s.systemView(), by, record.Mark{Model: r.row.Model, Record: r.row.Record, Instance: r.row.ID, Workflow: r.row.Code, Status: status})
}

// handlers are the people whose tasks wait at the record, with the number of each one's first task. Copies are to be read and wait for
// nobody.
func (r *running) handlers() map[string]int {
	out := map[string]int{}
	for _, i := range r.state.Items {
		if _, known := out[i.Person]; !known && i.Person != "" && i.Type != flow.ItemCirculate && i.Ready() {
			out[i.Person] = i.ID
		}
	}
	return out
}

// keepHandlers writes what has become of the people who had tasks.
func (r *running) keepHandlers(had map[string]int) error {
	now := r.handlers()
	var gone []string
	for person := range had {
		if _, still := now[person]; !still {
			gone = append(gone, person)
		}
	}
	var come []handler
	for person, number := range now {
		if old, known := had[person]; !known || old != number {
			come = append(come, handler{Record: r.row.Record, Person: person, Ordinal: number})
		}
	}
	if len(gone)+len(come) == 0 {
		return nil
	}
	r.tx.Touch(catalog.HandlersTable)
	if len(gone) > 0 {
		if err := r.tx.System().Where("v = ? AND id IN ?", r.row.Record, gone).Delete(&handler{}).Error; err != nil {
			return err
		}
	}
	if len(come) == 0 {
		return nil
	}
	slices.SortFunc(come, func(a, b handler) int { return a.Ordinal - b.Ordinal })
	return r.tx.System().Clauses(clause.OnConflict{UpdateAll: true}).CreateInBatches(come, 200).Error
}

// result is what the END that was reached last says.
func (r *running) result() flow.Result {
	out := flow.Agreed
	for _, t := range r.state.Tokens {
		if n := r.w.Nodes[t.Node]; t.State == flow.TokenDone && n != nil && n.Node.Type == flow.End && n.Result == flow.Rejected {
			out = flow.Rejected
		}
	}
	return out
}

// items writes the rows of items that changed, and returns the ids of the instance's items by their numbers. timed are those whose time begins.
func (r *running) items(changed, timed map[int]bool) (map[int]string, error) {
	var have []item
	if err := r.tx.System().Where("instance = ?", r.row.ID).Order("number").Find(&have).Error; err != nil {
		return nil, err
	}
	if len(changed) > 0 {
		r.tx.Touch(catalog.TasksTable)
	}
	ids, rows := map[int]string{}, map[int]item{}
	for _, h := range have {
		ids[h.Number], rows[h.Number] = h.ID, h
	}
	for _, i := range r.state.Items {
		if !changed[i.ID] {
			continue
		}
		row, known := rows[i.ID]
		if !known {
			id, err := uuid.NewV7()
			if err != nil {
				return nil, err
			}
			row = item{ID: id.String(), Instance: r.row.ID, Number: i.ID, Code: r.row.Code}
			ids[i.ID] = row.ID
		}
		r.lends(&row, i, have)
		r.show(&row, i)
		if !known && i.Type == flow.ItemForward && !timed[i.ID] { // its time is what it was, for it was over
			row.Due = dueOf(have, row, i.Original)
		}
		var err error
		if known {
			err = r.tx.System().Select("*").Updates(&row).Error
		} else {
			err = r.tx.System().Create(&row).Error
		}
		if err != nil {
			return nil, fmt.Errorf("write a work item: %w", err)
		}
	}
	return ids, nil
}

// show fills the row of an item.
func (r *running) show(row *item, i flow.Item) {
	a, before := r.state.Activity(i.Activity), row.State
	row.Node, row.Person, row.List, row.Type, row.State, row.Result = a.Node, i.Person, listOf(i), string(i.Type), string(i.State), string(i.Verdict)
	row.From, row.Opinion, row.Urged = i.From, i.Opinion, i.Urged
	row.Received, row.Finished = orNil(i.Received), orNil(i.Finished)
	if n := r.w.Nodes[a.Node]; n != nil && n.Time.Timeout > 0 && row.Due == nil && i.State == flow.ItemTodo && before != string(flow.ItemTodo) {
		due := r.facts.after(n, i.Received, time.Duration(n.Time.Timeout)*time.Minute)
		row.Due = &due
	}
}

// dueOf is when the task was due that somebody had before.
func dueOf(have []item, now item, person string) *time.Time {
	for _, h := range slices.Backward(have) {
		if h.Person == person && h.Node == now.Node && h.Number < now.Number {
			return h.Due
		}
	}
	return nil
}

func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// listOf is the list that shows an item to its person.
func listOf(i flow.Item) string {
	switch {
	case i.Person == "" || i.State == flow.ItemWait || i.State == flow.ItemCancelled:
		return ""
	case i.Type == flow.ItemCirculate && i.State == flow.ItemDone:
		return listRead
	case i.Type == flow.ItemCirculate:
		return listUnread
	case i.State == flow.ItemDone || i.State == flow.ItemTransferred:
		return listFinished
	}
	return listUnfinished
}

// tell sends a message of an event. Its key, the number of the event, keeps a recipient from hearing of it twice.
func (r *running) tell(e flow.Event, ids map[int]string, key string) error {
	from, _ := r.s.cfg.People.Name(r.ctx, plan.Ref{Model: directory.User, ID: r.row.Initiator})
	biz := notify.Biz{InstanceName: r.row.Name, OriginatorName: from.Name, WorkflowInstanceID: r.row.ID, WorkItemID: ids[e.On]}
	if i := r.state.Item(e.On); i != nil {
		biz.WorkItemType = string(i.Type)
	}
	if r.silent || r.quiet && e.Message == messageTask {
		return nil
	}
	sender := e.By.Person
	var channels []string
	if n := r.w.Nodes[e.Node]; n != nil {
		biz.Step, biz.StepI18n, channels = n.Label.Zh, n.Label.I18n, channelsOf(n.Notify)
	} else {
		channels = channelsOf(r.w.Notify)
	}
	for _, to := range e.To {
		if _, known := r.s.cfg.People.Person(r.ctx, to); !known {
			continue
		}
		err := r.s.cfg.Notify.Send(r.tx, notify.Message{To: to, Type: notify.Type(e.Message), Sender: sender, Record: queryRef(r.row.Model, r.row.Record), Biz: biz, Channels: channels,
			Once: fmt.Sprintf("workflow %s %s", r.row.ID, key)})
		if err != nil {
			return err
		}
	}
	return nil
}

// arm sets a timer of an item or of a WAIT; false = it has no time.
func (r *running) arm(e flow.Event) (bool, error) {
	if e.Timer == flow.TimerWait {
		if n := r.w.Nodes[e.Node]; n != nil && n.Signal != "" {
			return r.listen(n, e.On)
		}
		var err error
		if e.Due, err = r.until(e.Node); err != nil {
			return false, err
		}
	}
	if e.Due.IsZero() {
		return false, nil
	}
	if soon := e.Due.Add(-announced); e.Timer == flow.TimerWait && soon.After(e.At) {
		if err := r.set(timer{Subject: e.On, Kind: timerSoon, Due: soon}); err != nil {
			return false, err
		}
	}
	row := timer{Instance: r.row.ID, Subject: e.On, Kind: string(e.Timer), Due: e.Due}
	return true, r.tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error
}

// assign writes what an END sets into the record, by the one writer and with the right of the product itself.
func (r *running) assign(node string) error {
	n := r.w.Nodes[node]
	if n == nil || len(n.Set) == 0 {
		return nil
	}
	st, judge, err := r.facts.fresh()
	if err != nil {
		return err
	}
	set := map[string]json.RawMessage{}
	for _, a := range n.Set {
		v := a.Value
		if a.Formula != nil {
			if v, err = judge.Value(*st, a.Formula); err != nil {
				return err
			}
		}
		if set[a.Field.Code], err = json.Marshal(v); err != nil {
			return err
		}
	}
	return r.write(set)
}

// write changes the record, by the one writer and with the right of the product itself.
func (r *running) write(set map[string]json.RawMessage) error {
	if len(set) == 0 {
		return nil
	}
	st, _, err := r.facts.fresh()
	if err != nil {
		return err
	}
	version := st.Version()
	_, err = r.s.cfg.Writer.SaveIn(r.ctx, r.tx, r.s.systemView(), record.Change{Model: r.w.Model.Code, ID: r.row.Record, Version: &version, Set: set, InProcess: true, MadeUp: r.s.notes != nil})
	r.facts.state = nil
	return err
}
