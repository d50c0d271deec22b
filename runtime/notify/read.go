package notify

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Limits of the calls.
const (
	MaxPage    = 100 // messages of a page
	maxKeyword = 100
	maxMarked  = 500 // messages that one call marks
	maxOffset  = 100_000
)

// Search asks for messages, newest first.
type Search struct {
	Keyword    string
	Type       string // a Kind, the number of a Type, or "" = all
	ReadState  string // READED, UNREADED or "" = all
	Page, Size int
}

// Sender is who sent a message.
type Sender struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	ImageURL *string `json:"imgUrl"`
}

// Item is a message in the words of its reader (api.yaml Message).
type Item struct {
	ID        string    `json:"id"`
	Type      Type      `json:"messageType"`
	Kind      Kind      `json:"kind"`
	ReadState string    `json:"readState"`
	Created   time.Time `json:"createdTime"`
	Title     string    `json:"title"`
	Content   string    `json:"content"`
	Sender    *Sender   `json:"senderVO"`
	Biz       string    `json:"bizParams"`
	Opens     bool      `json:"opens"` // whether there is something to open that the reader may see
}

// Page is a page of messages.
type Page struct {
	Content []Item `json:"content"`
	Total   int64  `json:"totalElements"`
}

// The words of read states on the wire.
const (
	readed   = "READED"
	unreaded = "UNREADED"
)

// Search answers the caller's own messages.
func (s *Service) Search(ctx context.Context, view *authz.View, in Search) (*Page, error) {
	if in.Page < 0 || in.Size < 1 || in.Size > MaxPage || in.Page > maxOffset/in.Size {
		return nil, fault.New(fault.PageOutOfRange)
	}
	where, err := in.where(view.User())
	if err != nil {
		return nil, err
	}
	out := &Page{Content: []Item{}}
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := where(tx.System().Model(&row{})).Count(&out.Total).Error; err != nil {
			return err
		}
		var rows []row
		err := where(tx.System()).Order("created_at DESC, id DESC").Offset(in.Page * in.Size).Limit(in.Size).Find(&rows).Error
		if err != nil {
			return err
		}
		out.Content, err = s.items(ctx, tx, view, rows)
		return err
	})
	return out, err
}

// One is a message of the caller's; false when there is none, or it was taken back.
func (s *Service) One(ctx context.Context, view *authz.View, id string) (out Item, found bool, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		var rows []row
		if err := tx.System().Where("id = ? AND recipient = ?", id, view.User()).Limit(1).Find(&rows).Error; err != nil {
			return err
		}
		items, err := s.items(ctx, tx, view, rows)
		if err == nil && len(items) > 0 {
			out, found = items[0], true
		}
		return err
	})
	return out, found, err
}

// where is the condition of a search.
func (in Search) where(user string) (func(*gorm.DB) *gorm.DB, error) {
	if utf8.RuneCountInString(in.Keyword) > maxKeyword {
		return nil, fault.New(fault.BadParameter, "searchword")
	}
	kind, number := Kind(""), 0
	if n, err := strconv.Atoi(in.Type); err == nil && n > 0 && n <= math.MaxInt16 {
		number = n
	} else if kind, err = asKind(in.Type); err != nil {
		return nil, err
	}
	if in.ReadState != "" && in.ReadState != readed && in.ReadState != unreaded {
		return nil, fault.New(fault.BadParameter, "readState")
	}
	keyword := strings.ToLower(strings.TrimSpace(strings.ReplaceAll(in.Keyword, "\x00", "")))
	return func(db *gorm.DB) *gorm.DB {
		db = db.Where("recipient = ?", user)
		if in.ReadState != "" {
			db = db.Where("unread = ?", in.ReadState == unreaded)
		}
		if kind != "" {
			db = db.Where("kind = ?", kind)
		}
		if number != 0 {
			db = db.Where("type = ?", number)
		}
		if keyword != "" {
			db = db.Where(`words LIKE ? ESCAPE '\'`, "%"+pattern.Replace(keyword)+"%")
		}
		return db
	}, nil
}

// pattern makes the signs of LIKE stand for themselves.
var pattern = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// items puts messages into the words of their reader: of records that they see no more neither name nor text is shown.
func (s *Service) items(ctx context.Context, tx *store.Tx, view *authz.View, rows []row) ([]Item, error) {
	var refs []query.Ref
	for _, r := range rows {
		if r.Record != "" {
			refs = append(refs, r.ref())
		}
	}
	titles, err := s.cfg.Reader.Titles(ctx, tx, view, refs)
	if err != nil {
		return nil, err
	}
	names := s.cfg.People.Names(ctx)
	out := make([]Item, 0, len(rows))
	for _, r := range rows {
		title, seen := titles[r.ref()]
		if !seen && (definitions[r.Type].target == ToWorkItem || r.Type == Mention) { // who takes part in a workflow hears its name, whatever their roles show of the record
			if title, err = r.instance(); err != nil {
				return nil, err
			}
			seen = title != ""
		}
		it := Item{ID: r.ID, Type: r.Type, Kind: r.Kind, ReadState: unreaded, Created: r.CreatedAt.UTC()}
		if !r.Unread {
			it.ReadState = readed
		}
		if who, known := names.Name(plan.Ref{Model: directory.User, ID: r.Sender}); known {
			it.Sender = &Sender{ID: r.Sender, Name: who.Name}
			if who.ImageURL != "" {
				it.Sender.ImageURL = &who.ImageURL
			}
		}
		if err := it.say(r, view.Principal().Locale, title, seen || r.Record == ""); err != nil {
			return nil, err
		}
		it.Opens = seen && r.Record != "" && definitions[r.Type].target != ToNothing || r.Record == "" && (r.opensModel(view) || r.place(view) != "")
		out = append(out, it)
	}
	return out, nil
}

// instance is the name of the workflow that a message is about; "" = it names none.
func (r row) instance() (string, error) {
	var biz Biz
	if err := json.Unmarshal([]byte(r.Biz), &biz); err != nil || biz.WorkflowInstanceID == "" {
		return "", err
	}
	return biz.InstanceName, nil
}

func (it *Item) say(r row, locale, title string, shown bool) error {
	var p params
	biz := struct {
		Biz
		ObjectID   string `json:"objectId,omitempty"`
		SchemaCode string `json:"schemaCode,omitempty"`
		Name       string `json:"objectDataName,omitempty"`
	}{ObjectID: r.Record, SchemaCode: r.Model, Name: title}
	if err := json.Unmarshal([]byte(r.Params), &p); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(r.Biz), &biz.Biz); err != nil {
		return err
	}
	sender := ""
	if it.Sender != nil {
		sender = it.Sender.Name
	}
	values := valuesOf(locale, sender, title, shown, biz.Biz)
	if it.Title = r.Type.title(locale, values); p.Zh != "" {
		if it.Title = p.Zh; locale == "en" {
			it.Title = p.En
		}
	}
	if it.Content = r.Type.content(locale, values); p.Text != "" || !shown {
		it.Content = ""
	}
	if shown && p.Text != "" {
		it.Content = p.Text
	}
	text, err := json.Marshal(biz)
	it.Biz = string(text)
	return err
}

// opensModel reports whether a message without a record opens a model that its reader may see.
func (r row) opensModel(view *authz.View) bool {
	m := view.Model(r.Model)
	return m != nil && view.Can(m, "view")
}

func (r row) ref() query.Ref { return query.Ref{SchemaCode: r.Model, ID: r.Record} }

// Counts are a person's unread messages.
type Counts struct {
	Station int64 `json:"STATION"`
	Comment int64 `json:"COMMENT"`
}

// Unread counts the caller's unread messages.
func (s *Service) Unread(ctx context.Context, view *authz.View) (Counts, error) {
	counts, err := s.counts(ctx, []string{view.User()})
	return counts[view.User()], err
}

// counts are the unread messages of some people; those without any are missing.
func (s *Service) counts(ctx context.Context, people []string) (map[string]Counts, error) {
	var rows []struct {
		Recipient string
		Kind      Kind
		N         int64
	}
	err := s.cfg.DB.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&row{}).Select("recipient, kind, COUNT(*) AS n").Where("recipient IN ? AND unread = ?", people, true).
			Group("recipient, kind").Find(&rows).Error
	})
	out := make(map[string]Counts, len(rows))
	for _, r := range rows {
		c := out[r.Recipient]
		if r.Kind == Comment {
			c.Comment += r.N
		} else {
			c.Station += r.N
		}
		out[r.Recipient] = c
	}
	return out, err
}

// Read marks some of the caller's messages as read; other people's, and those that are gone, are passed over.
func (s *Service) Read(ctx context.Context, view *authz.View, ids []string) error {
	if len(ids) > maxMarked {
		return fault.New(fault.BadParameter, "messageIdList")
	}
	if len(ids) == 0 {
		return nil
	}
	return s.mark(ctx, func(db *gorm.DB) *gorm.DB { return db.Where("id IN ? AND recipient = ?", ids, view.User()) })
}

// ReadAll marks all of the caller's messages of a kind as read; "" = of both.
func (s *Service) ReadAll(ctx context.Context, view *authz.View, of string) error {
	in := Search{Type: of}
	where, err := in.where(view.User())
	if err != nil {
		return err
	}
	return s.mark(ctx, where)
}

func (s *Service) mark(ctx context.Context, where func(*gorm.DB) *gorm.DB) error {
	return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		done := where(tx.System().Model(&row{})).Where("unread = ?", true).UpdateColumns(map[string]any{"unread": false, "read_at": s.cfg.Clock().UTC()})
		if done.RowsAffected > 0 {
			tx.Touch(table)
		}
		return done.Error
	})
}

// Target is what a message of the caller's opens.
type Target struct {
	Record  query.Ref
	Biz     Biz
	Nothing bool  // messages of its type open nothing
	Place   Place // "" = none of the product's own pages
}

// Target finds what one of the caller's messages is about.
func (s *Service) Target(ctx context.Context, view *authz.View, id string) (t Target, err error) {
	var r row
	err = s.cfg.DB.ReadCommitted(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("id = ? AND recipient = ?", id, view.User()).Limit(1).Find(&r).Error
	})
	if err != nil {
		return t, err
	}
	if r.ID == "" {
		return t, fault.New(fault.MessageNotFound)
	}
	t.Record, t.Nothing, t.Place = r.ref(), definitions[r.Type].target == ToNothing, r.place(view)
	return t, json.Unmarshal([]byte(r.Biz), &t.Biz)
}
