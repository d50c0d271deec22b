package names_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/names"
)

// TestNodes renames, swaps, removes and makes again nodes of workflows that are renamed too: each is found by every id that it had, and by none that
// was given to another.
func TestNodes(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 2))
		codes := []string{"a", "b", "c", "d", "e"}
		next := 0
		fresh := func(code string) *thing { next++; return &thing{id: next, code: code} }
		alive := []*thing{fresh("a"), fresh("b")}
		for _, w := range alive {
			w.properties = []*thing{fresh("a"), fresh("b"), fresh("c")}
		}
		snapshot := func() names.Set {
			out := names.Set{}
			for _, w := range alive {
				e := names.Entry{Code: w.code, Former: w.former}
				for _, n := range w.properties {
					e.Add(names.Node, n.code, n.former)
				}
				out[names.Workflow] = append(out[names.Workflow], e)
			}
			return out.Sorted()
		}
		type known struct {
			epoch int64
			w, n  *thing
			id    string
			was   string // the workflow
		}
		var asked []known
		var logged []names.Logged
		epoch := int64(0)
		for range 7 {
			for _, w := range alive {
				for _, n := range w.properties {
					asked = append(asked, known{epoch, w, n, n.code, w.code})
				}
			}
			before := snapshot()
			shuffle(random, &alive, codes, fresh)
			for _, w := range alive {
				shuffle(random, &w.properties, codes, fresh)
			}
			steps := names.Diff(before, snapshot())
			if len(steps) > 0 {
				epoch++
			}
			for _, s := range steps {
				require.False(t, s.Kind == names.Node && s.New == "", "a removed node is no step")
				logged = append(logged, names.Logged{Step: s, Epoch: epoch, At: time.Unix(epoch, 0)})
			}
		}
		log := names.NewLog(logged)
		for _, k := range asked {
			path, there := log.SinceEpoch(k.epoch).Path(names.Node, k.was+"."+k.id)
			if k.w.gone {
				require.False(t, there, "seed %d: %+v", seed, k)
				continue
			}
			if !k.n.gone {
				require.Equal(t, []any{k.w.code + "." + k.n.code, true}, []any{path, there}, "seed %d: %+v", seed, k)
			}
			for _, other := range k.w.properties { // what got its id later is another
				born := append(names.Former{other.code}, other.former...)
				require.True(t, !there || path != k.w.code+"."+other.code || other == k.n || born[len(born)-1] == k.n.code, "seed %d: %+v is %s", seed, k, path)
			}
			now := log.SinceEpoch(k.epoch).Node(k.w.code, k.id)
			if !k.n.gone {
				require.Equal(t, k.n.code, now, "seed %d: %+v", seed, k)
				continue
			}
			require.Equal(t, !strings.Contains(now, "~"), there, "seed %d: %+v: what made room for another is gone", seed, k)
			for _, other := range k.w.properties {
				born := append(names.Former{other.code}, other.former...)
				require.True(t, now != other.code || born[len(born)-1] == k.n.code, "seed %d: %+v is %+v", seed, k, other) // where it was made again
			}
		}
	}
}

// A node that is gone keeps its id until another gets it, and is that node where it is made again.
func TestNodesMadeAgain(t *testing.T) {
	step := func(epoch int64, k names.Kind, owner, old, now string) names.Logged {
		return names.Logged{Step: names.Step{Kind: k, Owner: owner, Old: old, New: now}, Epoch: epoch}
	}
	log := names.NewLog([]names.Logged{
		step(1, names.Node, "flow", "check", "review"),
		step(2, names.Workflow, "", "flow", "approval"),
		step(2, names.Node, "approval", "chief", "check"), // check had gone
		step(3, names.Node, "approval", "Review", "last"),
	})
	long := strings.Repeat("n", 63)
	for _, c := range []struct {
		epoch    int64
		id, want string
	}{
		{0, "check", "last"}, {0, "CHECK", "last"}, {1, "check", "check~2"}, {1, "chief", "check"}, {2, "check", "check"}, {2, "review", "last"}, {3, "review", "review"},
		{0, "gone", "gone"}, {1, "check~2", "check~2"},
	} {
		require.Equal(t, c.want, log.SinceEpoch(c.epoch).Node("approval", c.id), c)
		require.Equal(t, c.id, log.SinceEpoch(c.epoch).Node("other", c.id), "of another workflow")
	}
	require.Equal(t, long[:60]+"~12", names.Aside(long, 12))
	var none *names.Log
	require.Equal(t, "check", none.SinceEpoch(0).Node("approval", "check"))
	for id, want := range map[string]string{"check": "last", "chief": "check", "review": "last", "none": ""} {
		now, ok := log.LastNode("approval", id)
		require.Equal(t, []any{want, want != ""}, []any{now, ok}, id)
	}
}
