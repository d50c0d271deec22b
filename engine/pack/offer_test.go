package pack_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
)

// offer is a pack that is offered, with an extension below it.
func offer(code, requires string) pack.Offer {
	files := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "` + code + `", "requires": ` + requires + `}`)}}
	return pack.Offer{Path: "plugins/" + code, Parts: []pack.Part{
		{Path: "plugins/" + code + "/property/x", Register: func(s *pack.Set) error { s.AddFolder(code+" part", fstest.MapFS{}); return nil }},
		{Path: "plugins/" + code, Register: func(s *pack.Set) error { s.AddFolder("plugins/"+code, files); return nil }},
	}}
}

func TestTake(t *testing.T) {
	t.Parallel()
	offers := []pack.Offer{offer("bridge", `[]`), offer("lots", `[{"code": "sites", "version": "^1"}, "organisation"]`), offer("sites", `["lots"]`), offer("zinc", `["bridge"]`)}
	for name, x := range map[string]struct {
		named  []string
		loaded []pack.Manifest
		want   []string
		not    string
	}{
		"nobody asks":                     {nil, nil, nil, "lots"},
		"named, with what it requires":    {[]string{"Lots"}, nil, []string{"sites part", "plugins/sites", "lots part", "plugins/lots"}, "zinc"},
		"several, with spaces":            {[]string{"zinc", " bridge", ""}, nil, []string{"bridge part", "plugins/bridge", "zinc part", "plugins/zinc"}, "lots"},
		"required by a pack on disk":      {nil, []pack.Manifest{{Code: "mine", Requires: []string{"zinc"}}}, []string{"bridge part", "plugins/bridge", "zinc part", "plugins/zinc"}, "sites"},
		"its documents are on disk":       {nil, []pack.Manifest{{Code: "bridge"}}, []string{"bridge part", "plugins/bridge"}, "zinc"},
		"required by another that is not": {nil, []pack.Manifest{{Code: "mine", Requires: []string{"none"}}}, nil, "lots"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &pack.Set{}
			require.NoError(t, s.Take(offers, x.named, x.loaded...))
			var got []string
			for _, f := range s.Folders() {
				got = append(got, f.Path)
			}
			require.Equal(t, x.want, got)
			require.True(t, s.Offers(x.not))
			require.False(t, s.Offers("none"))
			require.False(t, s.Took(x.not))
			require.Equal(t, len(x.want) > 0, s.Took("lots") || s.Took("Bridge"))
		})
	}
	s := &pack.Set{}
	s.AddFolder("own", fstest.MapFS{"pack.json": {Data: []byte(`{"code": "own", "requires": ["bridge"]}`)}})
	require.NoError(t, s.Take(offers, nil))
	require.Len(t, s.Folders(), 3, "a pack of the program that is always there requires one")
	require.EqualError(t, (&pack.Set{}).Take(offers, []string{"bridges"}), `there is no pack "bridges" to switch on (there are bridge, lots, sites, zinc)`)
	require.EqualError(t, (&pack.Set{}).Take(nil, []string{"lots"}), `there is no pack "lots" to switch on: this program offers none`)
}
