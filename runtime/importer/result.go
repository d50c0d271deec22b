package importer

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Types of errors on the wire (api.yaml ImportResult).
const (
	ErrorNone    = 0
	ErrorPartial = 1 // PartialSuccess: some rows were refused
	ErrorColumns = 2 // DataColumnError: the head does not fit
	ErrorSize    = 3 // DataNumExceed: too many rows
	ErrorSystem  = 4 // SystemError: the file cannot be read, or the job failed
	ErrorAgain   = 8 // FaileReImport: every row was refused
)

// Result is where an import is, and what became of its rows (api.yaml ImportResult).
type Result struct {
	ID         string     `json:"id"`
	JobID      string     `json:"jobId"`
	Phase      string     `json:"phase"` // check, write, second, undo
	State      job.State  `json:"state"`
	Ahead      int        `json:"ahead"`
	Done       int64      `json:"done"`
	Total      int64      `json:"total"`
	SchemaCode string     `json:"schemaCode"`
	QueryCode  string     `json:"queryCode"`
	QueryField string     `json:"queryField"`
	Mode       Mode       `json:"mode"`
	FileName   string     `json:"fileName"` // of the file with the rows that were refused, for error_result
	Original   string     `json:"originalFilename"`
	By         string     `json:"userName"`
	Success    int64      `json:"successCount"`
	Errors     int64      `json:"errorCount"`
	Skipped    int64      `json:"skippedCount"`
	Added      int64      `json:"addedCount"`
	Changed    int64      `json:"changedCount"`
	Same       int64      `json:"unchangedCount"`
	Removed    int64      `json:"removedLines"`   // rows of sub-tables that were removed, or that an import would remove
	Rounded    int64      `json:"roundedNumbers"` // numbers that were taken as the sheet shows them
	Undone     int64      `json:"undoneCount"`
	Kept       int64      `json:"keptCount"`
	Undoable   bool       `json:"undoable"`
	ErrorType  *int       `json:"errorType"` // null while it is under way
	ErrorCode  fault.Code `json:"errorCode"`
	ErrorArgs  []any      `json:"-"`
	ErrorMsg   string     `json:"errorMsg"` // filled at the edge
	ImportSize int64      `json:"importSize"`
	Ignored    []string   `json:"ignoredColumns"`
	Encoding   string     `json:"encoding"` // that a text file was read in; "" of workbooks
	Hidden     int        `json:"hiddenCount"`
	Merged     int        `json:"mergedCount"`
	Totals     []int      `json:"totalRows"` // of an import of one worksheet
	// Sheets are the worksheets of an import of several, in the order in which they are read.
	Sheets   []SheetResult `json:"sheets"`
	HeadRow  int           `json:"headRow"`         // that somebody said; 0 = as it looked
	Assigned []Assigned    `json:"assignedColumns"` // that somebody said, with the codes of now; null = as they are headed
	Head     []HeadItem    `json:"headColumns"`
	Rows     []RowItem     `json:"secondImportData"`
	Created  time.Time     `json:"createdTime"`
	Ended    *time.Time    `json:"finishedTime"`
	Request  *Request      `json:"request"` // of a dry run: begins the import that it checked; nil = it cannot begin
}

// HeadItem is a column of the rows that wait for correction: a field with what its editor needs.
type HeadItem struct {
	query.FormField
	Multiple bool       `json:"multiple"` // several people, departments, records or options
	Columns  []HeadItem `json:"childColumns"`
}

// RowItem is a row that was refused, that a dry run shows, or that could not be undone.
type RowItem struct {
	ID       string          `json:"id"`    // names the row in calls
	Sheet    string          `json:"sheet"` // of an import of several
	Number   int64           `json:"rowNumber"`
	Kind     string          `json:"kind"` // failed, skipped, added, changed, removed, kept
	ObjectID *string         `json:"objectId"`
	Name     *string         `json:"name"`
	Data     json.RawMessage `json:"data"`    // cells by column: a text, or entries
	Changes  json.RawMessage `json:"changes"` // of dry runs, as in the history
	Errors   []Verdict       `json:"errors"`
}

// shownRows is how many of the refused rows come with a result; others are asked for by page.
const shownRows = 200

// Result tells where an import of a person is.
func (s *Service) Result(ctx context.Context, view *authz.View, id string) (Result, error) {
	imp, err := s.find(ctx, view.User(), id)
	if err != nil {
		return Result{}, err
	}
	out, err := s.summary(ctx, view, imp)
	if err != nil || out.State == job.Queued || out.State == job.Running {
		return out, err
	}
	if imp.Failed > 0 {
		if out.Rows, _, err = s.rows(ctx, imp, rowFailed, 0, shownRows); err != nil {
			return out, err
		}
	}
	if out.Request, err = s.again(ctx, imp, out.State); out.Request != nil {
		out.Request.HeadRow, out.Request.Columns = out.HeadRow, out.Assigned
	}
	return out, err
}

// summary is a result without its rows.
func (s *Service) summary(ctx context.Context, view *authz.View, imp *importRow) (Result, error) {
	state := job.Job{State: job.Done, Total: imp.Rows}
	if imp.Ended == nil {
		var err error
		if state, err = s.follow(ctx, imp); err != nil {
			return Result{}, err
		}
	}
	out := Result{ID: imp.ID, JobID: imp.JobID, Phase: string(imp.Phase), State: state.State, Ahead: state.Ahead, Done: state.Done, Total: state.Total, SchemaCode: imp.Model, QueryCode: imp.List,
		QueryField: imp.KeyField, Mode: imp.Mode, FileName: imp.ID, Original: imp.FileName, By: imp.UserName, Success: imp.Added + imp.Changed + imp.Same, Errors: imp.Failed,
		Skipped: imp.Skipped, Added: imp.Added, Changed: imp.Changed, Same: imp.Same, Removed: imp.Removed, Rounded: imp.Rounded, Undone: imp.Undone, Kept: imp.Kept, ErrorCode: fault.Code(imp.Reason), ImportSize: imp.Rows,
		Ignored: []string{}, Head: []HeadItem{}, Rows: []RowItem{}, Created: imp.At.UTC(), Ended: imp.Ended}
	if state.State == job.Failed {
		out.ErrorCode, out.ErrorArgs = state.Code, state.Args
	}
	h, err := imp.head()
	if err != nil {
		return out, err
	}
	out.Encoding, out.Hidden, out.Merged, out.Totals = h.Encoding, h.Hidden, h.Merged, append([]int{}, h.Totals...)
	if h.Ignored != nil {
		out.Ignored = h.Ignored
	}
	if out.Sheets, err = s.sheetResults(ctx, imp, h); err != nil {
		return out, err
	}
	if m := view.Model(imp.Model); m != nil {
		out.Head = headItems(view, m, h)
		said, err := s.said(imp, m)
		if err != nil {
			return out, err
		}
		out.HeadRow, out.Assigned = said.HeadRow, said.Columns
	}
	if imp.Reason != 0 {
		if err := json.Unmarshal([]byte(imp.Args), &out.ErrorArgs); err != nil {
			return out, err
		}
	}
	ended := out.State != job.Queued && out.State != job.Running
	if ended {
		kind := imp.errorType(out)
		out.ErrorType = &kind
	}
	out.Undoable = ended && imp.Phase != checking && imp.Added+imp.Changed > imp.Undone
	return out, nil
}

// follow reads the state of the job that is under way, and the import again when it has just ended.
func (s *Service) follow(ctx context.Context, imp *importRow) (job.Job, error) {
	j, err := s.jobs.Get(ctx, imp.UserID, imp.JobID)
	if fault.Of(err) == fault.JobNotFound { // tidied away
		return job.Job{State: job.Failed}, nil
	}
	if err == nil && j.State != job.Queued && j.State != job.Running {
		err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Where("id = ?", imp.ID).Take(imp).Error
		})
	}
	return j, err
}

func (imp *importRow) errorType(out Result) int {
	switch fault.Code(imp.Reason) {
	case 0:
	case fault.ImportTooManyRows:
		return ErrorSize
	case fault.ImportNoColumn, fault.ImportColumnTwice, fault.ImportColumnUnclear, fault.ImportColumnMissing, fault.ImportNoKey, fault.ImportNoRows,
		fault.ImportSheetEmpty, fault.ImportSheetHead, fault.ImportSheetLacks, fault.ImportSheetMore:
		return ErrorColumns
	default:
		return ErrorSystem
	}
	switch {
	case out.State == job.Failed:
		return ErrorSystem
	case imp.Failed > 0 && out.Success == 0:
		return ErrorAgain
	case imp.Failed > 0:
		return ErrorPartial
	}
	return ErrorNone
}

// headItems are the columns that the file had, and those that new records need besides.
func headItems(view *authz.View, m *catalog.Model, h head) []HeadItem {
	out := []HeadItem{}
	lacking := map[string]bool{}
	columns := columnsOf(view, m)
	for _, code := range missing(columns, h) {
		lacking[code] = true
	}
	sheets := map[*catalog.Field]int{}
	for _, c := range columns {
		if !h.has(c.Code()) && !lacking[c.Code()] {
			continue
		}
		item := headItem(view, c.Field)
		if c.Sheet == nil {
			out = append(out, item)
			continue
		}
		at, ok := sheets[c.Sheet]
		if !ok {
			at = len(out)
			sheets[c.Sheet] = at
			out = append(out, headItem(view, c.Sheet))
		}
		out[at].Columns = append(out[at].Columns, item)
	}
	return out
}

func headItem(view *authz.View, f *catalog.Field) HeadItem {
	return HeadItem{FormField: query.InputField(view, f), Multiple: multiple(f), Columns: []HeadItem{}}
}

// Rows pages the rows of an import of one kind: failed, skipped, added, changed or kept.
func (s *Service) Rows(ctx context.Context, view *authz.View, id, kind string, page, size int) ([]RowItem, int64, error) {
	imp, err := s.find(ctx, view.User(), id)
	if err != nil {
		return nil, 0, err
	}
	switch kind {
	case rowFailed, rowSkipped, rowAdded, rowChanged, rowRemoved, rowKept:
	default:
		return nil, 0, fault.New(fault.BadParameter, "kind")
	}
	if _, err := query.Offers(view, imp.Model, imp.List, Right); err != nil {
		return nil, 0, err
	}
	out, total, err := s.rows(ctx, imp, kind, page*size, size)
	if err == nil {
		err = s.narrow(ctx, view, imp, out)
	}
	return out, total, err
}

// narrow takes out of rows that were kept what their reader may not see any more: values of records, and of fields.
func (s *Service) narrow(ctx context.Context, view *authz.View, imp *importRow, rows []RowItem) error {
	m := view.Model(imp.Model)
	var ids []string
	for _, r := range rows {
		if r.ObjectID != nil {
			ids = append(ids, *r.ObjectID)
		}
	}
	var seen map[string]query.Matched
	if err := s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		seen, err = s.Reader.Versions(ctx, tx, view, m, ids)
		return err
	}); err != nil {
		return err
	}
	for i := range rows {
		r := &rows[i]
		if r.ObjectID != nil {
			if _, visible := seen[*r.ObjectID]; !visible {
				r.ObjectID, r.Name, r.Changes = nil, nil, json.RawMessage("[]")
				continue
			}
		}
		var texts []json.RawMessage
		if err := json.Unmarshal(r.Changes, &texts); err != nil {
			return err
		}
		left := []json.RawMessage{}
		for _, text := range texts {
			var of struct {
				PropertyCode string `json:"propertyCode"`
			}
			if err := json.Unmarshal(text, &of); err != nil {
				return err
			}
			if f := m.Field(of.PropertyCode); f != nil {
				if right, guard := view.Field(f); right != catalog.Hidden && plan.IsTrue(guard) {
					left = append(left, text)
				}
			}
		}
		var err error
		if r.Changes, err = json.Marshal(left); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) rows(ctx context.Context, imp *importRow, kind string, skip, limit int) (out []RowItem, total int64, err error) {
	var found []keptRow
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		of := func() *gorm.DB {
			return tx.System().Model(&keptRow{}).Where("import_id = ? AND kind = ?", imp.ID, kind)
		}
		if err := of().Count(&total).Error; err != nil {
			return err
		}
		return of().Order("abs(number)").Offset(skip).Limit(limit).Find(&found).Error
	})
	out = []RowItem{}
	if err != nil {
		return out, total, err
	}
	names, err := imp.names()
	if err != nil {
		return out, total, err
	}
	for _, k := range found {
		item, err := k.item(names)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, item)
	}
	return out, total, err
}

func (k keptRow) item(names sheetNames) (RowItem, error) {
	sheet, row := names.place(k.Number)
	out := RowItem{ID: idOf(k.Number), Sheet: sheet, Number: row, Kind: k.Kind, Data: json.RawMessage("{}"), Changes: json.RawMessage("[]"), Errors: []Verdict{}}
	if k.Record != "" {
		out.ObjectID = &k.Record
	}
	if k.Name != "" {
		out.Name = &k.Name
	}
	if err := json.Unmarshal([]byte(k.Errors), &out.Errors); err != nil {
		return out, err
	}
	switch k.Kind {
	case rowKept:
		var number int64
		err := json.Unmarshal([]byte(k.Content), &number)
		out.Sheet, out.Number = names.place(number)
		return out, err
	case rowAdded, rowChanged, rowRemoved:
		out.Changes = json.RawMessage(k.Content)
		return out, nil
	}
	r, err := decodeRaw(k.Content)
	if err != nil {
		return out, err
	}
	out.Data, err = json.Marshal(r.data())
	return out, err
}

// data are the cells of a record as calls have them.
func (r *raw) data() map[string]any {
	out := map[string]any{}
	for code, in := range r.Cells {
		out[code] = in.told()
	}
	for sheet, rows := range r.Rows {
		list := make([]map[string]any, len(rows))
		for i, sub := range rows {
			list[i] = map[string]any{}
			for code, in := range sub.Cells {
				list[i][code] = in.told()
			}
			if sub.ID != "" {
				list[i][rowID] = sub.ID
			}
		}
		out[sheet] = list
	}
	return out
}

// List pages the imports of a person into a model, newest first; "" = into any.
func (s *Service) List(ctx context.Context, view *authz.View, schemaCode string, page, size int) (out []Result, total int64, err error) {
	var found []importRow
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		of := func() *gorm.DB {
			q := tx.System().Model(&importRow{}).Where("user_id = ? AND phase <> ?", view.User(), checking)
			if schemaCode != "" {
				q = q.Where("model = ?", schemaCode)
			}
			return q
		}
		if err := of().Count(&total).Error; err != nil {
			return err
		}
		return of().Order("at DESC, id DESC").Offset(page * size).Limit(size).Find(&found).Error
	})
	out = []Result{}
	for i := range found {
		one, err := s.summary(ctx, view, &found[i])
		if err != nil {
			return nil, 0, err
		}
		out = append(out, one)
	}
	return out, total, err
}

// Source is where a record came from.
type Source struct {
	ImportID string    `json:"importId"`
	FileName string    `json:"fileName"`
	Sheet    string    `json:"sheet"` // of an import of several
	Row      int64     `json:"rowNumber"`
	By       string    `json:"userName"`
	At       time.Time `json:"time"`
	Created  bool      `json:"created"` // the import added the record; otherwise it changed it
	Undone   bool      `json:"undone"`
}

// Sources tells which imports wrote a record that the principal may see, newest first. The name of the file is told to those only who may
// import into the model.
func (s *Service) Sources(ctx context.Context, view *authz.View, schemaCode, id string) ([]Source, error) {
	m := view.Model(schemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "view") {
		return nil, fault.New(fault.ModelNotFound)
	}
	out := []Source{}
	return out, s.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		seen, err := s.Reader.Versions(ctx, tx, view, m, []string{id})
		if err != nil {
			return err
		}
		if len(seen) == 0 {
			return fault.New(fault.RecordNotFound)
		}
		if !mayReadSources(view, m) {
			return nil
		}
		var found []written
		if err := tx.System().Where("record = ?", id).Order("import_id DESC, sequence DESC").Limit(50).Find(&found).Error; err != nil {
			return err
		}
		for _, x := range found {
			var imp importRow
			err := tx.System().Where("id = ? AND model = ?", x.ImportID, m.Code).Take(&imp).Error
			if errors.Is(err, gorm.ErrRecordNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			names, err := imp.names()
			if err != nil {
				return err
			}
			sheet, row := names.place(x.Number)
			out = append(out, Source{ImportID: imp.ID, FileName: imp.FileName, Sheet: sheet, Row: row, By: imp.UserName, At: imp.At.UTC(), Created: x.Version == 1, Undone: x.Undone})
		}
		return nil
	})
}

// mayReadSources: who made a record and when is told by the right to these properties of it.
func mayReadSources(view *authz.View, m *catalog.Model) bool {
	for _, code := range []string{catalog.Creator, catalog.CreatedTime} {
		if f := m.Field(code); f != nil {
			if right, guard := view.Field(f); right == catalog.Hidden || !plan.IsTrue(guard) {
				return false
			}
		}
	}
	return true
}
