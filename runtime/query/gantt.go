package query

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// GanttPlan says which columns make a chart for one caller. A property that they may not read is null.
type GanttPlan struct {
	Title    *string `json:"titlePropertyCode"`
	Start    *string `json:"startTimePropertyCode"`
	End      *string `json:"endTimePropertyCode"`
	Progress *string `json:"progressPropertyCode"`
	Level    *string `json:"levelPropertyCode"`
	Order    *string `json:"orderPropertyCode"`
	// Tree tells that rows are asked for level by level (parentId).
	Tree bool `json:"tree"`
	// Writable are the properties above that the caller may write through the list's form, on the rows that they may edit.
	Writable []string `json:"writable"`
}

func ganttPlan(view *authz.View, g *graph, l *catalog.List) *GanttPlan {
	chart := l.Presentation.Gantt
	if chart == nil {
		return nil
	}
	code := func(f *catalog.Field) *string {
		if f == nil {
			return nil
		}
		if _, err := g.resolve(f.Code); err != nil {
			return nil
		}
		return &f.Code
	}
	out := &GanttPlan{Title: code(chart.Title), Start: code(chart.Start), End: code(chart.End), Progress: code(chart.Progress),
		Level: code(chart.Level), Order: code(chart.Order), Writable: []string{}}
	if l.Model.Tree != nil {
		out.Tree = code(l.Model.Tree) != nil
	}
	may := writableFields(view, g, l.Model)
	for _, f := range chart.Fields() {
		if code(f) != nil && may(f) {
			out.Writable = append(out.Writable, f.Code)
		}
	}
	return out
}

// treeOrder is the property by which people put the rows of a tree in order: the list is ordered by it upwards, shows it, and
// the caller may write it. Nil for other lists.
func treeOrder(view *authz.View, g *graph, l *catalog.List) *string {
	if l.Presentation.Type != "tree" || l.Model.Tree == nil || len(l.OrderBy) == 0 {
		return nil
	}
	first := l.OrderBy[0]
	f := first.Path.Field
	shown := slices.ContainsFunc(l.Columns, func(column catalog.Column) bool { return column.Path.Code == first.Path.Code })
	if first.Descending || first.Path.Code != f.Code || !shown || !isNumber(f) || !writableFields(view, g, l.Model)(f) {
		return nil
	}
	if _, err := g.resolve(f.Code); err != nil {
		return nil
	}
	return &f.Code
}

// isNumber reports whether a property holds one number that is not a choice.
func isNumber(f *catalog.Field) bool {
	_, chooses := f.Property.(property.Chooser)
	columns := f.Property.Columns()
	return !chooses && len(columns) == 1 && columns[0].Kind == plan.Number
}

// writableFields tells which properties the caller may change with the model's first form, the one that records open with.
func writableFields(view *authz.View, g *graph, m *catalog.Model) func(*catalog.Field) bool {
	b := &formBuilder{graph: g, view: view, action: "edit", form: &catalog.Form{Model: m}}
	forms := view.FormsOf(m.Code)
	if len(forms) == 0 {
		return func(f *catalog.Field) bool { return !f.System && f.Compute == nil && b.writable(f) }
	}
	b.form = forms[0]
	items := b.form.Fields()
	return func(f *catalog.Field) bool {
		return slices.ContainsFunc(items, func(item *catalog.FormItem) bool {
			if item.Field != f {
				return false
			}
			plan, _, ok := b.field(item)
			return ok && !plan.ReadOnly
		})
	}
}
