package backup_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/backup"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestBackupWhileOthersWrite: a backup is one moment. Sums hold, every record has the file that it names, with its contents, though others
// move amounts, give records new files and remove the old ones meanwhile.
func TestBackupWhileOthersWrite(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		const many = 200
		p := place{Options: o}.at(o.Dir)
		db, files := p.make(t, many, "")
		for i := range many {
			require.NoError(t, attach(t.Context(), db, files, fmt.Sprintf("%08d", i)))
		}
		ctx, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		var wrote, removed atomic.Int64
		work := func(f func(a, b string) error) {
			all.Go(func() {
				for ctx.Err() == nil {
					err := f(fmt.Sprintf("%08d", rand.IntN(many)), fmt.Sprintf("%08d", rand.IntN(many)))
					if err != nil && ctx.Err() == nil && !errors.Is(err, store.ErrConflict) {
						t.Error(err)
						return
					}
					wrote.Add(1)
				}
			})
		}
		for range 2 {
			work(func(a, b string) error {
				return db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
					add := func(id string, n int) error {
						return tx.System().Model(&account{}).Where("id = ?", id).Update("amount", gorm.Expr("amount + ?", n)).Error
					}
					if a > b { // in one order: two never wait for each other
						a, b = b, a
					}
					return errors.Join(add(a, 7), add(b, -7))
				})
			})
		}
		work(func(a, _ string) error { // a new file for the old one, which goes at once
			var old account
			if err := db.Read(ctx, func(_ context.Context, tx *store.Tx) error { return tx.System().Where("id = ?", a).Take(&old).Error }); err != nil {
				return err
			}
			if err := attach(ctx, db, files, a); err != nil {
				return err
			}
			if err := db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return blob.Release(tx, old.File) }); err != nil {
				return err
			}
			files.Discard(ctx, old.File)
			r, _, err := files.Open(ctx, old.File)
			if errors.Is(err, blob.ErrGone) {
				removed.Add(1)
				return nil
			}
			if err != nil { // the test ends
				return err
			}
			return r.Close()
		})
		require.Eventually(t, func() bool { return wrote.Load() > 50 && removed.Load() > 3 }, time.Minute, time.Millisecond)
		var out bytes.Buffer
		before := wrote.Load()
		_, m := take(t, db, files, &hurried{w: &out, wait: func() { // writes go on between its parts
			now := wrote.Load()
			require.Eventually(t, func() bool { return wrote.Load() > now+5 }, time.Minute, time.Millisecond)
		}})
		require.Greater(t, wrote.Load(), before)
		gone := removed.Load()
		require.Eventually(t, func() bool { return removed.Load() > gone }, time.Minute, time.Millisecond, "afterwards files are removed again")
		stop()
		all.Wait()
		shut(t, db, files)
		require.Empty(t, m.Missing)

		targets := map[string]store.Options{"sqlite": {}}
		if storetest.OnPostgres() {
			targets["postgres"] = store.Options{URL: storetest.Postgres(t)}
		}
		for name, o := range targets {
			to := place{Options: o}.at(t.TempDir())
			_, err := backup.Restore(t.Context(), from(out.Bytes()), to.target())
			require.NoError(t, err, name)
			db, files := to.open(t)
			sum := int64(0)
			list := accounts(t, db)
			require.Len(t, list, many)
			for _, a := range list {
				sum += a.Amount
				require.Equal(t, a.ID, readFile(t, files, a.File))
			}
			require.EqualValues(t, 100*many, sum, name)
			shut(t, db, files)
		}
	})
}

// hurried calls wait a few times while somebody writes into it.
type hurried struct {
	w    *bytes.Buffer
	wait func()
	n    int
}

func (h *hurried) Write(p []byte) (int, error) {
	if h.n++; h.n <= 5 {
		h.wait()
	}
	return h.w.Write(p)
}

// TestDamagedBackupsAreRefused: before anything is touched, with a text that says so.
func TestDamagedBackupsAreRefused(t *testing.T) {
	p := place{}.at(t.TempDir())
	db, files := p.make(t, 3000, "from the backup")
	require.NoError(t, attach(t.Context(), db, files, "00000001"))
	var out bytes.Buffer
	take(t, db, files, &out)
	shut(t, db, files)
	whole := out.Bytes()
	_, _, err := backup.Verify(bytes.NewReader(whole))
	require.NoError(t, err)

	old := place{}.at(t.TempDir())
	db, files = old.make(t, 3, "old")
	shut(t, db, files)
	to := old.target()
	to.Replace = true
	before := tree(t, old.Dir)
	refused := func(name string, b []byte) {
		_, err := backup.Restore(t.Context(), from(b), to)
		require.ErrorIs(t, err, backup.ErrDamaged, name)
		require.ErrorContains(t, err, "damaged or not complete")
		require.Equal(t, before, tree(t, old.Dir), name)
	}
	for i := range 40 {
		b := bytes.Clone(whole)
		at := 10 + (len(b)-10)*i/40 // behind the head of gzip, of which some bytes mean nothing
		b[at] ^= 1 << (i % 8)
		refused(fmt.Sprint("bit of byte ", at), b)
	}
	for _, n := range []int{0, 5, len(whole) / 2, len(whole) - 9, len(whole) - 1} {
		refused(fmt.Sprint("cut at ", n), whole[:n])
	}
	refused("text", []byte("this is a text"))

	// What is packed again as if nothing had happened: gzip finds nothing wrong.
	plain := unpacked(t, whole)
	refused("another text in a row", packed(t, bytes.Replace(plain, []byte("from the backup"), []byte("from the BACKUP"), 1)))
	refused("another file", packed(t, bytes.Replace(plain, []byte("\x0000000001\x00"), []byte("\x0000000002\x00"), 1)))
	part := plain[bytes.Index(plain, []byte(`["00000000",`)):]
	part = part[:bytes.IndexByte(part, 0)]
	other := bytes.Replace(part, []byte("from the backup"), []byte("from the BACKUP"), 1)
	forged := bytes.Replace(plain, part, other, 1)
	forged = bytes.Replace(forged, fmt.Appendf(nil, "%x", sha256.Sum256(part)), fmt.Appendf(nil, "%x", sha256.Sum256(other)), 1)
	require.NotEqual(t, plain, forged)
	refused("another text and its sum", packed(t, forged))
}

func unpacked(t *testing.T, b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	out, err := io.ReadAll(z)
	require.NoError(t, err)
	return out
}

func packed(t *testing.T, b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(b)
	require.NoError(t, errors.Join(err, z.Close()))
	return out.Bytes()
}

// TestRestoreOverACrashedDatabase: the log of a database whose server was killed is not taken for one of the new database, and is not lost.
func TestRestoreOverACrashedDatabase(t *testing.T) {
	src := place{}.at(t.TempDir())
	db, files := src.make(t, 3000, "new")
	var out bytes.Buffer
	take(t, db, files, &out)
	shut(t, db, files)

	lives := place{}.at(t.TempDir())
	db, files = lives.make(t, 3000, "old")
	crashed := place{}.at(t.TempDir())
	for _, name := range []string{"sluice.db", "sluice.db-wal"} {
		text, err := os.ReadFile(filepath.Join(lives.Dir, name))
		require.NoError(t, err)
		require.NotEmpty(t, text)
		require.NoError(t, os.WriteFile(filepath.Join(crashed.Dir, name), text, 0o600))
	}
	shut(t, db, files)
	to := crashed.target()
	to.Replace = true
	done, err := backup.Restore(t.Context(), from(out.Bytes()), to)
	require.NoError(t, err)
	old := place{}.at(t.TempDir())
	text, err := os.ReadFile(done.Kept)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(old.Dir, "sluice.db"), text, 0o600))
	for note, p := range map[string]place{"new": crashed, "old": old} {
		db, files := p.open(t)
		list := accounts(t, db)
		require.Len(t, list, 3000)
		require.Equal(t, note, list[2999].Note)
		shut(t, db, files)
	}
}

// TestRestoreKilled: whenever a restore is killed, the next start finds all of the old installation or all of the new one.
func TestRestoreKilled(t *testing.T) {
	if dir := os.Getenv("SLUICE_TEST_RESTORE"); dir != "" {
		restoreInChild(t, dir)
		return
	}
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		rows, rounds := storetest.Full(4_000, 20_000), storetest.Full(2, 8)
		src := place{}.at(t.TempDir())
		db, files := src.make(t, rows, "new")
		require.NoError(t, attach(t.Context(), db, files, "00000001"))
		file := filepath.Join(t.TempDir(), "x.tar.gz")
		f, err := os.Create(file)
		require.NoError(t, err)
		take(t, db, files, f)
		require.NoError(t, f.Close())
		shut(t, db, files)

		p := place{Options: o}.at(o.Dir)
		db, files = p.make(t, 5, "old")
		shut(t, db, files)
		state := func() string {
			t.Helper()
			db, files := p.open(t)
			defer shut(t, db, files)
			list := accounts(t, db)
			note := list[0].Note
			require.Len(t, list, map[string]int{"old": 5, "new": rows}[note])
			for _, a := range list {
				require.Equal(t, note, a.Note)
				if a.File != "" {
					require.Equal(t, a.ID, readFile(t, files, a.File))
				}
			}
			return note
		}
		var usual time.Duration
		for round := range rounds {
			cmd := exec.Command(os.Args[0], "-test.run=^TestRestoreKilled$")
			cmd.Env = append(os.Environ(), "SLUICE_TEST_RESTORE="+p.Dir, "SLUICE_TEST_URL="+p.URL, "SLUICE_TEST_FILE="+file, "CI=")
			if round == 0 {
				cmd.Env = append(cmd.Env, "SLUICE_TEST_HOLD=1")
			}
			ready, w, err := os.Pipe()
			require.NoError(t, err)
			cmd.ExtraFiles = []*os.File{w}
			require.NoError(t, cmd.Start())
			require.NoError(t, w.Close())
			said := make([]byte, 1)
			_, err = ready.Read(said)
			require.NoError(t, err)
			begun := time.Now()
			if round == 0 { // all is ready, nothing is replaced
				_, err := ready.Read(said)
				require.NoError(t, err)
				usual = time.Since(begun)
			} else {
				time.Sleep(usual * time.Duration(round) / time.Duration(rounds))
			}
			require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
			_ = cmd.Wait()
			require.NoError(t, ready.Close())
			found := state()
			if round == 0 {
				require.Equal(t, "old", found)
				require.NotEmpty(t, p.left(t))
				before, found := readNames(t, p.files), p.left(t)
				unsure := p.target()
				unsure.Files = t.TempDir()
				require.NoError(t, backup.Sweep(t.Context(), unsure, false, false))
				require.Equal(t, found, p.left(t), "whose files are elsewhere")
				require.Eventually(t, func() bool { // the server of a killed connection takes a moment
					require.NoError(t, backup.Sweep(t.Context(), p.target(), false, true))
					return len(p.left(t)) == 0
				}, 10*time.Second, 50*time.Millisecond)
				require.Less(t, len(readNames(t, p.files)), len(before), "nor the files that it brought")
				require.Equal(t, "old", state())
			}
			if found == "new" {
				break
			}
		}
		time.Sleep(time.Second) // what is kept is named by the second
		to := p.target()
		to.Replace = true
		done, err := backup.Restore(t.Context(), func() (io.ReadCloser, error) { return os.Open(file) }, to)
		require.NoError(t, err)
		require.NotEmpty(t, done.Kept)
		require.Equal(t, "new", state())
		require.Empty(t, p.left(t), "what the killed ones left is gone")
	})
}

// TestSweep: what is swept between two restores is nothing of one that is under way, and the list of one that was killed after its database was
// in place goes without its files.
func TestSweep(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		var out bytes.Buffer
		db, files := place{}.at(t.TempDir()).make(t, 5, "new")
		_, _, err := backup.Take(t.Context(), source(db, files), &out)
		require.NoError(t, err)
		shut(t, db, files)

		p := place{Options: o}.at(o.Dir)
		to := p.target()
		to.Swapping = func() error {
			left := p.left(t)
			require.Len(t, left, 2, "the new database and the list of files: %v", left)
			require.NoError(t, backup.Sweep(t.Context(), p.target(), false, true))
			require.Equal(t, left, p.left(t))
			return nil
		}
		_, err = backup.Restore(t.Context(), from(out.Bytes()), to)
		require.NoError(t, err)
		require.Empty(t, p.left(t))

		db, files = p.open(t)
		list := accounts(t, db)
		have, ids := readNames(t, p.files), ""
		for _, a := range list {
			ids += a.File + "\n"
		}
		require.NoError(t, os.MkdirAll(filepath.Join(p.files, "restores"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(p.files, "restores", "of-one-in-place"), []byte(ids), 0o600))
		elsewhere := p.target()
		elsewhere.Files = t.TempDir()
		require.NoError(t, backup.Sweep(t.Context(), elsewhere, false, true))
		require.NotEmpty(t, p.left(t))
		require.NoError(t, backup.Sweep(t.Context(), p.target(), false, true))
		require.Empty(t, p.left(t))
		require.Equal(t, have, readNames(t, p.files))
		shut(t, db, files)
	})
}

func restoreInChild(t *testing.T, dir string) {
	p := place{Options: store.Options{URL: os.Getenv("SLUICE_TEST_URL")}}.at(dir)
	said := os.NewFile(3, "said")
	to := p.target()
	to.Replace = true
	first := true
	to.Swapping = func() error {
		_, _ = said.Write([]byte{2})
		if os.Getenv("SLUICE_TEST_HOLD") != "" { // nothing is replaced before the first round is killed, however late that is
			time.Sleep(time.Minute)
		}
		return nil
	}
	_, err := backup.Restore(t.Context(), func() (io.ReadCloser, error) {
		if first {
			first = false
			_, _ = said.Write([]byte{1})
		}
		return os.Open(os.Getenv("SLUICE_TEST_FILE"))
	}, to)
	require.NoError(t, err)
}

// TestFullDisk: a backup that cannot be written fails with the system's words.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	p := place{}.at(t.TempDir())
	db, files := p.make(t, 3000, id())
	defer shut(t, db, files)
	_, _, err = backup.Take(t.Context(), source(db, files), full)
	require.ErrorIs(t, err, syscall.ENOSPC)
}

// TestMissingFiles: a backup that lacks a file is told of, and is made only when somebody wants it so.
func TestMissingFiles(t *testing.T) {
	p := place{}.at(t.TempDir())
	db, files := p.make(t, 2, "")
	require.NoError(t, attach(t.Context(), db, files, "00000000"))
	require.NoError(t, attach(t.Context(), db, files, "00000001"))
	lost := accounts(t, db)[1].File
	require.NoError(t, os.Remove(filepath.Join(p.files, lost[len(lost)-2:], lost)))
	_, _, err := backup.Take(t.Context(), source(db, files), &bytes.Buffer{})
	var missing *backup.MissingError
	require.ErrorAs(t, err, &missing)
	require.ErrorContains(t, err, lost)
	src := source(db, files)
	src.AllowMissing = true
	var out bytes.Buffer
	_, m, err := backup.Take(t.Context(), src, &out)
	require.NoError(t, err)
	require.Equal(t, []string{lost}, m.Missing)
	shut(t, db, files)
	to := place{}.at(t.TempDir())
	_, err = backup.Restore(t.Context(), from(out.Bytes()), to.target())
	require.NoError(t, err)
}

// TestRestoreRepairsFiles: a file whose bytes were damaged in the storage gets those of the backup.
func TestRestoreRepairsFiles(t *testing.T) {
	p := place{}.at(t.TempDir())
	db, files := p.make(t, 1, "")
	require.NoError(t, attach(t.Context(), db, files, "00000000"))
	var out bytes.Buffer
	take(t, db, files, &out)
	f := accounts(t, db)[0].File
	shut(t, db, files)
	require.NoError(t, os.WriteFile(filepath.Join(p.files, f[len(f)-2:], f), []byte("damaged!"), 0o600))
	to := p.target()
	to.Replace = true
	_, err := backup.Restore(t.Context(), from(out.Bytes()), to)
	require.NoError(t, err)
	db, files = p.open(t)
	defer shut(t, db, files)
	require.Equal(t, "00000000", readFile(t, files, f))
}

// TestRestoreBesideAServer: nobody's database is taken away from under them.
func TestRestoreBesideAServer(t *testing.T) {
	src := place{}.at(t.TempDir())
	db, files := src.make(t, 1, "new")
	var out bytes.Buffer
	take(t, db, files, &out)
	shut(t, db, files)
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		p := place{Options: o}.at(o.Dir)
		db, files := p.make(t, 1, "old")
		want := store.ErrInUse
		if p.URL == "" {
			release, err := store.Hold(t.Context(), p.Dir)
			require.NoError(t, err)
			defer release()
			want = store.ErrServed
		}
		to := p.target()
		to.Replace = true
		_, err := backup.Restore(t.Context(), from(out.Bytes()), to)
		require.ErrorIs(t, err, want)
		require.Equal(t, "old", accounts(t, db)[0].Note)
		shut(t, db, files)
	})
}

// TestMemoryStaysSmall: 100,000 rows of 300 bytes pass through in both directions without being collected.
func TestMemoryStaysSmall(t *testing.T) {
	p := place{}.at(t.TempDir())
	db, files := p.make(t, 100_000, strings.Repeat("Sluice ", 40))
	file := filepath.Join(t.TempDir(), "x.tar.gz")
	f, err := os.Create(file)
	require.NoError(t, err)
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	var mem runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&mem)
	base := mem.HeapAlloc
	var peak uint64
	look := func() {
		runtime.ReadMemStats(&mem)
		peak = max(peak, mem.HeapAlloc-min(base, mem.HeapAlloc))
	}
	take(t, db, files, looking{f, look})
	require.NoError(t, f.Close())
	require.Less(t, peak, uint64(8<<20), "to take")
	t.Logf("taking held %d MB", peak>>20)
	shut(t, db, files)

	peak = 0
	to := place{}.at(t.TempDir())
	_, err = backup.Restore(t.Context(), func() (io.ReadCloser, error) {
		f, err := os.Open(file)
		return lookingInto{f, look}, err
	}, to.target())
	require.NoError(t, err)
	require.Less(t, peak, uint64(8<<20), "to restore")
	t.Logf("restoring held %d MB", peak>>20)
	db, files = to.open(t)
	defer shut(t, db, files)
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		n, err := tx.Number(t.Context(), "SELECT count(*) FROM sl_test_account")
		require.EqualValues(t, 100_000, n)
		return err
	}))
}

type looking struct {
	f    *os.File
	look func()
}

func (l looking) Write(p []byte) (int, error) { l.look(); return l.f.Write(p) }

type lookingInto struct {
	*os.File
	look func()
}

func (l lookingInto) Read(p []byte) (int, error) { l.look(); return l.File.Read(p) }
