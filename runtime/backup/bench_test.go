package backup_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/backup"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// BenchmarkBackup takes and restores 100,000 rows: taking and restoring as multiples of a plain, durable copy of SQLite's file, and the size
// of the backup as a part of it.
func BenchmarkBackup(b *testing.B) {
	storetest.Databases(b, func(b *testing.B, o store.Options) {
		p := place{Options: o}.at(o.Dir)
		db, files := p.make(b, 100_000, strings.Repeat("Sluice ", 30))
		plain := place{}.at(b.TempDir())
		other, otherFiles := plain.make(b, 100_000, strings.Repeat("Sluice ", 30))
		shut(b, other, otherFiles)
		var copied, taken, restored time.Duration
		var size, whole int64
		for b.Loop() {
			begun := time.Now()
			whole = plainCopy(b, filepath.Join(plain.Dir, "sluice.db"), filepath.Join(b.TempDir(), "copy"))
			copied += time.Since(begun)

			var out bytes.Buffer
			begun = time.Now()
			take(b, db, files, &out)
			taken += time.Since(begun)
			size = int64(out.Len())

			begun = time.Now()
			_, err := backup.Restore(b.Context(), from(out.Bytes()), place{}.at(b.TempDir()).target())
			require.NoError(b, err)
			restored += time.Since(begun)
		}
		shut(b, db, files)
		b.ReportMetric(float64(taken)/float64(copied), "take/copy")
		b.ReportMetric(float64(restored)/float64(copied), "restore/copy")
		b.ReportMetric(float64(size)/float64(whole), "size/database")
		b.ReportMetric(100_000*float64(b.N)/taken.Seconds(), "rows-taken/s")
		b.ReportMetric(100_000*float64(b.N)/restored.Seconds(), "rows-restored/s")
	})
}

func plainCopy(b *testing.B, from, to string) int64 {
	in, err := os.Open(from)
	require.NoError(b, err)
	defer in.Close()
	out, err := os.Create(to)
	require.NoError(b, err)
	n, err := io.Copy(out, in)
	require.NoError(b, err)
	require.NoError(b, out.Sync())
	require.NoError(b, out.Close())
	return n
}
