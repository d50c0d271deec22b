package exporter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Task is an export as its owner sees it.
type Task struct {
	ID, JobID string
	Kind      string // of its maker: Action, or another
	Name      string // of the file
	Model     string
	List      string
	Label     plan.Label // of the model
	Size      int64      // bytes
	Rows      int64
	State     State
	Ahead     int // of one that waits: how many jobs are taken up before it
	Done      int64
	Total     int64 // 0 = not known
	Code      fault.Code
	Args      []any
	Lacks     Lacks // of one that is done
	CreatedAt time.Time
	EndedAt   *time.Time
}

// Ended reports whether nothing will change by itself any more.
func (t Task) Ended() bool { return t.State != Queued && t.State != Running }

// task is an export of a person; other people's do not exist.
func (s *Service) task(ctx context.Context, owner, id string) (t task, err error) {
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		found := tx.System().Where("id = ? AND owner = ?", id, owner).Limit(1).Find(&t)
		if found.Error == nil && found.RowsAffected == 0 {
			return fault.New(fault.ExportNotFound)
		}
		return found.Error
	})
	return t, err
}

// stand is a task with its state and its job. What has not succeeded is as its job is: a process that dies tells its tasks nothing.
func (s *Service) stand(ctx context.Context, t task) (task, State, job.Job, error) {
	if t.State == Done {
		return t, Done, job.Job{}, nil
	}
	j, err := s.jobs.Get(ctx, t.Owner, t.JobID)
	switch {
	case fault.Of(err) == fault.JobNotFound:
		return t, Exception, j, nil
	case err != nil:
		return t, "", j, err
	}
	switch j.State {
	case job.Queued:
		return t, Queued, j, nil
	case job.Running:
		return t, Running, j, nil
	}
	// The job has ended, and what it says of its task is written before that: the task may have been read before both.
	if t, err = s.task(ctx, t.Owner, t.ID); err != nil {
		return t, "", j, err
	}
	switch {
	case t.State == Done || t.State == CheckError:
		return t, t.State, j, nil
	case j.State == job.Failed && (j.Code == fault.Internal || j.Code == 0):
		return t, Exception, j, nil
	}
	return t, Failed, j, nil
}

func (s *Service) told(ctx context.Context, view *authz.View, read task) (Task, error) {
	t, state, j, err := s.stand(ctx, read)
	if err != nil {
		return Task{}, err
	}
	out := Task{ID: t.ID, JobID: t.JobID, Kind: t.Kind, Name: t.Name, Model: t.Model, List: t.List, Size: t.Size, Rows: t.Rows, CreatedAt: t.CreatedAt.UTC(), EndedAt: t.EndedAt,
		State: state, Label: plan.Label{Zh: t.Model}, Done: t.Rows, Total: t.Rows, Lacks: Lacks{t.Skipped, t.Missing, t.TooWide}}
	if m := view.Model(t.Model); m != nil {
		out.Label = m.Label
	}
	if state != Done {
		out.Ahead, out.Done, out.Total, out.Code, out.Args = j.Ahead, j.Done, j.Total, j.Code, j.Args
		out.EndedAt = j.Finished
	}
	return out, nil
}

// Progress is how far an export of the caller is.
func (s *Service) Progress(ctx context.Context, view *authz.View, id string) (Task, error) {
	t, err := s.task(ctx, view.User(), id)
	if err != nil {
		return Task{}, err
	}
	return s.told(ctx, view, t)
}

// Tasks are the caller's exports, newest first, whose file names contain a text.
func (s *Service) Tasks(ctx context.Context, view *authz.View, name string, page, size int) (out []Task, total int64, err error) {
	var found []task
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		q := tx.System().Model(&task{}).Where("owner = ?", view.User())
		if name = strings.TrimSpace(name); name != "" {
			q = q.Where(`lower(name) LIKE ? ESCAPE '\'`, "%"+like.Replace(strings.ToLower(name))+"%")
		}
		if err := q.Count(&total).Error; err != nil {
			return err
		}
		return q.Order("created_at DESC, id DESC").Offset(page * size).Limit(size).Find(&found).Error
	})
	if err != nil {
		return nil, 0, err
	}
	out = []Task{}
	for _, t := range found {
		one, err := s.told(ctx, view, t)
		if fault.Of(err) == fault.ExportNotFound { // deleted since
			total--
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		out = append(out, one)
	}
	return out, total, nil
}

var like = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Delete removes an export of the caller that has succeeded, with its file.
func (s *Service) Delete(ctx context.Context, view *authz.View, id string) error {
	t, err := s.task(ctx, view.User(), id)
	if err != nil {
		return err
	}
	if t.State != Done {
		return fault.New(fault.ExportNotDone)
	}
	return s.remove(ctx, t)
}

func (s *Service) remove(ctx context.Context, t task) error {
	err := s.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		gone := tx.System().Where("id = ?", t.ID).Delete(&task{})
		if gone.Error != nil || t.File == "" {
			return gone.Error
		}
		return blob.Drop(tx, []string{t.File}, holder)
	})
	if err == nil && t.File != "" && s.files != nil {
		s.files.Discard(ctx, t.File)
	}
	return err
}

// File opens the file of an export of the caller. What it holds must still be readable for them.
func (s *Service) File(ctx context.Context, view *authz.View, id string) (f blob.File, bytes io.ReadSeekCloser, err error) {
	t, err := s.task(ctx, view.User(), id)
	if err != nil {
		return f, nil, err
	}
	if t.State != Done {
		return f, nil, fault.New(fault.ExportNotDone)
	}
	var columns []string
	if err := json.Unmarshal([]byte(t.Columns), &columns); err != nil {
		return f, nil, fmt.Errorf("columns of the export %s: %w", t.ID, err)
	}
	maker := s.makers[t.Kind]
	if maker == nil {
		return f, nil, fault.New(fault.ExportRights)
	}
	if err := maker.Readable(view, t.Model, t.List, columns); err != nil {
		return f, nil, err
	}
	err = s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		all, err := blob.Files(tx, []string{t.File})
		f = all[t.File]
		return err
	})
	if err != nil {
		return f, nil, err
	}
	if f.ID == "" {
		return f, nil, fault.New(fault.FileNotFound)
	}
	f.Name = t.Name
	if bytes, err = s.files.Read(ctx, f); err != nil {
		return f, nil, err
	}
	err = s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.Downloaded, Actor: view.User(), Subject: t.List, Detail: map[string]string{"file": t.Name}})
	})
	if err != nil { // what cannot be logged is not handed out
		return f, nil, errors.Join(err, bytes.Close())
	}
	return f, bytes, nil
}

// sweepAtOnce is how many tasks Sweep removes in one go.
const sweepAtOnce = 200

// Sweep removes exports that are older than they are kept, with their files. It returns their number.
func (s *Service) Sweep(ctx context.Context) (gone int, err error) {
	for {
		var old []task
		err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Where("created_at < ?", s.Clock().UTC().Add(-s.Keep)).Order("created_at").Limit(sweepAtOnce).Find(&old).Error
		})
		if err != nil {
			return gone, err
		}
		for _, t := range old {
			if err := s.remove(ctx, t); err != nil {
				return gone, err
			}
			gone++
		}
		if len(old) < sweepAtOnce {
			return gone, nil
		}
	}
}
