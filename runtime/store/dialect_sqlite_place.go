package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/sluice-platform/sluice/engine/plan"
)

// pin has nothing to do: a reader sees the tables of its snapshot.
func (*sqliteDialect) pin(context.Context, conn, []string) error { return nil }

// keys: apply checks them all before it commits.
func (*sqliteDialect) keys(plan.Storage) (off, on script) { return nil, nil }

// restoring begins the name of a folder with a new database.
const restoring = "restoring-"

// folder is a database file that is made in a folder of its own, and renamed over the old one.
type folder struct {
	at, made string // folders
	o        Options
	release  func() error
}

func newFolder(ctx context.Context, o Options, forgotten func(string, bool) error) (Place, error) {
	release, err := Hold(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	f := &folder{at: o.Dir, o: o, release: release, made: filepath.Join(o.Dir, restoring+strings.ToLower(rand.Text()))}
	if err = clearFolder(o.Dir, forgotten); err == nil {
		err = os.Mkdir(f.made, 0o700)
	}
	if err != nil {
		return nil, errors.Join(err, release())
	}
	f.o.Dir = f.made
	return f, nil
}

// forgottenIn finds what killed restores left in a folder: folders with new databases, and second names of the database, of one that was to be
// replaced.
func forgottenIn(at string) (dirs, links []string, err error) {
	if dirs, err = filepath.Glob(filepath.Join(at, restoring+"*")); err != nil {
		return nil, nil, err
	}
	now, err := os.Stat(filepath.Join(at, "sluice.db"))
	if err != nil {
		return dirs, nil, nil //nolint:nilerr // there is none
	}
	kept, err := filepath.Glob(filepath.Join(at, "sluice.db.before-*"))
	for _, name := range kept {
		if other, e := os.Stat(name); e == nil && os.SameFile(now, other) {
			links = append(links, name)
		}
	}
	return dirs, links, err
}

// clearFolder removes what killed restores left. The lock of the folder is the caller's: nobody works there.
func clearFolder(at string, forgotten func(string, bool) error) error {
	dirs, links, err := forgottenIn(at)
	for _, dir := range dirs {
		if err == nil {
			_, gone := os.Stat(filepath.Join(dir, "sluice.db")) // one that was never begun has nothing else either
			err = forgotten(filepath.Base(dir), errors.Is(gone, fs.ErrNotExist))
		}
		if errors.Is(err, ErrLeave) {
			err = nil
			continue
		}
		if err == nil {
			err = os.RemoveAll(dir)
		}
	}
	for _, name := range links {
		if err == nil {
			err = os.Remove(name)
		}
	}
	return err
}

func sweepFolder(ctx context.Context, at string, held, more bool, forgotten func(string, bool) error, then func() error) error {
	dirs, links, err := forgottenIn(at)
	if err != nil || len(dirs)+len(links) == 0 && !more {
		return err
	}
	if !held {
		release, err := Hold(ctx, at)
		if errors.Is(err, ErrServed) {
			return nil
		}
		if err != nil {
			return err
		}
		defer func() { _ = release() }()
	}
	if err := clearFolder(at, forgotten); err != nil {
		return err
	}
	return then()
}

func (f *folder) Name() string { return filepath.Base(f.made) }

func (f *folder) Options() Options { return f.o }

func (f *folder) Occupied() bool {
	info, err := os.Stat(filepath.Join(f.at, "sluice.db"))
	return err == nil && info.Size() > 0
}

func (f *folder) Close() error { return errors.Join(os.RemoveAll(f.made), f.release()) }

// Swap renames: before it the name leads to all of the old database, whose log was written into it, and after it to all of the new.
func (f *folder) Swap(ctx context.Context) (string, error) {
	old, fresh := filepath.Join(f.at, "sluice.db"), filepath.Join(f.made, "sluice.db")
	if info, err := os.Stat(fresh + "-wal"); err == nil && info.Size() > 0 {
		free, err := f.alone(ctx, fresh)
		free()
		if err != nil {
			return "", fmt.Errorf("write the log of the new database into it: %w", err)
		}
	}
	if err := syncFile(fresh); err != nil {
		return "", err
	}
	kept := ""
	if f.Occupied() {
		kept = old + ".before-" + moment(f.o)
		free, err := f.alone(ctx, old)
		defer free()
		var damaged *sqlite.Error
		switch {
		case errors.As(err, &damaged) && (damaged.Code()&0xff == sqlite3.SQLITE_NOTADB || damaged.Code()&0xff == sqlite3.SQLITE_CORRUPT):
			// Why it is replaced. Its log stays beside it, for a person who wants to save something.
			if err := os.Rename(old+"-wal", kept+"-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		case err != nil:
			return "", err
		}
		if err := os.Link(old, kept); err != nil {
			return "", fmt.Errorf("keep the old database: %w", err)
		}
	}
	for _, rest := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(old + rest); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Rename(fresh, old); err != nil {
		return "", err
	}
	return kept, syncDir(f.at)
}

// alone writes the log of a database into its file and keeps all others away from it until free is called.
func (f *folder) alone(ctx context.Context, path string) (free func(), err error) {
	pool := openPool(sqliteName(path, busyTimeout, "_txlock=exclusive"))
	pool.SetMaxOpenConns(1)
	free = func() { _ = pool.Close() }
	var mode string
	if err := pool.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode); locked(err) || err == nil && mode != "delete" {
		return free, ErrInUse
	} else if err != nil {
		return free, err
	}
	tx, err := pool.BeginTx(context.WithoutCancel(ctx), nil)
	if locked(err) {
		return free, ErrInUse
	} else if err != nil {
		return free, err
	}
	return func() { _ = tx.Rollback(); _ = pool.Close() }, nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// syncDir makes names in a folder last. Not every system can; there the names last as long as those of any other program.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}
