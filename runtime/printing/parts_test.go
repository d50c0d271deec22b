package printing_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestParts: what a batch holds at once has a bound in pages and in bytes of pictures, and nothing is left out for it.
func TestParts(t *testing.T) {
	each(t, func(w *world) {
		row := `{"what": "混凝土", "count": 1},`
		var long []string
		for i := range 9 {
			long = append(long, w.save("clerk", "", 0, fmt.Sprintf(`{"title": "long %d", "lines": [%s]}`, i, strings.TrimSuffix(strings.Repeat(row, 500), ","))).ID)
		}
		lay := func(template string, ids ...string) *printing.Printout {
			w.Helper()
			p, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), of(template, ids...).AsPart())
			require.NoError(w, err)
			require.Equal(w, ids[:p.Reached()], p.Records)
			return p
		}
		whole, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), of("sheet", long...))
		require.NoError(w, err)
		part := lay("sheet", long...)
		require.Less(w, part.Reached(), len(long))
		require.Len(w, whole.Records, len(long), "what one person looks at is not cut")
		require.Less(w, len(part.Pages), 100+len(whole.Pages)/len(long))
		rest := lay("sheet", long[part.Reached():]...)
		require.Equal(w, len(whole.Pages), len(part.Pages)+len(rest.Pages))

		random := rand.New(rand.NewPCG(1, 2))
		noise := image.NewGray(image.Rect(0, 0, 1600, 1600))
		for i := range noise.Pix {
			noise.Pix[i] = byte(random.Uint32())
		}
		made := 0
		photos := func(n int) string {
			var refs []string
			for range n {
				clear(noise.Pix[made*1600 : (made+1)*1600]) // another picture: a file holds the same once
				made += 8
				var photo bytes.Buffer
				require.NoError(w, jpeg.Encode(&photo, noise, &jpeg.Options{Quality: 90}))
				f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: "照片.jpg", By: w.ids["clerk"], Most: 8 << 20, Bytes: &photo})
				require.NoError(w, err)
				refs = append(refs, fmt.Sprintf(`{"refId": %q}`, f.ID))
			}
			return w.save("clerk", "", 0, fmt.Sprintf(`{"title": "photos", "photos": [%s]}`, strings.Join(refs, ","))).ID
		}
		heavy, light := photos(8), photos(1)
		require.Equal(w, 1, lay("z_photos", heavy, light).Reached())

		list := query.ListRequest{SchemaCode: "sheet", ObjectIDs: []string{heavy, light}}
		started, err := w.app.Prints().Batch(w.Context(), w.as("clerk"), printing.BatchRequest{ListRequest: list, Template: "z_photos"})
		require.NoError(w, err)
		task, file, err := w.ended("clerk", started.ID)
		require.NoError(w, err)
		require.EqualValues(w, 2, task.Rows)
		require.Equal(w, 9, strings.Count(string(file), "/DCTDecode"), "all pictures are drawn")
	})
}
