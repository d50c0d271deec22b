package def

import (
	"github.com/sluice-platform/sluice/engine/source"
)

// List is lists/<code>.json.
type List struct {
	Head
	SchemaCode   string       `json:"schemaCode"`
	Condition    string       `json:"condition"`
	OrderBy      []OrderBy    `json:"orderBy"`
	Conditions   []Condition  `json:"queryConditions"`
	Columns      []ListColumn `json:"queryColumns"`
	Actions      []ListAction `json:"queryActions"`
	Presentation Presentation `json:"queryPresentation"`
}

// OrderBy is a sort key of a list.
type OrderBy struct {
	Node         *source.Node `json:"@"`
	PropertyCode string       `json:"propertyCode"`
	Direction    string       `json:"direction"` // ascending (default) descending
}

// Condition is a control of the filter panel.
type Condition struct {
	Node *source.Node `json:"@"`
	Named
	PropertyCode    string   `json:"propertyCode"`
	QueryFilterType string   `json:"queryFilterType"`
	DisplayFormat   string   `json:"displayFormat"`
	DefaultValue    string   `json:"defaultValue"`
	StartValue      string   `json:"startValue"`
	EndValue        string   `json:"endValue"`
	Options         []string `json:"options"`
	Visible         *bool    `json:"visible"`
	ChoiceType      string   `json:"choiceType"`
	AccurateSearch  bool     `json:"accurateSearch"`
	DisplayType     string   `json:"displayType"`
	DefaultState    string   `json:"defaultState"`
	// RelativeQueryCode is the list that the picker of a relation opens; default: the model's first.
	RelativeQueryCode string `json:"relativeQueryCode"`
}

// ListColumn is a column of a list. ChildColumns are properties of the sub-table.
type ListColumn struct {
	Node *source.Node `json:"@"`
	Named
	PropertyCode  string       `json:"propertyCode"`
	Width         int          `json:"width"` // pixels; default 176
	DisplayFormat string       `json:"displayFormat"`
	SumType       string       `json:"sumType"`
	Visible       *bool        `json:"visible"`
	ChildColumns  []ListColumn `json:"childColumns"`
}

// ListAction is a button of a list.
type ListAction struct {
	Node *source.Node `json:"@"`
	Named
	ActionCode      string            `json:"actionCode"`
	QueryActionType string            `json:"queryActionType"` // default: actionCode
	AssociationType string            `json:"associationType"` // none workflow form action url script list
	AssociationCode string            `json:"associationCode"`
	Row             bool              `json:"row"`
	EnabledFormula  string            `json:"enabledFormula"`
	Hint            string            `json:"hint"` // shown when the button is pointed at
	HintI18n        map[string]string `json:"hint_i18n"`
	Confirm         string            `json:"confirm"` // asked before it runs
	ConfirmI18n     map[string]string `json:"confirm_i18n"`
	Extend1         string            `json:"extend1"` // of form and list: the relation that points back to this model
	Attributes      map[string]any    `json:"attributes"`
}

// Presentation is how a list is drawn.
type Presentation struct {
	Node                 *source.Node `json:"@"`
	Type                 string       `json:"presentationType"` // table tree gantt
	FixedLeftColumns     []string     `json:"fixedLeftColumns"`
	FixedRightColumns    []string     `json:"fixedRightColumns"`
	QueryPanelColumns    int          `json:"queryPanelColumns"` // default 3
	FixedHeader          *bool        `json:"fixedHeader"`       // default true
	RowOrdinal           *bool        `json:"rowOrdinal"`        // default true
	RowSelectable        *bool        `json:"rowSelectable"`     // default: when some action takes ticked rows
	ColumnResizable      *bool        `json:"columnResizable"`   // default true
	ScrollbarAutoHidding bool         `json:"scrollbarAutoHidding"`
	Layout               []PagePart   `json:"htmlJson"` // parts of the page, in order; all of them by default
	Script               string       `json:"script"`
	Style                string       `json:"style"`
	Gantt                Gantt        `json:"gantt"`
	ScriptFile           *File        // what Script names; nil when it names none
	StyleFile            *File        // what Style names
}

// Gantt says which properties of a list's model make its chart.
type Gantt struct {
	Node                  *source.Node `json:"@"` // nil when the list has none
	TitlePropertyCode     string       `json:"titlePropertyCode"`
	StartTimePropertyCode string       `json:"startTimePropertyCode"`
	EndTimePropertyCode   string       `json:"endTimePropertyCode"`
	ProgressPropertyCode  string       `json:"progressPropertyCode"` // a share, or a state: finish 0, doing 1, undo -1
	LevelPropertyCode     string       `json:"levelPropertyCode"`    // group 0, company 1, project 2
	OrderPropertyCode     string       `json:"orderPropertyCode"`    // Number; rows are put in order by dragging
}

// DecodeNode reads either form.
func (o *OrderBy) DecodeNode(n *source.Node) {
	source.DecodeShort(n, o, &o.PropertyCode)
}

// DecodeNode reads either form.
func (c *Condition) DecodeNode(n *source.Node) {
	source.DecodeShort(n, c, &c.PropertyCode)
}

// DecodeNode reads either form.
func (c *ListColumn) DecodeNode(n *source.Node) {
	source.DecodeShort(n, c, &c.PropertyCode)
}

// DecodeNode reads either form.
func (a *ListAction) DecodeNode(n *source.Node) {
	source.DecodeShort(n, a, &a.ActionCode)
	if a.QueryActionType == "" {
		a.QueryActionType = a.ActionCode
	}
}
