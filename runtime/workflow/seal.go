package workflow

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

var _ record.Seals = (*Service)(nil)

// seal decides whether an instance that is over holds its record as it was approved: with agreement, by a version that was kept with that promise.
// One that an older program kept ends as it always did.
func (r *running) seal() error {
	if r.row.Sealed = false; r.state.Status != flow.Completed || r.row.Result != string(flow.Agreed) || r.s.notes != nil {
		return nil
	}
	var kept template
	err := r.tx.System().Select("seals").Where("code = ? AND version = ?", r.row.Code, r.row.Version).Limit(1).Find(&kept).Error
	r.row.Sealed = kept.Seals
	return err
}

// sealing finds the instance that holds a record; ok is false where none does. Of several it is the last one.
func sealing(tx *store.Tx, model, id string) (row instance, ok bool, err error) {
	found := tx.System().Omit("state").Where("model = ? AND record = ? AND sealed = ?", model, id, true).Order("finished DESC").Limit(1).Find(&row)
	return row, found.RowsAffected > 0, found.Error
}

// Hold implements record.Seals.
func (s *Service) Hold(ctx context.Context, tx *store.Tx, view *authz.View, model, id string, changes bool) (*record.Seal, error) {
	row, ok, err := sealing(tx, model, id)
	if err != nil || !ok || slices.Contains(acting(ctx), row.ID) {
		return nil, err
	}
	if changes {
		if err := tx.Lock(ctx, lockName(row.ID)); err != nil {
			return nil, err
		}
	}
	w, err := s.workflow(tx, view.Catalog, row.Code, row.Version)
	if err != nil {
		return nil, err
	}
	return &record.Seal{Instance: row.ID, Open: openOf(w)}, nil
}

// Held implements record.Held.
func Held(tx *store.Tx, model string, ids []string) (map[string]bool, error) {
	var of []string
	err := tx.System().Model(&instance{}).Where("model = ? AND record IN ? AND sealed = ?", model, ids, true).Pluck("record", &of).Error
	out := map[string]bool{}
	for _, id := range of {
		out[id] = true
	}
	return out, err
}

// Sealed finds those of a model's records that workflows hold, and what people change of them all the same.
func (s *Service) Sealed(ctx context.Context, tx *store.Tx, view *authz.View, model string, ids []string) (map[string]*query.Seal, error) {
	out := map[string]*query.Seal{}
	return out, s.eachSealed(tx, view, model, ids, func(row instance, open []string) {
		out[row.Record] = &query.Seal{Instance: row.ID, Open: open}
	})
}

// Held implements record.Seals. What an instance's own command writes is not held by that instance.
func (s *Service) Held(ctx context.Context, tx *store.Tx, view *authz.View, model string, ids []string) (map[string][]string, error) {
	out, within := map[string][]string{}, acting(ctx)
	return out, s.eachSealed(tx, view, model, ids, func(row instance, open []string) {
		if delete(out, row.Record); !slices.Contains(within, row.ID) {
			out[row.Record] = open
		}
	})
}

// eachSealed goes over the instances that hold records, the last one of a record as the last.
func (s *Service) eachSealed(tx *store.Tx, view *authz.View, model string, ids []string, each func(row instance, open []string)) error {
	var rows []instance
	err := tx.System().Select("id", "code", "version", "record").Where("model = ? AND record IN ? AND sealed = ?", model, ids, true).Order("finished").Find(&rows).Error
	if err != nil {
		return err
	}
	for _, row := range rows {
		w, err := s.workflow(tx, view.Catalog, row.Code, row.Version)
		if err != nil {
			return err
		}
		each(row, openOf(w))
	}
	return nil
}

// openOf are the codes of what people change of records that a workflow holds.
func openOf(w *catalog.Workflow) []string {
	out := []string{}
	for _, f := range w.FinalExcept {
		out = append(out, f.Code)
	}
	return out
}

// Amended implements record.Seals.
func (s *Service) Amended(ctx context.Context, tx *store.Tx, view *authz.View, seal *record.Seal, what record.Amended) error {
	r, err := s.hold(ctx, tx, view, seal.Instance)
	if err != nil {
		return err
	}
	e := flow.Event{Kind: flow.Logged, At: s.cfg.Clock().UTC(), By: flow.ByPerson(view.User()), Operation: flow.OpAmend, Text: what.Reason, Was: what.Was, Version: what.Version}
	if what.Code {
		e.Operation, e.Text = flow.OpCode, s.reason(view, what.Reason)
		e.By = flow.By{For: view.User(), Rule: flow.RulePack, Code: what.Reason}
	}
	if err := r.log(e); err != nil || what.Code {
		return err
	}
	for _, to := range r.approvers() {
		if _, known := s.cfg.People.Person(ctx, to); !known || to == view.User() {
			continue
		}
		err := s.cfg.Notify.Send(tx, notify.Message{To: to, Type: messageModified, Sender: view.User(), Record: queryRef(r.row.Model, r.row.Record), Text: what.Reason,
			Biz: notify.Biz{InstanceName: r.row.Name, OriginatorName: r.initiator(), WorkflowInstanceID: r.row.ID}})
		if err != nil {
			return err
		}
	}
	return nil
}

// log adds an entry to the log of an instance that is over. Nothing else of it changes.
func (r *running) log(e flow.Event) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	r.row.Events++
	if err := r.tx.System().Create(&event{Instance: r.row.ID, Number: r.row.Events, At: e.At, Body: body, Epoch: r.tx.Epoch()}).Error; err != nil {
		return err
	}
	return r.tx.System().Model(&r.row).Select("events").Updates(&r.row).Error
}

// reason is what pack.json calls the reason of a pack's code.
func (s *Service) reason(view *authz.View, code string) string {
	if r := view.Catalog.Reason(code); r != nil {
		return r.Label.In(view.Principal().Locale)
	}
	return code
}

// approvers are the initiator and those who agreed.
func (r *running) approvers() []string {
	out := []string{r.row.Initiator}
	for _, i := range r.state.Items {
		if i.State == flow.ItemDone && i.Verdict == flow.Agree && i.Person != "" && !slices.Contains(out, i.Person) {
			out = append(out, i.Person)
		}
	}
	return out
}

func (r *running) initiator() string {
	who, _ := r.s.cfg.People.Name(r.ctx, plan.Ref{Model: directory.User, ID: r.row.Initiator})
	return who.Name
}

// inCommand is the key of a context of what a command of instances does.
type inCommand struct{}

// within marks a context as that of an instance's command: what its steps write is part of what it approves.
func within(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, inCommand{}, append(slices.Clone(acting(ctx)), id))
}

// acting are the instances whose commands a context belongs to.
func acting(ctx context.Context) []string {
	ids, _ := ctx.Value(inCommand{}).([]string)
	return ids
}
