package bulk

import (
	"context"
	"encoding/json"
	"time"

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
	UserName     string  `json:"userName"`
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

// Log reads the batch updates of a model, newest first: those of fields that the caller reads on every row, for the log
// shows values without rows.
func (s *Service) Log(ctx context.Context, c *catalog.Catalog, rt *authz.Rights, schemaCode string, page, size int) (*LogPage, error) {
	m := c.Model(schemaCode)
	if m == nil || m.Parent != nil || !rt.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound)
	}
	if !rt.Can(m, query.BatchRight) {
		return nil, fault.New(fault.Forbidden)
	}
	shown := map[string]query.BulkTarget{}
	for _, f := range m.Fields {
		codes := []string{f.Code}
		if f.Sheet != nil {
			codes = codes[:0]
			for _, child := range f.Sheet.Fields {
				codes = append(codes, f.Code+"."+child.Code)
			}
		}
		for _, code := range codes {
			if t, ok := s.Reader.Shown(rt, m, code); ok {
				shown[code] = t
			}
		}
	}
	out := &LogPage{Content: []LogEntry{}}
	codes := make([]string, 0, len(shown))
	for code := range shown {
		codes = append(codes, code)
	}
	var found []batch
	err := s.DB.Read(ctx, func(tx *store.Tx) error {
		where := func() any { return codes }
		if err := tx.System().Model(&batch{}).Where("model = ? AND property IN ?", m.Code, where()).Count(&out.Total).Error; err != nil {
			return err
		}
		return tx.System().Where("model = ? AND property IN ?", m.Code, where()).Order("at DESC, id DESC").Offset(page * size).Limit(size).Find(&found).Error
	})
	if err != nil {
		return nil, err
	}
	writable := map[string]bool{}
	for code := range shown {
		_, err := s.Reader.BulkTarget(rt, m, code)
		writable[code] = err == nil
	}
	for _, b := range found {
		e := s.entry(ctx, rt, m, shown[b.Property], b)
		e.Undoable = writable[b.Property] && b.Undone < b.Changes
		out.Content = append(out.Content, e)
	}
	return out, nil
}

func (s *Service) entry(ctx context.Context, rt *authz.Rights, m *catalog.Model, t query.BulkTarget, b batch) LogEntry {
	locale := rt.Principal().Locale
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
		if v := p.Load(record.Columns(p, sides)); v != nil {
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
