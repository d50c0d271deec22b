package workflow

import (
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/source"
)

// document is workflows/<code>.json.
type document struct {
	def.Head
	SchemaCode string   `json:"schemaCode"`
	Published  *int     `json:"published"`
	Settings   settings `json:"settings"`
	Nodes      []node   `json:"nodes"`
	Hooks      []hook   `json:"hooks"`
}

type settings struct {
	Node         *source.Node `json:"@"`
	InstanceName string       `json:"instanceName"`
	Initiators   initiators   `json:"initiators"`
	AllowRevoke  string       `json:"allowRevoke"`
	AllowVoid    string       `json:"allowVoid"`
	Dedupe       string       `json:"dedupe"`
	SkipSelf     bool         `json:"skipInitiator"`
	Empty        emptyPolicy  `json:"emptyPolicy"`
	Most         int          `json:"maxParticipants"`
	Calendar     string       `json:"calendar"`
	UrgeInterval int          `json:"urgeIntervalMinutes"`
	MaxHops      int          `json:"maxHops"`
	Strict       bool         `json:"strictWithdraw"`
	StopAll      bool         `json:"stopAll"`
	Final        *bool        `json:"final"` // nil = true
	FinalExcept  []string     `json:"finalExcept"`
	Summary      []string     `json:"summary"`
	Notify       *notify      `json:"notify"`
}

type initiators struct {
	Node  *source.Node `json:"@"`
	All   *bool        `json:"all"` // nil = true
	Rules []initiator  `json:"rules"`
}

type initiator struct {
	Node      *source.Node `json:"@"`
	Type      string       `json:"type"`
	Value     []string     `json:"value"`
	Recursive *bool        `json:"recursive"` // nil = true
}

type emptyPolicy struct {
	Action string `json:"action"`
	User   string `json:"user"`
}

type notify struct {
	Channels       []string `json:"channels"`
	NodeCompleted  bool     `json:"nodeCompleted"`
	ItemsCompleted bool     `json:"itemsCompleted"`
}

type hook struct {
	Node    *source.Node `json:"@"`
	On      string       `json:"on"`
	At      string       `json:"node"`
	Service string       `json:"service"`
}

// node holds the keys of all types; the schema says which a type has.
type node struct {
	Node *source.Node `json:"@"`
	def.Named
	ID   string `json:"id"`
	Type string `json:"type"`
	Next []way  `json:"next"`

	Participants []participant `json:"participants"`
	Resolve      string        `json:"resolve"`
	Most         int           `json:"maxParticipants"`
	Empty        emptyPolicy   `json:"emptyPolicy"`
	Dedupe       string        `json:"dedupe"`
	SkipSelf     *bool         `json:"skipInitiator"` // nil = as the workflow
	Mode         string        `json:"mode"`
	FirstDecides *bool         `json:"firstDecides"` // nil = true
	Vote         bool          `json:"vote"`
	Early        *bool         `json:"early"` // nil = true
	Batch        bool          `json:"batch"`
	Actions      *[]string     `json:"actions"` // nil = those of the type
	AddSignAgain bool          `json:"addSignAgain"`
	AwaitAdvice  bool          `json:"awaitAdvice"`
	Reject       reject        `json:"reject"`
	Form         form          `json:"form"`
	Opinion      opinion       `json:"opinion"`
	Time         limits        `json:"time"`
	Notify       *notify       `json:"notify"`

	Kind   string  `json:"kind"` // SPLIT
	Routes []route `json:"routes"`

	Of     string `json:"of"` // JOIN
	Policy string `json:"policy"`
	Count  int    `json:"count"`

	Service string `json:"service"` // SERVICE
	Rule    string `json:"rule"`
	HTTP    *call  `json:"http"`
	Async   bool   `json:"async"`
	Retry   retry  `json:"retry"`

	Workflow    string `json:"workflowCode"` // SUB
	Each        string `json:"each"`
	Wait        string `json:"wait"`
	OnChildVoid string `json:"onChildVoid"`

	Signal string `json:"signal"` // WAIT

	Result    string `json:"result"` // END
	Terminate bool   `json:"terminate"`
}

// way is an entry of next; a bare text is the node that it leads to.
type way struct {
	Node *source.Node `json:"@"`
	To   string       `json:"to"`
	Exit string       `json:"exit"` // "" = agree
}

// DecodeNode reads either form.
func (w *way) DecodeNode(n *source.Node) {
	source.DecodeShort(n, w, &w.To)
}

// route is an entry of routes; a bare text is the node that it leads to.
type route struct {
	Node *source.Node `json:"@"`
	def.Named
	To      string `json:"to"`
	Order   *int   `json:"order"` // nil = its place
	Default bool   `json:"default"`
}

// DecodeNode reads either form.
func (r *route) DecodeNode(n *source.Node) {
	source.DecodeShort(n, r, &r.To)
}

type participant struct {
	Node       *source.Node  `json:"@"`
	Type       string        `json:"type"`
	Value      []string      `json:"value"`
	Scope      string        `json:"scope"`
	Recursive  bool          `json:"recursive"`
	Of         string        `json:"of"`   // deptLeader
	From       string        `json:"from"` // superiors
	Level      int           `json:"level"`
	WalkUp     *bool         `json:"walkUp"` // nil = true
	Levels     int           `json:"levels"`
	Until      string        `json:"until"`
	At         string        `json:"node"`
	Candidates []participant `json:"candidates"`
	Min        *int          `json:"min"` // nil = 1
	Max        int           `json:"max"`
	Exclude    []participant `json:"exclude"`
	Weight     int64         `json:"weight"`
}

type form struct {
	Sheet  string            `json:"sheetCode"`
	Fields map[string]string `json:"fields"`
}

type reject struct {
	Targets  []string `json:"targets"`
	Resubmit string   `json:"resubmit"`
}

type opinion struct {
	Required  string `json:"required"`
	MaxLength int    `json:"maxLength"`
	Signature bool   `json:"signature"`
	Secret    bool   `json:"secret"`
	Property  string `json:"propertyCode"`
}

type limits struct {
	Expect    *int      `json:"expectMinutes"`
	Timeout   *int      `json:"timeoutMinutes"`
	Calendar  string    `json:"calendar"`
	Superior  bool      `json:"tellSuperior"`
	OnTimeout []timeout `json:"onTimeout"`
}

type timeout struct {
	Node   *source.Node `json:"@"`
	Action string       `json:"action"`
	After  int          `json:"afterMinutes"`
	Repeat *int         `json:"repeatMinutes"`
	User   string       `json:"user"`
	To     string       `json:"to"`
}

type call struct {
	Method  string `json:"method"`
	URL     string `json:"url"`
	Timeout int    `json:"timeoutSeconds"`
}

type retry struct {
	Times   *int `json:"times"`
	Backoff int  `json:"backoffSeconds"`
}
