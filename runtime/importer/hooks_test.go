package importer_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// A row that changes nothing runs no code of packs, and a row whose record was written by the code that ran for a row before it is still imported:
// what the file changes is changed, and the rest is as that code left it.
func TestCodeThatWritesOtherRecords(t *testing.T) {
	t.Parallel()
	eachWith(t, func() (func(*pack.Set), func(*testing.T, *world)) {
		c := &writesAnother{}
		c.id.Store("")
		return c.add, c.test
	})
}

// writesAnother writes one record whenever another one is written.
type writesAnother struct {
	ran atomic.Int64
	id  atomic.Value // of the record; "" = none
}

func (c *writesAnother) add(set *pack.Set) {
	set.On("part").AfterWrite.Add(func(ctx context.Context, e *hook.Record, next func() error) error {
		n := c.ran.Add(1)
		if id := c.id.Load().(string); id != "" && e.ID != id {
			now, err := e.World.Get(ctx, "part", id)
			if err != nil {
				return err
			}
			if _, err := e.World.Update(ctx, "part", id, now.Version, map[string]any{"secret": fmt.Sprint("by code ", n)}); err != nil {
				return err
			}
		}
		return next()
	})
}

func (c *writesAnother) test(t *testing.T, w *world) {
	for i := range 6 {
		w.save(w.boss, "part", map[string]any{"number": fmt.Sprint("P-", i), "title": "梁", "secret": "before", "points": []any{map[string]any{"place": "左"}}})
	}
	s := readSheet(t, w.export(w.boss, "xlsx", "zh", false))
	c.ran.Store(0)
	counts, refused, _ := w.again(s, importer.Request{}, false)
	require.Equal(t, []int64{0, 0, 6, 0, 0}, counts, "%v", refused)
	require.Zero(t, c.ran.Load(), "unchanged rows")

	last := s.rows[len(s.rows)-1]
	c.id.Store(idOf(last))
	for _, row := range s.rows {
		row["title"] = property.Cell{Kind: property.CellText, Text: "板"}
	}
	want := w.state()
	for _, r := range want {
		r.own["title"] = `"板"`
	}
	counts, refused, _ = w.again(s, importer.Request{}, true)
	require.Equal(t, []int64{0, 6, 0, 0, 0}, counts, "%v", refused)
	counts, refused, _ = w.again(s, importer.Request{}, false)
	require.Equal(t, []int64{0, 6, 0, 0, 0}, counts, "%v", refused)
	now := w.state()
	require.Contains(t, now[idOf(last)].own["secret"], "by code")
	want[idOf(last)].own["secret"] = now[idOf(last)].own["secret"]
	require.Equal(t, want.texts(want), now.texts(want))
}

// What the file says of a record that code of packs wrote meanwhile is judged again beside what the record has now: it may be refused then, and it may
// be there already.
func TestCodeThatWritesWhatTheFileSays(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]struct {
		wrote map[string]any // by the code
		says  string         // the file, of the people
		want  []int64        // added, changed, unchanged, refused, removed rows
		no    []string
	}{
		"the same":  {map[string]any{"title": "板"}, "", []int64{0, 1, 1, 0, 0}, nil},
		"ambiguous": {map[string]any{"crew": nil}, "李雷;李雷", []int64{0, 1, 0, 1, 0}, []string{fmt.Sprint(" crew AMBIGUOUS ", int(fault.CellAmbiguous))}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachWith(t, func() (func(*pack.Set), func(*testing.T, *world)) {
				c := &writesOnce{values: x.wrote}
				return c.add, func(t *testing.T, w *world) {
					people, _, _ := w.namesakes()
					for i := range 2 {
						w.save(w.boss, "part", map[string]any{"number": fmt.Sprint("P-", i), "title": "梁", "crew": people})
					}
					s := readSheet(w, w.export(w.boss, "xlsx", "zh", false))
					last := s.rows[1]
					s.rows[0]["title"], last["title"] = cell("板"), cell("板")
					if x.says != "" {
						last["crew"] = cell(x.says)
					}
					before := w.state()
					c.id.Store(idOf(last))
					counts, refused, _ := w.again(s, importer.Request{}, false)
					require.Equal(t, x.want, counts, "%v", refused)
					for i := range refused {
						require.Contains(t, refused[i], x.no[i])
					}
					require.Len(t, refused, len(x.no))
					want := before
					want[idOf(s.rows[0])].own["title"] = `"板"`
					for code := range x.wrote {
						now := w.state()[idOf(last)].own[code]
						require.NotEqual(t, want[idOf(last)].own[code], now, "what the code wrote stays")
						want[idOf(last)].own[code] = now
					}
					require.Equal(t, want.texts(want), w.state().texts(want))
				}
			})
		})
	}
}

// writesOnce writes values into one record when another one is written.
type writesOnce struct {
	values map[string]any
	id     atomic.Value // of the record
}

func (c *writesOnce) add(set *pack.Set) {
	set.On("part").AfterWrite.Add(func(ctx context.Context, e *hook.Record, next func() error) error {
		id, _ := c.id.Load().(string)
		if id == "" || e.ID == id {
			return next()
		}
		now, err := e.World.Get(ctx, "part", id)
		if err != nil {
			return err
		}
		if _, err := e.World.Update(ctx, "part", id, now.Version, c.values); err != nil {
			return err
		}
		return next()
	})
}
