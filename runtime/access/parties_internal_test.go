package access

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// Reports tell the level of leaders and the number of superiors alike.
func TestPartiesTellLevels(t *testing.T) {
	of := parties(&catalog.Catalog{}, nil, []catalog.Participant{{Kind: catalog.FromDeptLeader, Level: 2}, {Kind: catalog.FromSuperiors, Levels: 3}})
	require.Len(t, of, 2)
	require.Equal(t, 2, of[0].Levels)
	require.Equal(t, 3, of[1].Levels)
}
