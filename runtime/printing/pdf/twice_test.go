package pdf_test

import (
	"bytes"
	"image"
	"image/png"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
)

// TestPictureTwice: one picture under two names, such as a logo that is uploaded twice, is one entry of the dictionary and drawn twice.
func TestPictureTwice(t *testing.T) {
	var logo bytes.Buffer
	require.NoError(t, png.Encode(&logo, image.NewGray(image.Rect(0, 0, 20, 10))))
	at := func(ref string, y layout.Length) layout.Mark {
		return layout.ImageMark{X: 10 * layout.Millimeter, Y: y, Width: 20 * layout.Millimeter, Height: 10 * layout.Millimeter, Ref: ref}
	}
	page := layout.Page{Width: 210 * layout.Millimeter, Height: 297 * layout.Millimeter, Marks: []layout.Mark{at("a", 0), at("b", 20*layout.Millimeter), at("a", 40*layout.Millimeter)}}
	var file bytes.Buffer
	require.NoError(t, pdf.Write(&file, []layout.Page{page}, func(string) []byte { return logo.Bytes() }, pdf.Info{Time: time.Unix(0, 0)}))
	dictionary := regexp.MustCompile(`(?s)/XObject\s*<<(.*?)>>`).FindSubmatch(file.Bytes())
	require.NotNil(t, dictionary)
	require.Len(t, regexp.MustCompile(`/I\w+ \d+ 0 R`).FindAll(dictionary[1], -1), 1, "%s", dictionary[1])
}
