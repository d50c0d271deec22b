package expression

import (
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// SQLite gives functions texts in memory that it uses again: what is kept of them is a copy. A zone that was kept as it came ended the process.
func TestZonesAreCopied(t *testing.T) {
	name := []byte("Pacific/Chatham")
	_, err := Call("date", []any{time.Now(), unsafe.String(&name[0], len(name))})
	require.NoError(t, err)
	for i := range name {
		name[i] = 'x'
	}
	found := false
	zones.Range(func(key, _ any) bool {
		found = found || key == "Pacific/Chatham"
		return true
	})
	require.True(t, found)
}
