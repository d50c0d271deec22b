package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// TestLens: the same list of the same person, through lenses: rows, fields, totals and cursors follow the lens, and nothing that was
// compiled for the person without it is used.
func TestLens(t *testing.T) {
	secrets(t, func(t *testing.T, w *world) {
		lot := w.c.Model("lot")
		grant := catalog.Grant{Model: lot, Actions: []string{"view"}, Rows: plan.True, EditRows: plan.True, Rest: catalog.Readable}
		one := grant
		one.Rows = &plan.Compare{Op: plan.EQ, A: &plan.Field{Column: catalog.ID, K: plan.ID}, B: &plan.Const{K: plan.ID, Value: id("a")}}
		one.Fields, one.Rest = map[string]catalog.FieldRight{"part": catalog.Readable}, catalog.Hidden
		through := func(user, role string, e authz.Effect, g catalog.Grant) *authz.View {
			return w.rights(user, role).Through(&authz.Lens{Name: "work item", Effect: e, Grants: []catalog.Grant{g}})
		}
		clerk := w.rights("clerk", "clerk")
		whole, err := w.list(clerk, query.ListRequest{})
		require.NoError(t, err)
		require.Equal(t, "ABDE", whole.parts())

		for name, view := range map[string]*authz.View{"narrowed": through("clerk", "clerk", authz.Narrows, one), "replaced": through("clerk", "clerk", authz.Replaces, one),
			"given to somebody without roles": through("guest", "", authz.Adds, one)} {
			for range 2 { // the second time what the first remembered might be used
				p, err := w.list(view, query.ListRequest{})
				require.NoError(t, err, name)
				require.Equal(t, 1, p.TotalElements, name)
				require.Equal(t, "A", p.parts(), name)
				require.NotContains(t, p.Content[0].Data, "result", name)
				_, err = w.list(view, query.ListRequest{Filters: []query.Filter{filter("result", "Equal", "OK")}})
				require.Equal(t, fault.FieldUnknown, fault.Of(err), "%s: a field that the lens hides cannot be filtered by", name)
			}
		}
		wider, err := w.list(through("clerk", "clerk", authz.Adds, grant), query.ListRequest{})
		require.NoError(t, err)
		require.Greater(t, wider.TotalElements, 4, "the lens shows rows that the role does not")
		again, err := w.list(clerk, query.ListRequest{})
		require.NoError(t, err)
		require.Equal(t, whole, again, "the lens left nothing behind")
	})
}
