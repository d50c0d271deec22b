package blob

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"time"

	_ "golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"

	"github.com/sluice-platform/sluice/engine/fault"
)

const (
	thumbBytes  = 64 << 20         // of a picture's file
	drawnAtOnce = 128 << 20        // bytes that all pictures may take that are being decoded
	drawnWait   = 10 * time.Second // for others' pictures
	drawnMuch   = 16 << 20         // bytes of a picture that are given back at once
)

// ErrLarge is why a picture is not drawn that would take more memory or time than one may.
var ErrLarge = errors.New("the picture is too large to be drawn")

// rendition is a smaller picture that is made of a file and kept beside it.
type rendition struct {
	suffix string
	side   int  // pixels, of the longer side
	quick  bool // drawn without a copy as wide as it is and as high as the picture: of large ones that would be too much
}

// The renditions of a picture: in lists, and on paper, where 150 mm have some 270 dots an inch.
var (
	thumbnail  = rendition{".thumb", 240, false}
	onPaper    = rendition{".paper", 1600, true}
	renditions = []rendition{thumbnail, onPaper}
)

func (r rendition) key(id string) string { return key(id) + r.suffix }

// drawing bounds what pictures take while they are drawn small, all together.
type drawing struct {
	bytes  *semaphore.Weighted
	places *semaphore.Weighted // they take a core each
}

func newDrawing() drawing {
	return drawing{bytes: semaphore.NewWeighted(drawnAtOnce), places: semaphore.NewWeighted(int64(max(1, runtime.NumCPU()/2)))}
}

// begin waits until a picture fits beside those that are being drawn, and returns what ends it.
func (d drawing) begin(ctx context.Context, bytes int64) (end func(), err error) {
	wait, cancel := context.WithTimeout(ctx, drawnWait)
	defer cancel()
	if err := d.places.Acquire(wait, 1); err != nil {
		return nil, orLater(ctx, err)
	}
	if err := d.bytes.Acquire(wait, bytes); err != nil {
		d.places.Release(1)
		return nil, orLater(ctx, err)
	}
	return func() {
		if bytes >= drawnMuch {
			runtime.GC() // the next picture may be decoded only when this one is really gone
		}
		d.bytes.Release(bytes)
		d.places.Release(1)
	}, nil
}

func orLater(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return fault.Later(fault.TooManyRequests, 5)
}

// Thumb is a small JPEG or PNG of a picture, made when it is first asked for. A file that is not a picture, one that cannot be
// drawn, and one that would take too much memory have none: FileNotFound.
func (s *Service) Thumb(ctx context.Context, f File) ([]byte, error) {
	return s.rendition(ctx, f, thumbnail)
}

// Paper is a JPEG or PNG of a picture for printing, made when it is first asked for, like Thumb.
func (s *Service) Paper(ctx context.Context, f File) ([]byte, error) {
	return s.rendition(ctx, f, onPaper)
}

func (s *Service) rendition(ctx context.Context, f File, as rendition) ([]byte, error) {
	if !f.IsImage() {
		return nil, fault.New(fault.FileNotFound)
	}
	if f.Size > thumbBytes {
		return nil, fault.Wrap(ErrLarge, fault.FileNotFound)
	}
	kept, err := s.all(ctx, as.key(f.ID))
	switch {
	case err == nil && len(kept) == 0: // it could not be drawn
		return nil, fault.New(fault.FileNotFound)
	case !missing(err):
		return kept, err
	}
	r, err := s.source(ctx, f, as)
	if missing(err) {
		return nil, fault.New(fault.FileNotFound)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	m, err := measured(r, f.Size, as)
	if away := r.outage(); away != nil { // decoders may not hand on why they could not read
		return nil, away
	}
	if err == nil && m.bytes > drawnAtOnce {
		err = ErrLarge
	}
	if err != nil {
		return nil, fault.Wrap(err, fault.FileNotFound)
	}
	end, err := s.drawn.begin(ctx, m.bytes)
	if err != nil {
		return nil, err
	}
	defer end()
	if kept, err := s.all(ctx, as.key(f.ID)); err == nil && len(kept) > 0 {
		return kept, nil // somebody drew it while this call waited
	}
	small, mime, broken := shrink(r, m, as)
	if broken != nil {
		if err := cmp.Or(ctx.Err(), r.outage()); err != nil {
			return nil, err
		}
		small, mime = nil, opaque // kept empty: it is not decoded again and again
	}
	if _, err := s.write(ctx, as.key(f.ID), bytes.NewReader(small), mime, int64(len(small))); err != nil {
		return nil, err
	}
	if broken != nil {
		return nil, fault.Wrap(broken, fault.FileNotFound)
	}
	return small, nil
}

// source opens what a small picture is drawn from: the next larger one where there is one, which is read in a fraction of the time.
func (s *Service) source(ctx context.Context, f File, as rendition) (*reader, error) {
	if as == thumbnail {
		r, err := s.place.open(ctx, onPaper.key(f.ID))
		if err == nil && r.size > 0 {
			return r, nil
		}
		if err == nil {
			err = r.Close()
		}
		if err != nil && !missing(err) {
			return nil, err
		}
	}
	return s.place.open(ctx, key(f.ID))
}

// all reads a small file whole.
func (s *Service) all(ctx context.Context, at string) ([]byte, error) {
	r, err := s.place.open(ctx, at)
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(r)
	return out, errors.Join(err, r.Close())
}

// shrink draws a picture small whose measure was taken before.
func shrink(r io.ReadSeeker, m measure, as rendition) (out []byte, mime string, err error) {
	defer func() {
		if v := recover(); v != nil { // of a decoder that a picture has led astray
			err = fmt.Errorf("decode a picture: %v", v)
		}
	}()
	turn := 1
	if m.format == "jpeg" {
		head := make([]byte, exifHead)
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
	w, h := fit(m.width, m.height, as.side)
	var scaler draw.Interpolator = draw.BiLinear
	if as.quick {
		scaler = draw.ApproxBiLinear
	}
	var b bytes.Buffer
	if m.format == "jpeg" { // opaque: both kinds of pixels are the same bytes, and the library scales and writes one of them much faster
		small := image.NewRGBA(image.Rect(0, 0, w, h))
		scaler.Scale(small, small.Bounds(), full, full.Bounds(), draw.Src, nil)
		upright := turned(&image.NRGBA{Pix: small.Pix, Stride: small.Stride, Rect: small.Rect}, turn)
		err = jpeg.Encode(&b, &image.RGBA{Pix: upright.Pix, Stride: upright.Stride, Rect: upright.Rect}, &jpeg.Options{Quality: 80})
		return b.Bytes(), "image/jpeg", err
	}
	small := image.NewNRGBA(image.Rect(0, 0, w, h))
	scaler.Scale(small, small.Bounds(), full, full.Bounds(), draw.Src, nil)
	err = png.Encode(&b, small)
	return b.Bytes(), "image/png", err
}

// fit is a size within a square of that side with the same proportions; small pictures stay as they are.
func fit(w, h, side int) (int, int) {
	longer := max(w, h)
	if longer <= side {
		return w, h
	}
	return max(1, w*side/longer), max(1, h*side/longer)
}
