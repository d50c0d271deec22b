package comment

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Config is what a Service works with.
type Config struct {
	DB     *store.DB
	Reader *query.Reader
	People *directory.Directory
	Notify *notify.Service
	Clock  func() time.Time
	Zone   *time.Location
	Log    *slog.Logger
	// Caller is a person with the roles of this moment; false for those who may not sign in.
	Caller func(ctx context.Context, user string) (principal.Principal, bool)
	Policy func() *authz.Policy
	// AtTask is the view of somebody on a record that only a task of theirs shows them: with what that shows; nil where none does.
	AtTask func(ctx context.Context, tx *store.Tx, view *authz.View, at query.Ref) (*authz.View, error)
	// Restorable tells which of some records that are gone may come back; nil = none.
	Restorable func(tx *store.Tx, refs []query.Ref) (map[query.Ref]bool, error)
}

// Service keeps comments. It is safe for concurrent use.
type Service struct{ cfg Config }

// New makes a Service and lets the reader know who may read the files of comments.
func New(cfg Config) *Service {
	s := &Service{cfg: cfg}
	cfg.Reader.HoldFiles(s.holders)
	return s
}

// Person is somebody in an answer (api.yaml CommentPerson).
type Person struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	ImageURL *string `json:"imgUrl"`
}

// File is an attachment on the wire, as values of attachments hold it.
type File struct {
	RefID    string `json:"refId"`
	Name     string `json:"name"`
	MimeType string `json:"mimeType"`
	Size     int64  `json:"size"`
	IsImage  bool   `json:"isImage"`
}

// Quote is the comment that another replies to. Of a deleted one nothing is told but that it was.
type Quote struct {
	ID      string `json:"id"`
	Author  Person `json:"author"`
	Text    string `json:"text"`
	Files   int    `json:"files"`
	Deleted bool   `json:"deleted"`
}

// Comment is one comment (api.yaml Comment).
type Comment struct {
	ID       string     `json:"id"`
	Author   Person     `json:"author"`
	Text     string     `json:"text"`
	Mentions []mention  `json:"mentions"`
	Files    []File     `json:"files"`
	ReplyTo  *Quote     `json:"replyTo"`
	Created  time.Time  `json:"createdTime"`
	Edited   *time.Time `json:"editedTime"`
	Deleted  bool       `json:"deleted"`
	Mine     bool       `json:"mine"`
}

// Page is some comments of a record, the oldest first. More tells that there are earlier ones.
type Page struct {
	Content []Comment `json:"content"`
	Total   int64     `json:"totalElements"`
	More    bool      `json:"more"`
}

// MaxPage bounds the comments of one answer.
const MaxPage = 100

// List answers the last comments of a record that the caller sees, or the last before one of them. Deleted ones are left out
// unless somebody replied to them.
func (s *Service) List(ctx context.Context, view *authz.View, at query.Ref, before string, size int) (*Page, error) {
	if size < 1 || size > MaxPage {
		return nil, fault.New(fault.PageOutOfRange)
	}
	out := &Page{Content: []Comment{}}
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		m, _, err := s.title(ctx, tx, view, at)
		if err != nil {
			return err
		}
		of := tx.System().Model(&row{}).Where("model = ? AND record = ?", m.Code, at.ID)
		if err := of.Where("deleted = ?", false).Count(&out.Total).Error; err != nil {
			return err
		}
		replied := tx.System().Table("sl_comment AS reply").Select("1").Where("reply.reply_to = sl_comment.id AND reply.deleted = ?", false)
		shown := tx.System().Where("model = ? AND record = ?", m.Code, at.ID).Where("deleted = ? OR EXISTS (?)", false, replied)
		if before != "" {
			shown = shown.Where("id < ?", before)
		}
		var rows []row
		if err := shown.Order("id DESC").Limit(size + 1).Find(&rows).Error; err != nil {
			return err
		}
		if out.More = len(rows) > size; out.More {
			rows = rows[:size]
		}
		out.Content, err = s.views(ctx, tx, view, rows)
		return err
	})
	return out, err
}

// views puts rows, the newest first, into answers, the oldest first.
func (s *Service) views(ctx context.Context, tx *store.Tx, view *authz.View, rows []row) ([]Comment, error) {
	ids, quoted := []string{}, []string{}
	for _, r := range rows {
		if ids = append(ids, r.ID); r.ReplyTo != "" {
			quoted = append(quoted, r.ReplyTo)
		}
	}
	files, err := filesOf(tx, append(ids, quoted...))
	if err != nil {
		return nil, err
	}
	quotes, err := s.quotes(ctx, tx, quoted, files)
	if err != nil {
		return nil, err
	}
	out := make([]Comment, 0, len(rows))
	for i := len(rows) - 1; i >= 0; i-- {
		r := rows[i]
		v := Comment{ID: r.ID, Author: s.person(ctx, r.Author), Text: r.Text, Mentions: []mention{}, Files: []File{}, Created: r.CreatedAt.UTC(),
			Edited: r.EditedAt, Deleted: r.Deleted, Mine: r.Author == view.User()}
		if v.Mentions, err = mentionsOf(r); err != nil {
			return nil, err
		}
		for _, f := range files[r.ID] {
			v.Files = append(v.Files, File{RefID: f.ID, Name: f.Name, MimeType: f.Mime, Size: f.Size, IsImage: f.IsImage()})
		}
		if q, ok := quotes[r.ReplyTo]; ok {
			v.ReplyTo = &q
		}
		out = append(out, v)
	}
	return out, nil
}

const maxQuote = 100 // characters of what a reply shows of the comment before it

func (s *Service) quotes(ctx context.Context, tx *store.Tx, ids []string, files map[string][]blob.File) (map[string]Quote, error) {
	out := map[string]Quote{}
	if len(ids) == 0 {
		return out, nil
	}
	var rows []row
	if err := tx.System().Where("id IN ?", ids).Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		out[r.ID] = Quote{ID: r.ID, Author: s.person(ctx, r.Author), Text: cut(r.Text, maxQuote), Files: len(files[r.ID]), Deleted: r.Deleted}
	}
	return out, nil
}

// person is somebody as pages show them; one who is no longer known has no name.
func (s *Service) person(ctx context.Context, id string) Person {
	who, _ := s.cfg.People.Name(ctx, plan.Ref{Model: directory.User, ID: id})
	p := Person{ID: id, Name: who.Name}
	if who.ImageURL != "" {
		p.ImageURL = &who.ImageURL
	}
	return p
}

// viewOf is what a person sees at this moment; nil for one who cannot sign in.
func (s *Service) viewOf(ctx context.Context, user string) *authz.View {
	p, ok := s.cfg.Caller(ctx, user)
	if !ok {
		return nil
	}
	return s.cfg.Policy().View(p, s.cfg.Clock(), s.cfg.Zone)
}

// seenBy reports whether a person sees a record, and by what name.
func (s *Service) seenBy(ctx context.Context, tx *store.Tx, user string, ref query.Ref) (name string, sees bool, err error) {
	view := s.viewOf(ctx, user)
	if view == nil {
		return "", false, nil
	}
	_, name, err = s.title(ctx, tx, view, ref)
	if code := fault.Of(err); code == fault.ModelNotFound || code == fault.RecordNotFound {
		return "", false, nil
	}
	return name, err == nil, err
}

// title is the model and the name of a record that somebody sees, by their roles or by a task: who decides on a record may speak of it.
func (s *Service) title(ctx context.Context, tx *store.Tx, view *authz.View, at query.Ref) (*catalog.Model, string, error) {
	m, name, err := s.cfg.Reader.Title(ctx, tx, view, at)
	if code := fault.Of(err); s.cfg.AtTask == nil || code != fault.ModelNotFound && code != fault.RecordNotFound {
		return m, name, err
	}
	wider, failed := s.cfg.AtTask(ctx, tx, view, at)
	if failed != nil || wider == nil {
		return nil, "", cmp.Or(failed, err)
	}
	return s.cfg.Reader.Title(ctx, tx, wider, at)
}

// Limits of the search for people.
const (
	examined   = 300 // people whose rights one search looks at
	maxKeyword = 100
)

// People searches those who may be mentioned in comments of a record: who may read it, without the caller.
func (s *Service) People(ctx context.Context, view *authz.View, at query.Ref, keyword string, size int) ([]directory.Found, error) {
	if size < 1 || size > MaxPage {
		return nil, fault.New(fault.PageOutOfRange)
	}
	if len([]rune(keyword)) > maxKeyword {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	out := []directory.Found{}
	return out, s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		if _, _, err := s.title(ctx, tx, view, at); err != nil {
			return err
		}
		found, _ := s.cfg.People.Search(ctx, directory.Wanted{Kind: directory.User, Text: keyword, Keys: query.PeopleKeys(view), Limit: examined})
		for _, p := range found {
			if len(out) == size {
				return nil
			}
			if p.ID == view.User() {
				continue
			}
			_, sees, err := s.seenBy(ctx, tx, p.ID, at)
			if err != nil {
				return err
			}
			if sees {
				out = append(out, p)
			}
		}
		return nil
	})
}
