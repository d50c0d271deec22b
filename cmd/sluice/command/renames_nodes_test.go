package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// firm are the documents of a model in one round: two texts and two options change places with each round, a third text gets a code that
// nothing had.
// Values say of which text and which option they are, so an answer shows by itself whether it is of one round.
type firm int

// pair are the codes of two things that change places, and the keys with those that they had.
func (f firm) pair(a, b string) (codes, former [2]string) {
	both := [2]string{a, b}
	for i := range codes {
		codes[i] = both[(int(f)+i)%2]
		was := []string{}
		for n := int(f) - 1; n >= 0; n-- {
			was = append(was, both[(n+i)%2])
		}
		former[i] = formerly(was)
	}
	return codes, former
}

func (f firm) third() string { return fmt.Sprint("third", int(f)) }

func formerly(was []string) string {
	if len(was) == 0 {
		return ""
	}
	b, _ := json.Marshal(was)
	return `"renamedFrom": ` + string(b) + `, `
}

func (f firm) files() map[string]string {
	texts, wasTexts := f.pair("a", "b")
	units, wasUnits := f.pair("m", "M")
	thirds := []string{}
	for n := f - 1; n >= 0; n-- {
		thirds = append(thirds, n.third())
	}
	return map[string]string{
		"models/deal.json": `{"name": "合同", "name_i18n": {"en": "Contract"}, "name_plural_i18n": {"en": "Contracts"}, "properties": [
  {"code": "` + texts[0] + `", ` + wasTexts[0] + `"propertyType": "ShortText", "name": "甲", "name_i18n": {"en": "First"}},
  {"code": "` + texts[1] + `", ` + wasTexts[1] + `"propertyType": "ShortText", "name": "乙", "name_i18n": {"en": "Second"}},
  {"code": "` + f.third() + `", ` + formerly(thirds) + `"propertyType": "ShortText", "name": "丙", "name_i18n": {"en": "Third"}},
  {"code": "unit", "propertyType": "Radio", "name": "单位", "name_i18n": {"en": "Unit"}, "options": [
    {"code": "` + units[0] + `", ` + wasUnits[0] + `"name": "米", "name_i18n": {"en": "Metre"}},
    {"code": "` + units[1] + `", ` + wasUnits[1] + `"name": "里", "name_i18n": {"en": "Mile"}}]}]}`,
		"lists/all.json": `{"schemaCode": "deal", "name": "全", "name_i18n": {"en": "All"},
			"queryColumns": ["` + texts[0] + `", "` + texts[1] + `", "` + f.third() + `", "unit"]}`,
		"access/clerk.json": `{"name": "员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "deal", "actions": ["*"], "rows": "all"}]}`,
		"workflows/approval.json": `{"schemaCode": "deal", "name": "审", "name_i18n": {"en": "Approval"},
			"settings": {"initiators": {"all": true}}, "nodes": [
  {"id": "start", "type": "START", "name": "填", "name_i18n": {"en": "Fill in"}, "next": ["check"]},
  {"id": "check", "type": "APPROVE", "name": "审", "name_i18n": {"en": "Check"}, "participants": [{"type": "role", "value": ["clerk"]}], "mode": "ANY", "next": ["large"]},
  {"id": "large", "type": "SPLIT", "name": "分", "name_i18n": {"en": "Split"}, "kind": "XOR",
    "routes": [{"to": "again", "when": "` + texts[0] + ` == 'first 里' and unit == '` + units[1] + `'"}, {"to": "end", "default": true}]},
  {"id": "again", "type": "APPROVE", "name": "再", "name_i18n": {"en": "Again"}, "participants": [{"type": "role", "value": ["clerk"]}], "mode": "ANY", "next": ["joined"]},
  {"id": "joined", "type": "JOIN", "of": "large", "next": ["end"]},
  {"id": "end", "type": "END"}]}`,
	}
}

// row is what a record of an option says of itself.
func (f firm) row(option int) map[string]any {
	texts, _ := f.pair("a", "b")
	units, _ := f.pair("m", "M")
	word := []string{"米", "里"}[option]
	return map[string]any{texts[0]: "first " + word, texts[1]: "second " + word, f.third(): "third " + word, "unit": units[option]}
}

// of is the round whose codes a row has, and its option.
func of(row map[string]any) (f firm, option int, ok bool) {
	for code, v := range row {
		if _, err := fmt.Sscanf(code, "third%d", &f); err == nil {
			return f, slices.Index([]string{"third 米", "third 里"}, fmt.Sprint(v)), true
		}
	}
	return 0, 0, false
}

// TestRenamesOfNodes: two programs serve one database while properties and options get the codes of each other, again and again. No answer
// is of two rounds, nothing comes under the code of another, and each approval that was started comes to its end by the steps that are due.
func TestRenamesOfNodes(t *testing.T) {
	packs := filepath.Join(t.TempDir(), "firm")
	for path, text := range firm(0).files() {
		file := filepath.Join(packs, filepath.FromSlash(path))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	head := `{"code": "firm", "name": "商行", "name_i18n": {"en": "Firm"}, "version": "1.0.0"}`
	require.NoError(t, os.WriteFile(filepath.Join(packs, "pack.json"), []byte(head), 0o644))
	in := &installation{T: t, o: store.Options{Dir: t.TempDir(), URL: storetest.Postgres(t)}, packs: packs, tokens: map[string]string{}}
	in.nodes = []*node{in.serve()}
	t.Cleanup(func() {
		for _, n := range in.nodes {
			n.kill()
		}
	})
	for who, role := range map[string]string{"ann": "clerk", "boss": "administrator"} {
		in.run("user", "add", who, "--role", role)
		in.tokens[who] = in.run("user", "token", who)
	}
	in.nodes = append(in.nodes, in.serve())

	var round, read, early atomic.Int64
	var mu sync.Mutex
	started := map[string]int{} // option by instance
	var all sync.WaitGroup
	for w := range 2 {
		all.Go(func() { // starts
			for n := w; !in.stopped.Load(); n++ {
				in.starts(&round, &early, n, func(id string) {
					mu.Lock()
					defer mu.Unlock()
					started[id] = n % 2
				})
				time.Sleep(time.Duration(rand.N(20)) * time.Millisecond)
			}
		})
		all.Go(func() { // reads
			for !in.stopped.Load() {
				read.Add(in.reads())
			}
		})
	}
	all.Go(func() { // decides
		for !in.stopped.Load() {
			in.agrees()
		}
	})
	const rounds = firm(6)
	for f := firm(1); f <= rounds; f++ {
		time.Sleep(300 * time.Millisecond)
		in.publishes(f)
		round.Store(int64(f))
	}
	time.Sleep(300 * time.Millisecond)
	in.stopped.Store(true)
	all.Wait()
	for in.agrees() {
	}
	t.Logf("%d approvals, %d rows read, %d calls with a code of another round", len(started), read.Load(), early.Load())
	require.NotEmpty(t, started)
	require.Positive(t, read.Load())
	for _, n := range in.nodes {
		n.kill()
	}
	in.ended(started)
}

// publishes makes the documents of a round those of all nodes.
func (in *installation) publishes(f firm) {
	in.Helper()
	before, after := (f - 1).files(), f.files()
	files := []map[string]any{}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		was, is := before[path], after[path]
		if was != is {
			files = append(files, map[string]any{"pack": "firm", "path": path, "text": is, "seen": app.DigestOf(&was)})
		}
	}
	var look struct {
		Digest string `json:"digest"`
	}
	for try := 0; ; try++ { // a node may still be at the version before
		got := in.call("boss", "POST", "/api/definition/check", map[string]any{"files": files})
		if got.Code == 0 && json.Unmarshal(got.Data, &look) == nil {
			got = in.call("boss", "POST", "/api/definition/publish", map[string]any{"files": files, "confirm": look.Digest})
		}
		if got.Code == 0 {
			return
		}
		require.Less(in, try, 50, "round %d: %d %s %s", f, got.Code, got.Text, got.Data)
		time.Sleep(20 * time.Millisecond)
	}
}

// starts an approval with the codes of the round that is known. One of another round is refused as a whole.
func (in *installation) starts(round, early *atomic.Int64, n int, done func(id string)) {
	for !in.stopped.Load() {
		var made struct {
			Instance string `json:"workflowInstanceId"`
		}
		row := firm(round.Load()).row(n % 2)
		got := in.call("ann", "POST", "/api/runtime/form/submit", map[string]any{"workflowCode": "approval", "data": row})
		if got.Code == 0 && json.Unmarshal(got.Data, &made) == nil && made.Instance != "" {
			done(made.Instance)
			return
		}
		var told fault.Invalid
		if json.Unmarshal(got.Data, &told) != nil || len(told.Errors) == 0 ||
			slices.ContainsFunc(told.Errors, func(e fault.FieldError) bool {
				return e.Code != fault.FieldRenamed && e.Code != fault.FieldUnknown
			}) {
			in.Errorf("start: %d %s %s", got.Code, got.Text, got.Data)
			return
		}
		early.Add(1)
		time.Sleep(time.Duration(rand.N(10)) * time.Millisecond)
	}
}

// reads looks at a page of the list: each row is of one round, and all are of the same.
func (in *installation) reads() int64 {
	var page struct {
		Content []struct {
			Data map[string]any `json:"data"`
		} `json:"content"`
	}
	got := in.call("ann", "POST", "/api/runtime/query/list", map[string]any{"schemaCode": "deal", "queryCode": "all", "size": 50})
	if got.Code != 0 || json.Unmarshal(got.Data, &page) != nil {
		in.Errorf("read: %d %s %s", got.Code, got.Text, got.Data)
		return 0
	}
	for _, row := range page.Content {
		f, option, ok := of(row.Data)
		first, _, _ := of(page.Content[0].Data)
		if !ok || option < 0 || f != first {
			in.Errorf("an answer of rounds %d and %d: %v", first, f, row.Data)
			return 0
		}
		for code, want := range f.row(option) {
			if row.Data[code] != want {
				in.Errorf("an answer mixes, in round %d: %v", f, row.Data)
				return 0
			}
		}
	}
	return int64(len(page.Content))
}

// agrees to a task, and reports whether there was one.
func (in *installation) agrees() bool {
	var page taskPage
	got := in.call("ann", "POST", "/api/runtime/workitem/unfinished", map[string]any{"size": 20})
	if got.Code != 0 || json.Unmarshal(got.Data, &page) != nil {
		in.Errorf("tasks: %d %s", got.Code, got.Text)
		return false
	}
	if len(page.Content) == 0 {
		return false
	}
	got = in.call("ann", "POST", "/api/runtime/workitem/agree", map[string]any{"workItemId": page.Content[rand.N(len(page.Content))].ID})
	if got.Code != 0 && fault.Code(got.Code) != fault.ItemFinished {
		in.Errorf("agree: %d %s %s", got.Code, got.Text, got.Data)
		return false
	}
	return true
}

// ended checks that each approval has come to its end by the steps of its option, and that there is no other.
func (in *installation) ended(started map[string]int) {
	db, err := store.Open(in.Context(), in.o)
	require.NoError(in, err)
	defer func() { require.NoError(in, db.Close()) }()
	require.NoError(in, db.Read(in.Context(), func(_ context.Context, tx *store.Tx) error {
		var kept []struct{ ID, Status, Nodes string }
		err := tx.System().Raw(`SELECT i.id, i.status, string_agg(t.node || ' ' || t.state, ', ' ORDER BY t.number) AS nodes
			FROM sl_wf_instance i JOIN sl_wf_item t ON t.instance = i.id GROUP BY i.id, i.status`).Scan(&kept).Error
		require.Len(in, kept, len(started))
		for _, one := range kept {
			option, ok := started[one.ID]
			require.True(in, ok, "%s: nobody was told of it", one.ID)
			require.Equal(in, "COMPLETED", one.Status, "%s: %s", one.ID, one.Nodes)
			require.Equal(in, []string{"start DONE, check DONE", "start DONE, check DONE, again DONE"}[option], one.Nodes, one.ID)
		}
		return err
	}))
}
