package backup_test

import (
	"context"
	"database/sql"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// left is what restores have beside the installation: new databases and lists of files.
func (p place) left(t testing.TB) []string {
	t.Helper()
	files, err := blob.Open(context.Background(), nil, p.files, time.Now)
	require.NoError(t, err)
	out, err := files.Lists(context.Background())
	require.NoError(t, err)
	require.NoError(t, files.Close())
	if p.URL == "" {
		made, err := filepath.Glob(filepath.Join(p.Dir, "restoring-*"))
		require.NoError(t, err)
		return append(out, made...)
	}
	db, err := sql.Open("pgx", storetest.One(p.URL))
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'sluice_restoring%'`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		name := ""
		require.NoError(t, rows.Scan(&name))
		out = append(out, name)
	}
	require.NoError(t, rows.Err())
	return out
}

// readNames are the uploaded files of a folder.
func readNames(t testing.TB, dir string) (out []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.Contains(path, "/restores/") {
			out = append(out, path)
		}
		return err
	}))
	return out
}
