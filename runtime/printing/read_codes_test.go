package printing_test

import (
	"bytes"
	"fmt"
	"image"
	_ "image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/oned"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
)

// resolutions of label printers, office printers and good office printers, in dots an inch.
var resolutions = []int{203, 300, 600}

// codedTexts are what codes hold: addresses that verify paper, addresses of records, numbers, Chinese, and long texts.
func codedTexts() []string {
	var out []string
	for i := range 40 {
		switch i % 5 {
		case 0:
			out = append(out, fmt.Sprintf("%s/print/verify?code=%s", address, strings.Repeat(string(rune('A'+i)), 31)+"x"))
		case 1:
			out = append(out, fmt.Sprintf("%s/form/detail?objectId=0193f1c4-5a10-7%03d-8000-0123456789ab&schemaCode=inspection", address, i))
		case 2:
			out = append(out, fmt.Sprintf("闸室底板-%d 混凝土浇筑（张𬭎）", i))
		case 3:
			out = append(out, fmt.Sprintf("JL-002-%d-003", i))
		default:
			out = append(out, strings.Repeat(fmt.Sprintf("报验单 %d; ", i), 4))
		}
	}
	return out
}

// cut is a code on a page with what it holds.
type cutout struct {
	text                string
	x, y, width, height layout.Length
}

// pagesOf lays codes out as templates do, at places that no grid of dots has.
func pagesOf(side layout.Length, modules func(text string) *layout.Modules, texts []string, height layout.Length) ([]layout.Page, [][]cutout) {
	const across, down = 4, 5
	d := &layout.Document{Setup: layout.Setup{Width: 210 * layout.Millimeter, Height: 297 * layout.Millimeter, Top: 20 * layout.Millimeter, Bottom: 20 * layout.Millimeter, Left: 17 * layout.Millimeter, Right: 17 * layout.Millimeter}}
	var places [][]cutout
	for part := range slices.Chunk(texts, across*down) {
		var f layout.Flow
		var on []cutout
		for i, text := range part {
			x, y := layout.Length(i%across)*43*layout.Millimeter+layout.Length(i)*37, layout.Length(i/across)*48*layout.Millimeter+layout.Length(i)*53
			f.Elements = append(f.Elements, layout.Element{Left: x, Top: y, Width: side, Height: height, Content: modules(text)})
			on = append(on, cutout{text, x + d.Setup.Left, y + d.Setup.Top, side, height})
		}
		d.Flows, places = append(d.Flows, f), append(places, on)
	}
	return layout.Lay(d, font.Default()), places
}

// drawnAt makes pictures of the pages of a file, as a printer of that resolution would.
func drawnAt(t *testing.T, pages []layout.Page, dpi int) (out []image.Image) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "codes")
	var file bytes.Buffer
	require.NoError(t, pdf.Write(&file, pages, nil, pdf.Info{Time: time.Unix(0, 0)}))
	require.NoError(t, os.WriteFile(name+".pdf", file.Bytes(), 0o600))
	require.NoError(t, exec.Command("pdftoppm", "-r", fmt.Sprint(dpi), "-gray", "-png", name+".pdf", name).Run())
	found, err := filepath.Glob(name + "*.png")
	require.NoError(t, err)
	slices.Sort(found)
	for _, one := range found {
		data, err := os.ReadFile(one)
		require.NoError(t, err)
		page, _, err := image.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		out = append(out, page)
	}
	return out
}

func (c cutout) of(page image.Image, dpi int) image.Image {
	dots := func(l layout.Length) int { return int(l.MM() * float64(dpi) / 25.4) }
	return page.(interface {
		SubImage(r image.Rectangle) image.Image
	}).SubImage(image.Rect(dots(c.x), dots(c.y), dots(c.x+c.width)+1, dots(c.y+c.height)+1))
}

// codeReader gives what it reads of the codes on a page, by their places.
type codeReader func(t *testing.T, page image.Image, on []cutout, dpi int) []string

// codeReaders are two that share no code: a port of ZXing, and zbar.
func codeReaders(square bool) map[string]codeReader {
	return map[string]codeReader{
		"zxing": func(_ *testing.T, page image.Image, on []cutout, dpi int) (out []string) {
			for _, c := range on {
				out = append(out, zxing(c.of(page, dpi), square))
			}
			return out
		},
		"zbar": func(t *testing.T, page image.Image, on []cutout, dpi int) (out []string) {
			for _, c := range on {
				out = append(out, zbar(t, c.of(page, dpi)))
			}
			return out
		},
	}
}

func zbar(t *testing.T, img image.Image) string {
	t.Helper()
	name, b := filepath.Join(t.TempDir(), "code.pgm"), img.Bounds()
	data := fmt.Appendf(nil, "P5\n%d %d\n255\n", b.Dx(), b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			gray, _, _, _ := img.At(x, y).RGBA()
			data = append(data, byte(gray>>8))
		}
	}
	require.NoError(t, os.WriteFile(name, data, 0o600))
	got, _ := exec.Command("zbarimg", "-q", "--raw", name).Output() // it fails where it finds none
	return strings.TrimSuffix(string(got), "\n")
}

// zxing reads a code as programs do: as it finds it in the picture and, since nothing else is in it, by its corners.
func zxing(img image.Image, square bool) string {
	bits, err := gozxing.NewBinaryBitmapFromImage(img)
	if err != nil {
		return err.Error()
	}
	var r gozxing.Reader = oned.NewCode128Reader()
	if square {
		r = qrcode.NewQRCodeReader()
	}
	got, err := r.DecodeWithoutHints(bits)
	if err != nil {
		got, err = r.Decode(bits, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true, gozxing.DecodeHintType_TRY_HARDER: true})
	}
	if err != nil {
		return err.Error()
	}
	return got.GetText()
}

// needs leaves a test out where a program is missing.
func needs(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"pdftoppm", "zbarimg"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool + " (apt-get install poppler-utils zbar-tools)")
		}
	}
}

// readBack has every reader read every code at every resolution, and tells how many it read.
func readBack(t *testing.T, what string, pages []layout.Page, places [][]cutout, square bool) {
	t.Helper()
	for _, dpi := range resolutions {
		drawn := drawnAt(t, pages, dpi)
		require.Len(t, drawn, len(places))
		readers := codeReaders(square)
		for _, name := range slices.Sorted(maps.Keys(readers)) {
			read, all := 0, 0
			for n, on := range places {
				for i, got := range readers[name](t, drawn[n], on, dpi) {
					all++
					if got == on[i].text {
						read++
					} else {
						t.Errorf("%s, %d dpi, %s: %q, not %q", what, dpi, name, got, on[i].text)
					}
				}
			}
			t.Logf("| %s | %d dpi | %s | %d of %d |", what, dpi, name, read, all)
		}
	}
}

// TestQRCodesAreRead: what codes of templates hold is read at the resolutions of printers, Chinese in it too, by two readers.
func TestQRCodesAreRead(t *testing.T) {
	t.Parallel()
	needs(t)
	pages, places := pagesOf(25*layout.Millimeter, func(text string) *layout.Modules {
		rows, ok := printing.QR(text, "M")
		require.True(t, ok)
		return &layout.Modules{Rows: rows, Quiet: 4}
	}, codedTexts(), 25*layout.Millimeter)
	readBack(t, "QR", pages, places, true)
}

// TestBarcodesAreRead: the same for codes of one row, whose bars have no more than a few dots.
func TestBarcodesAreRead(t *testing.T) {
	t.Parallel()
	needs(t)
	var texts []string
	for i := range 10 {
		texts = append(texts, fmt.Sprintf("JL-%03d-%d", i*37, i))
	}
	pages, places := pagesOf(40*layout.Millimeter, func(text string) *layout.Modules {
		rows, err := printing.Bars("CODE128", text)
		require.NoError(t, err)
		return &layout.Modules{Rows: rows, Quiet: 10}
	}, texts, 12*layout.Millimeter)
	readBack(t, "Code 128", pages, places, false)
}
