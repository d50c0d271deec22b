package app_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/backup"
	"github.com/sluice-platform/sluice/runtime/seed"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// shipLock has all divisions: a move between databases passes many rows at a time. Only the moves need them.
var shipLock = apptest.Of(base.Register, "../../examples/ship-lock")

func shipLockConfig(t *testing.T, o store.Options) app.Config {
	documents := app.Documents{
		Set: setOf(t, base.Register), Dirs: []string{"../../examples/ship-lock"}, Zone: time.FixedZone("CST", 8*3600),
	}
	return app.Config{
		Documents: documents, URL: o.URL, Dir: o.Dir, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Idle: true,
	}
}

// contents are all rows of all tables as texts, those that a copy leaves out excepted.
func contents(t *testing.T, a *app.App) map[string][]string {
	out := map[string][]string{}
	require.NoError(t, a.Store().Snapshot(t.Context(), a.SystemTables(), func(s *store.Snapshot) error {
		for _, table := range s.Tables {
			switch table.Name {
			case "sl_secret", "sl_setting", "sl_guess", "sl_session", "sl_refresh", "sl_login_key", "sl_file_pause", "sl_audit":
				continue
			}
			err := s.Rows(t.Context(), table, func(row []any) error {
				text := ""
				for _, v := range row {
					if at, ok := v.(time.Time); ok {
						v = at.UnixMilli()
					}
					text += fmt.Sprintf("%v|", v)
				}
				out[table.Name] = append(out[table.Name], text)
				return nil
			})
			if err != nil {
				return err
			}
			slices.Sort(out[table.Name])
		}
		return nil
	}))
	return out
}

// TestBackupMovesBetweenDatabases: an installation moves from SQLite to PostgreSQL and back and is as it was. Its people keep their
// passwords, its tokens end.
func TestBackupMovesBetweenDatabases(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cfg := shipLockConfig(t, store.Options{Dir: shipLock.SQLite(t)})
	a, err := app.Open(ctx, cfg)
	require.NoError(t, err)
	c := a.State().Catalog
	for _, model := range []string{"inspection", "site"} {
		require.NoError(t, seed.Fill(ctx, a.Store(), c, c.Model(model), 200, func(int) {}))
	}
	id, err := a.AddUser(ctx, "zhang.wei", "张伟", []string{"administrator"})
	require.NoError(t, err)
	_, err = a.SetPassword(ctx, "zhang.wei", "Long-Enough-1x", false)
	require.NoError(t, err)
	token, err := a.Auth().ScriptToken(ctx, id, "nightly", time.Hour)
	require.NoError(t, err)
	signing := tokenKey(t, a)
	before := contents(t, a)
	require.GreaterOrEqual(t, len(before["d_inspection"]), 200)
	for _, table := range []string{"d_inspection__parties", "d_inspection__items", "sl_credential", "sl_history", "sl_meta"} {
		require.NotEmpty(t, before[table], table)
	}
	require.NoError(t, a.Close())

	for _, to := range []store.Options{{URL: storetest.Postgres(t), Dir: t.TempDir()}, {Dir: t.TempDir()}} {
		file := filepath.Join(t.TempDir(), "x.tar.gz")
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o600)
		require.NoError(t, err)
		_, _, err = app.Backup(ctx, cfg, app.BackupOptions{WithKey: true}, f)
		require.NoError(t, err)
		require.NoError(t, f.Close())

		cfg = shipLockConfig(t, to)
		open := func() (io.ReadCloser, error) { return os.Open(file) }
		done, err := app.Restore(ctx, cfg, app.RestoreOptions{}, open)
		require.NoError(t, err)
		require.Empty(t, done.Kept)
		a, err := app.Open(ctx, cfg)
		require.NoError(t, err)
		require.Equal(t, before, contents(t, a))
		pending, err := a.Store().Pending(ctx)
		require.NoError(t, err)
		require.Empty(t, pending, "the indexes are there")
		_, err = a.Auth().Authenticate(ctx, token)
		require.Error(t, err, "tokens of the original end")
		require.NotEqual(t, signing, tokenKey(t, a), "and others cannot be made with its key")
		require.NoError(t, a.Close())

		_, err = app.Restore(ctx, cfg, app.RestoreOptions{}, open)
		require.ErrorIs(t, err, backup.ErrOccupied)
	}
}

// TestRestoreNeedsTheKey: without the key that the backup was sealed with, nothing is restored, unless new keys are wanted.
func TestRestoreNeedsTheKey(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cfg := app.Config{Documents: app.Documents{Set: pluginSet(t), Zone: time.UTC}, Dir: embedded.SQLite(t), Clock: time.Now, Log: slog.New(slog.DiscardHandler), Idle: true}
	a, err := app.Open(ctx, cfg)
	require.NoError(t, err)
	require.NoError(t, a.Close())
	var out bytes.Buffer
	_, _, err = app.Backup(ctx, cfg, app.BackupOptions{}, &out)
	require.NoError(t, err)
	key, err := os.ReadFile(filepath.Join(cfg.Dir, "sluice.key"))
	require.NoError(t, err)
	require.NotContains(t, unzipped(t, out.Bytes()), strings.TrimSpace(string(key)))

	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(out.Bytes())), nil }
	cfg.Dir = t.TempDir()
	_, err = app.Restore(ctx, cfg, app.RestoreOptions{}, open)
	require.ErrorIs(t, err, authn.ErrNoMaster)
	require.ErrorContains(t, err, "--new-keys")
	require.NoFileExists(t, filepath.Join(cfg.Dir, "sluice.db"))
	wrong := cfg
	wrong.Key = "another key that is long enough to be one"
	_, err = app.Restore(ctx, wrong, app.RestoreOptions{}, open)
	require.ErrorIs(t, err, authn.ErrMaster)
	_, err = app.Restore(ctx, cfg, app.RestoreOptions{NewKeys: true}, open)
	require.NoError(t, err)
	a, err = app.Open(ctx, cfg)
	require.NoError(t, err)
	require.NoError(t, a.Close())
}

func unzipped(t *testing.T, b []byte) string {
	z, err := gzip.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

func pluginSet(t *testing.T) *pack.Set { return setOf(t, plugintest.Register) }

func setOf(t *testing.T, register pack.Registrar) *pack.Set {
	set := &pack.Set{}
	require.NoError(t, register(set))
	set.Freeze()
	return set
}

// tokenKey is the key that signs tokens, as it is stored.
func tokenKey(t *testing.T, a *app.App) (key []byte) {
	require.NoError(t, a.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Raw("SELECT value FROM sl_secret WHERE name = 'token'").Row().Scan(&key)
	}))
	require.NotEmpty(t, key)
	return key
}
