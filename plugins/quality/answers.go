package quality

import (
	"time"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// Answers of calls that are no trees or sheets. The document of the calls has their shapes from these types (action.Shape).

// Made is the record that a call made.
type Made struct {
	ID string `json:"id"`
}

// Added is what a call added to the breakdown, or would. Of a batch that is taken back, Undone are the nodes that went.
type Added struct {
	IDs       []string `json:"ids"` // of the nodes that were asked for, without those in them; none of a dry run
	Nodes     int      `json:"nodes"`
	Processes int      `json:"processes"`
	Sheets    int      `json:"sheets"`
	DryRun    bool     `json:"dryRun"`
	Batch     string   `json:"batch"` // by which it can be taken back
	Undone    int      `json:"undone"`
}

// Written is the version of a record after a change.
type Written struct {
	Version int64 `json:"version"`
}

// Deleted counts the records that a call deleted.
type Deleted struct {
	Deleted int `json:"deleted"`
}

// Page is a page of an answer. Pages count from 0; TotalElements are those of all pages, as far as the caller sees them.
type Page[T any] struct {
	Content       []T `json:"content"`
	TotalElements int `json:"totalElements"`
	Page          int `json:"page"`
	Size          int `json:"size"`
}

// usualSize is how many rows a page has when the caller does not say.
const usualSize = 20

func pageOf[T any](page, size int) Page[T] {
	if size == 0 {
		size = usualSize
	}
	return Page[T]{Content: []T{}, Page: page, Size: size}
}

// add counts a row, which is on the page or on another one.
func (p *Page[T]) add(row func() T) {
	if p.TotalElements/p.Size == p.Page {
		p.Content = append(p.Content, row())
	}
	p.TotalElements++
}

// LogLine is an entry of the log of a node.
type LogLine struct {
	ID         string    `json:"id"`
	Action     string    `json:"action"`
	UserID     string    `json:"userId"`
	UserName   string    `json:"userName"`
	Time       time.Time `json:"time"`
	Before     string    `json:"before"` // JSON: values by property
	After      string    `json:"after"`
	Remark     string    `json:"remark"`
	ObjectType string    `json:"objectType"` // a schemaCode
}

// Remarked is the remark that was made.
type Remarked struct {
	ID    string `json:"id"`
	LogID string `json:"logId"`
}

// Authority is what the caller can do, with a node or in general.
type Authority struct {
	CanAdd     bool        `json:"canAdd"`
	CanEdit    bool        `json:"canEdit"`
	CanDelete  bool        `json:"canDelete"`
	CanImport  bool        `json:"canImport"`
	CanReview  bool        `json:"canReview"`
	CanBind    bool        `json:"canBind"`
	Kinds      []string    `json:"kinds,omitzero"` // of a node: the kinds of inspections that the caller records there
	Concession *Concession `json:"concession,omitempty"`
}

// Recomputed counts the nodes that were evaluated again.
type Recomputed struct {
	Recomputed int `json:"recomputed"`
}

// Refusal is a node that stays, and why.
type Refusal struct {
	ID      string   `json:"id"`
	Reasons []string `json:"reasons"`
}

// Removal tells which nodes went, with what was below them, and which stay.
type Removal struct {
	Deleted int       `json:"deleted"`
	Refused []Refusal `json:"refused"`
}

// Bound are the bindings that were made; those that were there were passed over.
type Bound struct {
	IDs     []string `json:"ids"`
	Skipped int      `json:"skipped"`
}

// Unbound counts bindings that were removed.
type Unbound struct {
	Unbound int `json:"unbound"`
}

// Applied counts nodes that got the processes of a template, and those that had some.
type Applied struct {
	Created int `json:"created"`
	Skipped int `json:"skipped"`
}

// Replaced counts the processes of a node that became those of a list. Kept are those that have begun.
type Replaced struct {
	Created int `json:"created"`
	Updated int `json:"updated"`
	Deleted int `json:"deleted"`
	Kept    int `json:"kept"`
}

// Usable is a model that a sheet can be begun of.
type Usable struct {
	SchemaCode   string `json:"schemaCode"`
	Title        string `json:"title"`
	SheetCode    string `json:"sheetCode"`
	WorkflowCode string `json:"workflowCode"`
	BizID        string `json:"bizId,omitempty"` // of a process: its binding
}

// LibrarySynced counts what was copied to whole projects.
type LibrarySynced struct {
	Targets         int  `json:"targets"`
	Nodes           int  `json:"nodes"`
	SheetsAdded     int  `json:"sheetsAdded"`
	Renamed         int  `json:"renamed"`
	Deactivated     int  `json:"deactivated"`
	KeptBecauseUsed int  `json:"keptBecauseUsed"`
	DryRun          bool `json:"dryRun"`
}

// Attached is the template of a node: the revision that it has, the current one, and what differs. All is empty for a node without one.
type Attached struct {
	Template *TemplateName `json:"template"`
	Version  *int64        `json:"version"`
	Current  *int64        `json:"current"`
	Drift    Difference    `json:"drift"`
}

// TemplateName is a template by name.
type TemplateName struct {
	ID    string `json:"id"`
	Code  string `json:"code"`
	Title string `json:"title"`
}

// NodeStatistics are the counts of a node, and of the nodes below it.
type NodeStatistics struct {
	Self     Statistics    `json:"self"`
	Children []*Statistics `json:"children"`
}

// ProjectStatistics are the counts of a project. Sums over nodes of which the caller sees none are null.
type ProjectStatistics struct {
	Nodes   map[string]map[string]int `json:"nodes"` // by type and state
	Sheets  *Done                     `json:"sheets"`
	Lots    *Done                     `json:"lots"` // the lowest nodes that are lots or have sheets; done are those that have sheets and all of them done
	NCROpen *int64                    `json:"ncrOpen"`
	Trend   []*Month                  `json:"trend"`
}

// RecordLine is a row of a list of inspection records.
type RecordLine struct {
	ID                 string  `json:"id"`
	SequenceNo         string  `json:"sequenceNo"`
	QbsID              string  `json:"qbsId"`
	QbsName            string  `json:"qbsName"`
	QbsCode            string  `json:"qbsCode"`
	GroupID            *string `json:"groupId"`
	GroupName          string  `json:"groupName"`
	RecordKind         string  `json:"recordKind"`
	Round              int64   `json:"round"`
	Inspector          string  `json:"inspector"`
	InspectorName      string  `json:"inspectorName"`
	CheckDate          *string `json:"checkDate"` // 2026-03-01
	Part               string  `json:"part"`
	State              string  `json:"state"`
	Status             string  `json:"status"` // the same as state
	Conclusion         string  `json:"conclusion"`
	Points             int64   `json:"points"`
	OKPoints           int64   `json:"okPoints"`
	Rate               *string `json:"rate"` // a share as a decimal text
	RuleCode           string  `json:"ruleCode"`
	RuleRevision       int64   `json:"ruleRevision"`
	WorkflowInstanceID *string `json:"workflowInstanceId"`
}

func recordLine(row world.Row) RecordLine {
	return RecordLine{ID: row.ID, SequenceNo: row.Text("sequenceNo"), QbsID: row.Text(codes.QbsID), QbsName: row.Text(codes.QbsIDName), QbsCode: row.Text(codes.QbsIDCode), GroupID: maybe(row.Text(codes.GroupID)),
		GroupName: row.Text(codes.GroupIDGroupName), RecordKind: row.Text(codes.RecordKind), Round: whole(row.Values[codes.Round]), Inspector: row.Text(codes.Inspector), InspectorName: row.Text(codes.InspectorName),
		CheckDate: maybe(text(row.Values[codes.CheckDate])), Part: row.Text(codes.Part), State: row.Text(codes.State), Status: row.Text(codes.State), Conclusion: row.Text(codes.Conclusion),
		Points: whole(row.Values[codes.Points]), OKPoints: whole(row.Values[codes.OkPoints]), Rate: share(row.Values[codes.Rate]), RuleCode: row.Text(codes.RuleCode), RuleRevision: whole(row.Values[codes.RuleRevision]),
		WorkflowInstanceID: maybe(row.Text("workflowInstanceId"))}
}

// Group is a group of people who check parts of the works.
type Group struct {
	ID                string   `json:"id"`
	Version           int64    `json:"version"`
	GroupName         string   `json:"groupName"`
	Name              string   `json:"name"` // the same
	Leader            Person   `json:"leader"`
	Members           []Person `json:"members"`
	QbsIDs            []string `json:"qbsIds"`
	ItemCodes         []string `json:"itemCodes"`
	RecordSchemaCodes string   `json:"recordSchemaCodes"` // parted by commas
	StartDate         *string  `json:"startDate"`
	EndDate           *string  `json:"endDate"`
	AllowOverlap      bool     `json:"allowOverlap"`
	GroupKind         string   `json:"groupKind"`
	CreatedBy         Person   `json:"createdBy"`
}

// GroupChoices is what a form for a new group offers.
type GroupChoices struct {
	Users   []Person    `json:"users"`
	QbsTree []*TreeNode `json:"qbsTree"`
	Items   []ItemName  `json:"items"`
	Schemas []ModelName `json:"schemas"`
}

// ItemName is a check item by name, ModelName a model.
type (
	ItemName struct {
		ID        string `json:"id"`
		Code      string `json:"code"`
		Name      string `json:"name"`
		ItemClass string `json:"itemClass"`
		QbsType   string `json:"qbsType"`
	}
	ModelName struct {
		SchemaCode string `json:"schemaCode"`
		Name       string `json:"name"`
	}
)

// GroupAuthority says whether the caller may change a group.
type GroupAuthority struct {
	Auth bool `json:"auth"`
}

// maybe is a text that is null when it is empty.
func maybe(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// share is a number as a decimal text; null when it is empty.
func share(v any) *string {
	if d := number(v); d != nil {
		return maybe(d.String())
	}
	return nil
}

// ComponentsBound counts components that became bound to a node, those that were bound to it and were passed over, and those that got another name.
type ComponentsBound struct {
	Bound   int `json:"bound"`
	Skipped int `json:"skipped"`
	Renamed int `json:"renamed,omitempty"`
}

// ComponentsUnbound counts the bindings that were removed.
type ComponentsUnbound struct {
	Count int `json:"count"`
}

// ComponentInfo is what a click on a component in a model shows.
type ComponentInfo struct {
	Component ComponentValues `json:"component"`
	Qbs       *TreeNode       `json:"qbs"`
	Shares    []Share         `json:"shares"`
	Processes []Process       `json:"processes"`
	Records   []RecordLine    `json:"records"`
	Measure   struct {
		Limit *string `json:"limit"` // the design quantity of the node
		Done  *string `json:"done"`
	} `json:"measure"`
}

// ComponentValues are the values of a component; quantities are decimal texts.
type ComponentValues struct {
	ID       string  `json:"id"`
	Code     *string `json:"code"`
	GUID     *string `json:"guid"`
	Name     *string `json:"name"`
	IFCClass *string `json:"ifcClass"`
	Tag      *string `json:"tag"`
	Layer    *string `json:"layer"`
	Storey   *string `json:"storey"`
	Volume   *string `json:"volume"`
	Area     *string `json:"area"`
	Length   *string `json:"length"`
	ModelID  *string `json:"modelId"`
	Version  int64   `json:"version"`
}

// Share is the part of a component that belongs to a node.
type Share struct {
	QbsID string  `json:"qbsId"`
	Name  string  `json:"name"`
	Code  string  `json:"code"`
	Ratio *string `json:"ratio"`
}

// ComponentsByRule is what a run by a rule bound, or would; of one that is taken back, Undone and Batch.
type ComponentsByRule struct {
	Matched   int      `json:"matched,omitempty"`
	Unmatched []Match  `json:"unmatched,omitempty"`
	Bound     int      `json:"bound,omitempty"`
	Skipped   int      `json:"skipped,omitempty"`
	DryRun    bool     `json:"dryRun,omitempty"`
	Batch     **string `json:"batch,omitempty"` // null, or missing
	Pairs     []Pair   `json:"pairs,omitempty"`
	Undone    int      `json:"undone,omitempty"`
}

// LeafComponent is a component without parts.
type LeafComponent struct {
	ID   string `json:"id"`
	Code string `json:"code"`
	GUID string `json:"guid"`
	Name string `json:"name"`
}

// CodesImported counts components that were added and changed, and lists the mistakes of those that were left out.
type CodesImported struct {
	Inserted int         `json:"inserted"`
	Updated  int         `json:"updated"`
	Errors   []CodeError `json:"errors"`
}

// CodeError is a mistake in a cell of a file of component codes.
type CodeError struct {
	Row int `json:"row"`
	CellError
}

// Checked is a file of an import as it would be imported. Its token is good for half an hour, and once.
type Checked struct {
	Token   string      `json:"token"`
	Kind    string      `json:"kind"`
	Rows    []ImportRow `json:"rows"`
	OK      int         `json:"ok"`
	Bad     int         `json:"bad"`
	Ignored []string    `json:"ignored"` // headings
}

// Imported counts the rows of an import.
type Imported struct {
	Inserted int `json:"inserted"`
	Updated  int `json:"updated"`
	Skipped  int `json:"skipped"`
}
