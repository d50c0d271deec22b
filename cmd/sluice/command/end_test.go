package command

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEndWithin: what does not end after a signal is ended, and logs its goroutines; what ends is not.
func TestEndWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		var codes []int
		log := slog.New(slog.NewTextHandler(&text, nil))
		exit := func(code int) { codes = append(codes, code) }

		ctx, signal := context.WithCancel(t.Context())
		done := endWithin(ctx, stopTime, log, exit)
		time.Sleep(time.Hour)
		signal()
		time.Sleep(stopTime - time.Second)
		done()
		time.Sleep(time.Hour)
		require.Empty(t, codes)

		endWithin(ctx, stopTime, log, exit)
		time.Sleep(stopTime - time.Second)
		require.Empty(t, codes)
		time.Sleep(2 * time.Second)
		require.Equal(t, []int{exitEnvironment}, codes)
		require.Contains(t, text.String(), "TestEndWithin")
	})
}
