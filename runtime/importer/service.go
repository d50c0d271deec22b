package importer

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Right is the list action that offers imports, and the right to them.
const Right = "import"

// Kinds of jobs.
const (
	jobImport = "import"
	jobUndo   = "import_undo"
)

// Limits of a file.
const (
	mostRows  = 500000   // of one import
	mostBytes = 64 << 20 // of an upload
)

// Config of a Service.
type Config struct {
	DB     *store.DB
	Reader *query.Reader
	Writer *record.Writer
	People *directory.Directory
	Files  func() *blob.Service
	Policy func() *authz.Policy
	// Caller is the principal of a person as they are now; false when they may not act any more.
	Caller func(ctx context.Context, user string) (principal.Principal, bool)
	Clock  func() time.Time
	Zone   *time.Location
}

// Service imports spreadsheets. It is safe for concurrent use.
type Service struct {
	Config
	jobs *job.Queue
	tops topCache
}

// New makes a Service; Use gives it its queue.
func New(c Config) *Service { return &Service{Config: c} }

// Use gives the queue that does the imports.
func (s *Service) Use(q *job.Queue) { s.jobs = q }

// Workers do the jobs, by kind.
func (s *Service) Workers() map[string]job.Worker {
	return map[string]job.Worker{jobImport: job.WorkerFunc(s.work), jobUndo: job.WorkerFunc(s.workUndo)}
}

// Request begins an import.
type Request struct {
	FileName   string `json:"fileName"`
	Original   string `json:"originalFilename"`
	SchemaCode string `json:"schemaCode"`
	QueryCode  string `json:"queryCode"`
	QueryField string `json:"queryField"`
	Language   string `json:"languageType"`
	Mode       Mode   `json:"mode"`
	Sheet      Sheets `json:"sheet"`      // of Uploaded.Sheets; none = the first
	ClearEmpty bool   `json:"clearEmpty"` // empty cells empty the property
	Encoding   string `json:"encoding"`   // of a text file; "" = as it looks
	// ReplaceLines: rows of sub-tables that the file does not have are removed from the records that it has.
	ReplaceLines bool `json:"replaceLines"`
	// HeadRow is the number of the row above the data, 0 = as it looks.
	HeadRow int `json:"headRow"`
	// Columns are the columns that are read and their properties, whatever their headings say; nil = as they are headed.
	Columns []Assigned `json:"columns"`
}

// Start begins an import of an uploaded file, or with dry only looks what it would do, and returns its id. The same file can be looked at as
// often as one likes before it is imported.
func (s *Service) Start(ctx context.Context, view *authz.View, req Request, dry bool) (string, error) {
	l, err := query.Offers(view, req.SchemaCode, req.QueryCode, Right)
	if err != nil {
		return "", err
	}
	f, err := s.upload(ctx, view.User(), req.FileName)
	if err != nil {
		return "", err
	}
	imp, err := s.newImport(view, l, req)
	if err != nil {
		return "", err
	}
	imp.At, imp.FileID, imp.Phase = s.Clock().UTC(), f.ID, writing
	if imp.FileName == "" {
		imp.FileName = f.Name
	}
	if dry {
		imp.Phase = checking
	}
	return imp.ID, s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if !dry { // a second press must not add everything twice
			if err := s.alone(ctx, tx, imp); err != nil {
				return err
			}
		}
		if err := tx.System().Create(imp).Error; err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, view.Catalog, imp); err != nil || dry {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.Imported, Actor: view.User(), Subject: imp.List, About: l.Label.In("zh"), Detail: map[string]string{"file": imp.FileName}})
	})
}

// alone refuses an import of a file that another one reads.
func (s *Service) alone(ctx context.Context, tx *store.Tx, imp *importRow) error {
	if err := tx.Lock(ctx, "import file "+imp.FileID); err != nil {
		return err
	}
	var others []importRow
	if err := tx.System().Where("file_id = ? AND phase <> ? AND ended IS NULL", imp.FileID, checking).Find(&others).Error; err != nil {
		return err
	}
	for _, other := range others {
		j, err := s.jobs.GetIn(tx, other.UserID, other.JobID)
		if err == nil && (j.State == job.Queued || j.State == job.Running) {
			return fault.New(fault.ImportBusy)
		}
	}
	return nil
}

// newImport reads a request.
func (s *Service) newImport(view *authz.View, l *catalog.List, req Request) (*importRow, error) {
	imp := &importRow{ID: uuid.Must(uuid.NewV7()).String(), Model: l.Model.Code, List: l.Code, UserID: view.User(), UserName: view.Principal().Name,
		FileName: fileTitle(req.Original), Mode: req.Mode, Clear: req.ClearEmpty, Replace: req.ReplaceLines, Locale: view.Principal().Locale, Args: "[]", Head: "{}", Encoding: req.Encoding}
	if req.Original == "" {
		imp.FileName = ""
	}
	switch {
	case strings.HasPrefix(strings.ToLower(req.Language), "en"):
		imp.Locale = "en"
	case req.Language != "" || imp.Locale != "en":
		imp.Locale = "zh"
	}
	if imp.Mode == "" { // what it would be decides what becomes of records that are there
		return nil, fault.New(fault.EmptyParameter, "mode")
	}
	if imp.Mode != Add && imp.Mode != Update && imp.Mode != AddOrUpdate {
		return nil, fault.New(fault.BadParameter, "mode")
	}
	if req.Encoding != "" && !slices.Contains(workbook.Encodings(), req.Encoding) {
		return nil, fault.New(fault.BadParameter, "encoding")
	}
	if err := imp.setSheets(req.Sheet); err != nil {
		return nil, err
	}
	if req.QueryField != "" {
		for _, f := range keyFields(view, l.Model) {
			if strings.EqualFold(f.Code, req.QueryField) {
				imp.KeyField = f.Code
			}
		}
		if imp.KeyField == "" {
			return nil, fault.New(fault.BadParameter, "queryField")
		}
	}
	said, err := saidOf(newHeadings(l.Model, withKey(columnsOf(view, l.Model), l.Model.Field(imp.KeyField))), req)
	if err != nil || said.HeadRow == 0 {
		return imp, err
	}
	text, err := json.Marshal(said)
	imp.Assigned, imp.Epoch = string(text), s.DB.NameLog().Epoch()
	return imp, err
}

var titles = map[phase]job.Title{
	checking:   {Zh: "检查导入：", En: "Check import: "},
	writing:    {Zh: "导入：", En: "Import: "},
	correcting: {Zh: "导入修改后的数据：", En: "Import corrected rows: "},
	undoing:    {Zh: "撤销导入：", En: "Undo import: "},
}

// payload of both kinds of jobs.
type payload struct {
	Import string `json:"import"`
	Phase  phase  `json:"phase"`
}

// longRows is how many rows take more than a few seconds.
const longRows = 1000

// enqueue makes the job of the import's phase. Of two calls that met the import in the same state one is ImportBusy.
func (s *Service) enqueue(ctx context.Context, tx *store.Tx, c *catalog.Catalog, imp *importRow) error {
	kind := jobImport
	if imp.Phase == undoing {
		kind = jobUndo
	}
	title := titles[imp.Phase]
	if m := c.Model(imp.Model); m != nil {
		title.Zh, title.En = title.Zh+m.Label.In("zh"), title.En+m.Label.In("en")
	}
	o := job.Options{Owner: imp.UserID, Title: title, Subject: imp.Model}
	if imp.Rows > longRows {
		o.Lane = job.Long
	}
	id, err := s.jobs.Enqueue(ctx, tx, kind, payload{imp.ID, imp.Phase}, o)
	if err != nil {
		return err
	}
	took := tx.System().Model(&importRow{}).Where("id = ? AND job_id = ?", imp.ID, imp.JobID).
		UpdateColumns(map[string]any{"job_id": id, "phase": imp.Phase, "ended": nil, "reason": 0})
	if took.Error == nil && took.RowsAffected == 0 {
		return fault.New(fault.ImportBusy)
	}
	return took.Error
}

// find reads an import of a person.
func (s *Service) find(ctx context.Context, user, id string) (imp *importRow, err error) {
	imp = &importRow{}
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("id = ? AND user_id = ?", id, user).Take(imp).Error
	})
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = fault.New(fault.ImportNotFound)
	}
	return imp, err
}

// hold keeps a phase from beginning until the end of a transaction; ImportBusy when one has begun since the import was read.
func (imp *importRow) hold(tx *store.Tx) error {
	held := tx.System().Model(&importRow{}).Where("id = ? AND job_id = ?", imp.ID, imp.JobID).UpdateColumn("job_id", imp.JobID)
	if held.Error == nil && held.RowsAffected == 0 {
		return fault.New(fault.ImportBusy)
	}
	return held.Error
}
