package query

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// FormRequest asks for a record with its form. SheetCode "" = the model's first form, ObjectID "" = a new record.
type FormRequest struct {
	SchemaCode, SheetCode, ObjectID string
	CopyFrom                        string         // a new record filled with this one's values; with ObjectID ""
	RelPropertyCode, RelID          string         // a relation that a new record begins with
	RelSchemaCode                   string         // of the record that it refers to, when no property is named
	QueryCode                       string         // the list that a new record is added to
	Moment                          *record.Moment // the record as it was then, to read; with ObjectID
}

// FormLoad is a record with its form (api.yaml FormLoad).
type FormLoad struct {
	ID      *string         `json:"id"`
	Version *int64          `json:"version"`
	Name    string          `json:"name"`
	Data    json.RawMessage `json:"data"`
	Form    FormPlan        `json:"form"`
	Actions []string        `json:"actions"`
	// Workflow is the instance that the record runs in, or last ran in; nil = none.
	Workflow *string `json:"workflowInstanceId,omitempty"`
	// Seal is set for a record that a workflow holds as it was approved.
	Seal *Seal `json:"seal,omitempty"`
	// Snapshot tells of a record that is shown as it was; nil for one as it is.
	Snapshot *Snapshot `json:"snapshot,omitempty"`
}

// appOf is the application of the pack that has a model.
func appOf(c *catalog.Catalog, m *catalog.Model) string {
	for _, a := range c.Apps {
		if a.Pack == m.Pack {
			return a.Code
		}
	}
	return ""
}

// FormPlan is a form for one caller (api.yaml FormPlan).
type FormPlan struct {
	SchemaCode string            `json:"schemaCode"`
	SheetCode  string            `json:"sheetCode"`
	Name       string            `json:"name"`
	NameI18n   map[string]string `json:"name_i18n"`
	// AppCode is the application of the pack that has the model; "" where there is none.
	AppCode       string            `json:"appCode"`
	ModelName     string            `json:"modelName"`
	ModelNameI18n map[string]string `json:"modelName_i18n"`
	// ModelPluralI18n is the name of several records, in locales with plural forms.
	ModelPluralI18n map[string]string `json:"modelNamePlural_i18n"`
	Columns         int               `json:"columns"`
	Layout          []LayoutItem      `json:"layout"`
	Fields          []FormField       `json:"fields"`
	Schema          map[string]any    `json:"schema"`
	UISchema        map[string]any    `json:"uiSchema"`
	Buttons         []ActionPlan      `json:"buttons"` // of the form's own; FormLoad.Actions says which may be pressed now
	Script          *string           `json:"script"`  // address; null = none
	// Submits is the workflow that "submit" starts with the record, where the caller can; "" = there is no such button.
	Submits string `json:"startWorkflowCode"`
}

// LayoutItem is a place in a form: a Field, or a Section, Tabs or RelatedList.
type LayoutItem struct {
	Type         string            `json:"type"`
	PropertyCode string            `json:"propertyCode,omitempty"`
	Name         string            `json:"name,omitempty"`
	NameI18n     map[string]string `json:"name_i18n,omitempty"`
	Span         int               `json:"span,omitempty"`
	Columns      int               `json:"columns,omitempty"` // of a Section; as around it when missing
	Help         string            `json:"help,omitempty"`
	HelpI18n     map[string]string `json:"help_i18n,omitempty"`
	DisplayRule  json.RawMessage   `json:"displayRule,omitempty"`
	Collapsed    bool              `json:"collapsed,omitempty"`
	QueryCode    string            `json:"queryCode,omitempty"`
	SchemaCode   string            `json:"schemaCode,omitempty"`
	Items        []LayoutItem      `json:"items,omitempty"`
}

// FormField is a property as a form draws it, with its live rules.
type FormField struct {
	FieldPlan
	Placeholder     *string           `json:"placeholder"`
	PlaceholderI18n map[string]string `json:"placeholder_i18n,omitempty"`
	Help            *string           `json:"help"`
	HelpI18n        map[string]string `json:"help_i18n,omitempty"`
	DisplayRule     json.RawMessage   `json:"displayRule"`
	RequiredRule    json.RawMessage   `json:"requiredRule"`
	ComputeRule     json.RawMessage   `json:"computeRule"`
	DefaultValue    json.RawMessage   `json:"defaultValue,omitempty"` // wire form that a new row of the sub-table begins with
	DefaultRule     json.RawMessage   `json:"defaultRule,omitempty"`  // the same, where it depends on the row or its record
	Computed        bool              `json:"computed,omitempty"`
	ComputeReads    []string          `json:"computeReads,omitempty"` // of a formula that the server has to evaluate
	Rules           []FormRule        `json:"rules,omitempty"`        // of the property, that the browser may decide
	SumRow          []string          `json:"sumRow,omitempty"`
	Width           int               `json:"width,omitempty"`      // of a column, in pixels
	CellSchema      map[string]any    `json:"cellSchema,omitempty"` // JSON Schema of a column's cell that may be written
	Children        []FormField       `json:"children"`
	RowRights       *RowRights        `json:"rowRights,omitempty"` // of a sub-table whose rows are not all free
}

// RowRights are what the caller may do with the rows of a sub-table that they may write (api.yaml FormField.rowRights).
type RowRights struct {
	Add    bool `json:"add"`
	Edit   bool `json:"edit"` // the rows that are stored
	Delete bool `json:"delete"`
}

// formBuilder makes the plan of a form for one caller.
type formBuilder struct {
	graph   *graph
	view    *authz.View
	starts  starter
	form    *catalog.Form
	action  string // add, edit or amend
	seal    *Seal  // of the record; nil = no workflow holds it
	plan    FormPlan
	nodes   []node               // of plan.Fields
	buttons []catalog.ListAction // of plan.Buttons
}

// FormLoad answers the form call.
func (r *Reader) FormLoad(ctx context.Context, view *authz.View, req FormRequest) (*FormLoad, error) {
	m, err := r.formModel(view, req)
	if err != nil {
		return nil, err
	}
	form, err := formOf(view.Catalog, m, req.SheetCode)
	if err != nil {
		return nil, err
	}
	b := &formBuilder{graph: newGraph(view, m), view: view, starts: r.starts, form: form, action: "edit"}
	if req.ObjectID == "" {
		b.action = "add"
	} else if req.Moment == nil {
		if b.seal, err = r.sealOf(ctx, view, m, req.ObjectID); err != nil {
			return nil, err
		}
		if b.seal != nil && view.Can(m, catalog.AmendAction) {
			b.action = catalog.AmendAction
		}
	}
	b.build()
	if req.Moment == nil {
		r.rowDefaults(ctx, view, b)
	}
	out := &FormLoad{Form: b.plan, Actions: []string{}}
	if req.ObjectID != "" && req.Moment != nil {
		return out, r.loadEarlier(ctx, view, b, req, out)
	}
	if req.ObjectID == "" {
		out.Actions = append(out.Actions, "save")
		if b.plan.Submits != "" {
			out.Actions = append(out.Actions, submitAction)
		}
		out.Actions = append(out.Actions, b.scripted()...)
	}
	if req.ObjectID == "" && req.CopyFrom != "" {
		out.Data, err = r.copied(ctx, view, b, req.CopyFrom)
		return out, err
	}
	if req.ObjectID == "" {
		out.Data, err = r.defaults(ctx, view, b, req)
		return out, err
	}
	own := func(f store.Do) error { return r.read(ctx, f) }
	return out, r.loadRecord(ctx, view, b, req.ObjectID, own, out)
}

func (r *Reader) formModel(view *authz.View, req FormRequest) (*catalog.Model, error) {
	m := view.Model(req.SchemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "view") && !view.Offers(m, "add") {
		return nil, fault.New(fault.ModelNotFound)
	}
	if req.ObjectID == "" && !view.Offers(m, "add") {
		return nil, fault.New(fault.NoAddPermission)
	}
	return m, nil
}

func formOf(c *catalog.Catalog, m *catalog.Model, code string) (*catalog.Form, error) {
	if code != "" {
		f := c.Form(code)
		if f == nil || f.Model != m {
			return nil, fault.New(fault.FormNotFound)
		}
		return f, nil
	}
	forms := c.FormsOf(m.Code)
	if len(forms) == 0 {
		return nil, fault.New(fault.FormNotFound)
	}
	return forms[0], nil
}

func (b *formBuilder) build() {
	f := b.form
	b.plan = FormPlan{SchemaCode: f.Model.Code, SheetCode: f.Code, Name: f.Label.Zh, NameI18n: i18n(f.Label), AppCode: appOf(b.view.Catalog, f.Model), ModelName: f.Model.Label.Zh,
		ModelNameI18n: i18n(f.Model.Label), ModelPluralI18n: plural(f.Model), Columns: max(f.Columns, 1), Fields: []FormField{}, UISchema: map[string]any{},
		Buttons: []ActionPlan{}, Script: addressOf(scriptPath, f.Script)}
	properties := map[string]any{}
	b.plan.Schema = map[string]any{"type": "object", "properties": properties}
	b.plan.Layout = b.layout(f.Items, properties)
	if f.Submits != "" && b.starts != nil && b.starts(b.view, f.Submits) {
		b.plan.Submits = f.Submits
	}
	for i, a := range f.Buttons {
		if offered(b.view, b.starts, newGraph(b.view, f.Model), f.Model, &a) {
			b.plan.Buttons, b.buttons = append(b.plan.Buttons, actionPlan(a, i)), append(b.buttons, a)
		}
	}
}

func (b *formBuilder) layout(items []catalog.FormItem, properties map[string]any) []LayoutItem {
	out := []LayoutItem{}
	for i := range items {
		item := &items[i]
		place := LayoutItem{Type: item.Type, Name: item.Label.Zh, NameI18n: item.Label.I18n, Span: item.Span, Columns: item.Columns, Collapsed: item.Collapsed,
			Help: item.Help.Zh, HelpI18n: item.Help.I18n}
		if item.Type != "" && item.Display != nil {
			place.DisplayRule = expression.JSON(b.visibleRule(item.Display))
		}
		switch {
		case item.Type == "RelatedList":
			if item.List == nil || !b.view.Can(item.List.Model, "view") || !b.holds(item.Read) {
				continue
			}
			place.QueryCode, place.SchemaCode = item.List.Code, item.List.Model.Code
			if item.Field != nil {
				place.PropertyCode = item.Field.Code
			}
		case item.Type == "":
			field, n, ok := b.field(item)
			if !ok {
				continue
			}
			place = LayoutItem{Type: "Field", PropertyCode: field.PropertyCode, Span: item.Span}
			if ui := controlPlan(item.UI); len(ui) > 0 {
				b.plan.UISchema[field.PropertyCode] = ui
			}
			b.plan.Fields, b.nodes = append(b.plan.Fields, field), append(b.nodes, n)
			properties[field.PropertyCode] = b.schema(n, field)
		default:
			if place.Items = b.layout(item.Items, properties); len(place.Items) == 0 {
				continue
			}
		}
		out = append(out, place)
	}
	return out
}

// field describes a form item; false when the caller may not read it.
func (b *formBuilder) field(item *catalog.FormItem) (FormField, node, bool) {
	n, err := b.graph.resolve(item.Field.Code)
	if err != nil || !b.holds(item.Read) {
		return FormField{}, node{}, false
	}
	label := item.Label
	if label.Zh == "" {
		label = item.Field.Label
	}
	out := formField(fieldPlan(n, item.Field.Code, label, item.DisplayFormat), item)
	out.Settings = b.choosing(out.Settings, n.field, item)
	out.ReadOnly = out.ReadOnly || !b.holds(item.Write) || !b.writable(n.field) || item.UI.ReadOnly
	if item.UI.Rows > 0 {
		out.Settings = maps.Clone(out.Settings)
		out.Settings["rows"] = item.UI.Rows
	}
	required := item.Field.RequiredIf
	if item.Required != nil {
		required = plan.AnyOf(item.Required, required)
	}
	out.DisplayRule, out.RequiredRule = expression.JSON(b.visibleRule(item.Display)), expression.JSON(b.visibleRule(required))
	out.ComputeRule, out.Rules = b.computeRule(n.field), b.rules(n.field, out.ReadOnly)
	out.Computed, out.ComputeReads = n.field.Compute != nil, b.computeReads(n.field, out.ComputeRule)
	if n.field.IsTable() {
		out.Children, out.RowRights = b.children(n, item), b.rowRights(n.field)
	}
	return out, n, true
}

func formField(p FieldPlan, item *catalog.FormItem) FormField {
	return FormField{FieldPlan: p, Placeholder: orNull(item.Placeholder.Zh), PlaceholderI18n: i18n(item.Placeholder), Help: orNull(item.Help.Zh),
		HelpI18n: i18n(item.Help), SumRow: append([]string{}, item.SumRow...), DisplayRule: expression.JSON(nil), RequiredRule: expression.JSON(nil),
		ComputeRule: expression.JSON(nil)}
}

// controlPlan is what rjsf is told of one control.
func controlPlan(ui catalog.FieldUI) map[string]any {
	out := map[string]any{}
	if ui.Autofocus {
		out["ui:autofocus"] = true
	}
	if ui.NoLabel {
		out["ui:options"] = map[string]any{"label": false}
	}
	return out
}

func (b *formBuilder) children(n node, item *catalog.FormItem) []FormField {
	out := []FormField{}
	if len(item.Children) == 0 {
		for _, child := range b.graph.sheetColumns(n.field) {
			field := b.child(child, formField(fieldPlan(child, child.field.Code, child.field.Label, ""), &catalog.FormItem{}))
			field.Settings = b.choosing(field.Settings, child.field, nil)
			out = append(out, field)
		}
		return out
	}
	for i := range item.Children {
		c := &item.Children[i]
		child, err := b.graph.resolve(n.field.Code + "." + c.Field.Code)
		if err != nil || !b.holds(c.Read) {
			continue
		}
		label := c.Label
		if label.Zh == "" {
			label = c.Field.Label
		}
		field := b.child(child, formField(fieldPlan(child, c.Field.Code, label, c.DisplayFormat), c))
		field.Width = c.Width
		field.Settings = b.choosing(field.Settings, child.field, c)
		if field.ReadOnly = field.ReadOnly || !b.holds(c.Write) || c.UI.ReadOnly; field.ReadOnly {
			field.CellSchema, field.Rules = nil, nil
		}
		if c.Required != nil {
			field.RequiredRule = expression.JSON(b.visibleRowRule(n.field.Sheet, plan.AnyOf(c.Required, c.Field.RequiredIf)))
		}
		out = append(out, field)
	}
	return out
}

func (b *formBuilder) child(n node, field FormField) FormField {
	field.ReadOnly = field.ReadOnly || !b.writable(n.field)
	field.RequiredRule = expression.JSON(b.visibleRowRule(n.field.Model, n.field.RequiredIf))
	field.ComputeRule = b.computeRule(n.field)
	field.Computed, field.ComputeReads = n.field.Compute != nil, b.computeReads(n.field, field.ComputeRule)
	field.Rules = b.rules(n.field, field.ReadOnly)
	if l, ok := n.field.Property.(property.Limiter); ok && !field.ReadOnly {
		field.CellSchema = l.FormSchema()
	}
	return field
}

// writable reports whether some role of the caller may write the field; which rows, the save decides.
func (b *formBuilder) writable(f *catalog.Field) bool {
	right, _ := b.view.Field(f)
	return right == catalog.Writable && b.view.Can(b.form.Model, b.action) && !b.closed(f)
}

// closed reports whether the seal of the record keeps a field, or a column of a sub-table, as it was approved.
func (b *formBuilder) closed(f *catalog.Field) bool {
	if b.seal == nil || b.action == catalog.AmendAction {
		return false
	}
	if f.Model != b.form.Model {
		i := slices.IndexFunc(b.form.Model.Fields, func(of *catalog.Field) bool { return of.Sheet == f.Model })
		if i < 0 {
			return true
		}
		f = b.form.Model.Fields[i]
	}
	return !slices.Contains(b.seal.Open, f.Code)
}

// rowRights is nil where all may be done with the rows.
func (b *formBuilder) rowRights(sheet *catalog.Field) *RowRights {
	r := b.view.RowRights(sheet, b.action)
	if r == catalog.AllRows {
		return nil
	}
	return &RowRights{Add: r&catalog.AddRows != 0, Edit: r&catalog.EditRows != 0, Delete: r&catalog.DeleteRows != 0}
}

func (b *formBuilder) holds(roles *[]string) bool {
	return roles == nil || slices.ContainsFunc(*roles, b.view.Holds)
}

func (b *formBuilder) schema(n node, field FormField) map[string]any {
	out := map[string]any{"title": field.Name}
	if l, ok := n.field.Property.(property.Limiter); ok && !field.ReadOnly {
		maps.Copy(out, l.FormSchema())
	}
	return out
}
