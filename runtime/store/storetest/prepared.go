package storetest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Template is a database that is filled once in a process and copied for each test. The zero value with Fill is ready for use.
type Template struct {
	// Fill brings an empty database to what the tests begin with, and closes it.
	Fill func(ctx context.Context, o store.Options) error

	sqlite, postgres sync.Once
	files            fstest.MapFS // of the SQLite database's folder
	database         string       // the name on PostgreSQL
	err              [2]error
}

// Each runs f with the options of a copy of the template on each kind of database.
func (p *Template) Each(t *testing.T, f func(t *testing.T, o store.Options)) {
	t.Helper()
	both(t, func(t *testing.T) { f(t, store.Options{Dir: p.SQLite(t)}) },
		func(t *testing.T) { f(t, store.Options{URL: p.Postgres(t), Dir: t.TempDir()}) })
}

// SQLite returns the folder of a copy.
func (p *Template) SQLite(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	if err := p.CopyTo(to); err != nil {
		t.Fatal(err)
	}
	return to
}

// CopyTo makes a copy on SQLite in an empty folder.
func (p *Template) CopyTo(dir string) error {
	p.sqlite.Do(func() {
		p.err[0] = inTempDir(func(dir string) error {
			if err := p.Fill(context.Background(), store.Options{Dir: dir}); err != nil {
				return err
			}
			var err error
			p.files, err = read(os.DirFS(dir))
			return err
		})
	})
	if p.err[0] != nil {
		return p.err[0]
	}
	return os.CopyFS(dir, p.files)
}

// Postgres returns the URL of a copy, where the function Postgres returns that of an empty database.
func (p *Template) Postgres(t *testing.T) string {
	t.Helper()
	return p.on(t, running(t))
}

// Shared is Postgres for a test of what only several nodes on one database do: it runs in every package.
func (p *Template) Shared(t *testing.T) string {
	t.Helper()
	return p.on(t, server(t))
}

func (p *Template) on(t *testing.T, c *cluster) string {
	t.Helper()
	p.postgres.Do(func() {
		p.database = c.name()
		c.exec(t, "CREATE DATABASE "+p.database)
		p.err[1] = inTempDir(func(dir string) error {
			return p.Fill(context.Background(), store.Options{URL: pooled(c.url(p.database)), Dir: dir})
		})
	})
	if p.err[1] != nil {
		t.Fatal(p.err[1])
	}
	return c.database(t, " TEMPLATE "+p.database)
}

func inTempDir(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "sluice-template")
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}

// read keeps the files of a folder in memory.
func read(from fs.FS) (fstest.MapFS, error) {
	out := fstest.MapFS{}
	return out, fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		data, err := fs.ReadFile(from, name)
		out[name] = &fstest.MapFile{Data: data, Mode: info.Mode()}
		return err
	})
}
