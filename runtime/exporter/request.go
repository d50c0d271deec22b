package exporter

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Column is a field that somebody chose (api.yaml ExportColumn). The codes say what it is; names and types are the
// server's own matter.
type Column struct {
	PropertyCode  string          `json:"propertyCode"`
	Name          string          `json:"name"`
	NameI18n      string          `json:"name_i18n"` // JSON text: {"en": "Amount"}
	PropertyType  json.RawMessage `json:"propertyType,omitempty"`
	DisplayFormat json.RawMessage `json:"displayFormat,omitempty"`
	ChildColumns  []Column        `json:"childColumns"`
}

// Request asks for an export.
type Request struct {
	query.ListRequest
	Columns     []Column // in the order of the file
	All         bool     // all records that the filters find, and not ObjectIDs
	Language    string   // zh or en; "" = the caller's
	FileType    string   // xlsx or csv; "" = xlsx
	WithID      bool     // of CSV: the records' ids are a column; xlsx always has them, hidden
	Remember    bool     // the columns are those of the next time
	Participant bool     // with the current handler, where the list shows it
}

// payload is a request in its job.
type payload struct {
	Wanted
	Request   query.ListRequest `json:"request"`
	Columns   []string          `json:"columns"` // in order; "sheet.child" in sub-tables
	FileType  string            `json:"fileType"`
	WithID    bool              `json:"withId"`
	SheetName string            `json:"sheetName"`
}

// The types of files.
const (
	xlsx = "xlsx"
	csv  = "csv"
)

// Started is an export that was accepted.
type Started struct {
	ID    string `json:"id"`
	JobID string `json:"jobId"`
	Name  string `json:"name"` // of the file
}

// Start checks an export with the caller's rights and enqueues it.
func (s *Service) Start(ctx context.Context, view *authz.View, req Request) (*Started, error) {
	p, l, err := s.check(ctx, view, &req)
	if err != nil {
		return nil, err
	}
	now := s.Clock().UTC()
	t := task{ID: uuid.Must(uuid.NewV7()).String(), Owner: view.User(), Kind: Action, Model: l.Model.Code, List: l.Code, State: Queued, CreatedAt: now}
	t.Name = fileName(l, p.Language, now.In(s.Zone)) + "." + p.FileType
	columns, err := json.Marshal(p.Columns)
	if err != nil {
		return nil, err
	}
	t.Columns, p.Task = string(columns), t.ID
	label := l.Label
	o := Order{Kind: Action, Title: job.Title{Zh: "导出" + label.In("zh"), En: "Export: " + label.In("en")}, Subject: l.Code, About: label.In("zh"), Entry: audit.Exported, Detail: map[string]string{"file": t.Name}}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := s.enqueue(ctx, tx, &t, o, p); err != nil || !req.Remember {
			return err
		}
		return s.remember(tx, t.Owner, l, req.Columns)
	})
	if err != nil {
		return nil, err
	}
	return &Started{ID: t.ID, JobID: t.JobID, Name: t.Name}, nil
}

// check refuses what the caller may not export, and makes the request what the job reads.
func (s *Service) check(ctx context.Context, view *authz.View, req *Request) (payload, *catalog.List, error) {
	fail := func(err error) (payload, *catalog.List, error) { return payload{}, nil, err }
	l, err := s.Reader.ListOf(view, req.SchemaCode, req.QueryCode)
	if err != nil {
		return fail(err)
	}
	p := payload{FileType: strings.ToLower(req.FileType), WithID: req.WithID, Wanted: Wanted{Language: language(req.Language, view.Principal().Locale)}}
	switch p.FileType {
	case "":
		p.FileType = xlsx
	case xlsx, csv:
	default:
		return fail(fault.New(fault.BadParameter, "fileType"))
	}
	if req.All == (len(req.ObjectIDs) > 0) {
		return fail(fault.New(fault.BadParameter, "objectIds"))
	}
	fields, err := s.Reader.ExtractFields(view, req.SchemaCode, req.QueryCode, Action)
	if err != nil {
		return fail(err)
	}
	if p.Columns, err = chosen(req.Columns, fields); err != nil {
		return fail(err)
	}
	handlers := func(f query.ExtractField) bool { return f.PropertyCode == catalog.Participants }
	if req.Participant && slices.ContainsFunc(fields, handlers) && !slices.Contains(p.Columns, catalog.Participants) {
		p.Columns = append(p.Columns, catalog.Participants)
	}
	// The rows of all levels of a tree are exported, wherever somebody has opened it. Ticked rows are taken whatever the filters find:
	// they were found by others.
	p.Request = query.ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code, Filters: req.Filters, Keyword: req.Keyword, OrderByFields: req.OrderByFields,
		OrderType: req.OrderType, ObjectIDs: req.ObjectIDs}
	if !req.All {
		p.Request.Filters, p.Request.Keyword = nil, ""
	}
	p.SheetName = l.Label.In(p.Language)
	_, _, err = s.Reader.ExtractColumns(ctx, view, showing(p.Request, p.Columns), Action)
	return p, l, err
}

// showing is a list request for some columns.
func showing(req query.ListRequest, columns []string) query.ListRequest {
	req.Options = &query.ListOptions{QueryDisplayType: 1, CustomDisplayColumns: columns}
	return req
}

func language(asked, own string) string {
	switch {
	case strings.HasPrefix(strings.ToLower(asked), "en"):
		return "en"
	case strings.HasPrefix(strings.ToLower(asked), "zh"):
		return "zh"
	}
	return own
}

// chosen are the codes of columns, in order; all of them must be fields that can be exported. A sub-table without columns of its own is
// chosen whole.
func chosen(columns []Column, fields []query.ExtractField) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	add := func(code string) {
		if !seen[code] {
			seen[code] = true
			out = append(out, code)
		}
	}
	for _, c := range columns {
		f := find(fields, c.PropertyCode)
		if f == nil {
			return nil, fault.New(fault.FieldUnknown)
		}
		switch {
		case len(f.ChildColumns) == 0:
			add(f.PropertyCode)
		case len(c.ChildColumns) == 0:
			for _, child := range f.ChildColumns {
				add(f.PropertyCode + "." + child.PropertyCode)
			}
		default:
			for _, child := range c.ChildColumns {
				in := find(f.ChildColumns, child.PropertyCode)
				if in == nil {
					return nil, fault.New(fault.FieldUnknown)
				}
				add(f.PropertyCode + "." + in.PropertyCode)
			}
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.EmptyParameter, "columns")
	}
	return out, nil
}

func find(fields []query.ExtractField, code string) *query.ExtractField {
	for i := range fields {
		if fields[i].PropertyCode == code {
			return &fields[i]
		}
	}
	return nil
}

// readable are the columns of which the fields are still there.
func readable(columns []string, fields []query.ExtractField) []string {
	known := map[string]bool{}
	for _, f := range fields {
		known[f.PropertyCode] = len(f.ChildColumns) == 0
		for _, child := range f.ChildColumns {
			known[f.PropertyCode+"."+child.PropertyCode] = true
		}
	}
	var out []string
	for _, code := range columns {
		if known[code] {
			out = append(out, code)
		}
	}
	return out
}

// room refuses an export when its owner has too many under way, or too many files.
func (s *Service) room(ctx context.Context, tx *store.Tx, owner string) error {
	if err := tx.Lock(ctx, "exports of "+owner); err != nil {
		return err
	}
	var open []task
	if err := tx.System().Where("owner = ? AND state = ?", owner, Queued).Limit(underWay + 1).Order("created_at DESC").Find(&open).Error; err != nil {
		return err
	}
	running := 0
	for _, t := range open {
		j, err := s.jobs.GetIn(tx, t.Owner, t.JobID)
		switch {
		case fault.Of(err) == fault.JobNotFound:
		case err != nil:
			return err
		case j.State == job.Queued || j.State == job.Running:
			running++
		}
	}
	if running >= underWay {
		return fault.New(fault.ExportBusy, underWay)
	}
	var bytes int64
	err := tx.System().Model(&task{}).Where("owner = ?", owner).Select("coalesce(sum(size), 0)").Scan(&bytes).Error
	if err == nil && bytes > s.perPerson {
		err = fault.New(fault.ExportQuota, sizeText(s.perPerson))
	}
	return err
}

// remember keeps the columns for the next time.
func (s *Service) remember(tx *store.Tx, owner string, l *catalog.List, columns []Column) error {
	text, err := json.Marshal(columns)
	if err != nil {
		return err
	}
	c := choice{Owner: owner, List: strings.ToLower(l.Code), ID: uuid.Must(uuid.NewV7()).String(), Columns: string(text), Epoch: tx.Epoch(), UpdatedAt: s.Clock().UTC()}
	return tx.System().Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "owner"}, {Name: "list"}},
		DoUpdates: clause.AssignmentColumns([]string{"columns", "epoch", "updated_at"})}).Create(&c).Error
}
