package workflow

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// How a run of a rehearsal is over.
const (
	OutcomeEnded   = "ENDED"   // the instance came to its end
	OutcomeWaits   = "WAITS"   // somebody has a task and does nothing, or the initiator took it back
	OutcomeStuck   = "STUCK"   // an administrator would have to help
	OutcomeRefused = "REFUSED" // a decision of the script cannot be made
	OutcomeEndless = "ENDLESS" // it was given up after very many steps
)

// Words are a text in both languages.
type Words struct {
	Zh string `json:"zh"`
	En string `json:"en"`
}

// Rehearsed is how a workflow would go (api.yaml RehearsalReport).
type Rehearsed struct {
	Workflow string            `json:"workflowCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Model    string            `json:"schemaCode"`
	Proposed bool              `json:"proposed"`
	Runs     []RehearsedRun    `json:"runs"`
	Routes   []RouteCoverage   `json:"routes"`
	Nodes    []NodeCoverage    `json:"nodes"`
}

// RouteCoverage is how many runs took a way out of a split.
type RouteCoverage struct {
	Node Place `json:"node"`
	Route
	Taken int `json:"taken"`
}

// NodeCoverage is how many runs came to a node.
type NodeCoverage struct {
	Node    Place `json:"node"`
	Reached int   `json:"reached"`
}

// Route is a way out of a split.
type Route struct {
	To        string            `json:"to"`
	Name      string            `json:"name"`
	NameI18n  map[string]string `json:"name_i18n"`
	Condition string            `json:"condition"` // as its author wrote it; "" = none
	Default   bool              `json:"default"`
}

// RehearsedRun is one course.
type RehearsedRun struct {
	Initiator Person             `json:"initiator"`
	Name      string             `json:"instanceName"`
	Outcome   string             `json:"outcome"`
	Result    string             `json:"result"`
	Findings  []Finding          `json:"findings"`
	Steps     []RehearsedStep    `json:"steps"`
	Messages  []RehearsedMessage `json:"messages"`
	Never     []Place            `json:"never"`
	Nobody    []Deserted         `json:"nobody"`
	Unused    []int              `json:"unused"`
	Values    json.RawMessage    `json:"values"` // of the record at the end, as the caller may read them; null = not at all
	Ended     time.Time          `json:"endTime"`
	Track     *Track             `json:"track"`
}

// Finding is something that would go otherwise in earnest, or that nobody may have meant. Kind is "start", "record", "missing" or "unused".
type Finding struct {
	Kind string `json:"kind"`
	Node string `json:"activityCode"`
	Text Words  `json:"text"`
}

// Deserted is a node that nobody would have.
type Deserted struct {
	Place
	Reached bool     `json:"reached"`
	Policy  Words    `json:"policy"` // what becomes of it
	People  []Person `json:"instead"`
}

// RehearsedMessage is a message that would go out.
type RehearsedMessage struct {
	Type int      `json:"type"`
	Name Words    `json:"name"`
	Node string   `json:"activityCode"`
	To   []Person `json:"to"`
}

// RehearsedStep is one step of a run. Kind is the type of the node that it is about in small letters ("start", "fill", "approve", "circulate",
// "split", "service", "sub", "wait", "end"), or "decision", "time", "skip" or "stuck".
type RehearsedStep struct {
	Kind     string            `json:"kind"`
	Node     string            `json:"activityCode"`
	Name     string            `json:"activityName"`
	NameI18n map[string]string `json:"activityName_i18n"`
	Round    int               `json:"round"`
	At       time.Time         `json:"time"`
	Text     Words             `json:"text"`
	People   []Chosen          `json:"people"`
	Dropped  []Chosen          `json:"dropped"`
	Routes   []TriedRoute      `json:"routes"`
	Sets     []SetValue        `json:"sets"`
	By       *Person           `json:"person"`
	Verdict  string            `json:"action"`
	Scripted bool              `json:"scripted"`
	Refused  *Words            `json:"refused"`

	activity int
}

// Chosen is somebody who gets a task, or does not, with the reasons.
type Chosen struct {
	Person Person  `json:"person"`
	State  string  `json:"state"` // of the task; "" = there is none
	Why    []Words `json:"why"`
}

// TriedRoute is a way out of a split in a run.
type TriedRoute struct {
	Route
	Taken  bool      `json:"taken"`
	Holds  *bool     `json:"holds"` // null = it was not asked
	Values []Operand `json:"values"`
	Fault  *Words    `json:"fault"`
}

// Operand is a value that a condition read.
type Operand struct {
	Expression string `json:"expression"`
	Text       string `json:"text"` // "" = empty
	Hidden     bool   `json:"hidden"`
}

// SetValue is what an END writes into the record.
type SetValue struct {
	Property string            `json:"propertyCode"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Text     string            `json:"text"`
	Hidden   bool              `json:"hidden"`
}

func newRehearsed(w *catalog.Workflow, proposed bool) *Rehearsed {
	out := &Rehearsed{Workflow: w.Template.Code, Name: w.Label.Zh, NameI18n: i18n(w.Label), Model: w.Model.Code, Proposed: proposed, Runs: []RehearsedRun{}, Routes: []RouteCoverage{}, Nodes: []NodeCoverage{}}
	for _, n := range w.Template.Ordered() {
		at := Place{Node: n.ID, Name: w.Nodes[n.ID].Label.Zh, NameI18n: i18n(w.Nodes[n.ID].Label), Type: n.Type, People: []Person{}}
		out.Nodes = append(out.Nodes, NodeCoverage{Node: at})
		for i := range n.Routes {
			out.Routes = append(out.Routes, RouteCoverage{Node: at, Route: routeOf(w, n, i)})
		}
	}
	return out
}

// add adds a run to the coverage.
func (out *Rehearsed) add(w *catalog.Workflow, run RehearsedRun) {
	out.Runs = append(out.Runs, run)
	for i := range out.Nodes {
		if run.Track != nil && slices.ContainsFunc(run.Track.Nodes, func(n TrackNode) bool {
			return n.Node == out.Nodes[i].Node.Node && (len(n.Rounds) > 0 || n.State == "done" || n.State == "active" || n.State == "waiting")
		}) {
			out.Nodes[i].Reached++
		}
	}
	place := 0
	for _, n := range w.Template.Ordered() {
		for i := range n.Routes {
			if slices.ContainsFunc(run.Steps, func(s RehearsedStep) bool { return s.Node == n.ID && s.Kind == "split" && s.Routes[i].Taken }) {
				out.Routes[place].Taken++
			}
			place++
		}
	}
}

// routeOf is a route with the text of its condition.
func routeOf(w *catalog.Workflow, n *flow.Node, i int) Route {
	r := n.Routes[i]
	out := Route{To: r.To, NameI18n: map[string]string{}, Default: r.Default}
	if labels := w.Nodes[n.ID].RouteLabels; i < len(labels) {
		out.Name, out.NameI18n = labels[i].Zh, i18n(labels[i])
	}
	if r.When != nil {
		out.Condition = written(w, n.ID, r.To, plan.Format(r.When))
	}
	return out
}

// written is a condition as its author wrote it, where the document has one for that route alone.
func written(w *catalog.Workflow, node, to, otherwise string) string {
	var doc struct {
		Nodes []struct {
			ID     string
			Routes []json.RawMessage
		}
	}
	if json.Unmarshal(w.Document, &doc) != nil {
		return otherwise
	}
	found := ""
	for _, n := range doc.Nodes {
		for _, text := range n.Routes {
			var route struct{ To, When string }
			if n.ID != node || json.Unmarshal(text, &route) != nil || route.To != to || route.When == "" {
				continue
			}
			if found != "" {
				return otherwise
			}
			found = route.When
		}
	}
	if found == "" {
		return otherwise
	}
	return found
}
