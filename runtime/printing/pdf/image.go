package pdf

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
)

// plain is a picture as files take it, and its kind: PDF/A-1 has no translucent pixels, and the library reads no interlaced PNG. A pixel that
// is seen through is drawn as on white paper; one that is not there at all shows what is below it. nil = it cannot be drawn.
func plain(data []byte) (out []byte, kind string) {
	if bytes.HasPrefix(data, []byte{0xff, 0xd8}) {
		c, err := jpeg.DecodeConfig(bytes.NewReader(data))
		if err != nil || c.ColorModel != color.CMYKModel {
			return data, "JPG" // the library says what is wrong with it
		}
		return again(data, "JPG", func(img image.Image, to *bytes.Buffer) error { return jpeg.Encode(to, img, &jpeg.Options{Quality: 90}) })
	}
	const depth, colors, interlaced, head = 24, 25, 28, 33
	if len(data) < head || data[depth] <= 8 && data[colors] < 4 && data[interlaced] == 0 && !bytes.Contains(data[:min(len(data), 1<<12)], []byte("tRNS")) {
		return data, "PNG"
	}
	return again(data, "PNG", opaque)
}

// again decodes a picture and encodes it.
func again(data []byte, kind string, encode func(img image.Image, to *bytes.Buffer) error) ([]byte, string) {
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, kind
	}
	var out bytes.Buffer
	if err := encode(img, &out); err != nil {
		return nil, kind
	}
	return out.Bytes(), kind
}

// opaque writes a picture as PNG whose white pixels are not there. Those that are white in it are nearly white.
func opaque(img image.Image, to *bytes.Buffer) error {
	b := img.Bounds()
	flat := image.NewNRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	holes := false
	for y := range b.Dy() {
		for x := range b.Dx() {
			c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			over := func(v uint8) uint8 { return uint8((int(v)*int(c.A) + 255*(255-int(c.A)) + 127) / 255) }
			n := color.NRGBA{over(c.R), over(c.G), over(c.B), 255}
			switch {
			case c.A == 0:
				holes = true
			case n.R == 255 && n.G == 255 && n.B == 255:
				n.B = 254
			}
			flat.SetNRGBA(x, y, n)
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, flat); err != nil {
		return err
	}
	data := out.Bytes()
	if !holes {
		_, err := to.Write(data)
		return err
	}
	const head = 33 // signature and IHDR
	to.Write(data[:head])
	chunk := []byte("tRNS\x00\xff\x00\xff\x00\xff")
	to.Write(binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4)))
	to.Write(chunk)
	to.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk)))
	_, err := to.Write(data[head:])
	return err
}
