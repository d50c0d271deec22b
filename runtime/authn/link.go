package authn

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/store"
)

// link lets anybody who has its text fill one form in, or read one record. The text is random and only its hash is kept.
type link struct {
	ID          string `gorm:"primaryKey;size:36"`
	Hash        string `gorm:"size:64;uniqueIndex"`
	Form        string `gorm:"size:63;index"` // code
	Record      string `gorm:"size:36"`       // id of the record that it shows; "" = it adds records
	Label       string `gorm:"size:100"`      // whom it is for
	CreatedBy   string `gorm:"size:36"`
	CreatedAt   time.Time
	ExpiresAt   time.Time
	WithdrawnAt *time.Time
	Most        int // how many records it may add; 0 = any number
	Used        int // how many it has added, or how often it was opened to read
}

func (link) TableName() string { return "sl_link" }

// forLink is the purpose of tickets of those who opened a link: the text of the link itself is sent once.
const (
	forLink     = "link"
	linkSession = 2 * time.Hour
	maxLinks    = 200 // open links of a form
)

// opened is what such a ticket holds.
type openedLink struct {
	ID string `json:"id"`
}

// LinkOf is what an external link is made for.
type LinkOf struct {
	Form, Label string
	Record      string // id; "" = it adds records
	Life        time.Duration
	Most        int
}

// Link is an external link to a form.
type Link struct {
	ID, Form, Label, CreatedBy string
	Record                     string // id; "" = it adds records
	CreatedAt, ExpiresAt       time.Time
	Most, Used                 int
	Paused                     bool // its maker is disabled
}

// MakeLink makes an external link and returns its text, which is told this once.
func (s *Service) MakeLink(ctx context.Context, user string, of LinkOf) (text string, err error) {
	label := strings.TrimSpace(of.Label)
	switch {
	case of.Life <= 0:
		return "", fault.New(fault.BadParameter, "days")
	case label == "":
		return "", fault.New(fault.EmptyParameter, "label")
	case len([]rune(label)) > maxLabel:
		return "", fault.New(fault.BadParameter, "label")
	case of.Most < 0 || of.Record != "" && of.Most > 0:
		return "", fault.New(fault.BadParameter, "most")
	}
	if text, err = newToken(); err != nil {
		return "", err
	}
	now := s.clock().UTC()
	row := link{ID: uuid.Must(uuid.NewV7()).String(), Hash: hashToken(text), Form: of.Form, Record: of.Record, Label: label, CreatedBy: user, CreatedAt: now, ExpiresAt: now.Add(of.Life), Most: of.Most}
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var open int64
		err := tx.System().Model(&link{}).Where("form = ? AND withdrawn_at IS NULL AND expires_at > ?", of.Form, now).Count(&open).Error
		if err == nil && open >= maxLinks {
			err = fault.New(fault.TooManyTokens, maxLinks)
		}
		if err != nil {
			return err
		}
		if err := tx.System().Create(&row).Error; err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.LinkMade, Subject: of.Form, About: of.Form, Detail: linkDetail(row)})
	})
	return text, err
}

// Links are the links to a form that are open, oldest first.
func (s *Service) Links(ctx context.Context, form string) ([]Link, error) {
	var rows []link
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("form = ? AND withdrawn_at IS NULL AND expires_at > ?", form, s.clock().UTC()).Order("id").Find(&rows).Error
	})
	out := make([]Link, len(rows))
	for i, r := range rows {
		out[i] = r.out()
		out[i].Paused = s.paused(ctx, r)
	}
	return out, err
}

// paused reports whether a link answers as withdrawn for as long as its maker is disabled. A link whose maker is gone answers so for good.
func (s *Service) paused(ctx context.Context, l link) bool {
	who, known := s.people.Person(ctx, l.CreatedBy)
	return !known || who.Disabled
}

// OpenLinks counts the open links by form.
func (s *Service) OpenLinks(ctx context.Context) (map[string]int, error) {
	var rows []struct {
		Form string
		N    int
	}
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&link{}).Select("form, COUNT(*) AS n").Where("withdrawn_at IS NULL AND expires_at > ?", s.clock().UTC()).Group("form").Find(&rows).Error
	})
	out := make(map[string]int, len(rows))
	for _, r := range rows {
		out[r.Form] = r.N
	}
	return out, err
}

// linkDetail tells the audit log of a link.
func linkDetail(l link) map[string]string {
	out := map[string]string{"label": l.Label}
	if l.Record != "" {
		out["record"] = l.Record
	}
	return out
}

func (l link) out() Link {
	return Link{ID: l.ID, Form: l.Form, Record: l.Record, Label: l.Label, CreatedBy: l.CreatedBy, CreatedAt: l.CreatedAt, ExpiresAt: l.ExpiresAt, Most: l.Most, Used: l.Used}
}

// WithdrawLink ends a link of a form, and with it what was opened by it.
func (s *Service) WithdrawLink(ctx context.Context, form, id string) error {
	return s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var row link
		if err := tx.System().Where("id = ? AND form = ?", id, form).Limit(1).Find(&row).Error; err != nil {
			return err
		}
		done := tx.System().Model(&link{}).Where("id = ? AND form = ? AND withdrawn_at IS NULL", id, form).Update("withdrawn_at", s.clock().UTC())
		if done.Error == nil && done.RowsAffected != 1 {
			return fault.New(fault.LinkGone)
		}
		if done.Error != nil {
			return done.Error
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.LinkWithdrawn, Subject: form, About: form, Detail: linkDetail(row)})
	})
}

// OpenLink exchanges the text of a link for a ticket that a browser keeps in a cookie for two hours.
func (s *Service) OpenLink(ctx context.Context, form, text, peer string) (session string, life time.Duration, err error) {
	attempt, err := s.try(ctx, "link "+peer, peer) // no account is tried: one for all would let strangers close every link
	if err != nil {
		return "", 0, err
	}
	s.sweep(ctx, s.clock().UTC())
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := s.openLink(ctx, tx, "hash = ? AND LOWER(form) = ?", hashToken(text), strings.ToLower(form))
		if err == nil && row.out().Full() {
			err = fault.New(fault.LinkGone)
		}
		if err != nil {
			return err
		}
		if err := attempt.right(ctx, tx); err != nil {
			return err
		}
		if row.Record != "" {
			if err := s.UseLink(tx, row.ID); err != nil {
				return err
			}
		}
		life = min(linkSession, row.ExpiresAt.Sub(s.clock()))
		session, err = s.keepTicket(tx, forLink, openedLink{ID: row.ID}, life)
		return err
	})
	return session, life, err
}

// openLink finds a link that is neither withdrawn, paused nor over.
func (s *Service) openLink(ctx context.Context, tx *store.Tx, where string, args ...any) (link, error) {
	var row link
	err := tx.System().Where(where, args...).Where("withdrawn_at IS NULL AND expires_at > ?", s.clock().UTC()).Limit(1).Find(&row).Error
	if err == nil && (row.ID == "" || s.paused(ctx, row)) {
		err = fault.New(fault.LinkGone)
	}
	return row, err
}

// Full reports whether a link may add no more records.
func (l Link) Full() bool { return l.Most > 0 && l.Used >= l.Most }

// LinkOpened returns the link that a browser opened, also when it is full: what was sent before may be sent again.
func (s *Service) LinkOpened(ctx context.Context, session string) (out Link, err error) {
	err = s.db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		var held openedLink
		if err := s.lookAt(tx, forLink, session, &held); err != nil {
			if fault.Of(err) == fault.SignInStale {
				err = fault.New(fault.LinkGone)
			}
			return err
		}
		row, err := s.openLink(ctx, tx, "id = ?", held.ID)
		out = row.out()
		return err
	})
	return out, err
}

// UseLink counts a record that a link adds, in the transaction that adds it, or that a link was opened to read.
func (s *Service) UseLink(tx *store.Tx, id string) error {
	done := tx.System().Model(&link{}).Where("id = ? AND withdrawn_at IS NULL AND expires_at > ? AND (most = 0 OR used < most)", id, s.clock().UTC()).
		Update("used", gorm.Expr("used + 1"))
	if done.Error == nil && done.RowsAffected != 1 {
		return fault.New(fault.LinkGone)
	}
	return done.Error
}
