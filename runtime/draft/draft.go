package draft

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/codes"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Limits: of the drafts of a person, of the bytes of one, and of the characters of a title.
const (
	maxOwn   = 100
	maxData  = 1 << 20
	maxTitle = 100
)

// Service keeps drafts. It is safe for concurrent use.
type Service struct {
	db    *store.DB
	clock func() time.Time
	start Starter
}

// Starter is nil for the workflows that a caller can start, and else the refusal.
type Starter func(view *authz.View, workflow string) error

// New makes a Service.
func New(db *store.DB, clock func() time.Time, start Starter) *Service {
	return &Service{db: db, clock: clock, start: start}
}

// Input is what a form wants kept. ID "" = a new draft.
type Input struct {
	ID         string                     `json:"id"`
	SchemaCode string                     `json:"schemaCode"`
	SheetCode  string                     `json:"sheetCode"`
	Workflow   string                     `json:"workflowCode"` // that the form starts; "" = none
	Seen       *time.Time                 `json:"seen"`         // the modifiedTime that the form goes on from; nil = whatever stands
	Data       map[string]json.RawMessage `json:"data"`
}

// Kept is what became of a form (api.yaml DraftKept).
type Kept struct {
	ID           string    `json:"id"`
	ModifiedTime time.Time `json:"modifiedTime"`
	Apart        bool      `json:"apart"` // the draft was changed elsewhere meanwhile, and stands beside this new one
}

// Entry is a draft in the list of its owner (api.yaml Draft).
type Entry struct {
	ID            string            `json:"id"`
	SchemaCode    string            `json:"schemaCode"`
	SheetCode     string            `json:"sheetCode"`
	Workflow      *string           `json:"workflowCode"`
	ModelName     string            `json:"modelName"`
	ModelNameI18n map[string]string `json:"modelName_i18n"`
	Title         string            `json:"title"`
	CreatedTime   time.Time         `json:"createdTime"`
	ModifiedTime  time.Time         `json:"modifiedTime"`
	Usable        bool              `json:"usable"` // its owner may still make such a record
}

// Opened is a draft with those of its values that are still properties of the type that they had, and the number of the others.
type Opened struct {
	Entry
	Data map[string]json.RawMessage `json:"data"`
	Lost int                        `json:"lost"`
}

// Page is a part of a person's drafts, the last touched first.
type Page struct {
	Content       []Entry `json:"content"`
	TotalElements int64   `json:"totalElements"`
}

// Save keeps a draft. One that was changed elsewhere since the form has seen it stays, and the form becomes a draft of its own.
func (s *Service) Save(ctx context.Context, view *authz.View, in Input) (Kept, error) {
	m := view.Model(in.SchemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "add") && !view.Can(m, "view") {
		return Kept{}, fault.New(fault.ModelNotFound, in.SchemaCode)
	}
	if !view.Can(m, "add") {
		return Kept{}, fault.New(fault.NoAddPermission)
	}
	if in.SheetCode != "" {
		if f := view.Form(in.SheetCode); f == nil || f.Model != m {
			return Kept{}, fault.New(fault.FormNotFound, in.SheetCode)
		}
	}
	if in.Workflow != "" {
		if err := s.starts(view, m, in.Workflow); err != nil {
			return Kept{}, err
		}
	}
	text, types, err := kept(view, m, in.Data)
	if err != nil {
		return Kept{}, err
	}
	title := titleOf(m, in.Data, view.Principal().Locale)
	now := s.clock().UTC().Truncate(time.Millisecond)
	r := row{ID: in.ID, UserID: view.User(), Model: m.Code, Form: in.SheetCode, Workflow: in.Workflow, Title: title, Folded: strings.ToLower(title), Data: text, Types: types, CreatedAt: now, ModifiedAt: now}
	var apart bool
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r.Epoch = tx.Epoch()
		if err := tx.Lock(ctx, "drafts "+r.UserID); err != nil { // what is counted, and what stands, stays so
			return err
		}
		if in.ID != "" {
			old, err := find(tx, view, in.ID)
			if err != nil {
				return err
			}
			if old.Model != m.Code {
				return fault.New(fault.BadParameter, "schemaCode")
			}
			if apart = in.Seen != nil && !in.Seen.Equal(old.ModifiedAt); !apart {
				r.CreatedAt = old.CreatedAt
				if next := old.ModifiedAt.Add(time.Millisecond); r.ModifiedAt.Before(next) { // Seen tells two saves of one moment apart
					r.ModifiedAt = next.UTC()
				}
				return tx.System().Save(&r).Error
			}
		}
		var have int64
		if err := tx.System().Model(&row{}).Where("user_id = ?", view.User()).Count(&have).Error; err != nil {
			return err
		}
		if have >= maxOwn {
			return fault.New(fault.DraftLimit, maxOwn)
		}
		r.ID = uuid.Must(uuid.NewV7()).String()
		return tx.System().Create(&r).Error
	})
	return Kept{ID: r.ID, ModifiedTime: r.ModifiedAt, Apart: apart}, err
}

// starts refuses a workflow that is none of the model's, or that the caller cannot start.
func (s *Service) starts(view *authz.View, m *catalog.Model, code string) error {
	if w := view.Catalog.Workflow(code); w == nil || w.Model != m {
		return fault.New(fault.WorkflowNotFound)
	}
	return s.start(view, code)
}

// kept is the JSON of values, which have to be properties that the caller sees of the model and well formed, and that of their types.
func kept(view *authz.View, m *catalog.Model, data map[string]json.RawMessage) (text, types string, err error) {
	of := map[string]string{}
	for code, raw := range data {
		f := m.Field(code)
		if f == nil || f.Code != code || f.System || f.Compute != nil || hidden(view, f) {
			return "", "", fault.New(fault.BadParameter, code)
		}
		if _, err := record.Value(raw); err != nil {
			return "", "", fault.Wrap(err, fault.BadParameter, code)
		}
		of[code] = f.Type.Name()
	}
	if data == nil {
		data = map[string]json.RawMessage{}
	}
	values, err := json.Marshal(data)
	if err != nil {
		return "", "", err
	}
	if len(values) > maxData {
		return "", "", fault.New(fault.TooLarge, "1 MB")
	}
	names, err := json.Marshal(of)
	return string(values), string(names), err
}

// hidden reports whether a property does not exist for somebody who sees records of the model.
func hidden(view *authz.View, f *catalog.Field) bool {
	right, _ := view.Field(f)
	return right == catalog.Hidden && view.Can(f.Model, "view") && plan.IsFalse(view.FieldRows(f, "add"))
}

// titleOf makes a draft recognisable: the texts of the record's name, or else its first text.
func titleOf(m *catalog.Model, data map[string]json.RawMessage, locale string) string {
	text := func(f *catalog.Field) string {
		var s string
		if f == nil || json.Unmarshal(data[f.Code], &s) != nil {
			return ""
		}
		if v, err := f.Property.Parse(s); err == nil && v != nil { // options are known by their labels
			return f.Property.Text(v, property.TextContext{Locale: locale})
		}
		return s
	}
	var parts []string
	for _, p := range m.Digest {
		if p.Field != nil && p.Field.Property.Kind() == plan.Text && p.Field.Target == nil {
			parts = append(parts, text(p.Field))
		}
	}
	title := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	if title == "" {
		title = strings.Join(strings.Fields(text(m.Field(catalog.Name))), " ")
	}
	for _, f := range m.Fields {
		if title == "" && !f.System && f.Property.Kind() == plan.Text && f.Target == nil {
			title = strings.Join(strings.Fields(text(f)), " ")
		}
	}
	if runes := []rune(title); len(runes) > maxTitle {
		title = string(runes[:maxTitle])
	}
	return title
}

// List returns a page of the caller's drafts. keyword = part of a title; "" = all.
func (s *Service) List(ctx context.Context, view *authz.View, keyword string, page, size int) (*Page, error) {
	out := &Page{Content: []Entry{}}
	var rows []row
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		mine := tx.System().Model(&row{}).Where("user_id = ?", view.User())
		if keyword = strings.ToLower(strings.TrimSpace(keyword)); keyword != "" {
			mine = mine.Where(`folded LIKE ? ESCAPE '\'`, "%"+strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(keyword)+"%")
		}
		mine = mine.Session(&gorm.Session{})
		if err := mine.Count(&out.TotalElements).Error; err != nil {
			return err
		}
		return mine.Omit("data").Order("modified_at DESC, id DESC").Offset(page * size).Limit(size).Find(&rows).Error
	})
	for _, r := range rows {
		out.Content = append(out.Content, s.entry(view, r))
	}
	return out, err
}

func (s *Service) entry(view *authz.View, r row) Entry {
	e := Entry{ID: r.ID, SchemaCode: r.Model, SheetCode: r.Form, ModelName: r.Model, Title: r.Title, CreatedTime: r.CreatedAt.UTC(), ModifiedTime: r.ModifiedAt.UTC()}
	m := view.Model(r.Model)
	if r.Workflow != "" {
		e.Workflow = &r.Workflow
	}
	if m != nil && view.Can(m, "add") {
		e.ModelName, e.ModelNameI18n, e.Usable = m.Label.Zh, m.Label.I18n, r.Workflow == "" || s.starts(view, m, r.Workflow) == nil
	}
	return e
}

// Open returns one of the caller's drafts.
func (s *Service) Open(ctx context.Context, view *authz.View, id string) (*Opened, error) {
	var r *row
	var then names.Reading
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
		if r, err = find(tx, view, id); err == nil {
			then = tx.NameLog().Since(r.Epoch, r.ModifiedAt)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := &Opened{Entry: s.entry(view, *r)}
	if !out.Usable {
		return nil, fault.New(fault.NoAddPermission)
	}
	var types map[string]string
	if err := errors.Join(json.Unmarshal([]byte(r.Data), &out.Data), json.Unmarshal([]byte(r.Types), &types)); err != nil {
		return nil, fmt.Errorf("read the draft %s: %w", id, err)
	}
	m := view.Model(r.Model)
	out.Data, out.Lost = codes.Values(then, m, out.Data)
	types = codes.Keys(then, m, types)
	for code := range out.Data {
		if f := m.Field(code); f == nil || f.Compute != nil || f.Type.Name() != types[code] || !known(view, f) {
			delete(out.Data, code)
			out.Lost++
		}
	}
	return out, nil
}

// known reports whether a property may be read, or set in a new record: the draft may have been somebody else's.
func known(view *authz.View, f *catalog.Field) bool {
	right, _ := view.Field(f)
	return right > catalog.Hidden || !plan.IsFalse(view.FieldRows(f, "add"))
}

// Holds reports whether a draft names an uploaded file, which then is not an orphan.
func (s *Service) Holds(tx *store.Tx, file string) (bool, error) {
	var n int64
	err := tx.System().Model(&row{}).Where(`data LIKE ?`, `%"`+file+`"%`).Limit(1).Count(&n).Error
	return n > 0, err
}

// Delete removes drafts of the caller's; ids that are none of them are passed over.
func (s *Service) Delete(ctx context.Context, view *authz.View, ids []string) error {
	if len(ids) == 0 || len(ids) > maxOwn {
		return fault.New(fault.BadParameter, "ids")
	}
	return s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("user_id = ? AND id IN ?", view.User(), ids).Delete(&row{}).Error
	})
}

// find reads a draft of the caller's.
func find(tx *store.Tx, view *authz.View, id string) (*row, error) {
	var r row
	if err := tx.System().Where("id = ? AND user_id = ?", id, view.User()).Limit(1).Find(&r).Error; err != nil {
		return nil, err
	}
	if r.ID == "" {
		return nil, fault.New(fault.DraftNotFound)
	}
	return &r, nil
}
