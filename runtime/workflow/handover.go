package workflow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

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
	Token   string // idempotency key; "" = none
}

// HandedOver is what became of one instance (api.yaml HandedOver).
type HandedOver struct {
	Instance string
	Name     string
	Count    int   // tasks, or 1 of a draft
	Err      error `json:"-"`
}

// HandOver gives open tasks to somebody else, each instance in a transaction of its own. Left is how many instances wait for another call.
// A repeat with the same token answers what the first did, and goes on where that one stopped; another call goes on with the rest.
func (s *Service) HandOver(ctx context.Context, view *authz.View, h HandOver) (out []HandedOver, left int, err error) {
	if !administers(view) {
		return nil, 0, fault.New(fault.Forbidden)
	}
	if !s.able(ctx, h.To) {
		return nil, 0, fault.New(fault.BadParameter, "to")
	}
	if h.From == h.To || h.From == "" && len(h.Items) == 0 {
		return nil, 0, fault.New(fault.BadParameter, "from")
	}
	if utf8.RuneCountInString(h.Opinion) > longest {
		return nil, 0, fault.New(fault.OpinionTooLong, longest)
	}
	// What the call is about is settled first, so that a repeat speaks of the same instances.
	asked, err := doOnce(ctx, s, view, keyed("handover", h.Token), h, func(ctx context.Context, tx *store.Tx) (asked toGive, err error) {
		asked.Given, err = s.toHandOver(tx, h)
		asked.Left = max(len(asked.Given)-atOnce, 0)
		asked.Given = asked.Given[:min(len(asked.Given), atOnce)]
		return asked, err
	})
	if err != nil {
		return nil, 0, err
	}
	of := func(what string) string {
		if h.Token == "" {
			return ""
		}
		return keyed("handover of", h.Token+" "+what)
	}
	all := 0
	for _, one := range asked.Given {
		got, err := doOnce(ctx, s, view, of(fmt.Sprint(one.Instance, " ", one.Item)), h, func(ctx context.Context, tx *store.Tx) (got HandedOver, err error) {
			got.Name, got.Count, err = s.handOverIn(ctx, tx, view, one, h.To, h.Opinion)
			return got, err
		})
		var refused *fault.Error
		if err != nil && !errors.As(err, &refused) {
			return out, asked.Left, err
		}
		got.Instance, got.Err = one.Instance, err
		all += got.Count
		out = append(out, got)
	}
	if len(h.Items) > 0 {
		return out, 0, nil
	}
	_, err = doOnce(ctx, s, view, of("all"), h, func(ctx context.Context, tx *store.Tx) (struct{}, error) {
		if asked.Left == 0 {
			if _, err := s.DelegationsOver(ctx, tx, h.From, h.To); err != nil {
				return struct{}{}, err
			}
		}
		if all == 0 || h.To == view.User() {
			return struct{}{}, nil
		}
		from, _ := s.cfg.People.Name(ctx, plan.Ref{Model: directory.User, ID: h.From})
		return struct{}{}, s.cfg.Notify.Send(tx, notify.Message{To: h.To, Type: messageHandover, Sender: view.User(),
			Biz: notify.Biz{UserIDs: []string{h.From}, UserNameList: []string{from.Name}, Tasks: all}})
	})
	return out, asked.Left, err
}

// toGive is what one call hands over.
type toGive struct {
	Given []given
	Left  int
}

// given is what is handed over of an instance: all of a person, or one task.
type given struct {
	Instance, From string
	Item           int
}

func (s *Service) toHandOver(tx *store.Tx, h HandOver) (out []given, err error) {
	if len(h.Items) == 0 {
		ids, err := s.waitingFor(tx, h.From)
		for _, id := range ids {
			out = append(out, given{Instance: id, From: h.From})
		}
		return out, err
	}
	var rows []item
	if err := tx.System().Where("id IN ?", h.Items).Order("id").Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, row := range rows {
		if h.From == "" || row.Person == h.From {
			out = append(out, given{row.Instance, row.Person, row.Number})
		}
	}
	if len(out) != len(h.Items) {
		return nil, fault.New(fault.BadParameter, "workItemIds")
	}
	return out, nil
}

// waitingFor are the instances in which something is open for a person, and their drafts; of somebody who can no longer take part also all that
// they began and that still runs.
func (s *Service) waitingFor(tx *store.Tx, person string) (out []string, err error) {
	states := []string{string(flow.Draft)}
	if !s.able(tx.Context(), person) {
		states = append(states, runs...)
	}
	var drafts []string
	err = errors.Join(
		tx.System().Model(&item{}).Where("person = ? AND state IN ? AND type <> ?", person, openStates, string(flow.ItemCirculate)).Distinct().Pluck("instance", &out).Error,
		tx.System().Model(&instance{}).Where("initiator = ? AND status IN ?", person, states).Pluck("id", &drafts).Error)
	out = append(out, drafts...)
	slices.Sort(out)
	return slices.Compact(out), err
}

// runs are the states of instances in progress.
var runs = []string{string(flow.Processing), string(flow.Exception)}

// Waiting are the instances in which something is open for a person, and their drafts.
func (s *Service) Waiting(_ context.Context, tx *store.Tx, person string) ([]string, error) {
	return s.waitingFor(tx, person)
}

// HandOverIn gives what is open for a person in an instance to another, in a transaction of the caller's, who has judged the right to it. It
// returns how many tasks that are; 0 when nothing is open any more.
func (s *Service) HandOverIn(ctx context.Context, tx *store.Tx, view *authz.View, id, from, to string) (int, error) {
	_, n, err := s.handOverIn(ctx, tx, view, given{Instance: id, From: from}, to, "")
	return n, err
}

func (s *Service) handOverIn(ctx context.Context, tx *store.Tx, view *authz.View, one given, to, opinion string) (name string, count int, err error) {
	r, err := s.hold(ctx, tx, view, one.Instance)
	if err != nil {
		return "", 0, err
	}
	open := 0
	for _, i := range r.state.Items {
		if i.Open() && i.Type != flow.ItemCirculate && i.Person == one.From && (one.Item == 0 || i.ID == one.Item) {
			open++
		}
	}
	draft := r.state.Status == flow.Draft
	left := slices.Contains(runs, string(r.state.Status)) && !s.able(ctx, one.From)
	if (draft || left) && r.row.Initiator == one.From && one.Item == 0 {
		open++
		r.row.Initiator = to
	}
	if open == 0 {
		if one.Item != 0 {
			return r.row.Name, 0, fault.New(fault.ItemFinished)
		}
		return r.row.Name, 0, nil
	}
	err = r.do(flow.Command{Do: flow.OpHandOver, By: view.User(), At: s.cfg.Clock().UTC(), Item: one.Item, Remove: []string{one.From}, People: []string{to}, Opinion: opinion, Admin: true})
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
