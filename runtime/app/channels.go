package app

import (
	"context"
	"net/http"
	"net/url"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/notify"
)

// Channels are how people hear of messages beside the message center. Its zero value is none.
type Channels struct {
	Mail   *mail.Sender
	Locale string // of mails to people who chose none: zh or en; "" = zh

	Webhook *url.URL
	Secret  secret.Text  // signs the calls of the webhook
	Private bool         // the webhook may be at a private address
	Client  *http.Client // of runtime/outbound
}

func (a *App) makeChannels() *channel.Service {
	c := channel.Config{DB: a.db, People: a.people, Messages: a.Messages, View: a.viewOf, Over: a.isOver, Mail: a.cfg.Channels.Mail, Address: a.cfg.Address, Locale: "zh",
		System: a.cfg.Name, Clock: a.cfg.Clock, Log: a.cfg.Log}
	if a.cfg.Channels.Locale != "" {
		c.Locale = a.cfg.Channels.Locale
	}
	if a.cfg.Channels.Webhook != nil {
		c.Hook = &channel.Hook{URL: a.cfg.Channels.Webhook, Secret: a.cfg.Channels.Secret, Client: a.cfg.Channels.Client, Private: a.cfg.Channels.Private}
	}
	return channel.New(c)
}

// Channels sends messages by mail and webhook.
func (a *App) Channels() *channel.Service { return a.channels }

// isOver reports whether a message asks for a task that is over.
func (a *App) isOver(ctx context.Context, of notify.Type, person, biz string) (bool, error) {
	return a.flows.Over(ctx, of, person, biz)
}

// viewOf is what an active person may see at this moment.
func (a *App) viewOf(ctx context.Context, person, locale string) (*authz.View, bool) {
	who, active := a.caller(ctx, person)
	if !active {
		return nil, false
	}
	who.Locale = locale
	return a.State().Policy.View(who, a.Now(), a.cfg.Zone), true
}
