package notify

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Config is what a Service works with.
type Config struct {
	DB     *store.DB
	Reader *query.Reader
	People *directory.Directory
	Clock  func() time.Time
	Log    *slog.Logger
	Keep   time.Duration                               // how long messages stay after they were read; 0 = forever
	Outbox func(tx *store.Tx, written []Written) error // hears of new messages in their transaction; nil = nobody
}

// Written is a message that was just written.
type Written struct {
	ID, To   string
	Type     Type
	Channels []string // of Message
}

// Takes reports whether a message may go out by a channel.
func (w Written) Takes(channel string) bool {
	return w.Channels == nil || slices.Contains(w.Channels, channel)
}

// Service keeps messages. It is safe for concurrent use.
type Service struct{ cfg Config }

// New makes a Service.
func New(cfg Config) *Service { return &Service{cfg: cfg} }

// Message is what somebody is told. The sender sees to it that the recipient may know of it at this time.
type Message struct {
	To     string // user id
	Type   Type
	Sender string     // user id; "" = the system
	Record query.Ref  // that it is about; empty = none. A model without an id is opened as its list, or with Biz.UserIDs of one person as its form for a new record.
	Title  plan.Label // of a Custom message: in both languages
	Name   string     // of the record, as the recipient may read it: for search
	Text   string     // what it says below its title, such as the beginning of a comment
	Biz    Biz
	About  string // what caused it: Amend and Withdraw name it
	Once   string // a recipient gets at most one message of a key; "" = no such bound
	// Channels are those that it may go out by beside the message center, in small letters; nil = all, as the people have chosen.
	Channels []string
	Gather   string // a message of this key that the recipient has not read yet takes the names of this one, instead of a second message
}

// Biz are the bizParams of the specification that a sender gives; objectId, schemaCode and objectDataName follow from the
// message's record.
type Biz struct {
	InstanceName   string `json:"instanceName,omitempty"`
	OriginatorName string `json:"originatorName,omitempty"`
	Step           string `json:"activityName,omitempty"` // of the workflow, that the message is about

	StepI18n map[string]string `json:"activityName_i18n,omitempty"`

	WorkflowInstanceID string   `json:"workflowInstanceId,omitempty"`
	WorkItemType       string   `json:"workItemType,omitempty"`
	WorkItemID         string   `json:"WorkItemId,omitempty"`
	Success            *bool    `json:"success,omitempty"`
	IsBusiness         bool     `json:"isBusiness,omitempty"`
	Roles              []string `json:"roles,omitempty"`
	UserNameList       []string `json:"userNameList,omitempty"`
	UserIDs            []string `json:"userIdList,omitempty"`      // of UserNameList
	Relation           string   `json:"relPropertyCode,omitempty"` // of the model that is opened: holds the person
	Departments        []string `json:"departments,omitempty"`
	Records            int      `json:"records,omitempty"` // how many
	Tasks              int      `json:"tasks,omitempty"`   // of workflows, how many
	Things             int      `json:"things,omitempty"`  // links, drafts and shared filters, how many
	OrganizationName   string   `json:"organizationName,omitempty"`
	CommentID          string   `json:"commentId,omitempty"`
	Finding            bool     `json:"finding,omitempty"` // of an audit of workflows
}

// params are what the texts of a message are filled with. Name is the record's then, for search alone: the title shows the
// one of now.
type params struct {
	Zh   string `json:"zh,omitempty"` // own title
	En   string `json:"en,omitempty"`
	Text string `json:"text,omitempty"`
	Name string `json:"name,omitempty"`
}

const (
	maxText  = 200 // characters of what a message quotes
	maxWords = 600 // characters that are searched
)

// Send writes messages inside the transaction of what causes them: they exist exactly when it does.
func (s *Service) Send(tx *store.Tx, messages ...Message) error {
	var written []Written
	for _, m := range messages {
		if !m.Type.Known() || m.To == "" {
			return fmt.Errorf("send a message of type %d to %q", m.Type, m.To)
		}
		if m.Gather != "" {
			m.About = gathering + m.Gather
			if done, err := s.gather(tx, m); err != nil || done {
				if err != nil {
					return fmt.Errorf("add to a message: %w", err)
				}
				continue
			}
		}
		r, err := s.row(tx, m)
		if err != nil {
			return err
		}
		made := tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&r)
		if made.Error != nil {
			return fmt.Errorf("send a message: %w", made.Error)
		}
		if made.RowsAffected > 0 {
			written = append(written, Written{r.ID, r.Recipient, r.Type, m.Channels})
		}
	}
	if len(messages) > 0 {
		tx.Touch(table)
	}
	if s.cfg.Outbox == nil || len(written) == 0 {
		return nil
	}
	return s.cfg.Outbox(tx, written)
}

func (s *Service) row(tx *store.Tx, m Message) (row, error) {
	p, err := json.Marshal(params{Zh: cut(m.Title.In("zh"), maxText), En: cut(m.Title.In("en"), maxText), Text: cut(m.Text, maxText), Name: m.Name})
	if err != nil {
		return row{}, err
	}
	biz, err := json.Marshal(m.Biz)
	r := row{ID: uuid.Must(uuid.NewV7()).String(), Recipient: m.To, Unread: true, Kind: m.Type.Kind(), Type: m.Type, Sender: m.Sender,
		Model: m.Record.SchemaCode, Record: m.Record.ID, Params: string(p), Biz: string(biz), Words: s.words(tx, m.Sender, strings.Join(slices.Concat([]string{m.Title.In("zh"), m.Title.In("en"), m.Name}, m.Biz.named()), " "), m.Text),
		About: m.About, CreatedAt: s.cfg.Clock().UTC()}
	if m.Once != "" {
		r.Once = &m.Once
	}
	return r, err
}

// gathering begins what messages that take further names are about.
const gathering = "gather:"

// mostGathered bounds the names of one message.
const mostGathered = 200

// gather adds the names of a message to one that its recipient has not read; false when there is none.
func (s *Service) gather(tx *store.Tx, m Message) (bool, error) {
	var r row
	err := tx.System().Where("recipient = ? AND about = ? AND type = ? AND unread = ?", m.To, m.About, m.Type, true).Order("id DESC").Limit(1).Find(&r).Error
	if err != nil || r.ID == "" {
		return false, err
	}
	var was Biz
	if err := json.Unmarshal([]byte(r.Biz), &was); err != nil {
		return false, err
	}
	biz := m.Biz
	biz.UserIDs, biz.Roles = union(was.UserIDs, biz.UserIDs), union(was.Roles, biz.Roles)
	if len(biz.UserIDs) == len(was.UserIDs) {
		biz.UserNameList = was.UserNameList // the same people again
	} else {
		biz.UserNameList = slices.Concat(was.UserNameList, biz.UserNameList)
	}
	if max(len(biz.UserIDs), len(biz.Roles)) > mostGathered {
		return false, nil
	}
	text, err := json.Marshal(biz)
	if err != nil {
		return false, err
	}
	set := map[string]any{"biz": string(text), "words": s.words(tx, m.Sender, strings.Join(biz.named(), " "), m.Text), "created_at": s.cfg.Clock().UTC(), "sender": m.Sender}
	return true, tx.System().Model(&row{}).Where("id = ?", r.ID).UpdateColumns(set).Error
}

// union is a list with what another has besides.
func union(list, more []string) []string {
	out := slices.Clone(list)
	for _, one := range more {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// named are the names in a message, for search.
func (b Biz) named() []string { return slices.Concat(b.UserNameList, b.Roles, b.Departments) }

// words are what a search looks in.
func (s *Service) words(tx *store.Tx, sender, name, text string) string {
	who, _ := s.cfg.People.Name(tx.Context(), plan.Ref{Model: directory.User, ID: sender})
	return strings.ToLower(cut(strings.Join([]string{who.Name, name, text}, "\n"), maxWords))
}

// Amend puts other words into the messages that something caused, such as a comment that was edited.
func (s *Service) Amend(tx *store.Tx, about, text string) error {
	var rows []row
	if err := tx.System().Where("about = ?", about).Find(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		var p params
		if err := json.Unmarshal([]byte(r.Params), &p); err != nil {
			return err
		}
		p.Text = cut(text, maxText)
		said, err := json.Marshal(p)
		if err != nil {
			return err
		}
		set := map[string]any{"params": string(said), "words": s.words(tx, r.Sender, p.Name, text)}
		if err := tx.System().Model(&row{}).Where("id = ?", r.ID).UpdateColumns(set).Error; err != nil {
			return err
		}
	}
	return nil
}

// Withdraw takes back the messages that something caused which is no more.
func (s *Service) Withdraw(tx *store.Tx, about string) error {
	tx.Touch(table)
	return tx.System().Where("about = ?", about).Delete(&row{}).Error
}

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}
