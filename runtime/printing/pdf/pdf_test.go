package pdf_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
	"github.com/stretchr/testify/require"
)

const mm = layout.Millimeter

var at = pdf.Info{Title: "检验批", Language: "zh-CN", Time: time.Date(2026, 11, 25, 1, 2, 3, 0, time.UTC)}

// form is a page with 40 fields and a table, as people print them.
func form(n int) []layout.Page {
	border := layout.Stroke{Width: layout.Points(0.5)}
	style := layout.Style{Border: border, Padding: mm, Vertical: layout.AlignCenter}
	bold := style
	bold.Bold = true
	d := &layout.Document{Setup: layout.Setup{Width: 210 * mm, Height: 297 * mm, Top: 20 * mm, Bottom: 20 * mm, Left: 17 * mm, Right: 17 * mm,
		Footer: &layout.Band{Edge: 10 * mm, Align: layout.AlignCenter, Items: []layout.Item{{Text: "第 {page} 页，共 {total} 页"}}}}}
	for range n {
		var e []layout.Element
		e = append(e, layout.Element{Width: 176 * mm, Height: 10 * mm, Content: layout.Boxes{{Width: 176 * mm, Text: "检验批质量验收记录", Style: layout.Style{Size: layout.Points(18), Bold: true, Horizontal: layout.AlignCenter}}}})
		for i := range 40 {
			e = append(e, layout.Element{Left: layout.Length(i%2) * 88 * mm, Top: 12*mm + layout.Length(i/2)*7*mm, Width: 88 * mm, Height: 7 * mm,
				Content: layout.Boxes{{Width: 28 * mm, Text: "工程名称", Style: bold}, {X: 28 * mm, Width: 60 * mm, Text: fmt.Sprintf("上闸首底板 %d-%02d", i, i*7%100), Style: style}}})
		}
		t := &layout.Table{HeadHeight: 8 * mm, BodyHeight: 7 * mm, Every: true, Columns: []layout.Column{{Head: "序号", Width: 14 * mm, Style: style, HeadStyle: bold},
			{Head: "检查项目", Style: style, HeadStyle: bold}, {Head: "实测值", Width: 40 * mm, Style: style, HeadStyle: bold}}}
		for i := range 10 {
			t.Rows = append(t.Rows, layout.Row{Texts: []string{fmt.Sprint(i + 1), "混凝土强度（MPa）", "35.2 36.1 34.9"}})
		}
		e = append(e, layout.Element{Top: 155 * mm, Width: 176 * mm, Height: 20 * mm, Content: t})
		d.Flows = append(d.Flows, layout.Flow{Elements: e})
	}
	return layout.Lay(d, font.Default())
}

func write(t testing.TB, pages []layout.Page) []byte {
	var b bytes.Buffer
	require.NoError(t, pdf.Write(&b, pages, nil, at))
	return b.Bytes()
}

func TestSameBytes(t *testing.T) {
	require.True(t, bytes.Equal(write(t, form(2)), write(t, form(2))))
}

// What a reader of PDF finds is what was laid out.
func TestText(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("needs pdftotext (apt-get install poppler-utils)")
	}
	file := filepath.Join(t.TempDir(), "a.pdf")
	require.NoError(t, os.WriteFile(file, write(t, form(1)), 0o600))
	out, err := exec.Command("pdftotext", "-layout", file, "-").Output()
	require.NoError(t, err)
	text := strings.Join(strings.Fields(string(out)), " ")
	for _, want := range []string{"检验批质量验收记录", "工程名称 上闸首底板 39-73", "10 混凝土强度（MPa） 35.2 36.1 34.9", "第 1 页，共 1 页"} {
		require.Contains(t, text, want)
	}
}

func BenchmarkPage(b *testing.B) {
	for b.Loop() {
		write(b, form(1))
	}
}

func BenchmarkThousand(b *testing.B) {
	for b.Loop() {
		write(b, form(1000))
	}
}
