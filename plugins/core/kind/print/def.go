package print

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
)

// document is prints/<code>.json.
type document struct {
	def.Head
	SchemaCode string   `json:"schemaCode"`
	SheetCode  string   `json:"sheetCode"`
	Condition  string   `json:"condition"`
	Setup      settings `json:"pageSettings"`
	Pages      []page   `json:"pages"`
	PrintJSON  *anyNode `json:"printJson"`

	pictures []string    // the names of files beside it
	found    []*def.File // of each of them
}

// anyNode keeps an object as it is written.
type anyNode struct{ Raw json.RawMessage }

// DecodeNode implements source.Decoder.
func (a *anyNode) DecodeNode(n *source.Node) { a.Raw = n.Raw() }

type settings struct {
	Node       *source.Node `json:"@"`
	Size       string       `json:"size"`
	Width      float64      `json:"width"`
	Height     float64      `json:"height"`
	Direction  string       `json:"direction"`
	Top        *float64     `json:"marginTop"`
	Bottom     *float64     `json:"marginBottom"`
	Left       *float64     `json:"marginLeft"`
	Right      *float64     `json:"marginRight"`
	Header     *band        `json:"header"`
	Footer     *band        `json:"footer"`
	NextHeader *band        `json:"nextHeader"`
	NextFooter *band        `json:"nextFooter"`
	Background *background  `json:"background"`
}

type background struct {
	Node    *source.Node `json:"@"`
	PicURL  string       `json:"picUrl"`
	Printed bool         `json:"printed"`
}

type band struct {
	Node     *source.Node `json:"@"`
	Top      *float64     `json:"top"`
	Align    string       `json:"align"`
	Items    []item       `json:"items"`
	FontSize float64      `json:"fontSize"`
	Pages    string       `json:"pages"`
}

// item is an entry of a band; a bare text is its key.
type item struct {
	Node *source.Node      `json:"@"`
	Key  string            `json:"key"`
	Text string            `json:"value"`
	I18n map[string]string `json:"value_i18n"`
}

// DecodeNode reads either form.
func (i *item) DecodeNode(n *source.Node) {
	source.DecodeShort(n, i, &i.Key)
}

type page struct {
	Node     *source.Node `json:"@"`
	Elements []element    `json:"elements"`
}

// style holds the keys of boxes.
type style struct {
	Node        *source.Node `json:"@"`
	BorderType  string       `json:"borderType"`
	BorderWidth *float64     `json:"borderWidth"`
	BorderColor string       `json:"borderColor"`
	FillColor   string       `json:"fillColor"`
	FontSize    float64      `json:"fontSize"`
	FontColor   string       `json:"fontColor"`
	Bold        bool         `json:"bold"`
	Italic      bool         `json:"italic"`
	Underline   bool         `json:"underline"`
	Horizontal  string       `json:"horizontalAlign"`
	Vertical    string       `json:"verticalAlign"`
}

type keyBox struct {
	style
	Text  *string           `json:"innerTxt"`
	I18n  map[string]string `json:"innerTxt_i18n"`
	Width float64           `json:"widthValue"`
}

// element holds the keys of all types; the schema says which a type has.
type element struct {
	style
	Type    string  `json:"eleType"`
	Left    float64 `json:"left"`
	Top     float64 `json:"top"`
	Width   float64 `json:"widthValue"`
	Height  float64 `json:"heightValue"`
	Formula string  `json:"displayFormula"`

	PropertyCode string  `json:"propertyCode"`
	Format       string  `json:"displayFormat"`
	AllOptions   bool    `json:"allOptions"`
	TextArea     string  `json:"textAreaType"`
	LeftKey      *keyBox `json:"leftKey"`
	RightValue   *keyBox `json:"rightValue"`

	Text string            `json:"text"`
	I18n map[string]string `json:"text_i18n"`

	HeadHeight *float64 `json:"headHeight"`
	BodyHeight *float64 `json:"bodyHeight"`
	Paging     string   `json:"sheetHeaderPagingAttr"`
	Widow      int      `json:"widowRows"`
	Below      float64  `json:"keepBelow"`
	Head       *style   `json:"head"`
	Body       *style   `json:"body"`
	QueryCode  string   `json:"queryCode"`
	Condition  string   `json:"condition"`
	Ordinal    bool     `json:"rowOrdinal"`
	MinRows    int      `json:"minRows"`
	PerSheet   int      `json:"rowsPerPage"`
	Columns    []column `json:"columns"`
	GroupBy    string   `json:"groupBy"`
	Carried    bool     `json:"carried"`

	PicURL      string            `json:"picUrl"`
	Fit         string            `json:"fit"`
	PerPage     int               `json:"perPage"`
	Across      int               `json:"photosAcross"`
	Caption     string            `json:"caption"`
	CaptionI18n map[string]string `json:"caption_i18n"`

	Radius float64 `json:"radius"`

	Symbology  string `json:"symbology"`
	ShowText   *bool  `json:"showText"`
	Content    string `json:"content"`
	Correction string `json:"errorCorrection"`

	Workflow string `json:"workflowCode"`
	At       string `json:"node"`
	Date     *bool  `json:"date"`
}

// column is an entry of columns; a bare text is its property, or its column of the log.
type column struct {
	Node *source.Node `json:"@"`
	def.Named
	PropertyCode string            `json:"propertyCode"`
	Log          string            `json:"column"`
	Group        string            `json:"group"`
	GroupI18n    map[string]string `json:"group_i18n"`
	Width        float64           `json:"widthValue"`
	Format       string            `json:"displayFormat"`
	Horizontal   string            `json:"horizontalAlign"`
	Sum          string            `json:"sumType"`
}

// DecodeNode reads either form.
func (c *column) DecodeNode(n *source.Node) {
	source.DecodeShort(n, c, &c.PropertyCode, &c.Log)
}
