package backup_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/backup"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/store"
)

// account is a table whose amounts have a sum that never changes; it may hold a file.
type account struct {
	ID     string `gorm:"primaryKey;size:36"`
	Amount int64
	File   string
	Note   string
}

func (account) TableName() string { return "sl_test_account" }

// system are the tables of a small installation.
func system() []any {
	return append(append(append(authn.Tables(), blob.Tables()...), job.Tables()...), &account{})
}

// place is an installation.
type place struct {
	store.Options
	files string
}

func (p place) at(dir string) place {
	p.Dir, p.System, p.Clock = dir, system(), time.Now
	if p.files == "" {
		p.files = filepath.Join(dir, "files")
	}
	return p
}

func (p place) open(t testing.TB) (*store.DB, *blob.Service) {
	t.Helper()
	db, err := store.Open(context.Background(), p.Options)
	require.NoError(t, err)
	files, err := blob.Open(context.Background(), db, p.files, time.Now)
	require.NoError(t, err)
	return db, files
}

// make fills a new installation with accounts and closes nothing.
func (p place) make(t testing.TB, accounts int, note string) (*store.DB, *blob.Service) {
	t.Helper()
	db, files := p.open(t)
	ctx := context.Background()
	steps, err := db.Plan(ctx, plan.Storage{}, store.PlanOptions{})
	require.NoError(t, err)
	require.NoError(t, db.Apply(ctx, steps, store.ApplyOptions{}))
	for begin := 0; begin < accounts; begin += 5000 {
		require.NoError(t, db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			var rows [][]any
			for i := begin; i < min(begin+5000, accounts); i++ {
				rows = append(rows, []any{fmt.Sprintf("%08d", i), int64(100), "", note})
			}
			return tx.Note(ctx, "sl_test_account", []string{"id", "amount", "file", "note"}, rows...)
		}))
	}
	return db, files
}

func shut(t testing.TB, db *store.DB, files *blob.Service) {
	t.Helper()
	require.NoError(t, files.Close())
	require.NoError(t, db.Close())
}

func take(t testing.TB, db *store.DB, files *blob.Service, w io.Writer) (backup.Head, backup.Manifest) {
	t.Helper()
	head, m, err := backup.Take(context.Background(), source(db, files), w)
	require.NoError(t, err)
	return head, m
}

func source(db *store.DB, files *blob.Service) backup.Source {
	return backup.Source{DB: db, System: system(), Files: files, Program: "test", Clock: time.Now}
}

func (p place) target() backup.Target {
	return backup.Target{Store: p.Options, Files: p.files, Key: func(kept secret.Text) (secret.Text, error) { return kept, nil }}
}

func from(b []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
}

func accounts(t testing.TB, db *store.DB) (out []account) {
	t.Helper()
	require.NoError(t, db.Read(context.Background(), func(_ context.Context, tx *store.Tx) error { return tx.System().Order("id").Find(&out).Error }))
	return out
}

// attach gives an account a new file whose contents are its own id.
func attach(ctx context.Context, db *store.DB, files *blob.Service, id string) error {
	f, err := files.Put(ctx, blob.Upload{Name: "a.txt", Most: 1 << 20, Mime: "text/plain", Bytes: bytes.NewReader([]byte(id))})
	if err != nil {
		return err
	}
	return db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		if n, err := blob.Hold(tx, []string{f.ID}, "account", "file"); err != nil || n != 1 {
			return fmt.Errorf("held %d: %w", n, err)
		}
		return tx.System().Model(&account{}).Where("id = ?", id).Update("file", f.ID).Error
	})
}

func readFile(t testing.TB, files *blob.Service, id string) string {
	t.Helper()
	r, err := files.Read(context.Background(), blob.File{ID: id})
	require.NoError(t, err, id)
	defer r.Close()
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}

func id() string { return uuid.NewString() }

// tree lists the files below a folder with their sizes.
func tree(t testing.TB, dir string) (out []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Base(path) != "sluice.lock" {
			text, e := os.ReadFile(path)
			out = append(out, fmt.Sprintf("%s %d %x", path, len(text), text[:min(len(text), 32)]))
			err = e
		}
		return err
	}))
	return out
}
