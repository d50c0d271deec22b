package exporter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/heading"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/temporary"
)

// begins is how often an export begins again because its owner's rights change while it runs.
const begins = 5

// errRights ends a file whose owner has other rights than when it began.
var errRights = errors.New("the owner's rights changed while the file was written")

// result of a job, for its owner.
type result struct {
	Export string `json:"exportId"`
	Name   string `json:"fileName"`
	Size   int64  `json:"fileSize"`
	Rows   int64  `json:"rows"`

	Skipped int64  `json:"skipped,omitempty"`
	Missing string `json:"missing,omitempty"`
	TooWide string `json:"tooWide,omitempty"`
}

func resultOf(t task) result {
	return result{Export: t.ID, Name: t.Name, Size: t.Size, Rows: t.Rows, Skipped: t.Skipped, Missing: t.Missing, TooWide: t.TooWide}
}

// work is the job of an export. A file is begun again whenever the job is: what a run that died has written belongs to nobody.
func (s *Service) work(ctx context.Context, r *job.Run) (any, error) {
	var asked json.RawMessage
	if err := r.Decode(&asked); err != nil {
		return nil, err
	}
	var p Wanted
	if err := json.Unmarshal(asked, &p); err != nil {
		return nil, err
	}
	t, err := s.task(ctx, r.Owner, p.Task)
	if err != nil {
		return nil, err
	}
	if t.State == Done { // the process ended before the job did
		return resultOf(t), nil
	}
	if t.State == CheckError { // of an earlier run; this one may end in another way
		if err := s.note(ctx, t, Queued); err != nil {
			return nil, err
		}
	}
	err = errRights
	for n := 0; n < begins && errors.Is(err, errRights); n++ {
		err = s.attempt(ctx, r, p.Language, asked, &t)
	}
	var refused *refusal
	if errors.As(err, &refused) {
		if err := s.note(ctx, t, CheckError); err != nil {
			return nil, err
		}
		return nil, refused.err
	}
	if err != nil {
		return nil, err
	}
	return resultOf(t), nil
}

// note keeps the state of a task that has not succeeded.
func (s *Service) note(ctx context.Context, t task, state State) error {
	return s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Model(&task{}).Where("id = ? AND state <> ?", t.ID, Done).Update("state", state).Error
	})
}

// refusal is a fault that was found before anything was read.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }

func (r *refusal) Unwrap() error { return r.err }

// refused makes a refusal of a fault; other errors pass.
func refused(err error) error {
	if code := fault.Of(err); err == nil || code == 0 || code == fault.Internal {
		return err
	}
	return &refusal{err}
}

// attempt writes the file once and, when that went well, notes it in the task.
func (s *Service) attempt(ctx context.Context, r *job.Run, language string, asked json.RawMessage, t *task) error {
	maker := s.makers[t.Kind]
	if maker == nil {
		return job.Permanent(fmt.Errorf("nothing makes files of the kind %q", t.Kind))
	}
	who, ok := s.Caller(ctx, r.Owner)
	if !ok {
		return job.ErrOwner
	}
	policy := s.Policy()
	mine := who
	mine.Locale = language
	view := policy.View(mine, s.Clock(), s.Zone)
	same := func() bool {
		now, ok := s.Caller(ctx, r.Owner)
		return ok && s.Policy() == policy && reflect.DeepEqual(now, who)
	}
	m, err := maker.Begin(ctx, view, asked, r.Then(view.Catalog))
	if err != nil {
		return refused(err)
	}
	if m.Long() {
		if err := r.Belongs(job.Long); err != nil {
			return err
		}
	}
	file, err := temporary.Create()
	if err != nil {
		return err
	}
	defer file.Close()
	r.Report(0, m.Total())
	each := func() error {
		r.Report(min(m.Rows(), m.Total()), m.Total())
		if !same() {
			return errRights
		}
		return ctx.Err()
	}
	if err := m.Write(ctx, &limited{file.File, s.perFile, s.perFile}, each); err != nil {
		return err
	}
	return s.keep(ctx, r, t, m, file)
}

// prepare narrows a request to what the owner may export now.
func (s *Service) prepare(ctx context.Context, view *authz.View, p payload) (*export, error) {
	fields, err := s.Reader.ExtractFields(view, p.Request.SchemaCode, p.Request.QueryCode, Action)
	if err != nil {
		return nil, err
	}
	codes := readable(p.Columns, fields)
	if len(codes) == 0 {
		return nil, fault.New(fault.FieldUnknown)
	}
	l, err := s.Reader.ListOf(view, p.Request.SchemaCode, p.Request.QueryCode)
	if err != nil {
		return nil, err
	}
	e := &export{payload: p, request: showing(p.Request, codes), codes: codes, names: heading.Of(l.Model, heading.All(l.Model), l)}
	if e.columns, e.sheets, err = s.Reader.ExtractColumns(ctx, view, e.request, Action); err != nil {
		return nil, err
	}
	e.total, err = s.Reader.ExtractCount(ctx, view, e.request, Action)
	e.lay()
	return e, err
}

// keep moves the file to where files are, and ends the task in the same transaction in which the job saves its progress.
func (s *Service) keep(ctx context.Context, r *job.Run, t *task, m Making, from *temporary.File) error {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	f, err := s.files.Put(ctx, blob.Upload{Name: t.Name, Mime: m.Mime(), Most: s.perFile, Bytes: from})
	if err != nil {
		return err
	}
	holds, err := json.Marshal(m.Holds())
	if err != nil {
		return err
	}
	ended, rows := s.Clock().UTC(), m.Rows()
	var lacks Lacks
	if of, may := m.(Lacking); may {
		lacks = of.Lacks()
	}
	set := map[string]any{"state": Done, "file": f.ID, "size": f.Size, "rows": rows, "skipped": lacks.Skipped, "missing": lacks.Missing, "too_wide": lacks.TooWide, "columns": string(holds), "ended_at": ended}
	err = r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
		if err := blob.Take(tx, []string{f.ID}, "", holder); err != nil {
			return nil, err
		}
		r.Report(max(rows, m.Total()), max(rows, m.Total()))
		done := tx.System().Model(&task{}).Where("id = ? AND state <> ?", t.ID, Done).Updates(set)
		if done.Error == nil && done.RowsAffected == 0 {
			return nil, fault.New(fault.ExportNotFound)
		}
		return map[string]any{}, done.Error
	})
	if err != nil {
		s.files.Discard(ctx, f.ID)
		return err
	}
	t.State, t.File, t.Size, t.Rows, t.Skipped, t.Missing, t.TooWide, t.EndedAt = Done, f.ID, f.Size, rows, lacks.Skipped, lacks.Missing, lacks.TooWide, &ended
	return nil
}

// limited refuses more bytes than a file may have.
type limited struct {
	to         io.Writer
	room, most int64
}

// Write implements io.Writer.
func (l *limited) Write(b []byte) (int, error) {
	if l.room -= int64(len(b)); l.room < 0 {
		return 0, fault.New(fault.ExportTooLarge, sizeText(l.most))
	}
	return l.to.Write(b)
}
