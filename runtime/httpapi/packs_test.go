package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
)

// harbour is a pack whose routes the tests call.
var harbour = map[string]string{
	"pack.json": `{"code": "harbour", "links": ["https://chart.example.com"], "name": "港口", "version": "1.0.0", "requires": ["organisation"], "routes": [
		{"method": "POST", "path": "/api/harbour/boats/{id}/moor", "action": "moor", "schemaCode": "boat", "description": "Moors a boat."},
		{"method": "GET", "path": "/api/harbour/boats", "action": "boats"},
		{"method": "GET", "path": "/api/harbour/boats/{number}", "action": "boats"},
		{"method": "GET", "path": "/api/harbour/seen", "action": "boats", "schemaCode": "boat", "right": "view"},
		{"method": "GET", "path": "/api/harbour/boats/sly", "action": "sly"},
		{"method": "DELETE", "path": "/api/harbour/boats/{id}", "action": "scrap", "schemaCode": "boat"},
		{"method": "DELETE", "path": "/api/harbour/boats", "action": "scrapAll", "schemaCode": "boat"},
		{"method": "POST", "path": "/api/harbour/manifest", "action": "manifest", "schemaCode": "boat"},
		{"method": "GET", "path": "/api/harbour/register", "action": "register"},
		{"method": "POST", "path": "/api/harbour/odd", "action": "odd", "schemaCode": "boat"},
		{"method": "POST", "path": "/api/harbour/broken", "action": "broken"}]}`,
	"models/boat.json": `{"name": "船", "digest": "{number}", "properties": [
		{"code": "number", "propertyType": "ShortText", "name": "船号", "required": true, "unique": true},
		{"code": "secret", "propertyType": "ShortText", "name": "密"},
		{"code": "length", "propertyType": "Number", "name": "船长", "scale": 2}]}`,
	"models/stay.json": `{"name": "停泊", "digest": "{boat}", "properties": [
		{"code": "boat", "propertyType": "RelevanceForm", "name": "船", "required": true, "relativeCode": "boat"},
		{"code": "days", "propertyType": "Number", "name": "天数", "scale": 0, "min": "1"}]}`,
	"lists/boat.json": `{"schemaCode": "boat", "name": "船", "condition": "number != 'GHOST'", "queryColumns": ["number"], "queryActions": ["edit",
		{"actionCode": "moor", "row": true, "attributes": {"input": {"days": 2}}},
		{"actionCode": "hold", "queryActionType": "custom", "name": "停", "row": true, "associationType": "action", "associationCode": "moor",
			"enabledFormula": "length < 20", "attributes": {"icon": "pin", "input": {"id": "{id}", "days": 2}}},
		{"actionCode": "chart", "queryActionType": "custom", "name": "海图", "row": true, "associationType": "url", "associationCode": "https://chart.example.com/b/{number}?length={length}&of={secret}"},
		{"actionCode": "stays", "queryActionType": "custom", "name": "停泊", "row": true, "associationType": "list", "associationCode": "stay", "extend1": "boat"},
		{"actionCode": "book", "queryActionType": "custom", "name": "登记", "row": true, "associationType": "form", "associationCode": "stay", "extend1": "boat"},
		{"actionCode": "look", "queryActionType": "custom", "name": "看", "row": true, "associationType": "form", "associationCode": "boat"},
		{"actionCode": "home", "queryActionType": "custom", "name": "首页", "associationType": "url", "associationCode": "/app-list/applications"}]}`,
	"lists/stay.json": `{"schemaCode": "stay", "name": "停泊", "queryConditions": ["boat"], "queryColumns": ["boat", "days"], "queryActions": []}`,
	"forms/boat.json": `{"schemaCode": "boat", "name": "船", "items": [
		{"type": "Section", "name": "船", "columns": 3, "displayFormula": "not has(user.roles, 'guest')", "items": [
			{"propertyCode": "number", "defaultValue": "user.name"},
			{"propertyCode": "length", "defaultValue": "3 * 4", "requiredFormula": "has(user.roles, 'captain')"}]},
		{"propertyCode": "secret", "read": ["master"]}],
		"actions": ["save", "copy", "moor", {"actionCode": "tow", "name": "拖", "associationType": "action", "associationCode": "moor", "enabledFormula": "length < 20",
			"attributes": {"input": {"id": "{id}", "days": 2}}}, {"actionCode": "greet", "name": "问候"}], "script": "boat.js"}`,
	"forms/boat.js": `export default { options: { version: '1.0' }, hooks: { onCustomAction() {} } }`,
	"access/captain.json": `{"name": "船长", "includes": ["staff"], "models": [
		{"schemaCode": "boat", "actions": ["view", "edit", "hold", "chart", "stays", "book", "look"], "rows": "all", "fields": {"secret": "-", "*": "rw"}},
		{"schemaCode": "stay", "actions": ["view"], "rows": "all", "fields": {"*": "r"}}]}`,
	"access/master.json": `{"name": "港长", "includes": ["staff"], "models": [
		{"schemaCode": "boat", "actions": ["view", "add", "edit", "delete", "moor", "scrap", "scrapAll", "manifest", "odd", "hold", "chart", "stays", "book", "look", "home", "tow", "greet", "copy"], "rows": "all"},
		{"schemaCode": "stay", "actions": ["view", "add"], "rows": "all"}]}`,
	"access/clerk.json": `{"name": "文员", "includes": ["staff"], "actions": ["boats", "sly", "broken", "register"], "models": [
		{"schemaCode": "boat", "actions": ["view"], "rows": "length < 20", "fields": {"secret": "-"}}]}`,
	"access/guest.json": `{"name": "来客", "includes": ["staff"], "models": [{"schemaCode": "boat", "actions": ["view"], "rows": "all"}]}`,
}

const anyObject = `{"type": "object"}`

// harbourActions are the code of the pack.
func harbourActions(s *pack.Set) error {
	type mooring struct {
		ID   string `json:"id"`
		Days int    `json:"days"`
		Quit bool   `json:"quit"`
	}
	moor := action.New("moor", `{"type": "object", "required": ["id", "days"], "additionalProperties": false,
			"properties": {"id": {"type": "string"}, "days": {"type": "integer"}, "quit": {"type": "boolean"}, "clientToken": {"type": "string"}}}`,
		`{"type": "object", "required": ["stay", "boat"], "properties": {"stay": {"type": "string"}, "boat": {"$ref": "#/$defs/boat"}}, "$defs": {"boat": {"type": "string"}}}`,
		func(ctx context.Context, c action.Call, in mooring) (any, error) {
			boat, err := c.Get(ctx, "boat", in.ID)
			if err != nil {
				return nil, err
			}
			if _, err := c.Update(ctx, "boat", in.ID, boat.Version, map[string]any{"secret": "moored"}); err != nil {
				return nil, err
			}
			stay, err := c.Create(ctx, "stay", map[string]any{"boat": in.ID, "days": in.Days})
			if in.Quit { // refused, or swallowed: nothing of it may stay
				return nil, fault.Refuse("港池已满", "The basin is full")
			}
			if err != nil && in.Days == -7 {
				return map[string]any{"stay": "", "boat": ""}, nil
			}
			if in.Days == 77 || in.Days == -77 { // it only tries
				return map[string]any{"stay": stay, "boat": boat.Values["number"]}, action.ErrRehearsed
			}
			return map[string]any{"stay": stay, "boat": boat.Values["number"]}, err
		})
	boats := action.New("boats", `{"type": "object", "additionalProperties": false, "properties": {"number": {"type": "string"}, "limit": {"type": "integer", "maximum": 10}}}`,
		`{"type": "array"}`,
		func(ctx context.Context, c action.Call, in struct {
			Number string
			Limit  int
		}) ([]map[string]any, error) {
			equal := map[string]any{}
			if in.Number != "" {
				equal["number"] = in.Number
			}
			ids, err := c.Find(ctx, "boat", equal, max(in.Limit, 5))
			out := []map[string]any{}
			for _, id := range ids {
				boat, err := c.Get(ctx, "boat", id)
				if err != nil {
					return nil, err
				}
				out = append(out, boat.Values)
			}
			return out, err
		})
	scrap := action.New("scrap", `{"type": "object", "properties": {"id": {}}}`, `{"type": "null"}`,
		func(ctx context.Context, c action.Call, in mooring) (any, error) {
			return nil, c.Delete(ctx, c.Model, in.ID)
		})
	sly := action.New("sly", anyObject, `{}`, func(ctx context.Context, c action.Call, _ mooring) (any, error) {
		return c.Create(ctx, "boat", map[string]any{"number": "X"})
	})
	scrapAll := action.New("scrapAll", `{"type": "object", "required": ["ids"], "additionalProperties": false, "properties": {"ids": {"type": "array", "items": {"type": "string"}}, "dry": {"type": "boolean"}}}`, `{"type": "integer"}`,
		func(ctx context.Context, c action.Call, in struct {
			IDs []string `json:"ids"`
			Dry bool     `json:"dry"`
		}) (int, error) {
			for _, id := range in.IDs {
				if in.Dry {
					break
				}
				if err := c.Delete(ctx, c.Model, id); err != nil {
					return 0, err
				}
			}
			return len(in.IDs), nil
		})
	odd := action.New("odd", `{"type": "object", "properties": {"words": {"type": "string"}}}`, anyObject, func(_ context.Context, _ action.Call, in struct{ Words string }) (any, error) {
		if in.Words == "taken" {
			return nil, fault.New(560101, 7)
		}
		return nil, &fault.Error{Code: 560003, MessageZh: in.Words}
	})
	broken := action.New("broken", anyObject, `{"type": "integer"}`, func(context.Context, action.Call, mooring) (any, error) { return "text", nil })
	errs := []error{s.Errors.Add(fault.Definition{Code: 560101, Status: 409, Zh: "{0} 号泊位已占用", En: "Berth {0} is taken"})}
	for _, a := range []action.Action{moor, boats, scrap, scrapAll, odd, sly, broken} {
		errs = append(errs, s.Actions.Add(a))
	}
	return errors.Join(errs...)
}

// openHarbour makes a server with the pack on a database.
func openHarbour(t *testing.T, o store.Options) *world {
	t.Helper()
	dir := t.TempDir()
	for name, text := range harbour {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	require.NoError(t, harbourActions(set))
	require.NoError(t, harbourFiles(set))
	set.Freeze()
	w := &world{log: &lockedText{}}
	log := slog.New(slog.NewTextHandler(w.log, nil))
	var err error
	cfg := app.Config{Documents: app.Documents{Set: set, Dirs: []string{dir}, Zone: time.UTC}, URL: o.URL, Dir: o.Dir, Clock: time.Now, Log: log}
	few(&cfg)
	w.app, err = app.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.app.Close()) })
	w.Server, err = New(Options{App: w.app, Log: log, UI: built})
	require.NoError(t, err)
	for _, role := range []string{"master", "clerk", "guest", "captain"} {
		_, err := w.app.AddUser(t.Context(), role, role, []string{role})
		require.NoError(t, err)
	}
	_, err = w.app.AddUser(t.Context(), "passenger", "passenger", nil)
	require.NoError(t, err)
	_, err = w.app.AddUser(t.Context(), administrator, "管理员", []string{"administrator"})
	require.NoError(t, err)
	return w
}

func (w *world) addBoat(t *testing.T, number, length string) string {
	t.Helper()
	var saved struct{ ID string }
	w.post(t, administrator, "/api/runtime/form/save", `{"schemaCode":"boat","data":{"number":"`+number+`","secret":"s","length":"`+length+`"}}`).into(t, &saved)
	return saved.ID
}

// TestRoutesOfPacks: rights, input, one transaction and output of the calls that a pack brings, on both databases.
func TestRoutesOfPacks(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openHarbour(t, o)
		small, large := w.addBoat(t, "A 1/2", "8"), w.addBoat(t, "B-1", "50")
		moor := "/api/harbour/boats/" + small + "/moor"
		for _, x := range []struct {
			actor, method, path, body string
			want                      fault.Code
			says                      string
		}{
			{anonymous, "POST", moor, `{"days": 1}`, fault.Unauthenticated, ""},
			{"guest", "POST", moor, `{"days": 1}`, fault.Forbidden, ""},
			{"clerk", "POST", moor, `{"days": 1}`, fault.Forbidden, ""},
			{"guest", "GET", "/api/harbour/boats", "", fault.Forbidden, ""},
			{"passenger", "GET", "/api/harbour/seen", "", fault.Forbidden, ""},
			{"master", "GET", "/api/harbour/boats", "", fault.Forbidden, ""},
			{"master", "POST", moor, `{"days": "1"}`, fault.BadParameter, "days"},
			{"master", "POST", moor, `{}`, fault.BadParameter, "days"},
			{"master", "POST", moor, `{"days": 1, "more": 1}`, fault.BadParameter, "more"},
			{"master", "POST", moor, `{"days": 1, "id": "x"}`, fault.BadParameter, "id"},
			{"master", "POST", moor, `{"days": 1, "Days": 2}`, fault.BadJSON, ""},
			{"master", "POST", moor, `[1]`, fault.BadJSON, ""},
			{"master", "POST", "/api/harbour/boats/nobody/moor", `{"days": 1}`, fault.RecordNotFound, ""},
			{"master", "POST", moor, `{"days": 0}`, fault.RecordInvalid, ""},
			{"master", "POST", moor, `{"days": -7}`, fault.RecordInvalid, ""},  // the action passes over the refusal
			{"master", "POST", moor, `{"days": -77}`, fault.RecordInvalid, ""}, // nor does a rehearsal pass over it
			{"master", "POST", moor, `{"days": 1, "quit": true}`, fault.ActionRefused, "港池已满"},
			{"master", "PUT", moor, `{"days": 1}`, fault.MethodNotAllowed, ""},
			{"master", "POST", "/api/harbour/boats/" + small + "/more", `{}`, fault.RouteNotFound, ""},
			{"clerk", "GET", "/api/harbour/boats?limit=11", "", fault.BadParameter, "limit"},
			{"clerk", "GET", "/api/harbour/boats?limit=x", "", fault.BadParameter, "limit"},
			{"clerk", "GET", "/api/harbour/boats?what=1", "", fault.BadParameter, "what"},
			{"clerk", "GET", "/api/harbour/boats/sly", "", fault.Internal, ""},
			{"clerk", "POST", "/api/harbour/broken", "", fault.Internal, ""},
		} {
			got := w.send(t, call{method: x.method, path: x.path, body: x.body, actor: x.actor})
			require.Equal(t, x.want, got.Errcode, "%s %s %s %s: %s", x.actor, x.method, x.path, x.body, got.Body)
			require.Equal(t, w.texts[x.want].Status, got.Code)
			require.Contains(t, got.Errmsg, x.says)
		}
		require.Empty(t, w.rows(t, administrator, "stay"), "a refused call leaves nothing")
		require.Contains(t, w.log.String(), "cannot write")
		require.Contains(t, w.log.String(), "/api/harbour/broken")
		got := w.send(t, call{method: "POST", path: moor, body: `{"days": 1, "quit": true}`, actor: "master", headers: map[string]string{"Accept-Language": "en"}})
		require.Equal(t, "The basin is full", got.Errmsg)

		var tried struct{ Stay, Boat string }
		for range 2 { // a rehearsal under a key is no answer that is kept
			w.send(t, call{method: "POST", path: moor, body: `{"days": 77}`, actor: "master", headers: map[string]string{"Idempotency-Key": "rehearsal"}}).into(t, &tried)
			require.NotEmpty(t, tried.Stay)
			require.Empty(t, w.rows(t, administrator, "stay"), "and it leaves nothing")
		}

		var boats []map[string]any
		w.get(t, "clerk", "/api/harbour/boats?limit=3").into(t, &boats)
		require.Len(t, boats, 1, "the large boat is hidden from the clerk")
		require.Equal(t, "8", boats[0]["length"])
		require.NotContains(t, boats[0], "secret")
		w.get(t, "guest", "/api/harbour/seen?limit=3").into(t, &boats)
		require.Len(t, boats, 2, "who can view boats can make the call that names that right")
		w.get(t, "clerk", "/api/harbour/boats/A%201%2F2").into(t, &boats)
		require.Len(t, boats, 1, "a parameter of the path may hold what separates parts")
		w.get(t, "clerk", "/api/harbour/boats/B-1").into(t, &boats)
		require.Empty(t, boats)
		w.get(t, administrator, "/api/harbour/boats/B-1").into(t, &boats)
		require.Equal(t, "s", boats[0]["secret"])

		var moored struct{ Stay, Boat string }
		once := map[string]string{"Idempotency-Key": "the third of May"}
		w.send(t, call{method: "POST", path: moor, body: `{"days": 3}`, actor: "master", headers: once}).into(t, &moored)
		require.Equal(t, "A 1/2", moored.Boat)
		again := moored
		w.send(t, call{method: "POST", path: moor, body: `{"days": 3}`, actor: "master", headers: once}).into(t, &again)
		require.Equal(t, moored, again, "a repeat gets the first answer")
		require.Equal(t, []string{moored.Stay}, w.rows(t, administrator, "stay"))
		other := w.send(t, call{method: "POST", path: moor, body: `{"days": 4}`, actor: "master", headers: once})
		require.Equal(t, fault.RepeatSubmit, other.Errcode)
		refused := map[string]string{"Idempotency-Key": "full"}
		for range 2 { // what was refused is asked again
			require.Equal(t, fault.ActionRefused, w.send(t, call{method: "POST", path: moor, body: `{"days": 1, "quit": true}`, actor: "master", headers: refused}).Errcode)
		}
		require.Equal(t, []string{moored.Stay}, w.rows(t, administrator, "stay"))
		scrapped := w.send(t, call{method: "DELETE", path: "/api/harbour/boats/" + small, actor: "master"})
		require.Equal(t, fault.RecordReferenced, scrapped.Errcode, "%s", scrapped.Body)
		scrapped = w.send(t, call{method: "DELETE", path: "/api/harbour/boats/" + large, actor: "master"})
		require.Zero(t, scrapped.Errcode, "%s", scrapped.Body)
		require.Equal(t, []string{small}, w.rows(t, administrator, "boat"))
		spare := w.addBoat(t, "C-1", "5")
		all := func(query, body string) reply {
			return w.send(t, call{method: "DELETE", path: "/api/harbour/boats" + query, body: body, actor: "master"})
		}
		for _, c := range []struct {
			query, body string
			want        fault.Code
		}{
			{"", "", fault.BadParameter}, // nothing is named
			{"", `[1]`, fault.BadParameter},
			{"", `["` + spare + `"`, fault.BadJSON},
			{"?ids=x", `["` + spare + `"]`, fault.BadParameter}, // said twice
			{"", `{"ids": ["` + spare + `"], "more": 1}`, fault.BadParameter},
		} {
			require.Equal(t, c.want, all(c.query, c.body).Errcode, "%v", c)
		}
		require.Equal(t, "1", string(all("?dry=true", `["`+spare+`"]`).Data))
		require.Len(t, w.rows(t, administrator, "boat"), 2)
		require.Equal(t, "1", string(all("", `["`+spare+`"]`).Data))
		require.Equal(t, []string{small}, w.rows(t, administrator, "boat"))

		failed := w.post(t, "master", "/api/harbour/odd", `{}`)
		require.Equal(t, []any{fault.Internal, 500}, []any{failed.Errcode, failed.Code})
		require.Contains(t, w.log.String(), "fault.New(560003): no such code")
		taken := w.post(t, "master", "/api/harbour/odd", `{"words": "taken"}`)
		require.Equal(t, []any{fault.Code(560101), 409, "7 号泊位已占用"}, []any{taken.Errcode, taken.Code, taken.Errmsg})
		refusal := w.post(t, "master", "/api/harbour/odd", `{"words": "港口已关"}`)
		require.Equal(t, []any{fault.ActionRefused, 422, "港口已关"}, []any{refusal.Errcode, refusal.Code, refusal.Errmsg})
		require.Equal(t, fault.RecordNotFound, w.send(t, call{method: "DELETE", path: "/api/harbour/boats/" + large, actor: "master"}).Errcode)

		var first, second, others struct{ Stay, Boat string }
		w.post(t, "master", moor, `{"days": 5, "clientToken": "t1"}`).into(t, &first)
		w.post(t, "master", moor, `{"days": 5, "clientToken": "t1"}`).into(t, &second)
		require.Equal(t, first, second, "a token of the body is one like that of the header")
		w.post(t, administrator, moor, `{"days": 5, "clientToken": "t1"}`).into(t, &others)
		require.NotEqual(t, first.Stay, others.Stay, "another person's token is another one")
		require.Equal(t, fault.RepeatSubmit, w.post(t, "master", moor, `{"days": 6, "clientToken": "t1"}`).Errcode)
		require.Equal(t, fault.BadParameter, w.send(t, call{method: "POST", path: moor, body: `{"days": 5, "clientToken": "t1"}`, actor: "master", headers: map[string]string{"Idempotency-Key": "t2"}}).Errcode)
	})
}

func TestPackBodyLimit(t *testing.T) {
	w := openHarbour(t, store.Options{Dir: opened.SQLite(t)})
	got := w.post(t, administrator, "/api/harbour/broken", `{"x": "`+string(slices.Repeat([]byte("a"), packBody))+`"}`)
	require.Equal(t, fault.TooLarge, got.Errcode)
}

// TestContractWithPacks: /api/openapi.json holds the platform's calls and those of packs, and is a valid document.
func TestContractWithPacks(t *testing.T) {
	w := openHarbour(t, store.Options{Dir: opened.SQLite(t)})
	got := w.get(t, anonymous, "/api/openapi.json")
	doc, err := openapi3.NewLoader().LoadFromData(got.Body.Bytes())
	require.NoError(t, err)
	require.NotNil(t, doc.Paths.Find("/api/runtime/query/list"))
	moor := doc.Paths.Find("/api/harbour/boats/{id}/moor")
	require.NotNil(t, moor.Post)
	require.Equal(t, "Moors a boat.", moor.Post.Description)
	require.Equal(t, "id", moor.Post.Parameters[0].Value.Name)
	body := moor.Post.RequestBody.Value.Content["application/json"].Schema.Value
	require.Equal(t, []string{"days"}, body.Required)
	require.NotContains(t, body.Properties, "id")
	require.Contains(t, moor.Post.Responses.Value("200").Value.Content["application/json"].Schema.Value.Properties, "data")
	require.Equal(t, map[string]any{"schemaCode": "boat", "right": "moor"}, moor.Post.Extensions["x-right"])
	require.Equal(t, map[string]any{"schemaCode": "boat", "right": "view"}, doc.Paths.Find("/api/harbour/seen").Get.Extensions["x-right"])
	boats := doc.Paths.Find("/api/harbour/boats").Get
	require.Len(t, boats.Parameters, 2)
	ids := map[string]bool{}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			require.False(t, ids[op.OperationID], "%s stands twice", op.OperationID)
			ids[op.OperationID] = true
		}
	}
	var plain struct{ Openapi string }
	require.NoError(t, json.Unmarshal(got.Body.Bytes(), &plain))
	require.NotEmpty(t, plain.Openapi)
}
