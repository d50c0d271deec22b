package importer

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/temporary"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// Right is the list action that offers imports, and the right to them.
const Right = "import"

// Kinds of jobs.
const (
	jobImport = "import"
	jobUndo   = "import_undo"
)

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
}

// New makes a Service; Use gives it its queue.
func New(c Config) *Service { return &Service{Config: c} }

// Use gives the queue that does the imports.
func (s *Service) Use(q *job.Queue) { s.jobs = q }

// Workers do the jobs, by kind.
func (s *Service) Workers() map[string]job.Worker {
	return map[string]job.Worker{jobImport: job.WorkerFunc(s.work), jobUndo: job.WorkerFunc(s.workUndo)}
}

// Uploaded is a file that waits for its import.
type Uploaded struct {
	FileName string   `json:"fileName"` // names the file in later calls
	Original string   `json:"originalFilename"`
	Size     int64    `json:"size"`
	Sheets   []string `json:"sheets"`
	Rows     int      `json:"rows"` // of the first sheet as the file says, 0 = not known
	// Encodings are, of a text file, the encoding that it is read in, and then others that it may be in just as well.
	Encodings []string `json:"encodings"`
	// Choices are the encodings that a text file can be said to be in.
	Choices []string `json:"encodingChoices"`
}

// Upload looks into a file and keeps it. What cannot be read is refused here, with the reason. Last is that of blob.Upload.
func (s *Service) Upload(ctx context.Context, view *authz.View, name string, bytes io.Reader, last func(blob.File) error) (Uploaded, error) {
	tmp, size, err := spool(io.LimitReader(bytes, mostBytes+1))
	if err != nil {
		return Uploaded{}, err
	}
	defer tmp.Close()
	if size > mostBytes {
		return Uploaded{}, fault.New(fault.FileTooLarge, blob.SizeText(mostBytes))
	}
	book, err := workbook.Open(ctx, name, tmp, size, workbook.Usual)
	if err != nil {
		return Uploaded{}, uploadRefusal(name, err)
	}
	defer book.Close()
	out := Uploaded{Original: fileTitle(name), Size: size, Sheets: []string{}, Encodings: []string{}, Choices: []string{}}
	for _, sheet := range book.Sheets() {
		out.Sheets = append(out.Sheets, sheet.Name)
	}
	if len(out.Sheets) == 0 {
		return Uploaded{}, fault.New(fault.WorkbookNoSheet)
	}
	out.Rows = book.Extent(0)
	if found := book.Encodings(); len(found) > 0 {
		out.Encodings, out.Choices = found, workbook.Encodings()
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return Uploaded{}, err
	}
	f, err := s.Files().Put(ctx, blob.Upload{Name: keptName(name), By: view.User(), Most: mostBytes, Bytes: tmp, Last: last})
	out.FileName = f.ID
	return out, err
}

// keptName is the name under which a workbook is kept: files with macros are read like others, and kept as what is read of them.
func keptName(name string) string {
	if base, ok := strings.CutSuffix(name, ".xlsm"); ok {
		return base + ".xlsx"
	}
	return name
}

// DeleteUpload removes an upload that no import uses.
func (s *Service) DeleteUpload(ctx context.Context, view *authz.View, id string) error {
	if _, err := s.upload(ctx, view.User(), id); err != nil {
		return err
	}
	used := int64(0)
	err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&importRow{}).Where("file_id = ?", id).Count(&used).Error
	})
	if err != nil || used > 0 {
		return err // an import's file goes with the import
	}
	s.Files().Discard(ctx, id)
	return nil
}

// Holds reports whether an import still needs a file.
func (s *Service) Holds(tx *store.Tx, id string) (bool, error) {
	var n int64
	err := tx.System().Model(&importRow{}).Where("file_id = ?", id).Count(&n).Error
	return n > 0, err
}

// upload finds a file that somebody has uploaded.
func (s *Service) upload(ctx context.Context, user, id string) (f blob.File, err error) {
	if _, err := uuid.Parse(id); err != nil {
		return f, fault.New(fault.ImportFileGone)
	}
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		files, err := blob.Files(tx, []string{id})
		f = files[id]
		return err
	})
	if err == nil && (f.ID == "" || f.CreatedBy != user) {
		err = fault.New(fault.ImportFileGone)
	}
	return f, err
}

// spool copies bytes into a temporary file: archives are read from their end.
func spool(from io.Reader) (*temporary.File, int64, error) {
	f, err := temporary.Create()
	if err != nil {
		return nil, 0, err
	}
	n, err := io.Copy(f, from)
	if err != nil {
		_ = f.Close()
	}
	return f, n, err
}

// open opens the file of an import.
func (s *Service) open(ctx context.Context, imp *importRow) (*workbook.Book, func(), error) {
	f, err := s.upload(ctx, imp.UserID, imp.FileID)
	if err != nil {
		return nil, nil, err
	}
	bytes, err := s.Files().Read(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	defer bytes.Close()
	tmp, size, err := spool(bytes)
	if err != nil {
		return nil, nil, err
	}
	book, err := workbook.OpenAs(ctx, f.Name, imp.Encoding, tmp, size, workbook.Usual)
	if err != nil {
		_ = tmp.Close()
		return nil, nil, refusal(err)
	}
	return book, func() { _ = book.Close(); _ = tmp.Close() }, nil
}

// refusals are the faults for what a file is refused for.
var refusals = map[workbook.Why]fault.Code{
	workbook.NotASpreadsheet: fault.WorkbookKind, workbook.WrongExtension: fault.WorkbookKind, workbook.OldFormat: fault.WorkbookOld, workbook.Foreign: fault.WorkbookForeign,
	workbook.Encrypted: fault.WorkbookEncrypted, workbook.Broken: fault.WorkbookBroken, workbook.TooLarge: fault.WorkbookTooLarge,
	workbook.TooManyRows: fault.ImportTooManyRows, workbook.TooManyColumns: fault.WorkbookTooManyColumns, workbook.DTD: fault.WorkbookUnsafe,
	workbook.NoSheet: fault.WorkbookNoSheet, workbook.TooSlow: fault.WorkbookSlow, workbook.WrongEncoding: fault.WorkbookEncoding,
}

// foreign are contents that other programs write under the ending of a spreadsheet, and how people call them.
var foreign = map[any]string{"html": "HTML", "xml": "XML"}

// uploadRefusal calls tables in other formats by their names.
func uploadRefusal(name string, err error) error {
	var r *workbook.Refusal
	if ext := strings.ToLower(filepath.Ext(name)); errors.As(err, &r) && r.Why == workbook.NotASpreadsheet && len(r.Args) > 0 && strings.HasPrefix(ext, ".xls") {
		if format, known := foreign[r.Args[0]]; known {
			return fault.Wrap(err, fault.WorkbookForeign, format)
		}
	}
	return refusal(err)
}

func refusal(err error) error {
	var r *workbook.Refusal
	if !errors.As(err, &r) {
		return err
	}
	if r.Why == workbook.TooManyRows && len(r.Args) > 0 {
		return tooManyRows(err, r.Args[0])
	}
	code, ok := refusals[r.Why]
	if !ok {
		code = fault.WorkbookBroken
	}
	return fault.Wrap(err, code, r.Args...)
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
	Sheet      int    `json:"sheet"`      // of Uploaded.Sheets
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

// fileTitle is the name of an upload as people read it: without folders and control characters, of at most 200 characters.
func fileTitle(name string) string {
	name = filepath.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, name)
	if runes := []rune(name); len(runes) > 200 {
		return string(runes[:200])
	}
	return name
}

// newImport reads a request.
func (s *Service) newImport(view *authz.View, l *catalog.List, req Request) (*importRow, error) {
	imp := &importRow{ID: uuid.Must(uuid.NewV7()).String(), Model: l.Model.Code, List: l.Code, UserID: view.User(), UserName: view.Principal().Name,
		FileName: fileTitle(req.Original), Sheet: req.Sheet, Mode: req.Mode, Clear: req.ClearEmpty, Replace: req.ReplaceLines, Locale: view.Principal().Locale, Args: "[]", Head: "{}", Encoding: req.Encoding}
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
	if imp.Sheet < 0 {
		return nil, fault.New(fault.BadParameter, "sheet")
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

func (imp *importRow) head() (h head, err error) {
	err = json.Unmarshal([]byte(imp.Head), &h)
	return h, err
}

// required are the properties that a new record must have and that nothing fills in.
func missing(columns []Column, h head) []string {
	var out []string
	for _, c := range columns {
		f := c.Field
		if c.Sheet != nil || !f.Required || f.Default != nil || f.RequiredIf != nil && !plan.IsTrue(f.RequiredIf) {
			continue
		}
		if !h.has(f.Code) {
			out = append(out, f.Code)
		}
	}
	return out
}

func (h head) has(code string) bool {
	for _, c := range h.Columns {
		if c.Code == code {
			return true
		}
	}
	return false
}

// How long what an import keeps is kept: the rows that wait for correction, and what a dry run shows. What was written stays noted.
const (
	keepRows = 30 * 24 * time.Hour
	keepDry  = 24 * time.Hour
)

// release lets go of the file of an import that has read it to its end.
func (s *Service) release(ctx context.Context, imp *importRow) error {
	if imp.FileID == "" {
		return nil
	}
	err := s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&importRow{}).Where("file_id = ?", imp.FileID).UpdateColumn("file_id", "").Error
	})
	if err == nil {
		s.Files().Discard(ctx, imp.FileID)
	}
	return err
}

// Sweep removes dry runs of yesterday, and the rows and files of imports that nobody corrects any more. It returns how many imports that was.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	now := s.Clock().UTC()
	var gone int64
	return gone, s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		gone = 0
		old := func() *gorm.DB {
			return tx.System().Model(&importRow{}).Where("at < ? OR phase = ? AND at < ?", now.Add(-keepRows), checking, now.Add(-keepDry))
		}
		var ids []string
		if err := old().Where("file_id <> '' OR failed + skipped + kept > 0 OR phase = ?", checking).Order("at").Limit(200).Pluck("id", &ids).Error; err != nil || len(ids) == 0 {
			return err
		}
		gone = int64(len(ids))
		if err := tx.System().Where("import_id IN ?", ids).Delete(&keptRow{}).Error; err != nil {
			return err
		}
		if err := tx.System().Where("id IN ? AND phase = ?", ids, checking).Delete(&importRow{}).Error; err != nil {
			return err
		}
		return tx.System().Model(&importRow{}).Where("id IN ?", ids).UpdateColumns(map[string]any{"file_id": "", "failed": 0, "skipped": 0, "kept": 0}).Error
	})
}
