package printing_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing"
)

// Barcodes and QR codes of a property are read from a picture of the file by another program.
func TestCodesOnPaper(t *testing.T) {
	for _, tool := range []string{"pdftoppm", "zbarimg"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool + " (apt-get install poppler-utils zbar-tools)")
		}
	}
	each(t, func(w *world) {
		out, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), of("z_codes", w.save("clerk", "", 0, `{"title": "JL-002-12-003"}`).ID))
		require.NoError(w, err)
		var file bytes.Buffer
		require.NoError(w, out.WritePDF(&file, "zh", "clerk"))
		name := filepath.Join(w.TempDir(), "codes")
		require.NoError(w, os.WriteFile(name+".pdf", file.Bytes(), 0o600))
		require.NoError(w, exec.Command("pdftoppm", "-r", "150", "-gray", "-png", "-singlefile", name+".pdf", name).Run())
		read, err := exec.Command("zbarimg", "-q", name+".png").Output()
		require.NoError(w, err)
		require.Equal(w, []string{"CODE-128:JL-002-12-003", "QR-Code:JL-002-12-003"}, slices.Sorted(strings.FieldsSeq(string(read))))
	})
}

// A background is for the eyes of the designer, unless the template says that it is printed.
func TestBackground(t *testing.T) {
	each(t, func(w *world) {
		id := w.save("clerk", "", 0, `{"title": "a"}`).ID
		pictures := func(req printing.Request) (n int) {
			out, err := w.app.Prints().Lay(w.Context(), w.as("clerk"), req)
			require.NoError(w, err)
			for _, m := range out.Pages[0].Marks {
				if image, is := m.(layout.ImageMark); is {
					require.Equal(w, []layout.Length{210 * layout.Millimeter, 297 * layout.Millimeter}, []layout.Length{image.Width, image.Height})
					n++
				}
			}
			return n
		}
		require.Equal(w, 0, pictures(of("z_codes", id)))
		draft := of("z_codes", id)
		draft.Draft = true
		require.Equal(w, 1, pictures(draft))
		require.Equal(w, 1, pictures(of("z_ground", id)))
	})
}
