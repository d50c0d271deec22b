package httpapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// channelRoutes are about how messages reach people beside the message center: each person's choices, and what administrators decide and see.
func (s *Server) channelRoutes() {
	s.register(route{method: "GET", path: "/api/message/settings", access: signedIn, body: small, deadline: quick, handle: s.messageSettings})
	s.register(route{method: "PUT", path: "/api/message/settings", access: signedIn, body: small, deadline: quick, handle: s.setMessageSettings})
	s.register(route{method: "GET", path: "/api/system/channels", access: signedIn, body: small, deadline: quick, handle: s.systemChannels})
	s.register(route{method: "PUT", path: "/api/system/channels", access: signedIn, body: small, deadline: quick, handle: s.setSystemChannels})
	s.register(route{method: "GET", path: "/api/system/deliveries", access: signedIn, body: small, deadline: quick, handle: s.deliveries})
	s.register(route{method: "POST", path: "/api/system/deliveries/{id}/retry", access: signedIn, body: small, deadline: quick, handle: s.retryDelivery})
}

// administers refuses callers who neither look after the installation nor administer it.
func (r *request) administers() error {
	if !r.view.Has(systemPermission) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

// groupChoice is whether a group of messages comes by mail.
type groupChoice struct {
	Group notify.Group `json:"group"`
	Mail  bool         `json:"mail"`
}

// messageSettings answers the caller's own choices.
func (s *Server) messageSettings(r *request) (any, error) {
	set, err := s.app.Channels().Settings(r.ctx, r.view.User())
	if err != nil {
		return nil, err
	}
	person, _ := s.app.People().Person(r.ctx, r.view.User())
	out := struct {
		Mail   bool          `json:"mail"`
		Email  string        `json:"email"`
		Locale string        `json:"locale"`
		Groups []groupChoice `json:"groups"`
	}{Mail: s.app.Channels().Open(channel.Mail), Email: person.Email, Locale: set.Locale, Groups: []groupChoice{}}
	for _, g := range notify.Groups() {
		out.Groups = append(out.Groups, groupChoice{g, set.Groups[g]})
	}
	return out, nil
}

func (s *Server) setMessageSettings(r *request) (any, error) {
	var in struct {
		Locale string        `json:"locale"`
		Groups []groupChoice `json:"groups"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	set := channel.Settings{Locale: in.Locale, Groups: map[notify.Group]bool{}}
	for _, g := range in.Groups {
		set.Groups[g.Group] = g.Mail
	}
	err := s.app.Channels().Choose(r.ctx, r.view.User(), set)
	if errors.Is(err, channel.ErrSetting) {
		return nil, fault.New(fault.BadParameter, "groups")
	}
	return nil, err
}

// typeChannels are the channels of a type of messages.
type typeChannels struct {
	Type    notify.Type       `json:"messageType"`
	Name    string            `json:"name,omitempty"`
	I18n    map[string]string `json:"name_i18n,omitempty"`
	Group   notify.Group      `json:"group,omitempty"`
	Mail    bool              `json:"mail"`
	Webhook bool              `json:"webhook"`
}

// systemChannels answers which channels are set up, without their secrets, and what goes out by them.
func (s *Server) systemChannels(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	types, err := s.app.Channels().Types(r.ctx)
	if err != nil {
		return nil, err
	}
	figures, err := s.app.Channels().Figures(r.ctx)
	if err != nil {
		return nil, err
	}
	type state struct {
		Name    channel.Name `json:"name"`
		Open    bool         `json:"open"`
		To      string       `json:"to"`
		Waiting int64        `json:"waiting"`
		Dead    int64        `json:"dead"`
		Oldest  *time.Time   `json:"oldestTime"`
		Failing string       `json:"error"`
	}
	out := struct {
		Channels []state        `json:"channels"`
		Types    []typeChannels `json:"types"`
	}{Channels: []state{}, Types: []typeChannels{}}
	for _, n := range channel.Names() {
		f := figures[n]
		out.Channels = append(out.Channels, state{n, s.app.Channels().Open(n), s.app.Channels().To(n), f.Waiting, f.Dead, f.Oldest, f.Failing})
	}
	for _, d := range notify.Types() {
		c := types[d.Type]
		out.Types = append(out.Types, typeChannels{d.Type, d.Name.Zh, d.Name.I18n, d.Group, c.Mail, c.Webhook})
	}
	return out, nil
}

func (s *Server) setSystemChannels(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	var in struct {
		Types []typeChannels `json:"types"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	set, on, off := map[notify.Type]channel.TypeChannels{}, []string{}, []string{}
	for _, t := range in.Types {
		if !t.Type.Known() {
			return nil, fault.New(fault.BadParameter, "messageType")
		}
		set[t.Type] = channel.TypeChannels{Mail: t.Mail, Webhook: t.Webhook}
		for n, open := range map[channel.Name]bool{channel.Mail: t.Mail, channel.Webhook: t.Webhook} {
			entry := fmt.Sprintf("%d %s", t.Type, n)
			if open {
				on = append(on, entry)
			} else {
				off = append(off, entry)
			}
		}
	}
	slices.Sort(on)
	slices.Sort(off)
	return nil, s.app.Store().Write(r.ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := s.app.Channels().SetTypes(tx, set); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.ChannelsSet, Detail: map[string]string{"on": strings.Join(on, ", "), "off": strings.Join(off, ", ")}})
	})
}

// deliveryView is a message on its way, in an answer.
type deliveryView struct {
	ID        string        `json:"id"`
	Channel   channel.Name  `json:"channel"`
	Type      notify.Type   `json:"messageType"`
	Recipient jobOwner      `json:"recipient"`
	State     channel.State `json:"state"`
	Attempts  int           `json:"attempts"`
	Created   time.Time     `json:"createdTime"`
	Next      *time.Time    `json:"nextTime"` // of one that waits
	Done      *time.Time    `json:"doneTime"`
	Error     string        `json:"error"`
}

func (s *Server) deliveries(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	var states []channel.State
	if text := r.QueryParam("state"); text != "" {
		for _, one := range strings.Split(text, ",") {
			if !slices.Contains([]channel.State{channel.Waiting, channel.Sent, channel.Dead, channel.Dropped}, channel.State(one)) {
				return nil, fault.New(fault.BadParameter, "state")
			}
			states = append(states, channel.State(one))
		}
	}
	by := channel.Name(r.QueryParam("channel"))
	if by != "" && !slices.Contains(channel.Names(), by) {
		return nil, fault.New(fault.BadParameter, "channel")
	}
	found, total, err := s.app.Channels().List(r.ctx, states, by, page, size)
	if err != nil {
		return nil, err
	}
	out := pageOf[deliveryView]{Content: []deliveryView{}, Total: total}
	for _, d := range found {
		v := deliveryView{ID: d.ID, Channel: d.Channel, Type: d.Type, Recipient: s.ownerOf(r.ctx, d.Recipient), State: d.State, Attempts: d.Attempts,
			Created: d.Created, Done: d.Done, Error: d.Error}
		if d.State == channel.Waiting {
			v.Next = &d.Next
		}
		out.Content = append(out.Content, v)
	}
	return out, nil
}

// retryDelivery sends a dead letter again.
func (s *Server) retryDelivery(r *request) (any, error) {
	if err := r.administers(); err != nil {
		return nil, err
	}
	return nil, s.app.Store().Write(r.ctx, func(ctx context.Context, tx *store.Tx) error {
		again, err := s.app.Channels().Retry(tx, r.Param("id"))
		if err == nil && !again {
			err = fault.New(fault.DeliveryNotFound)
		}
		if err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.MessageResent, Subject: r.Param("id")})
	})
}
