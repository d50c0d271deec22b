package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// TestDiskFull: a SQLite file that cannot grow refuses what needs room with Full, everything of the group is undone, and what
// needs none goes on.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	type note struct {
		ID   int `gorm:"primaryKey;autoIncrement:false"`
		Text string
	}
	db, err := Open(t.Context(), Options{Dir: t.TempDir(), System: []any{&note{}}})
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	writer := db.d.(*sqliteDialect).writer
	pages := 0
	require.NoError(t, writer.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages))
	_, err = writer.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages+4))
	require.NoError(t, err)
	add := func(id, size int) error {
		return db.Write(t.Context(), func(_ context.Context, tx *Tx) error {
			return tx.System().Create(&note{id, strings.Repeat("x", size)}).Error
		})
	}
	require.NoError(t, add(1, 10))
	var outage *Outage
	require.ErrorAs(t, add(2, 1<<20), &outage)
	require.Equal(t, Full, outage.Trouble)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			var outage *Outage
			if err := add(10+i, 1<<20); !errors.As(err, &outage) || outage.Trouble != Full {
				t.Errorf("one of a group: %v", err)
			}
		})
	}
	all.Wait()
	require.NoError(t, add(3, 10))
	var n int64
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *Tx) error { return tx.System().Model(&note{}).Count(&n).Error }))
	require.EqualValues(t, 2, n)
	require.NotZero(t, db.Outages()[Full])
}

// TestTroubles: what PostgreSQL says of itself, and what is a fault of the call.
func TestTroubles(t *testing.T) {
	d := &postgresDialect{}
	for code, want := range map[string]Trouble{"57P01": Away, "57P03": Away, "08006": Away, "53300": Away, "25006": Away, "53100": Full, "55P03": Busy,
		"23505": "", "40P01": "", "42601": "", "22021": "", "57014": ""} {
		require.Equal(t, want, d.trouble(fmt.Errorf("commit: %w", &pgconn.PgError{Code: code})), code)
	}
	require.Equal(t, Away, d.trouble(driver.ErrBadConn))
	require.Empty(t, d.trouble(errors.New("no such column")))
}
