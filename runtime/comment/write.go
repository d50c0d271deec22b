package comment

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// A person writes at most so many comments in a while.
const (
	burst = 20
	while = time.Minute
)

// Add writes a comment on a record that the caller sees, and tells those whom it mentions or replies to. With a key that was
// used before it answers the comment of then.
func (s *Service) Add(ctx context.Context, view *authz.View, d Draft) (out *Comment, err error) {
	if d, err = d.checked(); err != nil {
		return nil, err
	}
	return out, s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		m, _, err := s.title(ctx, tx, view, d.At)
		if err != nil {
			return err
		}
		d.At.SchemaCode = m.Code
		r := row{ID: uuid.Must(uuid.NewV7()).String(), Model: m.Code, Record: d.At.ID, Author: view.User(), Text: d.Text, ReplyTo: d.ReplyTo,
			CreatedAt: s.cfg.Clock().UTC(), Request: d.request(m.Code)}
		if d.Token != "" {
			token := hash(view.User(), d.Token)
			r.Token = &token
		}
		first, err := s.insert(ctx, tx, &r, d)
		if err != nil {
			return err
		}
		if first != nil {
			r = *first
		}
		views, err := s.views(ctx, tx, view, []row{r})
		if err == nil {
			out = &views[0]
		}
		return err
	})
}

// insert writes a new comment with all that belongs to it, or returns the one that its key made before.
func (s *Service) insert(ctx context.Context, tx *store.Tx, r *row, d Draft) (*row, error) {
	if first, err := repeated(tx, *r); first != nil || err != nil {
		return first, err
	}
	if err := s.slow(tx, r.Author); err != nil {
		return nil, err
	}
	parent, err := answered(tx, *r)
	if err != nil {
		return nil, err
	}
	told, err := s.mentions(ctx, tx, r, d.Mentions)
	if err != nil {
		return nil, err
	}
	done := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(r)
	if done.Error != nil {
		return nil, done.Error
	}
	if done.RowsAffected == 0 { // the same call, sent twice at once
		return repeated(tx, *r)
	}
	tx.Touch(table)
	if err := s.putFiles(tx, *r, d.Files); err != nil {
		return nil, err
	}
	return nil, s.tell(ctx, tx, *r, told, parent)
}

// repeated finds the comment that a key made before; the same key for another request is refused.
func repeated(tx *store.Tx, r row) (*row, error) {
	if r.Token == nil {
		return nil, nil
	}
	var first row
	if err := tx.System().Where("token = ?", *r.Token).Limit(1).Find(&first).Error; err != nil || first.ID == "" {
		return nil, err
	}
	if first.Request != r.Request {
		return nil, fault.New(fault.RepeatSubmit)
	}
	return &first, nil
}

// slow refuses more comments than somebody writes by hand.
func (s *Service) slow(tx *store.Tx, author string) error {
	var last []time.Time
	now := s.cfg.Clock().UTC()
	if err := tx.Lock(tx.Context(), "comments "+author); err != nil { // what is counted stays so
		return err
	}
	err := tx.System().Model(&row{}).Where("author = ? AND created_at > ?", author, now.Add(-while)).Order("created_at DESC").Limit(burst).Pluck("created_at", &last).Error
	if err != nil || len(last) < burst {
		return err
	}
	return fault.Later(fault.CommentTooOften, max(1, int(math.Ceil(last[burst-1].Add(while).Sub(now).Seconds()))))
}

// answered finds the comment that a new one replies to: one of the same record that was not deleted.
func answered(tx *store.Tx, r row) (*row, error) {
	if r.ReplyTo == "" {
		return nil, nil
	}
	var parent row
	err := tx.System().Where("id = ? AND model = ? AND record = ?", r.ReplyTo, r.Model, r.Record).Limit(1).Find(&parent).Error
	switch {
	case err != nil:
		return nil, err
	case parent.ID == "":
		return nil, fault.New(fault.CommentNotFound)
	case parent.Deleted:
		return nil, fault.New(fault.CommentAnswered)
	}
	return &parent, nil
}

// addressee is somebody whom a comment mentions for the first time, and the record's name for them.
type addressee struct{ user, title string }

// mentions puts the people into a comment. Whom it mentioned before stays as they were; the person who is new must be able to read the
// record. They come back.
func (s *Service) mentions(ctx context.Context, tx *store.Tx, r *row, ids []string) ([]addressee, error) {
	before, err := mentionsOf(*r)
	if err != nil {
		return nil, err
	}
	names := s.cfg.People.Names(ctx)
	now, told := make([]mention, 0, len(ids)), []addressee{}
	for _, id := range ids {
		if i := slices.IndexFunc(before, func(m mention) bool { return m.ID == id }); i >= 0 {
			now = append(now, before[i])
			continue
		}
		who, known := names.Name(plan.Ref{Model: directory.User, ID: id})
		if !known {
			return nil, fault.New(fault.BadParameter, "mentions")
		}
		title, sees, err := s.seenBy(ctx, tx, id, r.ref())
		if err != nil {
			return nil, err
		}
		if !sees {
			return nil, fault.New(fault.CommentMention, who.Name)
		}
		now = append(now, mention{ID: id, Name: who.Name})
		told = append(told, addressee{id, title})
	}
	text, err := json.Marshal(now)
	r.Mentions = string(text)
	return told, err
}

// tell sends the messages of a comment: a mention to those mentioned, a reply to whose comment is answered. Nobody gets two,
// nor one about themselves.
func (s *Service) tell(ctx context.Context, tx *store.Tx, r row, told []addressee, parent *row) error {
	message := func(to addressee, of notify.Type) notify.Message {
		return notify.Message{To: to.user, Type: of, Sender: r.Author, Record: r.ref(), Name: to.title, Text: r.Text,
			Biz: notify.Biz{IsBusiness: true, CommentID: r.ID}, About: about(r.ID), Once: about(r.ID)}
	}
	var out []notify.Message
	for _, to := range told {
		if to.user != r.Author {
			out = append(out, message(to, notify.Mention))
		}
	}
	if parent != nil && parent.Author != r.Author && !slices.ContainsFunc(told, func(to addressee) bool { return to.user == parent.Author }) {
		title, sees, err := s.seenBy(ctx, tx, parent.Author, r.ref())
		if err != nil {
			return err
		}
		if sees { // the person who lost the record hears no more of it
			out = append(out, message(addressee{parent.Author, title}, notify.Reply))
		}
	}
	return s.cfg.Notify.Send(tx, out...)
}

// about is how messages name the comment that caused them.
func about(id string) string { return "comment/" + id }

// Update writes one of the caller's comments again, and tells those whom it mentions now and did not before.
func (s *Service) Update(ctx context.Context, view *authz.View, id string, d Draft) (out *Comment, err error) {
	if d, err = d.checked(); err != nil {
		return nil, err
	}
	return out, s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, err := s.own(ctx, tx, view, id)
		if err != nil {
			return err
		}
		told, err := s.mentions(ctx, tx, r, d.Mentions)
		if err != nil {
			return err
		}
		now := s.cfg.Clock().UTC()
		r.Text, r.EditedAt, r.Revision = d.Text, &now, r.Revision+1
		if err := tx.System().Save(r).Error; err != nil {
			return err
		}
		tx.Touch(table)
		if err := s.putFiles(tx, *r, d.Files); err != nil {
			return err
		}
		if err := s.cfg.Notify.Amend(tx, about(id), d.Text); err != nil {
			return err
		}
		if err := s.tell(ctx, tx, *r, told, nil); err != nil {
			return err
		}
		views, err := s.views(ctx, tx, view, []row{*r})
		if err == nil {
			out = &views[0]
		}
		return err
	})
}

// Delete takes what one of the caller's comments says, its files and its messages away. Where others replied to it, its place
// stays.
func (s *Service) Delete(ctx context.Context, view *authz.View, id string) error {
	return s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, err := s.own(ctx, tx, view, id)
		if err != nil {
			return err
		}
		set := map[string]any{"deleted": true, "text": "", "mentions": "[]", "request": "", "revision": r.Revision + 1}
		if err := tx.System().Model(&row{}).Where("id = ?", id).UpdateColumns(set).Error; err != nil {
			return err
		}
		tx.Touch(table)
		if err := s.putFiles(tx, *r, nil); err != nil {
			return err
		}
		return s.cfg.Notify.Withdraw(tx, about(id))
	})
}

// own finds a comment of the caller's on a record that they see.
func (s *Service) own(ctx context.Context, tx *store.Tx, view *authz.View, id string) (*row, error) {
	var r row
	if err := tx.System().Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).Limit(1).Find(&r).Error; err != nil {
		return nil, err
	}
	if r.ID == "" || r.Deleted {
		return nil, fault.New(fault.CommentNotFound)
	}
	if _, _, err := s.title(ctx, tx, view, r.ref()); err != nil {
		if code := fault.Of(err); code == fault.ModelNotFound || code == fault.RecordNotFound {
			err = fault.New(fault.CommentNotFound)
		}
		return nil, err
	}
	if r.Author != view.User() {
		return nil, fault.New(fault.CommentForeign)
	}
	return &r, nil
}
