package blob_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
)

// away checks that a call ended with an outage, soon.
func away(t *testing.T, call func() error) {
	t.Helper()
	begun := time.Now()
	var e *blob.Outage
	err := call()
	require.ErrorAs(t, err, &e)
	require.Less(t, time.Since(begun), 3*time.Second)
}

// noise is a picture of more bytes than are read at once.
func noise(t *testing.T) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 400, 400))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range img.Pix {
		img.Pix[i] = byte(r.Uint32())
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	require.Greater(t, b.Len(), 128<<10)
	return b.Bytes()
}

// TestHangingServer: a server that takes calls and answers none ends them with an outage, also in the middle of a file; when it answers again,
// so do files, and nothing of what was given up is there.
func TestHangingServer(t *testing.T) {
	backend := s3mem.New()
	require.NoError(t, backend.CreateBucket("files"))
	s3 := gofakes3.New(backend).Server()
	var hangs, stalls atomic.Bool
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if hangs.Load() {
			select {
			case <-r.Context().Done():
			case <-release:
			}
			return
		}
		if !stalls.Load() || r.Method != http.MethodGet {
			s3.ServeHTTP(w, r)
			return
		}
		whole := httptest.NewRecorder()
		s3.ServeHTTP(whole, r)
		for k, v := range whole.Header() {
			w.Header()[k] = v
		}
		w.WriteHeader(whole.Code)
		_, _ = w.Write(whole.Body.Bytes()[:whole.Body.Len()/2])
		w.(http.Flusher).Flush()
		if whole.Code == http.StatusOK {
			<-r.Context().Done()
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	place := "s3://files?region=us-east-1&use_path_style=true&endpoint=" + url.QueryEscape(server.URL)
	open(t, place, nil, func(t *testing.T, w *world) {
		f, err := w.Put(t.Context(), blob.Upload{Name: "a.txt", Most: 1 << 20, Bytes: strings.NewReader(strings.Repeat("a", 200<<10))})
		require.NoError(t, err)
		w.Impatient(50 * time.Millisecond)
		begun, err := w.Read(t.Context(), f)
		require.NoError(t, err)
		hangs.Store(true)
		away(t, func() error {
			_, err := w.Put(t.Context(), blob.Upload{Name: "b.txt", Most: 1 << 20, Bytes: strings.NewReader("b")})
			return err
		})
		away(t, func() error { _, err := w.Read(t.Context(), f); return err })
		_, err = begun.Seek(150<<10, io.SeekStart) // another call of the server
		require.NoError(t, err)
		away(t, func() error { _, err := io.ReadAll(begun); return err })
		require.NoError(t, begun.Close())
		w.Impatient(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		_, err = w.Read(ctx, f)
		require.ErrorIs(t, err, context.DeadlineExceeded, "the caller's own end")
		require.Greater(t, w.Outages(), uint64(2))

		hangs.Store(false)
		w.Impatient(5 * time.Second)
		require.Len(t, w.bytes(t, f), 200<<10)

		noise, err := w.Put(t.Context(), blob.Upload{Name: "a.png", Most: 1 << 20, Bytes: bytes.NewReader(noise(t))})
		require.NoError(t, err)
		w.Impatient(50 * time.Millisecond)
		stalls.Store(true)
		away(t, func() error { _, err := w.Thumb(t.Context(), noise); return err })
		stalls.Store(false)
		w.Impatient(5 * time.Second)
		small, err := w.Thumb(t.Context(), noise)
		require.NoError(t, err, "it was not taken for one that cannot be drawn")
		require.NotEmpty(t, small)

		list, err := backend.ListBucket("files", nil, gofakes3.ListBucketPage{})
		require.NoError(t, err)
		require.Len(t, list.Contents, 3, "two files and a thumbnail")
	})
}

// TestHangingFolder: calls of a file system cannot be ended. Those that hang are left, not more than some, and end when they can.
func TestHangingFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no pipes with names")
	}
	dir := t.TempDir()
	open(t, dir, nil, func(t *testing.T, w *world) {
		f, err := w.Put(t.Context(), blob.Upload{Name: "a.txt", Most: 1 << 20, Bytes: strings.NewReader("a")})
		require.NoError(t, err)
		at := filepath.Join(dir, f.ID[len(f.ID)-2:], f.ID)
		require.NoError(t, os.Rename(at, at+".kept"))
		require.NoError(t, syscall.Mkfifo(at, 0o600)) // opening it waits for somebody who writes
		w.Impatient(5 * time.Millisecond)
		read := func() error {
			r, err := w.Read(t.Context(), f)
			if err == nil {
				err = r.Close()
			}
			return err
		}
		for range blob.MostHanging {
			away(t, read)
		}
		before := runtime.NumGoroutine()
		w.Impatient(time.Hour)
		for range 100 {
			away(t, read) // at once
		}
		require.Less(t, runtime.NumGoroutine(), before+50)
		writes, err := os.OpenFile(at, os.O_RDWR, 0)
		require.NoError(t, err)
		require.NoError(t, os.Remove(at))
		require.NoError(t, os.Rename(at+".kept", at))
		require.NoError(t, writes.Close())
		w.Impatient(5 * time.Second)
		require.Eventually(t, func() bool { return read() == nil }, 5*time.Second, time.Millisecond)
		require.Equal(t, []byte("a"), w.bytes(t, f))
	})
}

// TestSweepWaitsForTheStorage: what knows of a file stays as long as its bytes cannot go.
func TestSweepWaitsForTheStorage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	open(t, dir, nil, func(t *testing.T, w *world) {
		f, err := w.Put(t.Context(), blob.Upload{Name: "a.txt", By: "somebody", Most: 1 << 20, Bytes: strings.NewReader("a")})
		require.NoError(t, err)
		w.at = w.at.Add(48 * time.Hour)
		require.NoError(t, os.Rename(dir, dir+".away"))
		away(t, func() error { _, err := w.Sweep(t.Context()); return err })
		_, err = os.Stat(dir)
		require.ErrorIs(t, err, os.ErrNotExist, "nobody makes the folder")
		require.NoError(t, os.Rename(dir+".away", dir))
		n, err := w.Sweep(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		_, err = w.Read(t.Context(), f)
		require.Equal(t, fault.FileNotFound, fault.Of(err))
	})
}

// TestWithdraw: what a restore has brought goes, and nothing that was there before it; a list that stays takes nothing away.
func TestWithdraw(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		before, err := w.Put(t.Context(), blob.Upload{Name: "a.txt", Most: 1 << 20, Bytes: strings.NewReader("before")})
		require.NoError(t, err)
		fresh, kept := uuid.NewString(), uuid.NewString()
		bring := func(name, id string) {
			list, err := w.Bringing(t.Context(), name)
			require.NoError(t, err)
			defer list.Abort()
			require.NoError(t, list.Note(t.Context(), before.ID))
			require.NoError(t, list.Note(t.Context(), id))
			require.NoError(t, list.Keep())
			require.NoError(t, w.Bring(t.Context(), id, 5, strings.NewReader("fresh"), false, func() error { return nil }))
		}
		bring("restoring-a", fresh)
		bring("restoring-b", kept)
		require.Equal(t, 5, w.count())
		require.NoError(t, w.Withdraw(t.Context(), "restoring-a"))
		require.NoError(t, w.Stay(t.Context(), "restoring-b"))
		for range 2 { // again is nothing
			require.NoError(t, w.Withdraw(t.Context(), "restoring-a"))
			require.NoError(t, w.Stay(t.Context(), "restoring-b"))
		}
		require.Equal(t, 2, w.count())
		require.Equal(t, []byte("before"), w.bytes(t, before))
		require.Equal(t, []byte("fresh"), w.bytes(t, blob.File{ID: kept}))
		list, err := w.Bringing(t.Context(), "restoring-c")
		require.NoError(t, err)
		list.Abort()
		require.Equal(t, 2, w.count())
	})
}

// TestSweepOfHalves: what a killed server has written by half goes when it is old, and nothing else that ends so.
func TestSweepOfHalves(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, nil, func(t *testing.T, w *world) {
		require.NoError(t, os.Mkdir(filepath.Join(dir, "ab"), 0o700))
		old, young := filepath.Join(dir, "ab", uuid.NewString()+".18ec.tmp"), filepath.Join(dir, "ab", uuid.NewString()+".18ed.tmp")
		for _, name := range []string{old, young, filepath.Join(dir, "mine.tmp")} {
			require.NoError(t, os.WriteFile(name, nil, 0o600))
		}
		then := time.Now().Add(-48 * time.Hour)
		require.NoError(t, os.Chtimes(old, then, then))
		require.NoError(t, os.Chtimes(filepath.Join(dir, "mine.tmp"), then, then))
		_, err := w.Sweep(t.Context())
		require.NoError(t, err)
		require.NoFileExists(t, old)
		require.FileExists(t, young)
		require.FileExists(t, filepath.Join(dir, "mine.tmp"))
	})
}
