package app

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/backup"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/temporary"
)

// filesAt is the place of uploaded files.
func (cfg Config) filesAt() (string, error) {
	if cfg.Files == "" && cfg.Dir == "" {
		return "", errors.New("no place for files: give a folder of data, or files")
	}
	return cmp.Or(cfg.Files, filepath.Join(cfg.Dir, "files")), nil
}

// BackupOptions say how a backup is taken.
type BackupOptions struct {
	WithKey      bool // the installation's key goes into it
	AllowMissing bool // files that are missing already do not stop it
}

// ErrNoKey: there is no key that could go into a backup.
var ErrNoKey = errors.New("there is no key of the installation: set SLUICE_KEY or --key-file, or use the folder of data that holds sluice.key")

// Backup writes a copy of the installation, which may be served meanwhile.
func Backup(ctx context.Context, cfg Config, o BackupOptions, w io.Writer) (head backup.Head, m backup.Manifest, err error) {
	cfg.sweepRestores(ctx)
	cfg.Existing = true
	db, err := OpenStore(ctx, cfg)
	if err != nil {
		return head, m, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	place, err := cfg.filesAt()
	if err != nil {
		return head, m, err
	}
	files, err := blob.Open(ctx, db, place, cfg.Clock)
	if err != nil {
		return head, m, err
	}
	defer func() { err = errors.Join(err, files.Close()) }()
	src := backup.Source{DB: db, System: cfg.store().System, Files: files, Program: cfg.Version, Clock: cfg.Clock, AllowMissing: o.AllowMissing}
	if o.WithKey {
		if src.Key, err = cfg.master(false); err == nil && src.Key == "" {
			err = ErrNoKey
		}
		if err != nil {
			return head, m, err
		}
	}
	head, m, err = backup.Take(ctx, src, w)
	e := audit.Entry{Kind: audit.BackedUp, Failed: err != nil, Detail: map[string]string{"key": strconv.FormatBool(o.WithKey)}}
	noted := db.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx *store.Tx) error { return audit.Write(ctx, tx, e) })
	return head, m, errors.Join(err, noted)
}

// sweepWithin is how long a start waits for what restores left.
const sweepWithin = 5 * time.Second

// sweepRestores removes what killed restores left. Nothing depends on it, so it only tells when it cannot; the next start tries again.
func (cfg Config) sweepRestores(ctx context.Context) {
	place, err := cfg.filesAt()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sweepWithin)
	defer cancel()
	if err = backup.Sweep(ctx, backup.Target{Store: cfg.store(), Files: place}, cfg.Serving && cfg.URL == "", !cfg.Attach && !cfg.Existing); err != nil && cfg.Log != nil {
		cfg.Log.WarnContext(ctx, "what a killed restore left cannot be removed", "error", err)
	}
}

// RestoreOptions say how a backup is restored.
type RestoreOptions struct {
	Replace bool // an installation that is there may be replaced
	NewKeys bool // the key of the backup is lost
}

// Restore makes an installation of a backup.
func Restore(ctx context.Context, cfg Config, o RestoreOptions, open func() (io.ReadCloser, error)) (backup.Restored, error) {
	place, err := cfg.filesAt()
	if err != nil {
		return backup.Restored{}, err
	}
	var fresh secret.Text // from the backup, for a folder without a key
	kept := false         // it is there
	to := backup.Target{Store: cfg.store(), Files: place, Replace: o.Replace, NewKeys: o.NewKeys}
	to.Note = func(ctx context.Context, tx *store.Tx, h backup.Head) error {
		if err := channel.Restored(tx, time.Now()); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.Restored, Detail: map[string]string{"taken": h.TakenAt.Format(time.RFC3339)}})
	}
	cfg.Existing = true // make no key: it could open nothing
	to.Key = func(kept secret.Text) (secret.Text, error) {
		key, err := cfg.master(false)
		if err == nil && key == "" {
			key, fresh = kept, kept
		}
		return key, err
	}
	to.Swapping = func() error {
		if fresh == "" || cfg.Dir == "" {
			return nil
		}
		err := keepMaster(filepath.Join(cfg.Dir, masterFile), fresh)
		kept = err == nil
		return err
	}
	done, err := backup.Restore(ctx, open, to)
	if err != nil && kept { // it belongs to what was not put in place
		err = errors.Join(err, os.Remove(filepath.Join(cfg.Dir, masterFile)))
	}
	return done, err
}

// keepMaster writes a given key where there is none.
func keepMaster(path string, key secret.Text) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := temporary.CreateBeside(path)
	if err != nil {
		return err
	}
	if _, err = f.WriteString(strings.TrimSpace(key.Reveal()) + "\n"); err == nil {
		err = f.Name()
	}
	return errors.Join(err, f.Close())
}
