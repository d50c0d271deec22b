package quality_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/httpapi"
	"github.com/sluice-platform/sluice/runtime/packtest"
)

// ends are calls that would take away the session or the installation under the test.
var ends = []string{"/api/login/logout", "/api/organization/user/sessions/revoke", "/api/organization/user/sessions/revoke_others", "/api/organization/user/tokens", "/api/events"}

// without: a system that is served without the pack starts without a question, keeps its records, answers every call although drafts, work
// items, comments and logs speak of models that it does not know, and has all of it again with the pack.
func without(t *testing.T, s *site, at packtest.Database) {
	count := func(s *packtest.System, name string) map[string]int {
		out := map[string]int{}
		require.NoError(t, s.Do(s.Person("counts-"+name, "administrator"), func(ctx context.Context, w world.World) error {
			for _, m := range s.State().Catalog.Models {
				if m.Pack != "quality" && m.Pack != "construction" {
					continue
				}
				ids, err := w.Find(ctx, m.Code, nil, 100_000)
				if err != nil {
					return err
				}
				out[m.Code] = len(ids)
			}
			return nil
		}))
		return out
	}
	before := count(s.System, "before")
	require.NotZero(t, before["q_check_item"])
	var project string
	leader := s.Person("without-leader", "R_CQC")
	s.do(s.owner, func(ctx context.Context, w world.World) {
		project = s.make(ctx, w, "pm_project", in{"projectKey": "without", "projectName": "without", "evalRule": "JTS257_2008"})
		s.make(ctx, w, "q_group", in{"projectId": project, "groupName": "without", "leader": leader.UserID, "members": []string{leader.UserID}})
	})
	before = count(s.System, "leader")
	s.End()

	bare := packtest.BootOn(t, at, plugins.Register)
	require.Nil(t, bare.State().Catalog.Model("q_record"))
	owner, ok := bare.Caller(t.Context(), "owner")
	require.True(t, ok)
	for _, who := range []string{owner.UserID, bare.Person("without-root", "administrator").UserID} {
		call := callAs(t, bare, who)
		var doc struct {
			Paths map[string]map[string]json.RawMessage
		}
		require.NoError(t, json.Unmarshal(call("GET", "/api/openapi.json", "").Body.Bytes(), &doc))
		read := 0
		for path, methods := range doc.Paths {
			if slices.Contains(ends, path) || strings.Contains(path, "{") {
				continue
			}
			for method := range methods {
				answer := call(strings.ToUpper(method), path, "{}")
				require.Less(t, answer.Code, http.StatusInternalServerError, "%s %s: %s", method, path, answer.Body)
				if answer.Code == http.StatusOK {
					read++
				}
			}
		}
		require.Greater(t, read, 30)
		if who != owner.UserID {
			require.Regexp(t, `"kept":\[.*\{"pack":"quality","tables":\d+,"records":\d{3,}\}`, call("GET", "/api/system/storage", "").Body.String())
		}
	}
	bare.End()

	half := packtest.BootOn(t, at, plugins.Register, plugins.With("construction"))
	told := callAs(t, half, half.Person("without-half", "administrator").UserID)("POST", "/api/runtime/query/delete", `{"schemaCode": "pm_project", "ids": ["`+project+`"]}`).Body.String()
	require.Contains(t, told, "被未启用的包“quality”保留的数据引用", "what is kept refers to it")
	half.End()

	again := packtest.BootOn(t, at, plugins.Register, plugins.With("quality"), flows)
	require.Equal(t, before, count(again, "after"))
}

// callAs makes calls over HTTP with the rights of a person.
func callAs(t *testing.T, s *packtest.System, person string) func(method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	server, err := httpapi.New(httpapi.Options{App: s.App, Log: slog.New(slog.DiscardHandler), UI: fstest.MapFS{}})
	require.NoError(t, err)
	token, err := s.Auth().ScriptToken(t.Context(), person, "", time.Hour)
	require.NoError(t, err)
	return func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		server.Handler().ServeHTTP(answer, r)
		return answer
	}
}
