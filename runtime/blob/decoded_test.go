package blob_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// headOnly is a PNG that says how large it is and has no more than the beginning of its data. A decoder makes room for the
// whole picture before it finds that out.
func headOnly(side uint32, depth, kind byte) []byte {
	b := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		body := append([]byte(name), data...)
		b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
		b = binary.BigEndian.AppendUint32(append(b, body...), crc32.ChecksumIEEE(body))
	}
	head := binary.BigEndian.AppendUint32(nil, side)
	head = binary.BigEndian.AppendUint32(head, side)
	chunk("IHDR", append(head, depth, kind, 0, 0, 0))
	chunk("IDAT", []byte{0x78, 0x9c, 0x63, 0x60})
	return b
}

func heap() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// TestLargePictures: a picture is judged by what it takes when it is decoded; a small file that is large then is not.
func TestLargePictures(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		runtime.GC()
		before, peak := heap(), uint64(0)
		stop, watched := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(watched)
			for {
				select {
				case <-stop:
					return
				default:
					peak = max(peak, heap())
					time.Sleep(100 * time.Microsecond)
				}
			}
		}()
		var all sync.WaitGroup
		for i := range 4 {
			f, err := w.Put(t.Context(), blob.Upload{Name: fmt.Sprint(i, ".png"), By: "reader", Most: 1 << 20, Bytes: bytes.NewReader(headOnly(7071, 16, 6))})
			require.NoError(t, err)
			all.Go(func() {
				_, err := w.Thumb(t.Context(), f)
				assert.Equal(t, fault.FileNotFound, fault.Of(err))
			})
		}
		all.Wait()
		close(stop)
		<-watched
		require.Less(t, int64(peak)-int64(before), int64(blob.DrawnAtOnce), "bytes of the heap")
	})
}

// TestMeasured: what decoding and drawing a picture really takes is at most what was judged, and the judgement is not so far
// off that ordinary pictures have no thumbnail.
func TestMeasured(t *testing.T) {
	box := image.Rect(0, 0, 900, 700)
	encoded := func(encode func(io.Writer) error) []byte {
		var b bytes.Buffer
		require.NoError(t, encode(&b))
		return b.Bytes()
	}
	asPNG := func(img image.Image) []byte { return encoded(func(w io.Writer) error { return png.Encode(w, img) }) }
	clear := image.NewPaletted(box, append(color.Palette{color.Transparent}, palette.WebSafe...))
	for name, file := range map[string][]byte{
		"gray.png":    asPNG(image.NewGray(box)),
		"gray16.png":  asPNG(image.NewGray16(box)),
		"palette.png": asPNG(clear),
		"color.png":   asPNG(image.NewNRGBA(box)),
		"deep.png":    asPNG(image.NewNRGBA64(box)),
		"photo.jpg":   encoded(func(w io.Writer) error { return jpeg.Encode(w, image.NewRGBA(box), nil) }),
		"gray.jpg":    encoded(func(w io.Writer) error { return jpeg.Encode(w, image.NewGray(box), nil) }),
		"first.gif":   encoded(func(w io.Writer) error { return gif.Encode(w, clear, nil) }),
		"picture.bmp": encoded(func(w io.Writer) error { return bmp.Encode(w, image.NewNRGBA(box)) }),
		"picture.tiff": encoded(func(w io.Writer) error {
			return tiff.Encode(w, image.NewNRGBA64(box), &tiff.Options{Compression: tiff.Deflate})
		}),
	} {
		judged, err := blob.Measured(file)
		require.NoError(t, err, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		require.NoError(t, blob.Drawn(file), name)
		runtime.ReadMemStats(&after)
		took := int64(after.TotalAlloc - before.TotalAlloc)
		require.LessOrEqual(t, took, judged+1<<20, "%s", name)
		if !strings.HasSuffix(name, ".tiff") {
			require.Less(t, judged, 4*took+4<<20, "%s is judged too severely", name)
		}
	}
	progressive := asProgressive(encoded(func(w io.Writer) error { return jpeg.Encode(w, image.NewRGBA(box), nil) }))
	judged, err := blob.Measured(progressive)
	require.NoError(t, err)
	require.Greater(t, judged, int64(900*700*3/2*5), "a progressive JPEG keeps its coefficients")
}

// asProgressive changes the frame header only.
func asProgressive(file []byte) []byte {
	return bytes.Replace(file, []byte{0xFF, 0xC0}, []byte{0xFF, 0xC2}, 1)
}

// TestBrokenPictures: what cannot be drawn is decoded once.
func TestBrokenPictures(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		f, err := w.Put(t.Context(), blob.Upload{Name: "half.png", By: "me", Most: 1 << 20, Bytes: bytes.NewReader(headOnly(64, 8, 6))})
		require.NoError(t, err)
		for range 2 {
			_, err = w.Thumb(t.Context(), f)
			require.Equal(t, fault.FileNotFound, fault.Of(err))
		}
		require.Equal(t, 2, w.count(), "the file, and that it has no thumbnail")
	})
}

// TestQuota: a person may bring so much and no more before records take it, also with many uploads at once.
func TestQuota(t *testing.T) {
	put := func(t *testing.T, w *world, by string, size int) (blob.File, error) {
		return w.Put(t.Context(), blob.Upload{Name: "a.txt", By: by, Most: 1 << 20, Bytes: strings.NewReader(strings.Repeat("x", size))})
	}
	t.Run("files", func(t *testing.T) {
		places(t, func(t *testing.T, w *world) {
			w.Allow(blob.Quota{Files: 3, Bytes: 1 << 20})
			var mu sync.Mutex
			var kept []blob.File
			var all sync.WaitGroup
			for range 12 {
				all.Go(func() {
					if f, err := put(t, w, "reader", 10); err == nil {
						mu.Lock()
						kept = append(kept, f)
						mu.Unlock()
					} else {
						assert.Equal(t, fault.FileQuota, fault.Of(err))
					}
				})
			}
			all.Wait()
			require.Len(t, kept, 3)
			require.Equal(t, 3, w.count(), "refused uploads leave nothing")
			_, err := put(t, w, "other", 10)
			require.NoError(t, err)
			require.NoError(t, w.db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := blob.Hold(tx, []string{kept[0].ID}, "lot", "photos")
				return err
			}))
			_, err = put(t, w, "reader", 10)
			require.NoError(t, err, "what a record holds does not count")
			_, err = put(t, w, "reader", 10)
			require.Equal(t, fault.FileQuota, fault.Of(err))
			w.at = w.at.Add(25 * time.Hour)
			_, err = w.Sweep(t.Context())
			require.NoError(t, err)
			_, err = put(t, w, "reader", 10)
			require.NoError(t, err)
		})
	})
	t.Run("nodes", func(t *testing.T) {
		places(t, func(t *testing.T, w *world) {
			w.Allow(blob.Quota{Files: 1, Bytes: 1 << 20})
			other, err := blob.Open(t.Context(), w.db, t.TempDir(), func() time.Time { return w.at })
			require.NoError(t, err)
			defer func() { require.NoError(t, other.Close()) }()
			from, to := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				_, err := w.Put(t.Context(), blob.Upload{Name: "a.txt", By: "reader", Most: 1 << 20, Bytes: from})
				ended <- err
			}()
			_, err = to.Write([]byte("it has begun"))
			require.NoError(t, err)
			_, err = other.Put(t.Context(), blob.Upload{Name: "b.txt", By: "reader", Most: 1 << 20, Bytes: strings.NewReader("meanwhile")})
			require.NoError(t, err)
			require.NoError(t, to.Close())
			require.Equal(t, fault.FileQuota, fault.Of(<-ended))
			require.Zero(t, w.count())
		})
	})
	t.Run("bytes", func(t *testing.T) {
		places(t, func(t *testing.T, w *world) {
			w.Allow(blob.Quota{Files: 100, Bytes: 100_000})
			_, err := put(t, w, "reader", 60_000)
			require.NoError(t, err)
			_, err = put(t, w, "reader", 60_000)
			require.Equal(t, fault.FileQuota, fault.Of(err))
			_, err = put(t, w, "reader", 40_000)
			require.NoError(t, err)
			require.Equal(t, 2, w.count())
		})
	})
}
