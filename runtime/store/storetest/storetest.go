// Package storetest runs tests on real databases: SQLite in a temporary folder, and PostgreSQL from the machine's installed
// binaries, started once for each test process, with a new database for each test.
package storetest

import (
	"os"
	"testing"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Each runs f on an open, empty database of each kind; the models are migrated as system tables.
func Each(t *testing.T, f func(t *testing.T, db *store.DB), system ...any) {
	t.Helper()
	EachOptions(t, func(t *testing.T, o store.Options) {
		o.System = system
		f(t, Open(t, o))
	})
}

// EachOptions runs f with the options of an empty database of each kind, and a folder, for tests that open it several times.
func EachOptions(t *testing.T, f func(t *testing.T, o store.Options)) {
	t.Helper()
	both(t, func(t *testing.T) { f(t, store.Options{Dir: t.TempDir()}) },
		func(t *testing.T) { f(t, store.Options{URL: Postgres(t), Dir: t.TempDir()}) })
}

// both runs a test on two databases at the same time: while one waits for its disk, the other computes.
func both(t *testing.T, sqlite, postgres func(t *testing.T)) {
	t.Helper()
	t.Run("on", func(t *testing.T) { // ends when both have
		t.Run("sqlite", func(t *testing.T) { t.Parallel(); sqlite(t) })
		t.Run("postgres", func(t *testing.T) { t.Parallel(); postgres(t) })
	})
}

// Open opens a database and closes it when the test ends.
func Open(t *testing.T, o store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close the database: %v", err)
		}
	})
	return db
}

// Postgres returns the URL of a new, empty database. Where the package's tests don't need PostgreSQL it skips the test; where they do and
// the machine has none it skips the test, too, but in CI it fails.
func Postgres(t *testing.T) string {
	t.Helper()
	return running(t).database(t, "")
}

// running is the PostgreSQL server of this process.
func running(t *testing.T) *cluster {
	t.Helper()
	if !OnPostgres() {
		t.Skip("PostgreSQL only with " + everywhere + "=1")
	}
	return server(t)
}

// server is running for every package.
func server(t *testing.T) *cluster {
	t.Helper()
	c, err := started()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("CI needs PostgreSQL: %v", err)
		}
		t.Skipf("NOT TESTED ON POSTGRESQL: %v", err)
	}
	return c
}
