package blob

import "io"

// Shrink draws what may be a picture.
func Shrink(r io.ReadSeeker) { _, _, _ = shrink(r) }
