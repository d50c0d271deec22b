package httpapi

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limits hold the strict rate class: calls that cost a password hash or a key, for each real peer. They protect this node's
// cores and live in its memory; failed attempts at passwords are counted in the database (authn).
type limits struct {
	mu    sync.Mutex
	peers map[string]*peerLimit
	swept time.Time
	rate  rate.Limit
	burst int
}

type peerLimit struct {
	*rate.Limiter
	seen time.Time
}

const (
	loginRate  = 2 // a second
	loginBurst = 30
	openRate   = 20 // of visitors without an account
	openBurst  = 200
	maxPeers   = 10000
)

func newLimits(perSecond rate.Limit, burst int) *limits {
	return &limits{peers: map[string]*peerLimit{}, rate: perSecond, burst: burst}
}

func (l *limits) allow(peer string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.peers[peer]
	if p == nil {
		if len(l.peers) >= maxPeers && !l.sweep() {
			return false // a flood from everywhere: those that are known go on
		}
		p = &peerLimit{Limiter: rate.NewLimiter(l.rate, l.burst)}
		l.peers[peer] = p
	}
	p.seen = time.Now()
	return p.Allow()
}

// sweep forgets peers that have been quiet long enough to have their burst back, at most once a second, and reports whether
// there is room.
func (l *limits) sweep() bool {
	if time.Since(l.swept) < time.Second {
		return false
	}
	l.swept = time.Now()
	for k, p := range l.peers {
		if time.Since(p.seen) > time.Duration(float64(l.burst)/float64(l.rate)*float64(time.Second)) {
			delete(l.peers, k)
		}
	}
	return len(l.peers) < maxPeers
}
