package workflow

import (
	"context"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// RecordGoes ends the workflow of a record that is about to be deleted, in the same transaction: what is in progress is voided, a draft is
// deleted. The record writer calls it and has judged the right to delete.
func (s *Service) RecordGoes(ctx context.Context, tx *store.Tx, view *authz.View, model, id string) error {
	var row instance
	found := tx.System().Where("live = ?", model+"/"+id).Limit(1).Find(&row)
	if found.Error != nil || found.RowsAffected == 0 {
		return found.Error
	}
	r, err := s.hold(ctx, tx, view, row.ID)
	if err != nil {
		return err
	}
	switch r.state.Status {
	case flow.Draft:
		return r.remove()
	case flow.Processing, flow.Exception:
		return r.do(flow.Command{Do: flow.OpVoid, By: view.User(), At: s.cfg.Clock().UTC(), Admin: true, Right: flow.RuleRecord})
	}
	return nil
}

// Linked answers if an instance has started others, and if another, which is still there, started it.
func Linked(tx *store.Tx, id string) (parent, child bool, err error) {
	one := func(where string) (bool, error) {
		var found []string
		err := tx.System().Model(&instance{}).Where(where, id).Limit(1).Pluck("id", &found).Error
		return len(found) > 0, err
	}
	if parent, err = one("parent = ?"); err == nil {
		child, err = one("id = (SELECT parent FROM " + catalog.InstancesTable + " WHERE id = ?)")
	}
	return parent, child, err
}

// RecordChanged tells the initiator of a workflow that somebody who administers workflows has changed its record afterwards. It is an outbox
// of the record writer.
func (s *Service) RecordChanged(ctx context.Context, tx *store.Tx, e *hook.Record) error {
	id, _ := e.Old[catalog.WorkflowInstance].(string)
	if id == "" || e.Create || e.Delete || len(e.Set) == 0 || e.Principal.System != "" || e.Principal.Reason != "" || e.Old[catalog.SequenceStatus] == record.StatusProcessing {
		return nil
	}
	if view := s.cfg.Policy().View(e.Principal, s.cfg.Clock(), s.cfg.Zone); !administers(view) {
		return nil
	}
	var row instance
	found := tx.System().Omit("state").Where("id = ? AND status = ? AND sealed = ?", id, string(flow.Completed), false).Limit(1).Find(&row)
	if found.Error != nil || found.RowsAffected == 0 || row.Initiator == e.Principal.UserID {
		return found.Error
	}
	if _, known := s.cfg.People.Person(ctx, row.Initiator); !known {
		return nil
	}
	return s.cfg.Notify.Send(tx, notify.Message{To: row.Initiator, Type: messageModified, Sender: e.Principal.UserID, Record: queryRef(row.Model, row.Record),
		Biz: notify.Biz{InstanceName: row.Name, WorkflowInstanceID: row.ID}})
}

// wrote notes which versions of the record a person's save lies between.
func (r *running) wrote(made int64, seen *int64) {
	if seen != nil && made > *seen {
		r.was, r.made = *seen, made
	}
}

// audited notes a deletion in the audit log.
func (r *running) audited() error {
	p := r.view.Principal()
	return audit.Write(r.ctx, r.tx, audit.Entry{Kind: audit.WorkflowRemoved, Actor: p.UserID, Name: p.Name, Subject: r.row.ID, About: r.row.Name,
		Detail: map[string]string{"workflow": r.row.Code, "state": r.row.Status}})
}
