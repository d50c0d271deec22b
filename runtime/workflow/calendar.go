package workflow

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/workday"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Codes of the models of the pack core that hold working time.
const (
	calendarModel = "workCalendar"
	dayModel      = "workCalendarDay"
)

// weekdays are the properties of a calendar with the hours of a day, by time.Weekday.
var weekdays = [7]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// calendars are the work calendars of the installation, by code in small letters and department; department "" is the default.
type calendars map[string]map[string]*workday.Calendar

// calendar is the work calendar of a code for the instances of somebody: that of the nearest department above them which has one, else the
// default. nil = every minute counts.
func (s *Service) calendar(ctx context.Context, tx *store.Tx, code, initiator string) (*workday.Calendar, error) {
	if code == "" {
		return nil, nil
	}
	of, err := s.calendarsOf(ctx, tx, code)
	if err != nil || of == nil {
		return nil, err
	}
	who, _ := s.cfg.People.Person(ctx, initiator)
	for d, seen := who.MainDepartment, 0; d != "" && seen < 100; seen++ {
		if own := of[d]; own != nil {
			return own, nil
		}
		above, _ := s.cfg.People.Department(ctx, d)
		d = above.Parent
	}
	return of[""], nil
}

// calendarsOf are the calendars of a code by their departments; nil when there is none, which is logged once.
func (s *Service) calendarsOf(ctx context.Context, tx *store.Tx, code string) (map[string]*workday.Calendar, error) {
	all, err := s.calendars.In(ctx, tx)
	if err != nil {
		return nil, fmt.Errorf("read the work calendars: %w", err)
	}
	of := all[strings.ToLower(code)]
	if of != nil || all == nil {
		return of, nil
	}
	if _, told := s.missing.LoadOrStore(code, true); !told {
		s.cfg.Log.Warn("a workflow names a work calendar that does not exist; every minute counts", "calendar", code)
	}
	return of, nil
}

// calendarsAt is what the calendars are made of by now.
func (s *Service) calendarsAt() store.Moment {
	c := s.cfg.Policy().Catalog()
	at := store.Moment{Catalog: c}
	if models := calendarModels(c); models != nil {
		at.Version = s.cfg.DB.Versions(models[0].Table, models[1].Table)
	}
	return at
}

// calendarModels are the models of calendars and their days; nil where the pack of calendars takes no part.
func calendarModels(c *catalog.Catalog) []*catalog.Model {
	models := []*catalog.Model{c.Model(calendarModel), c.Model(dayModel)}
	if models[0] == nil || models[1] == nil {
		return nil
	}
	return models
}

func (s *Service) readCalendars(ctx context.Context, tx *store.Tx, at store.Moment, _ calendars) (calendars, error) {
	c := at.Catalog.(*catalog.Catalog)
	if calendarModels(c) == nil {
		return nil, nil
	}
	out := calendars{}
	special := map[string]map[string]workday.Hours{} // by calendar and date; no hours where the day's own are meant
	usual := map[string][]string{}
	err := columns(ctx, tx, c, dayModel, []string{"calendar", "date", "kind", "hours"}, func(_ string, v []any) {
		calendar, date := textOf(v[0]), dateOf(v[1])
		hours, _, _ := workday.ParseHours(textOf(v[3])) // checked when it was written
		if special[calendar] == nil {
			special[calendar] = map[string]workday.Hours{}
		}
		if special[calendar][date] = hours; textOf(v[2]) == "HOLIDAY" {
			special[calendar][date] = nil
		} else if hours == nil {
			usual[calendar] = append(usual[calendar], date)
		}
	})
	if err != nil {
		return nil, err
	}
	return out, columns(ctx, tx, c, calendarModel, append([]string{"code", "department", "isDefault"}, weekdays[:]...), func(id string, v []any) {
		var week [7]workday.Hours
		for i := range week {
			week[i], _, _ = workday.ParseHours(textOf(v[3+i]))
		}
		for _, date := range usual[id] { // a day off that is worked, as usual days are
			special[id][date] = first(week)
		}
		made, err := workday.New(s.cfg.Zone, week, special[id])
		if err != nil {
			s.cfg.Log.Warn("a work calendar has no working hours", "calendar", textOf(v[0]))
			return
		}
		code, department := strings.ToLower(textOf(v[0])), textOf(v[1])
		if out[code] == nil {
			out[code] = map[string]*workday.Calendar{}
		}
		if department != "" {
			out[code][department] = made
		}
		if v[2] == true || department == "" {
			out[code][""] = made
		}
	})
}

// first are the hours of the first day of a week, from Monday on, that has any.
func first(week [7]workday.Hours) workday.Hours {
	for i := range week {
		if h := week[(i+1)%7]; len(h) > 0 {
			return h
		}
	}
	return nil
}

// columns reads properties of all records of a model.
func columns(ctx context.Context, tx *store.Tx, c *catalog.Catalog, model string, codes []string, each func(id string, v []any)) error {
	m := c.Model(model)
	id := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: m.Code, Where: plan.True, Select: []plan.Expr{id}, Order: []plan.Order{{By: id}}}
	for _, code := range codes {
		f := m.Field(code)
		if f == nil {
			return fmt.Errorf("the model %s has no %s", model, code)
		}
		q.Select = append(q.Select, f.Column())
	}
	return tx.Query(ctx, c, q, func(row []any) error {
		each(textOf(row[0]), row[1:])
		return nil
	})
}

func textOf(v any) string { s, _ := v.(string); return s }

// dateOf is a date as it is written.
func dateOf(v any) string {
	if at, ok := v.(time.Time); ok {
		return at.Format(time.DateOnly)
	}
	return textOf(v)
}

// calendar is the work calendar of a node for the initiator of the instance; nil = every minute counts.
func (f *facts) calendar(n *catalog.WorkflowNode) *workday.Calendar {
	if n == nil {
		return nil
	}
	out, err := f.s.calendar(f.ctx, f.tx, n.Time.Calendar, f.who)
	if f.err == nil {
		f.err = err
	}
	return out
}

// after is the moment behind which so much working time has passed.
func (f *facts) after(n *catalog.WorkflowNode, from time.Time, working time.Duration) time.Time {
	if c := f.calendar(n); c != nil {
		return c.Add(from, working).UTC()
	}
	return from.Add(working).UTC()
}

// between is the working time from one moment to a later one.
func (f *facts) between(n *catalog.WorkflowNode, from, to time.Time) time.Duration {
	if !to.After(from) {
		return 0
	}
	if c := f.calendar(n); c != nil {
		return c.Between(from, to)
	}
	return to.Sub(from)
}

// Due implements flow.Facts.
func (f *facts) Due(n *flow.Node, minutes int) time.Time {
	return f.after(f.w.Nodes[n.ID], f.s.cfg.Clock().UTC(), time.Duration(minutes)*time.Minute)
}

// clocks lets the timers of a task run only while its person can act: what waits for signers before it, for its turn, or for an administrator
// to mend the instance keeps the rest of its time. Timers of what is over are done.
func (r *running) clocks() error {
	if !r.timed() {
		return nil
	}
	var rows []timer
	if err := r.tx.System().Where("instance = ? AND NOT done AND kind IN ?", r.row.ID, timersOfItems).Find(&rows).Error; err != nil {
		return err
	}
	now := r.s.cfg.Clock().UTC()
	for _, t := range rows {
		i := r.state.Item(t.Subject)
		if i == nil {
			continue
		}
		n := r.w.Nodes[r.state.Activity(i.Activity).Node]
		runs := i.Ready() && r.state.Status == flow.Processing
		set := map[string]any{}
		var due *time.Time
		switch {
		case !i.Open() || r.state.Status == flow.Completed || r.state.Status == flow.Canceled:
			if err := open(r.tx, t).UpdateColumn("done", true).Error; err != nil {
				return err
			}
			continue
		case n == nil: // of a version that the instance has left
			continue
		case runs && t.Rest != nil:
			at := r.facts.after(n, now, time.Duration(*t.Rest)*time.Millisecond)
			due, set["due"], set["rest"] = &at, at, nil
		case !runs && t.Rest == nil:
			set["rest"] = r.facts.between(n, now, t.Due).Milliseconds()
		default:
			continue
		}
		if err := open(r.tx, t).UpdateColumns(set).Error; err != nil {
			return err
		}
		if t.Kind == string(flow.TimerTimeout) {
			r.tx.Touch(catalog.TasksTable)
			if err := r.tx.System().Model(&item{}).Where("instance = ? AND number = ?", r.row.ID, t.Subject).UpdateColumn("due", due).Error; err != nil {
				return err
			}
		}
	}
	return r.facts.err
}

// timed reports whether a node of the workflow has a time limit.
func (r *running) timed() bool {
	for _, n := range r.w.Nodes {
		if n.Time.Expect > 0 || n.Time.Timeout > 0 {
			return true
		}
	}
	return false
}
