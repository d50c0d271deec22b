package app_test

import (
	"context"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"

	"github.com/sluice-platform/sluice/runtime/workflow"
)

var quay = fstest.MapFS{
	"pack.json":         {Data: []byte(`{"code": "quay", "name": "泊位", "name_i18n": {"en": "Quay"}, "version": "1.0.0", "requires": ["organisation"]}`)},
	"access/clerk.json": {Data: []byte(`{"name": "职员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "berth", "actions": ["view", "add"], "rows": "all"}]}`)},
	"access/boss.json":  {Data: []byte(`{"name": "主任", "name_i18n": {"en": "Boss"}}`)},
	"models/berth.json": {Data: []byte(`{"name": "泊位", "name_i18n": {"en": "Berth"}, "name_plural_i18n": {"en": "Berths"}, "properties": [
		{"code": "part", "propertyType": "ShortText", "name": "区", "name_i18n": {"en": "Part"}},
		{"code": "number", "propertyType": "ShortText", "name": "号", "name_i18n": {"en": "Number"}}]}`)},
	"workflows/opening.json": {Data: []byte(`{"schemaCode": "berth", "name": "启用", "name_i18n": {"en": "Opening"}, "nodes": [
		{"id": "start", "type": "START", "name": "申请", "name_i18n": {"en": "Request"}, "next": ["boss"]},
		{"id": "boss", "type": "APPROVE", "name": "主任", "name_i18n": {"en": "Boss"}, "participants": [{"type": "role", "value": ["boss"]}], "next": ["end"]},
		{"id": "end", "type": "END"}]}`)},
	"data/user.json": {Data: []byte(`{"key": ["username"], "rows": [{"username": "li", "name": "li", "roles": ["clerk"]}, {"username": "wu", "name": "wu", "roles": []}]}`)},
	"data/berth.json": {Data: []byte(`{"key": ["part", "number"], "rows": [{"part": "A", "number": "1"}, {"part": "A", "number": "2"}, {"part": "A", "number": "3"}], "start": [
		{"workflow": "opening", "initiator": "li", "rows": [["A", "1"], ["A", "2"]]},
		{"workflow": "opening", "initiator": "wu", "rows": [["A", "3"]]}]}`)},
}

// TestDataStarts: workflows that data files name start once, when there is an administrator, with the rights of their initiators.
func TestDataStarts(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		boot := func(t *testing.T) *packtest.System {
			return packtest.Serve(t, packtest.Database{URL: o.URL, Dir: o.Dir}, plugintest.Register, func(s *pack.Set) error {
				s.AddFolder("quay", quay)
				return nil
			})
		}
		running := func(t *testing.T, s *packtest.System) int {
			root, _ := s.Caller(t.Context(), "root")
			page, err := s.Workflows().Items(t.Context(), s.View(root), "unfinished", workflow.Search{Size: 50})
			require.NoError(t, err)
			return int(page.Total)
		}
		t.Run("first", func(t *testing.T) {
			s := boot(t)
			s.Person("root", "administrator")
			require.Zero(t, running(t, s))
			// A command beside it does not check again what this program has checked; the rows are left out then.
			attached := config(t, o)
			attached.Version, attached.Attach = "", true
			during(t, attached, func(a *app.App) {
				require.False(t, slices.ContainsFunc(a.State().Catalog.Packs, func(p *catalog.Pack) bool { return len(p.Data) > 0 }))
			})
		})
		for _, name := range []string{"with an administrator", "again"} {
			t.Run(name, func(t *testing.T) {
				s := boot(t)
				require.Eventually(t, func() bool { return running(t, s) == 2 }, 20*time.Second, 20*time.Millisecond)
				root, _ := s.Caller(t.Context(), "root")
				unread, err := s.Messages().Unread(t.Context(), s.View(root))
				require.NoError(t, err)
				require.Zero(t, unread.Station, "what a new installation begins with is no message")
			})
		}
	})
}

// TestStartsAfterPublications: who publishes rows that start workflows is told what could not be started, and a running server starts it when the
// cause is gone. A server that was killed between a publication and its data does both at its next start.
func TestStartsAfterPublications(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		files := map[string]string{"app.json": `{"name": "泊位", "name_i18n": {"en": "Quay"}, "menu": []}`}
		for _, name := range []string{"access/clerk.json", "access/boss.json", "models/berth.json", "workflows/opening.json"} {
			files[name] = string(quay[name].Data)
		}
		c := config(t, o, packOf(t, "quay", files))
		c.Serving, c.StartAgain = true, 20*time.Millisecond
		data := func(initiator, number string) string {
			return `{"key": ["part", "number"], "rows": [{"part": "A", "number": "` + number + `"}], "start": [{"workflow": "opening", "initiator": "` + initiator + `", "rows": [["A", "` + number + `"]]}]}`
		}
		running := func(a *app.App) int {
			of, err := a.Workflows().Running(t.Context(), "opening")
			require.NoError(t, err)
			return int(of["opening"])
		}
		first, second := data("zhao", "1"), data("zhao", "2")
		during(t, c, func(a *app.App) {
			_, err := a.AddUser(t.Context(), "root", "Root", []string{"administrator"})
			require.NoError(t, err)
			done, err := a.Publish(t.Context(), rightsOf(a, "administrator"), app.Changeset{Files: []app.Change{{Pack: "quay", Path: "data/berth.json", Text: &first}}}, app.Confirmation{})
			require.NoError(t, err)
			require.Contains(t, diagCodes(done.Diagnostics), "PUB007")
			require.Contains(t, done.Diagnostics[len(done.Diagnostics)-1].En, "zhao")
			require.Zero(t, running(a))
			_, err = a.AddUser(t.Context(), "zhao", "Zhao", []string{"clerk"})
			require.NoError(t, err)
			require.Eventually(t, func() bool { return running(a) == 1 }, 20*time.Second, 20*time.Millisecond)
			time.Sleep(60 * time.Millisecond)
			require.Equal(t, 1, running(a), "once")
		})

		// All that a process has done when it is killed behind the commit.
		db, err := app.OpenStore(t.Context(), c)
		require.NoError(t, err)
		d, err := c.Documents.WithPublished(t.Context(), db)
		require.NoError(t, err)
		catalog, _, err := d.Compile()
		require.NoError(t, err)
		steps, err := db.Plan(t.Context(), catalog.Storage, store.PlanOptions{Version: d.Version})
		require.NoError(t, err)
		require.NoError(t, db.Apply(t.Context(), steps, store.ApplyOptions{Yes: true, At: time.Now(), Publish: func(_ context.Context, tx *store.Tx, version int64) error {
			return publish.Keep(tx, publish.Changeset{Version: version, Author: "x", At: time.Now()}, overlay.Documents{"quay": {{Path: "data/berth.json", Text: &second, Version: version}}})
		}}))
		require.NoError(t, db.Close())
		during(t, c, func(a *app.App) {
			require.Eventually(t, func() bool { return running(a) == 2 }, 20*time.Second, 20*time.Millisecond)
		})
	})
}

func diagCodes(list diag.List) (out []string) {
	for _, d := range list {
		out = append(out, d.Code)
	}
	return out
}
