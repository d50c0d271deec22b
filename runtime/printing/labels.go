package printing

import (
	"bytes"
	"context"
	"image"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Labels are codes that open records, each with a caption (api.yaml PrintLabels).
type Labels struct {
	Width    *float64    `json:"width"`  // millimeters; nil = LabelSide; negative ones are 0
	Height   *float64    `json:"height"` // likewise
	FontSize float64     `json:"fontSize"`
	Text     []LabelText `json:"textData"`
	// Sheet "" is a page a label, as printers of labels take it; "A4" as many as fit on a sheet; the name of one of Stocks that many, of its size.
	Sheet     string `json:"sheet"`
	Direction string `json:"direction"` // of the sheet A4: "portrait" (default), "landscape"
	Logo      bool   `json:"logo"`      // that of the installation in the middle of the code, where it has one
}

// LabelText is a property in the caption, of the record (1) or of the system (0).
type LabelText struct {
	IsDataItem int    `json:"isDataItem"`
	Code       string `json:"code"`
}

// Stock is an A4 sheet of labels that can be peeled off, with equal edges left and right, above and below.
type Stock struct {
	Name          string
	Columns, Rows int
	Width, Height float64 // of a label in millimeters
	Gap           float64 // between columns
}

// Stocks are the common ones. plugins/core/action/qrcode has the same.
var Stocks = []Stock{{"2x4", 2, 4, 99.1, 67.7, 2.5}, {"2x5", 2, 5, 99.1, 57, 2.5}, {"2x7", 2, 7, 99.1, 38.1, 2.5}, {"3x7", 3, 7, 63.5, 38.1, 2.5}, {"3x8", 3, 8, 64, 33.9, 2.5}, {"3x8-70", 3, 8, 70, 37, 0},
	{"4x10", 4, 10, 48.5, 25.4, 0}, {"4x12", 4, 12, 45.7, 21.2, 2.5}, {"5x13", 5, 13, 38.1, 21.2, 2.5}}

// Figures of labels.
const (
	LabelSide  = 60.0 // millimeters
	labelLarge = 300.0
	labelEdge  = 0.05 // of a side is left free around
	captions   = 5    // most properties in a caption
	maxLabels  = 1000
	sheetEdge  = 8.0  // millimeters around the labels of a sheet
	leastDot   = 0.25 // millimeters of a module that readers still see
	sheetFont  = 12.0 // least size of letters on sheets, in points
	wideLabel  = 1.6  // times as wide as high: the caption is beside the code
)

// FontSizes are the sizes that people choose, in points: 初号 to 八号.
var FontSizes = []float64{42, 36, 26, 24, 22, 18, 16, 15, 14, 12, 10.5, 9, 7.5, 6.5, 5.5, 5}

// captionShare is how much of the height of a label its caption takes at most, in all lines; lineShare what one line has where nobody chose a size.
const (
	captionShare = 0.35
	lineShare    = 0.07
	leading      = 1.35
	point        = 25.4 / 72
)

// side is a side of a label in millimeters.
func side(given *float64) float64 {
	switch {
	case given == nil:
		return LabelSide
	case *given < 0 || math.IsNaN(*given):
		return 0
	}
	return min(*given, labelLarge)
}

// fontSize is the nearest of FontSizes to the wanted one, or to a share of the height, that a caption of so many lines has room for: on sheets at
// least sheetFont.
func fontSize(wanted, height float64, lines int, sheet bool) float64 {
	least := FontSizes[len(FontSizes)-1]
	if sheet {
		least = sheetFont
	}
	largest := max(height*captionShare/float64(max(lines, 1))/leading/point, least)
	if wanted <= 0 || math.IsNaN(wanted) {
		wanted = height * lineShare / point
	}
	out := least
	for _, size := range FontSizes {
		if size <= largest && size >= least && math.Abs(size-wanted) < math.Abs(out-wanted) {
			out = size
		}
	}
	return out
}

// check brings the figures into their limits, and refuses labels without room for their code.
func (l *Labels) check(view *authz.View, req Request) error {
	if _, err := printable(view, req.SchemaCode, query.LabelRight); err != nil {
		return err
	}
	width, height := side(l.Width), side(l.Height)
	stock := slices.IndexFunc(Stocks, func(s Stock) bool { return s.Name == l.Sheet })
	if stock >= 0 {
		width, height = Stocks[stock].Width, Stocks[stock].Height
	}
	l.Width, l.Height = &width, &height
	switch {
	case len(l.Text) > captions:
		return fault.New(fault.BadParameter, "textData")
	case l.Sheet != "" && l.Sheet != "A4" && stock < 0:
		return fault.New(fault.BadParameter, "sheet")
	case l.Direction != "" && l.Direction != "portrait" && l.Direction != "landscape":
		return fault.New(fault.BadParameter, "direction")
	case len(req.ObjectIDs) == 0:
		return fault.New(fault.EmptyParameter, "objectIds")
	case len(req.ObjectIDs) > maxLabels:
		return fault.New(fault.BadParameter, "objectIds")
	}
	l.FontSize = fontSize(l.FontSize, height, len(l.Text), l.Sheet != "")
	return nil
}

// captioned is a record whose label is printed.
type captioned struct {
	id    string
	texts []string
}

// readLabels reads what labels say, in the order of the request.
func (s *Service) readLabels(ctx context.Context, tx *store.Tx, view *authz.View, req Request, out *Printout) (labels []captioned, err error) {
	if req.Address == "" {
		return nil, fault.New(fault.PrintNoAddress)
	}
	var columns []string
	for _, t := range req.Labels.Text {
		columns = append(columns, t.Code)
	}
	for ids := range slices.Chunk(req.ObjectIDs, query.MaxPrinted) {
		one := req.PrintRequest
		one.ObjectIDs = ids
		records, err := s.Reader.Paper(ctx, tx, view, query.PaperRequest{PrintRequest: one, Template: "labels of " + strings.Join(columns, " "), Columns: columns, Labels: true, Conditions: []plan.Expr{plan.True}})
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			label := captioned{id: r.ID}
			for _, code := range columns {
				text := font.Default().DrawnOr(strings.ReplaceAll(r.Text(code, ""), "\n", " "), out.miss)
				if field, _ := r.Value(code); field != nil {
					text = unbroken(field.Property, property.TextContext{}, text)
				}
				label.texts = append(label.texts, text)
			}
			labels, out.Records = append(labels, label), append(out.Records, r.ID)
		}
	}
	return labels, nil
}

// drawLabels lays labels out. Their codes take the most time: all cores make them, while nothing is read.
func (s *Service) drawLabels(ctx context.Context, req Request, labels []captioned, out *Printout) error {
	l := req.Labels
	width, height := layout.Millimeters(*l.Width), layout.Millimeters(*l.Height)
	place, ok := l.places(width, height)
	if !ok {
		return fault.New(fault.PrintLabelLarge, mm(*l.Width), mm(*l.Height))
	}
	logo := s.logo(l, out)
	drawn := make([][]layout.Element, len(labels))
	var next atomic.Int64
	var small atomic.Bool
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(labels)) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(labels) || small.Load() || ctx.Err() != nil {
					return
				}
				x, y := place.at(i%place.each, width, height)
				elements, ok := l.label(labels[i], address(req.Address, req.SchemaCode, labels[i].id), logo, x, y, width, height)
				if !ok {
					small.Store(true)
				}
				drawn[i] = elements
			}
		})
	}
	all.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case small.Load():
		return fault.New(fault.PrintLabelSmall, mm(*l.Width), mm(*l.Height))
	}
	doc := &layout.Document{Setup: place.setup, NoRoom: out.noRoom}
	for page := range slices.Chunk(drawn, place.each) {
		doc.Flows = append(doc.Flows, layout.Flow{Elements: slices.Concat(page...)})
	}
	out.Pages = layout.Lay(doc, font.Default())
	return nil
}

func mm(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// logo is the picture in the middle of the codes; nil = none.
func (s *Service) logo(l *Labels, out *Printout) *layout.Picture {
	if !l.Logo || s.Logo == nil {
		return nil
	}
	data := s.Logo()
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	const ref = "logo"
	out.images[ref] = picture{data: data}
	return &layout.Picture{Ref: ref, Pixels: [2]int{config.Width, config.Height}}
}

// places are where the labels of a page are.
type places struct {
	setup                    layout.Setup
	columns, each            int
	left, top, across, along layout.Length // of the first one, and from one to the next
}

// places finds them; false = a label is larger than the sheet.
func (l *Labels) places(width, height layout.Length) (places, bool) {
	a4 := layout.Setup{Width: 210 * layout.Millimeter, Height: 297 * layout.Millimeter}
	if l.Sheet == "" { // a printer of labels has no edge that it cannot print
		return places{setup: layout.Setup{Width: width, Height: height, Whole: true}, columns: 1, each: 1}, true
	}
	if i := slices.IndexFunc(Stocks, func(s Stock) bool { return s.Name == l.Sheet }); i >= 0 {
		s := Stocks[i]
		gap, n := layout.Millimeters(s.Gap), layout.Length(s.Columns)
		a4.Whole = true
		return places{a4, s.Columns, s.Columns * s.Rows, (a4.Width - n*width - (n-1)*gap) / 2, (a4.Height - layout.Length(s.Rows)*height) / 2, width + gap, height}, true
	}
	edge := layout.Millimeters(sheetEdge)
	a4.Top, a4.Bottom, a4.Left, a4.Right = edge, edge, edge, edge
	if l.Direction == "landscape" {
		a4.Width, a4.Height = a4.Height, a4.Width
	}
	if width <= 0 || height <= 0 {
		return places{setup: a4, columns: 1, each: 1}, true // there is no room for a code, which is said
	}
	columns, rows := int((a4.Width-2*edge)/width), int(a4.Usable()/height)
	return places{setup: a4, columns: columns, each: columns * rows, across: width, along: height}, columns > 0 && rows > 0
}

func (p places) at(i int, width, height layout.Length) (x, y layout.Length) {
	return p.left + layout.Length(i%p.columns)*p.across, p.top + layout.Length(i/p.columns)*p.along
}

// label is a code with its caption below it, or beside it where the label is wide; false = there is no room for the code.
func (l *Labels) label(of captioned, address string, logo *layout.Picture, x, y, width, height layout.Length) ([]layout.Element, bool) {
	level := "M"
	if logo != nil {
		level = "H" // the logo covers a part
	}
	rows, ok := QR(address, level)
	if !ok {
		return nil, false
	}
	dx, dy := layout.Length(float64(width)*labelEdge), layout.Length(float64(height)*labelEdge)
	line := layout.Points(l.FontSize)*135/100 + layout.Millimeter/5
	n := layout.Length(len(l.Text))
	code := layout.Element{Left: x + dx, Top: y + dy, Width: width - 2*dx, Height: height - 2*dy - n*line, Content: &layout.Modules{Rows: rows, Quiet: quietAround, Logo: logo}}
	left, top, wide, align := code.Left, code.Top+code.Height, code.Width, layout.AlignCenter
	if n > 0 && float64(width) >= wideLabel*float64(height) {
		code.Height = height - 2*dy
		code.Width = code.Height
		gap := layout.Millimeter
		left, wide, align = code.Left+code.Width+gap, width-2*dx-code.Width-gap, layout.AlignStart
		line = min(code.Height/n, 2*line) // long texts have two lines where there is room
		top = y + (height-n*line)/2
	}
	if min(code.Width, code.Height) < layout.Millimeters(leastDot)*layout.Length(len(rows)+2*quietAround) {
		return nil, false
	}
	out := []layout.Element{code}
	for i, text := range of.texts {
		out = append(out, layout.Element{Left: left, Top: top + layout.Length(i)*line, Width: wide, Height: line, Content: layout.Boxes{{Width: wide, Text: text,
			Style: layout.Style{Size: layout.Points(l.FontSize), Horizontal: align, Vertical: layout.AlignCenter}, Overflow: layout.Shrink}}})
	}
	return out, true
}
