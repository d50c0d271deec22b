package blob_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

type world struct {
	*blob.Service
	db    *store.DB
	at    time.Time
	count func() int // stored objects
}

// places runs a test on a folder and on a server that speaks S3.
func places(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("folder", func(t *testing.T) {
		dir := t.TempDir()
		open(t, dir, func() int {
			n := 0
			require.NoError(t, filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					n++
				}
				return err
			}))
			return n
		}, test)
	})
	t.Run("s3", func(t *testing.T) {
		backend := s3mem.New()
		require.NoError(t, backend.CreateBucket("files"))
		server := httptest.NewServer(gofakes3.New(backend).Server())
		t.Cleanup(server.Close)
		t.Setenv("AWS_ACCESS_KEY_ID", "key")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
		place := "s3://files?region=us-east-1&use_path_style=true&endpoint=" + url.QueryEscape(server.URL)
		open(t, place, func() int {
			list, err := backend.ListBucket("files", nil, gofakes3.ListBucketPage{})
			require.NoError(t, err)
			n := len(list.Contents)
			for _, c := range list.Contents {
				if c.Key == "sluice-ready" { // what the probe has left
					n--
				}
			}
			return n
		}, test)
	})
}

func open(t *testing.T, place string, count func() int, test func(t *testing.T, w *world)) {
	w := &world{at: time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), count: count}
	var err error
	w.db, err = store.Open(t.Context(), store.Options{Dir: t.TempDir(), Clock: func() time.Time { return w.at }, System: blob.Tables()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.db.Close()) })
	w.Service, err = blob.Open(t.Context(), w.db, place, func() time.Time { return w.at })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	test(t, w)
}

func (w *world) bytes(t *testing.T, f blob.File) []byte {
	r, err := w.Read(t.Context(), f)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	all, err := io.ReadAll(r)
	require.NoError(t, err)
	return all
}

func picture(t *testing.T, w, h int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for x := range w {
		for y := range h {
			img.SetNRGBA(x, y, color.NRGBA{R: uint8(x), G: uint8(y), B: 90, A: 255})
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

func TestPutAndRead(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		big := bytes.Repeat([]byte("Sluice keeps what it is given.\n"), 200_000)
		f, err := w.Put(t.Context(), blob.Upload{Name: "C:\\plans\\水闸\u202etxt.log", By: "me", Most: 10 << 20, Bytes: bytes.NewReader(big)})
		require.NoError(t, err)
		require.Equal(t, "水闸txt.log", f.Name)
		require.Equal(t, "text/plain", f.Mime)
		require.EqualValues(t, len(big), f.Size)
		require.True(t, bytes.Equal(big, w.bytes(t, f)))
	})
}

func TestRefusedUploadsLeaveNothing(t *testing.T) {
	elf := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 600)...)
	places(t, func(t *testing.T, w *world) {
		for _, c := range []struct {
			name   string
			body   io.Reader
			accept []string
			most   int64
			want   fault.Code
		}{
			{"virus.exe", bytes.NewReader(elf), nil, 1 << 20, fault.FileKind},
			{"page.html", strings.NewReader("<html><script>alert(1)</script>"), nil, 1 << 20, fault.FileKind},
			{"drawing.svg", strings.NewReader("<svg xmlns='http://www.w3.org/2000/svg'/>"), nil, 1 << 20, fault.FileKind},
			{"none", strings.NewReader("x"), nil, 1 << 20, fault.FileKind},
			{"photo.png", bytes.NewReader(elf), nil, 1 << 20, fault.FileContent},
			{"notes.txt", bytes.NewReader(elf), nil, 1 << 20, fault.FileContent},
			{"model.nwd", bytes.NewReader(elf), nil, 1 << 20, fault.FileContent},
			{"plan.pdf", bytes.NewReader(picture(t, 4, 4)), nil, 1 << 20, fault.FileContent},
			{"empty.txt", strings.NewReader(""), nil, 1 << 20, fault.FileEmpty},
			{"long.txt", strings.NewReader(strings.Repeat("long ", 3000)), nil, 14_999, fault.FileTooLarge},
			{"notes.txt", strings.NewReader("not asked for"), []string{"image/*", ".pdf"}, 1 << 20, fault.FileNotAccepted},
		} {
			_, err := w.Put(t.Context(), blob.Upload{Name: c.name, By: "me", Most: c.most, Accept: c.accept, Bytes: c.body})
			var f *fault.Error
			require.ErrorAs(t, err, &f, c.name)
			require.Equal(t, c.want, f.Code, c.name)
		}
		broken := io.MultiReader(strings.NewReader(strings.Repeat("text ", 2000)), failing{})
		_, err := w.Put(t.Context(), blob.Upload{Name: "half.txt", Most: 1 << 20, Bytes: broken})
		require.ErrorIs(t, err, errLine)
		require.Zero(t, w.count())
		var rows int64
		require.NoError(t, w.db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Model(&blob.File{}).Count(&rows).Error }))
		require.Zero(t, rows)
	})
}

var errLine = errors.New("the line broke")

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errLine }

func TestThumb(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		f, err := w.Put(t.Context(), blob.Upload{Name: "闸门.PNG", Most: 10 << 20, Accept: []string{"image/*"}, Bytes: bytes.NewReader(picture(t, 960, 480))})
		require.NoError(t, err)
		for range 2 { // made, and kept
			small, err := w.Thumb(t.Context(), f)
			require.NoError(t, err)
			c, err := png.DecodeConfig(bytes.NewReader(small))
			require.NoError(t, err)
			require.Equal(t, []int{240, 120}, []int{c.Width, c.Height})
		}
		require.Equal(t, 2, w.count())
		text, err := w.Put(t.Context(), blob.Upload{Name: "a.txt", Most: 10, Bytes: strings.NewReader("text")})
		require.NoError(t, err)
		_, err = w.Thumb(t.Context(), text)
		require.Error(t, err)
	})
}

// TestUpright: a photo that a phone took upright, stored lying, is drawn upright.
func TestUpright(t *testing.T) {
	lying := image.NewNRGBA(image.Rect(0, 0, 80, 40))
	for x := range 40 {
		for y := range 40 {
			lying.SetNRGBA(x, y, color.NRGBA{R: 250, A: 255})
			lying.SetNRGBA(x+40, y, color.NRGBA{B: 250, A: 255})
		}
	}
	var plain bytes.Buffer
	require.NoError(t, jpeg.Encode(&plain, lying, nil))
	exif := "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	photo := append([]byte("\xff\xd8"+exif), plain.Bytes()[2:]...)
	places(t, func(t *testing.T, w *world) {
		f, err := w.Put(t.Context(), blob.Upload{Name: "photo.jpg", Most: 1 << 20, Bytes: bytes.NewReader(photo)})
		require.NoError(t, err)
		small, err := w.Thumb(t.Context(), f)
		require.NoError(t, err)
		img, err := jpeg.Decode(bytes.NewReader(small))
		require.NoError(t, err)
		require.Equal(t, image.Pt(40, 80), img.Bounds().Size())
		r, _, b, _ := img.At(20, 10).RGBA()
		require.Greater(t, r, b, "what was on the left is on top")
	})
}

func TestSweep(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		put := func() blob.File {
			f, err := w.Put(t.Context(), blob.Upload{Name: "p.png", By: "me", Most: 1 << 20, Bytes: bytes.NewReader(picture(t, 8, 8))})
			require.NoError(t, err)
			return f
		}
		held, orphan := put(), put()
		_, err := w.Thumb(t.Context(), orphan)
		require.NoError(t, err)
		require.NoError(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			n, err := blob.Hold(tx, []string{held.ID}, "lot", "photos")
			require.EqualValues(t, 1, n)
			return err
		}))
		w.at = w.at.Add(25 * time.Hour)
		fresh := put()
		n, err := w.Sweep(context.Background())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, 2, w.count())
		w.bytes(t, held)
		w.bytes(t, fresh)
		_, err = w.Read(t.Context(), orphan)
		require.Error(t, err)
	})
}

func FuzzThumb(f *testing.F) {
	f.Add([]byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00MM\x00*\xff\xff\xff\xff"))
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Fuzz(func(_ *testing.T, in []byte) { blob.Shrink(bytes.NewReader(in)) })
}

// TestFilesMove: bytes go from one storage to another under the same id, come back as they were, and replace others only when asked.
func TestFilesMove(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		f, err := w.Put(ctx, blob.Upload{Name: "a.txt", By: "me", Most: 1 << 20, Bytes: strings.NewReader("water level")})
		require.NoError(t, err)
		r, n, err := w.Open(ctx, f.ID)
		require.NoError(t, err)
		require.EqualValues(t, f.Size, n)
		require.NoError(t, r.Close())
		bring := func(id, text string, over bool, check error) error {
			return w.Bring(ctx, id, int64(len(text)), strings.NewReader(text), over, func() error { return check })
		}
		require.NoError(t, bring(f.ID, "water level", false, nil))
		require.ErrorIs(t, bring(f.ID, "WATER level", false, nil), blob.ErrDiffers)
		require.Equal(t, "water level", string(w.bytes(t, f)))
		require.NoError(t, bring(f.ID, "WATER level", true, nil))
		require.Equal(t, "WATER level", string(w.bytes(t, f)))

		other := "0198f1c2-0000-7000-8000-000000000001"
		bad := errors.New("damaged")
		before := w.count()
		require.ErrorIs(t, bring(other, "x", false, bad), bad)
		require.Equal(t, before, w.count(), "nothing of it stays")
		require.Error(t, bring("../../etc/passwd", "x", true, nil))
		_, _, err = w.Open(ctx, other)
		require.ErrorIs(t, err, blob.ErrGone)
	})
}
