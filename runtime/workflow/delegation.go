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
	"github.com/sluice-platform/sluice/engine/names"
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
	Known   []Known   `json:"workflows"` // of Codes
	Starts  time.Time `json:"startTime"`
	Ends    time.Time `json:"endTime"`
	Enabled bool      `json:"enabled"`

	Departments []Department `json:"initiatorDepts"`
	KeepCopy    bool         `json:"keepCopy"`
	MoveOpen    bool         `json:"moveOpen"`
	ReturnOpen  bool         `json:"returnOpen"`

	Mine   bool `json:"mine"`
	Active bool `json:"active"`
}

// Department is a department in an answer.
type Department struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// DelegationOrder is what somebody wants of a delegation.
type DelegationOrder struct {
	ID      string // "" = a new one
	To      string
	Codes   []string // empty = all workflows
	Starts  time.Time
	Ends    time.Time
	Enabled bool

	Departments []string // only instances of initiators in these or below; empty = of all
	KeepCopy    bool     // the delegator sees the tasks that the delegate has
	MoveOpen    bool     // open tasks go to the delegate when the period begins
	ReturnOpen  bool     // and come back when it is over
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
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		var rows []delegation
		err := tx.System().Where("removed = ? AND (delegator = ? OR delegate = ? AND ends > ? AND enabled = ?)", false, view.User(), view.User(), s.cfg.Clock().UTC(), true).
			Order("starts DESC").Limit(500).Find(&rows).Error
		if err != nil {
			return err
		}
		for _, d := range rows {
			one, err := s.delegation(ctx, tx, view, d)
			if err != nil {
				return err
			}
			out = append(out, one)
		}
		return nil
	})
	return out, err
}

func (s *Service) delegation(ctx context.Context, tx *store.Tx, view *authz.View, d delegation) (Delegation, error) {
	known := []Known{}
	for _, code := range d.codes() {
		label := goneLabel(code)
		if _, gone := names.WasGone(code); !gone {
			var err error
			if label, err = s.calledNow(tx, view.Catalog, code); err != nil {
				return Delegation{}, err
			}
		}
		known = append(known, Known{Code: code, Name: label.Zh, NameI18n: i18n(label)})
	}
	departments := []Department{}
	for _, id := range d.departments() {
		one, _ := s.cfg.People.Department(ctx, id)
		departments = append(departments, Department{ID: id, Name: one.Name})
	}
	return Delegation{Departments: departments, KeepCopy: d.KeepCopy, MoveOpen: d.MoveOpen, ReturnOpen: d.ReturnOpen, ID: d.ID, From: s.person(ctx, d.From),
		To: s.person(ctx, d.To), Codes: d.codes(), Known: known, Starts: d.Starts.UTC(), Ends: d.Ends.UTC(), Enabled: d.Enabled, Mine: d.From == view.User(),
		Active: d.holds(s.cfg.Clock())}, nil
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
	case o.Enabled && !o.Ends.After(s.cfg.Clock()):
		return out, fault.New(fault.DelegationPast)
	case len(o.Codes) > 100 || slices.ContainsFunc(o.Codes, func(c string) bool { return view.Catalog.Workflow(c) == nil && !isGone(c) }):
		return out, fault.New(fault.BadParameter, "workflowCodes")
	case o.Enabled && allGone(o.Codes):
		return out, fault.New(fault.DelegationGone)
	}
	for _, id := range o.Departments {
		if _, known := s.cfg.People.Department(ctx, id); !known || len(o.Departments) > 100 {
			return out, fault.New(fault.BadParameter, "initiatorDepts")
		}
	}
	codes, err := json.Marshal(append([]string{}, o.Codes...))
	if err != nil {
		return out, err
	}
	departments, err := json.Marshal(append([]string{}, o.Departments...))
	if err != nil {
		return out, err
	}
	for range tries {
		err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
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
			before := row
			if slices.ContainsFunc(o.Codes, func(c string) bool { return isGone(c) && !before.names(c) }) {
				return fault.New(fault.BadParameter, "workflowCodes")
			}
			row.Depts, row.KeepCopy, row.MoveOpen, row.ReturnOpen = string(departments), o.KeepCopy, o.MoveOpen, o.ReturnOpen
			row.Moved, row.Returned, row.Told = false, false, false
			row.Revision++
			row.To, row.Codes, row.Starts, row.Ends, row.Enabled = o.To, string(codes), o.Starts.UTC(), o.Ends.UTC(), o.Enabled
			var others []delegation
			if err := tx.System().Where("id <> ? AND removed = ? AND (delegator = ? OR delegator = ? AND delegate = ?)", row.ID, false, row.From, row.To, row.From).Find(&others).Error; err != nil {
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
			if out, err = s.delegation(ctx, tx, view, row); err != nil {
				return err
			}
			if before.To == row.To || !row.Enabled {
				return nil
			}
			if before.ReturnOpen { // what the delegate of before still has comes back
				id, err := uuid.NewV7()
				if err != nil {
					return err
				}
				before.ID, before.Removed, before.Returned = id.String(), true, false
				if err := tx.System().Create(&before).Error; err != nil {
					return err
				}
			}
			return s.cfg.Notify.Send(tx, notify.Message{To: row.To, Type: messageDelegated, Sender: row.From, Once: "delegation " + row.ID + " " + row.To})
		})
		if err == nil {
			s.settleNow(ctx)
		}
		if !errors.Is(err, store.ErrConflict) {
			return out, err
		}
	}
	return out, fault.Wrap(err, fault.RecordBusy)
}

func ownDelegation(tx *store.Tx, view *authz.View, id string) (row delegation, err error) {
	err = tx.System().Where("id = ? AND delegator = ? AND removed = ?", id, view.User(), false).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = fault.New(fault.DelegationNotFound)
	}
	return row, err
}

// Undelegate ends a delegation of the caller for good.
func (s *Service) Undelegate(ctx context.Context, view *authz.View, id string) error {
	err := s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		row, err := ownDelegation(tx, view, id)
		if err != nil {
			return err
		}
		if row.ReturnOpen { // it is gone when the tasks have come back
			err = tx.System().Model(&row).UpdateColumns(map[string]any{"removed": true, "returned": false}).Error
		} else {
			err = tx.System().Delete(&delegation{}, "id = ?", id).Error
		}
		if err != nil {
			return err
		}
		if now := s.cfg.Clock(); !row.Enabled || !now.Before(row.Ends) || now.Before(row.Starts) {
			return nil
		}
		return s.cfg.Notify.Send(tx, notify.Message{To: row.To, Type: messageReturned, Sender: row.From, Once: "delegation over " + row.ID})
	})
	if err == nil {
		s.settleNow(ctx)
	}
	return err
}
