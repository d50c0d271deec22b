package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// TestKilledMidway kills the server in the middle of publications that bring data and of handovers. After the next start each of them is there
// as a whole, with its entry in the audit log and its rows once, or is not there at all; what was answered is there. On PostgreSQL a second
// server publishes right after the kill.
func TestKilledMidway(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	t.Run("sqlite", func(t *testing.T) { killedMidway(t, store.Options{Dir: t.TempDir()}, 1) })
	t.Run("postgres", func(t *testing.T) { killedMidway(t, store.Options{Dir: t.TempDir(), URL: storetest.Postgres(t)}, 2) })
}

func killedMidway(t *testing.T, o store.Options, nodes int) {
	packs, err := filepath.Abs("../../../examples/ship-lock")
	require.NoError(t, err)
	in := &installation{T: t, o: o, packs: packs}
	var logged bytes.Buffer
	c, base := in.start(&logged)
	person := func(name string) (customer, string) {
		in.run("user", "add", name, "--role", "administrator")
		one := customer{base, in.run("user", "token", name)}
		var me struct{ ID string }
		got, err := one.call(t.Context(), "/api/organization/user/info", nil)
		require.NoError(t, read(got, err, &me))
		return one, me.ID
	}
	boss, _ := person("boss")
	var people [2]string
	first, one := person("first")
	_, people[1] = person("second")
	people[0] = one
	for n := range 30 {
		got, err := first.call(t.Context(), "/api/runtime/form/save", map[string]any{"schemaCode": "site", "data": map[string]any{"code": fmt.Sprint("H-", n), "name": "Handed"}})
		require.NoError(t, read(got, err, nil))
	}
	ask := func(c customer, path string, body, to any) {
		t.Helper()
		got, err := c.call(t.Context(), path, body)
		require.NoError(t, read(got, err, to))
	}
	count := func(c customer, keyword string, filters ...any) int {
		t.Helper()
		var page struct{ TotalElements int }
		ask(c, "/api/runtime/query/list", map[string]any{"schemaCode": "site", "size": 1, "keyword": keyword, "filters": filters}, &page)
		return page.TotalElements
	}
	owned := func(by string) int {
		return count(boss, "Handed", map[string]any{"propertyCode": "owner", "propertyValue": by})
	}
	entries := func(kind string) int {
		var page struct{ Content []struct{ ID string } }
		ask(boss, "/api/system/audit?size=500&kind="+kind, nil, &page)
		return len(page.Content)
	}
	const file = "data/site.json"
	rows := func(c customer, more ...any) (all int, publication map[string]any) {
		t.Helper()
		var doc struct{ Text, Seen string }
		ask(c, "/api/definition/document?pack=shiplock&path="+file, nil, &doc)
		var data struct {
			Key  []string `json:"key"`
			Rows []any    `json:"rows"`
		}
		require.NoError(t, json.Unmarshal([]byte(doc.Text), &data))
		all = len(data.Rows)
		data.Rows = append(data.Rows, more...)
		whole, err := json.Marshal(data)
		require.NoError(t, err)
		return all, map[string]any{"files": []any{map[string]any{"pack": "shiplock", "path": file, "text": string(whole), "seen": doc.Seen}}}
	}
	row := func(code string, n int) any {
		return map[string]any{"code": fmt.Sprint(code, n), "name": "Published"}
	}
	before, _ := rows(boss)
	const publish = "/api/definition/publish"
	holder, published, handed := 0, 0, 0
	handover := func() any {
		return map[string]any{"schemaCode": "handover", "data": map[string]any{"source": people[holder], "target": people[1-holder], "ownership": true, "workflows": false, "leadership": false}}
	}
	// The time that both take is the measure for when to kill.
	_, sample := rows(boss, row("K-", 0))
	begun := time.Now()
	ask(boss, publish, sample, nil)
	ask(boss, "/api/runtime/form/save", handover(), nil)
	takes := time.Since(begun)
	published, holder, handed = 1, 1, 1
	var other customer
	if nodes > 1 {
		_, at := in.start(new(bytes.Buffer))
		other = customer{at, boss.token}
	}
	rounds := storetest.Full(3, 24)
	cut := [2]int{}
	for n := range rounds {
		all, publication := rows(boss, row("K-", n+1))
		require.Equal(t, before+published, all)
		var calls sync.WaitGroup
		answers := [2]answer{{Code: -1}, {Code: -1}}
		for k, call := range []struct {
			path string
			body any
		}{{publish, publication}, {"/api/runtime/form/save", handover()}} {
			calls.Go(func() {
				if got, err := boss.call(t.Context(), call.path, call.body); err == nil {
					answers[k] = got
				}
			})
		}
		time.Sleep(takes * time.Duration(5*n+rand.IntN(5)) / time.Duration(2*rounds)) // they are slower side by side
		require.NoError(t, c.Process.Kill())
		_ = c.Wait()
		calls.Wait()
		more := 0
		if other.base != "" {
			_, publication := rows(other, row("L-", n))
			ask(other, publish, publication, nil)
			more = 1
		}
		c, boss.base = in.start(&logged)

		all, _ = rows(boss)
		require.Contains(t, []int{published + more, published + more + 1}, all-before)
		if answers[0].Code == 0 {
			require.Equal(t, published+more+1, all-before, "it was answered")
		}
		cut[0] += published + more + 1 - (all - before)
		published = all - before
		require.Equal(t, published, entries("definitions.publish"))
		for _, one := range []customer{boss, other} {
			if one.base != "" {
				require.Eventually(t, func() bool { return count(one, "Published") == published }, 20*time.Second, 50*time.Millisecond, "rows of %d publications", published)
			}
		}
		switch {
		case owned(people[1-holder]) > 0:
			holder, handed = 1-holder, handed+1
		default:
			require.NotZero(t, answers[1].Code, "it was answered")
			cut[1]++
		}
		require.Equal(t, 30, owned(people[holder]), "all or none")
		require.Equal(t, handed, entries("person.handOver"))
	}
	t.Logf("%d kills of calls that take %v: %d publications and %d handovers are not there", rounds, takes, cut[0], cut[1])
	require.NotContains(t, strings.ToLower(logged.String()), "panic")
}
