package channel

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/outbound"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	batch     = 50                     // deliveries that are read at once
	lookEvery = 300 * time.Millisecond // how often a node looks whether something changed
	recheck   = 2 * time.Second        // how often it asks the database for what has become due, or is due still
	firstWait = 30 * time.Second
	mostWait  = time.Hour
)

// jobKind is the job that sends by a channel.
func jobKind(n Name) string { return "message." + string(n) }

// Workers are who does the jobs of the channels, by kind. They are there on every node, so that one that is set up otherwise does not stop them.
func (s *Service) Workers() map[string]job.Worker {
	out := map[string]job.Worker{}
	for _, n := range Names() {
		out[jobKind(n)] = job.WorkerFunc(func(ctx context.Context, r *job.Run) (any, error) { return s.deliver(ctx, r, n) })
	}
	return out
}

// Use gives the service the queue that its jobs are in.
func (s *Service) Use(q *job.Queue) { s.jobs = q }

var titles = map[Name]job.Title{Mail: {Zh: "发送邮件", En: "Send mails"}, Webhook: {Zh: "推送 Webhook", En: "Call the webhook"}}

// Follow starts a job whenever something is due, until ctx ends. It looks at what is stored and not at what it was told, so nothing is
// forgotten that another node wrote, or that came while a job was about to end.
func (s *Service) Follow(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var version uint64
	var looked time.Time
	pending := false // something is due that a job has perhaps looked for already
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := s.cfg.DB.Versions(table)
		if (pending || now == version) && time.Since(looked) < recheck {
			continue
		}
		found, err := s.start(ctx)
		if err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("look for messages to send", "error", err)
		}
		version, looked, pending = now, time.Now(), found
	}
}

// start enqueues a job for each channel with something due, and reports whether there was any.
func (s *Service) start(ctx context.Context) (pending bool, err error) {
	for _, n := range Names() {
		if !s.Open(n) {
			continue
		}
		due := false
		err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			var r row
			err := s.due(tx, n).Select("id").Limit(1).Find(&r).Error
			due = r.ID != ""
			return err
		})
		if err != nil {
			return pending, err
		}
		if !due {
			continue
		}
		pending = true
		err = s.cfg.DB.Write(store.Promptly(ctx), func(ctx context.Context, tx *store.Tx) error {
			_, err := s.jobs.Enqueue(ctx, tx, jobKind(n), struct{}{}, job.Options{Lane: job.Deliveries, Title: titles[n], UniqueKey: string(n)})
			return err
		})
		if err != nil {
			return pending, err
		}
	}
	return pending, nil
}

func (s *Service) due(tx *store.Tx, n Name) *gorm.DB {
	return tx.System().Where("state = ? AND channel = ? AND next_at <= ?", Waiting, n, s.now())
}

// sender sends by one channel until it is closed.
type sender interface {
	send(ctx context.Context, d row, p post) error // a *mail.Failure where it matters what kind of failure it was
	close()
}

// sent is the result of a job, for administrators.
type sent struct {
	Sent   int `json:"sent"`
	Failed int `json:"failed"`
}

// deliver sends what is due by a channel. Each delivery is noted in a transaction of its own, which fails when another node has taken the
// job over.
func (s *Service) deliver(ctx context.Context, r *job.Run, n Name) (any, error) {
	var done sent
	if _, err := r.Progress(&done); err != nil {
		return nil, err
	}
	by := s.sender(n)
	if by == nil { // this node is set up otherwise: another one takes the job
		return nil, errors.New("the channel is not set up on this node")
	}
	defer by.close()
	for {
		var rows []row
		err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return s.due(tx, n).Order("next_at, id").Limit(batch).Find(&rows).Error
		})
		if err != nil || len(rows) == 0 {
			return done, err
		}
		for _, d := range rows {
			if r.Cancelled() {
				return done, ctx.Err()
			}
			again, err := s.one(ctx, r, by, d, &done)
			if err != nil || !again {
				return done, err
			}
		}
	}
}

// one sends one delivery and notes how it went; false when the channel itself fails, and the rest waits.
func (s *Service) one(ctx context.Context, r *job.Run, by sender, d row, done *sent) (more bool, err error) {
	p, live, err := s.post(ctx, d)
	if err != nil {
		return false, err
	}
	set := map[string]any{"state": Dropped, "done_at": s.now(), "error": ""}
	var failed error
	if live {
		failed = by.send(ctx, d, p)
		if failed != nil && ctx.Err() != nil {
			return false, ctx.Err() // the process stops: whether it was sent is not known
		}
		set = s.outcome(d, failed)
	}
	after := *done
	switch set["state"] {
	case Sent:
		after.Sent++
	case Dead:
		after.Failed++
		s.cfg.Log.Warn("a message was not sent", "channel", d.Channel, "delivery", d.ID, "error", failed)
	}
	down := isDown(failed)
	err = r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
		tx.Touch(table)
		if err := tx.System().Model(&row{}).Where("id = ?", d.ID).UpdateColumns(set).Error; err != nil {
			return nil, err
		}
		if down { // nobody else is served meanwhile
			rest := s.due(tx, d.Channel).Model(&row{}).Where("id <> ?", d.ID).UpdateColumn("next_at", s.now().Add(wait(d.Attempts+1)))
			if rest.Error != nil {
				return nil, rest.Error
			}
		}
		return after, nil
	})
	*done = after
	if down {
		s.cfg.Log.Warn("a channel is down", "channel", d.Channel, "error", failed)
	}
	return !down, err
}

func isDown(err error) bool {
	var f *mail.Failure
	return errors.As(err, &f) && f.Server
}

// outcome are the columns of a delivery behind an attempt.
func (s *Service) outcome(d row, failed error) map[string]any {
	now := s.now()
	set := map[string]any{"attempts": d.Attempts + 1, "error": "", "state": Sent, "done_at": now}
	if failed == nil {
		return set
	}
	var f *mail.Failure
	set["error"] = mail.OneLine(failed.Error(), 300)
	if errors.As(failed, &f) && f.Permanent || !now.Before(d.GiveUpAt) {
		set["state"] = Dead
		return set
	}
	set["state"], set["done_at"] = Waiting, nil
	set["next_at"] = now.Add(wait(d.Attempts + 1))
	return set
}

// wait is how long the next attempt waits: 30 s, then twice as long each time up to an hour, with some chance.
func wait(attempts int) time.Duration {
	w := min(firstWait<<min(max(attempts-1, 0), 10), mostWait)
	return w + rand.N(w/8+1)
}

func (s *Service) sender(n Name) sender {
	switch {
	case n == Mail && s.cfg.Mail != nil:
		return &mailer{s: s}
	case n == Webhook && s.cfg.Hook != nil:
		return &hooker{s.cfg.Hook, s.now}
	}
	return nil
}

// mailer keeps one connection for the mails of a job.
type mailer struct {
	s    *Service
	open *mail.Connection
}

func (m *mailer) send(ctx context.Context, d row, p post) (err error) {
	if m.open == nil {
		if m.open, err = m.s.cfg.Mail.Open(ctx); err != nil {
			return err
		}
	}
	err = m.open.Send(p.mail(d.ID, m.s.cfg))
	if isDown(err) { // servers end connections after some mails, or when they like: a new one is worth a try
		m.close()
		if m.open, err = m.s.cfg.Mail.Open(ctx); err != nil {
			return err
		}
		err = m.open.Send(p.mail(d.ID, m.s.cfg))
	}
	return err
}

func (m *mailer) close() {
	if m.open != nil {
		m.open.Close()
		m.open = nil
	}
}

// hooker calls the webhook.
type hooker struct {
	*Hook
	now func() time.Time
}

func (h *hooker) send(ctx context.Context, d row, p post) error {
	body, err := p.payload(d)
	if err != nil {
		return err
	}
	status, err := outbound.Post(ctx, h.Client, h.URL.String(), headers(h.Secret, d.ID, h.now(), body), bytes.NewReader(body))
	if err == nil {
		return nil
	}
	refused := status >= 400 && status < 500 && status != 408 && status != 409 && status != 425 && status != 429
	if errors.Is(err, outbound.ErrPrivate) {
		err = outbound.ErrPrivate
	}
	// A refusal is about one message; 401, 403, 404 and no answer are about the address, and a redirect is never followed.
	server := status == 0 || status == 401 || status == 403 || status == 404 || status == 429 || status >= 300 && status < 400 || status >= 500
	return &mail.Failure{Permanent: refused && !server, Server: server, Err: err}
}

func (*hooker) close() {}

// Figures count the deliveries.
type Figures struct {
	Waiting, Dead int64
	Oldest        *time.Time // of those that wait
	Failing       string     // the error of the last attempt, of those that wait
}

// Figures returns them by channel.
func (s *Service) Figures(ctx context.Context) (map[Name]Figures, error) {
	out := map[Name]Figures{}
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		for _, n := range Names() {
			var f Figures
			if err := tx.System().Model(&row{}).Where("state = ? AND channel = ?", Waiting, n).Count(&f.Waiting).Error; err != nil {
				return err
			}
			if err := tx.System().Model(&row{}).Where("state = ? AND channel = ?", Dead, n).Count(&f.Dead).Error; err != nil {
				return err
			}
			var first row
			if err := tx.System().Where("state = ? AND channel = ?", Waiting, n).Order("created_at").Limit(1).Find(&first).Error; err != nil {
				return err
			}
			if first.ID != "" {
				at := first.CreatedAt.UTC()
				f.Oldest, f.Failing = &at, first.Error
			}
			out[n] = f
		}
		return nil
	})
	return out, err
}

// Delivery is a message on its way, for administrators. What it says is not theirs to read.
type Delivery struct {
	ID, Recipient string
	Channel       Name
	Type          notify.Type
	State         State
	Attempts      int
	Next, Created time.Time
	Done          *time.Time
	Error         string
}

// List returns a page of the deliveries in some states, the newest first, and how many there are.
func (s *Service) List(ctx context.Context, states []State, channel Name, page, size int) (out []Delivery, total int64, err error) {
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		where := func() *gorm.DB {
			db := tx.System().Model(&row{})
			if len(states) > 0 {
				db = db.Where("state IN ?", states)
			}
			if channel != "" {
				db = db.Where("channel = ?", channel)
			}
			return db
		}
		if err := where().Count(&total).Error; err != nil {
			return err
		}
		var rows []row
		if err := where().Order("id DESC").Offset(page * size).Limit(size).Find(&rows).Error; err != nil {
			return err
		}
		for _, r := range rows {
			out = append(out, Delivery{ID: r.ID, Recipient: r.Recipient, Channel: r.Channel, Type: notify.Type(r.Type), State: r.State, Attempts: r.Attempts,
				Next: r.NextAt.UTC(), Created: r.CreatedAt.UTC(), Done: r.DoneAt, Error: r.Error})
		}
		return nil
	})
	return out, total, err
}

// Retry sends a dead letter once more, or one that waits at once; false when there is none of that id.
func (s *Service) Retry(tx *store.Tx, id string) (bool, error) {
	now := s.now()
	tx.Touch(table)
	done := tx.System().Model(&row{}).Where("id = ? AND state IN ?", id, []State{Dead, Waiting}).UpdateColumns(map[string]any{
		"state": Waiting, "attempts": 0, "next_at": now, "give_up_at": now.Add(giveUpAfter), "done_at": nil})
	return done.RowsAffected > 0, done.Error
}

// Sweep removes what was sent a week ago and what died three months ago, and the jobs that did it.
func (s *Service) Sweep(ctx context.Context) (gone int64, err error) {
	now := s.now()
	for _, of := range []struct {
		state  State
		before time.Time
	}{{Sent, now.Add(-keepSent)}, {Dropped, now.Add(-keepSent)}, {Dead, now.Add(-keepDead)}} {
		for n := int64(1); n > 0; {
			err := s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
				var ids []string
				err := tx.System().Model(&row{}).Where("state = ? AND done_at < ?", of.state, of.before).Limit(500).Pluck("id", &ids).Error
				if n = int64(len(ids)); err != nil || n == 0 {
					return err
				}
				return tx.System().Where("id IN ?", ids).Delete(&row{}).Error
			})
			if err != nil {
				return gone, err
			}
			gone += n
		}
	}
	if s.jobs != nil {
		err = s.jobs.Tidy(ctx, now.Add(-24*time.Hour), jobKind(Mail), jobKind(Webhook))
	}
	return gone, err
}
