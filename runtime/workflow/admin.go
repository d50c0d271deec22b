package workflow

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// What the search of tasks of anybody is about.
const (
	tasksOpen     = "open"
	tasksFinished = "finished"
)

// TaskSearch narrows the tasks of people (api.yaml TaskSearch).
type TaskSearch struct {
	Search
	Participant string `json:"participant"` // "" = everybody
	State       string `json:"state"`       // open, finished
	Departed    bool   `json:"departed"`    // of people who cannot sign in any more
}

var openStates = []string{string(flow.ItemTodo), string(flow.ItemDoing), string(flow.ItemWait)}

// oversees reports whether a caller may look at everybody's workflows.
func oversees(view *authz.View) bool { return administers(view) || view.Has(authz.System) }

// Tasks lists tasks of anybody, also those whose turn has not come, for those who oversee workflows.
func (s *Service) Tasks(ctx context.Context, view *authz.View, in TaskSearch) (*Page[Item], error) {
	order, known := sorts[in.Sort]
	switch {
	case !oversees(view):
		return nil, fault.New(fault.Forbidden)
	case !known:
		return nil, fault.New(fault.BadParameter, "sort")
	case in.State != "" && in.State != tasksOpen && in.State != tasksFinished:
		return nil, fault.New(fault.BadParameter, "state")
	case in.Size < 1 || in.Size > maxPage || in.Page < 0:
		return nil, fault.New(fault.PageOutOfRange)
	}
	if order == "" {
		if order = "sl_wf_item.received IS NULL, sl_wf_item.received DESC"; in.State == tasksFinished {
			order = "sl_wf_item.finished DESC"
		}
	}
	out := &Page[Item]{Content: []Item{}}
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		of := func() *gorm.DB {
			q := tx.System().Model(&item{}).Where("sl_wf_item.type <> ?", string(flow.ItemCirculate))
			if in.State == tasksFinished {
				q = q.Where("sl_wf_item.list = ?", listFinished)
			} else {
				q = q.Where("sl_wf_item.state IN ?", openStates)
			}
			if in.Participant != "" {
				q = q.Where("sl_wf_item.person = ?", in.Participant)
			}
			return s.narrowed(q, view, in.Search)
		}
		among := of
		if in.Departed {
			var people []string
			if err := of().Distinct().Pluck("sl_wf_item.person", &people).Error; err != nil {
				return err
			}
			people = slices.DeleteFunc(people, func(id string) bool { return s.able(ctx, id) })
			among = func() *gorm.DB { return of().Where("sl_wf_item.person IN ?", append(people, "")) }
		}
		if err := among().Count(&out.Total).Error; err != nil {
			return err
		}
		var rows []item
		if err := among().Order(order).Order("sl_wf_item.id DESC").Offset(in.Page * in.Size).Limit(in.Size).Find(&rows).Error; err != nil {
			return err
		}
		var err error
		out.Content, err = s.shown(ctx, tx, view, rows)
		return err
	})
	return out, err
}

// narrowed adds the conditions that all lists of tasks have.
func (s *Service) narrowed(q *gorm.DB, view *authz.View, in Search) *gorm.DB {
	if in.Workflow != "" {
		q = q.Where("sl_wf_item.code = ?", in.Workflow)
	}
	if in.App != "" {
		q = q.Where("sl_wf_item.code IN ?", append([]string{""}, workflowsOf(view.Catalog, in.App)...))
	}
	if in.Overdue {
		q = q.Where("sl_wf_item.due < ?", s.cfg.Clock().UTC())
	}
	if in.Delegated {
		q = q.Where("sl_wf_item.delegate_from <> ?", "")
	}
	if in.From != nil {
		q = q.Where("sl_wf_item.received >= ?", in.From.UTC())
	}
	if in.To != nil {
		q = q.Where("sl_wf_item.received < ?", in.To.UTC())
	}
	if word := strings.ToLower(strings.TrimSpace(in.Word)); word != "" {
		q = q.Joins("JOIN sl_wf_instance ON sl_wf_instance.id = sl_wf_item.instance").
			Where(`sl_wf_instance.search LIKE ? ESCAPE '\'`, "%"+escaped(word)+"%")
	}
	return q
}

// mend fills a command of an administrator in, or of who handled the node before the one whose people they change.
func (r *running) mend(o Order, c *flow.Command) error {
	if err := r.calls(o.Node, o.From); err != nil {
		return err
	}
	if !c.Admin && (o.Do != flow.OpAdjust || !slices.Contains(r.w.Template.Adjustable(r.state, c.By), o.Node)) {
		return fault.New(fault.Forbidden)
	}
	if !r.s.ables(r.ctx, o.People) {
		return fault.New(fault.BadParameter, "people")
	}
	switch o.Do {
	case flow.OpAdjust:
		c.Activity = r.openAt(o.Node)
	case flow.OpJump:
		if o.From == "" {
			break
		}
		if c.Activity = r.openAt(o.From); c.Activity == 0 {
			return fault.New(fault.BadParameter, "fromActivityCode")
		}
	}
	return nil
}

// openAt is the open activity of a node; 0 = none.
func (r *running) openAt(node string) int {
	for _, a := range r.state.Activities {
		if a.State == flow.ActivityActive && a.Node == node {
			return a.ID
		}
	}
	return 0
}

// Preview is what a command of an administrator would do (api.yaml WorkflowPreview).
type Preview struct {
	Next
	Closes []Place `json:"closes"` // what is worked on now and would not be any more
}

// Preview tries a command on an instance without doing it. What would be refused is refused.
func (s *Service) Preview(ctx context.Context, view *authz.View, o Order) (out *Preview, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, err := s.read(ctx, tx, view, o.Instance)
		if err != nil {
			return err
		}
		c := flow.Command{Do: o.Do, By: view.User(), At: s.cfg.Clock().UTC(), Opinion: o.Opinion, Node: o.Node, People: o.People, Remove: o.Remove, Admin: administers(view)}
		if err := r.mend(o, &c); err != nil {
			return err
		}
		events, err := r.w.Template.Do(r.state, c, r.facts)
		if err != nil {
			return err
		}
		if r.facts.err != nil {
			return r.facts.err
		}
		after := r.state.Clone()
		for _, e := range events {
			after.Apply(e)
		}
		out = &Preview{Next: *s.compared(ctx, r, after, 0), Closes: []Place{}}
		for _, a := range r.state.Activities {
			if a.State == flow.ActivityActive && after.Activity(a.ID).State != flow.ActivityActive {
				out.Closes = append(out.Closes, s.place(ctx, r.w, a.Node, peopleAt(r.state, a.ID)))
			}
		}
		return nil
	})
	return out, err
}

// peopleAt are those who have something open in an activity.
func peopleAt(s *flow.State, activity int) (out []string) {
	for _, i := range s.Items {
		if i.Activity == activity && i.Open() && i.Type != flow.ItemCirculate && i.Person != "" && !slices.Contains(out, i.Person) {
			out = append(out, i.Person)
		}
	}
	return out
}

// Messages of administration, by their numbers.
const (
	messageHandover notify.Type = 31
	messageModified notify.Type = 32
	messageDeleted  notify.Type = 105
)

// Remove deletes an instance that is not in progress, or of which nothing else can be read, with its tasks and its log. Its record stays and does not
// name it any more.
func (s *Service) Remove(ctx context.Context, view *authz.View, id, token string) error {
	if !administers(view) {
		return fault.New(fault.Forbidden)
	}
	_, err := s.attempt(ctx, view, keyed("removal", token), id, func(ctx context.Context, tx *store.Tx) (Done, error) {
		r, err := s.hold(ctx, tx, view, id)
		if unreadable(err) {
			if r, err = s.rowAlone(ctx, tx, view, id); err != nil {
				return Done{}, err
			}
			return Done{}, errors.Join(r.nobodyHandles(), r.remove())
		}
		if err != nil {
			return Done{}, err
		}
		if r.state.Status == flow.Processing || r.state.Status == flow.Exception {
			return Done{}, fault.New(fault.RemoveRefused)
		}
		return Done{}, r.remove()
	})
	return err
}

// rowAlone is an instance of which nothing is known but its row: it can be deleted and nothing else.
func (s *Service) rowAlone(ctx context.Context, tx *store.Tx, view *authz.View, id string) (*running, error) {
	r := &running{s: s, ctx: within(ctx, id), tx: tx, view: view}
	return r, tx.System().Where("id = ?", id).Take(&r.row).Error
}

// nobodyHandles takes the handlers of the record of an instance that runs to the end: a record is in one workflow at a time.
func (r *running) nobodyHandles() error {
	if r.row.Live == nil {
		return nil
	}
	r.tx.Touch(catalog.HandlersTable)
	return r.tx.System().Where("v = ?", r.row.Record).Delete(&handler{}).Error
}

// unmark lets the record name the workflow that it ran in before, or none.
func (r *running) unmark() error {
	var before instance
	found := r.tx.System().Omit("state").Where("model = ? AND record = ?", r.row.Model, r.row.Record).Order("started DESC").Limit(1).Find(&before)
	if found.Error != nil {
		return found.Error
	}
	status := before.Status
	if found.RowsAffected == 0 {
		status = record.StatusCompleted
	}
	return r.s.cfg.Writer.RemarkIn(r.ctx, r.tx, r.s.systemView(), r.view, record.Mark{Model: r.row.Model, Record: r.row.Record, Was: r.row.ID, Instance: before.ID, Workflow: before.Code, Status: status})
}

// remove takes an instance out of the tables, tells its initiator, and notes it in the audit log, for its own log goes with it.
func (r *running) remove() error {
	if err := r.keepOpinions(nil, upTo(r.row.Events)); err != nil {
		return err
	}
	if err := r.orphan(); err != nil {
		return err
	}
	r.tx.Touch(catalog.TasksTable)
	db := func() *gorm.DB { return r.tx.System() }
	for _, table := range []any{&item{}, &event{}, &timer{}, &signal{}, &pool{}, &finding{}} {
		if err := db().Where("instance = ?", r.row.ID).Delete(table).Error; err != nil {
			return err
		}
	}
	if err := dropRemarks(r.tx, r.row.ID); err != nil {
		return err
	}
	if err := db().Where("id = ?", r.row.ID).Delete(&instance{}).Error; err != nil {
		return err
	}
	if err := r.unmark(); err != nil {
		return err
	}
	if err := r.audited(); err != nil {
		return err
	}
	if _, known := r.s.cfg.People.Person(r.ctx, r.row.Initiator); !known || r.row.Initiator == r.view.User() {
		return nil
	}
	from, _ := r.s.cfg.People.Name(r.ctx, plan.Ref{Model: directory.User, ID: r.row.Initiator})
	return r.s.cfg.Notify.Send(r.tx, notify.Message{To: r.row.Initiator, Type: messageDeleted, Sender: r.view.User(), Once: "workflow deleted " + r.row.ID,
		Biz: notify.Biz{InstanceName: r.row.Name, OriginatorName: from.Name}})
}
