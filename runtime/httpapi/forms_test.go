package httpapi

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/store"
)

// openedForm is what tests read of a FormLoad.
type openedForm struct {
	Version int
	Data    map[string]any
	Actions []string
	Form    struct {
		Layout []struct {
			Type        string
			Columns     int
			DisplayRule json.RawMessage
		}
		Fields []struct {
			PropertyCode string
			ReadOnly     bool
			RequiredRule json.RawMessage
		}
		Buttons []struct{ ActionCode string }
		Script  *string
	}
}

func (f openedForm) buttons() (out []string) {
	for _, b := range f.Form.Buttons {
		out = append(out, b.ActionCode)
	}
	return out
}

// TestFormsForRoles: what a form's definition says of defaults, groups, requirements, roles and buttons, for several people and
// on both databases.
func TestFormsForRoles(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openHarbour(t, o)
		small, large := w.addBoat(t, "A-1", "8"), w.addBoat(t, "B-1", "50")
		load := func(actor, more string) (f openedForm) {
			t.Helper()
			w.get(t, actor, "/api/runtime/form/load?schemaCode=boat&sheetCode=boat"+more).into(t, &f)
			return f
		}

		fresh := load("master", "")
		require.Equal(t, "master", fresh.Data["number"], "the person's name is the default")
		require.Equal(t, "12", fresh.Data["length"])
		require.Equal(t, []string{"save", "greet"}, fresh.Actions, "a new record takes buttons of the script only")
		require.Equal(t, 3, fresh.Form.Layout[0].Columns)

		require.Equal(t, []string{"moor", "tow", "greet"}, fresh.buttons())
		require.Equal(t, []string{"save", "delete", "copy", "moor", "tow", "greet", "recycle"}, load("master", "&objectId="+small).Actions)
		require.Equal(t, []string{"save", "delete", "copy", "moor", "greet", "recycle"}, load("master", "&objectId="+large).Actions, "a long boat is not towed")
		captain := load("captain", "&objectId="+small)
		require.Empty(t, captain.buttons(), "rights that no role gives")
		require.Equal(t, []string{"save"}, captain.Actions)
		rule := string(captain.Form.Fields[1].RequiredRule)
		require.Contains(t, rule, `"value":["captain","staff"]`, "what a rule asks of the person is answered")
		require.NotContains(t, rule, "user.roles")
		require.Len(t, captain.Form.Fields, 2, "a field of another role is not in the form")
		save := func(actor, id, data string) reply {
			t.Helper()
			version := load(administrator, "&objectId="+id).Version
			return w.post(t, actor, "/api/runtime/form/save", fmt.Sprintf(`{"schemaCode":"boat","sheetCode":"boat","id":%q,"version":%d,"data":%s}`, id, version, data))
		}
		require.Equal(t, fault.RecordInvalid, save("captain", small, `{"length":null}`).Errcode, "required of captains")
		require.Zero(t, save("master", small, `{"length":null}`).Errcode, "and of nobody else")
		require.NotZero(t, save(administrator, small, `{"secret":"x"}`).Errcode, "a form shows it to masters only: it is written by them only")

		press := func(actor, button, id string) fault.Code {
			t.Helper()
			return w.post(t, actor, "/api/runtime/query/run_action", fmt.Sprintf(`{"schemaCode":"boat","sheetCode":"boat","actionCode":%q,"objectIds":[%q]}`, button, id)).Errcode
		}
		require.Equal(t, fault.ActionNotEnabled, press("master", "tow", large))
		require.Equal(t, fault.ActionNotOffered, press("captain", "tow", small))
		require.Equal(t, fault.ActionNotOffered, press("master", "hold", small), "a button of the list")
		require.Empty(t, w.rows(t, administrator, "stay"))
		require.Zero(t, press("master", "tow", w.addBoat(t, "C-1", "9")))
		require.Len(t, w.rows(t, administrator, "stay"), 1, "the action ran")
	})
}

// TestNewRecordOfRelation: the specification's relSchemacode names the model only; the form's one relation to it is meant.
func TestNewRecordOfRelation(t *testing.T) {
	opened.Each(t, func(t *testing.T, o store.Options) {
		w := openHarbour(t, o)
		boat := w.addBoat(t, "A-1", "8")
		for query, want := range map[string]bool{"relSchemacode=boat": true, "relPropertyCode=boat": true, "relSchemacode=stay": false, "relPropertyCode=days&relSchemacode=boat": false} {
			var f openedForm
			w.get(t, "master", "/api/runtime/form/load?schemaCode=stay&relId="+boat+"&"+query).into(t, &f)
			require.Equal(t, want, f.Data["boat"] != nil, query)
		}
	})
}
