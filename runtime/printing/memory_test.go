package printing_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// pictured makes JPEG files that look the same and are different.
func pictured(t *testing.T) func(n int) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	noise := image.NewGray(image.Rect(0, 0, 1000, 900))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32())
	}
	var photo bytes.Buffer
	require.NoError(t, jpeg.Encode(&photo, noise, &jpeg.Options{Quality: 90}))
	return func(n int) []byte { // a comment behind the beginning
		return append(append(binary.BigEndian.AppendUint32([]byte{0xff, 0xd8, 0xff, 0xfe, 0, 6}, uint32(n)), photo.Bytes()[2:]...), 0)[:photo.Len()+8]
	}
}

// held is how many bytes of the heap were in use when it was last looked through.
func held() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// TestMemoryOfPrints: a batch of records with many pictures, ten times of what a part of it may hold, never holds more than a few parts. It runs alone, for it looks at the
// whole heap.
func TestMemoryOfPrints(t *testing.T) {
	const records, photos = 32, 4
	dir := t.TempDir()
	require.NoError(t, demo.CopyTo(dir))
	w := openWorld(t, store.Options{Dir: dir})
	picture, made := pictured(t), 0
	var ids []string
	bytesOfAll, suffix := int64(0), ""
	for range records {
		var refs []string
		for range photos {
			made++
			f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: "照片.jpg", By: w.ids["clerk"], Most: 8 << 20, Bytes: bytes.NewReader(picture(made))})
			require.NoError(w, err)
			refs = append(refs, fmt.Sprintf(`{"refId": %q}`, f.ID))
			if suffix == "" { // what is kept for paper, which takes a tenth of a second each to be drawn
				_, err := w.app.Files().Paper(w.Context(), f)
				require.NoError(w, err)
				found, err := filepath.Glob(filepath.Join(dir, "files", "*", f.ID+"?*"))
				require.NoError(w, err)
				require.Len(w, found, 1)
				_, suffix, _ = strings.Cut(filepath.Base(found[0]), f.ID)
			}
			drawn := picture(made)
			require.NoError(w, os.WriteFile(filepath.Join(dir, "files", f.ID[len(f.ID)-2:], f.ID+suffix), drawn, 0o600))
			bytesOfAll += int64(len(drawn))
		}
		ids = append(ids, w.save("clerk", "", 0, fmt.Sprintf(`{"title": "photos", "photos": [%s]}`, strings.Join(refs, ","))).ID)
	}
	require.Greater(t, bytesOfAll, int64(10*printing.PartImages))

	prints := func(ids []string) {
		started, err := w.app.Prints().Batch(w.Context(), w.as("clerk"), printing.BatchRequest{ListRequest: query.ListRequest{SchemaCode: "sheet", ObjectIDs: ids}, Template: "z_photos"})
		require.NoError(w, err)
		require.Eventually(w, func() bool {
			task, err := w.app.Exports().Progress(w.Context(), w.as("clerk"), started.ID)
			require.NoError(w, err)
			return task.Ended() && task.Rows == int64(len(ids))
		}, time.Minute, 20*time.Millisecond)
	}
	prints(ids[:1]) // fonts stay
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	base := held()
	var most atomic.Int64
	ended, looked := make(chan bool), make(chan bool)
	go func() {
		defer close(looked)
		for tick := time.NewTicker(time.Millisecond); ; {
			select {
			case <-ended:
				tick.Stop()
				return
			case <-tick.C:
				most.Store(max(most.Load(), held()-base))
			}
		}
	}()
	prints(ids)
	close(ended)
	<-looked
	t.Logf("%d MiB of pictures, at most %d MiB more on the heap", bytesOfAll>>20, most.Load()>>20)
	require.Less(t, most.Load(), int64(12*printing.PartImages))
}
