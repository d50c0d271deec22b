package importer

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// brokenSource gives some records and then breaks, or fails.
type brokenSource struct {
	left   int
	err    error
	closed bool
}

func (s *brokenSource) next(context.Context) (*raw, error) {
	if s.left--; s.left >= 0 {
		return &raw{Row: s.left}, nil
	}
	if s.err != nil {
		return nil, s.err
	}
	panic("the file breaks the reader")
}

func (s *brokenSource) total() int64 { return 0 }

func (s *brokenSource) close() { s.closed = true }

// TestReadAhead: what breaks while rows are read ahead ends the import that asks for them and not the process, and closing waits for nothing.
func TestReadAhead(t *testing.T) {
	src := &brokenSource{left: 2}
	a := readAhead(t.Context(), src, judge{})
	for row := 1; row >= 0; row-- {
		one, err := a.next(t.Context())
		require.NoError(t, err)
		require.Equal(t, row, one.Row)
	}
	require.Panics(t, func() { _, _ = a.next(t.Context()) })
	a.close()
	require.True(t, src.closed)

	failed := errors.New("cut off")
	a = readAhead(t.Context(), &brokenSource{err: failed}, judge{})
	_, err := a.next(t.Context())
	require.ErrorIs(t, err, failed)
	a.close()

	src = &brokenSource{left: 10 * chunk} // nobody asks for them
	a = readAhead(t.Context(), src, judge{})
	a.close()
	require.True(t, src.closed)
	require.Positive(t, src.left, "no further ahead than a chunk")
}
