package httpapi

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/labstack/echo/v5"
)

// peer is who really asks: the other end of the connection or, behind reverse proxies that the operator named, the last
// address of X-Forwarded-For that is none of theirs. What is before it anybody can have written.
func (s *Server) peer(c *echo.Context) string {
	near, ok := address(c.Request().RemoteAddr)
	if !ok {
		return c.Request().RemoteAddr
	}
	if !s.trusted(near) {
		return network(near)
	}
	hops := strings.Split(strings.Join(c.Request().Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		at, ok := address(strings.TrimSpace(hop))
		if !ok {
			break
		}
		if near = at; !s.trusted(near) {
			break
		}
	}
	return network(near)
}

// secure reports whether the caller's connection is encrypted, up to the proxy that ends it. A public address says so by itself.
func (s *Server) secure(c *echo.Context) bool {
	if s.public != nil {
		return s.public.Scheme == "https"
	}
	if c.IsTLS() {
		return true
	}
	near, ok := address(c.Request().RemoteAddr)
	return ok && s.trusted(near) && strings.EqualFold(c.Request().Header.Get("X-Forwarded-Proto"), "https")
}

func (s *Server) trusted(a netip.Addr) bool {
	return slices.ContainsFunc(s.proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// address reads an address with or without a port.
func address(text string) (netip.Addr, bool) {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return with.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap().WithZone(""), err == nil
}

// network is what is limited: an IPv4 address, or the /64 of an IPv6 address, since one customer has all of it.
func network(a netip.Addr) string {
	if a.Is4() {
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}
