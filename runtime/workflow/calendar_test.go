package workflow_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// at sets the clock: "2026-11-27 17:00" in the zone of the installation.
func (w *world) at(moment string) time.Time {
	w.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", moment, w.app.Zone())
	require.NoError(w, err)
	w.ahead.Store(int64(time.Until(at)))
	return at
}

func (w *world) system() *authz.View {
	return w.app.State().Policy.View(principal.System("test"), w.app.Now(), w.app.Zone())
}

// keep adds a record and returns its id.
func (w *world) keep(model string, values map[string]any) string {
	w.Helper()
	set := map[string]json.RawMessage{}
	for code, v := range values {
		set[code] = raw(v)
	}
	saved, err := w.app.Writer().Save(w.Context(), w.system(), record.Change{Model: model, Set: set})
	require.NoError(w, err)
	return saved.ID
}

// alter changes a record.
func (w *world) alter(model, id string, values map[string]any) {
	w.Helper()
	loaded, err := w.app.Reader().FormLoad(w.Context(), w.system(), query.FormRequest{SchemaCode: model, ObjectID: id})
	require.NoError(w, err)
	set := map[string]json.RawMessage{}
	for code, v := range values {
		set[code] = raw(v)
	}
	_, err = w.app.Writer().Save(w.Context(), w.system(), record.Change{Model: model, ID: id, Version: loaded.Version, Set: set})
	require.NoError(w, err)
	require.NoError(w, w.app.People().Refresh(w.Context()))
}

// fire does everything that is due.
func (w *world) fire() {
	w.Helper()
	for {
		n, err := w.flows().Fire(w.Context())
		require.NoError(w, err)
		if n == 0 {
			return
		}
	}
}

// told are the numbers of the messages that somebody got, without those of new tasks.
func (w *world) told(who string) (out []notify.Type) {
	w.Helper()
	page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Size: 50})
	require.NoError(w, err)
	for _, m := range page.Content {
		if m.Type != 101 {
			out = append(out, m.Type)
		}
	}
	return out
}

// timed starts the workflow with time limits.
func (w *world) timed(by string) workflow.Done {
	w.Helper()
	done, err := w.flows().Start(w.Context(), w.as(by), workflow.Start{Workflow: "timed", Data: map[string]json.RawMessage{"title": raw("Lock gate"), "amount": raw(1)}})
	require.NoError(w, err)
	return done
}

// due is when the only task of somebody is overdue.
func (w *world) due(who string) string {
	w.Helper()
	due := w.task(who).Due
	if due == nil {
		return ""
	}
	return due.In(w.app.Zone()).Round(time.Minute).Format("2006-01-02 15:04")
}

func calendarID(w *world) string {
	rows, err := w.app.Reader().Forest(w.Context(), w.system(), "workCalendar", 10)
	require.NoError(w, err)
	require.Len(w, rows, 1, "the first start writes a calendar")
	return rows[0].ID
}

// TestWorkingTime: time limits count the hours of the calendar, which administrators change at any time.
func TestWorkingTime(t *testing.T) {
	each(t, func(w *world) {
		w.at("2026-11-27 17:00") // a Friday
		w.timed("ann")
		require.Equal(w, "2026-11-30 10:00", w.due("sue"), "half an hour on Friday, the rest on Monday")
		require.Equal(w, "2026-11-27 19:00", w.due("sid"), "a calendar that nobody keeps: every minute counts")
		w.at("2026-11-29 12:00")
		w.fire()
		require.Empty(w, w.told("sue"))
		require.Equal(w, []notify.Type{23}, w.told("sid"))
		w.at("2026-11-30 09:02")
		w.fire()
		require.Equal(w, []notify.Type{21}, w.told("sue"))
		w.at("2026-11-30 10:02")
		w.fire()
		require.Equal(w, []notify.Type{23, 21}, w.told("sue"))
		w.at("2026-11-30 11:04") // the step behind it
		w.fire()
		require.Equal(w, []notify.Type{23, 23, 21}, w.told("sue"))
		w.at("2026-12-01 11:30") // a reminder again after eight hours, of which a day has seven and a half: not yet
		w.fire()
		require.Len(w, w.told("sue"), 3)
		w.at("2026-12-01 11:38")
		w.fire()
		require.Len(w, w.told("sue"), 4)
		w.act("sue", flow.OpAgree)

		usual := calendarID(w)
		w.at("2026-11-27 17:00")
		w.keep("workCalendarDay", map[string]any{"calendar": usual, "date": "2026-11-30", "kind": "HOLIDAY"})
		w.keep("workCalendarDay", map[string]any{"calendar": usual, "date": "2026-11-28", "kind": "WORKDAY", "hours": "09:00-09:30"})
		w.timed("ann")
		require.Equal(w, "2026-12-01 09:30", w.due("sue"), "a Saturday that is worked, a Monday that is not")
		w.act("sue", flow.OpAgree)

		company := w.keep("department", map[string]any{"name": "Yard"})
		team := w.keep("department", map[string]any{"name": "Night", "parent": company})
		w.keep("workCalendar", map[string]any{"code": "workday", "name": "Shifts", "department": company, "friday": "17:00-18:00 20:00-24:00"})
		w.alter("user", w.ids["bob"], map[string]any{"mainDepartment": team})
		w.timed("bob")
		require.Equal(w, "2026-11-27 21:00", w.due("sue"), "that of the initiator's company")
		w.act("sue", flow.OpAgree)
		w.timed("ann")
		require.Equal(w, "2026-12-01 09:30", w.due("sue"), "others have the default")
	})
}

// TestClockStops: time that somebody waits for signers whom they have asked, or for an administrator, does not count.
func TestClockStops(t *testing.T) {
	each(t, func(w *world) {
		w.at("2026-11-24 08:30")
		done := w.timed("ann")
		require.Equal(w, "2026-11-24 10:30", w.due("sue"))
		w.at("2026-11-24 09:00")
		w.act("sue", flow.OpAddSign, func(c *workflow.Command) { c.People, c.Placing = []string{w.ids["sam"]}, flow.Before })
		require.Empty(w, w.list("sue", "unfinished"))
		w.at("2026-11-24 11:31")
		w.fire()
		require.Empty(w, w.told("sue"), "she waits for sam")
		require.Equal(w, []notify.Type{23, 21}, w.told("sam"), "who has a time of his own")
		w.act("sam", flow.OpAgree)
		require.Equal(w, "2026-11-24 14:31", w.due("sue"), "ninety minutes were left")
		w.at("2026-11-24 13:32")
		w.fire()
		require.Equal(w, []notify.Type{21}, w.told("sue"))
		w.same(done.Instance)
		w.act("sue", flow.OpAgree)
		w.at("2026-11-24 17:00")
		w.fire()
		require.Equal(w, []notify.Type{21}, w.told("sue"), "what is done is over")

		for _, who := range []string{"olga", "otto"} {
			w.disable(who)
		}
		w.at("2026-11-25 08:30")
		done = w.timed("ann")
		require.Equal(w, flow.Exception, done.Status)
		require.Empty(w, w.due("sue"), "the clock stands")
		w.at("2026-11-25 16:30")
		w.fire()
		require.Equal(w, []notify.Type{21}, w.told("sue"))
		order := workflow.Order{Instance: done.Instance, Do: flow.OpAdjust, Node: "other", People: []string{w.ids["kim"]}}
		_, err := w.flows().Order(w.Context(), w.as("eve"), order)
		require.NoError(w, err)
		require.Equal(w, "2026-11-26 09:30", w.due("sue"), "all of her time is left")
		w.at("2026-11-25 17:28")
		w.fire()
		require.Equal(w, []notify.Type{21}, w.told("sue"))
		w.at("2026-11-26 08:31")
		w.fire()
		require.Equal(w, []notify.Type{21, 21}, w.told("sue"))
		w.same(done.Instance)
	})
}
