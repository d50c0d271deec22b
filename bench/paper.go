package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"syscall"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
)

// paperForm is a document of n inspection records: each an A4 page with 40 named values in frames and a table of ten rows.
func paperForm(n int) *layout.Document {
	const mm = layout.Millimeter
	style := layout.Style{Border: layout.Stroke{Width: layout.Points(0.5)}, Padding: mm, Vertical: layout.AlignCenter}
	bold := style
	bold.Bold = true
	d := &layout.Document{Setup: layout.Setup{Width: 210 * mm, Height: 297 * mm, Top: 20 * mm, Bottom: 20 * mm, Left: 17 * mm, Right: 17 * mm,
		Footer: &layout.Band{Edge: 10 * mm, Align: layout.AlignCenter, Items: []layout.Item{{Text: "第 {page} 页，共 {total} 页"}}}}}
	for r := range n {
		var e []layout.Element
		for i := range 40 {
			e = append(e, layout.Element{Left: layout.Length(i%2) * 88 * mm, Top: layout.Length(i/2) * 7 * mm, Width: 88 * mm, Height: 7 * mm,
				Content: layout.Boxes{{Width: 28 * mm, Text: "工程名称", Style: bold}, {X: 28 * mm, Width: 60 * mm, Text: fmt.Sprintf("上闸首底板 %d-%02d", r, i), Style: style}}})
		}
		t := &layout.Table{HeadHeight: 8 * mm, BodyHeight: 7 * mm, Every: true, Columns: []layout.Column{{Head: "序号", Width: 14 * mm, Style: style, HeadStyle: bold},
			{Head: "检查项目", Style: style, HeadStyle: bold}, {Head: "实测值", Width: 40 * mm, Style: style, HeadStyle: bold}}}
		for i := range 10 {
			t.Rows = append(t.Rows, layout.Row{Texts: []string{fmt.Sprint(i + 1), "混凝土强度（MPa）", "35.2 36.1 34.9"}})
		}
		d.Flows = append(d.Flows, layout.Flow{Elements: append(e, layout.Element{Top: 145 * mm, Width: 176 * mm, Height: 20 * mm, Content: t})})
	}
	return d
}

var paperTime = time.Date(2026, 11, 26, 8, 0, 0, 0, time.UTC)

// paperProduct lays a document out and paints it.
func paperProduct(d *layout.Document, w io.Writer) error {
	return pdf.Write(w, layout.Lay(d, font.Default()), nil, pdf.Info{Title: "paper", Language: "zh-CN", Time: paperTime})
}

// paperFloor writes the texts of pages at their places through the same library: no frames, no layout.
func paperFloor(pages []layout.Page, subset []byte, w io.Writer) error {
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "mm", Size: fpdf.SizeType{Wd: 210, Ht: 297}})
	f.SetAutoPageBreak(false, 0)
	f.AddUTF8FontFromBytes("paper", "", subset)
	f.SetFont("paper", "", 10.5)
	for _, p := range pages {
		f.AddPage()
		for _, m := range p.Marks {
			if t, is := m.(layout.TextMark); is {
				f.Text(t.X.MM(), t.Y.MM(), t.Text)
			}
		}
	}
	return f.Output(w)
}

// processor is the time that processors have spent on this process.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // never fails for the process itself
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// typical is the median of n times of a piece of work, each of which begins with a clean heap. They are of processors, which what else runs on
// the machine hardly changes.
func typical(n int, work func() error) (time.Duration, error) {
	times := make([]time.Duration, n)
	for i := range times {
		runtime.GC()
		from := processor()
		if err := work(); err != nil {
			return 0, err
		}
		times[i] = processor() - from
	}
	slices.Sort(times)
	return times[n/2], nil
}

// measurePaper prints what layout and painting take, in turn with the bare writer, and how memory grows with the pages of one file.
func measurePaper() error {
	one := paperForm(1)
	if err := paperProduct(one, io.Discard); err != nil { // the font is read once
		return err
	}
	page, err := typical(51, func() error { return paperProduct(one, io.Discard) })
	if err != nil {
		return err
	}
	fmt.Printf("one A4 page, 40 fields and a table     %8.2f ms of CPU   (at most 15)\n", page.Seconds()*1000)

	const n = 1000
	many := paperForm(n)
	pages := layout.Lay(many, font.Default())
	used := map[rune]bool{}
	for _, p := range pages {
		for _, m := range p.Marks {
			if t, is := m.(layout.TextMark); is {
				for _, r := range t.Text {
					used[r] = true
				}
			}
		}
	}
	subset := font.Default().Subset(used)
	var product, floor []time.Duration
	for range 3 {
		p, err := typical(1, func() error { return paperProduct(many, io.Discard) })
		if err != nil {
			return err
		}
		f, err := typical(1, func() error { return paperFloor(pages, subset, io.Discard) })
		if err != nil {
			return err
		}
		product, floor = append(product, p), append(floor, f)
	}
	slices.Sort(product)
	slices.Sort(floor)
	fmt.Printf("1,000 records as one file              %8.0f pages a second of CPU\n", n/product[1].Seconds())
	fmt.Printf("  the same texts through the library   %8.0f pages a second of CPU, ratio %.2f (at most 2)\n", n/floor[1].Seconds(), product[1].Seconds()/floor[1].Seconds())
	for _, n := range []int{1000, 5000, 10000} {
		var size counter
		from := heap()
		peak, stop := watchHeap()
		file := pdf.New(&size)
		var err error
		for at := 0; at < n && err == nil; at += partRecords {
			err = file.Add(layout.Lay(paperForm(partRecords), font.Default()), nil)
		}
		if err == nil {
			err = file.Close(pdf.Info{Title: "paper", Language: "zh-CN", Time: paperTime})
		}
		stop()
		if err != nil {
			return err
		}
		fmt.Printf("memory of %6d pages in one file     %8.0f MB at most, as batches write it; the file has %.1f MB\n", n, float64(*peak-from)/(1<<20), float64(size)/(1<<20))
	}
	return nil
}

// partRecords is how many records a batch lays out at once.
const partRecords = 20

// counter counts what is written.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// watchHeap notes the largest heap until it is stopped.
func watchHeap() (peak *uint64, stop func()) {
	peak = new(uint64)
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			*peak = max(*peak, m.HeapAlloc)
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return peak, func() { close(done); <-over }
}
