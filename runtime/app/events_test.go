package app

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStreamsAreCheckedWithinASecond: after any number of changes that may have ended sessions, every stream is told to look again
// within a second, and not once for each of them. (The clock is the bubble's: the machine may be busy.)
func TestStreamsAreCheckedWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &App{events: newEvents()}
		var checks []<-chan struct{}
		for _, user := range []string{"one", "two"} {
			_, check, leave := a.Events().JoinChecked(user)
			defer leave()
			checks = append(checks, check)
		}
		for range 2 {
			began := time.Now()
			for range 100 {
				a.checkStreams(nil) // of tables that are not known
			}
			for _, check := range checks {
				select {
				case <-check:
				case <-time.After(time.Hour):
				}
				require.Less(t, time.Since(began), time.Second)
			}
			time.Sleep(time.Minute)
			require.Empty(t, checks[0], "one look for all changes")
		}
		a.checkStreams([]string{"no_table_of_people"})
		time.Sleep(time.Minute)
		require.Empty(t, checks[0], "before there is a catalog nobody is known")
	})
}
