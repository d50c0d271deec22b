package catalog

import (
	"strings"

	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// KindWorkflow is the kind of documents whose Value is a *Workflow.
const KindWorkflow = "workflow"

// AmendAction is the right to change what a workflow has approved, for a reason.
const AmendAction = "amend"

// Workflow is a compiled workflow (docs/authoring.md, Workflows). Template is what the reducer walks over; the rest is what the runtime does
// for it: forms and rights of nodes, where people come from, texts, hooks.
type Workflow struct {
	Template     *flow.Template
	Pack         string
	Label        plan.Label
	Model        *Model
	Published    bool
	InstanceName string // template of an instance's name; "" = name of the workflow and the record's name
	Everybody    bool   // may start it; else Starters
	Starters     []Starter
	AdminVoids   bool     // only administrators void; else the initiator too
	Final        bool     // agreement seals the record: what people filled in stays as it was approved
	FinalExcept  []*Field // properties of the record that people change all the same
	Summary      []*Field // properties of the record that rows of tasks show
	Calendar     string   // "" = every minute counts
	UrgeInterval int      // minutes
	MaxHops      int      // how many delegations are followed, one behind the other
	Notify       Notify
	Nodes        map[string]*WorkflowNode // by the id of a node, one for each of Template.Nodes
	NamesNodes   bool                     // its expressions read what people made of its nodes (NodeVar)
	Hooks        []WorkflowHook
	Document     []byte // the definition in its canonical form: what versions are told apart by, and what editors get
}

// WorkflowNode is what a node of a workflow is besides its part of the template.
type WorkflowNode struct {
	Node         *flow.Node
	Label        plan.Label
	Participants []Participant
	Form         *Form
	Fields       map[string]NodeRight // by property, or sub-table.column; what is not here has the default of the node's type
	Closed       bool                 // an earlier version narrowed the right to something that cannot be found any more: what Fields does not name is hidden
	Opinion      Opinion
	Batch        bool
	// ChoosesResubmit: who rejects says how the instance comes back, instead of Node.Reject.Resubmit.
	ChoosesResubmit bool
	Time            TimeLimit
	Notify          Notify
	RouteLabels     []plan.Label // Split: of Template routes, in their order

	Service *ServiceCall // Service
	Sub     *SubWorkflow
	Until   plan.Expr // Wait
	Signal  string
	Key     plan.Expr
	Result  flow.Result // End
	Set     []Assignment
}

// NodeRight is what a node lets its people do with a property.
type NodeRight struct {
	Hidden, Write, Required bool
	AddRows, DeleteRows     bool
}

// ReadRight reads a right as authors write it in access documents and at nodes of workflows: "-", "r", "rw", at nodes "rw!", and behind that, for
// sub-tables, "+" where rows are added and "x" where they are deleted. "rw" of a sub-table is of the rows that are there. Schemas keep the form.
func ReadRight(text string) NodeRight {
	r := NodeRight{Hidden: text == "-", AddRows: strings.Contains(text, "+"), DeleteRows: strings.HasSuffix(text, "x")}
	r.Write = strings.HasPrefix(text, "rw")
	r.Required = strings.HasPrefix(text, "rw!")
	return r
}

// WriteRight is a right to a property as authors write it; rows are what may be done with those of a sub-table that is writable.
func WriteRight(f *Field, right FieldRight, rows RowRights) string {
	switch {
	case right == Hidden:
		return "-"
	case right == Readable || f != nil && f.Sheet != nil && rows == 0:
		return "r"
	case f == nil || f.Sheet == nil:
		return "rw"
	}
	out := "r"
	for _, one := range []struct {
		right  RowRights
		letter string
	}{{EditRows, "w"}, {AddRows, "+"}, {DeleteRows, "x"}} {
		if rows&one.right != 0 {
			out += one.letter
		}
	}
	return out
}

// Field is the right as a role would give it: a sub-table of which anything may be done with the rows is writable.
func (r NodeRight) Field() FieldRight {
	switch {
	case r.Hidden:
		return Hidden
	case r.Rows() != 0:
		return Writable
	}
	return Readable
}

// Rights are what the node says of properties, as a role would.
func (n *WorkflowNode) Rights() map[string]FieldRight {
	out := map[string]FieldRight{}
	for code, right := range n.Fields {
		out[code] = right.Field()
	}
	return out
}

// Hides reports whether the people of the node do not see a property of the record.
func (n *WorkflowNode) Hides(f *Field) bool {
	g := Grant{Rest: Readable, Fields: n.Rights()}
	if n.Closed {
		g.Rest = Hidden
	}
	return g.Right(f) == Hidden
}

// Hiding is the first node whose people do not see a property; nil for none. The name of an instance is one for all people: what some of them do not see is
// not in it.
func (w *Workflow) Hiding(f *Field) *WorkflowNode {
	for _, n := range w.Template.Nodes {
		if at := w.Nodes[n.ID]; at != nil && at.Hides(f) {
			return at
		}
	}
	return nil
}

// Rows is what the right lets be done with the rows of a sub-table.
func (r NodeRight) Rows() RowRights {
	var out RowRights
	for _, one := range []struct {
		given bool
		right RowRights
	}{{r.AddRows, AddRows}, {r.Write, EditRows}, {r.DeleteRows, DeleteRows}} {
		if one.given {
			out |= one.right
		}
	}
	return out
}

// ParticipantKind says where people come from.
type ParticipantKind string

// The kinds of participants, as authors write them.
const (
	FromPerson          ParticipantKind = "person"
	FromRole            ParticipantKind = "role"
	FromDept            ParticipantKind = "dept"
	FromDeptLeader      ParticipantKind = "deptLeader"
	FromSuperiors       ParticipantKind = "superiors"
	FromInitiator       ParticipantKind = "initiator"
	FromPreviousHandler ParticipantKind = "previousHandler"
	FromField           ParticipantKind = "field"
	FromInitiatorChoice ParticipantKind = "initiatorChoice"
	FromPreviousChoice  ParticipantKind = "previousChoice"
	FromExpression      ParticipantKind = "expression"
	FromProjectMember   ParticipantKind = "projectMember"
	FromGroup           ParticipantKind = "group"
)

// Participant is one source of people of a node.
type Participant struct {
	Kind       ParticipantKind
	Values     []string // ids of people, departments or groups; codes of roles
	Scope      Scope    // FromRole
	Recursive  bool     // FromDept
	Of         Whose    // FromDeptLeader, FromSuperiors
	Level      int      // FromDeptLeader: from 1
	WalkUp     bool     // FromDeptLeader
	Levels     int      // FromSuperiors; 0 = no limit
	Until      string   // FromSuperiors: a role
	Node       string   // FromPreviousHandler
	Path       Path     // FromField
	Formula    plan.Expr
	Candidates []Participant // of a choice; nil = everybody
	Min, Max   int           // of a choice; Max 0 = no limit
	Exclude    []Participant
	Weight     int64 // 0 = 1
}

// Scope narrows a role to a department or a record that a property holds.
type Scope struct {
	Kind string // "org", "byDept", "byField"
	Path Path
}

// Whose says whose leader or superior is meant.
type Whose struct {
	Kind string // "initiator", "previous", "field"
	Path Path
}

// Starter names people who may start a workflow.
type Starter struct {
	Kind      ParticipantKind // FromPerson, FromRole, FromDept, FromGroup
	Values    []string
	Recursive bool
}

// Opinion is what a node asks of its people's words.
type Opinion struct {
	Required  string // "never", "onReject", "onDisagree", "always"
	MaxLength int    // characters
	Signature bool
	Secret    bool   // other participants do not see it
	Property  string // of the model, that keeps it; "" = every property that keeps opinions
}

// TimeLimit is how long the people of a node have, in minutes of Calendar.
type TimeLimit struct {
	Expect, Timeout int // 0 = no limit
	Calendar        string
	TellSuperior    bool // of who is late, with them
	OnTimeout       []TimeoutStep
}

// TimeoutStep is one thing that happens after the time is over.
type TimeoutStep struct {
	Action string // "remind", "toSuperior", "toUser", "autoAgree", "autoReject", "jump", "exception"
	After  int    // minutes behind the step before
	Repeat int    // remind: minutes; 0 = once
	User   string
	To     string // jump: a node
}

// Notify is how messages of a workflow or a node go out.
type Notify struct {
	Channels       []string // STATION, MAIL, WEBHOOK; nil = as the people have chosen
	NodeCompleted  bool     // all people of a node hear that it is done
	ItemsCompleted bool     // the initiator hears of each finished item
}

// ServiceCall is what a service node calls.
type ServiceCall struct {
	Service, Rule  string
	Method, URL    string
	TimeoutSeconds int
	Input          map[string]plan.Expr
	Output         map[string]plan.Expr // by property; on "result"
	Async          bool
	Retries        int
	BackoffSeconds int
}

// SubWorkflow is what a sub-workflow node starts.
type SubWorkflow struct {
	Workflow      string
	Each          *Path // one for each row; nil = one
	When          plan.Expr
	Input, Output map[string]plan.Expr
	Wait          string // "ALL", "ANY", "NONE"
	IgnoreVoid    bool
}

// Assignment is what an END writes into the record.
type Assignment struct {
	Field   *Field
	Value   any // as the property's type reads it from the wire
	Formula plan.Expr
}

// WorkflowHook is code of a pack that an event runs.
type WorkflowHook struct {
	On, Node, Service string
}

// NodeVar is the name by which expressions of a workflow read what the people of a node made of it: node('check').result.
func NodeVar(id, part string) string { return "node('" + id + "')." + part }

// RenamedNodes is an expression of a workflow with the ids that now gives to the nodes whose results it reads.
func RenamedNodes(e plan.Expr, now func(id string) string) plan.Expr {
	var follow func(plan.Expr) plan.Expr
	follow = func(e plan.Expr) plan.Expr {
		v, ok := e.(*plan.Var)
		if !ok {
			return plan.Descend(e, follow)
		}
		id, part, node := strings.Cut(strings.TrimPrefix(v.Name, "node('"), "').")
		if !node || !strings.HasPrefix(v.Name, "node('") {
			return e
		}
		return &plan.Var{Name: NodeVar(now(id), part), K: v.K}
	}
	if e == nil {
		return nil
	}
	return follow(e)
}

// Workflow returns the workflow of that code, without case; nil when there is none.
func (c *Catalog) Workflow(code string) *Workflow {
	d := c.Document(KindWorkflow, code)
	if d == nil {
		return nil
	}
	w, _ := d.Value.(*Workflow)
	return w
}

// Workflows are all of them, in the order of their documents.
func (c *Catalog) Workflows() (out []*Workflow) {
	for _, d := range c.Documents {
		if w, ok := d.Value.(*Workflow); ok && d.Kind == KindWorkflow {
			out = append(out, w)
		}
	}
	return out
}
