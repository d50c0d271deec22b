package outbound_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/outbound"
)

// TestPublic: what leads into a network, to the host itself or to a cloud's metadata is not called, however it is written.
func TestPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "::1": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "0.0.0.0": false,
		"::": false, "::ffff:127.0.0.1": false, "::ffff:169.254.169.254": false, "::ffff:100.64.0.1": false, "fd00:ec2::254": false, "fe80::1": false, "100.64.0.1": false,
		"64:ff9b::a9fe:a9fe": false, "2002:7f00:1::": false, "255.255.255.255": false, "224.0.0.1": false, "198.18.0.1": false,
		// IPv4 addresses inside IPv6 ones of other forms, what is not handed out for the internet, and a cloud's own services at a public address.
		"::127.0.0.1": false, "::a9fe:a9fe": false, "::ffff:0:7f00:1": false, "::ffff:0:a9fe:a9fe": false, "5f00::1": false, "4000::1": false, "3fff::1": false,
		"192.88.99.1": false, "168.63.129.16": false, "::ffff:168.63.129.16": false, "2a00:1450:4001:81b::200e": true, "64:ff9b:1::1": false, "100::1": false, "fec0::1": false, "2001::1": false,
	} {
		require.Equal(t, want, outbound.Public(netip.MustParseAddr(text)), text)
	}
}

// TestCalls: a private address is refused after its name was resolved, a redirect is not followed, and a failure has its status.
func TestCalls(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		if r.URL.Path == "/away" {
			http.Redirect(w, r, "/", http.StatusFound)
		}
	}))
	defer server.Close()
	at := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	_, err := outbound.Post(t.Context(), outbound.New(outbound.Options{}), at, http.Header{}, strings.NewReader("{}"))
	require.ErrorIs(t, err, outbound.ErrPrivate)
	require.Zero(t, calls)
	inside := outbound.New(outbound.Options{Private: true})
	_, err = outbound.Post(t.Context(), inside, at, http.Header{}, strings.NewReader("{}"))
	require.NoError(t, err)
	status, err := outbound.Post(t.Context(), inside, at+"/away", http.Header{}, strings.NewReader("{}"))
	require.ErrorContains(t, err, "answered 302")
	require.Equal(t, 302, status)
	require.Equal(t, 2, calls)
}

// TestAddress: what is configured is a whole address and nothing else.
func TestAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"https://hooks.example.com/a?b=c": true, "http://localhost:1": true, "": false, "hooks.example.com": false, "file:///etc/passwd": false,
		"https://user:word@example.com": false, "https://example.com/#x": false, "https://": false, "gopher://example.com": false, "http://[": false,
	} {
		_, err := outbound.Address(text)
		require.Equal(t, want, err == nil, text)
	}
}
