package publish_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

var start = time.Date(2026, 11, 27, 8, 0, 0, 123456789, time.FixedZone("CST", 8*3600))

// publication is one as the test remembers it.
type publication struct {
	set   publish.Changeset
	files map[publish.File]overlay.Document
}

// model is what was published, the oldest first.
type model struct {
	all []publication
}

func (m *model) of(keep func(publish.File) bool) (out []publish.Changeset) {
	for _, p := range slices.Backward(m.all) {
		set := p.set
		set.Files = []publish.File{}
		for f := range p.files {
			if keep(f) {
				set.Files = append(set.Files, f)
			}
		}
		slices.SortFunc(set.Files, func(a, b publish.File) int { return strings.Compare(a.Pack+" "+a.Path, b.Pack+" "+b.Path) })
		if len(set.Files) > 0 {
			out = append(out, set)
		}
	}
	return out
}

// plain are changesets without their files.
func plain(in []publish.Changeset) []publish.Changeset {
	out := []publish.Changeset{}
	for _, set := range in {
		set.Files = nil
		out = append(out, set)
	}
	return out
}

// apply publishes documents, as an installation does whose tables stay as they are.
func apply(t *testing.T, db *store.DB, set publish.Changeset, documents overlay.Documents) publish.Changeset {
	t.Helper()
	last, err := publish.Version(t.Context(), db)
	require.NoError(t, err)
	p, err := db.Plan(t.Context(), plan.Storage{}, store.PlanOptions{Version: last})
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true, At: set.At, Publish: func(_ context.Context, tx *store.Tx, version int64) error {
		set.Version = version
		return publish.Keep(tx, set, documents)
	}}))
	set.At = set.At.UTC().Truncate(time.Millisecond)
	return set
}

var (
	packs = []string{"demo", "other"}
	paths = []string{"app.json", "models/a.json", "portals/p.png"}
)

// randomDocuments are some files of packs; pictures are bytes that are not a text.
func randomDocuments(r *rand.Rand) overlay.Documents {
	out := overlay.Documents{}
	text := func(path string) *string {
		s := fmt.Sprintf("%s %d", path, r.IntN(1000))
		if strings.HasSuffix(path, ".png") {
			s = "\x89PNG\r\n\x00\xff" + s
		}
		if r.IntN(4) == 0 {
			return nil
		}
		return &s
	}
	for len(out) == 0 {
		for _, of := range packs {
			for _, path := range paths {
				if r.IntN(3) == 0 {
					out[of] = append(out[of], overlay.Document{Path: path, Text: text(path), Base: text(path)})
				}
			}
		}
	}
	return out
}

// TestPublications: after each of many publications everything that is read of them is what a list of them says.
func TestPublications(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx, r, m := t.Context(), rand.New(rand.NewPCG(41, 1)), &model{}
		current, version, err := publish.Current(ctx, db)
		require.NoError(t, err)
		require.Nil(t, current)
		require.Zero(t, version)
		history, err := publish.History(ctx, db, 0, 5)
		require.NoError(t, err)
		require.Equal(t, []publish.Changeset{}, history)
		for n := range 12 {
			documents := randomDocuments(r)
			set := apply(t, db, publish.Changeset{
				Author: fmt.Sprint("author", n%3), At: start.Add(time.Duration(n) * time.Hour), Note: fmt.Sprint("note ", n),
			}, documents)
			p := publication{set, map[publish.File]overlay.Document{}}
			for of, all := range documents {
				for _, d := range all {
					d.Version = set.Version
					p.files[publish.File{Pack: of, Path: d.Path}] = d
				}
			}
			m.all = append(m.all, p)
			m.compare(t, db)
		}
		now, err := publish.Version(ctx, db)
		require.NoError(t, err)
		require.Equal(t, m.all[len(m.all)-1].set.Version, now)
	}, publish.Tables()...)
}

func (m *model) compare(t *testing.T, db *store.DB) {
	t.Helper()
	ctx, last := t.Context(), map[publish.File]overlay.Document{}
	for _, p := range m.all {
		for f, d := range p.files {
			if d.Since = d.Version; last[f].Since != 0 {
				d.Since = last[f].Since
			}
			last[f] = d
		}
	}
	want := overlay.Documents{}
	for _, of := range packs {
		for _, path := range paths {
			f := publish.File{Pack: of, Path: path}
			if d, ok := last[f]; ok {
				want[of] = append(want[of], d)
			}
			m.compareFile(t, db, f)
		}
		m.comparePack(t, db, of)
	}
	current, version, err := publish.Current(ctx, db)
	require.NoError(t, err)
	require.Equal(t, want, current)
	require.Equal(t, m.all[len(m.all)-1].set.Version, version)

	all := m.of(func(publish.File) bool { return true })
	history, err := publish.History(ctx, db, 0, 100)
	require.NoError(t, err)
	require.Equal(t, all, history)
	history, err = publish.History(ctx, db, version, 3)
	require.NoError(t, err)
	require.Equal(t, append([]publish.Changeset{}, all[1:min(4, len(all))]...), history)
}

func (m *model) compareFile(t *testing.T, db *store.DB, f publish.File) {
	t.Helper()
	ctx := t.Context()
	sets := plain(m.of(func(one publish.File) bool { return one == f }))
	versions, err := publish.Versions(ctx, db, f.Pack, f.Path, 4)
	require.NoError(t, err)
	require.Equal(t, sets[:min(4, len(sets))], versions)
	by, err := publish.Last(ctx, db, f.Pack, f.Path)
	require.NoError(t, err)
	if len(sets) == 0 {
		require.Nil(t, by)
	} else {
		require.Equal(t, &sets[0], by)
	}
	for _, p := range m.all {
		text, ok, err := publish.Text(ctx, db, f.Pack, f.Path, p.set.Version)
		require.NoError(t, err)
		d, published := p.files[f]
		require.Equal(t, published, ok)
		require.Equal(t, d.Text, text)
	}
}

func (m *model) comparePack(t *testing.T, db *store.DB, of string) {
	t.Helper()
	ctx := t.Context()
	sets := m.of(func(one publish.File) bool { return one.Pack == of })
	got, err := publish.Of(ctx, db, strings.ToUpper(of), 3)
	require.NoError(t, err)
	require.Equal(t, sets[:min(3, len(sets))], got)
	for _, p := range m.all {
		want := map[string]publish.State{}
		for _, q := range m.all {
			for f, d := range q.files {
				if _, known := want[f.Path]; f.Pack != of || known && q.set.Version > p.set.Version {
					continue
				}
				if want[f.Path] = (publish.State{}); q.set.Version <= p.set.Version {
					want[f.Path] = publish.State{Published: true, Text: d.Text}
				}
			}
		}
		then, err := publish.At(ctx, db, strings.ToUpper(of), p.set.Version)
		require.NoError(t, err)
		require.Equal(t, want, then, "%s at %d", of, p.set.Version)
	}
}

// TestPictures: a picture is kept as a text and read as it was; a text that was not written so is read as it is.
func TestPictures(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		picture, text := "\x00\xff\x80", "null" // which could be base64 as well
		set := apply(t, db, publish.Changeset{At: start}, overlay.Documents{
			"demo": {{Path: "portals/p.png", Text: &picture}, {Path: "app.json", Text: &text}},
		})
		raw := func(path string) (out string) {
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				return tx.System().Raw("SELECT text FROM sl_document WHERE path = ?", path).Scan(&out).Error
			}))
			return out
		}
		require.Equal(t, base64.StdEncoding.EncodeToString([]byte(picture)), raw("portals/p.png"))
		require.Equal(t, text, raw("app.json"))
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("UPDATE sl_document SET text = '<svg>' WHERE path = 'portals/p.png'").Error
		}))
		got, ok, err := publish.Text(t.Context(), db, "demo", "portals/p.png", set.Version)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, "<svg>", *got)
	}, publish.Tables()...)
}
