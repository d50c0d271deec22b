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
			Content []struct{ Data map[string]any }
		}
		got := w.send(t, call{method: "POST", path: "/api/runtime/query/list", body: body, headers: map[string]string{"Accept-Language": locale}, actor: administrator})
		require.Zero(t, got.Errcode, got.Errmsg)
		require.NoError(t, json.Unmarshal(got.Data, &page))
		for _, row := range page.Content {
			out = append(out, row.Data)
		}
		return out
	}
	for locale, want := range map[string]string{"zh-CN": "来访", "en-GB": "Viewer"} {
		role := rows(locale, `{"schemaCode":"role","queryCode":"role","page":0,"size":5,"filters":[{"propertyCode":"code","propertyValue":"viewer","queryFilterType":"Equal"}]}`)
		require.Len(t, role, 1)
		require.Equal(t, want, role[0]["name"])
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
