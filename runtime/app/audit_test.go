package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestAudit: changes of rights and definitions, backups and restores leave one entry each, in the transaction of what they tell of.
func TestAudit(t *testing.T) {
	t.Parallel()
	publishing.Each(t, func(t *testing.T, o store.Options) {
		ctx := audit.ByCommand(t.Context())
		cfg := app.Config{Documents: app.Documents{Set: pluginSet(t), Dirs: []string{deskDir}, Zone: time.UTC}, URL: o.URL, Dir: o.Dir, Clock: time.Now,
			Log: slog.New(slog.DiscardHandler), Idle: true}
		a, err := app.Open(ctx, cfg)
		require.NoError(t, err)
		begun, err := a.Audit().Page(ctx, audit.Query{Size: 100})
		require.NoError(t, err)
		before := len(begun.Entries)
		one := func(kind audit.Kind) audit.Entry {
			t.Helper()
			p, err := a.Audit().Page(ctx, audit.Query{Size: 100})
			require.NoError(t, err)
			require.Len(t, p.Entries, before+1)
			before++
			require.Equal(t, kind, p.Entries[0].Kind)
			return p.Entries[0]
		}
		id, err := a.AddUser(ctx, "zhang.wei", "张伟", []string{"administrator"})
		require.NoError(t, err)
		e := one(audit.RolesChanged)
		require.Equal(t, []string{id, "zhang.wei", audit.CommandLine}, []string{e.Subject, e.About, e.Address})
		require.Equal(t, map[string]string{"added": "administrator", "removed": ""}, e.Detail)

		view := rightsOf(a, "administrator")
		change := func(model, id, field, value string) {
			t.Helper()
			var version *int64
			if id != "" {
				version = new(int64)
				*version = 1
			}
			_, err := a.Writer().Save(ctx, view, record.Change{Model: model, ID: id, Version: version, Set: map[string]json.RawMessage{field: json.RawMessage(value)}})
			require.NoError(t, err)
		}
		change("user", id, "mobile", `"13800000000"`) // no right follows from it
		system := a.State().Policy.View(principal.System("test"), a.Now(), a.Zone())
		version := int64(2)
		_, err = a.Writer().Save(ctx, system, record.Change{Model: "user", ID: id, Version: &version, Set: map[string]json.RawMessage{"roles": json.RawMessage(`[]`)}})
		require.NoError(t, err)
		require.Equal(t, "administrator", one(audit.RolesChanged).Detail["removed"])

		d := desks{a, t}
		_, err = d.publish(app.Confirmation{}, d.change("models/ticket.json", "工单", "工作单"))
		require.NoError(t, err)
		e = one(audit.Published)
		require.Equal(t, map[string]string{"files": "desk/models/ticket.json", "count": "1"}, e.Detail)
		_, err = d.publish(app.Confirmation{}, d.change("access/agent.json", "坐席", "客服"), d.change("lists/ticket.json", "工单", "工作单"))
		require.NoError(t, err)
		require.Equal(t, "2", one(audit.RightsPublish).Detail["count"])
		require.NoError(t, a.Close())

		var out bytes.Buffer
		_, _, err = app.Backup(ctx, cfg, app.BackupOptions{}, &out)
		require.NoError(t, err)
		a, err = app.Open(ctx, cfg)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"key": "false"}, one(audit.BackedUp).Detail)
		require.NoError(t, a.Close())
		before-- // it was written after its moment

		cfg.URL, cfg.Dir, cfg.Key = "", t.TempDir(), "a key of at least thirty-two characters"
		_, err = app.Restore(ctx, cfg, app.RestoreOptions{NewKeys: true}, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(out.Bytes())), nil })
		require.NoError(t, err)
		a, err = app.Open(ctx, cfg)
		require.NoError(t, err)
		one(audit.Restored)
		require.NoError(t, a.Close())
	})
}
