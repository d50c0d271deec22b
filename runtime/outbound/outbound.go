// Package outbound is the HTTP client for calls to addresses that somebody configures, such as webhooks. It reaches public addresses only,
// unless it is made for a private network, judges the address that was resolved and not the name, follows no redirect and uses no proxy.
package outbound

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"
)

// Options of a client.
type Options struct {
	Private bool          // private and local addresses may be called
	Timeout time.Duration // of a whole call; 0 = 15 s
}

const defaultTimeout = 15 * time.Second

// ErrPrivate is why an address was not called.
var ErrPrivate = errors.New("the address is not a public one")

// New makes a client.
func New(o Options) *http.Client {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	dialer := &net.Dialer{Timeout: o.Timeout, Control: func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || !o.Private && !Public(at.Addr()) {
			return ErrPrivate
		}
		return nil
	}}
	return &http.Client{Timeout: o.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: o.Timeout, ResponseHeaderTimeout: o.Timeout,
			MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 1, IdleConnTimeout: 30 * time.Second, ForceAttemptHTTP2: true}}
}

// open are the IPv6 networks of the internet. What is outside them either hides an IPv4 address (::/96, ::ffff:0:0:0/96, NAT64) or is not
// handed out.
var open = networks("2000::/3")

// closed are the networks that are not public, beside those that netip knows: shared and benchmark addresses, protocol assignments,
// documentation, relays, what is reserved, and the address at which a cloud's machines ask for their own settings. 6to4 and Teredo lead to
// IPv4 addresses, which they hide.
var closed = networks("0.0.0.0/8", "100.64.0.0/10", "168.63.129.16/32", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

func networks(texts ...string) (out []netip.Prefix) {
	for _, text := range texts {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

// Public reports whether an address is one of the open internet.
func Public(at netip.Addr) bool {
	at = at.Unmap().WithZone("")
	if !at.IsGlobalUnicast() || at.IsPrivate() || at.IsLoopback() || at.IsLinkLocalUnicast() {
		return false
	}
	in := func(networks []netip.Prefix) bool {
		return slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(at) })
	}
	return (at.Is4() || in(open)) && !in(closed)
}

// Address checks an address that somebody configured: http or https, with a host, without a user or a fragment.
func Address(text string) (*url.URL, error) {
	at, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("it is not an address")
	}
	switch {
	case at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "":
		return nil, errors.New("use an address such as https://hooks.example.com/sluice")
	case at.User != nil:
		return nil, errors.New("it must not hold a user or password")
	case at.Fragment != "":
		return nil, errors.New("it must not have a fragment")
	}
	return at, nil
}

// mostAnswer is how much of an answer is read, in bytes.
const mostAnswer = 64 << 10

// Post sends a body and reports a status other than 2xx as an error. What is answered is read and thrown away.
func Post(ctx context.Context, client *http.Client, to string, header http.Header, body io.Reader) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, body)
	if err != nil {
		return 0, err
	}
	req.Header = header
	res, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, mostAnswer))
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return res.StatusCode, fmt.Errorf("answered %d", res.StatusCode)
	}
	return res.StatusCode, nil
}
