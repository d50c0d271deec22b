package backup

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNewerBackups: what a newer program wrote is refused by name, not guessed at.
func TestNewerBackups(t *testing.T) {
	var out bytes.Buffer
	p, err := newPacker(&out, time.Now())
	require.NoError(t, err)
	require.NoError(t, p.json(headName, Head{Format: Format + 1, Program: "v9.0"}))
	require.NoError(t, p.close(Manifest{}))
	_, _, err = Verify(&out)
	var version *VersionError
	require.ErrorAs(t, err, &version)
	require.ErrorContains(t, err, "made by Sluice v9.0 in format 2")
}
