package workflow_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesHide: the name of an instance is one for all people, so it has nothing that some step hides, nor what is computed or named from it.
func TestNamesHide(t *testing.T) {
	each(t, func(w *world) {
		w.publish(map[string]func(string) string{
			"models/order.json": is(strings.Replace(orderModel, `{"code": "chief"`, `{"code": "twice", "name": "两倍", "name_i18n": {"en": "Twice"}, "propertyType": "Number", "computeFormula": "floor * 2"},
  {"code": "chief"`, 1)),
			"workflows/orderApproval.json": is(strings.Replace(orderFlow, `"settings": {`, `"settings": {"instanceName": "{name}: {total}, {floor}, {twice}", `, 1)),
			"access/clerk.json":            w.replaced(`"models": [`, `"models": [`+orderGrant+`, `),
			"access/machine.json":          w.replaced(`"models": [`, `"models": [`+orderGrant+`, `),
		})
		w.asks(3)
		require.Equal(w, "Gate: 3.00, ,", w.list("sue", "unfinished")[0].Name)
		w.publish(map[string]func(string) string{"workflows/orderApproval.json": w.replaced(`"floor": "-"`, `"title": "-"`)})
		w.asks(4)
		names := []string{}
		for _, one := range w.list("sue", "unfinished") {
			names = append(names, one.Name)
		}
		require.ElementsMatch(w, []string{"Gate: 3.00, ,", ": 4.00, 7.00, 14"}, names)
	})
}

// TestNamesHideFromRoles: who sees an instance by the record alone reads no name that shows what their roles hide; who takes part, or looks after workflows,
// reads it.
func TestNamesHideFromRoles(t *testing.T) {
	each(t, func(w *world) {
		for name, role := range map[string]string{"mia": "blind", "una": "unaware"} {
			id, err := w.app.AddUser(w.Context(), name, name, []string{role})
			require.NoError(w, err)
			w.ids[name] = id
		}
		w.publish(map[string]func(string) string{"access/blind.json": w.replaced(`"opinions": "-"`, `"opinions": "-", "title": "-"`)})
		done := w.start("ann", 5)
		names := func(who string) []string {
			track, err := w.flows().Track(w.Context(), w.as(who), done.Instance)
			require.NoError(w, err)
			of, err := w.flows().OfRecord(w.Context(), w.as(who), "contract", done.Record)
			if err != nil { // who takes part need not see the record itself
				return []string{track.Instance.Name}
			}
			return []string{track.Instance.Name, of.Instance.Name}
		}
		require.Equal(w, []string{"合同审批", "合同审批"}, names("mia"))
		for _, who := range []string{"ann", "sue", "eve", "una"} {
			require.Contains(w, names(who)[0], "Lock gate", who)
		}
	})
}
