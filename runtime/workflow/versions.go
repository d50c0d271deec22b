package workflow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// opMigrate is how the log tells that an instance goes on by another version.
const opMigrate flow.Operation = "migrate"

// movedText is what the log says with it: the versions before and after.
const movedText = "%d → %d"

// mostMigrated bounds the instances of one call, and those that a list of versions looks into.
const mostMigrated = 500

// VersionMisfit is why an instance cannot go on by another version (api.yaml WorkflowMisfit).
type VersionMisfit struct {
	Kind   flow.MisfitKind `json:"kind"`
	Node   StepName        `json:"activity"`
	Before *StepName       `json:"before"` // of skipped: the step that it has not passed
}

// Fitting is what a version would do to an instance (api.yaml WorkflowFitting).
type Fitting struct {
	Instance string          `json:"workflowInstanceId"`
	Name     string          `json:"instanceName"`
	Version  int             `json:"version"`
	State    string          `json:"state"`
	At       []StepName      `json:"at"` // the steps that it is at
	Misfits  []VersionMisfit `json:"misfits"`
	Moved    bool            `json:"moved"`
	Code     fault.Code      `json:"errcode"` // of Migrate: why nothing became of this one; 0 = nothing refused it
	Message  string          `json:"errmsg"`
	Refused  error           `json:"-"` // what Code and Message say

	model string
}

// Running are the instances of a version that have not ended (api.yaml RunningVersion).
type Running struct {
	Version   int        `json:"version"`
	Current   bool       `json:"current"`
	Created   *time.Time `json:"createdTime"`
	Count     int64      `json:"count"`
	Instances []Fitting  `json:"instances"`

	kept template
}

// Versions tells which versions of a workflow its instances run by, and of each that does not run by the definition of now what that would
// do to it. For those who administer workflows.
func (s *Service) Versions(ctx context.Context, view *authz.View, code string) (out []Running, err error) {
	w := view.Catalog.Workflow(code)
	switch {
	case !administers(view):
		return nil, fault.New(fault.Forbidden)
	case w == nil:
		return nil, fault.New(fault.WorkflowNotFound)
	}
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		current := func(kept template) (bool, error) { return s.same(tx, view.Catalog, w, kept) }
		out, err = runningOf(tx, tx.NameLog(), w.Template.Code, w, current, firstOnes)
		return err
	})
	return out, err
}

// runningOf are the versions of a code that instances run by, the newest first, compared with the workflow that follows them; nil where none does.
// log leads to its names. current reports whether a version is that workflow. more is given each instance of the other versions, the newest first, and
// answers whether to look at further ones; Running has the first ones.
func runningOf(tx *store.Tx, log *names.Log, code string, w *catalog.Workflow, current func(template) (bool, error), more func(n int, one Fitting) bool) ([]Running, error) {
	out := []Running{}
	var counts []struct {
		Version int
		Count   int64
	}
	err := tx.System().Model(&instance{}).Select("version, COUNT(*) AS count").Where("code = ? AND live IS NOT NULL", code).
		Group("version").Order("version DESC").Find(&counts).Error
	if err != nil {
		return nil, err
	}
	for _, c := range counts {
		one := Running{Version: c.Version, Count: c.Count, Instances: []Fitting{}}
		var kept template
		if err := tx.System().Where("code = ? AND version = ?", code, c.Version).Limit(1).Find(&kept).Error; err != nil {
			return nil, err
		}
		if w != nil {
			is, err := current(kept)
			if err != nil {
				return nil, err
			}
			one.Current, kept.Code = is, w.Template.Code
		}
		one.Created, one.kept = orNil(kept.Created), kept
		if !one.Current {
			called := namingOf(w, log, kept)
			n := 0
			err := eachRunning(tx, code, c.Version, func(row instance) (bool, error) {
				row.Code = kept.Code
				state, err := row.state(log)
				if err != nil {
					state, err = stateOf(tx, row)
				}
				if err != nil && !unreadable(err) {
					return false, err
				}
				of := fitting(w, called, row, cmp.Or(state, &flow.State{}))
				if err != nil {
					of.Code, of.Refused = fault.Of(err), err
				}
				if n++; n <= mostMigrated {
					one.Instances = append(one.Instances, of)
				}
				return more(n, of), nil
			})
			if err != nil {
				return nil, err
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// firstOnes looks at as many instances as Running has.
func firstOnes(n int, _ Fitting) bool { return n < mostMigrated }

// statesAtOnce bounds the instances that are in memory while all are looked at.
const statesAtOnce = 100

// eachRunning reads the instances of a version that have not ended, the newest first, a few at a time, until f answers false.
func eachRunning(tx *store.Tx, code string, version int, f func(instance) (bool, error)) error {
	for last := ""; ; {
		q := tx.System().Where("code = ? AND version = ? AND live IS NOT NULL", code, version)
		if last != "" {
			q = q.Where("id < ?", last)
		}
		var rows []instance
		if err := q.Order("id DESC").Limit(statesAtOnce).Find(&rows).Error; err != nil || len(rows) == 0 {
			return err
		}
		for _, row := range rows {
			if more, err := f(row); err != nil || !more {
				return err
			}
		}
		last = rows[len(rows)-1].ID
	}
}

// fitting tells what a version would do to an instance; nil is none.
func fitting(w *catalog.Workflow, called naming, row instance, state *flow.State) Fitting {
	out := Fitting{Instance: row.ID, Name: row.Name, Version: row.Version, State: row.Status, At: []StepName{}, Misfits: []VersionMisfit{}, model: row.Model}
	seen := map[string]bool{}
	for _, t := range state.Live() {
		if !seen[t.Node] {
			seen[t.Node] = true
			out.At = append(out.At, called.of(t.Node))
		}
	}
	if w == nil {
		return out
	}
	for _, m := range w.Template.Fits(state) {
		one := VersionMisfit{Kind: m.Kind, Node: called.of(m.Node)}
		if m.Before != "" {
			before := called.of(m.Before)
			one.Before = &before
		}
		out.Misfits = append(out.Misfits, one)
	}
	return out
}

// Migrate lets instances go on by the definition of now, each in its own transaction, and tells of each what became of it. With check
// nothing is changed. One that is at a step whose predecessors it did not pass stays as it is, and so does one that is refused; the others are moved.
// For those who administer workflows.
func (s *Service) Migrate(ctx context.Context, view *authz.View, code string, ids []string, check bool) ([]Fitting, error) {
	w := view.Catalog.Workflow(code)
	switch {
	case !administers(view):
		return nil, fault.New(fault.Forbidden)
	case w == nil:
		return nil, fault.New(fault.WorkflowNotFound)
	case len(ids) == 0 || len(ids) > mostMigrated:
		return nil, fault.New(fault.BadParameter, "ids")
	}
	out := []Fitting{}
	for _, id := range ids {
		var one Fitting
		var err error
		for range tries {
			err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				one, err = s.migrate(ctx, tx, view, w, id, check)
				return err
			})
			if !errors.Is(err, store.ErrConflict) {
				break
			}
		}
		if ctx.Err() != nil || errors.Is(err, store.ErrSchemaMoved) { // the caller comes again
			return nil, cmp.Or(err, ctx.Err())
		}
		if err != nil {
			one = s.unmoved(ctx, id, err)
		}
		out = append(out, one)
	}
	return out, nil
}

// unmoved tells why nothing became of an instance, which goes on as it was.
func (s *Service) unmoved(ctx context.Context, id string, why error) Fitting {
	switch {
	case errors.Is(why, store.ErrConflict):
		why = fault.Wrap(why, fault.RecordBusy)
	case fault.Of(why) == fault.Internal:
		s.cfg.Log.Error("move an instance to another version", "instance", id, "error", why)
		why = fault.Wrap(why, fault.Internal)
	}
	out := Fitting{Instance: id, State: string(flow.Canceled), At: []StepName{}, Misfits: []VersionMisfit{}, Code: fault.Of(why), Refused: why}
	var row instance
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Omit("state").Where("id = ?", id).Limit(1).Find(&row).Error
	})
	if err == nil && row.ID != "" {
		out.Name, out.Version, out.State = row.Name, row.Version, row.Status
	}
	return out
}

func (s *Service) migrate(ctx context.Context, tx *store.Tx, view *authz.View, w *catalog.Workflow, id string, check bool) (Fitting, error) {
	r, err := s.hold(ctx, tx, view, id)
	if err != nil {
		return Fitting{}, err
	}
	if !strings.EqualFold(r.row.Code, w.Template.Code) || r.row.Live == nil || r.row.Model != w.Model.Code {
		return Fitting{}, fault.New(fault.WorkflowNotFound)
	}
	called, err := r.called(w)
	if err != nil {
		return Fitting{}, err
	}
	out := fitting(w, called, r.row, r.state)
	number, err := s.number(tx, view.Catalog, w)
	if err != nil || check || len(out.Misfits) > 0 || number == r.row.Version {
		return out, err
	}
	text := fmt.Sprintf(movedText, r.row.Version, number)
	r.row.Version, r.w, r.secrecy = number, w, nil
	r.face()
	out.Version, out.Moved = number, true
	return out, r.keep([]flow.Event{{Kind: flow.Logged, At: s.cfg.Clock().UTC(), By: flow.By{Person: view.User(), Rule: flow.RuleAdmin}, Operation: opMigrate, Text: text}})
}
