package authn_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/authn"
)

// TestOwnPath: what follows a sign-in is a path of ours; each of the others would lead a browser elsewhere, for a reason of its own.
func TestOwnPath(t *testing.T) {
	for _, path := range []string{"/", "/app-list/applications?x=1#a", "/a?to=https://evil.example", "/中文"} {
		require.True(t, authn.OwnPath(path), path)
	}
	for _, path := range []string{"", "a", "https://evil.example", "javascript:alert(1)", "//evil.example", "///evil.example", `/\evil.example`, `\\evil.example`, "/\t/evil.example",
		"/\n/evil.example", "/a//evil.example", "/%2F/evil.example", "/../evil", "/a/..//evil.example", "/\u0085/x", "/" + strings.Repeat("a", 2000)} {
		require.False(t, authn.OwnPath(path), "%q", path)
	}
}
