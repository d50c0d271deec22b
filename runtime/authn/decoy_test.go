package authn

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/secret"
)

// TestNobodysPasswordCostsAsMuch: a name that nobody has takes the same work as one that somebody has, or the time of the answer would tell them
// apart. The memory that the hash takes shows whether it was computed. Not parallel: others take memory too.
func TestNobodysPasswordCostsAsMuch(t *testing.T) {
	h, err := newHasher()
	require.NoError(t, err)
	h.memory, h.time = 8*1024, 1 // KiB
	h.decoy = h.writePHC(make([]byte, argonSalt), make([]byte, argonLength))
	known, err := h.Hash(t.Context(), "Morning-1")
	require.NoError(t, err)
	cost := func(phc string, password secret.Text, want bool) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		match, err := h.Matches(context.Background(), phc, password)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.Equal(t, want, match)
		return after.TotalAlloc - before.TotalAlloc
	}
	somebodys, nobodys := cost(known, "Morning-2", false), cost("", "Morning-2", false)
	require.Greater(t, somebodys, uint64(8<<20))
	require.InEpsilon(t, somebodys, nobodys, 0.05)
	cost(known, "Morning-1", true)
	fresh, err := newHasher()
	require.NoError(t, err)
	memory, time, lanes, _, sum, err := parsePHC(fresh.decoy)
	require.NoError(t, err)
	require.Equal(t, []uint32{fresh.memory, fresh.time, argonLanes, argonLength}, []uint32{memory, time, uint32(lanes), uint32(len(sum))}, "what it is compared with costs what a password costs")
}
