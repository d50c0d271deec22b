package command

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/backup"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/temporary"
)

// storage are the flags of commands that copy an installation.
type storage struct {
	database
	Files string `help:"Storage of uploaded files, as for serve. Defaults to files in --data."`
}

func (s storage) config(io console) (app.Config, error) {
	cfg, err := config(s.database, packs{Timezone: "UTC"}, io, newLogger(io.err, "warn", "text"))
	cfg.Files = s.Files
	return cfg, err
}

type backupCmd struct {
	storage
	File         string `arg:"" help:"File to write; it must not exist."`
	Verify       bool   `help:"Check an existing backup instead: read all of it and compare every checksum and count."`
	WithKey      bool   `help:"Include the installation's key. Whoever has the file can then sign in as anybody: encrypt it."`
	AllowMissing bool   `help:"Go on when uploaded files are missing in the storage, and list them in the backup."`
}

// Help is shown by `sluice backup --help`.
func (backupCmd) Help() string {
	return `Copies the database and the uploaded files into one file, as they are at one moment, while servers go on. The file can be restored on SQLite
and on PostgreSQL. It holds no sessions, no tokens and, without --with-key, not the installation's key: keep that apart.

Example:
  sluice backup --data ./data /backup/sluice-2026-11-23.tar.gz
  sluice backup --verify /backup/sluice-2026-11-23.tar.gz`
}

func (c *backupCmd) Run(ctx context.Context, io console) error {
	if c.Verify {
		return c.verify(io)
	}
	cfg, err := c.config(io)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(c.File); err == nil {
		return usageError{fmt.Errorf("%s exists already", c.File)}
	}
	f, err := temporary.CreateBeside(c.File)
	if err != nil {
		return err
	}
	sum := sha256.New()
	begun := time.Now()
	head, m, err := app.Backup(ctx, cfg, app.BackupOptions{WithKey: c.WithKey, AllowMissing: c.AllowMissing}, both(f, sum))
	if err == nil {
		err = cmp.Or(f.Chmod(0o600), f.Name())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	for _, id := range m.Missing {
		fmt.Fprintf(io.err, "warning: the uploaded file %s is missing\n", id)
	}
	_, err = fmt.Fprintf(io.out, "%s: %s, in %s\nSHA-256 %x\n", c.File, contents(head, m), time.Since(begun).Round(time.Millisecond), sum.Sum(nil))
	return err
}

func both(a, b io.Writer) io.Writer { return io.MultiWriter(a, b) }

func (c *backupCmd) verify(io console) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	head, m, err := backup.Verify(f)
	if err != nil {
		return refusedBackup(c.File, err)
	}
	_, err = fmt.Fprintf(io.out, "%s is whole: %s, taken %s by Sluice %s\n", c.File, contents(head, m), head.TakenAt.Format(time.RFC3339), head.Program)
	return err
}

func contents(h backup.Head, m backup.Manifest) string {
	rows := int64(0)
	for _, n := range m.Rows {
		rows += n
	}
	key := ""
	if h.Key {
		key = ", with the installation's key"
	}
	return fmt.Sprintf("%d tables, %d rows, %d files (%s)%s", len(m.Rows), rows, m.Files, blob.SizeText(m.Bytes), key)
}

// faultyBackup is a failure that another backup, another program or other flags would not have.
type faultyBackup struct{ error }

func (f faultyBackup) Unwrap() error { return f.error }

func refusedBackup(file string, err error) error {
	var version *backup.VersionError
	if errors.Is(err, backup.ErrDamaged) || errors.As(err, &version) || errors.Is(err, backup.ErrOccupied) {
		return faultyBackup{fmt.Errorf("%s: %w", file, err)}
	}
	return err
}

type restoreCmd struct {
	storage
	File    string `arg:"" help:"Backup to restore."`
	Replace bool   `help:"Replace the installation that is there. Its database is kept beside the new one."`
	NewKeys bool   `help:"Restore without the installation's key, when it is lost: new keys are made at the next start."`
}

// Help is shown by `sluice restore --help`.
func (restoreCmd) Help() string {
	return `Checks the whole backup, makes its database beside what is there, and puts it in place in one step: whatever happens before, nothing has
changed. No server may run. The key of the installation must be the one that the backup was made with. All sessions and tokens end.

Example:
  sluice restore --data ./restored /backup/sluice-2026-11-23.tar.gz
  sluice restore --db postgres://sluice@localhost/sluice --data ./data --replace /backup/sluice-2026-11-23.tar.gz`
}

func (c *restoreCmd) Run(ctx context.Context, io console) error {
	cfg, err := c.config(io)
	if err != nil {
		return err
	}
	done, err := app.Restore(ctx, cfg, app.RestoreOptions{Replace: c.Replace, NewKeys: c.NewKeys}, opening(c.File))
	if err != nil {
		return refusedBackup(c.File, err)
	}
	if done.Kept != "" {
		where := "schema " + done.Kept
		if c.DB == "" {
			where = filepath.Base(done.Kept) + " in " + c.Data
		}
		fmt.Fprintf(io.out, "the old database is kept: %s\n", where)
	}
	_, err = fmt.Fprintf(io.out, "restored: %s, taken %s. Start the server with the packs of that time.\n", contents(done.Head, done.Manifest), done.Head.TakenAt.Format(time.RFC3339))
	return err
}

func opening(file string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return os.Open(file) }
}
