package report

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
)

// document is reports/<code>.json.
type document struct {
	def.Head
	Exports []string  `json:"exports"`
	Filters []filter  `json:"filters"`
	Sets    []dataSet `json:"dataSets"`
	Charts  []chart   `json:"charts"`
}

type filter struct {
	def.Named
	Node         *source.Node `json:"@"`
	Code         string       `json:"code"`
	SchemaCode   string       `json:"schemaCode"`
	PropertyCode string       `json:"propertyCode"`
	Operator     string       `json:"queryFilterType"`
	Default      string       `json:"defaultValue"`
	Start        string       `json:"startValue"`
	End          string       `json:"endValue"`
	ChoiceType   string       `json:"choiceType"`
	Visible      *bool        `json:"visible"`
}

type dataSet struct {
	def.Named
	Node      *source.Node `json:"@"`
	Code      string       `json:"code"`
	Sheet     string       `json:"sheet"`
	Condition string       `json:"condition"`
	Filters   []setFilter  `json:"filters"`
	Groups    []group      `json:"groups"`
	Measures  []measure    `json:"measures"`
	Order     []order      `json:"orderBy"`
	Top       int          `json:"top"`
	Others    bool         `json:"others"`
}

// setFilter names a filter; a bare text is its code.
type setFilter struct {
	Node         *source.Node `json:"@"`
	Filter       string       `json:"filter"`
	PropertyCode string       `json:"propertyCode"`
}

// DecodeNode reads either form.
func (f *setFilter) DecodeNode(n *source.Node) {
	source.DecodeShort(n, f, &f.Filter)
}

// group is what rows are grouped by; a bare text is its property.
type group struct {
	def.Named
	Node         *source.Node `json:"@"`
	PropertyCode string       `json:"propertyCode"`
	Code         string       `json:"code"`
	TimeStep     string       `json:"timeStep"`
	FillGaps     bool         `json:"fillGaps"`
	Level        int          `json:"level"`
}

// code is what charts call it: the last part of its property where the document gives no other.
func (g *group) code() string {
	if g.Code != "" {
		return g.Code
	}
	return g.PropertyCode[strings.LastIndexByte(g.PropertyCode, '.')+1:]
}

// DecodeNode reads either form.
func (g *group) DecodeNode(n *source.Node) {
	source.DecodeShort(n, g, &g.PropertyCode)
}

type measure struct {
	def.Named
	Node          *source.Node `json:"@"`
	Code          string       `json:"code"`
	SumType       string       `json:"sumType"`
	DisplayFormat string       `json:"displayFormat"`
	Scale         *int         `json:"scale"`
	Unit          string       `json:"unit"`
	PropertyCode  string       `json:"propertyCode"`
	Formula       string       `json:"formula"`
	Condition     string       `json:"condition"`
	Numerator     string       `json:"numerator"`
	Denominator   string       `json:"denominator"`
	Measure       string       `json:"measure"`
	With          string       `json:"with"`
	As            string       `json:"as"`
}

// order sorts by a group or a measure; a bare text is its code.
type order struct {
	Node      *source.Node `json:"@"`
	Code      string       `json:"code"`
	Direction string       `json:"direction"`
}

// DecodeNode reads either form.
func (o *order) DecodeNode(n *source.Node) {
	source.DecodeShort(n, o, &o.Code)
}

// chart names a data set, and in its options groups and measures of it.
type chart struct {
	def.Named
	Node      *source.Node `json:"@"`
	Code      string       `json:"code"`
	ChartType string       `json:"chartType"`
	DataSet   string       `json:"dataSet"`
}
