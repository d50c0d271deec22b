package exporter

import (
	"context"
	"encoding/json"
	"io"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Maker makes files of one kind. The service asks it within a job, with the rights that the owner of the task has then, and again from the
// beginning when these change.
type Maker interface {
	// Kind is the word of its jobs and tasks.
	Kind() string
	// Begin narrows what was asked, in the codes of then, to what the view may have. A fault ends the task as CheckError.
	Begin(ctx context.Context, view *authz.View, asked json.RawMessage, then names.Reading) (Making, error)
	// Readable refuses a file whose owner may no longer read what it holds: a list of a model, and what Making.Holds said.
	Readable(view *authz.View, model, list string, holds []string) error
}

// Making is a file while it is made.
type Making interface {
	Mime() string
	Total() int64    // records, as far as they can be counted before
	Long() bool      // it takes more than a few seconds
	Rows() int64     // records that are written; each of Write may call it
	Holds() []string // what the file shows, for Readable
	// Write writes the file. It calls each now and then, and ends with its error.
	Write(ctx context.Context, to io.Writer, each func() error) error
}

// Lacks is what a file does not show of what was asked for.
type Lacks struct {
	Skipped int64  // records that were asked for and are not in it
	Missing string // characters that no font here has: the sign for it stands for each
	TooWide string // figures that no box had room for, a line each: ### stands for each
}

// Lacking is a Making whose file may lack something. It is asked when the file is written.
type Lacking interface{ Lacks() Lacks }

// Add lets the service make files of a further kind. It is called before the first task.
func (s *Service) Add(m Maker) { s.makers[m.Kind()] = m }

// Order asks for a file of a further kind.
type Order struct {
	Kind        string
	Model, List string
	Name        string // of the file
	Title       job.Title
	Subject     string // of the audit log, with About in words
	About       string
	Entry       audit.Kind
	Detail      map[string]string
}

// Wanted is what every payload begins with.
type Wanted struct {
	Task     string `json:"task"`
	Language string `json:"language"` // of the file: zh or en
}

// Order enqueues the making of a file. What the maker is asked is told the id of its task.
func (s *Service) Order(ctx context.Context, view *authz.View, o Order, asked func(Wanted) any) (*Started, error) {
	t := task{ID: uuid.Must(uuid.NewV7()).String(), Owner: view.User(), Kind: o.Kind, Model: o.Model, List: o.List, Name: o.Name, Columns: "[]", State: Queued, CreatedAt: s.Clock().UTC()}
	payload := asked(Wanted{t.ID, view.Principal().Locale})
	err := s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return s.enqueue(ctx, tx, &t, o, payload) })
	if err != nil {
		return nil, err
	}
	return &Started{ID: t.ID, JobID: t.JobID, Name: t.Name}, nil
}

// enqueue keeps a task with its job, and notes it in the audit log.
func (s *Service) enqueue(ctx context.Context, tx *store.Tx, t *task, o Order, payload any) (err error) {
	if err := s.room(ctx, tx, t.Owner); err != nil {
		return err
	}
	if t.JobID, err = s.jobs.Enqueue(ctx, tx, o.Kind, payload, job.Options{Owner: t.Owner, Subject: t.Model, Title: o.Title}); err != nil {
		return err
	}
	if err := tx.System().Create(t).Error; err != nil {
		return err
	}
	return audit.Write(ctx, tx, audit.Entry{Kind: o.Entry, Actor: t.Owner, Subject: o.Subject, About: o.About, Detail: o.Detail})
}

// lists makes the files that show what a list shows.
type lists struct{ *Service }

// Kind implements Maker.
func (lists) Kind() string { return Action }

// Begin implements Maker.
func (l lists) Begin(ctx context.Context, view *authz.View, asked json.RawMessage, then names.Reading) (Making, error) {
	var p payload
	if err := json.Unmarshal(asked, &p); err != nil {
		return nil, err
	}
	if err := p.now(then, view.Catalog); err != nil {
		return nil, err
	}
	e, err := l.prepare(ctx, view, p)
	if err != nil {
		return nil, err
	}
	return &listing{export: e, s: l.Service, view: view}, nil
}

// Readable implements Maker.
func (l lists) Readable(view *authz.View, model, list string, holds []string) error {
	fields, err := l.Reader.ExtractFields(view, model, list, Action)
	if err != nil || len(readable(holds, fields)) < len(holds) {
		return fault.Wrap(err, fault.ExportRights)
	}
	return nil
}

// listing is the file of a list while it is made.
type listing struct {
	*export
	s    *Service
	view *authz.View
}

var mimes = map[string]string{xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", csv: "text/csv"}

// Mime implements Making.
func (l *listing) Mime() string { return mimes[l.FileType] }

// longRows is how many rows make a file that takes more than a few seconds.
const longRows = 5000

// Long implements Making.
func (l *listing) Long() bool { return l.total > longRows }

// Total implements Making.
func (l *listing) Total() int64 { return l.total }

// Rows implements Making.
func (l *listing) Rows() int64 { return l.rows.Load() }

// Holds implements Making.
func (l *listing) Holds() []string { return l.codes }

// Write implements Making.
func (l *listing) Write(ctx context.Context, to io.Writer, each func() error) error {
	l.each = each
	return l.s.write(ctx, l.view, to, l.export)
}

// now gives what was asked the codes of now. Fields that are gone are left out; without any there is nothing to export.
func (p *payload) now(then names.Reading, c *catalog.Catalog) (err error) {
	if then.Now() {
		return nil
	}
	if p.Request, err = p.Request.Now(then, c); err != nil {
		return err
	}
	was := p.Columns
	if p.Columns = query.ColumnsNow(then, c.Model(p.Request.SchemaCode), was); len(p.Columns) == 0 && len(was) > 0 {
		return fault.New(fault.RequestGone, was[0])
	}
	return nil
}
