package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestDirectoryReadsWhatChanged: after random changes of people, departments and roles a directory that reads again what changed knows the
// same as one that reads everything, pickers included.
func TestDirectoryReadsWhatChanged(t *testing.T) {
	t.Parallel()
	embedded.Each(t, func(t *testing.T, o store.Options) {
		during(t, config(t, o, desk(t, name)), func(a *app.App) {
			ctx, random := t.Context(), rand.New(rand.NewPCG(3, 14))
			view := a.State().Policy.View(principal.System("test"), a.Now(), a.Zone())
			versions := map[string]int64{}
			save := func(model, id string, set map[string]any) string {
				fields := map[string]json.RawMessage{}
				for code, v := range set {
					text, err := json.Marshal(v)
					require.NoError(t, err)
					fields[code] = text
				}
				ch := record.Change{Model: model, ID: id, Set: fields}
				if version, known := versions[id]; known {
					ch.Version = &version
				}
				saved, err := a.Writer().Save(ctx, view, ch)
				require.NoError(t, err, "%s %v", model, set)
				versions[saved.ID] = saved.Version
				return saved.ID
			}
			names := []string{"张伟", "王芳", "李娜", "赵敏", "Zoe"}
			var people, departments, roles []string
			for _, code := range a.People().RoleCodes(ctx) {
				id, _ := a.People().RoleID(ctx, code)
				roles = append(roles, id)
			}
			given := func() (out []string) {
				for _, id := range roles {
					if random.IntN(4) == 0 {
						out = append(out, id)
					}
				}
				return out
			}
			for n := range 90 {
				switch what := random.IntN(9); {
				case what == 0 || len(departments) == 0:
					set := map[string]any{"name": fmt.Sprint("部门", n)}
					if len(departments) > 0 {
						set["parent"] = departments[random.IntN(len(departments))]
					}
					departments = append(departments, save("department", "", set))
				case what <= 2 || len(people) < 2:
					people = append(people, save("user", "", map[string]any{"username": fmt.Sprint("u", n), "employeeNo": fmt.Sprint("E", n), "name": names[random.IntN(len(names))],
						"mainDepartment": departments[random.IntN(len(departments))]}))
				case what == 3:
					save("user", people[random.IntN(len(people))], map[string]any{"name": names[random.IntN(len(names))], "position": fmt.Sprint(n)})
				case what == 4:
					save("user", people[random.IntN(len(people))], map[string]any{"disabled": random.IntN(2) == 0})
				case what == 5:
					save("department", departments[random.IntN(len(departments))], map[string]any{"name": fmt.Sprint("组", n), "disabled": random.IntN(3) == 0})
				case what == 6:
					save("user", people[random.IntN(len(people))], map[string]any{"roles": given()})
				case what == 7:
					save("user", people[random.IntN(len(people))], map[string]any{"username": fmt.Sprint("renamed", n),
						"departments": []string{departments[random.IntN(len(departments))], departments[random.IntN(len(departments))]}})
				default:
					i := random.IntN(len(people))
					out, err := a.Writer().Delete(ctx, view, "user", []string{people[i]})
					require.NoError(t, err)
					require.Zero(t, out.ErrorCount)
					people = slices.Delete(people, i, i+1)
				}
				whole, err := directory.New(ctx, a.Store(), a.State().Catalog)
				require.NoError(t, err)
				require.ElementsMatch(t, whole.People(ctx), a.People().People(ctx), "step %d", n)
				require.Equal(t, whole.Below(ctx, departments[:1]), a.People().Below(ctx, departments[:1]), "step %d", n)
				require.Equal(t, whole.Members(ctx, departments[:1]), a.People().Members(ctx, departments[:1]), "step %d", n)
				for _, p := range whole.People(ctx) {
					got, known := a.People().PersonByName(ctx, p.Username)
					require.True(t, known && got.ID == p.ID, "step %d, %s", n, p.Username)
				}
				if _, known := a.People().PersonByName(ctx, "u1"); n > 10 {
					_, want := whole.PersonByName(ctx, "u1")
					require.Equal(t, want, known, "step %d", n)
				}
				if random.IntN(3) == 0 { // several changes come between two searches
					continue
				}
				for _, kind := range []string{directory.User, directory.Department} {
					for _, word := range []string{"", "zw", "李"} {
						want, all := whole.Search(ctx, directory.Wanted{Kind: kind, Text: word, Limit: 100})
						got, total := a.People().Search(ctx, directory.Wanted{Kind: kind, Text: word, Limit: 100})
						require.Equal(t, all, total, "step %d, %s %q", n, kind, word)
						require.Equal(t, want, got, "step %d, %s %q", n, kind, word)
					}
					for _, text := range []string{"张伟", "zoe", "u1", "E4", "组5", "部门0"} {
						keys := directory.MatchKeys{EmployeeNo: true}
						require.Equal(t, whole.Match(ctx, kind, text, keys), a.People().Match(ctx, kind, text, keys), "step %d, %s %q", n, kind, text)
					}
				}
			}

			// Of those who did not change lately nobody is looked at: what no call can do, a change behind the product's back, stays unseen.
			quiet, busy := save("user", "", map[string]any{"username": "quiet", "name": "quiet"}), save("user", "", map[string]any{"username": "busy", "name": "busy"})
			nameOf := func(id string) string {
				p, _ := a.People().Person(ctx, id)
				return p.Name
			}
			require.Equal(t, "quiet", nameOf(quiet))
			m := a.State().Catalog.Model("user")
			require.NoError(t, a.Store().Write(ctx, func(_ context.Context, tx *store.Tx) error {
				return tx.System().Exec(fmt.Sprintf(`UPDATE %q SET "name" = 'loud', %q = '2020-01-01T00:00:00.000Z' WHERE "username" = 'quiet'`, m.Table, catalog.ModifiedTime)).Error
			}))
			save("user", busy, map[string]any{"name": "busier"})
			require.Equal(t, []string{"quiet", "busier"}, []string{nameOf(quiet), nameOf(busy)})
		})
	})
}
