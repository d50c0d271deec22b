// Package audit keeps who did what to an installation's security: sign-ins, rights, definitions, exports, imports, passwords, backups. Entries are
// only ever added; Sweep removes those that are older than the installation keeps them (ADR 47).
package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Kind names what was done.
type Kind string

// The kinds of entries. They are part of the contract: api.yaml lists them, the interface has their words.
const (
	SignedIn       Kind = "signIn.ok"
	SignInFailed   Kind = "signIn.failed"
	SignInLocked   Kind = "signIn.locked"   // a failed attempt after which the next one has to wait
	SignInUnlocked Kind = "signIn.unlocked" // failed attempts at an account were forgotten, by who looks after people
	SignedOut      Kind = "signIn.out"
	Revoked        Kind = "session.revoke"
	RevokedAll     Kind = "session.revokeAll"
	Reused         Kind = "session.reuse" // a refresh token came twice, and its session was ended
	TokenMade      Kind = "token.create"
	PasswordSet    Kind = "password.set"
	PasswordOwn    Kind = "password.change" // by the person
	RolesChanged   Kind = "rights.roles"    // of a person
	RoleChanged    Kind = "rights.role"     // a role came, changed or went
	SeenAs         Kind = "rights.seeAs"    // somebody begins to look at the product as somebody else
	RightsPublish  Kind = "rights.publish"  // documents with access rules among them
	WayOpened      Kind = "rights.way"      // a publication opened or widened a way to records besides roles
	Published      Kind = "definitions.publish"
	Renamed        Kind = "definitions.rename" // one name of a document, or of a part of one, became another
	Removed        Kind = "definitions.remove" // a document of which people had something, which ended
	Exported       Kind = "export.start"
	Downloaded     Kind = "export.download"
	Printed        Kind = "print.start"
	Imported       Kind = "import.start"
	ImportUndone   Kind = "import.undo"
	JobCancelled   Kind = "job.cancel" // of anybody, by who looks after the installation
	JobRepeated    Kind = "job.retry"
	BackedUp       Kind = "backup.take"
	Restored       Kind = "backup.restore"
	LogExported    Kind = "audit.export"
	Linked         Kind = "identity.link" // who somebody is at a sign-in provider, to a person
	Unlinked       Kind = "identity.unlink"
	FactorOn       Kind = "factor.on" // the second factor, by the person
	FactorOff      Kind = "factor.off"
	FactorCodes    Kind = "factor.codes" // new recovery codes
	FactorReset    Kind = "factor.reset" // by who looks after people
	LinkMade       Kind = "link.create"  // an external link to a form
	LinkWithdrawn  Kind = "link.withdraw"
	Configured     Kind = "setting.change"  // name, logo and theme of the installation, or its projects
	ChannelsSet    Kind = "channels.change" // by which channels messages go out
	MessageResent  Kind = "message.retry"   // a dead letter was sent again

	WorkflowRemoved Kind = "workflow.delete" // an instance with its log

	// What a person leaves behind: the entries count it by kind.
	PersonDisabled   Kind = "person.disable"
	PersonEnabled    Kind = "person.enable"
	PersonDeleted    Kind = "person.delete"
	PersonHandedOver Kind = "person.handOver"
)

// Kinds are all kinds of entries, sorted.
func Kinds() []Kind {
	out := []Kind{SignedIn, SignInFailed, SignInLocked, SignInUnlocked, SignedOut, Revoked, RevokedAll, Reused, TokenMade, PasswordSet, PasswordOwn, RolesChanged, RoleChanged, SeenAs, RightsPublish, WayOpened,
		Published, Renamed, Removed, Exported, Downloaded, Printed, Imported, ImportUndone, JobCancelled, JobRepeated, BackedUp, Restored, LogExported,
		Linked, Unlinked, FactorOn, FactorOff, FactorCodes, FactorReset, LinkMade, LinkWithdrawn, Configured, ChannelsSet, MessageResent,
		WorkflowRemoved, PersonDisabled, PersonEnabled, PersonDeleted, PersonHandedOver}
	slices.Sort(out)
	return out
}

// Entry is one thing that was done. Secrets and contents of records have no place in it.
type Entry struct {
	ID      string
	At      time.Time
	Kind    Kind
	Actor   string            // id of a person; "" = that of the context, or the system
	Name    string            // of the actor then
	Address string            // "" = that of the context
	Subject string            // id or code of what it was done to; "" = nothing in particular
	About   string            // the subject's name then
	Failed  bool              // it was tried and refused
	Detail  map[string]string // short facts, by names of the interface
}

// row is an entry as it is stored.
type row struct {
	ID      string    `gorm:"primaryKey;size:36"` // in the order of time
	At      time.Time `gorm:"not null;index"`
	Kind    Kind      `gorm:"not null;size:30;index:sl_audit_kind,priority:1"`
	Actor   string    `gorm:"not null;size:36;index:sl_audit_actor,priority:1"`
	Name    string    `gorm:"not null"`
	Address string    `gorm:"not null;size:64"`
	Subject string    `gorm:"not null;size:200;index:sl_audit_subject,priority:1"`
	About   string    `gorm:"not null"`
	Failed  bool      `gorm:"not null"`
	Detail  string    `gorm:"not null"` // JSON object of texts
}

func (row) TableName() string { return "sl_audit" }

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any { return []any{&row{}} }

// Origin is from where and by whom something is asked.
type Origin struct {
	Address func() string
	Actor   string // id of a person; "" = nobody yet
	Name    string
}

type originKey struct{}

// From gives what is done with a context its origin.
func From(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// CommandLine is the address of what is done by commands.
const CommandLine = "command line"

// ByCommand is the origin of commands.
func ByCommand(ctx context.Context) context.Context {
	return From(ctx, Origin{Address: func() string { return CommandLine }})
}

// Lengths that an entry is cut to.
const (
	mostSubject = 200 // characters
	mostText    = 300
	mostFacts   = 20
)

// Write adds an entry inside the transaction of what it tells of: both are stored, or neither.
func Write(ctx context.Context, tx *store.Tx, e Entry) error {
	from, _ := ctx.Value(originKey{}).(Origin)
	if e.Actor == "" {
		e.Actor, e.Name = from.Actor, from.Name
	} else if e.Name == "" && e.Actor == from.Actor {
		e.Name = from.Name
	}
	if e.Address == "" && from.Address != nil {
		e.Address = from.Address()
	}
	if !slices.Contains(Kinds(), e.Kind) {
		return fmt.Errorf("audit: unknown kind %q", e.Kind)
	}
	detail := map[string]string{}
	for i, key := range slices.Sorted(maps.Keys(e.Detail)) {
		if i < mostFacts {
			detail[key] = cut(e.Detail[key], mostText)
		}
	}
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	r := row{ID: id.String(), At: tx.Now().UTC().Truncate(time.Millisecond), Kind: e.Kind, Actor: e.Actor, Name: cut(e.Name, mostText), Address: cut(e.Address, 64),
		Subject: cut(e.Subject, mostSubject), About: cut(e.About, mostText), Failed: e.Failed, Detail: string(text)}
	return tx.System().Create(&r).Error
}

func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// Log reads entries, and removes old ones.
type Log struct{ DB *store.DB }

// ErrCursor: a cursor is none that Page gave.
var ErrCursor = errors.New("not a cursor of the log")

// Query chooses entries; zero members choose all.
type Query struct {
	From, To time.Time // from, included, to, not included
	Kinds    []Kind
	Person   string // id: who did it, or to whom it was done
	Cursor   string // Next of the page before
	Size     int
}

// Page is a part of the log, the newest first. Next is "" behind the last.
type Page struct {
	Entries []Entry
	Next    string
}

// Page reads a part of the log.
func (l Log) Page(ctx context.Context, q Query) (out Page, err error) {
	if q.Cursor != "" && uuid.Validate(q.Cursor) != nil {
		return out, ErrCursor
	}
	var rows []row
	err = l.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		at := tx.System().Order("id DESC").Limit(q.Size + 1)
		if !q.From.IsZero() {
			at = at.Where("at >= ?", q.From.UTC())
		}
		if !q.To.IsZero() {
			at = at.Where("at < ?", q.To.UTC())
		}
		if len(q.Kinds) > 0 {
			at = at.Where("kind IN ?", q.Kinds)
		}
		if q.Person != "" {
			at = at.Where("(actor = ? OR subject = ?)", q.Person, q.Person)
		}
		if q.Cursor != "" {
			at = at.Where("id < ?", q.Cursor)
		}
		return at.Find(&rows).Error
	})
	if err != nil {
		return out, err
	}
	if len(rows) > q.Size {
		rows = rows[:q.Size]
		out.Next = rows[q.Size-1].ID
	}
	out.Entries, err = entriesOf(rows)
	return out, err
}

// About are the entries of a kind about a code, in any case of letters, the newest first.
func About(tx *store.Tx, k Kind, code string) ([]Entry, error) {
	var rows []row
	if err := tx.System().Where("kind = ? AND lower(subject) = lower(?)", k, code).Order("id DESC").Find(&rows).Error; err != nil {
		return nil, err
	}
	return entriesOf(rows)
}

// Since are the entries of a kind behind the one with an id, the oldest first; "" = all.
func Since(tx *store.Tx, k Kind, id string) ([]Entry, error) {
	var rows []row
	if err := tx.System().Where("kind = ? AND id > ?", k, id).Order("id").Find(&rows).Error; err != nil {
		return nil, err
	}
	return entriesOf(rows)
}

func entriesOf(rows []row) ([]Entry, error) {
	out := make([]Entry, len(rows))
	for i, r := range rows {
		e := Entry{ID: r.ID, At: r.At.UTC(), Kind: r.Kind, Actor: r.Actor, Name: r.Name, Address: r.Address, Subject: r.Subject, About: r.About, Failed: r.Failed}
		if err := json.Unmarshal([]byte(r.Detail), &e.Detail); err != nil {
			return nil, fmt.Errorf("entry %s of the log: %w", r.ID, err)
		}
		out[i] = e
	}
	return out, nil
}

// sweepAtOnce is how many entries one transaction removes.
const sweepAtOnce = 1000

// Sweep removes the entries from before a time.
func (l Log) Sweep(ctx context.Context, before time.Time) (gone int64, err error) {
	for {
		var n int64
		err := l.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
			old := tx.System().Model(&row{}).Select("id").Where("at < ?", before.UTC()).Order("at").Limit(sweepAtOnce)
			done := tx.System().Where("id IN (?)", old).Delete(&row{})
			n = done.RowsAffected
			return done.Error
		})
		if gone += n; err != nil || n < sweepAtOnce {
			return gone, err
		}
	}
}
