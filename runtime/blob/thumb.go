package blob

import (
	"bytes"
	"context"
	"image"
	_ "image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"gocloud.dev/gcerrors"
	_ "golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"github.com/sluice-platform/sluice/engine/fault"
)

const (
	thumbSide  = 240        // pixels, of the longer side
	mostPixels = 50_000_000 // of a picture that is decoded
	thumbBytes = 64 << 20   // of a picture's file
)

func thumbKey(id string) string { return key(id) + ".thumb" }

// Thumb is a small JPEG or PNG of a picture, made when it is first asked for. A file that is no picture, or one that cannot be
// drawn, has none: FileNotFound.
func (s *Service) Thumb(ctx context.Context, f File) ([]byte, error) {
	if !f.IsImage() || f.Size > thumbBytes {
		return nil, fault.New(fault.FileNotFound)
	}
	kept, err := s.bucket.ReadAll(ctx, thumbKey(f.ID))
	if err == nil || gcerrors.Code(err) != gcerrors.NotFound {
		return kept, err
	}
	select {
	case s.drawn <- struct{}{}:
		defer func() { <-s.drawn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r, err := s.Read(ctx, f)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	small, mime, err := shrink(r)
	if err != nil {
		return nil, fault.Wrap(err, fault.FileNotFound)
	}
	_, err = s.write(ctx, thumbKey(f.ID), bytes.NewReader(small), mime, int64(len(small)))
	return small, err
}

// shrink draws a picture small. Its size is looked at before it is decoded (SECURITY rule 31).
func shrink(r io.ReadSeeker) (out []byte, mime string, err error) {
	c, format, err := image.DecodeConfig(r)
	if err != nil {
		return nil, "", err
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > mostPixels/c.Height {
		return nil, "", image.ErrFormat
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, "", err
	}
	turn := 1
	if format == "jpeg" {
		head := make([]byte, orientationHead)
		n, _ := io.ReadFull(r, head) // a short file is a file
		turn = orientation(head[:n])
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return nil, "", err
		}
	}
	full, _, err := image.Decode(r)
	if err != nil {
		return nil, "", err
	}
	w, h := fit(c.Width, c.Height)
	small := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.BiLinear.Scale(small, small.Bounds(), full, full.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	upright := turned(small, turn)
	if format == "jpeg" {
		err = jpeg.Encode(&b, upright, &jpeg.Options{Quality: 80})
		return b.Bytes(), "image/jpeg", err
	}
	err = png.Encode(&b, upright)
	return b.Bytes(), "image/png", err
}

// fit is a size within thumbSide with the same proportions; small pictures stay as they are.
func fit(w, h int) (int, int) {
	longer := max(w, h)
	if longer <= thumbSide {
		return w, h
	}
	return max(1, w*thumbSide/longer), max(1, h*thumbSide/longer)
}
