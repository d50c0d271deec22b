package query

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// HistoryRequest asks for the writes of one record, newest first.
type HistoryRequest struct {
	SchemaCode  string `json:"schemaCode"`
	BizObjectID string `json:"bizObjectId"`
	Page        int    `json:"page"`
	Size        *int   `json:"size"`
}

// HistoriesRequest asks for the writes of several records of a model together.
type HistoriesRequest struct {
	SchemaCode   string   `json:"schemaCode"`
	BizObjectIDs []string `json:"bizObjectIds"`
	Page         int      `json:"page"`
	Size         *int     `json:"size"`
}

// HistoryPage is a page of writes (api.yaml HistoryPage). Fields describes the properties that the changes speak of.
type HistoryPage struct {
	Content []HistoryEntry       `json:"content"`
	Total   int64                `json:"totalElements"`
	Fields  map[string]FieldPlan `json:"fields"`
}

// HistoryEntry is one write of a record. What the principal may not read of the record is null.
type HistoryEntry struct {
	ID         string          `json:"id"`
	Record     string          `json:"bizObjectId"`
	Title      *string         `json:"title"`        // the record's name
	Time       *string         `json:"modifiedTime"` // null without the right to createdTime or modifiedTime
	Creator    *string         `json:"creatorName"`  // null without the right to creator or modifier
	Department *string         `json:"departmentName"`
	Kind       record.Kind     `json:"kind"`
	Version    int64           `json:"version"` // that the write made
	Remark     *string         `json:"remark"`
	Changes    []HistoryChange `json:"changes"`
}

// HistoryChange is a field before and after, in words and in the wire form; of a sub-table, its rows. The field of a row has the
// code "items.rate".
type HistoryChange struct {
	PropertyCode string            `json:"propertyCode"`
	Name         string            `json:"name"`
	NameI18n     map[string]string `json:"name_i18n"`
	Type         int               `json:"type"`
	BeforeText   *string           `json:"beforeValue"`
	AfterText    *string           `json:"afterValue"`
	Before       json.RawMessage   `json:"before"`
	After        json.RawMessage   `json:"after"`
	Trend        *string           `json:"trend"` // of numbers: up, down
	Rows         []HistoryRow      `json:"rows,omitempty"`
}

// HistoryRow is a row of a sub-table that was added, changed or removed, with those of its fields that the principal may read.
type HistoryRow struct {
	ID      string          `json:"id"`
	Kind    record.Kind     `json:"kind"`
	Was     *int64          `json:"was"`   // its number before, from 1; null when it was not there, or nobody kept it
	Place   *int64          `json:"place"` // its number after
	Label   *string         `json:"label"` // its first field
	Changes []HistoryChange `json:"changes"`
}

// HistoryRight is the action of access documents that lets a role read what was changed.
const HistoryRight = "form_track"

const (
	maxHistoryPage     = 100
	defaultHistoryPage = 10
)

// History answers the history of a record that the principal sees; fields that they may not read are left out.
func (r *Reader) History(ctx context.Context, view *authz.View, req HistoryRequest) (*HistoryPage, error) {
	m, err := model(view, req.SchemaCode)
	if err != nil {
		return nil, err
	}
	page, err := r.histories(ctx, view, m, []string{req.BizObjectID}, req.Page, req.Size)
	if err == nil && page == nil {
		return nil, fault.New(fault.RecordNotFound)
	}
	return page, err
}

// Histories answers the histories of those of the records that the principal sees.
func (r *Reader) Histories(ctx context.Context, view *authz.View, req HistoriesRequest) (*HistoryPage, error) {
	m, err := model(view, req.SchemaCode)
	if err != nil {
		return nil, err
	}
	if len(req.BizObjectIDs) == 0 || len(req.BizObjectIDs) > MaxPageSize {
		return nil, fault.New(fault.BadParameter, "bizObjectIds")
	}
	page, err := r.histories(ctx, view, m, req.BizObjectIDs, req.Page, req.Size)
	if err == nil && page == nil {
		page = &HistoryPage{Content: []HistoryEntry{}, Fields: map[string]FieldPlan{}}
	}
	return page, err
}

// histories reads a page; nil when the principal sees none of the records.
func (r *Reader) histories(ctx context.Context, view *authz.View, m *catalog.Model, ids []string, page int, asked *int) (*HistoryPage, error) {
	if !view.Can(m, HistoryRight) {
		return nil, fault.New(fault.Forbidden)
	}
	size := defaultHistoryPage
	if asked != nil {
		size = *asked
	}
	if page < 0 || page > maxOffset/maxHistoryPage || size < 1 || size > maxHistoryPage {
		return nil, fault.New(fault.PageOutOfRange)
	}
	h := newHistorian(ctx, r, view, m)
	var out *HistoryPage
	err := r.read(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := h.see(tx, ids); err != nil || len(h.titles) == 0 {
			return err
		}
		rows, total, err := record.HistoryOf(tx, m.Code, slices.Sorted(maps.Keys(h.titles)), page*size, size)
		if err != nil {
			return err
		}
		if err := h.read(tx, rows); err != nil {
			return err
		}
		out = &HistoryPage{Content: make([]HistoryEntry, 0, len(rows)), Total: total, Fields: h.plans}
		for i, row := range rows {
			out.Content = append(out.Content, h.entry(row, h.changes[i]))
		}
		return nil
	})
	return out, err
}
