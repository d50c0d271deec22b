package httpapi

import (
	"errors"
	"net/url"
	"strings"

	"github.com/labstack/echo/v5"
)

// PublicURL reads the address at which browsers reach the server: a scheme and a host, nothing behind them.
func PublicURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("it must be like https://sluice.example.com")
	}
	return &url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}, nil
}

// origin is what a browser on a page of ours sends: that of the public address or, without one, of the connection itself.
func (s *Server) origin(c *echo.Context) string {
	if s.public != nil {
		return origin(s.public.Scheme, s.public.Host)
	}
	if s.secure(c) {
		return origin("https", c.Request().Host)
	}
	return origin("http", c.Request().Host)
}

// origin joins a scheme and a host as browsers do: without the scheme's own port.
func origin(scheme, host string) string {
	port := map[string]string{"http": ":80", "https": ":443"}[scheme]
	return scheme + "://" + strings.TrimSuffix(host, port)
}
