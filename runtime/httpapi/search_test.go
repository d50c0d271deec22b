package httpapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestSearch: the call finds what was saved by its number, nothing that was deleted, and for a token nothing of other applications.
func TestSearch(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openYards(t, o)
		b := newBrowserOf(t, w)
		require.Zero(t, b.signIn("hand", "Long-Enough-123").Errcode)
		const save = "/api/runtime/form/save"
		type saved struct{ ID string }
		add := func(model, label string) (out saved) {
			w.post(t, "hand", save, `{"schemaCode":"`+model+`","data":{"label":"`+label+`"}}`).into(t, &out)
			return out
		}
		found := func(get func(path string) reply, keyword string) (out []string) {
			t.Helper()
			var data struct {
				Groups []struct {
					SchemaCode, AppCode string
					Content             []struct{ ID, Number string }
				}
				Left []any
			}
			get("/api/app/search?size=20&thorough=true&keyword="+url.QueryEscape(keyword)).into(t, &data)
			require.Empty(t, data.Left)
			for _, g := range data.Groups {
				for _, r := range g.Content {
					out = append(out, g.AppCode+"/"+g.SchemaCode+"/"+r.ID)
				}
			}
			return out
		}
		own := func(path string) reply { return w.get(t, "hand", path) }
		boat, berth := add("boat", "S-1"), add("berth", "B-1")
		number := func(model string, of saved) string {
			var page struct {
				Content []struct {
					ID   string
					Data map[string]any
				}
			}
			w.post(t, "hand", "/api/runtime/query/list", `{"schemaCode":"`+model+`","options":{"queryDisplayType":1,"customDisplayColumns":["sequenceNo"]}}`).into(t, &page)
			for _, r := range page.Content {
				if r.ID == of.ID {
					text, _ := r.Data["sequenceNo"].(string)
					return text
				}
			}
			return ""
		}
		no := number("boat", boat)
		require.NotEmpty(t, no)
		require.Equal(t, no, number("berth", berth)) // both are the first of their models
		require.ElementsMatch(t, []string{"yard/boat/" + boat.ID, "harbor/berth/" + berth.ID}, found(own, no))

		// A token for one application finds nothing of the other.
		var made struct{ Token string }
		b.call("POST", "/api/organization/user/tokens", json.RawMessage(`{"label":"x","days":1,"apps":[{"appCode":"harbor","write":false}]}`)).into(t, &made)
		with := func(path string) reply {
			return w.send(t, call{method: http.MethodGet, path: path, headers: map[string]string{"Authorization": "Bearer " + made.Token}})
		}
		require.Equal(t, []string{"harbor/berth/" + berth.ID}, found(with, no))

		// What was deleted is in the recycle bin and nowhere else.
		require.Zero(t, w.post(t, "hand", "/api/runtime/query/delete", `{"schemaCode":"boat","ids":["`+boat.ID+`"]}`).Errcode)
		require.Equal(t, []string{"harbor/berth/" + berth.ID}, found(own, no))

		require.Equal(t, fault.BadParameter, w.get(t, "hand", "/api/app/search?keyword="+strings.Repeat("a", 101)).Errcode)
		require.Equal(t, fault.BadParameter, w.get(t, "hand", "/api/app/search?keyword=a&thorough=1").Errcode)
		require.Equal(t, fault.PageOutOfRange, w.get(t, "hand", "/api/app/search?keyword=a&size=21").Errcode)
		require.Equal(t, fault.Unauthenticated, w.get(t, anonymous, "/api/app/search?keyword=a").Errcode)
	})
}
