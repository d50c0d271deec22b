package httpapi

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

type anything = map[string]any

func labelsCall(t *testing.T, path string, labels anything, ids ...string) call {
	t.Helper()
	body, err := json.Marshal(anything{"schemaCode": "inspection", "queryCode": "inspection", "objectIds": ids, "labels": labels})
	require.NoError(t, err)
	return call{method: http.MethodPost, path: "/api/runtime/print/" + path, body: string(body), actor: administrator, headers: map[string]string{"Origin": "http://example.com"}}
}

// lotIDs are the ids of some lots of the example.
func lotIDs(t *testing.T, n int) []string {
	t.Helper()
	var page struct {
		Content []struct {
			ID string `json:"id"`
		} `json:"content"`
	}
	shared.post(t, administrator, "/api/runtime/query/list", `{"schemaCode":"inspection","size":500}`).into(t, &page)
	require.GreaterOrEqual(t, len(page.Content), n)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = page.Content[i].ID
	}
	return ids
}

// codesOn are what another reader finds in the codes on a page of what a call prints, sorted: in a picture of the file, where the marks say that
// codes are. It looks at no more than the first twelve.
func codesOn(t *testing.T, of func(path string) call, page int) []string {
	t.Helper()
	if _, err := exec.LookPath("zbarimg"); err != nil {
		t.Skip("needs zbarimg (apt-get install zbar-tools)")
	}
	reader(t)
	var marks printing.Preview
	shared.send(t, of("pages")).into(t, &marks)
	file := saved(t, "labels", sheetOf(t, shared.send(t, of("pdf"))))
	const dpi = 240
	var codes []printing.PreviewMark
	low := 0.0
	for _, mark := range marks.Pages[page-1].Marks {
		if mark.Type == "code" && len(mark.Rows) > 1 && len(codes) < 12 {
			codes, low = append(codes, mark), max(low, mark.Y+mark.Height+3)
		}
	}
	at := func(mm float64) int { return int(mm * dpi / 25.4) }
	picture, err := exec.Command("pdftoppm", "-r", strconv.Itoa(dpi), "-gray", "-png", "-x", "0", "-y", "0", "-W", strconv.Itoa(at(marks.Pages[page-1].Width)), "-H", strconv.Itoa(at(low)), "-f", strconv.Itoa(page), "-l", strconv.Itoa(page), file).Output()
	require.NoError(t, err)
	m, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	dir := t.TempDir()
	var parts []string
	for i, mark := range codes {
		part := image.NewGray(image.Rect(0, 0, 2*at(mark.Width+3), 2*at(mark.Height+3)))
		for y := range part.Rect.Max.Y { // twice as large, which readers want
			for x := range part.Rect.Max.X {
				part.Set(x, y, m.At(at(mark.X-1.5)+x/2, at(mark.Y-1.5)+y/2))
			}
		}
		var b bytes.Buffer
		require.NoError(t, (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, part))
		parts = append(parts, filepath.Join(dir, strconv.Itoa(i)+".png"))
		require.NoError(t, os.WriteFile(parts[len(parts)-1], b.Bytes(), 0o600))
	}
	out, err := exec.Command("zbarimg", append([]string{"--raw", "-q", "-Sdisable", "-Sqrcode.enable"}, parts...)...).Output()
	require.NoError(t, err)
	return slices.Sorted(strings.FieldsSeq(string(out)))
}

func addresses(schema string, ids ...string) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = "http://example.com/form/detail?" + url.Values{"schemaCode": {schema}, "objectId": {id}}.Encode()
	}
	slices.Sort(out)
	return out
}

func sheetOf(t *testing.T, got reply) []byte {
	t.Helper()
	require.Equal(t, http.StatusOK, got.Code, "%s", got.Body)
	return got.Body.Bytes()
}

// TestLabelSheets: on common sheets each code opens its record, as another program reads them. TestStocks looks at the places of all.
func TestLabelSheets(t *testing.T) {
	caption := []anything{{"isDataItem": 1, "code": "lotNo"}}
	for name, c := range map[string]struct {
		labels anything
		each   int
	}{
		"2x5": {anything{"sheet": "2x5", "textData": caption}, 10}, "5x13": {anything{"sheet": "5x13"}, 12},
		"landscape": {anything{"sheet": "A4", "direction": "landscape", "textData": caption}, 12},
	} {
		t.Run(name, func(t *testing.T) {
			ids := lotIDs(t, c.each)
			if name == "2x5" {
				ids = lotIDs(t, c.each+1)
			}
			of := func(path string) call { return labelsCall(t, path, c.labels, ids...) }
			require.Equal(t, addresses("inspection", ids[:c.each]...), codesOn(t, of, 1))
			if name == "2x5" {
				require.Equal(t, addresses("inspection", ids[c.each]), codesOn(t, of, 2), "the rest is on the next page")
			}
		})
	}
}

// TestThousandLabels: a printer of labels gets a page of its size for each label of a batch (of a thousand where everything is tested), and
// more than a thousand are refused.
func TestThousandLabels(t *testing.T) {
	some := lotIDs(t, 100)
	var ids []string
	for range 10 {
		ids = append(ids, some...)
	}
	labels := anything{"width": 70, "height": 40, "textData": []anything{{"code": "lotNo"}, {"code": "part"}}}
	pages := storetest.Full(200, len(ids))
	file := sheetOf(t, shared.send(t, labelsCall(t, "pdf", labels, ids[:pages]...)))
	require.Equal(t, pages, bytes.Count(file, []byte("<</Type /Page\n")))
	require.Equal(t, pages, bytes.Count(file, []byte("/MediaBox [0 0 198.43 113.39]")), "70 by 40 mm")
	require.Equal(t, addresses("inspection", some[1]), codesOn(t, func(path string) call { return labelsCall(t, path, labels, some[:2]...) }, 2))
	shared.refused(t, fault.BadParameter, labelsCall(t, "pdf", anything{}, append(ids, ids[0])...))
}

// TestLabelRoom: a label without room for its code, or larger than its paper, is refused in words.
func TestLabelRoom(t *testing.T) {
	ids := lotIDs(t, 1)
	for _, labels := range []anything{{"width": -5}, {"width": 0}, {"width": 12, "height": 12}, {"height": 20, "width": 20, "fontSize": 5, "textData": []anything{{"code": "lotNo"}, {"code": "part"}, {"code": "unit"}}},
		{"sheet": "5x13", "textData": []anything{{"code": "lotNo"}, {"code": "part"}, {"code": "unit"}}, "width": 500}, {"sheet": "A4", "height": -1}} {
		if labels["sheet"] == "5x13" { // a caption beside the code takes no height of it
			sheetOf(t, shared.send(t, labelsCall(t, "pdf", labels, ids...)))
			continue
		}
		shared.refused(t, fault.PrintLabelSmall, labelsCall(t, "pages", labels, ids...))
	}
	got := shared.send(t, labelsCall(t, "pages", anything{"width": -5}, ids...))
	require.Equal(t, "0 × 60 毫米的标签放不下二维码和标签文字，请加大标签、减少文字或选较小的字号", got.Errmsg)
	shared.refused(t, fault.PrintLabelLarge, labelsCall(t, "pages", anything{"sheet": "A4", "width": 250}, ids...))
	shared.refused(t, fault.BadParameter, labelsCall(t, "pages", anything{"sheet": "9x9"}, ids...))
}

// TestLabelLogo: the logo of the installation is in the middle of the code, which can still be read.
func TestLabelLogo(t *testing.T) {
	logo := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range logo.Pix {
		logo.Pix[i] = 0xff
	}
	for y := range 48 {
		for x := range 48 {
			logo.Set(8+x, 8+y, color.RGBA{0, 0x60, 0xc0, 0xff})
		}
	}
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, logo))
	person, ok := shared.app.People().PersonByName(t.Context(), administrator)
	require.True(t, ok)
	view := shared.app.State().Policy.View(authn.Principal(t.Context(), shared.app.People(), person, ""), shared.app.Now(), shared.app.Zone())
	prints := *shared.app.Prints()
	ids := lotIDs(t, 1)
	print := func() (*printing.Printout, []byte) {
		out, err := prints.Print(t.Context(), view, printing.Request{PrintRequest: query.PrintRequest{SchemaCode: "inspection", QueryCode: "inspection", ObjectIDs: ids},
			Labels: &printing.Labels{Logo: true}, Address: "http://example.com"}, printing.Previewed, uuid.Must(uuid.NewV7()).String())
		require.NoError(t, err)
		var file bytes.Buffer
		require.NoError(t, out.WritePDF(&file, "zh", "root"))
		return out, file.Bytes()
	}
	_, file := print()
	require.NotContains(t, string(file), "/Subtype /Image", "there is none")
	prints.Logo = func() []byte { return picture.Bytes() }
	_, file = print()
	require.Contains(t, string(file), "/Subtype /Image")
	if _, err := exec.LookPath("zbarimg"); err != nil {
		t.Skip("needs zbarimg (apt-get install zbar-tools)")
	}
	reader(t)
	page := filepath.Join(t.TempDir(), "page")
	require.NoError(t, exec.Command("pdftoppm", "-r", "200", "-png", "-singlefile", saved(t, "logo", file), page).Run())
	read, err := exec.Command("zbarimg", "--raw", "-q", page+".png").Output()
	require.NoError(t, err)
	require.Equal(t, addresses("inspection", ids...)[0], strings.TrimSpace(string(read)))
}

// TestCodeOfSheet: the code on a measurement sheet opens its record.
func TestCodeOfSheet(t *testing.T) {
	id := recordOf("measurement", "JL-002-12-003")
	require.Equal(t, addresses("measurement", id), codesOn(t, func(path string) call { return onPaper(t, path, "zh", "measurement", "m01", id) }, 1))
}
