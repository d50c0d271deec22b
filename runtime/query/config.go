package query

import (
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// ListConfig is a list's plan for one caller (api.yaml ListConfig): what they may not read or do is left out.
type ListConfig struct {
	SchemaCode    string            `json:"schemaCode"`
	QueryCode     string            `json:"queryCode"`
	SheetCode     string            `json:"sheetCode"`
	Name          string            `json:"name"`
	NameI18n      map[string]string `json:"name_i18n"`
	ModelName     string            `json:"modelName"`
	ModelNameI18n map[string]string `json:"modelName_i18n"`
	// ModelPluralI18n is the name of several records, in locales with plural forms.
	ModelPluralI18n map[string]string `json:"modelNamePlural_i18n"`
	Digest          string            `json:"digest"`
	Searchable      bool              `json:"searchable"` // keyword may be sent: the caller may read something that it looks in
	Searched        []Searched        `json:"searched"`
	OrderBy         []ListOrder       `json:"orderBy"`
	Conditions      []ConditionPlan   `json:"queryConditions"`
	Columns         []ColumnPlan      `json:"queryColumns"`
	Actions         []ActionPlan      `json:"queryActions"`
	Presentation    PresentationPlan  `json:"queryPresentation"`
	Narrowed        bool              `json:"narrowed"` // by a condition of its own: a figure may count more records
	Recycle         bool              `json:"recycle"`  // the caller may look for deleted records
}

// Searched is a property in which a keyword is looked for.
type Searched struct {
	PropertyCode string            `json:"propertyCode"`
	Name         string            `json:"name"`
	NameI18n     map[string]string `json:"name_i18n"`
}

func searched(g *graph) []Searched {
	out := []Searched{}
	for _, n := range g.searched() {
		out = append(out, Searched{PropertyCode: n.field.Code, Name: n.field.Label.Zh, NameI18n: i18n(n.field.Label)})
	}
	return out
}

// ListOrder is a sort key; Direction is 1 ascending, 2 descending.
type ListOrder struct {
	PropertyCode string `json:"propertyCode"`
	Direction    int    `json:"direction"`
}

// ConditionPlan is a control of the filter panel.
type ConditionPlan struct {
	FieldPlan
	QueryFilterType plan.Op `json:"queryFilterType"`
	DefaultValue    *string `json:"defaultValue"`
	StartValue      *string `json:"startValue"`
	EndValue        *string `json:"endValue"`
	Visible         bool    `json:"visible"`
	AccurateSearch  bool    `json:"accurateSearch"`
	ChoiceType      *string `json:"choiceType"`
	DisplayType     *string `json:"displayType"`
	DefaultState    *string `json:"defaultState"`
	RelativeQuery   *string `json:"relativeQueryCode"` // list in which a relation's records are chosen; null = the model's first

	// Of reports, whose conditions have codes of their own: the model and the property that decide which choices are offered.
	SchemaCode     string `json:"schemaCode,omitempty"`
	SourceProperty string `json:"sourceProperty,omitempty"`
}

// ColumnPlan is a column of the table.
type ColumnPlan struct {
	FieldPlan
	Width        int          `json:"width"`
	Sortable     bool         `json:"sortable"`
	Visible      bool         `json:"visible"`
	SumType      *plan.Sum    `json:"sumType"`
	SumTypeCode  *int         `json:"sumTypeCode,omitempty"` // its number
	ChildColumns []ColumnPlan `json:"childColumns"`
}

// ActionPlan is a button that the caller may use.
type ActionPlan struct {
	ActionCode      string            `json:"actionCode"`
	QueryActionType string            `json:"queryActionType"`
	Name            string            `json:"name"`
	NameI18n        map[string]string `json:"name_i18n"`
	AssociationType int               `json:"associationType"`
	AssociationCode *string           `json:"associationCode"`
	Row             bool              `json:"row"`
	Hint            *string           `json:"hint"`
	HintI18n        map[string]string `json:"hint_i18n"`
	Confirm         *string           `json:"confirm"`
	ConfirmI18n     map[string]string `json:"confirm_i18n"`
	Extend1         *string           `json:"extend1"`
	SortKey         int               `json:"sortKey"`
	Attributes      map[string]any    `json:"attributes"`
}

// PresentationPlan is how the list is drawn.
type PresentationPlan struct {
	Type         string     `json:"presentationType"`
	FixedLeft    []string   `json:"fixedLeftColumns"`
	LeftGiven    bool       `json:"fixedLeftGiven"` // false: the column that opens the record stays at the left
	FixedRight   []string   `json:"fixedRightColumns"`
	PanelColumns int        `json:"queryPanelColumns"`
	FixedHeader  bool       `json:"fixedHeader"`
	Ordinal      bool       `json:"rowOrdinal"`
	Selectable   *bool      `json:"rowSelectable"` // null: when some action takes ticked rows
	Resizable    bool       `json:"columnResizable"`
	AutoHide     bool       `json:"scrollbarAutoHidding"`
	Layout       []PagePart `json:"htmlJson"` // null = the usual page
	LayoutFault  *PagePart  `json:"htmlJsonError"`
	Script       *string    `json:"script"` // address; null = none
	Style        *string    `json:"style"`
	Gantt        *GanttPlan `json:"gantt"` // null unless the list is one
	// Order is the number that rows of a tree take when they are dragged; null = they cannot be.
	Order *string `json:"orderPropertyCode"`
}

// Config returns a list's plan; queryCode "" = the model's first list.
func (r *Reader) Config(view *authz.View, schemaCode, queryCode string) (*ListConfig, error) {
	l, err := list(view, schemaCode, queryCode)
	if err != nil {
		return nil, err
	}
	g := newGraph(view, l.Model)
	cfg := &ListConfig{SchemaCode: l.Model.Code, QueryCode: l.Code, Name: l.Label.Zh, NameI18n: i18n(l.Label), ModelName: l.Model.Label.Zh,
		ModelNameI18n: i18n(l.Model.Label), ModelPluralI18n: plural(l.Model), Digest: view.Digest, OrderBy: []ListOrder{}, Conditions: []ConditionPlan{}, Columns: []ColumnPlan{}, Actions: []ActionPlan{},
		Narrowed: l.Condition != nil, Recycle: view.Offers(l.Model, "delete")}
	if forms := view.FormsOf(l.Model.Code); len(forms) > 0 {
		cfg.SheetCode = forms[0].Code
	}
	cfg.Searched = searched(g)
	cfg.Searchable = len(cfg.Searched) > 0
	for _, o := range l.OrderBy {
		if _, err := g.resolve(o.Path.Code); err == nil {
			cfg.OrderBy = append(cfg.OrderBy, ListOrder{PropertyCode: o.Path.Code, Direction: direction(o.Descending)})
		}
	}
	for _, condition := range l.Conditions {
		if p, ok := conditionPlan(g, condition); ok {
			cfg.Conditions = append(cfg.Conditions, p)
		}
	}
	for _, column := range l.Columns {
		if p, ok := columnPlan(g, column); ok {
			cfg.Columns = append(cfg.Columns, p)
		}
	}
	conditions, columns := make([]*FieldPlan, len(cfg.Conditions)), make([]*FieldPlan, len(cfg.Columns))
	for i := range cfg.Conditions {
		conditions[i] = &cfg.Conditions[i].FieldPlan
	}
	for i := range cfg.Columns {
		columns[i] = &cfg.Columns[i].FieldPlan
	}
	tellApart(l.Model, conditions)
	tellApart(l.Model, columns)
	for i, a := range l.Actions {
		if offered(view, r.starts, g, l.Model, &a) {
			cfg.Actions = append(cfg.Actions, actionPlan(a, i))
		}
	}
	cfg.Presentation = PresentationPlan{Type: l.Presentation.Type, FixedLeft: readable(g, l.Presentation.FixedLeft), LeftGiven: l.Presentation.FixedLeftGiven,
		FixedRight: readable(g, l.Presentation.FixedRight), PanelColumns: l.Presentation.PanelColumns,
		FixedHeader: l.Presentation.FixedHeader, Ordinal: l.Presentation.Ordinal, Selectable: l.Presentation.Selectable, Resizable: l.Presentation.Resizable,
		AutoHide: l.Presentation.HideScrollbars, Layout: pageParts(l.Presentation), LayoutFault: layoutFault(l.Presentation),
		Script: addressOf(scriptPath, l.Presentation.Script), Style: addressOf(stylePath, l.Presentation.Style), Gantt: ganttPlan(view, g, l),
		Order: treeOrder(view, g, l)}
	return cfg, nil
}

// actionPlan is a button as clients draw it.
func actionPlan(a catalog.ListAction, at int) ActionPlan {
	return ActionPlan{ActionCode: a.Code, QueryActionType: a.Type, Name: a.Label.Zh, NameI18n: i18n(a.Label), AssociationType: a.Association,
		AssociationCode: orNull(a.AssociationCode), Row: a.Row, Hint: orNull(a.Hint.Zh), HintI18n: i18n(a.Hint), Confirm: orNull(a.Confirm.Zh),
		ConfirmI18n: i18n(a.Confirm), Extend1: orNull(a.Extend1), SortKey: at, Attributes: shownAttributes(a)}
}

func direction(descending bool) int {
	if descending {
		return 2
	}
	return 1
}

func readable(g *graph, codes []string) []string {
	out := slices.DeleteFunc(slices.Clone(codes), func(code string) bool { _, err := g.resolve(code); return err != nil })
	if out == nil {
		out = []string{}
	}
	return out
}

func conditionPlan(g *graph, c catalog.Condition) (ConditionPlan, bool) {
	n, err := g.resolve(c.Path.Code)
	if err != nil {
		return ConditionPlan{}, false
	}
	p := ConditionPlan{FieldPlan: fieldPlan(n, c.Path.Code, c.Label, c.DisplayFormat), QueryFilterType: c.Operator, DefaultValue: orNull(c.DefaultValue),
		StartValue: orNull(c.StartValue), EndValue: orNull(c.EndValue), Visible: c.Visible, AccurateSearch: c.AccurateSearch,
		ChoiceType: orNull(c.ChoiceType), DisplayType: orNull(c.DisplayType), DefaultState: orNull(c.DefaultState), RelativeQuery: orNull(c.RelativeQueryCode)}
	if len(c.Options) > 0 {
		p.Options = slices.DeleteFunc(p.Options, func(o Option) bool { return !slices.Contains(c.Options, o.Code) })
	}
	return p, len(p.Operators) > 0
}

func columnPlan(g *graph, c catalog.Column) (ColumnPlan, bool) {
	n, err := g.resolve(c.Path.Code)
	if err != nil {
		return ColumnPlan{}, false
	}
	p := ColumnPlan{FieldPlan: fieldPlan(n, c.Path.Code, c.Label, c.DisplayFormat), Width: c.Width, Visible: c.Visible}
	_, err = n.order(false)
	p.Sortable = err == nil
	if c.Sum != "" && sums(n, c.Sum) {
		sum, number := c.Sum, c.Sum.Wire()
		p.SumType, p.SumTypeCode = &sum, &number
	}
	if !n.field.IsTable() {
		return p, true
	}
	p.ChildColumns = []ColumnPlan{}
	for _, child := range sheetColumnsOf(g, n.field, c) {
		code := child.node.field.Code
		one := ColumnPlan{FieldPlan: fieldPlan(child.node, code, child.label, child.format), Width: child.width, Visible: true}
		if child.node.limited() {
			one.Operators = []plan.Op{} // see rowFilter
		}
		p.ChildColumns = append(p.ChildColumns, one)
	}
	return p, true
}

// sheetColumn is a readable column of a sub-table in a list.
type sheetColumn struct {
	node   node
	label  plan.Label
	format string
	width  int
}

// sheetColumnsOf are the columns of a sub-table cell: those that the list names, or all.
func sheetColumnsOf(g *graph, sheet *catalog.Field, c catalog.Column) []sheetColumn {
	var out []sheetColumn
	if len(c.Children) == 0 {
		for _, n := range g.sheetColumns(sheet) {
			out = append(out, sheetColumn{node: n, label: n.field.Label, width: 176})
		}
		return out
	}
	for _, child := range c.Children {
		code := child.Path.Code // a request's own column has no more
		if child.Path.Field != nil {
			code = child.Path.Field.Code
		}
		if n, err := g.resolve(sheet.Code + "." + code); err == nil {
			out = append(out, sheetColumn{node: n, label: columnLabel(child, n.field), format: child.DisplayFormat, width: child.Width})
		}
	}
	return out
}

// sums reports whether a figure of a property may be shown.
func sums(n node, sum plan.Sum) bool {
	a, ok := n.field.Property.(property.Aggregator)
	return ok && n.sheet == nil && slices.Contains(a.Aggregates(), sum)
}

// Header is a list of a model.
type Header struct {
	QueryCode string            `json:"queryCode"`
	Name      string            `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"`
	// PresentationType lets a client offer the chart beside the table.
	PresentationType string `json:"presentationType"`
}

// Headers returns the lists of a model.
func (r *Reader) Headers(view *authz.View, schemaCode string) ([]Header, error) {
	m, err := model(view, schemaCode)
	if err != nil {
		return nil, err
	}
	out := []Header{}
	for _, l := range view.ListsOf(m.Code) {
		out = append(out, Header{QueryCode: l.Code, Name: l.Label.Zh, NameI18n: i18n(l.Label), PresentationType: l.Presentation.Type})
	}
	return out, nil
}
