package access

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Kinds of ways.
const (
	ByWorkflow = "workflow" // a node shows its people the record, whatever their roles give
	ByPage     = "page"     // a public page is read with the rights of a role
	ByData     = "data"     // rows of packs give people roles
)

// Way is how people come to records or rights besides through their own roles: what a change opens or widens. Prints, reports, lists and pages that are not public show to
// each reader what their roles give, so they are none.
type Way struct {
	Kind   string      `json:"kind"`
	Code   string      `json:"code"` // of the workflow or page; of data the model
	Label  plan.Label  `json:"label"`
	Node   string      `json:"node"`   // of a workflow
	Model  string      `json:"model"`  // whose records are shown; "" = rights
	People []string    `json:"people"` // who: kinds of participants with their values, or the keys of rows
	Roles  []string    `json:"roles"`  // of a page: whose rights visitors get; of data: that people get
	Fields []WayChange `json:"fields"` // that are shown or can be set now
}

// WayChange is a field that a node shows or lets be set, and did not before: "-", "r" or "rw".
type WayChange struct {
	Code   string `json:"code"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Ways are those that a change of definitions opens or widens.
func Ways(before, after *catalog.Catalog) []Way {
	out := []Way{}
	for _, w := range after.Workflows() {
		if w.Published {
			out = append(out, workflowWays(before.Workflow(w.Template.Code), w)...)
		}
	}
	for _, p := range after.Portals() {
		was := before.Portal(p.Code)
		if p.Published && p.Public && p.PublicRole != "" && (was == nil || !was.Published || !was.Public || !strings.EqualFold(was.PublicRole, p.PublicRole)) {
			out = append(out, Way{Kind: ByPage, Code: p.Code, Label: p.Label, People: []string{}, Roles: []string{p.PublicRole}, Fields: []WayChange{}})
		}
	}
	return append(out, dataWays(before, after)...)
}

// workflowWays are the nodes whose people are others than before, or get more of the record.
func workflowWays(was, is *catalog.Workflow) (out []Way) {
	for _, n := range is.Template.Nodes {
		node := is.Nodes[n.ID]
		if node == nil || !acts(n.Type) {
			continue
		}
		var old *catalog.WorkflowNode
		if was != nil && was.Published && was.Model.Code == is.Model.Code {
			old = was.Nodes[n.ID]
		}
		same := old != nil && old.Node != nil && old.Node.Type == n.Type && people(old) == people(node)
		way := Way{Kind: ByWorkflow, Code: is.Template.Code, Label: is.Label, Node: n.ID, Model: is.Model.Code, People: who(node.Participants), Roles: []string{}, Fields: []WayChange{}}
		for _, code := range slices.Sorted(maps.Keys(fields(is.Model))) {
			b, a := catalog.Hidden, rightAt(node, n.Type, code)
			if same {
				b = rightAt(old, n.Type, code)
			}
			if a > b {
				way.Fields = append(way.Fields, WayChange{code, right(b), right(a)})
			}
		}
		if len(way.Fields) > 0 {
			out = append(out, way)
		}
	}
	return out
}

// acts reports whether people get the record at a node. Who starts a workflow sees what their roles give.
func acts(t flow.NodeType) bool {
	return t == flow.Fill || t == flow.Approve || t == flow.Circulate
}

func rightAt(n *catalog.WorkflowNode, t flow.NodeType, code string) catalog.FieldRight {
	if sheet, _, column := strings.Cut(code, "."); column {
		if of, named := n.Fields[sheet]; named && of.Hidden {
			return catalog.Hidden
		}
	}
	of, named := n.Fields[code]
	switch {
	case !named && t == flow.Fill:
		return catalog.Writable
	case !named:
		return catalog.Readable
	case of.Hidden:
		return catalog.Hidden
	case of.Rows() != 0:
		return catalog.Writable
	}
	return catalog.Readable
}

// people tells participants of a node apart.
func people(n *catalog.WorkflowNode) string { return fmt.Sprint(who(n.Participants)) }

// who are participants in words of documents: "role clerk", "field inspector".
func who(in []catalog.Participant) []string {
	out := []string{}
	for _, p := range in {
		if p.Scope.Kind == "org" { // the whole organization, as without a word
			p.Scope.Kind = ""
		}
		one := strings.TrimSpace(string(p.Kind) + " " + strings.Join(append(slices.Clone(p.Values), p.Path.Code, p.Node, p.Scope.Kind+p.Scope.Path.Code, p.Of.Kind+p.Of.Path.Code), " "))
		if p.Formula != nil {
			one += " " + plan.Format(p.Formula)
		}
		if len(p.Candidates) > 0 {
			one += " (" + strings.Join(who(p.Candidates), "; ") + ")"
		}
		if len(p.Exclude) > 0 {
			one += " - " + strings.Join(who(p.Exclude), "; ")
		}
		out = append(out, strings.Join(strings.Fields(one), " "))
	}
	return out
}

// fields are the properties of a model and the columns of its sub-tables, by the names that nodes use.
func fields(m *catalog.Model) map[string]*catalog.Field {
	out := map[string]*catalog.Field{}
	for _, f := range m.Fields {
		if f.System {
			continue
		}
		out[f.Code] = f
		if f.Sheet == nil {
			continue
		}
		for _, column := range f.Sheet.Fields {
			if !column.System {
				out[f.Code+"."+column.Code] = column
			}
		}
	}
	return out
}

// dataWays are the rows of packs that give roles, and were not among theirs before with the same roles.
func dataWays(before, after *catalog.Catalog) (out []Way) {
	known := map[string]bool{}
	each(before, func(d *catalog.Data, key string, roles []string) { known[keyOf(d, key, roles)] = true })
	at := map[string]int{}
	each(after, func(d *catalog.Data, key string, roles []string) {
		if known[keyOf(d, key, roles)] {
			return
		}
		group := d.Model.Code + "\x00" + strings.Join(roles, "\x00")
		i, has := at[group]
		if !has {
			i = len(out)
			at[group] = i
			out = append(out, Way{Kind: ByData, Code: d.Model.Code, Label: d.Model.Label, People: []string{}, Roles: roles, Fields: []WayChange{}})
		}
		out[i].People = append(out[i].People, key)
	})
	return out
}

func keyOf(d *catalog.Data, key string, roles []string) string {
	text, _ := json.Marshal([]any{d.Pack, d.Model.Code, key, roles}) // texts
	return string(text)
}

// each calls f for the rows of packs that name roles.
func each(c *catalog.Catalog, f func(d *catalog.Data, key string, roles []string)) {
	for _, p := range c.Packs {
		for i := range p.Data {
			d := &p.Data[i]
			for _, row := range d.Rows {
				roles := rolesIn(d.Model, row)
				if len(roles) == 0 {
					continue
				}
				key := make([]string, len(d.Key))
				for i, k := range d.Key {
					key[i] = fmt.Sprint(row[k])
				}
				f(d, strings.Join(key, ", "), roles)
			}
		}
	}
}

// rolesIn are the codes of roles that a row gives, in it or in rows of its sub-tables.
func rolesIn(m *catalog.Model, row map[string]any) (out []string) {
	for code, v := range row {
		f := m.Field(code)
		switch {
		case f == nil:
		case f.Sheet != nil:
			rows, _ := v.([]any)
			for _, one := range rows {
				if inner, ok := one.(map[string]any); ok {
					out = append(out, rolesIn(f.Sheet, inner)...)
				}
			}
		case f.Target != nil && f.Target.Code == "role":
			out = append(out, codesIn(v)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// codesIn are the codes of a value that refers to several records, as rows write it.
func codesIn(v any) (out []string) {
	switch x := v.(type) {
	case string:
		for _, one := range strings.FieldsFunc(x, func(c rune) bool { return c == ';' || c == ',' }) {
			out = append(out, strings.TrimSpace(one))
		}
	case []any:
		for _, one := range x {
			out = append(out, codesIn(one)...)
		}
	case []string:
		out = append(out, x...)
	case map[string]any:
		out = append(out, codesIn(x["code"])...)
	}
	return out
}
