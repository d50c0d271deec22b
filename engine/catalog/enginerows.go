package catalog

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// EngineRows describes a table of the engine whose rows belong to records of all models: tasks, comments, files. Conditions of lists and of
// registered queries name it as they name a sub-table, any(tasks_, .person == user.id). Such rows are read and never written through a model.
type EngineRows struct {
	Code  string // as conditions name it; no property may have it
	Table string
	// Via is the table that names the record: its id is in column From of Table; "" = Table itself names it.
	Via, From string
	// Record and Model are the columns, of Via or Table, with the record's id and the code of its model. Record is "" for files: the fields
	// that hold them lead to them.
	Record, Model string
	Where         plan.Expr // the rows that count; nil = all
	Columns       []EngineColumn
	// Follows is the system property whose right these rows have; "" = those who see the record see them.
	Follows string
}

// EngineColumn is a column of EngineRows. Ids are texts in tables of the engine.
type EngineColumn struct {
	Code, Column string
	Kind         plan.Kind
	Codes        []string   // the texts that there are; nil = any
	Blank        bool       // an empty text stands for the empty value
	Leads        bool       // an index begins with it
	Means        names.Kind // what its texts are codes of; "" = nothing
}

// Tables and lists of EngineRows.
const (
	TasksTable     = "sl_wf_item"
	InstancesTable = "sl_wf_instance"
	CommentsTable  = "sl_comment"
	FilesTable     = "sl_file"
	FileRows       = "files_"
)

// TaskLists are the lists that a task can be in; none holds a task that waits for its turn or was canceled.
var TaskLists = []string{"unfinished", "finished", "unread", "read"}

// inSomeList leaves out tasks that wait for their turn or were canceled.
var inSomeList = &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: "list", K: plan.Text}, G: &plan.Const{K: plan.Set, Value: TaskLists}}

var engineRows = []*EngineRows{
	{Code: "tasks_", Table: TasksTable, Via: InstancesTable, From: "instance", Record: "record", Model: "model", Follows: Participants, Where: inSomeList, Columns: []EngineColumn{
		{Code: "person", Column: "person", Kind: plan.ID, Leads: true},
		{Code: "list", Column: "list", Kind: plan.Text, Codes: TaskLists},
		{Code: "workflow", Column: "code", Kind: plan.Text, Means: names.Workflow},
		{Code: "node", Column: "node", Kind: plan.Text, Means: names.Node},
		{Code: "received", Column: "received", Kind: plan.Instant},
		{Code: "finished", Column: "finished", Kind: plan.Instant},
		{Code: "due", Column: "due", Kind: plan.Instant},
	}},
	{Code: "comments_", Table: CommentsTable, Record: "record", Model: "model", Where: plan.Negate(&plan.Field{Column: "deleted", K: plan.Bool}), Columns: []EngineColumn{
		{Code: "author", Column: "author", Kind: plan.ID, Leads: true},
		{Code: "text", Column: "text", Kind: plan.Text, Blank: true},
		{Code: "created", Column: "created_at", Kind: plan.Instant},
		{Code: "edited", Column: "edited_at", Kind: plan.Instant},
	}},
	{Code: FileRows, Table: FilesTable, Columns: []EngineColumn{
		{Code: "name", Column: "name", Kind: plan.Text},
		{Code: "type", Column: "mime", Kind: plan.Text, Blank: true},
		{Code: "size", Column: "size", Kind: plan.Int},
		{Code: "uploadedBy", Column: "created_by", Kind: plan.ID, Blank: true},
		{Code: "uploaded", Column: "created_at", Kind: plan.Instant},
	}},
}

// EngineRowsNamed finds rows of the engine by their code, without case; nil = there are none.
func EngineRowsNamed(code string) *EngineRows {
	for _, e := range engineRows {
		if strings.EqualFold(e.Code, code) {
			return e
		}
	}
	return nil
}

// EngineRowCodes lists the codes of all rows of the engine.
func EngineRowCodes() []string {
	out := make([]string, len(engineRows))
	for i, e := range engineRows {
		out[i] = e.Code
	}
	return out
}

// Column finds a column by its name in the table; nil when conditions can't name it.
func (e *EngineRows) Column(name string) *EngineColumn {
	for i := range e.Columns {
		if e.Columns[i].Column == name {
			return &e.Columns[i]
		}
	}
	return nil
}
