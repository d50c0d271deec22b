package httpapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoleNames: the names of roles are in the reader's language in lists, in relations and in what a person is told of themselves.
func TestRoleNames(t *testing.T) {
	w := shared
	w.account(t, "named.role", "Named-Role-1", false)
	rows := func(locale, body string) (out []map[string]any) {
		var page struct {
			Content []struct {
				ID   string
				Data map[string]any
			}
		}
		got := w.send(t, call{method: "POST", path: "/api/runtime/query/list", body: body, headers: map[string]string{"Accept-Language": locale}, actor: administrator})
		require.Zero(t, got.Errcode, got.Errmsg)
		require.NoError(t, json.Unmarshal(got.Data, &page))
		for _, row := range page.Content {
			row.Data["id"] = row.ID
			out = append(out, row.Data)
		}
		return out
	}
	for locale, want := range map[string]string{"zh-CN": "来访", "en-GB": "Viewer"} {
		role := rows(locale, `{"schemaCode":"role","queryCode":"role","page":0,"size":5,"filters":[{"propertyCode":"code","propertyValue":"viewer","queryFilterType":"Equal"}]}`)
		require.Len(t, role, 1)
		require.Equal(t, want, role[0]["name"])
		var form struct {
			Name string
			Data map[string]any
		}
		got := w.send(t, call{method: "GET", path: fmt.Sprint("/api/runtime/form/load?schemaCode=role&objectId=", role[0]["id"]), headers: map[string]string{"Accept-Language": locale}, actor: administrator})
		require.Zero(t, got.Errcode, got.Errmsg)
		require.NoError(t, json.Unmarshal(got.Data, &form))
		require.Equal(t, want, form.Name)
		require.Equal(t, want, form.Data["name"])
		found := rows(locale, fmt.Sprintf(`{"schemaCode":"role","queryCode":"role","page":0,"size":5,"keyword":%q}`, strings.ToLower(want)))
		require.Len(t, found, 1, "it is found by the name that is shown")
		require.Equal(t, want, found[0]["name"])
		person := rows(locale, `{"schemaCode":"user","queryCode":"user","page":0,"size":5,"filters":[{"propertyCode":"username","propertyValue":"named.role","queryFilterType":"Equal"}]}`)
		require.Len(t, person, 1)
		text, err := json.Marshal(person[0]["roles"])
		require.NoError(t, err)
		require.Contains(t, string(text), want)
	}
}

// TestAuditNames: the audit log names roles in the reader's language, and people by name and account.
func TestAuditNames(t *testing.T) {
	w := shared
	w.account(t, "audited.role", "Audited-Role-1", false)
	for locale, want := range map[string]string{"zh-CN": "系统管理员", "en-GB": "Administrator"} {
		var page struct {
			Content []struct {
				Subject struct{ Name string }
				Detail  map[string]string
			}
		}
		got := w.send(t, call{method: "GET", path: "/api/system/audit?kind=rights.roles&size=500", headers: map[string]string{"Accept-Language": locale}, actor: administrator})
		require.Zero(t, got.Errcode, got.Errmsg)
		require.NoError(t, json.Unmarshal(got.Data, &page))
		named := map[string]string{}
		for _, e := range page.Content {
			named[e.Subject.Name] = e.Detail["added"]
		}
		require.Equal(t, want, named["管理员 (root)"], locale)
		require.Contains(t, named, "audited.role")
	}
}
