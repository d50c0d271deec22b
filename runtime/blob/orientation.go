package blob

import (
	"bytes"
	"encoding/binary"
	"image"
)

// orientationHead is how many of a JPEG's first bytes are looked through for its orientation.
const orientationHead = 64 << 10

// orientation is how a camera was held, from a JPEG's EXIF block (tag 0x0112, TIFF 6.0): 1 to 8; 1 when it is not told.
func orientation(head []byte) int {
	at := 2
	for at+4 <= len(head) && head[at] == 0xFF {
		size := int(binary.BigEndian.Uint16(head[at+2:]))
		if size < 2 {
			return 1
		}
		body := head[min(at+4, len(head)):min(at+2+size, len(head))]
		if head[at+1] == 0xE1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return tiffOrientation(body[6:])
		}
		if head[at+1] == 0xDA { // the picture begins
			return 1
		}
		at += 2 + size
	}
	return 1
}

func tiffOrientation(b []byte) int {
	var order binary.ByteOrder = binary.LittleEndian
	if bytes.HasPrefix(b, []byte("MM")) {
		order = binary.BigEndian
	}
	if len(b) < 8 {
		return 1
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 1
	}
	count := int64(order.Uint16(b[at:]))
	for i := range count {
		entry := at + 2 + i*12
		if entry+12 > int64(len(b)) {
			return 1
		}
		if order.Uint16(b[entry:]) == 0x0112 {
			if v := int(order.Uint16(b[entry+8:])); v >= 1 && v <= 8 {
				return v
			}
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
