package blob

import "image"

// orientation is how a camera was held, from a JPEG's EXIF segment (tag 0x0112, TIFF 6.0): 1 to 8; 1 when it is not told.
func orientation(head []byte) int {
	e, ok := exifIn(exifOf(head))
	if !ok {
		return 1
	}
	kind, _, at := e.entry(e.directory(0), tagOrientation)
	if b := e.bytes(at, 2); kind == exifShort && b != nil {
		if v := int(e.order.Uint16(b)); v >= 1 && v <= 8 {
			return v
		}
	}
	return 1
}

// turned draws a picture upright.
func turned(from *image.NRGBA, orientation int) *image.NRGBA {
	if orientation == 1 {
		return from
	}
	w, h := from.Rect.Dx(), from.Rect.Dy()
	to := image.NewNRGBA(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		to = image.NewNRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			tx, ty := x, y
			switch orientation {
			case 2:
				tx = w - 1 - x
			case 3:
				tx, ty = w-1-x, h-1-y
			case 4:
				ty = h - 1 - y
			case 5:
				tx, ty = y, x
			case 6:
				tx, ty = h-1-y, x
			case 7:
				tx, ty = h-1-y, w-1-x
			case 8:
				tx, ty = y, w-1-x
			}
			to.SetNRGBA(tx, ty, from.NRGBAAt(x, y))
		}
	}
	return to
}
