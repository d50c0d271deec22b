package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/workflow"
	"github.com/sluice-platform/sluice/schemas"
)

// Result is what became of a scenario.
type Result struct {
	File     *File
	Steps    int // that were as they should be
	Problems diag.List
	Report   *workflow.Rehearsed // of a scenario that plays a workflow
}

// Run runs scenarios, each on a system of its own: a copy of one SQLite database with the packs of the documents. Errors are those of the
// environment and of documents that do not compile (*app.Faulty).
func Run(ctx context.Context, docs app.Documents, version string, files []*File) ([]Result, error) {
	dir, err := os.MkdirTemp("", "sluice-test-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	texts, err := refusals(docs)
	if err != nil {
		return nil, err
	}
	template := filepath.Join(dir, "template")
	if err := prepare(ctx, configOf(docs, version, template)); err != nil {
		return nil, err
	}
	out, errs := make([]Result, len(files)), make([]error, len(files))
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, f := range files {
		all.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			own := filepath.Join(dir, fmt.Sprint(i))
			if errs[i] = os.CopyFS(own, os.DirFS(template)); errs[i] == nil {
				out[i], errs[i] = runOne(ctx, configOf(docs, version, own), f, texts)
			}
			_ = os.RemoveAll(own)
		})
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[i].Path(), err)
		}
	}
	return out, nil
}

func configOf(docs app.Documents, version, dir string) app.Config {
	return app.Config{Documents: docs, Dir: dir, Idle: true, Version: version, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

// prepare makes a database with the packs' tables, indexes and rows.
func prepare(ctx context.Context, cfg app.Config) error {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return err
	}
	cfg.Clock = (&File{}).clock()
	a, err := app.Open(ctx, cfg)
	if err != nil {
		return err
	}
	err = a.CatchUp(ctx)
	if e := a.Close(); err == nil {
		err = e
	}
	return err
}

func runOne(ctx context.Context, cfg app.Config, f *File, texts map[fault.Code]diag.Text) (Result, error) {
	cfg.Clock = f.clock()
	a, err := app.Open(ctx, cfg)
	if err != nil {
		return Result{}, err
	}
	w := &world{App: a, file: f, ids: map[string]string{}, records: map[string]made{}, texts: texts}
	done := 0
	err = w.setUp(ctx)
	result := Result{File: f}
	switch {
	case err != nil || len(w.out) > 0: // what is missing would make each step fail
	case f.course != nil:
		done, result.Report, err = w.play(ctx, f.course)
	default:
		done, err = w.steps(ctx)
	}
	if e := a.Close(); err == nil {
		err = e
	}
	result.Steps, result.Problems = done, w.out
	return result, err
}

// refusals are the texts of schemas/errors.json and of the packs.
func refusals(docs app.Documents) (map[fault.Code]diag.Text, error) {
	data, err := fs.ReadFile(schemas.FS, "errors.json")
	if err != nil {
		return nil, err
	}
	var rows []struct {
		Code   fault.Code
		Zh, En string
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, fmt.Errorf("schemas/errors.json: %w", err)
	}
	out := map[fault.Code]diag.Text{}
	for _, r := range rows {
		out[r.Code] = diag.Text{Zh: r.Zh, En: r.En}
	}
	for _, name := range docs.Set.Errors.Names() {
		if d, ok := docs.Set.Errors.Get(name); ok {
			out[d.Code] = diag.Text{Zh: d.Zh, En: d.En}
		}
	}
	return out, nil
}

// steps does and checks; it returns how many steps were as they should be.
func (w *world) steps(ctx context.Context) (int, error) {
	good := 0
	for i := range w.file.Steps {
		before := len(w.out)
		if err := w.step(ctx, &w.file.Steps[i]); err != nil {
			return good, err
		}
		if len(w.out) == before {
			good++
		} else if s := w.file.Steps[i]; s.Create != "" && w.ids[s.Create] == "" {
			break // the rest is about a record that there is not
		}
	}
	return good, nil
}

// names joins a list for a message.
func names(of []string) string {
	if len(of) == 0 {
		return "[]"
	}
	return strings.Join(of, ", ")
}

// Temporary opens a system with the packs of the documents and their data, on a database that is removed when the system is closed by what
// comes back.
func Temporary(ctx context.Context, docs app.Documents, version string) (*app.App, func() error, error) {
	dir, err := os.MkdirTemp("", "sluice-rehearse-")
	if err != nil {
		return nil, nil, err
	}
	cfg := configOf(docs, version, dir)
	cfg.Clock = (&File{}).clock()
	a, err := app.Open(ctx, cfg)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	end := func() error { return errors.Join(a.Close(), os.RemoveAll(dir)) }
	if err := a.CatchUp(ctx); err != nil {
		return nil, nil, errors.Join(err, end())
	}
	return a, end, nil
}
