package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// initNotifications creates the notification and comment services.
func (a *App) initNotifications() {
	a.channels = a.makeChannels()
	a.messages = notify.New(notify.Config{DB: a.db, Reader: a.reader, People: a.people, Clock: a.cfg.Clock, Log: a.cfg.Log, Keep: a.cfg.KeepMessages,
		Outbox: a.channels.Outbox})
	a.comments = comment.New(comment.Config{DB: a.db, Reader: a.reader, People: a.people, Notify: a.messages, Clock: a.cfg.Clock, Zone: a.cfg.Zone,
		Log: a.cfg.Log, Caller: a.caller, Policy: a.policy,
		Restorable: restorable,
		AtTask: func(ctx context.Context, tx *store.Tx, view *authz.View, at query.Ref) (*authz.View, error) {
			return a.flows.AtTask(ctx, tx, view, at)
		}})
}

// restorable are those of some records that are in the recycle bin: their comments wait for them.
func restorable(tx *store.Tx, refs []query.Ref) (map[query.Ref]bool, error) {
	ids := map[string][]string{}
	for _, ref := range refs {
		ids[ref.SchemaCode] = append(ids[ref.SchemaCode], ref.ID)
	}
	out := map[query.Ref]bool{}
	for model, of := range ids {
		kept, err := record.InRecycleBin(tx, model, of)
		if err != nil {
			return nil, err
		}
		for _, id := range kept {
			out[query.Ref{SchemaCode: model, ID: id}] = true
		}
	}
	return out, nil
}

// followTalk lets open pages hear of new messages and comments, and sweeps what is no longer needed.
func (a *App) followTalk() {
	a.work.Go(func() { a.messages.Follow(a.background, a.events.Listening, a.tellUnread) })
	a.work.Go(func() { a.comments.Follow(a.background, a.events.watchedComments, a.tellComments) })
	a.work.Go(a.sweepTalk)
}

// Messages keeps what people are told.
func (a *App) Messages() *notify.Service { return a.messages }

// Comments keeps what people say about records.
func (a *App) Comments() *comment.Service { return a.comments }

// tellUnread sends the number of unread messages to their recipient's pages.
func (a *App) tellUnread(user string, c notify.Counts) {
	text, err := json.Marshal(c)
	if err != nil {
		a.cfg.Log.Error("encode the unread messages", "error", err)
		return
	}
	a.events.Send(Event{Name: "message", Data: string(text), To: user}, false)
}

// CommentsOf is the beginning of what a page watches to hear of the comments of a record: "comments:contract/ID".
const CommentsOf = "comments:"

// WatchedRecord is the record whose comments are watched by a name; false when it names none.
func WatchedRecord(watch string) (query.Ref, bool) {
	rest, ok := strings.CutPrefix(watch, CommentsOf)
	code, id, whole := strings.Cut(rest, "/")
	return query.Ref{SchemaCode: code, ID: id}, ok && whole
}

// watchedComments are the records whose comments somebody watches, each once.
func (h *Events) watchedComments() []query.Ref {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []query.Ref
	for _, l := range h.joined {
		for _, watch := range l.watch {
			if ref, ok := WatchedRecord(watch); ok && !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	return out
}

// tellComments tells those who watch a record that its comments changed. Whether they may still see it is judged when it is sent.
func (a *App) tellComments(ref query.Ref) {
	text, err := json.Marshal(map[string]string{"schemaCode": ref.SchemaCode, "objectId": ref.ID})
	if err != nil {
		a.cfg.Log.Error("encode changed comments", "error", err)
		return
	}
	a.events.Send(Event{Name: "comments", Data: string(text), Watched: CommentsOf + ref.SchemaCode + "/" + ref.ID}, false)
}

// sweepTalk removes messages that were read long ago and comments of records that are gone, while the system serves.
func (a *App) sweepTalk() {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-a.background.Done():
			return
		case <-tick.C:
		}
		a.clearTalk()
	}
}

// clearTalk is a look of sweepTalk.
func (a *App) clearTalk() {
	messages, err := a.messages.Sweep(a.background)
	if err == nil && messages > 0 {
		a.cfg.Log.Info("removed old messages", "messages", messages)
	}
	if err == nil {
		_, err = a.channels.Sweep(a.background)
	}
	records, e := a.comments.Sweep(a.background)
	if e == nil && records > 0 {
		a.cfg.Log.Info("removed comments of deleted records", "records", records)
	}
	for _, err := range []error{err, e} {
		if err != nil && a.background.Err() == nil {
			a.cfg.Log.Error("remove old messages and comments", "error", err)
		}
	}
}
