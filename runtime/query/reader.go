package query

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Limits of a read call (docs/formats.md, Limits).
const (
	DefaultPageSize = 20
	MaxPageSize     = 500
	maxOffset       = 10_000_000
	maxFilters      = 50
	maxFilterDepth  = 5
	maxSorts        = 5
	maxKeyword      = 100
	sheetPreview    = 7 // rows of a sub-table in a list cell
)

// Reader answers every read call. It is safe for concurrent use.
type Reader struct {
	db     *store.DB
	people *directory.Directory
	places *directory.Places
	zone   *time.Location
	clock  func() time.Time
	cursor []byte // key of the cursors' HMAC
	known  *nameCache
	plans  *planCache
	beside func(tx *store.Tx, file string) ([]Ref, error)
	starts starter
	seals  sealer // nil = there are no workflows
	lane   *searchLane
	limits *searchTime // of a search, in place of its own; nil = as it says
	// through reports whether somebody may read a file by a task; nil = there are no tasks.
	through func(ctx context.Context, tx *store.Tx, view *authz.View, file string) (bool, error)
	others  []func(ctx context.Context, tx *store.Tx, view *authz.View, file string) (bool, error)
}

// New makes a Reader.
func New(db *store.DB, people *directory.Directory, places *directory.Places, zone *time.Location, clock func() time.Time, cursorKey []byte) *Reader {
	return &Reader{db: db, people: people, places: places, zone: zone, clock: clock, cursor: cursorKey, known: newNameCache(), plans: newPlanCache(), lane: newSearchLane()}
}

// ListRequest is the body of the list call.
type ListRequest struct {
	SchemaCode    string       `json:"schemaCode"`
	QueryCode     string       `json:"queryCode"`
	Mobile        bool         `json:"mobile"`
	Page          int          `json:"page"`
	Size          *int         `json:"size"`
	Filters       []Filter     `json:"filters"`
	OrderByFields []string     `json:"orderByFields"`
	OrderType     int          `json:"orderType"`
	Cursor        *string      `json:"cursor"`
	ParentID      *string      `json:"parentId"`
	Ancestors     bool         `json:"ancestors"` // of a tree: with the rows above those that are found
	Keyword       string       `json:"keyword"`
	ObjectIDs     []string     `json:"objectIds"` // these records only
	Options       *ListOptions `json:"options"`

	most     int    // largest size; 0 = MaxPageSize
	action   string // only rows on which the principal has this action of the list; no buttons
	free     bool   // the action needs no button
	unlisted bool   // the condition of the list does not matter
	whole    bool   // with all rows of the sub-tables
	told     bool   // names with what tells them apart, as files have them
	paper    *PaperRequest
	widget   *WidgetRequest
}

// Filter is a comparison, a group when And or Or is set, or what is behind a figure of a report.
type Filter struct {
	PropertyCode      string          `json:"propertyCode,omitempty"`
	PropertyType      json.RawMessage `json:"propertyType,omitempty"` // accepted and not needed: the model knows
	PropertyValue     json.RawMessage `json:"propertyValue,omitempty"`
	PropertyValueName json.RawMessage `json:"propertyValueName,omitempty"`
	QueryFilterType   json.RawMessage `json:"queryFilterType,omitempty"`
	And               []Filter        `json:"and,omitempty"`
	Or                []Filter        `json:"or,omitempty"`
	Behind            string          `json:"behind,omitempty"` // report/dataSet or report/dataSet/measure
}

// list finds a list that the principal may open; which of both is missing is not told.
func list(view *authz.View, schemaCode, queryCode string) (*catalog.List, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	if queryCode != "" {
		l := view.List(queryCode)
		if l == nil || l.Model != m {
			return nil, fault.New(fault.ListNotFound)
		}
		return l, nil
	}
	lists := view.ListsOf(m.Code)
	if len(lists) == 0 {
		return nil, fault.New(fault.ListNotFound)
	}
	return lists[0], nil
}

// model finds a model that the principal may view.
func model(view *authz.View, schemaCode string) (*catalog.Model, error) {
	m := view.Model(schemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound)
	}
	return m, nil
}

// scanDeadline ends reads that no index serves.
const scanDeadline = 20 * time.Second

func (r *Reader) read(ctx context.Context, f store.Do) error {
	return r.within(ctx, r.db.Read, f)
}

// within gives a way of reading its deadline.
func (r *Reader) within(ctx context.Context, read func(context.Context, store.Do) error, f store.Do) error {
	ctx, cancel := context.WithTimeout(ctx, scanDeadline)
	defer cancel()
	err := read(ctx, f)
	if errors.Is(err, store.ErrValue) {
		return fault.Wrap(err, fault.FilterValue)
	}
	return err
}
