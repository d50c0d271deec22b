package httpapi

import (
	"net"
	"sync"
	"time"

	"github.com/labstack/echo/v5"
	"golang.org/x/time/rate"
)

// limits hold the strict rate class: calls that cost a password hash or a key, for each real peer.
type limits struct {
	mu    sync.Mutex
	peers map[string]*peerLimit
}

type peerLimit struct {
	*rate.Limiter
	seen time.Time
}

const (
	loginRate  = 2 // a second
	loginBurst = 30
	maxPeers   = 10000
)

func newLimits() *limits { return &limits{peers: map[string]*peerLimit{}} }

func (l *limits) allow(peer string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.peers[peer]
	if p == nil {
		if len(l.peers) >= maxPeers {
			l.sweep()
		}
		p = &peerLimit{Limiter: rate.NewLimiter(loginRate, loginBurst)}
		l.peers[peer] = p
	}
	p.seen = time.Now()
	return p.Allow()
}

// sweep forgets peers that have been quiet long enough to have their burst back.
func (l *limits) sweep() {
	for k, p := range l.peers {
		if time.Since(p.seen) > loginBurst/loginRate*time.Second {
			delete(l.peers, k)
		}
	}
}

// peer is the address of the other end of the connection; forwarded headers are not believed.
func peer(c *echo.Context) string {
	host, _, err := net.SplitHostPort(c.Request().RemoteAddr)
	if err != nil {
		return c.Request().RemoteAddr
	}
	return host
}
