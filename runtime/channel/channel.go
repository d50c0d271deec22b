package channel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Name is a channel.
type Name string

// The channels beside the message center.
const (
	Mail    Name = "mail"
	Webhook Name = "webhook"
)

// Names are the channels.
func Names() []Name { return []Name{Mail, Webhook} }

// Hook is the address that notifications of the installation are sent to.
type Hook struct {
	URL     *url.URL
	Secret  secret.Text  // signs what is sent
	Client  *http.Client // of runtime/outbound
	Private bool         // the client reaches private addresses, for those who look at the configuration
}

// Config is what a Service works with.
type Config struct {
	DB       *store.DB
	Messages func() *notify.Service
	People   *directory.Directory
	View     func(ctx context.Context, person, locale string) (*authz.View, bool) // what a person may see; false when they are not active
	// Over reports whether what a message of a type asks of a person, by its bizParams, is over: then it stays in the message center and does not
	// go out. nil = never.
	Over    func(ctx context.Context, of notify.Type, person, biz string) (bool, error)
	Mail    *mail.Sender // nil = no mails
	Hook    *Hook        // nil = no webhook
	Address string       // at which browsers reach the system: begins the links
	Locale  string       // of mails to people who chose none
	System  string       // the name of the installation
	Clock   func() time.Time
	Log     *slog.Logger
}

// Service keeps what goes out and sends it. It is safe for concurrent use.
type Service struct {
	cfg  Config
	jobs *job.Queue
}

// New makes a Service.
func New(cfg Config) *Service { return &Service{cfg: cfg} }

// Open reports whether a channel is set up.
func (s *Service) Open(n Name) bool {
	return n == Mail && s.cfg.Mail != nil || n == Webhook && s.cfg.Hook != nil
}

// To is where a channel leads, without secrets: the mail server, or the host of the webhook, whose path may be one.
func (s *Service) To(n Name) string {
	switch {
	case n == Mail && s.cfg.Mail != nil:
		return s.cfg.Mail.Server()
	case n == Webhook && s.cfg.Hook != nil:
		return s.cfg.Hook.URL.Scheme + "://" + s.cfg.Hook.URL.Host
	}
	return ""
}

func (s *Service) now() time.Time { return s.cfg.Clock().UTC().Truncate(time.Millisecond) }

const (
	giveUpAfter = 48 * time.Hour
	keepSent    = 7 * 24 * time.Hour
	keepDead    = 90 * 24 * time.Hour
)

// Outbox notes what is to be sent of messages that were just written, in their transaction.
func (s *Service) Outbox(tx *store.Tx, written []notify.Written) error {
	if len(written) == 0 || s.cfg.Mail == nil && s.cfg.Hook == nil {
		return nil
	}
	types, err := s.types(tx)
	if err != nil {
		return err
	}
	var mailed map[string]choice
	if s.cfg.Mail != nil {
		people := make([]string, 0, len(written))
		for _, m := range written {
			people = append(people, m.To)
		}
		if mailed, err = choices(tx, people); err != nil {
			return err
		}
	}
	var out []row
	for _, m := range written {
		if s.cfg.Mail != nil && m.Takes(string(Mail)) && types[m.Type].Mail && mailed[m.To].wants(m.Type) && s.reachable(tx.Context(), m.To) {
			out = append(out, s.delivery(m, Mail))
		}
		if s.cfg.Hook != nil && m.Takes(string(Webhook)) && types[m.Type].Webhook {
			out = append(out, s.delivery(m, Webhook))
		}
	}
	if len(out) == 0 {
		return nil
	}
	tx.Touch(table)
	if err := tx.System().Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&out, 100).Error; err != nil {
		return fmt.Errorf("note what is to be sent: %w", err)
	}
	return nil
}

func (s *Service) delivery(m notify.Written, by Name) row {
	now := s.now()
	return row{ID: uuid.Must(uuid.NewV7()).String(), Message: m.ID, Channel: by, Recipient: m.To, Type: int(m.Type), State: Waiting, NextAt: now,
		GiveUpAt: now.Add(giveUpAfter), CreatedAt: now}
}

// reachable reports whether a person has an address and is active.
func (s *Service) reachable(ctx context.Context, person string) bool {
	p, known := s.cfg.People.Person(ctx, person)
	return known && !p.Disabled && p.Email != ""
}

// TypeChannels say by which channels messages of a type go out.
type TypeChannels struct {
	Mail    bool
	Webhook bool
}

// types are the channels of all types; those that nobody decided about go by both.
func (s *Service) types(tx *store.Tx) (map[notify.Type]TypeChannels, error) {
	out := map[notify.Type]TypeChannels{}
	for _, d := range notify.Types() {
		out[d.Type] = TypeChannels{Mail: true, Webhook: true}
	}
	var rows []typeRow
	if err := tx.System().Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		out[notify.Type(r.Type)] = TypeChannels{r.Mail, r.Webhook}
	}
	return out, nil
}

// Types are the channels of all types.
func (s *Service) Types(ctx context.Context) (out map[notify.Type]TypeChannels, err error) {
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		out, err = s.types(tx)
		return err
	})
	return out, err
}

// SetTypes decides about some types inside a transaction.
func (s *Service) SetTypes(tx *store.Tx, set map[notify.Type]TypeChannels) error {
	for t, c := range set {
		if !t.Known() {
			return fmt.Errorf("there is no type %d", t)
		}
		r := typeRow{Type: int(t), Mail: c.Mail, Webhook: c.Webhook}
		if err := tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&r).Error; err != nil {
			return err
		}
	}
	return nil
}

// choice is what a person chose, and what holds where they chose nothing.
type choice struct {
	locale string
	groups map[notify.Group]bool
}

func (c choice) wants(t notify.Type) bool {
	return c.takes(t.Group())
}

func (c choice) takes(g notify.Group) bool {
	if want, chosen := c.groups[g]; chosen {
		return want
	}
	return g.Mailed()
}

func choices(tx *store.Tx, people []string) (map[string]choice, error) {
	out := map[string]choice{}
	for some := range slices.Chunk(people, 500) {
		var rows []choiceRow
		if err := tx.System().Where("person IN ?", some).Find(&rows).Error; err != nil {
			return nil, err
		}
		for _, r := range rows {
			c := choice{locale: r.Locale}
			if err := json.Unmarshal([]byte(r.Groups), &c.groups); err != nil {
				return nil, fmt.Errorf("the channels that %s chose: %w", r.Person, err)
			}
			out[r.Person] = c
		}
	}
	return out, nil
}

// Settings are a person's choices: the language of their mails, and whether each group comes by mail.
type Settings struct {
	Locale string // "" = that of the installation
	Groups map[notify.Group]bool
}

// Settings returns the choices of a person, defaults filled in.
func (s *Service) Settings(ctx context.Context, person string) (Settings, error) {
	out := Settings{Groups: map[notify.Group]bool{}}
	err := s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		all, err := choices(tx, []string{person})
		mine := all[person]
		out.Locale = mine.locale
		for _, g := range notify.Groups() {
			out.Groups[g] = mine.takes(g)
		}
		return err
	})
	return out, err
}

// ErrSetting: a choice names something that there is not.
var ErrSetting = errors.New("unknown group or language")

// Choose keeps the choices of a person. Groups that are not named stay as they were.
func (s *Service) Choose(ctx context.Context, person string, in Settings) error {
	if in.Locale != "" && in.Locale != "zh" && in.Locale != "en" {
		return ErrSetting
	}
	for g := range in.Groups {
		if !slices.Contains(notify.Groups(), g) {
			return ErrSetting
		}
	}
	return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		all, err := choices(tx, []string{person})
		if err != nil {
			return err
		}
		groups := all[person].groups
		if groups == nil {
			groups = map[notify.Group]bool{}
		}
		for g, want := range in.Groups {
			groups[g] = want
		}
		text, err := json.Marshal(groups)
		if err != nil {
			return err
		}
		r := choiceRow{Person: person, Locale: in.Locale, Groups: string(text)}
		return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&r).Error
	})
}

// Restored gives up what waited in a copy of a database: the original may have sent it meanwhile.
func Restored(tx *store.Tx, now time.Time) error {
	return tx.System().Model(&row{}).Where("state = ?", Waiting).
		UpdateColumns(map[string]any{"state": Dead, "error": "restored from a backup", "done_at": now.UTC()}).Error
}
