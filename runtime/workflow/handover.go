package workflow

import (
	"context"
	"errors"
	"slices"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// atOnce is how many instances one call hands over.
const atOnce = 200

// HandOver is what of somebody's tasks goes to somebody else.
type HandOver struct {
	From    string   // whose tasks; may be "" with Items
	To      string   // who gets them
	Items   []string // these tasks alone; none = all that is open, drafts and delegations
	Opinion string
}

// HandedOver is what became of one instance (api.yaml HandedOver).
type HandedOver struct {
	Instance string
	Name     string
	Count    int // tasks, or 1 of a draft
	Err      error
}

// HandOver gives open tasks to somebody else, each instance in a transaction of its own. Left is how many instances wait for another call.
// What was handed over before is not there any more: a repeat goes on with the rest.
func (s *Service) HandOver(ctx context.Context, view *authz.View, h HandOver) (out []HandedOver, left int, err error) {
	if !administers(view) {
		return nil, 0, fault.New(fault.Forbidden)
	}
	if who, known := s.cfg.People.Person(ctx, h.To); !known || who.Disabled {
		return nil, 0, fault.New(fault.BadParameter, "to")
	}
	if h.From == h.To || h.From == "" && len(h.Items) == 0 {
		return nil, 0, fault.New(fault.BadParameter, "from")
	}
	todo, err := s.toHandOver(ctx, h)
	if err != nil {
		return nil, 0, err
	}
	left = max(len(todo)-atOnce, 0)
	all := 0
	for _, one := range todo[:min(len(todo), atOnce)] {
		got := HandedOver{Instance: one.instance}
		_, got.Err = s.attempt(ctx, view, "", nil, func(tx *store.Tx) (Done, error) {
			var err error
			got.Name, got.Count, err = s.handOverIn(ctx, tx, view, one, h.To, h.Opinion)
			return Done{}, err
		})
		var refused *fault.Error
		if got.Err != nil && !errors.As(got.Err, &refused) {
			return out, left, got.Err
		}
		all += got.Count
		out = append(out, got)
	}
	if len(h.Items) > 0 {
		return out, 0, nil
	}
	err = s.cfg.DB.Write(ctx, func(tx *store.Tx) error {
		if left == 0 {
			if _, err := s.DelegationsOver(ctx, tx, h.From, h.To); err != nil {
				return err
			}
		}
		if all == 0 || h.To == view.User() {
			return nil
		}
		from, _ := s.cfg.People.Name(ctx, plan.Ref{Model: directory.User, ID: h.From})
		return s.cfg.Notify.Send(tx, notify.Message{To: h.To, Type: messageHandover, Sender: view.User(),
			Biz: notify.Biz{UserIDs: []string{h.From}, UserNameList: []string{from.Name}, Tasks: all}})
	})
	return out, left, err
}

// given is what is handed over of an instance: all of a person, or one task.
type given struct {
	instance, from string
	item           int
}

func (s *Service) toHandOver(ctx context.Context, h HandOver) (out []given, err error) {
	err = s.cfg.DB.Read(ctx, func(tx *store.Tx) error {
		if len(h.Items) == 0 {
			ids, err := waitingFor(tx, h.From)
			for _, id := range ids {
				out = append(out, given{instance: id, from: h.From})
			}
			return err
		}
		var rows []item
		if err := tx.System().Where("id IN ?", h.Items).Order("id").Find(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			if h.From == "" || row.Person == h.From {
				out = append(out, given{row.Instance, row.Person, row.Number})
			}
		}
		if len(out) != len(h.Items) {
			return fault.New(fault.BadParameter, "workItemIds")
		}
		return nil
	})
	return out, err
}

// waitingFor are the instances in which something is open for a person, and their drafts.
func waitingFor(tx *store.Tx, person string) (out []string, err error) {
	var drafts []string
	err = errors.Join(
		tx.System().Model(&item{}).Where("person = ? AND state IN ? AND type <> ?", person, openStates, string(flow.ItemCirculate)).Distinct().Pluck("instance", &out).Error,
		tx.System().Model(&instance{}).Where("initiator = ? AND status = ?", person, string(flow.Draft)).Pluck("id", &drafts).Error)
	out = append(out, drafts...)
	slices.Sort(out)
	return slices.Compact(out), err
}

// Waiting are the instances in which something is open for a person, and their drafts.
func (s *Service) Waiting(_ context.Context, tx *store.Tx, person string) ([]string, error) {
	return waitingFor(tx, person)
}

// HandOverIn gives what is open for a person in an instance to another, in a transaction of the caller's, who has judged the right to it. It
// returns how many tasks that are; 0 when nothing is open any more.
func (s *Service) HandOverIn(ctx context.Context, tx *store.Tx, view *authz.View, id, from, to string) (int, error) {
	_, n, err := s.handOverIn(ctx, tx, view, given{instance: id, from: from}, to, "")
	return n, err
}

func (s *Service) handOverIn(ctx context.Context, tx *store.Tx, view *authz.View, one given, to, opinion string) (name string, count int, err error) {
	r, err := s.hold(ctx, tx, view, one.instance)
	if err != nil {
		return "", 0, err
	}
	open := 0
	for _, i := range r.state.Items {
		if i.Open() && i.Type != flow.ItemCirculate && i.Person == one.from && (one.item == 0 || i.ID == one.item) {
			open++
		}
	}
	if r.state.Status == flow.Draft && r.row.Initiator == one.from && one.item == 0 {
		open++
		r.row.Initiator = to
	}
	if open == 0 {
		if one.item != 0 {
			return r.row.Name, 0, fault.New(fault.ItemFinished)
		}
		return r.row.Name, 0, nil
	}
	err = r.do(flow.Command{Do: flow.OpHandOver, By: view.User(), At: s.cfg.Clock().UTC(), Item: one.item, Remove: []string{one.from}, People: []string{to}, Opinion: opinion, Admin: true})
	return r.row.Name, open, err
}

// DelegationsOver hands over what delegations say of a person: those to them go to somebody else from now on, or end where that cannot be; those
// that they made end. It returns how many there were.
func (s *Service) DelegationsOver(ctx context.Context, tx *store.Tx, from, to string) (int, error) {
	if err := tx.Lock(ctx, "workflow delegations"); err != nil {
		return 0, err
	}
	now := s.cfg.Clock().UTC()
	var rows []delegation
	of := func() *gorm.DB { return tx.System().Where("enabled = ? AND ends > ?", true, now) }
	if err := of().Where("(delegator = ? OR delegate = ?)", from, from).Order("id").Find(&rows).Error; err != nil {
		return 0, err
	}
	for _, d := range rows {
		if d.From == from || d.From == to {
			d.Enabled = false
		} else {
			var others []delegation
			if err := of().Where("delegator = ? AND delegate = ?", to, d.From).Find(&others).Error; err != nil {
				return 0, err
			}
			d.Enabled, d.To = !slices.ContainsFunc(others, d.meets), to
		}
		if err := tx.System().Select("*").Updates(&d).Error; err != nil {
			return 0, err
		}
		if d.Enabled {
			if err := s.cfg.Notify.Send(tx, notify.Message{To: d.To, Type: messageDelegated, Sender: d.From, Once: "delegation " + d.ID + " " + d.To}); err != nil {
				return 0, err
			}
		}
	}
	return len(rows), nil
}
