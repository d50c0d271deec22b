package printing

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Labels are codes that open records, each with a caption (api.yaml PrintLabels).
type Labels struct {
	Width    float64     `json:"width"`  // millimeters; 0 and less = LabelSide
	Height   float64     `json:"height"` // likewise
	FontSize float64     `json:"fontSize"`
	Text     []LabelText `json:"textData"`
	// Sheet "" is a page a label, as printers of labels take it; "A4" as many as fit on a sheet.
	Sheet     string `json:"sheet"`
	Direction string `json:"direction"` // of the sheet: "portrait" (default), "landscape"
}

// LabelText is a property in the caption, of the record (1) or of the system (0).
type LabelText struct {
	IsDataItem int    `json:"isDataItem"`
	Code       string `json:"code"`
}

// Figures of labels.
const (
	LabelSide  = 60.0 // millimeters
	labelSmall = 15.0 // least side
	labelLarge = 300.0
	labelEdge  = 0.05 // of a side is left free around
	captions   = 5    // most properties in a caption
	maxLabels  = 1000
	sheetEdge  = 8.0 // millimeters around the labels of a sheet
)

// FontSizes are the sizes that people choose, in points: 初号 to 八号.
var FontSizes = []float64{42, 36, 26, 24, 22, 18, 16, 15, 14, 12, 10.5, 9, 7.5, 6.5, 5.5, 5}

// captionShare is how much of the height of a label its caption takes at most, in all lines.
const captionShare = 0.35

// check brings the figures into their limits: a negative or missing side is the usual one, and a size of the font is the nearest of FontSizes
// that the caption has room for.
func (l *Labels) check(view *authz.View, req Request) error {
	if _, err := printable(view, req.SchemaCode, query.LabelRight); err != nil {
		return err
	}
	for _, side := range []*float64{&l.Width, &l.Height} {
		if *side <= 0 || math.IsNaN(*side) {
			*side = LabelSide
		}
		*side = min(max(*side, labelSmall), labelLarge)
	}
	switch {
	case len(l.Text) > captions:
		return fault.New(fault.BadParameter, "textData")
	case l.Sheet != "" && l.Sheet != "A4":
		return fault.New(fault.BadParameter, "sheet")
	case l.Direction != "" && l.Direction != "portrait" && l.Direction != "landscape":
		return fault.New(fault.BadParameter, "direction")
	case len(req.ObjectIDs) == 0:
		return fault.New(fault.EmptyParameter, "objectIds")
	case len(req.ObjectIDs) > maxLabels:
		return fault.New(fault.BadParameter, "objectIds")
	}
	if l.FontSize <= 0 {
		l.FontSize = 12
	}
	largest := FontSizes[len(FontSizes)-1]
	if n := len(l.Text); n > 0 {
		largest = max(largest, l.Height*captionShare/float64(n)/1.35*72/25.4)
	}
	wanted := min(l.FontSize, largest)
	l.FontSize = slices.MinFunc(FontSizes, func(a, b float64) int {
		da, db := math.Abs(a-wanted), math.Abs(b-wanted)
		if a > largest {
			da = math.Inf(1)
		}
		if b > largest {
			db = math.Inf(1)
		}
		switch {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	return nil
}

// labels lays labels out, in the order of the request.
func (s *Service) labels(ctx context.Context, tx *store.Tx, view *authz.View, req Request, out *Printout) error {
	if req.Address == "" {
		return fault.New(fault.PrintNoAddress)
	}
	l, f := req.Labels, font.Default()
	var columns []string
	for _, t := range l.Text {
		columns = append(columns, t.Code)
	}
	width, height := layout.Millimeters(l.Width), layout.Millimeters(l.Height)
	place := l.places(width, height)
	doc := &layout.Document{Setup: place.setup}
	var flow layout.Flow
	flush := func() {
		if len(flow.Elements) > 0 {
			doc.Flows = append(doc.Flows, flow)
			flow = layout.Flow{}
		}
	}
	for ids := range slices.Chunk(req.ObjectIDs, query.MaxPrinted) {
		one := req.PrintRequest
		one.ObjectIDs = ids
		records, err := s.Reader.Paper(ctx, tx, view, query.PaperRequest{PrintRequest: one, Template: "labels of " + strings.Join(columns, " "), Columns: columns, Labels: true, Conditions: []plan.Expr{plan.True}})
		if err != nil {
			return err
		}
		for _, r := range records {
			i := len(out.Records)
			if i%place.each == 0 {
				flush()
			}
			x, y := place.at(i%place.each, width, height)
			flow.Elements = append(flow.Elements, l.label(f, r, address(req.Address, req.SchemaCode, r.ID), x, y, width, height)...)
			out.Records = append(out.Records, r.ID)
		}
	}
	flush()
	out.Pages = layout.Lay(doc, f)
	return nil
}

// places are where the labels of a page are.
type places struct {
	setup         layout.Setup
	columns, each int
}

func (l *Labels) places(width, height layout.Length) places {
	if l.Sheet == "" {
		return places{layout.Setup{Width: width, Height: height, Whole: true}, 1, 1} // a printer of labels has no edge that it cannot print
	}
	edge := layout.Millimeters(sheetEdge)
	s := layout.Setup{Width: 210 * layout.Millimeter, Height: 297 * layout.Millimeter, Top: edge, Bottom: edge, Left: edge, Right: edge}
	if l.Direction == "landscape" {
		s.Width, s.Height = s.Height, s.Width
	}
	columns := max(1, int((s.Width-2*edge)/width))
	rows := max(1, int(s.Usable()/height))
	return places{s, columns, columns * rows}
}

func (p places) at(i int, width, height layout.Length) (x, y layout.Length) {
	return layout.Length(i%p.columns) * width, layout.Length(i/p.columns) * height
}

// label is a code with its caption below it.
func (l *Labels) label(f *font.Font, r query.Paper, address string, x, y, width, height layout.Length) []layout.Element {
	rows, ok := QR(address, "M")
	if !ok {
		return nil
	}
	dx, dy := layout.Length(float64(width)*labelEdge), layout.Length(float64(height)*labelEdge)
	size := layout.Points(l.FontSize)
	line := size*135/100 + layout.Millimeter/5
	var out []layout.Element
	bottom := y + height - dy
	for i := len(l.Text) - 1; i >= 0; i-- {
		bottom -= line
		out = append(out, layout.Element{Left: x + dx, Top: bottom, Width: width - 2*dx, Height: line, Content: layout.Boxes{{Width: width - 2*dx,
			Text: f.Drawn(strings.ReplaceAll(r.Text(l.Text[i].Code, ""), "\n", " ")), Style: layout.Style{Size: size, Horizontal: layout.AlignCenter, Vertical: layout.AlignCenter}, Overflow: layout.Shrink}}})
	}
	return append(out, layout.Element{Left: x + dx, Top: y + dy, Width: width - 2*dx, Height: bottom - y - dy, Content: &layout.Modules{Rows: rows, Quiet: quietAround}})
}
