package blob

import (
	"encoding/binary"
	"errors"
	"image"
	"io"
)

// measure is what a picture takes to draw it small.
type measure struct {
	width, height int
	format        string
	bytes         int64 // at most, while it is decoded and drawn
}

const (
	mostPixels  = 50_000_000 // of a picture that is decoded: they take time
	mostChunks  = 1000       // of a picture's head that are looked at
	drawnBeside = 2 << 20    // buffers of the decoders and the small picture
	tiffBlock   = 1024 * 1024 * 8
)

// measured reads the head of a picture and judges what its decoder will take, before it does: the same number of pixels takes
// from one byte each to sixteen, by their depth, transparency and interlacing, and by what the decoder keeps beside them.
func measured(r io.ReadSeeker, size int64, as rendition) (m measure, err error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return m, err
	}
	c, format, err := image.DecodeConfig(r)
	if err != nil {
		return m, err
	}
	m = measure{width: c.Width, height: c.Height, format: format}
	if c.Width <= 0 || c.Height <= 0 {
		return m, image.ErrFormat
	}
	if c.Width > mostPixels/c.Height {
		return m, ErrLarge
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return m, err
	}
	pixels := int64(c.Width) * int64(c.Height)
	switch format {
	case "png":
		each, err := pngPixel(r)
		if err != nil {
			return m, err
		}
		m.bytes = each * pixels
	case "jpeg":
		if m.bytes, err = jpegBytes(r); err != nil {
			return m, err
		}
	case "gif": // its first frame, and once more when that is interlaced
		m.bytes = 2 * pixels
	case "bmp":
		m.bytes = 4 * pixels
	case "webp": // lossless: the pixels, and once more to transform them; its file is read whole
		m.bytes = 12*pixels + size
	default: // TIFF: pixels of eight bytes, and a block as large as the picture, or of 1024 x 1024, that grows while it is unpacked
		m.bytes = 24*pixels + 2*tiffBlock + size
	}
	w, h := fit(c.Width, c.Height, as.side)
	m.bytes += 8*int64(w)*int64(h) + drawnBeside // what is drawn, and once more to turn it
	if !as.quick {
		m.bytes += 32 * int64(w) * int64(c.Height) // the scaler keeps each row in its new width, four numbers a pixel
	}
	_, err = r.Seek(0, io.SeekStart)
	return m, err
}

var errHead = errors.New("the picture's head cannot be read")

// pngPixel is how many bytes a pixel takes (PNG 1.2, sections 4.1.1 and 4.2.1).
func pngPixel(r io.ReadSeeker) (int64, error) {
	var head [33]byte // signature and IHDR
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	depth, kind, interlaced := head[24], head[25], head[28] != 0
	each := int64(4)
	switch {
	case depth == 16:
		each = 8
	case kind == 3:
		each = 1
	}
	if kind == 0 {
		clear, err := pngHas(r, "tRNS")
		if err != nil {
			return 0, err
		}
		if !clear {
			each = int64(max(depth, 8)) / 8
		}
	}
	if interlaced { // the passes are pictures of their own
		each *= 2
	}
	return each, nil
}

// pngHas looks for a chunk before the picture's data.
func pngHas(r io.ReadSeeker, want string) (bool, error) {
	for range mostChunks {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return false, err
		}
		switch string(head[4:]) {
		case want:
			return true, nil
		case "IDAT", "IEND":
			return false, nil
		}
		if _, err := r.Seek(int64(binary.BigEndian.Uint32(head[:]))+4, io.SeekCurrent); err != nil {
			return false, err
		}
	}
	return false, errHead
}

// jpegBytes is what the samples of a JPEG take (ITU T.81, B.2.2): a byte each, four more while a progressive one is put
// together, and four a pixel more where colors are converted.
func jpegBytes(r io.ReadSeeker) (int64, error) {
	if _, err := r.Seek(2, io.SeekStart); err != nil {
		return 0, err
	}
	converted := false
	for range mostChunks {
		var head [4]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return 0, err
		}
		for head[0] == 0xFF && head[1] == 0xFF { // padding
			copy(head[:], head[1:])
			if _, err := io.ReadFull(r, head[3:]); err != nil {
				return 0, err
			}
		}
		length := int64(binary.BigEndian.Uint16(head[2:])) - 2
		if head[0] != 0xFF || length < 0 {
			return 0, errHead
		}
		switch head[1] {
		case 0xC0, 0xC1, 0xC2:
			body := make([]byte, length)
			if _, err := io.ReadFull(r, body); err != nil {
				return 0, err
			}
			return frameBytes(body, head[1] == 0xC2, converted)
		case 0xEE: // Adobe's: how colors are meant
			converted = true
		case 0xDA, 0xD9:
			return 0, errHead
		}
		if _, err := r.Seek(length, io.SeekCurrent); err != nil {
			return 0, err
		}
	}
	return 0, errHead
}

func frameBytes(body []byte, progressive, converted bool) (int64, error) {
	if len(body) < 6 || len(body) < 6+3*int(body[5]) || body[5] == 0 {
		return 0, errHead
	}
	height, width, parts := int64(binary.BigEndian.Uint16(body[1:])), int64(binary.BigEndian.Uint16(body[3:])), int(body[5])
	var most, all, across, down int64 = 1, 0, 1, 1
	for i := range parts {
		sampling := body[6+3*i+1]
		h, v := int64(sampling>>4), int64(sampling&15)
		across, down, all = max(across, h), max(down, v), all+h*v
		most = max(most, h*v)
	}
	units := ((width + 8*across - 1) / (8 * across)) * ((height + 8*down - 1) / (8 * down)) // whole blocks of all parts
	if parts == 1 {
		all, most = max(all, 1), 1
	}
	samples := units * 64 * max(all, 1)
	if parts == 3 && all != most+2 || parts == 4 { // the decoder brings unusual samplings to the finest
		samples = units * 64 * across * down * int64(parts)
	}
	bytes := samples
	if progressive {
		bytes += 4 * samples
	}
	if converted || parts == 4 || body[6] == 'R' {
		bytes += 4 * units * 64 * across * down
	}
	return bytes, nil
}
