package printing_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// photo makes JPEG files of a size, each another picture: also the small versions of two are two.
func photo(t testing.TB, w, h int) func(n int) []byte {
	t.Helper()
	img := image.NewYCbCr(image.Rect(0, 0, w, h), image.YCbCrSubsampleRatio420)
	for y := range h {
		for x := range w {
			img.Y[img.YOffset(x, y)] = byte(x/16 ^ y/16 + (x*y)>>9)
			img.Cb[img.COffset(x, y)], img.Cr[img.COffset(x, y)] = byte(x>>4), byte(y>>4)
		}
	}
	return func(n int) []byte {
		for y := range h / 4 { // its number, as gray bars of a quarter of the height
			for x := range w {
				img.Y[img.YOffset(x, y)] = byte(255 * (n >> (x * 16 / w) & 1))
			}
		}
		var file bytes.Buffer
		require.NoError(t, jpeg.Encode(&file, img, &jpeg.Options{Quality: 90}))
		return file.Bytes()
	}
}

func (w *world) attach(files map[string][]byte, names ...string) string {
	w.Helper()
	var refs []string
	for _, name := range names {
		f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: name, By: w.ids["clerk"], Most: 20 << 20, Bytes: bytes.NewReader(files[name])})
		require.NoError(w, err)
		refs = append(refs, fmt.Sprintf(`{"refId": %q}`, f.ID))
	}
	return w.save("clerk", "", 0, fmt.Sprintf(`{"title": "T", "secret": 7, "photos": [%s]}`, strings.Join(refs, ","))).ID
}

// TestPhotoSheet: so many photos a page, each with its caption, what is below them moves on, and what cannot be drawn says why.
func TestPhotoSheet(t *testing.T) {
	each(t, func(w *world) {
		make := photo(t, 400, 300)
		files := map[string][]byte{"r.heic": []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1"), "q.jpg": append([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00"), 1, 2, 3), "z.txt": []byte("text")}
		var names []string
		for i := range 8 {
			name := fmt.Sprintf("%d.jpg", i+1)
			files[name] = make(i)
			names = append(names, name)
		}
		id := w.attach(files, append(names, "q.jpg", "r.heic", "z.txt")...)
		out, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), of("z_album", id))
		require.NoError(w, err)
		require.Len(w, out.Pages, 2)
		var pictures, texts []string
		for i, page := range out.Pages {
			for _, m := range page.Marks {
				switch m := m.(type) {
				case layout.ImageMark:
					require.InDelta(w, 4.0/3, float64(m.Width)/float64(m.Height), 0.01, "whole")
					pictures = append(pictures, fmt.Sprint(i))
				case layout.TextMark:
					texts = append(texts, fmt.Sprint(i, " ", m.Text))
				}
			}
		}
		require.Equal(w, "0 0 0 0 0 0 1 1", strings.Join(pictures, " "))
		require.Equal(w, []string{"0 单 T", "0 1 T   7", "0 2 T   7", "0 3 T   7", "0 4 T   7", "0 5 T   7", "0 6 T   7", "1 7 T   7", "1 8 T   7",
			"1 图片无法显示：q.jpg（文件已损坏）", "1 9 T   7", "1 图片无法显示：r.heic（HEIC 格式不能打印，请另存为 JPEG", "1 后上传）", "1 10 T   7", "1 完"}, texts)
		shown, err := w.app.Prints().Lay(w.Context(), w.as("own"), of("z_album", w.attachAs("own", files, "1.jpg")))
		require.NoError(w, err)
		for _, m := range shown.Pages[0].Marks {
			if text, is := m.(layout.TextMark); is {
				require.NotContains(w, text.Text, "7", "who may not read the property does not read it below a photo")
			}
		}
	})
}

func (w *world) attachAs(name string, files map[string][]byte, file string) string {
	w.Helper()
	f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: file, By: w.ids[name], Most: 20 << 20, Bytes: bytes.NewReader(files[file])})
	require.NoError(w, err)
	return w.save(name, "", 0, fmt.Sprintf(`{"title": "O", "photos": [{"refId": %q}]}`, f.ID)).ID
}

// TestPhotosInTime: a call whose time is not enough to draw its photos small says so, and goes on when it is asked again.
func TestPhotosInTime(t *testing.T) {
	each(t, func(w *world) {
		files := map[string][]byte{"a.jpg": photo(t, 400, 300)(1)}
		id := w.attach(files, "a.jpg")
		kept := func() (n int) {
			found, err := filepath.Glob(filepath.Join(w.dir, "files", "*", "*.paper"))
			require.NoError(w, err)
			return len(found)
		}
		require.Eventually(w, func() bool { return kept() == 1 }, 10*time.Second, time.Millisecond, "it is drawn when it is brought")
		found, err := filepath.Glob(filepath.Join(w.dir, "files", "*", "*.paper"))
		require.NoError(w, err)
		require.NoError(w, os.Remove(found[0])) // a photo of before
		short, cancel := context.WithTimeout(w.Context(), 5*time.Second)
		defer cancel()
		_, err = w.app.Prints().Lay(short, w.as("clerk"), of("z_photos", id))
		require.Equal(w, fault.PrintPictures, fault.Of(err), "%v", err)
		require.Eventually(w, func() bool { return kept() == 1 }, 10*time.Second, time.Millisecond, "and is being drawn")
		out, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), of("z_photos", id))
		require.NoError(w, err)
		require.Len(w, out.Pages, 1)
	})
}

// TestBatchOfPhotos: records with many photos of a camera, none of them drawn small before, are printed in a bounded time and memory.
func TestBatchOfPhotos(t *testing.T) {
	records, photos := storetest.Full(2, 20), storetest.Full(3, 20)
	dir := t.TempDir()
	require.NoError(t, demo.CopyTo(dir))
	w := openWorld(t, store.Options{Dir: dir})
	w.dir = dir
	make := photo(t, 4000, 3000)
	var ids []string
	size := 0
	for r := range records {
		files, names := map[string][]byte{}, []string{}
		for p := range photos {
			name := fmt.Sprintf("%d.jpg", p)
			files[name] = make(r*photos + p)
			size += len(files[name])
			names = append(names, name)
		}
		ids = append(ids, w.attach(files, names...))
	}
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	runtime.GC()
	base, peak := held(), int64(0)
	begun := time.Now()
	started, err := w.app.Prints().Batch(w.Context(), w.as("clerk"), printing.BatchRequest{ListRequest: query.ListRequest{SchemaCode: "sheet", ObjectIDs: ids}, Template: "z_album"})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		peak = max(peak, held()-base)
		task, err := w.app.Exports().Progress(w.Context(), w.as("clerk"), started.ID)
		require.NoError(t, err)
		return task.Ended()
	}, time.Duration(records*photos)*15*time.Second, 20*time.Millisecond)
	_, file, err := w.ended("clerk", started.ID)
	require.NoError(t, err)
	t.Logf("%d photos of %d MB in all: %.1f s, a file of %d MB, at most %d MB more on the heap", records*photos, size>>20, time.Since(begun).Seconds(), len(file)>>20, peak>>20)
	if at := os.Getenv("SLUICE_SHOW"); at != "" {
		require.NoError(t, os.WriteFile(at, file, 0o600))
	}
	require.Less(t, peak, int64(200<<20))
	require.Equal(t, records*photos, bytes.Count(file, []byte("/Subtype /Image")), "each photo is in the file")
	require.Equal(t, records*((photos+5)/6), bytes.Count(file, []byte("/Type /Page\n"))+bytes.Count(file, []byte("/Type /Page ")))
}
