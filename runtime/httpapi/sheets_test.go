package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

var rewrite = flag.Bool("sheets", false, "write the pictures and digests of sheets anew; SHEETS names a folder for their files")

// onPaper is a request to print records of the example with a template.
func onPaper(t *testing.T, path, locale, schema, template string, ids ...string) call {
	t.Helper()
	body, err := json.Marshal(map[string]any{"schemaCode": schema, "queryCode": schema, "objectIds": ids, "code": template})
	require.NoError(t, err)
	return call{method: http.MethodPost, path: "/api/runtime/print/" + path, body: string(body), actor: administrator,
		headers: map[string]string{"Accept-Language": locale, "Origin": "http://example.com"}}
}

// paper is their file.
func (w *world) paper(t *testing.T, locale, schema, template string, ids ...string) []byte {
	t.Helper()
	got := w.send(t, onPaper(t, "pdf", locale, schema, template, ids...))
	require.Equal(t, http.StatusOK, got.Code, "%s", got.Body)
	return got.Body.Bytes()
}

func bare(text string) string { return strings.Join(strings.Fields(text), "") }

// pagesOf are the words of a file, by page, without white space.
func pagesOf(t *testing.T, file string) []string {
	t.Helper()
	out, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	require.NoError(t, err)
	pages := strings.Split(string(out), "\f")
	for i := range pages {
		pages[i] = bare(pages[i])
	}
	return pages[:len(pages)-1]
}

// figure writes a whole number of parts with separators: 1234567 with 2 places as 12,345.67.
func figure(n int64, places int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	digits := fmt.Sprintf("%0*d", places+1, n)
	whole, rest := digits[:len(digits)-places], digits[len(digits)-places:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if places > 0 {
		rest = "." + rest
	}
	return sign + whole + rest
}

// billLine is an entry of the bill as SQL computes it from the data file: quantities in thousandths, money in fen.
type billLine struct {
	Chapter, ItemNo, Name, Unit                                  string
	Price, Contract, Revised, Previous, Current, Done            int64
	ContractFen, RevisedFen, PreviousFen, CurrentFen, Until      int64
	SumContract, SumRevised, SumPrevious, SumCurrent, SumUntil   int64 // of this entry and those before it
	InContract, InRevised, InPrevious, InCurrent, InUntil, InAll int64 // of its chapter, and how many entries that has
}

// example is a data file of the example.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples/ship-lock/data", name))
	require.NoError(t, err)
	return string(text)
}

// ask runs plain SQL that the product knows nothing of.
func ask[T any](t *testing.T, text string, args ...any) (out []T) {
	t.Helper()
	require.NoError(t, shared.app.Store().Read(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Raw(text, args...).Scan(&out).Error }))
	return out
}

func billLines(t *testing.T) []billLine {
	return ask[billLine](t, `
WITH l AS (SELECT key AS n, value ->> 'chapter' AS chapter, value ->> 'itemNo' AS item_no, value ->> 'name' AS name, value ->> 'unit' AS unit,
  CAST(round(100 * (value ->> 'price')) AS INTEGER) AS price, CAST(round(1000 * (value ->> 'contractQty')) AS INTEGER) AS contract,
  CAST(round(1000 * (value ->> 'revisedQty')) AS INTEGER) AS revised, CAST(round(1000 * (value ->> 'previousQty')) AS INTEGER) AS previous,
  CAST(round(1000 * (value ->> 'currentQty')) AS INTEGER) AS current FROM json_each(?, '$.rows[0].lines')),
m AS (SELECT *, (contract * price + 500) / 1000 AS contract_fen, (revised * price + 500) / 1000 AS revised_fen, (previous * price + 500) / 1000 AS previous_fen,
  (current * price + 500) / 1000 AS current_fen, (previous * price + 500) / 1000 + (current * price + 500) / 1000 AS until,
  ((previous + current) * 20000 + revised) / (2 * revised) AS done FROM l)
SELECT *, sum(contract_fen) OVER upto AS sum_contract, sum(revised_fen) OVER upto AS sum_revised, sum(previous_fen) OVER upto AS sum_previous,
  sum(current_fen) OVER upto AS sum_current, sum(until) OVER upto AS sum_until,
  sum(contract_fen) OVER whole AS in_contract, sum(revised_fen) OVER whole AS in_revised, sum(previous_fen) OVER whole AS in_previous,
  sum(current_fen) OVER whole AS in_current, sum(until) OVER whole AS in_until, count(*) OVER whole AS in_all
FROM m WINDOW upto AS (ORDER BY n), whole AS (PARTITION BY chapter) ORDER BY n`, example(t, "period.json"))
}

// billSheet is what a sheet of the bill says of its entries.
type billSheet struct {
	row, chapter, upTo func(l billLine) string
}

var billSheets = map[string]billSheet{
	"m02": {
		func(l billLine) string {
			q := func(n int64) string { return figure(n, 3) }
			return l.ItemNo + bare(l.Name) + l.Unit + q(l.Contract) + q(l.Revised) + q(l.Previous) + q(l.Current) + q(l.Previous+l.Current) + q(l.Revised-l.Previous-l.Current) +
				figure(l.Done, 2) + "%" + figure(l.CurrentFen, 2)
		},
		func(l billLine) string { return figure(l.InCurrent, 2) },
		func(l billLine) string { return figure(l.SumCurrent, 2) },
	},
	"m03": {
		func(l billLine) string {
			both := func(q, fen int64) string { return figure(q, 3) + figure(fen, 2) }
			return l.ItemNo + bare(l.Name) + l.Unit + figure(l.Price, 2) + both(l.Contract, l.ContractFen) + both(l.Revised, l.RevisedFen) + both(l.Previous, l.PreviousFen) +
				both(l.Current, l.CurrentFen) + both(l.Previous+l.Current, l.Until) + figure(l.Done, 2) + "%"
		},
		func(l billLine) string {
			return figure(l.InContract, 2) + figure(l.InRevised, 2) + figure(l.InPrevious, 2) + figure(l.InCurrent, 2) + figure(l.InUntil, 2)
		},
		func(l billLine) string {
			return figure(l.SumContract, 2) + figure(l.SumRevised, 2) + figure(l.SumPrevious, 2) + figure(l.SumCurrent, 2) + figure(l.SumUntil, 2)
		},
	},
}

// reader skips a test where the words of files cannot be read.
func reader(t *testing.T) {
	t.Helper()
	for _, name := range []string{"pdftotext", "pdftoppm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("needs " + name + " (apt-get install poppler-utils)")
		}
	}
}

// saved writes a file where the programs that read it find it.
func saved(t *testing.T, name string, data []byte) string {
	t.Helper()
	dir := os.Getenv("SHEETS")
	if dir == "" {
		dir = t.TempDir()
	}
	file := filepath.Join(dir, name+".pdf")
	require.NoError(t, os.WriteFile(file, data, 0o600))
	return file
}

// TestBillSheets: each of the 300 entries is on paper with its figures, each page ends with the figures of all entries up to it, and the next one
// begins with them; chapters and all have the sums that SQL finds.
func TestBillSheets(t *testing.T) {
	reader(t)
	lines := billLines(t)
	require.Len(t, lines, 300)
	last := lines[len(lines)-1]
	for template, s := range billSheets {
		pages := pagesOf(t, saved(t, template+"-words", shared.paper(t, "zh", "period", template, record.DataID(nil, "shiplock", "period", "JL-002-12"))))
		next := 0
		for n, page := range pages {
			require.Contains(t, page, fmt.Sprintf("第%d页共%d页", n+1, len(pages)))
			require.Contains(t, page, "CZ-2024-002第12期", "each page says what it belongs to")
			if n > 0 {
				require.Contains(t, page, "承前页"+s.upTo(lines[next-1]))
			}
			from := next
			for next < len(lines) && strings.Contains(page, s.row(lines[next])) {
				next++
			}
			require.Greater(t, next, from+2, "page %d: %s is not on it", n+1, s.row(lines[from]))
			if n < len(pages)-1 {
				require.True(t, strings.HasSuffix(strings.TrimSuffix(page, fmt.Sprintf("第%d页共%d页", n+1, len(pages))), "过次页"+s.upTo(lines[next-1])), page)
			}
			for i, l := range lines[from:next] {
				if from+i+1 == len(lines) || lines[from+i+1].Chapter != l.Chapter {
					require.Contains(t, page, s.row(l)+"小计"+s.chapter(l), "the figures of a chapter are under its last entry")
				}
			}
		}
		require.Equal(t, len(lines), next)
		end := pages[len(pages)-1]
		require.Contains(t, end, "合计"+s.upTo(last))
		require.Contains(t, end, "本期计量金额（大写）柒佰贰拾贰万玖仟捌佰柒拾叁元零捌分")
		require.Equal(t, "7,229,873.08", figure(last.SumCurrent, 2))
		require.Contains(t, end, "总监理工程师", "signatures are under the last rows")
	}
}

// TestCertificate: P01 has the sums of the bill, and those that SQL finds in its own rows.
func TestCertificate(t *testing.T) {
	reader(t)
	pages := pagesOf(t, saved(t, "p01-words", shared.paper(t, "zh", "certificate", "p01", record.DataID(nil, "shiplock", "certificate", "ZS-002-12"))))
	require.Len(t, pages, 1)
	type line struct {
		Kind, Name                         string
		Contract                           *int64
		Previous, Current                  int64
		AllContract, AllPrevious, AllToday int64 // of the kind
	}
	lines := ask[line](t, `
WITH l AS (SELECT key AS n, value ->> 'kind' AS kind, value ->> 'name' AS name, CAST(round(100 * (value ->> 'contractAmount')) AS INTEGER) AS contract,
  CAST(round(100 * (value ->> 'previous')) AS INTEGER) AS previous, CAST(round(100 * (value ->> 'current')) AS INTEGER) AS current FROM json_each(?, '$.rows[0].lines'))
SELECT *, sum(contract) OVER whole AS all_contract, sum(previous) OVER whole AS all_previous, sum(current) OVER whole AS all_today FROM l
WINDOW whole AS (PARTITION BY kind) ORDER BY n`, example(t, "certificate.json"))
	chapters := map[string]billLine{}
	for _, l := range billLines(t) {
		chapters[l.Chapter] = l
	}
	var contract, previous, current int64
	for i, l := range lines {
		amount := ""
		if l.Contract != nil {
			amount = figure(*l.Contract, 2)
			contract += *l.Contract
		}
		require.Contains(t, pages[0], fmt.Sprint(i+1)+bare(l.Name)+amount+figure(l.Previous, 2)+figure(l.Current, 2)+figure(l.Previous+l.Current, 2))
		previous, current = previous+l.Previous, current+l.Current
		if of, is := chapters[l.Name]; is {
			require.Equal(t, []int64{of.InContract, of.InPrevious, of.InCurrent}, []int64{*l.Contract, l.Previous, l.Current}, "the chapter has the sums of the bill")
			delete(chapters, l.Name)
		}
	}
	require.Empty(t, chapters)
	works, deductions := lines[0], lines[len(lines)-1]
	require.Contains(t, pages[0], "小计"+figure(works.AllContract, 2)+figure(works.AllPrevious, 2)+figure(works.AllToday, 2)+figure(works.AllPrevious+works.AllToday, 2))
	require.Contains(t, pages[0], "小计"+figure(deductions.AllPrevious, 2)+figure(deductions.AllToday, 2)+figure(deductions.AllPrevious+deductions.AllToday, 2), "no contract amounts, no sum of them")
	require.Contains(t, pages[0], "合计"+figure(contract, 2)+figure(previous, 2)+figure(current, 2)+figure(previous+current, 2))
	require.Equal(t, "186,500,000.00", figure(contract, 2), "the amount of the contract")
	require.Contains(t, pages[0], "本期实际支付"+figure(current, 2)+"元")
	require.Equal(t, "5,454,218.04", figure(current, 2))
	require.Contains(t, pages[0], "实际支付（大写）伍佰肆拾伍万肆仟贰佰壹拾捌元零肆分")
}

// TestMeasurementSheets: the sheets of an item add up to what the period has of it; each has its values on paper, and its sketch.
func TestMeasurementSheets(t *testing.T) {
	reader(t)
	type sheet struct {
		SheetNo, ItemNo, ItemName, Unit, Location, Stake, Drawing, Formula string
		Price, Claimed, Checked, Fen, OfItem                               int64
	}
	sheets := ask[sheet](t, `
WITH s AS (SELECT key AS n, value ->> 'sheetNo' AS sheet_no, value ->> 'itemNo' AS item_no, value ->> 'itemName' AS item_name, value ->> 'unit' AS unit, value ->> 'location' AS location,
  value ->> 'stake' AS stake, value ->> 'drawing' AS drawing, value ->> 'formula' AS formula, CAST(round(100 * (value ->> 'price')) AS INTEGER) AS price,
  CAST(round(1000 * (value ->> 'claimed')) AS INTEGER) AS claimed, CAST(round(1000 * (value ->> 'checked')) AS INTEGER) AS checked FROM json_each(?, '$.rows'))
SELECT *, (checked * price + 500) / 1000 AS fen, sum(checked) OVER (PARTITION BY item_no) AS of_item FROM s ORDER BY n`, example(t, "measurement.json"))
	inPeriod := map[string]int64{}
	for _, l := range billLines(t) {
		inPeriod[l.ItemNo] = l.Current
	}
	var ids []string
	for _, s := range sheets {
		ids = append(ids, record.DataID(nil, "shiplock", "measurement", s.SheetNo))
	}
	held := shared.upload(t, administrator, "?schemaCode=measurement&propertyCode=sketch", "草图.png", smallPNG(t))
	type loaded struct {
		Version int64 `json:"version"`
	}
	var of loaded
	shared.get(t, administrator, "/api/runtime/form/load?schemaCode=measurement&objectId="+ids[1]).into(t, &of)
	var version any
	shared.post(t, administrator, "/api/runtime/form/save", fmt.Sprintf(`{"schemaCode":"measurement","id":%q,"version":%d,"data":{"sketch":[{"refId":%q}]}}`, ids[1], of.Version, held.RefID)).into(t, &version)
	file := saved(t, "m01-words", shared.paper(t, "zh", "measurement", "m01", ids...))
	pages := pagesOf(t, file)
	require.Len(t, pages, len(sheets), "one page each")
	for i, s := range sheets {
		require.Equal(t, inPeriod[s.ItemNo], s.OfItem, s.ItemNo)
		for _, want := range []string{"编号：" + s.SheetNo, "期号JL-002-12", "子目号" + s.ItemNo, "子目名称" + bare(s.ItemName), "部位" + bare(s.Location), "桩号" + bare(strings.ReplaceAll(s.Stake, "～", "~")),
			"图号" + s.Drawing, "单位" + s.Unit, "承包人申报数量" + figure(s.Claimed, 3), "监理核定数量" + figure(s.Checked, 3), "单价" + figure(s.Price, 2) + "元", "金额" + figure(s.Fen, 2) + "元", "第1页共1页"} {
			require.Contains(t, strings.ReplaceAll(pages[i], "～", "~"), want)
		}
		for line := range strings.SplitSeq(s.Formula, "\n") {
			require.Contains(t, pages[i], bare(line))
		}
	}
	list, err := exec.Command("pdfimages", "-list", file).Output()
	require.NoError(t, err)
	require.Regexp(t, `(?m)^\s+2\s+0 image\s+300\s+200 `, string(list), "the sketch is on the second page")
	require.NotRegexp(t, `(?m)^\s+1\s+\d+ image`, string(list))
}

// TestInspectionSheet: Q01 has each item with its readings, main ones first.
func TestInspectionSheet(t *testing.T) {
	reader(t)
	type item struct {
		Kind, Item, Standard, Readings string
		Points, Passed, Ok, Rate       int64
	}
	items := ask[item](t, `
SELECT i.value ->> 'kind' AS kind, i.value ->> 'item' AS item, i.value ->> 'standard' AS standard, i.value ->> 'readings' AS readings, i.value ->> 'points' AS points,
  i.value ->> 'passed' AS passed, i.value ->> 'ok' AS ok, (20000 * (i.value ->> 'passed') + (i.value ->> 'points')) / (2 * (i.value ->> 'points')) AS rate
FROM json_each(?, '$.rows') l, json_each(l.value, '$.items') i WHERE l.value ->> 'lotNo' = 'JYP-2024-001' ORDER BY i.value ->> 'kind' = 'GENERAL', i.key`, example(t, "inspection.json"))
	pages := pagesOf(t, saved(t, "q01-words", shared.paper(t, "zh", "inspection", "inspection", record.DataID(nil, "shiplock", "inspection", "JYP-2024-001"))))
	require.Len(t, pages, 1)
	at := 0
	var points, passed int64
	for i, one := range items {
		if i == 0 || items[i-1].Kind != one.Kind {
			group := strings.Index(pages[0][at:], map[string]string{"MAIN": "主控项目", "GENERAL": "一般项目"}[one.Kind])
			require.GreaterOrEqual(t, group, 0)
			at += group
		}
		first, _, _ := strings.Cut(one.Readings, "、")
		row := strings.Index(pages[0][at:], fmt.Sprint(one.Points)+fmt.Sprint(one.Passed)+figure(one.Rate, 2)+"%是")
		require.GreaterOrEqual(t, row, 0, one.Item)
		require.Contains(t, pages[0], first)
		require.Contains(t, pages[0], one.Item)
		require.Contains(t, bare(strings.ReplaceAll(pages[0], "～", "~")), bare(strings.ReplaceAll(one.Standard, "～", "~")))
		at += row
		points, passed = points+one.Points, passed+one.Passed
	}
	require.Contains(t, pages[0][at:], fmt.Sprintf("合计%d%d", points, passed))
	require.Contains(t, pages[0][at:], "合格率"+figure((20000*passed+points)/(2*points), 2)+"%")
}

// standard are the sheets of the example whose pages are compared with what they were.
var standard = []struct{ template, schema, key string }{{"m01", "measurement", "JL-002-12-003"}, {"m02", "period", "JL-002-12"}, {"m03", "period", "JL-002-12"},
	{"p01", "certificate", "ZS-002-12"}, {"inspection", "inspection", "JYP-2024-001"}}

// TestSheetPictures compares the marks of each page of the standard sheets with their digests, and the first and last pages with pictures where
// the same version of poppler makes them. go test ./runtime/httpapi -run TestSheetPictures -sheets writes both again.
func TestSheetPictures(t *testing.T) {
	const dir = "testdata/sheets"
	at := time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC)
	shared.frozen.Store(&at)
	t.Cleanup(func() { shared.frozen.Store(nil) })
	var digests []string
	version := "none"
	if out, err := exec.Command("pdftoppm", "-v").CombinedOutput(); err == nil {
		version, _, _ = strings.Cut(string(out), "\n")
	}
	digests = append(digests, version)
	have, _ := os.ReadFile(filepath.Join(dir, "digests.txt"))
	recorded := strings.Split(strings.TrimSpace(string(have)), "\n")
	for _, s := range standard {
		id := record.DataID(nil, "shiplock", s.schema, s.key)
		for _, locale := range []string{"zh", "en"} {
			var marks struct {
				Pages []json.RawMessage `json:"pages"`
			}
			shared.send(t, onPaper(t, "pages", locale, s.schema, s.template, id)).into(t, &marks)
			for i, page := range marks.Pages {
				digests = append(digests, fmt.Sprintf("%s %s %d %x", s.template, locale, i+1, sha256.Sum256(page))[:len(s.template)+12+len(fmt.Sprint(i+1))])
			}
			one := shared.paper(t, locale, s.schema, s.template, id)
			require.True(t, bytes.Equal(one, shared.paper(t, locale, s.schema, s.template, id)), "the same bytes")
			file := saved(t, s.template+"-"+locale, one)
			if version == "none" || locale == "en" || version != recorded[0] && !*rewrite {
				continue
			}
			for _, n := range slices.Compact([]int{1, len(marks.Pages)}) {
				name := filepath.Join(dir, fmt.Sprintf("%s-%d.png", s.template, n))
				out, err := exec.Command("pdftoppm", "-r", "40", "-gray", "-png", "-f", fmt.Sprint(n), "-l", fmt.Sprint(n), file).Output()
				require.NoError(t, err)
				if *rewrite {
					require.NoError(t, os.WriteFile(name, squeezed(t, out), 0o600))
				}
				want, err := os.ReadFile(name)
				require.NoError(t, err)
				require.True(t, bytes.Equal(pixels(t, out), pixels(t, want)), "page %d of %s is not what it was; look at %s", n, s.template, name)
			}
		}
	}
	if *rewrite {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "digests.txt"), []byte(strings.Join(digests, "\n")+"\n"), 0o600))
		return
	}
	require.Equal(t, recorded[1:], digests[1:])
}

// gray is a picture in 16 shades, as committed pictures are.
func gray(t *testing.T, data []byte) *image.Paletted {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	out := image.NewPaletted(m.Bounds(), nil)
	for i := range 16 {
		out.Palette = append(out.Palette, shade(i))
	}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			r, _, _, _ := m.At(x, y).RGBA()
			out.SetColorIndex(x, y, uint8((r>>8)/17))
		}
	}
	return out
}

func pixels(t *testing.T, data []byte) []byte { return gray(t, data).Pix }

func squeezed(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, gray(t, data)))
	return b.Bytes()
}

func shade(i int) color.Gray { return color.Gray{Y: uint8(17 * i)} }

func recordOf(schema, key string) string { return record.DataID(nil, "shiplock", schema, key) }

// TestPrintButton: a form has the button print where its document names it and the reader may print the record.
func TestPrintButton(t *testing.T) {
	actions := func(actor, schema, id string) (out []string) {
		var loaded struct {
			Actions []string `json:"actions"`
		}
		shared.get(t, actor, "/api/runtime/form/load?schemaCode="+schema+"&objectId="+id).into(t, &loaded)
		return loaded.Actions
	}
	require.Contains(t, actions(administrator, "measurement", recordOf("measurement", "JL-002-12-003")), "print")
	require.NotContains(t, actions(administrator, "contract", recordOf("contract", "CZ-2024-002")), "print", "its form does not name it")
	seen := shared.rows(t, viewer, "inspection")
	require.NotEmpty(t, seen)
	require.Contains(t, actions(administrator, "inspection", seen[0]), "print")
	require.NotContains(t, actions(viewer, "inspection", seen[0]), "print", "who looks on may not print")
}
