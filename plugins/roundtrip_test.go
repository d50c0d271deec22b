package plugins_test

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// applications are the packs of the product with those of the examples, and the data that they bring.
var applications = []struct {
	name string
	dirs []string
	long bool // in the run that tests everything only
}{
	{"clinic", []string{"../examples/clinic"}, false},
	{"lock", []string{"../examples/ship-lock"}, false},
	{"lot", []string{"../examples/ship-lock", "../examples/lock-quality"}, true}, // thousands of records
}

// Each list of each pack reads back what it writes into spreadsheets, in both languages: nothing is changed, nothing refused.
func TestUnchangedSpreadsheets(t *testing.T) {
	t.Parallel()
	for _, a := range applications {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			if a.long && !storetest.Everywhere() {
				t.Skip("one of the long ones")
			}
			s := bootOf(t, a.dirs)
			s.Fill(t, 12)
			kinds, each := packtest.Spreadsheets(), storetest.Full(1, 8)
			if a.long {
				each = 1
			}
			boss := s.Person("boss", "administrator")
			trips := s.RoundTrips(boss)
			require.NotEmpty(t, trips)
			filled := 0
			for i, r := range trips {
				t.Run(r.List.Code, func(t *testing.T) {
					for k := range each {
						if s.Unchanged(t, boss, r, kinds[(i+k)%len(kinds)]) > 0 {
							filled++
						}
					}
				})
			}
			require.Greater(t, filled, each*len(trips)*2/3, "lists with records")
			if !a.long && storetest.Everywhere() {
				everyRole(t, s, kinds)
			}
		})
	}
}

// everyRole has people who see a part of the records and columns, and may write a part of those.
func everyRole(t *testing.T, s *packtest.System, kinds []packtest.Spreadsheet) {
	n := 0
	for _, role := range s.State().Catalog.Roles {
		who := s.Person("has"+role.Code, role.Code)
		for i, r := range s.RoundTrips(who) {
			t.Run(role.Code+"/"+r.List.Code, func(t *testing.T) { s.Unchanged(t, who, r, kinds[i%len(kinds)]) })
			n++
		}
	}
	require.Positive(t, n)
}

// Export, any rearrangement, import: records hold exactly what a person changed. And whatever the cells of a file hold, an import refuses it in
// words that people understand, and ends.
func TestChangedSpreadsheets(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("SLUICE_SEED"), 10, 64); err == nil {
		seed = n
	}
	for _, a := range applications {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			if a.long && !storetest.Everywhere() {
				t.Skip("one of the long ones")
			}
			storetest.EachOptions(t, func(t *testing.T, o store.Options) { changedSpreadsheets(t, bootOn(t, o, a.dirs), seed) })
		})
	}
}

func changedSpreadsheets(t *testing.T, s *packtest.System, seed uint64) {
	s.Fill(t, 12)
	t.Logf("SLUICE_SEED=%d", seed)
	kinds, boss := packtest.Spreadsheets(), s.Person("boss", "administrator")
	var all packtest.Outcome
	for i, trip := range s.RoundTrips(boss) {
		if i%25 == 24 { // one person may have 500 uploads
			boss = s.Person("boss"+strconv.Itoa(i), "administrator")
		}
		sum := fnv.New64()
		_, _ = sum.Write([]byte(trip.List.Code))
		r := rand.New(rand.NewPCG(seed, sum.Sum64())) //nolint:gosec // a seed repeats the draw of a list
		if !storetest.Everywhere() && trip.List.Code != "q_record" && r.IntN(4) > 0 {
			continue
		}
		t.Run(trip.List.Code, func(t *testing.T) {
			for range storetest.Full(1, 4) {
				one := s.Rearranged(t, r, boss, trip, kinds[r.IntN(len(kinds))])
				all.Edited, all.Arrived, all.Refused = all.Edited+one.Edited, all.Arrived+one.Arrived, all.Refused+one.Refused
			}
			for range storetest.Full(1, 3) {
				s.Changed(t, r, boss, trip, kinds[r.IntN(len(kinds))])
			}
		})
	}
	t.Logf("%+v", all)
	if storetest.Everywhere() {
		require.Greater(t, all.Arrived, all.Edited/4, "records that a person changed and an import took")
	}
}

// bootOf starts the packs of the product with those in some folders.
func bootOf(t *testing.T, dirs []string) *packtest.System {
	return bootOn(t, store.Options{Dir: t.TempDir()}, dirs)
}

func bootOn(t *testing.T, o store.Options, dirs []string) *packtest.System {
	return packtest.BootOn(t, packtest.Database{URL: o.URL, Dir: o.Dir}, plugintest.Register, plugins.With("quality", "construction"), func(s *pack.Set) error {
		for _, dir := range dirs {
			s.AddFolder(dir, os.DirFS(dir))
		}
		return packtest.WithSpreadsheets(s)
	})
}
