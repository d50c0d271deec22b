package query

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Explain says how a list is read for a principal: which role gives what, what each field's right is, and the SQL. It
// compiles the request as the list call does and runs nothing.
func (r *Reader) Explain(ctx context.Context, view *authz.View, listCode string) (string, error) {
	l := view.List(listCode)
	if l == nil {
		return "", fault.New(fault.ListNotFound)
	}
	var w strings.Builder
	who := view.Principal()
	fmt.Fprintf(&w, "list %s of model %s for %s (roles: %s)\n", l.Code, l.Model.Code, who.Name, strings.Join(who.Roles, ", "))
	explainRights(&w, view, l.Model)
	p, err := r.compile(ctx, view, ListRequest{SchemaCode: l.Model.Code, QueryCode: l.Code})
	if err != nil {
		fmt.Fprintf(&w, "\nThe list call is refused: %v\n", err)
		return w.String(), nil
	}
	explainFields(&w, view, l.Model)
	fmt.Fprintf(&w, "\nwhere\n  %s\n", plan.Format(p.query.Where))
	for _, path := range slices.Sorted(maps.Keys(p.query.Joins)) {
		fmt.Fprintf(&w, "join %s\n  %s\n", path, plan.Format(p.query.Joins[path]))
	}
	sql, args, err := store.SQL(r.db.Dialect(), view.Catalog, p.query)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&w, "\nsql (%s)\n%s\nargs\n", r.db.Dialect(), sql)
	for i, a := range args {
		fmt.Fprintf(&w, "  %d: %v\n", i+1, a)
	}
	return w.String(), nil
}

func explainRights(w *strings.Builder, view *authz.View, m *catalog.Model) {
	reasons := view.Why(m)
	if len(reasons) == 0 {
		fmt.Fprintf(w, "\nno role of this user speaks of %s: nothing may be seen\n", m.Code)
		return
	}
	fmt.Fprintf(w, "\nrights\n")
	for _, g := range reasons {
		via := ""
		if g.Via != g.Role {
			via = " through " + g.Via
		}
		rows := g.RowsText
		if rows == "" {
			rows = "no rows"
		}
		fmt.Fprintf(w, "  %s: role %s%s gives %s on rows: %s\n", g.At, g.Role, via, strings.Join(g.Actions, ", "), rows)
		for _, code := range slices.Sorted(maps.Keys(g.Fields)) {
			fmt.Fprintf(w, "      field %s: %s\n", code, rightName(g.Fields[code]))
		}
		fmt.Fprintf(w, "      other fields: %s\n", rightName(g.Rest))
	}
}

func rightName(r catalog.FieldRight) string {
	return map[catalog.FieldRight]string{catalog.Hidden: "hidden", catalog.Readable: "read", catalog.Writable: "read and write"}[r]
}

func explainFields(w *strings.Builder, view *authz.View, m *catalog.Model) {
	fmt.Fprintf(w, "\nfields\n")
	for _, f := range m.Fields {
		right, guard := view.Field(f)
		fmt.Fprintf(w, "  %-24s %s", f.Code, rightName(right))
		if right != catalog.Hidden && !plan.IsTrue(guard) {
			fmt.Fprintf(w, ", where %s", plan.Format(guard))
		}
		fmt.Fprintln(w)
	}
}
