package command

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
)

// What a site published and its pack changed later is told by plan, in both formats.
func TestPlanTellsOfPublished(t *testing.T) {
	t.Setenv("LANG", "en_US.UTF-8")
	ctx, dir := t.Context(), t.TempDir()
	desk, data := filepath.Join(dir, "desk"), filepath.Join(dir, "data")
	model := func(name, property string) string {
		return `{"name": "` + name + `", "properties": [{"code": "name", "propertyType": "ShortText", "name": "` + property + `"}]}`
	}
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(desk, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(desk, name), []byte(text), 0o644))
	}
	write("pack.json", `{"code": "desk", "name": "工单", "version": "1.0.0"}`)
	write("models/ticket.json", model("工单", "名称"))
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	a, err := app.Open(ctx, app.Config{Documents: app.Documents{Set: set, Dirs: []string{desk}, Zone: time.UTC}, Dir: data, Readers: 1, Clock: time.Now, Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	view := a.State().Policy.View(principal.Principal{UserID: "01900000-0000-7000-8000-000000000001", Roles: []string{"administrator"}, Locale: "en"}, time.Now(), a.Zone())
	now, err := a.DocumentText(ctx, view, "desk", "models/ticket.json", 0)
	require.NoError(t, err)
	text := model("工单", "标题")
	_, err = a.Publish(ctx, view, app.Changeset{Files: []app.Change{{Pack: "desk", Path: "models/ticket.json", Text: &text, Seen: now.Seen}}}, app.Confirmation{})
	require.NoError(t, err)
	require.NoError(t, a.Close())

	plan := func(format string) string {
		var out bytes.Buffer
		args := []string{"plan", "--data", data, "--packs", desk, "--format", format}
		require.Equal(t, exitDone, run(ctx, args, console{out: &out, err: &out, program: program{version: "test"}}), "%s", &out)
		return out.String()
	}
	require.NotContains(t, plan("text"), "PUB")
	write("models/ticket.json", model("单据", "题目"))
	require.Contains(t, plan("text"), "models/ticket.json: warning PUB009 published version 1 was merged with later changes of the pack's own file; "+
		"where both changed a value, the published one stays: /properties/name/name")
	var said struct{ Warnings diag.List }
	require.NoError(t, json.Unmarshal([]byte(plan("json")), &said))
	require.Len(t, said.Warnings, 1)
	require.Equal(t, "PUB009", said.Warnings[0].Code)
}
