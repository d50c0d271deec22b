package pdf_test

import (
	"bytes"
	"encoding/xml"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
	"github.com/stretchr/testify/require"
)

// hard is a page with what archives are particular about: translucent pictures, characters beyond the basic plane and such without a glyph,
// heavy letters and fills.
func hard(t testing.TB) ([]layout.Page, pdf.Images) {
	img := image.NewNRGBA(image.Rect(0, 0, 60, 40))
	for y := range 40 {
		for x := range 60 {
			img.SetNRGBA(x, y, color.NRGBA{200, 0, 0, uint8(x * 4)})
			switch {
			case y < 10:
				img.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
			case y > 30:
				img.SetNRGBA(x, y, color.NRGBA{})
			}
		}
	}
	var picture, photo bytes.Buffer
	require.NoError(t, png.Encode(&picture, img))
	require.NoError(t, jpeg.Encode(&photo, img, nil))
	pages, green := form(2), layout.Color(0x80ff80)
	text := func(y layout.Length, s string, bold bool) layout.TextMark {
		return layout.TextMark{X: 60 * mm, Y: y, Size: layout.Points(12), Text: s, Width: 40 * mm, Bold: bold, Italic: bold, Underline: bold}
	}
	pages[0].Marks = append(pages[0].Marks, layout.BoxMark{X: 10 * mm, Width: 100 * mm, Height: 20 * mm, Fill: &green}, layout.ImageMark{Ref: "a", X: 20 * mm, Y: 2 * mm, Width: 30 * mm, Height: 15 * mm},
		text(8*mm, "张\U0002cb4e㛃 \U00020bb7\U0002cb2d\u9fd4\ue000", false), text(14*mm, "\U0002cb5a体", true), layout.ImageMark{Ref: "b", X: 120 * mm, Y: 2 * mm, Width: 30 * mm, Height: 15 * mm})
	return pages, func(ref string) []byte { return map[string][]byte{"a": picture.Bytes(), "b": photo.Bytes()}[ref] }
}

var archived = pdf.Info{Title: "检验批 <1> & 2", Author: "王工", Language: "zh-CN", Time: at.Time}

// What PDF/A-1b demands of a file, as far as its bytes show it. TestPreflight asks a validator.
func TestArchive(t *testing.T) {
	pages, images := hard(t)
	var out bytes.Buffer
	require.NoError(t, pdf.Write(&out, pages, images, archived))
	file := out.String()
	for _, never := range []string{"/Transparency", "/SMask", "/DeviceCMYK", "/JavaScript", "/EmbeddedFile"} {
		require.False(t, strings.Contains(file, never), never)
	}
	require.True(t, strings.Contains(file, "/Mask [255 255 255 255"), "pixels that are not there show what is below")
	require.True(t, strings.Contains(file, "/S /GTS_PDFA1"))
	id := regexp.MustCompile(`/ID \[<([0-9a-f]{32})> <([0-9a-f]{32})>\]`).FindStringSubmatch(file)
	require.Len(t, id, 3)
	require.Equal(t, id[1], id[2])
	require.True(t, regexp.MustCompile(`/FontName /[A-Z]{6}\+SluicePaper[^>]*/CIDSet \d+ 0 R>>`).MatchString(file))

	from, to := strings.Index(file, "<x:xmpmeta"), strings.Index(file, "<?xpacket end")
	var said struct {
		Title   string `xml:"RDF>Description>title>Alt>li"`
		Author  string `xml:"RDF>Description>creator>Seq>li"`
		Created string `xml:"RDF>Description>CreateDate"`
		Part    string `xml:"RDF>Description>part"`
		Level   string `xml:"RDF>Description>conformance"`
	}
	require.NoError(t, xml.Unmarshal([]byte(file[from:to]), &said))
	require.Equal(t, []string{archived.Title, archived.Author, "2026-11-25T01:02:03+00:00", "1", "B"}, []string{said.Title, said.Author, said.Created, said.Part, said.Level})

	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("needs pdftotext (apt-get install poppler-utils)")
	}
	c := exec.Command("pdftotext", "-l", "1", "-", "-")
	c.Stdin = &out
	text, err := c.Output()
	require.NoError(t, err)
	require.Contains(t, string(text), "张\U0002cb4e㛃 \U00020bb7\U0002cb2d\u9fd4\ue000", "what is drawn as a box too")
	require.Contains(t, string(text), "\U0002cb5a体")
}

// The validator of Apache PDFBox is given by its class path, as in SLUICE_PREFLIGHT=/usr/share/java/preflight.jar:... (Debian: libpdfbox2-java,
// libcommons-logging-java, libcommons-io-java, libactivation-java, libjaxb-api-java and a JDK).
func TestPreflight(t *testing.T) {
	path := os.Getenv("SLUICE_PREFLIGHT")
	if path == "" {
		t.Skip("needs SLUICE_PREFLIGHT, the class path of the validator")
	}
	pages, images := hard(t)
	many := form(600)
	name := filepath.Join(t.TempDir(), "a.pdf")
	for _, pages := range [][]layout.Page{pages, many} {
		var out bytes.Buffer
		require.NoError(t, pdf.Write(&out, pages, images, archived))
		require.NoError(t, os.WriteFile(name, out.Bytes(), 0o600))
		said, err := exec.Command("java", "-cp", path, "testdata/Preflight.java", name).CombinedOutput()
		require.NoError(t, err, string(said))
	}
}

// A page is in one node of a tree whose arrays are short, and pictures that many pages show are there once.
func TestManyPages(t *testing.T) {
	pages, images := hard(t)
	var many []layout.Page
	for range 501 {
		many = append(many, layout.Page{Width: 210 * mm, Height: 297 * mm, Marks: []layout.Mark{pages[0].Marks[len(pages[0].Marks)-1]}})
	}
	var out bytes.Buffer
	f := pdf.New(&out)
	for _, p := range [][]layout.Page{many[:200], many[200:]} {
		require.NoError(t, f.Add(p, images))
	}
	require.NoError(t, f.Close(at))
	require.Equal(t, 1, strings.Count(out.String(), "/Subtype /Image"))
	require.Equal(t, 3, strings.Count(out.String(), "/Type /Pages"))
	require.True(t, strings.Contains(out.String(), "/Count 501\n"))
	require.NoError(t, pdf.Write(io.Discard, many[:1], func(string) []byte { return []byte("no picture") }, at))
}
