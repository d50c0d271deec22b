package def

import (
	"github.com/sluice-platform/sluice/engine/source"
)

// Form is forms/<code>.json.
type Form struct {
	Head
	SchemaCode string         `json:"schemaCode"`
	Columns    int            `json:"columns"` // default 2
	Items      []FormItem     `json:"items"`
	Actions    []FormAction   `json:"actions"`
	Script     string         `json:"script"`
	ScriptFile *File          // what Script names; nil when it names none
	UISchema   map[string]any `json:"uiSchema"`

	ExternalLink bool `json:"externalLink"`
}

// FormAction is a button of a form: a word that forms know, or one that the definition makes itself.
type FormAction struct {
	Node *source.Node `json:"@"`
	Named
	ActionCode      string            `json:"actionCode"`
	AssociationType string            `json:"associationType"` // none workflow form action url script list
	AssociationCode string            `json:"associationCode"`
	EnabledFormula  string            `json:"enabledFormula"`
	Hint            string            `json:"hint"`
	HintI18n        map[string]string `json:"hint_i18n"`
	Confirm         string            `json:"confirm"`
	ConfirmI18n     map[string]string `json:"confirm_i18n"`
	Extend1         string            `json:"extend1"`
	Attributes      map[string]any    `json:"attributes"`
}

// Button is the action as a list's button for one record.
func (a FormAction) Button() ListAction {
	return ListAction{Node: a.Node, Named: a.Named, ActionCode: a.ActionCode, QueryActionType: "custom", AssociationType: a.AssociationType,
		AssociationCode: a.AssociationCode, Row: true, EnabledFormula: a.EnabledFormula, Hint: a.Hint, HintI18n: a.HintI18n, Confirm: a.Confirm,
		ConfirmI18n: a.ConfirmI18n, Extend1: a.Extend1, Attributes: a.Attributes}
}

// FormItem is a field, or a Section, Tabs or RelatedList when Type is set.
type FormItem struct {
	Node *source.Node `json:"@"`
	Named
	Type            string            `json:"type"`
	PropertyCode    string            `json:"propertyCode"`
	QueryCode       string            `json:"queryCode"` // RelatedList
	Items           []FormItem        `json:"items"`
	Collapsed       bool              `json:"collapsed"`
	Columns         int               `json:"columns"` // of a Section; default: as around it
	Span            int               `json:"span"`
	Width           int               `json:"width"`
	DefaultValue    string            `json:"defaultValue"` // instead of the model's
	Placeholder     string            `json:"placeholder"`
	PlaceholderI18n map[string]string `json:"placeholder_i18n"`
	Help            string            `json:"help"`
	HelpI18n        map[string]string `json:"help_i18n"`
	DisplayFormula  string            `json:"displayFormula"`
	RequiredFormula string            `json:"requiredFormula"`
	DisplayFormat   string            `json:"displayFormat"`
	Read            *[]string         `json:"read"`      // role codes; nil = everybody
	Write           *[]string         `json:"write"`     // role codes; nil = everybody
	Condition       string            `json:"condition"` // on what the field offers
	Fill            map[string]string `json:"fill"`      // property here -> property of the chosen record
	ChildColumns    []FormItem        `json:"childColumns"`
	SumRow          []string          `json:"sumRow"`
}

// DecodeNode reads either form.
func (i *FormItem) DecodeNode(n *source.Node) {
	source.DecodeShort(n, i, &i.PropertyCode)
}

// DecodeNode reads either form.
func (a *FormAction) DecodeNode(n *source.Node) {
	source.DecodeShort(n, a, &a.ActionCode)
}
