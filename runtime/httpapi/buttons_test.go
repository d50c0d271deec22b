package httpapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestButtons: what the custom buttons of a list do, for whom and on which records, on both databases.
func TestButtons(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openHarbour(t, o)
		small, large, ghost, empty := w.addBoat(t, "A 1/2?#", "8"), w.addBoat(t, "B-1", "50"), w.addBoat(t, "GHOST", "5"), w.addBoat(t, "..", "7")
		press := func(actor, button string, ids ...string) reply {
			t.Helper()
			list, err := json.Marshal(ids)
			require.NoError(t, err)
			return w.send(t, call{method: "POST", path: "/api/runtime/query/run_action", actor: actor,
				body: fmt.Sprintf(`{"schemaCode":"boat","queryCode":"boat","actionCode":%q,"objectIds":%s}`, button, list)})
		}
		for _, x := range []struct {
			actor, button string
			ids           []string
			want          fault.Code
		}{
			{anonymous, "look", []string{small}, fault.Unauthenticated},
			{"guest", "look", []string{small}, fault.ActionNotOffered},
			{"master", "nothing", []string{small}, fault.ActionNotOffered},
			{"master", "edit", []string{small}, fault.ActionNotOffered}, // which has calls of its own
			{"captain", "home", nil, fault.ActionNotOffered},
			{"captain", "chart", []string{small}, fault.ActionNotOffered}, // it says a secret
			{"captain", "book", []string{small}, fault.ActionNotOffered},  // stays are not theirs to add
			{"master", "look", nil, fault.ActionRecords},
			{"master", "look", []string{small, large}, fault.ActionRecords},
			{"master", "hold", []string{large}, fault.ActionNotEnabled},
			{"master", "hold", []string{ghost}, fault.ActionNotEnabled}, // not in this list
			{"master", "hold", []string{"nobody"}, fault.ActionNotEnabled},
			{"master", "chart", []string{empty}, fault.ActionAddress},
		} {
			got := press(x.actor, x.button, x.ids...)
			require.Equal(t, x.want, got.Errcode, "%s %s: %s", x.actor, x.button, got.Body)
			require.Equal(t, w.texts[x.want].Status, got.Code)
		}
		require.Empty(t, w.rows(t, administrator, "stay"), "a refused button runs nothing")

		var a struct {
			AssociationType                                 int
			URL, SchemaCode, QueryCode, SheetCode, ObjectID *string
			Relation                                        *struct{ PropertyCode, ID, Name string }
			Data                                            json.RawMessage
		}
		text := func(s *string) string {
			if s == nil {
				return ""
			}
			return *s
		}
		opened := func(button string, ids ...string) string {
			t.Helper()
			a.Relation = nil
			press("master", button, ids...).into(t, &a)
			return strings.Join([]string{text(a.SchemaCode), text(a.QueryCode), text(a.SheetCode), text(a.ObjectID), text(a.URL)}, " ")
		}
		require.Equal(t, "    https://chart.example.com/b/A%201%2F2%3F%23?length=8&of=s", opened("chart", small))
		require.Equal(t, "    /app-list/applications", opened("home"))
		require.Equal(t, "boat  boat "+small+" ", opened("look", small))
		require.Equal(t, "stay stay   ", opened("stays", small))
		require.Equal(t, "boat "+small, a.Relation.PropertyCode+" "+a.Relation.ID)
		require.Equal(t, "stay  stay  ", opened("book", small))
		require.Equal(t, "boat "+small, a.Relation.PropertyCode+" "+a.Relation.ID)

		var form struct{ Data map[string]any }
		w.get(t, "master", "/api/runtime/form/load?schemaCode=stay&sheetCode=stay&relPropertyCode=boat&relId="+small).into(t, &form)
		require.Equal(t, small, form.Data["boat"].(map[string]any)["id"], "a new stay begins with its boat")

		opened("hold", small)
		require.Equal(t, 3, a.AssociationType)
		require.NotEqual(t, "null", string(a.Data))
		require.Len(t, w.rows(t, administrator, "stay"), 1, "the action ran")

		// A dialog of the client's asks for what the action needs; values of the definition win over it, and custom buttons take nothing.
		asked := func(button, input string) reply {
			return w.send(t, call{method: "POST", path: "/api/runtime/query/run_action", actor: "master",
				body: fmt.Sprintf(`{"schemaCode":"boat","queryCode":"boat","actionCode":%q,"objectIds":[%q],"input":%s}`, button, small, input)})
		}
		require.Equal(t, fault.BadParameter, asked("hold", `{"quit": true}`).Errcode)
		require.Equal(t, fault.BadParameter, asked("moor", `{"id": "`+small+`", "more": 1}`).Errcode, "the action's schema holds for a dialog too")
		require.Zero(t, asked("moor", `{"id": "`+small+`", "days": 9}`).Errcode)
		var stays struct {
			Content []struct{ Data map[string]any }
		}
		w.send(t, call{method: "POST", path: "/api/runtime/query/list", actor: "master", body: `{"schemaCode":"stay"}`}).into(t, &stays)
		require.Len(t, stays.Content, 2)
		for _, stay := range stays.Content {
			require.Equal(t, "2", stay.Data["days"], "the definition says two days")
		}

		var offered struct {
			QueryActions []struct {
				ActionCode string
				Attributes map[string]any
			}
		}
		codes := func(actor string) (out []string) {
			w.get(t, actor, "/api/runtime/query/config?schemaCode=boat").into(t, &offered)
			for _, one := range offered.QueryActions {
				out = append(out, one.ActionCode)
				require.NotContains(t, one.Attributes, "input", "what an action gets stays on the server")
			}
			return out
		}
		require.Equal(t, []string{"edit", "moor", "hold", "chart", "stays", "book", "look", "home"}, codes("master"))
		require.Equal(t, []string{"edit", "hold", "stays", "look"}, codes("captain"), "what may not be used is not drawn")
		require.Empty(t, codes("guest"))

		var page struct {
			Content []struct {
				ID      string
				Actions []string
			}
		}
		w.post(t, "captain", "/api/runtime/query/list", `{"schemaCode":"boat"}`).into(t, &page)
		for _, row := range page.Content {
			want := []string{"edit", "hold", "stays", "look"}
			if row.ID == large {
				want = []string{"edit", "stays", "look"}
			}
			require.Equal(t, want, row.Actions)
		}
	})
}
