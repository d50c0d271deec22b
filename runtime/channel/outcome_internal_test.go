package channel

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/mail"
)

// TestWait: attempts wait half a minute, then twice as long each time up to an hour, and a little longer by chance.
func TestWait(t *testing.T) {
	want := 30 * time.Second
	for attempts := range 70 {
		for range 20 {
			got := wait(attempts)
			require.True(t, got >= want && got <= want+want/8, "after %d attempts %v, not from %v on", attempts, got, want)
		}
		if attempts > 0 {
			want = min(2*want, time.Hour)
		}
	}
	several := map[time.Duration]bool{}
	for range 20 {
		several[wait(1)] = true
	}
	require.Greater(t, len(several), 1, "nodes don't all come back at once")
}

// TestOutcome: a delivery is sent, given up at once when it is refused for good, tried again until its time is over, and then given up.
func TestOutcome(t *testing.T) {
	now := time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)
	s := New(Config{Clock: func() time.Time { return now }})
	passing, refused := &mail.Failure{Err: errors.New("busy\nlater")}, &mail.Failure{Permanent: true, Err: errors.New("no such box")}
	away := &mail.Failure{Server: true, Err: errors.New(strings.Repeat("x", 400))}
	for _, c := range []struct {
		failed error
		left   time.Duration // until it is given up
		state  State
		says   string
		down   bool
	}{
		{nil, time.Hour, Sent, "", false}, {nil, -time.Hour, Sent, "", false},
		{passing, time.Millisecond, Waiting, "busy later", false}, {passing, 0, Dead, "busy later", false}, {passing, -time.Hour, Dead, "busy later", false},
		{refused, time.Hour, Dead, "no such box", false}, {errors.New("strange"), time.Hour, Waiting, "strange", false},
		{away, time.Hour, Waiting, strings.Repeat("x", 299), true}, {fmt.Errorf("send: %w", away), 0, Dead, "send: ", true},
	} {
		got := s.outcome(row{Attempts: 2, GiveUpAt: now.Add(c.left)}, c.failed)
		require.Equal(t, c.state, got["state"], "%v", c)
		require.Equal(t, 3, got["attempts"])
		require.Contains(t, got["error"], c.says)
		require.LessOrEqual(t, len([]rune(got["error"].(string))), 300)
		require.Equal(t, c.down, isDown(c.failed))
		next, again := got["next_at"].(time.Time)
		require.Equal(t, c.state == Waiting, again)
		if again {
			require.Nil(t, got["done_at"])
			require.True(t, !next.Before(now.Add(2*time.Minute)) && !next.After(now.Add(2*time.Minute+15*time.Second)), "%v", next.Sub(now))
		} else {
			require.Equal(t, now, got["done_at"])
		}
	}
}

// TestSenderOfNode: a node sends by the channels that it is set up with; a job of another one is for another node.
func TestSenderOfNode(t *testing.T) {
	for _, c := range []Config{{}, {Mail: &mail.Sender{}}, {Hook: &Hook{}}, {Mail: &mail.Sender{}, Hook: &Hook{}}} {
		s := New(c)
		require.Equal(t, c.Mail != nil, s.sender(Mail) != nil)
		require.Equal(t, c.Hook != nil, s.sender(Webhook) != nil)
		require.Nil(t, s.sender("sms"))
	}
}
