package command

import (
	"context"
	"log/slog"
	"time"

	"github.com/sluice-platform/sluice/runtime/stacks"
)

// stopTime is how long a server takes to end at most: 30 s for the calls that are under way, 11 for jobs, and the rest.
const stopTime = 50 * time.Second

// endWithin ends the process when what runs has not ended some time after ctx, and writes the stacks of its goroutines to the log. Nothing is lost by
// that which a transaction or a job has stored. done says that it has ended.
func endWithin(ctx context.Context, limit time.Duration, log *slog.Logger, exit func(code int)) (done func()) {
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		select {
		case <-ended:
		case <-time.After(limit):
			log.Error("the server does not end by itself", "goroutines", stacks.All())
			exit(exitEnvironment)
		}
	}()
	return func() { close(ended) }
}
