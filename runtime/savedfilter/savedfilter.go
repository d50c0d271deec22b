package savedfilter

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Limits: of the characters of a name, of a person's filters of one list, of the filters that a list shows altogether, and of the
// bytes of one.
const (
	maxName  = 60
	maxOwn   = 50
	maxShown = 200
	maxText  = 64 << 10
)

// shareRight is the word of access documents that lets somebody share.
const shareRight = "share_filter"

// Service keeps saved filters. It is safe for concurrent use.
type Service struct {
	db     *store.DB
	reader *query.Reader
	clock  func() time.Time
}

// New makes a Service.
func New(db *store.DB, reader *query.Reader, clock func() time.Time) *Service {
	return &Service{db: db, reader: reader, clock: clock}
}

// Saved is a filter as its caller may use it (api.yaml SavedFilter).
type Saved struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Mine    bool           `json:"mine"`
	Shared  bool           `json:"shared"`
	Default bool           `json:"default"`
	Lacking bool           `json:"lacking"` // some of its conditions do not hold for the caller, or no longer
	Filters []query.Filter `json:"filters"`
}

// Page is what a list shows of saved filters: one's own first, then the shared ones, each by name.
type Page struct {
	Content  []Saved `json:"content"`
	MayShare bool    `json:"mayShare"`
}

// List returns the caller's filters of a list and those that are shared with everybody who sees it.
func (s *Service) List(ctx context.Context, view *authz.View, schemaCode, queryCode string) (*Page, error) {
	l, err := s.reader.ListOf(view, schemaCode, queryCode)
	if err != nil {
		return nil, err
	}
	var rows []row
	var chosen choice
	var log *names.Log
	err = s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		log = tx.NameLog()
		if err := tx.System().Where("query_code = ? AND user_id = ?", code(l), view.User()).Limit(1).Find(&chosen).Error; err != nil {
			return err
		}
		return tx.System().Where("query_code = ? AND (owner = ? OR shared = ?)", code(l), view.User(), true).
			Order(clause.OrderBy{Expression: clause.Expr{SQL: "CASE WHEN owner = ? THEN 0 ELSE 1 END, folded, id", Vars: []any{view.User()}}}).Limit(maxShown).Find(&rows).Error
	})
	if err != nil {
		return nil, err
	}
	stored, gone := make([][]query.Filter, len(rows)), make([]bool, len(rows))
	for i, r := range rows {
		if err := json.Unmarshal([]byte(r.Filters), &stored[i]); err != nil {
			return nil, fmt.Errorf("read the saved filter %s: %w", r.ID, err)
		}
		kept := len(stored[i])
		stored[i] = now(log.Since(r.Epoch, r.UpdatedAt), l.Model, stored[i])
		gone[i] = len(stored[i]) < kept
	}
	usable, err := s.reader.UsableFilters(ctx, view, l, stored)
	if err != nil {
		return nil, err
	}
	out := &Page{Content: make([]Saved, len(rows)), MayShare: view.Can(l.Model, shareRight)}
	for i, r := range rows {
		out.Content[i] = Saved{ID: r.ID, Name: r.Name, Mine: r.Owner == view.User(), Shared: r.Shared, Default: r.ID == chosen.FilterID,
			Lacking: gone[i] || len(usable[i]) < len(stored[i]), Filters: usable[i]}
	}
	return out, nil
}

// Change is a partial update of a saved filter; nil fields are not changed.
type Change struct {
	Name    *string         `json:"name"`
	Filters *[]query.Filter `json:"filters"`
	Shared  *bool           `json:"shared"`
	Default *bool           `json:"default"`
}

// Add saves a filter for the caller and returns its id.
func (s *Service) Add(ctx context.Context, view *authz.View, schemaCode, queryCode string, in Change) (string, error) {
	l, err := s.reader.ListOf(view, schemaCode, queryCode)
	if err != nil {
		return "", err
	}
	if in.Name == nil {
		return "", fault.New(fault.EmptyParameter, "name")
	}
	if in.Filters == nil {
		in.Filters = &[]query.Filter{}
	}
	r := row{ID: uuid.Must(uuid.NewV7()).String(), QueryCode: code(l), Owner: view.User(), CreatedAt: s.clock()}
	if err := s.take(ctx, view, l, &r, in); err != nil {
		return "", err
	}
	return r.ID, s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		var n int64
		if err := tx.Lock(ctx, "saved filters "+r.Owner); err != nil { // what is counted stays so
			return err
		}
		if err := tx.System().Model(&row{}).Where("query_code = ? AND owner = ?", r.QueryCode, r.Owner).Count(&n).Error; err != nil {
			return err
		}
		if n >= maxOwn {
			return fault.New(fault.SavedFilterLimit, maxOwn)
		}
		return s.put(tx, view, r, in.Default)
	})
}

// Change renames, overwrites, shares a filter, or makes it the one with which the list opens for the caller. The last may be
// said of every filter that they see, the rest of their own; who may share may also take a shared one back.
func (s *Service) Change(ctx context.Context, view *authz.View, id string, in Change) error {
	return s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		r, l, err := s.find(tx, view, id)
		if err != nil {
			return err
		}
		takesBack := in.Shared != nil && !*in.Shared && view.Can(l.Model, shareRight)
		foreign := in.Name != nil || in.Filters != nil || in.Shared != nil && !takesBack
		if r.Owner != view.User() && foreign {
			return fault.New(fault.Forbidden)
		}
		if err := s.take(ctx, view, l, r, in); err != nil {
			return err
		}
		return s.put(tx, view, *r, in.Default)
	})
}

// Delete removes a filter: one's own, or a shared one by somebody who may share.
func (s *Service) Delete(ctx context.Context, view *authz.View, id string) error {
	return s.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		r, l, err := s.find(tx, view, id)
		if err != nil {
			return err
		}
		if r.Owner != view.User() && !view.Can(l.Model, shareRight) {
			return fault.New(fault.Forbidden)
		}
		if err := tx.System().Where("filter_id = ?", id).Delete(&choice{}).Error; err != nil {
			return err
		}
		return tx.System().Delete(r).Error
	})
}

// find reads a filter that the caller sees: their own or a shared one, of a list that they may open.
func (s *Service) find(tx *store.Tx, view *authz.View, id string) (*row, *catalog.List, error) {
	var r row
	if err := tx.System().Where("id = ?", id).Limit(1).Find(&r).Error; err != nil {
		return nil, nil, err
	}
	l := view.List(r.QueryCode)
	if r.ID == "" || l == nil || r.Owner != view.User() && !r.Shared || !view.Can(l.Model, "view") {
		return nil, nil, fault.New(fault.SavedFilterNotFound)
	}
	return &r, l, nil
}

// take puts what the caller wants into a row, as far as they may.
func (s *Service) take(ctx context.Context, view *authz.View, l *catalog.List, r *row, in Change) error {
	r.UpdatedAt = s.clock()
	if in.Name != nil {
		r.Name = strings.Join(strings.Fields(*in.Name), " ")
		if r.Name == "" || utf8.RuneCountInString(r.Name) > maxName || strings.ContainsFunc(r.Name, unicode.IsControl) {
			return fault.New(fault.BadParameter, "name")
		}
		r.Folded = strings.ToLower(r.Name)
	}
	if in.Shared != nil {
		if *in.Shared && !view.Can(l.Model, shareRight) {
			return fault.New(fault.Forbidden)
		}
		r.Shared = *in.Shared
	}
	if in.Filters == nil {
		return nil
	}
	for _, f := range *in.Filters {
		if f.PropertyCode == "" {
			return fault.New(fault.BadParameter, "filters") // groups have no control in the panel
		}
	}
	if err := s.reader.CheckFilters(ctx, view, l, *in.Filters); err != nil {
		return err
	}
	text, err := json.Marshal(*in.Filters)
	if len(text) > maxText {
		return fault.New(fault.TooLarge, "64 KB")
	}
	r.Filters, r.Epoch = string(text), s.db.NameLog().Epoch()
	return err
}

// now gives filters the codes of now; those of properties that are gone are left out.
func now(then names.Reading, m *catalog.Model, in []query.Filter) (out []query.Filter) {
	if then.Now() {
		return in
	}
	for _, f := range in {
		if is, ok := f.Now(then, m); ok {
			out = append(out, is)
		}
	}
	return out
}

// put writes a row and the caller's choice.
func (s *Service) put(tx *store.Tx, view *authz.View, r row, isDefault *bool) error {
	var same int64
	if err := tx.System().Model(&row{}).Where("query_code = ? AND owner = ? AND folded = ? AND id <> ?", r.QueryCode, r.Owner, r.Folded, r.ID).Count(&same).Error; err != nil {
		return err
	}
	if same > 0 {
		return fault.New(fault.SavedFilterName, r.Name)
	}
	if err := tx.System().Save(&r).Error; err != nil {
		return err
	}
	if !r.Shared { // the person who opened the list with it no longer sees it
		if err := tx.System().Where("filter_id = ? AND user_id <> ?", r.ID, r.Owner).Delete(&choice{}).Error; err != nil {
			return err
		}
	}
	switch {
	case isDefault == nil:
		return nil
	case *isDefault:
		mine := choice{QueryCode: r.QueryCode, UserID: view.User(), FilterID: r.ID}
		return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&mine).Error
	}
	return tx.System().Where("filter_id = ? AND user_id = ?", r.ID, view.User()).Delete(&choice{}).Error
}

// code is how a list is named in the tables: codes are compared without case.
func code(l *catalog.List) string { return strings.ToLower(l.Code) }
