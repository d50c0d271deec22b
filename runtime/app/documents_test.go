package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins"
)

// TestKeptDocuments: what was read of documents before gives the same catalog as reading them again, also after it was compiled; a changed file is read.
func TestKeptDocuments(t *testing.T) {
	t.Parallel()
	set := &pack.Set{}
	require.NoError(t, plugins.Register(set))
	set.Freeze()
	d := Documents{Set: set, Dirs: []string{"../../examples/ship-lock"}, Zone: time.UTC}
	schemas, err := d.schemas()
	require.NoError(t, err)
	folders, _, err := d.Folders()
	require.NoError(t, err)
	kinds := compile.Kinds(set)
	load := func(c *compile.Cache) (packs []*def.Pack, found diag.List) {
		for _, f := range folders {
			p, list := c.Load(f.FS, f.Dir, kinds, schemas)
			packs, found = append(packs, p), append(found, list...)
		}
		return packs, found
	}
	fresh, list := load(nil)
	c := &compile.Cache{}
	for range 2 {
		packs, found := load(c)
		require.Equal(t, list, found)
		for i, p := range packs {
			require.Equal(t, len(fresh[i].Documents), len(p.Documents))
			for k, e := range p.Documents {
				require.Equal(t, fresh[i].Documents[k].Document, e.Document, "%s %s", e.Kind, e.Header().Code)
			}
		}
		_, _ = compile.Compile(set, packs, compile.Options{Zone: time.UTC})
	}
}
