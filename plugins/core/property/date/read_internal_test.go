package date

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Where clocks are put forward at midnight, the day begins at one and does not become the day before.
func TestDaysWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	require.NoError(t, err)
	at, u, err := read("2018-11-04", zone)
	require.NoError(t, err)
	require.Equal(t, "2018-11-04 01:00", at.Format("2006-01-02 15:04"))
	require.Equal(t, 23*time.Hour, u.next(at).Sub(at))
	require.Equal(t, at, u.first(at.Add(5*time.Hour)))
	from, to, ok := relative("today", at.Add(5*time.Hour))
	require.True(t, ok)
	require.Equal(t, []time.Time{at, u.next(at)}, []time.Time{from, to})
	zone, err = time.LoadLocation("America/Havana") // and where they are put back at one, midnight comes twice
	require.NoError(t, err)
	at, u, err = read("2025-11-02", zone)
	require.NoError(t, err)
	require.Equal(t, 25*time.Hour, u.next(at).Sub(at))
}
