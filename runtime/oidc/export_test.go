package oidc

import "net/http"

// Transport is what a provider is asked through.
func (c *Client) Transport(code string) *http.Transport {
	return c.providers[code].http.Transport.(bounded).RoundTripper.(*http.Transport)
}
