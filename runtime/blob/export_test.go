package blob

import (
	"bytes"
	"context"
	"io"
	"time"
)

// Shrink draws what may be a picture.
func Shrink(r io.ReadSeeker) {
	if m, err := measured(r, 1<<10, thumbnail); err == nil && m.bytes <= 64<<20 {
		_, _, _ = shrink(r, m, thumbnail)
	}
}

// Measured is what a picture is judged to take when it is decoded and drawn.
func Measured(file []byte) (int64, error) {
	m, err := measured(bytes.NewReader(file), int64(len(file)), thumbnail)
	return m.bytes, err
}

// Drawn draws a picture without its limits.
func Drawn(file []byte) error {
	r := bytes.NewReader(file)
	m, err := measured(r, int64(len(file)), thumbnail)
	if err == nil {
		_, _, err = shrink(r, m, thumbnail)
	}
	return err
}

// DrawnAtOnce is the budget of all pictures.
const DrawnAtOnce = drawnAtOnce

// Allow sets the quota.
func (s *Service) Allow(q Quota) { s.quota = q }

// Impatient sets how long a step may take.
func (s *Service) Impatient(d time.Duration) { s.place.answer = d }

// MostHanging is how many steps may hang before others are refused at once.
const MostHanging = mostHanging

// Noted reads what a camera noted in a file.
func Noted(file []byte) {
	takenIn(exifOf(file))
	orientation(file)
}

// Kept reports whether a small picture for paper is there.
func (s *Service) Kept(ctx context.Context, f File) bool {
	data, err := s.all(ctx, onPaper.key(f.ID))
	return err == nil && len(data) > 0
}
