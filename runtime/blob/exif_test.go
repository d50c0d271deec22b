package blob_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
)

// noted is a JPEG with what a camera notes: how it was held, when, and where. order is that of the numbers.
func noted(t *testing.T, img image.Image, order binary.AppendByteOrder, held uint16, when, north, east string, degrees [2][3]uint32) []byte {
	t.Helper()
	var file bytes.Buffer
	require.NoError(t, jpeg.Encode(&file, img, nil))
	mark := "II*\x00"
	if order == binary.BigEndian {
		mark = "MM\x00*"
	}
	tiff := order.AppendUint32([]byte(mark), 8)
	entry := func(tag, kind uint16, count, value uint32) {
		tiff = order.AppendUint32(order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, tag), kind), count), value)
	}
	short := func(tag, value uint16) { // it stands at the begin of the place of its value
		tiff = order.AppendUint16(order.AppendUint16(order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, tag), 3), 1), value), 0)
	}
	letter := func(tag uint16, s string) {
		tiff = append(order.AppendUint32(order.AppendUint16(order.AppendUint16(tiff, tag), 2), 2), s[0], 0, 0, 0)
	}
	const first, second, third, text = 8, 50, 68, 122 // where the directories are, and what is longer than four bytes
	tiff = order.AppendUint16(tiff, 3)
	short(0x0112, held)
	entry(0x8769, 4, 1, second)
	entry(0x8825, 4, 1, third)
	tiff = order.AppendUint32(tiff, 0)
	tiff = order.AppendUint16(tiff, 1)
	entry(0x9003, 2, 20, text)
	tiff = order.AppendUint32(tiff, 0)
	tiff = order.AppendUint16(tiff, 4)
	letter(1, north)
	entry(2, 5, 3, text+20)
	letter(3, east)
	entry(4, 5, 3, text+20+24)
	tiff = order.AppendUint32(tiff, 0)
	require.Len(t, tiff, text)
	tiff = append(tiff, when...)
	tiff = append(tiff, make([]byte, text+20-len(tiff))...)
	for _, angle := range degrees {
		for i, v := range angle {
			tiff = order.AppendUint32(order.AppendUint32(tiff, v), []uint32{1, 1, 100}[i])
		}
	}
	segment := append([]byte("Exif\x00\x00"), tiff...)
	out := []byte{0xff, 0xd8, 0xff, 0xe1}
	out = binary.BigEndian.AppendUint16(out, uint16(len(segment)+2))
	return append(append(out, segment...), file.Bytes()[2:]...)
}

func halves(w, h int) image.Image { // the left half is dark
	img := image.NewGray(image.Rect(0, 0, w, h))
	for x := range w {
		for y := range h {
			if img.SetGray(x, y, color.Gray{Y: 240}); x < w/2 {
				img.SetGray(x, y, color.Gray{Y: 10})
			}
		}
	}
	return img
}

// TestTaken: when and where a photo was taken is read in both orders of bytes, and files that lie about their lengths say nothing.
func TestTaken(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		put := func(file []byte) blob.File {
			f, err := w.Put(t.Context(), blob.Upload{Name: "a.jpg", By: "me", Most: 8 << 20, Bytes: bytes.NewReader(file)})
			require.NoError(t, err)
			return f
		}
		when := time.Date(2026, 11, 26, 14, 3, 9, 0, time.UTC)
		var order binary.AppendByteOrder = binary.LittleEndian
		for range 2 {
			f := put(noted(t, halves(400, 100), order, 6, "2026:11:26 14:03:09", "N", "W", [2][3]uint32{{31, 30, 3600}, {121, 15, 0}}))
			got, err := w.Taken(t.Context(), f)
			require.NoError(t, err)
			require.Equal(t, blob.Taken{Time: when, Latitude: 31.51, Longitude: -121.25, Placed: true}, got)
			small, err := w.Paper(t.Context(), f)
			require.NoError(t, err)
			img, _, err := image.Decode(bytes.NewReader(small))
			require.NoError(t, err)
			require.Equal(t, image.Pt(100, 400), img.Bounds().Size(), "it stands upright")
			top, _, _, _ := img.At(50, 50).RGBA()
			low, _, _, _ := img.At(50, 350).RGBA()
			require.Less(t, top, low, "turned by a quarter clockwise, the left is above")
			order = binary.BigEndian
		}
		f := put(noted(t, halves(40, 10), order, 1, "", "N", "E", [2][3]uint32{{99, 0, 0}, {121, 0, 0}}))
		got, err := w.Taken(t.Context(), f)
		require.NoError(t, err)
		require.Equal(t, blob.Taken{}, got, "there is no 99th degree of latitude")
		got, err = w.Taken(t.Context(), blob.File{ID: "00000000-0000-7000-8000-000000000000", Mime: "image/jpeg"})
		require.NoError(t, err)
		require.Equal(t, blob.Taken{}, got)
	})
	whole := noted(t, halves(40, 10), binary.LittleEndian, 6, "2026:11:26 14:03:09", "N", "E", [2][3]uint32{{31, 30, 3600}, {121, 15, 0}})
	random := rand.New(rand.NewPCG(8, 8))
	for range 20_000 { // no file of anybody ends the program
		file := bytes.Clone(whole[:200+random.IntN(len(whole)-200)])
		for range 1 + random.IntN(6) {
			file[20+random.IntN(170)] = byte(random.Uint32())
		}
		blob.Noted(file)
	}
}

// TestAhead: a picture that is brought is drawn for paper before anybody asks, and one that was discarded leaves nothing.
func TestAhead(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		w.DrawAhead(t.Context())
		before := w.count()
		put := func(name string, file []byte) blob.File {
			f, err := w.Put(t.Context(), blob.Upload{Name: name, By: "me", Most: 8 << 20, Bytes: bytes.NewReader(file)})
			require.NoError(t, err)
			return f
		}
		put("a.png", picture(t, 300, 200))
		put("a.txt", []byte("no picture"))
		require.Eventually(t, func() bool { return w.count() == before+3 }, 10*time.Second, time.Millisecond, "two files and one small picture")
		f := put("b.png", picture(t, 2000, 1000))
		w.Discard(t.Context(), f.ID)
		w.Ahead(f)
		last := put("c.png", picture(t, 30, 20))
		require.Eventually(t, func() bool { return w.Kept(t.Context(), last) }, 10*time.Second, time.Millisecond)
		require.Equal(t, before+5, w.count(), "the last one and its small picture")
	})
}

// TestUndrawable: what cannot be drawn says whether it is too large.
func TestUndrawable(t *testing.T) {
	places(t, func(t *testing.T, w *world) {
		put := func(file []byte) blob.File {
			f, err := w.Put(t.Context(), blob.Upload{Name: "a.png", By: "me", Most: 8 << 20, Bytes: bytes.NewReader(file)})
			require.NoError(t, err)
			return f
		}
		_, err := w.Paper(t.Context(), put(headOnly(30_000, 8, 6)))
		require.Equal(t, fault.FileNotFound, fault.Of(err))
		require.ErrorIs(t, err, blob.ErrLarge)
		_, err = w.Paper(t.Context(), put(headOnly(30, 8, 6)))
		require.Equal(t, fault.FileNotFound, fault.Of(err))
		require.NotErrorIs(t, err, blob.ErrLarge)
	})
}
