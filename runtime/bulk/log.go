package bulk

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// LogEntry is a batch update in the log (api.yaml BatchLogEntry).
type LogEntry struct {
	ID           string  `json:"id"`
	UserName     string  `json:"userName"` // "" for those who may not know who changed a record
	ImageURL     *string `json:"imgUrl"`
	Time         string  `json:"createdTime"`
	PropertyCode string  `json:"propertyCode"`
	PropertyName string  `json:"propertyName"`
	Value        string  `json:"modifiedValue"`
	Total        int64   `json:"total"`
	Success      int64   `json:"successCount"`
	Failed       int64   `json:"failCount"`
	Undone       int64   `json:"undoneCount"`
	UndoneTime   *string `json:"undoneTime"`
	Undoable     bool    `json:"undoable"` // there is something left to undo, and the caller may try
}

// LogPage is a page of the log.
type LogPage struct {
	Content []LogEntry `json:"content"`
	Total   int64      `json:"totalElements"`
}

// Log reads the batch updates of a model, newest first, as the caller may know of them now: of fields that they read on every
// row, and of records that they see. Who does not see all records is told of those that they see, and of no others in numbers.
func (s *Service) Log(ctx context.Context, view *authz.View, schemaCode string, page, size int) (*LogPage, error) {
	m := view.Model(schemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound)
	}
	if !view.Can(m, query.BatchRight) {
		return nil, fault.New(fault.Forbidden)
	}
	shown := s.shown(view, m)
	codes := slices.Collect(maps.Keys(shown))
	out := &LogPage{Content: []LogEntry{}}
	var found []batch
	err := s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		of := func() *gorm.DB {
			q := tx.System().Model(&batch{}).Where("model = ? AND property IN ?", m.Code, codes)
			for _, code := range codes {
				if since := tx.NameLog().Began(m.Code, code); !since.IsZero() { // what was set in another property of this code
					q = q.Where("NOT (property = ? AND at <= ?)", code, since.UTC())
				}
			}
			return q
		}
		if all, _ := query.SeesAll(view, m.Code); all {
			if err := of().Count(&out.Total).Error; err != nil {
				return err
			}
			return of().Order("at DESC, id DESC").Offset(page * size).Limit(size).Find(&found).Error
		}
		found, out.Total, err = s.judged(ctx, tx, view, m, of, page*size, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	_, who := query.SeesAll(view, m.Code)
	if f := m.Field(catalog.Modifier); f != nil && !who {
		_, guard := view.Field(f)
		who = plan.IsTrue(guard)
	}
	writable := map[string]bool{}
	for code := range shown {
		_, err := s.Reader.BulkTarget(view, m, code)
		writable[code] = err == nil
	}
	for _, b := range found {
		e := s.entry(ctx, view, m, shown[b.Property], b)
		if !who && b.UserID != view.Principal().UserID {
			e.UserName, e.ImageURL = "", nil
		}
		e.Undoable = writable[b.Property] && b.Undone < b.Changes
		out.Content = append(out.Content, e)
	}
	return out, nil
}

// shown are the fields of a model that the caller reads on every row, by code.
func (s *Service) shown(view *authz.View, m *catalog.Model) map[string]query.BulkTarget {
	out := map[string]query.BulkTarget{}
	for _, f := range m.Fields {
		codes := []string{f.Code}
		if f.Sheet != nil {
			codes = codes[:0]
			for _, child := range f.Sheet.Fields {
				codes = append(codes, f.Code+"."+child.Code)
			}
		}
		for _, code := range codes {
			if t, ok := s.Reader.Shown(view, m, code); ok {
				out[code] = t
			}
		}
	}
	return out
}

// Limits of what is looked at to answer the log of somebody who does not see all records: batches, and records of each.
const (
	judgedBatches = 2000
	judgedChanges = 2000
)

// judged reads the batches of which the caller sees a record. What they count are those records; of their own batches, when
// they still see all of the records, everything.
func (s *Service) judged(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, of func() *gorm.DB, skip, size int) (out []batch, total int64, err error) {
	var all []batch
	if err := of().Order("at DESC, id DESC").Limit(judgedBatches).Find(&all).Error; err != nil {
		return nil, 0, err
	}
	for _, b := range all {
		ok, err := s.sees(ctx, tx, view, m, &b)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			continue
		}
		if total >= int64(skip) && len(out) < size {
			out = append(out, b)
		}
		total++
	}
	return out, total, nil
}

// sees reports whether the caller may know of a batch, and makes its numbers those of the records that they see.
func (s *Service) sees(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, b *batch) (bool, error) {
	own := b.UserID == view.Principal().UserID
	if own && b.Changes == 0 {
		return true, nil
	}
	var changes []batchChange
	err := tx.System().Select("sequence", "record", "undone").Where("batch = ?", b.ID).Order("sequence").Limit(judgedChanges).Find(&changes).Error
	if err != nil {
		return false, err
	}
	ids := make([]string, len(changes))
	for i, ch := range changes {
		ids[i] = ch.Record
	}
	visible, err := s.Reader.Visible(ctx, tx, view, m, ids, b.Property)
	if err != nil {
		return false, err
	}
	var seen, undone int64
	for _, ch := range changes {
		if visible[ch.Record] {
			seen++
			if ch.Undone {
				undone++
			}
		}
	}
	if !own || seen < int64(len(changes)) {
		b.Total, b.Success, b.Failed, b.Changes, b.Undone = seen, seen, 0, seen, undone
		if undone == 0 {
			b.UndoneAt = nil
		}
	}
	return seen > 0, nil
}

func (s *Service) entry(ctx context.Context, view *authz.View, m *catalog.Model, t query.BulkTarget, b batch) LogEntry {
	locale := view.Principal().Locale
	e := LogEntry{ID: b.ID, UserName: b.UserName, Time: b.At.UTC().Format(time.RFC3339), PropertyCode: b.Property, PropertyName: t.Field.Label.In(locale),
		Total: b.Total, Success: b.Success, Failed: b.Failed, Undone: b.Undone}
	if t.Sheet != nil {
		e.PropertyName = t.Sheet.Label.In(locale) + "." + e.PropertyName
	}
	if p, ok := s.People.Person(ctx, b.UserID); ok && p.ImageURL != "" {
		e.ImageURL = &p.ImageURL
	}
	if b.UndoneAt != nil {
		at := b.UndoneAt.UTC().Format(time.RFC3339)
		e.UndoneTime = &at
	}
	var sides []json.RawMessage
	if json.Unmarshal([]byte(b.Value), &sides) == nil && len(sides) > 0 {
		p := t.Field.Property
		err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
			sides, err = b.now(tx, t.Field, sides)
			return err
		})
		if v := p.Load(record.Columns(p, sides)); err == nil && v != nil {
			e.Value = p.Text(v, property.TextContext{Locale: locale, Zone: s.Zone, Names: organisation{s, ctx}})
		}
	}
	return e
}

// organisation names people and departments: all that a batch update can refer to.
type organisation struct {
	s   *Service
	ctx context.Context
}

// Name implements property.Names.
func (o organisation) Name(r plan.Ref) (property.Named, bool) {
	if p, ok := o.s.People.Person(o.ctx, r.ID); ok {
		return property.Named{Name: p.Name}, true
	}
	d, ok := o.s.People.Department(o.ctx, r.ID)
	return property.Named{Name: d.Name}, ok
}
