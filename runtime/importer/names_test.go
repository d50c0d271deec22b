package importer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/width"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/finder/findertest"
	"github.com/sluice-platform/sluice/runtime/importer"
)

// TestNames: a cell takes the record or option that is called so, in whatever case, width and spaces; never one that is called longer and none by
// its sound. What several are called is refused with what tells them apart.
func TestNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		names := findertest.Names()
		for n, p := range names.Pairs {
			w.save(w.boss, "site", map[string]any{"title": p[1], "code": fmt.Sprintf("L-%d", n)})
			if n%2 == 0 { // of the others the longer one is there alone
				w.save(w.boss, "site", map[string]any{"title": p[0], "code": fmt.Sprintf("N-%d", n)})
			}
		}
		above := w.save(w.boss, "site", map[string]any{"title": "左岸"})
		for _, at := range []string{above, w.save(w.boss, "site", map[string]any{"title": "右岸"})} {
			w.save(w.boss, "site", map[string]any{"title": "边墩", "above": at})
		}
		rows := [][]string{{"编号", "工点", "种类", "多工点"}}
		var want []string
		no := func(site, kind string, codes ...string) {
			row := len(rows) + 1
			rows = append(rows, []string{fmt.Sprintf("X-%04d", row), site, kind})
			for _, code := range codes {
				want = append(want, fmt.Sprint(row, " ", code))
			}
		}
		missing, option := fmt.Sprintf("site NOEXIT %d", fault.CellNotFound), fmt.Sprintf("kind NOEXIT %d", fault.FieldOption)
		taken := 0
		for n, p := range names.Pairs {
			for i, text := range []string{p[0], "　" + strings.Join(strings.Split(p[0], ""), " ") + " ", strings.ToUpper(p[0]), width.Widen.String(p[0])} {
				if n%2 > 0 {
					no(text, "", missing)
					continue
				}
				taken++
				rows = append(rows, []string{fmt.Sprintf("%04d-%d", n, i), text, text, text + ";" + names.Pairs[0][0]})
			}
		}
		for _, r := range names.Readings {
			for _, sound := range r.Sounds {
				no(sound, sound, missing, option)
			}
		}
		no("边墩", "同名", fmt.Sprintf("site AMBIGUOUS %d", fault.CellAmbiguous), fmt.Sprintf("kind AMBIGUOUS %d", fault.CellAmbiguous))
		twins := len(rows)
		no("n-0", "T1") // by code, however it is written
		no("", "底板混凝土层")
		no("", "底 板混凝土层", fmt.Sprintf("kind AMBIGUOUS %d", fault.CellAmbiguous))
		out := w.run(w.boss, importer.Request{SchemaCode: "pick", QueryField: "number", Mode: importer.Add}, true, rows...)
		require.ElementsMatch(t, want, refusedAs(out))
		for _, r := range out.Rows {
			if int(r.Number) == twins {
				var told []string
				for _, e := range r.Errors {
					for _, s := range e.Suggestions {
						told = append(told, s.Name+" "+s.Detail)
					}
				}
				slices.Sort(told)
				require.Equal(t, []string{"同名 T3", "同名 T4"}, told[:2])
				require.Contains(t, told[2], "边墩 右岸")
				require.Contains(t, told[3], "边墩 左岸")
			}
		}
		out = w.run(w.boss, importer.Request{SchemaCode: "pick", QueryField: "number", Mode: importer.Add}, false, rows...)
		require.Equal(t, int64(taken+2), out.Added)
		for _, one := range w.list(w.boss, "pick", "number", "site", "kind", "sites") {
			var n, i int
			if _, err := fmt.Sscanf(one, "%d-%d ", &n, &i); err != nil {
				continue
			}
			require.Contains(t, one, fmt.Sprintf(" N%d ", n), one)
			require.Equal(t, 2-btoi(n == 0)+1, strings.Count(one, `"name":`), one)
			require.NotContains(t, one, `"`+names.Pairs[n][1]+`"`)
		}
	})
}

func btoi(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
