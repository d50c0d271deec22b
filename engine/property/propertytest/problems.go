package propertytest

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/stretchr/testify/require"
)

// Problem is a definition that Compile reports.
type Problem struct {
	Options string
	Code    string
	Pointer string // of the node, below the property: "/maxLength"; "" = the property itself
	En      string // the text, word for word
}

// Problems checks what Compile reports about faulty definitions, each with exactly one diagnostic at the offending node.
func Problems(t *testing.T, typ property.Type, s Scope, problems []Problem) {
	t.Helper()
	for _, c := range problems {
		p, got := typ.Compile(Define(typ, c.Options), s)
		require.Len(t, got, 1, c.Options)
		require.Equal(t, c.Code, got[0].Code, c.Options)
		require.Equal(t, "/properties/0"+c.Pointer, got[0].Pointer, c.Options)
		require.NotZero(t, got[0].Line, c.Options)
		require.Equal(t, c.En, got[0].En, c.Options)
		require.NotEmpty(t, got[0].Repair.Zh)
		require.NotEmpty(t, got[0].Repair.En)
		require.NotPanics(t, func() { p.Kind(); p.Columns() })
	}
}
