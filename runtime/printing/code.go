package printing

import (
	"image/color"
	"strings"
	"unicode"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/code128"
	"github.com/boombuler/barcode/code39"
	"github.com/boombuler/barcode/ean"
	"github.com/boombuler/barcode/twooffive"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode/decoder"
	"github.com/makiuchi-d/gozxing/qrcode/encoder"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/layout"
)

// Light modules that readers need around codes (ISO/IEC 18004 and 15417).
const (
	quietAround = 4
	quietBeside = 10
)

// contentVerification is what a code holds that leads to the page that verifies the paper; others lead to the record.
const contentVerification = "verification"

// levels of correction by what authors write.
var levels = map[string]decoder.ErrorCorrectionLevel{"L": decoder.ErrorCorrectionLevel_L, "M": decoder.ErrorCorrectionLevel_M, "Q": decoder.ErrorCorrectionLevel_Q,
	"H": decoder.ErrorCorrectionLevel_H}

// bars are the dark modules of a code of one row.
func bars(code barcode.Barcode) [][]bool {
	area := code.Bounds()
	row := make([]bool, area.Dx())
	for x := range row {
		row[x] = color.GrayModel.Convert(code.At(area.Min.X+x, area.Min.Y)).(color.Gray).Y < 128
	}
	return [][]bool{row}
}

// QR is the code of a text; false when the text is too long for one. Texts beyond ASCII are UTF-8 and say so (ECI 26 of ISO/IEC
// 18004): readers that have to guess take Chinese for Japanese.
func QR(text, level string) ([][]bool, bool) {
	hints := map[gozxing.EncodeHintType]any{}
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		hints[gozxing.EncodeHintType_CHARACTER_SET] = "UTF-8"
	}
	code, err := encoder.Encoder_encode(text, levels[level], hints)
	if err != nil {
		if code, err = encoder.Encoder_encode(text, decoder.ErrorCorrectionLevel_L, hints); err != nil {
			return nil, false
		}
	}
	dots := code.GetMatrix()
	out := make([][]bool, dots.GetHeight())
	for y := range out {
		out[y] = make([]bool, dots.GetWidth())
		for x := range out[y] {
			out[y][x] = dots.Get(x, y) == 1
		}
	}
	return out, true
}

// qrCode is a code of a property, a text, or the address of the record; nil when there is nothing to hold.
func (b *binder) qrCode(e *catalog.PrintElement) (layout.Content, error) {
	text := ""
	switch {
	case e.Content == contentVerification:
		token, err := b.code()
		if err != nil {
			return nil, err
		}
		text = verifyAddress(b.base, token)
	case e.Content != "":
		text = address(b.base, b.t.Model.Code, b.r.ID)
	case e.Path != nil:
		text = b.r.Text(e.Path.Code, "")
	default:
		for _, p := range e.Text.In(b.locale) {
			if text += p.Text; p.Path != nil {
				text += b.r.Text(p.Path.Code, "")
			}
		}
	}
	if text == "" {
		return nil, nil
	}
	rows, ok := QR(text, e.Level)
	if !ok {
		return b.tooLong(e), nil
	}
	out := &layout.Modules{Rows: rows, Quiet: quietAround}
	if e.Picture != nil {
		p, err := b.own(e.Picture)
		if err != nil {
			return nil, err
		}
		if p.Ref != "" {
			out.Logo = &p.Picture
		}
	}
	return out, nil
}

// tooLong is drawn in place of a code that cannot hold its text.
func (b *binder) tooLong(e *catalog.PrintElement) layout.Content {
	box := b.unreadable(shown{})
	box[0].Width, box[0].Text = e.Width, b.ink(b.in("内容无法制成条码", "The value can't be a code"))
	return box
}

// barcode is a code of one row; nil when the property is empty.
func (b *binder) barcode(e *catalog.PrintElement) layout.Content {
	text := b.r.Text(e.Path.Code, "")
	if text == "" {
		return nil
	}
	code, err := encode(e.Symbology, text)
	if err != nil {
		return b.tooLong(e)
	}
	out := &layout.Modules{Rows: bars(code), Quiet: quietBeside, Style: layout.Style{Size: layout.Points(8)}}
	if e.ShowText {
		out.Text = b.ink(text)
	}
	return out
}

func encode(symbology, text string) (barcode.Barcode, error) {
	switch symbology {
	case "CODE39":
		return code39.Encode(text, false, true)
	case "EAN13", "EAN8":
		return ean.Encode(text)
	case "ITF":
		return twooffive.Encode(text, true)
	}
	return code128.Encode(text)
}
