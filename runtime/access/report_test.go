package access_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/access"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden compares a text with the one that an archive keeps under a name.
func golden(t *testing.T, file, name, got string) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	require.NoError(t, err)
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == name })
	if *update {
		if i < 0 {
			i, a.Files = len(a.Files), append(a.Files, txtar.File{Name: name})
		}
		a.Files[i].Data = []byte(got)
		require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
		return
	}
	require.GreaterOrEqual(t, i, 0, name)
	require.Equal(t, string(a.Files[i].Data), got, name)
}

// sides are the documents in the folders of an archive.
func sides(t *testing.T, file string) (before, after map[string]string) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	require.NoError(t, err)
	out := map[string]map[string]string{"before": {}, "after": {}}
	for _, f := range a.Files {
		if side, name, _ := strings.Cut(f.Name, "/"); out[side] != nil {
			out[side][name] = string(f.Data)
		}
	}
	return out["before"], out["after"]
}

// person is somebody with roles; theirs are the lots of the number.
func person(n int, name string, roles ...string) principal.Person {
	return principal.Person{ID: id(isPerson, n), Name: name, Roles: roles, Departments: []string{id(isDepartment, n%3)}}
}

// TestReport: a change of all kinds of rights, as it is told in both languages and over HTTP.
func TestReport(t *testing.T) {
	const file = "testdata/change.txtar"
	people := []principal.Person{
		person(0, "ann", "clerk"), person(1, "bob", "CLERK", "clerk"), person(2, "cleo", "clerk"),
		person(3, "dan", "clerk"), person(4, "eve", "clerk"), person(5, "fay", "clerk"), person(6, "gus", "boss"),
		person(7, "hal", "still"), person(8, "ida", "clerk", "still"), person(9, "jan"),
		{ID: id(isPerson, 10), Name: "kim", Roles: []string{"boss", "only"}, Disabled: true},
	}
	was, is := sides(t, file)
	each(t, func(t *testing.T, db *store.DB) {
		before, after := compiled(t, was), compiled(t, is)
		put(t, db, before.Catalog(), 12)
		change := access.Change{Before: before, After: after, DB: db, People: people, Below: below, Now: now, Zone: now.Location()}
		report, err := change.Report(t.Context())
		require.NoError(t, err)
		for _, locale := range []string{"zh", "en"} {
			var out bytes.Buffer
			require.NoError(t, report.WriteText(&out, locale))
			golden(t, file, "want."+locale, out.String())
		}
		text, err := json.MarshalIndent(report, "", " ")
		require.NoError(t, err)
		golden(t, file, "want.json", string(text)+"\n")

		change.DB = nil
		roles := func() (out [][][]string) {
			report, err := change.Report(t.Context())
			require.NoError(t, err)
			for _, g := range report.Groups {
				out = append(out, g.Roles)
			}
			return out
		}
		want := roles()
		slices.Reverse(change.People)
		require.Equal(t, want, roles(), "groups and their roles have one order, whoever comes first")
		slices.Reverse(change.People)
		report, err = change.Report(t.Context())
		require.NoError(t, err)
		text, err = json.Marshal(report)
		require.NoError(t, err)
		require.NotContains(t, string(text), `"gained":1`, "nothing is counted without a database")

		left, leave := context.WithCancel(t.Context())
		leave()
		change.DB = db
		_, err = change.Report(left)
		require.ErrorIs(t, err, context.Canceled)

		change.After = change.Before
		report, err = change.Report(t.Context())
		require.NoError(t, err)
		require.Equal(t, &access.Report{Groups: []access.Group{}, Ways: []access.Way{}, Roles: []access.Name{}}, report)
		var out bytes.Buffer
		require.NoError(t, report.WriteText(&out, "en"))
		require.Empty(t, out.String())
	})
}

// TestLimits: of a large group some are named and some are counted, and of a large report the first sixty.
func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB) {
		was, is := map[string][]grant{}, map[string][]grant{}
		lot := func(rows string) []grant { return []grant{{Model: "lot", Actions: []string{"view"}, Rows: rows}} }
		var people []principal.Person
		for n := range 65 {
			code := fmt.Sprintf("r%02d", n)
			was[code], is[code] = []grant{}, lot(fmt.Sprintf("price > %d", n))
		}
		was["many"], is["many"] = []grant{}, lot("own")
		for n := range 6 {
			people = append(people, person(n, fmt.Sprint("p", n), "many"))
		}
		before, after := compiled(t, documents(t, was)), compiled(t, documents(t, is))
		put(t, db, before.Catalog(), 4)
		report, err := (&access.Change{Before: before, After: after, DB: db, People: people, Now: now, Zone: now.Location()}).Report(t.Context())
		require.NoError(t, err)
		require.Equal(t, 6, report.People)
		g := report.Groups[0]
		require.Equal(t, 6, g.People)
		require.Equal(t, []string{"p0", "p1", "p2", "p3", "p4"}, g.Names)
		require.Equal(t, []access.Count{{Name: "p0", Gained: 2}, {Name: "p1", Gained: 1}, {Name: "p2", Gained: 1}}, g.Models[0].Rows[0].Counts)
		require.Len(t, report.Groups, 66)
		counts := 0
		for n, g := range report.Groups[1:] {
			require.Equal(t, [][]string{{fmt.Sprintf("r%02d", n)}}, g.Roles)
			for _, c := range g.Models[0].Rows[0].Counts {
				require.Equal(t, access.Count{Gained: int64(max(4-n, 0))}, c, "the same for everybody, and there is nobody")
				counts++
			}
		}
		require.Equal(t, 57, counts)
	})
}

// TestExplain: what people may do with lots, and with one of them, and by which lines of which documents.
func TestExplain(t *testing.T) {
	const file = "testdata/explain.txtar"
	documents, _ := sides(t, file)
	each(t, func(t *testing.T, db *store.DB) {
		policy := compiled(t, documents)
		lots := put(t, db, policy.Catalog(), 4)
		for _, p := range []principal.Person{
			person(0, "ann", "clerk"), person(1, "bob", "chief"), person(2, "cleo"), person(2, "dora", "adder"),
		} {
			v := view(policy, p)
			require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
				for name, of := range []string{"", lots[0].id, lots[1].id} {
					got, err := access.Explain(t.Context(), tx, v, v.Model("lot"), of)
					if err != nil {
						return err
					}
					golden(t, file, "want."+p.Name+[]string{"", " A", " B"}[name], explained(got))
				}
				return nil
			}))
		}
	})
}

// explained is an explanation in lines.
func explained(e *access.Explanation) string {
	var out strings.Builder
	fmt.Fprintf(&out, "sees %t: %s\n", e.Sees, e.Rows)
	say := func(b *bool) string {
		if b == nil {
			return "-"
		}
		return fmt.Sprint(*b)
	}
	for _, g := range e.Grants {
		fmt.Fprintf(&out, "grant %s via %s at %s: %v rows %q editRows %q holds %s edits %s\n", g.Role, g.Via, g.At, g.Actions, g.Rows, g.EditRows,
			say(g.Holds), say(g.Edits))
	}
	alike := map[string][]string{}
	for _, a := range e.Actions {
		how := fmt.Sprintf("%t: %s", a.Allowed, a.Rows)
		for _, g := range e.Giving(strings.ToUpper(a.Code)) {
			how += " by " + g.At
		}
		alike[how] = append(alike[how], a.Code)
	}
	for _, how := range slices.Sorted(maps.Keys(alike)) {
		fmt.Fprintf(&out, "%s %s\n", strings.Join(alike[how], " "), how)
	}
	for _, f := range e.Fields {
		fmt.Fprintf(&out, "field %s %s %s: %s\n", f.Code, f.Label.In("en"), f.Right, f.Where)
	}
	return strings.ReplaceAll(out.String(), ": \n", "\n")
}

// TestTextOfGains: each kind of right that a group gains or loses has a line of its own, in both languages.
func TestTextOfGains(t *testing.T) {
	both := []authz.Gain{{Code: "come", Gained: true}, {Code: "go"}, {Code: "stay", Gained: true}}
	kinds := map[string]func(g *access.Group){
		"permission": func(g *access.Group) { g.Permissions = both }, "application": func(g *access.Group) { g.Apps = both }, "call": func(g *access.Group) { g.Actions = both },
		"action": func(g *access.Group) { g.Models = []access.ModelChanges{{Code: "lot", Actions: both}} },
	}
	for _, locale := range []string{"zh", "en"} {
		seen := map[string]string{}
		for kind, set := range kinds {
			g := access.Group{Roles: [][]string{{"clerk"}}}
			set(&g)
			var out bytes.Buffer
			require.NoError(t, (&access.Report{Groups: []access.Group{g}}).WriteText(&out, locale))
			require.Contains(t, out.String(), "come, stay", "%s in %s", kind, locale)
			require.Regexp(t, `(?m)go$`, out.String(), "%s in %s", kind, locale)
			require.Empty(t, seen[out.String()], "%s is called like another kind in %s", kind, locale)
			seen[out.String()] = kind
		}
	}
}
