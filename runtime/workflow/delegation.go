package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Delegation lets somebody have another's new tasks for a time (api.yaml Delegation).
type Delegation struct {
	ID      string    `json:"id"`
	From    Person    `json:"from"`
	To      Person    `json:"to"`
	Codes   []string  `json:"workflowCodes"`
	Starts  time.Time `json:"startTime"`
	Ends    time.Time `json:"endTime"`
	Enabled bool      `json:"enabled"`
	Mine    bool      `json:"mine"`
	Active  bool      `json:"active"`
}

// DelegationOrder is what somebody wants of a delegation.
type DelegationOrder struct {
	ID      string // "" = a new one
	To      string
	Codes   []string // empty = all workflows
	Starts  time.Time
	Ends    time.Time
	Enabled bool
}

// Messages of delegations, by their numbers.
const (
	messageDelegated notify.Type = 51
	messageReturned  notify.Type = 52
)

func (d delegation) codes() []string {
	out := []string{}
	_ = json.Unmarshal([]byte(d.Codes), &out) // written by put
	return out
}

// covers reports whether a delegation is for a workflow.
func (d delegation) covers(code string) bool {
	codes := d.codes()
	return len(codes) == 0 || slices.ContainsFunc(codes, func(c string) bool { return strings.EqualFold(c, code) })
}

func (d delegation) holds(at time.Time) bool {
	return d.Enabled && !at.Before(d.Starts) && at.Before(d.Ends)
}

// meets reports whether two delegations hold for the same workflow at some time.
func (d delegation) meets(o delegation) bool {
	return d.Enabled && o.Enabled && d.Starts.Before(o.Ends) && o.Starts.Before(d.Ends) &&
		(len(d.codes()) == 0 || len(o.codes()) == 0 || slices.ContainsFunc(d.codes(), o.covers))
}

// Delegations are those of the caller, and those to the caller that are not over.
func (s *Service) Delegations(ctx context.Context, view *authz.View) ([]Delegation, error) {
	out := []Delegation{}
	err := s.cfg.DB.Read(ctx, func(tx *store.Tx) error {
		var rows []delegation
		err := tx.System().Where("delegator = ? OR delegate = ? AND ends > ? AND enabled = ?", view.User(), view.User(), s.cfg.Clock().UTC(), true).
			Order("starts DESC").Limit(500).Find(&rows).Error
		for _, d := range rows {
			out = append(out, s.delegation(ctx, view, d))
		}
		return err
	})
	return out, err
}

func (s *Service) delegation(ctx context.Context, view *authz.View, d delegation) Delegation {
	return Delegation{ID: d.ID, From: s.person(ctx, d.From), To: s.person(ctx, d.To), Codes: d.codes(), Starts: d.Starts.UTC(), Ends: d.Ends.UTC(), Enabled: d.Enabled,
		Mine: d.From == view.User(), Active: d.holds(s.cfg.Clock())}
}

// Delegate makes or changes a delegation of the caller.
func (s *Service) Delegate(ctx context.Context, view *authz.View, o DelegationOrder) (out Delegation, err error) {
	if isAdmin(view) {
		return out, fault.New(fault.AdminStart)
	}
	who, known := s.cfg.People.Person(ctx, o.To)
	switch {
	case o.To == view.User():
		return out, fault.New(fault.DelegateSelf)
	case !known || who.Disabled:
		return out, fault.New(fault.BadParameter, "to")
	case !o.Starts.Before(o.Ends):
		return out, fault.New(fault.DelegationPeriod)
	case len(o.Codes) > 100 || slices.ContainsFunc(o.Codes, func(c string) bool { return view.Catalog.Workflow(c) == nil }):
		return out, fault.New(fault.BadParameter, "workflowCodes")
	}
	codes, err := json.Marshal(append([]string{}, o.Codes...))
	if err != nil {
		return out, err
	}
	for range tries {
		err = s.cfg.DB.Write(ctx, func(tx *store.Tx) error {
			if err := tx.Lock(ctx, "workflow delegations"); err != nil { // a circle is made of two people's
				return err
			}
			now := s.cfg.Clock().UTC()
			row := delegation{From: view.User(), Created: now}
			if o.ID != "" {
				if row, err = ownDelegation(tx, view, o.ID); err != nil {
					return err
				}
			}
			before := row.To
			row.To, row.Codes, row.Starts, row.Ends, row.Enabled = o.To, string(codes), o.Starts.UTC(), o.Ends.UTC(), o.Enabled
			var others []delegation
			if err := tx.System().Where("id <> ? AND (delegator = ? OR delegator = ? AND delegate = ?)", row.ID, row.From, row.To, row.From).Find(&others).Error; err != nil {
				return err
			}
			for _, other := range others {
				switch {
				case !row.meets(other):
				case other.From == row.From:
					return fault.New(fault.DelegationOverlaps)
				default:
					return fault.New(fault.DelegationCircle)
				}
			}
			if o.ID == "" {
				id, err := uuid.NewV7()
				if err != nil {
					return err
				}
				row.ID = id.String()
				err = tx.System().Create(&row).Error
				if err != nil {
					return err
				}
			} else if err := tx.System().Select("*").Updates(&row).Error; err != nil {
				return err
			}
			out = s.delegation(ctx, view, row)
			if before == row.To || !row.Enabled {
				return nil
			}
			return s.cfg.Notify.Send(tx, notify.Message{To: row.To, Type: messageDelegated, Sender: row.From, Once: "delegation " + row.ID + " " + row.To})
		})
		if !errors.Is(err, store.ErrConflict) {
			return out, err
		}
	}
	return out, fault.Wrap(err, fault.RecordBusy)
}

func ownDelegation(tx *store.Tx, view *authz.View, id string) (row delegation, err error) {
	err = tx.System().Where("id = ? AND delegator = ?", id, view.User()).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = fault.New(fault.DelegationNotFound)
	}
	return row, err
}

// Undelegate ends a delegation of the caller for good.
func (s *Service) Undelegate(ctx context.Context, view *authz.View, id string) error {
	return s.cfg.DB.Write(ctx, func(tx *store.Tx) error {
		row, err := ownDelegation(tx, view, id)
		if err != nil {
			return err
		}
		if err := tx.System().Delete(&delegation{}, "id = ?", id).Error; err != nil {
			return err
		}
		if now := s.cfg.Clock(); !row.Enabled || !now.Before(row.Ends) || now.Before(row.Starts) {
			return nil
		}
		return s.cfg.Notify.Send(tx, notify.Message{To: row.To, Type: messageReturned, Sender: row.From, Once: "delegation over " + row.ID})
	})
}

// delegateOf is who has a person's new tasks of a workflow now; "" = the person.
func (f *facts) delegateOf(person string) (string, error) {
	var rows []delegation
	now := f.s.cfg.Clock().UTC()
	err := f.tx.System().Where("delegator = ? AND enabled = ? AND starts <= ? AND ends > ?", person, true, now, now).Order("starts").Find(&rows).Error
	for _, d := range rows {
		if who, known := f.s.cfg.People.Person(f.ctx, d.To); known && !who.Disabled && d.covers(f.w.Template.Code) {
			return d.To, err
		}
	}
	return "", err
}
