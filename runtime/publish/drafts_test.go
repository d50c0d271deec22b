package publish_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// kept are drafts as the test remembers them.
type kept []publish.Draft

func (k kept) with(which func(publish.Draft) bool) (out []publish.Draft) {
	for _, d := range k {
		if which(d) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b publish.Draft) int {
		if at := b.At.Compare(a.At); at != 0 {
			return at
		}
		return strings.Compare(a.Owner+" "+a.Path, b.Owner+" "+b.Path)
	})
	return out
}

func (k kept) without(which func(publish.Draft) bool) kept {
	return slices.DeleteFunc(slices.Clone(k), which)
}

// TestDrafts: after each of many changes the drafts that are read are those of a list, of all people.
func TestDrafts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, r := t.Context(), rand.New(rand.NewPCG(41, 2))
		var all kept
		at := start
		owners, paths := []string{"ann", "bob"}, []string{"app.json", "models/a.json", "models/b.json", "portals/p.json"}
		for n := range 60 {
			at = at.Add(time.Duration(r.IntN(2)) * time.Minute) // some at the same time
			owner, pack, path := owners[r.IntN(2)], packs[r.IntN(2)], paths[r.IntN(4)]
			switch r.IntN(8) {
			case 0:
				require.NoError(t, db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return publish.DropDraft(tx, owner, pack, path) }))
				all = all.without(func(d publish.Draft) bool { return d.Owner == owner && d.Pack == pack && d.Path == path })
			case 1:
				require.NoError(t, db.Write(ctx, func(_ context.Context, tx *store.Tx) error { return publish.DropDrafts(tx, pack, path) }))
				all = all.without(func(d publish.Draft) bool { return d.Pack == pack && d.Path == path })
			default:
				d := publish.Draft{Owner: owner, Pack: pack, Path: path, Text: fmt.Sprintf("text %d", n%3), Seen: fmt.Sprint("digest", n), At: at}
				require.NoError(t, publish.KeepDraft(ctx, db, d))
				all = all.without(func(o publish.Draft) bool { return d.Owner == o.Owner && d.Pack == o.Pack && d.Path == o.Path })
				d.At = d.At.UTC().Truncate(time.Millisecond)
				all = append(all, d)
			}
			for _, owner := range owners {
				for _, pack := range packs {
					got, err := publish.DraftsOf(ctx, db, owner, pack)
					require.NoError(t, err)
					require.Equal(t, all.with(func(d publish.Draft) bool { return d.Owner == owner && d.Pack == pack }), got)
				}
			}
			of := func(d publish.Draft) bool { return d.Owner == owner && d.Pack == pack && d.Path == path }
			one, err := publish.DraftOf(ctx, db, owner, pack, path)
			require.NoError(t, err)
			if want := all.with(of); len(want) == 0 {
				require.Nil(t, one)
			} else {
				require.Equal(t, &want[0], one)
			}
			got, err := publish.DraftsOfOthers(ctx, db, owner, pack, path)
			require.NoError(t, err)
			require.Equal(t, all.with(func(d publish.Draft) bool { return d.Owner != owner && d.Pack == pack && d.Path == path }), got)
		}
		in := func(d publish.Draft) bool { return strings.HasPrefix(d.Path, "models/") }
		got, err := publish.DraftsIn(ctx, db, "models")
		require.NoError(t, err)
		want := all.with(in)
		require.NotEmpty(t, want)
		require.ElementsMatch(t, want, got)
		require.NoError(t, db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			got, err := publish.DraftsWith(tx, "models", "ext 2")
			var texts []string
			for _, d := range got {
				texts = append(texts, d.Owner+d.Pack+d.Path+d.Text)
			}
			var wanted []string
			for _, d := range want {
				if d.Text == "text 2" {
					wanted = append(wanted, d.Owner+d.Pack+d.Path+d.Text)
				}
			}
			require.NotEmpty(t, wanted)
			require.ElementsMatch(t, wanted, texts)
			return err
		}))
	}, publish.Tables()...)
}

// TestDraftLimits: the oldest of too many drafts of a person go, and those that nobody has changed for long. Others keep theirs.
func TestDraftLimits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		keep := func(owner string, n int, at time.Time) {
			t.Helper()
			one := publish.Draft{Owner: owner, Pack: "demo", Path: fmt.Sprintf("models/m%03d.json", n), At: at}
			require.NoError(t, publish.KeepDraft(ctx, db, one))
		}
		paths := func(owner string) (out []string) {
			t.Helper()
			all, err := publish.DraftsOf(ctx, db, owner, "demo")
			require.NoError(t, err)
			for _, d := range all {
				out = append(out, d.Path)
			}
			return out
		}
		keep("bob", 0, start)
		for n := range 102 {
			keep("ann", n, start.Add(time.Duration(n)*time.Minute))
		}
		left := paths("ann")
		require.Len(t, left, 100)
		require.Equal(t, []string{"models/m101.json", "models/m002.json"}, []string{left[0], left[99]})
		require.Len(t, paths("bob"), 1)

		at := start.Truncate(time.Millisecond).Add(90 * 24 * time.Hour)
		keep("cleo", 0, at)
		require.Len(t, paths("bob"), 1, "to the day")
		keep("cleo", 1, at.Add(time.Millisecond))
		require.Empty(t, paths("bob"))
		require.Len(t, paths("cleo"), 2)
	}, publish.Tables()...)
}
