package printing

import (
	"encoding/base64"
	"fmt"
	"net/http"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/font"
)

// Preview is a printout as browsers draw it (api.yaml PrintPreview): the marks that the PDF has, in millimeters, and the font with just the
// characters that they need.
type Preview struct {
	Name    string            `json:"name"`
	Records []string          `json:"objectIds"`
	Skipped int               `json:"skipped"`
	Missing string            `json:"missing"` // characters that no font has
	TooWide []string          `json:"tooWide"` // figures that ### is drawn for
	Pages   []PreviewPage     `json:"pages"`
	Font    string            `json:"font"`   // a TrueType font in base64; "" = no text
	Images  map[string]string `json:"images"` // data URLs by ref
}

// PreviewPage is a sheet of paper.
type PreviewPage struct {
	Width  float64       `json:"width"`
	Height float64       `json:"height"`
	Marks  []PreviewMark `json:"marks"`
}

// PreviewMark is a thing on a page. Which of its members it has depends on its type.
type PreviewMark struct {
	Type      string      `json:"type"` // "text", "line", "box", "image", "code"
	X         float64     `json:"x"`
	Y         float64     `json:"y"`
	Width     float64     `json:"width"`
	Height    float64     `json:"height,omitempty"`
	Text      string      `json:"text,omitempty"`
	Size      float64     `json:"size,omitempty"`
	Color     string      `json:"color,omitempty"`
	Bold      bool        `json:"bold,omitempty"`
	Italic    bool        `json:"italic,omitempty"`
	Underline bool        `json:"underline,omitempty"`
	X2        float64     `json:"x2,omitempty"` // line
	Y2        float64     `json:"y2,omitempty"`
	Stroke    *PreviewPen `json:"stroke,omitempty"`
	Fill      string      `json:"fill,omitempty"`
	Radius    float64     `json:"radius,omitempty"`
	OpenTop   bool        `json:"openTop,omitempty"`
	OpenEnd   bool        `json:"openBottom,omitempty"`
	Ref       string      `json:"ref,omitempty"`  // image
	Clip      []float64   `json:"clip,omitempty"` // image: x, y, width, height
	Rows      []string    `json:"rows,omitempty"` // code: "1" is dark
}

// PreviewPen is the line of a box.
type PreviewPen struct {
	Width float64 `json:"width"`
	Color string  `json:"color"`
	Kind  string  `json:"kind"` // "solid", "dashed", "dotted"
}

// Preview is the printout for browsers.
func (p *Printout) Preview(locale string) Preview {
	out := Preview{Name: p.Name.In(locale), Records: p.Records, Skipped: p.Skipped, Missing: string(p.Missing), TooWide: append([]string{}, p.TooWide...), Images: map[string]string{}}
	used := map[rune]bool{}
	for _, page := range p.Pages {
		one := PreviewPage{Width: page.Width.MM(), Height: page.Height.MM(), Marks: []PreviewMark{}}
		for _, m := range page.Marks {
			one.Marks = append(one.Marks, previewMark(m))
			switch m := m.(type) {
			case layout.TextMark:
				for _, r := range m.Text {
					used[r] = true
				}
			case layout.ImageMark:
				if data := p.Images(m.Ref); data != nil {
					out.Images[m.Ref] = "data:" + http.DetectContentType(data) + ";base64," + base64.StdEncoding.EncodeToString(data)
				}
			}
		}
		out.Pages = append(out.Pages, one)
	}
	if len(used) > 0 {
		out.Font = base64.StdEncoding.EncodeToString(font.Default().Subset(used))
	}
	return out
}

func hexColor(c layout.Color) string { return fmt.Sprintf("#%06x", uint32(c)) }

func pen(s layout.Stroke) *PreviewPen {
	if s.Width <= 0 {
		return nil
	}
	return &PreviewPen{Width: s.Width.MM(), Color: hexColor(s.Color), Kind: [...]string{"solid", "dashed", "dotted"}[s.Kind]}
}

func previewMark(m layout.Mark) PreviewMark {
	switch m := m.(type) {
	case layout.TextMark:
		return PreviewMark{Type: "text", X: m.X.MM(), Y: m.Y.MM(), Width: m.Width.MM(), Size: m.Size.MM(), Text: m.Text, Color: hexColor(m.Color), Bold: m.Bold, Italic: m.Italic, Underline: m.Underline}
	case layout.LineMark:
		return PreviewMark{Type: "line", X: m.X1.MM(), Y: m.Y1.MM(), X2: m.X2.MM(), Y2: m.Y2.MM(), Stroke: pen(m.Stroke)}
	case layout.BoxMark:
		out := PreviewMark{Type: "box", X: m.X.MM(), Y: m.Y.MM(), Width: m.Width.MM(), Height: m.Height.MM(), Stroke: pen(m.Stroke), Radius: m.Radius.MM(), OpenTop: m.OpenTop, OpenEnd: m.OpenBottom}
		if m.Fill != nil {
			out.Fill = hexColor(*m.Fill)
		}
		return out
	case layout.ImageMark:
		out := PreviewMark{Type: "image", X: m.X.MM(), Y: m.Y.MM(), Width: m.Width.MM(), Height: m.Height.MM(), Ref: m.Ref}
		if c := m.Clip; c != nil {
			out.Clip = []float64{c[0].MM(), c[1].MM(), c[2].MM(), c[3].MM()}
		}
		return out
	case layout.CodeMark:
		out := PreviewMark{Type: "code", X: m.X.MM(), Y: m.Y.MM(), Width: m.Width.MM(), Height: m.Height.MM()}
		for _, row := range m.Rows {
			bits := make([]byte, len(row))
			for i, dark := range row {
				if bits[i] = '0'; dark {
					bits[i] = '1'
				}
			}
			out.Rows = append(out.Rows, string(bits))
		}
		return out
	}
	return PreviewMark{}
}
