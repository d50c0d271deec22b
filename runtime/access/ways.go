package access

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// Kinds of ways.
const (
	ByWorkflow = "workflow" // a node shows its people the record, whatever their roles give
	ByPage     = "page"     // a public page is read with the rights of a role
	ByData     = "data"     // rows of packs give people roles
)

// Way is access to records or rights that a change opens or widens apart from people's own roles. Prints, reports, lists and pages that are not public show to
// each reader what their roles give, so they are none.
type Way struct {
	Kind   string      `json:"kind"`
	Code   string      `json:"code"` // of the workflow or page; of data the model
	Label  plan.Label  `json:"label"`
	Node   Name        `json:"node"`   // of a workflow
	Model  Name        `json:"model"`  // of a workflow: whose records are shown
	People []Party     `json:"people"` // who
	Roles  []Name      `json:"roles"`  // of a page: whose rights visitors get; of data: that people get
	Fields []WayChange `json:"fields"` // that are shown or can be set now
}

// Name is something of a definition with what readers call it.
type Name struct {
	Code  string     `json:"code"`
	Label plan.Label `json:"label"`
}

// Row is the kind of a party that is a row of a pack.
const Row = "row"

// Party is one source of people: a participant of a node, or rows of a pack.
type Party struct {
	Kind   string  `json:"kind"`   // of a participant, or Row
	Names  []Name  `json:"names"`  // people, departments, groups, roles or rows; the node or property that people come from
	Of     string  `json:"of"`     // of roles: "byDept", "byField"; of leaders and superiors: "initiator", "previous", "field"
	Field  Name    `json:"field"`  // that Of names
	Below  bool    `json:"below"`  // departments below too
	Walks  bool    `json:"walks"`  // of leaders: departments above where there is none
	Levels int     `json:"levels"` // of leaders: which; of superiors: how many, 0 = all
	Until  Name    `json:"until"`  // of superiors: a role
	Text   string  `json:"text"`   // of an expression
	Among  []Party `json:"among"`  // of a choice; none = everybody
	Except []Party `json:"except"`
}

// WayChange is a field that a node shows or lets be set, and did not before: "-", "r" or "rw".
type WayChange struct {
	Name
	Before string `json:"before"`
	After  string `json:"after"`
}

// Ways are those that a change of definitions opens or widens.
func Ways(before, after *catalog.Catalog) []Way {
	out := []Way{}
	called := authz.RenamesBetween(before, after)
	for _, w := range after.Workflows() {
		if w.Published {
			out = append(out, workflowWays(after, before.Workflow(called.Document(names.Workflow, w.Template.Code)), w, called)...)
		}
	}
	for _, p := range after.Portals() {
		was := before.Portal(called.Document(names.Portal, p.Code))
		if p.Published && p.Public && p.PublicRole != "" && (was == nil || !was.Published || !was.Public || !strings.EqualFold(called.Role(was.PublicRole), p.PublicRole)) {
			out = append(out, Way{Kind: ByPage, Code: p.Code, Label: p.Label, People: []Party{}, Roles: roleNames(after, p.PublicRole), Fields: []WayChange{}})
		}
	}
	return append(out, dataWays(before, after, called)...)
}

// workflowWays are the nodes whose people are others than before, or get more of the record.
func workflowWays(c *catalog.Catalog, was, is *catalog.Workflow, called authz.Renames) (out []Way) {
	before := map[string]string{} // what properties were called
	if was != nil {
		for code := range fields(was.Model) {
			before[called.Field(was.Model, code)] = code
		}
	}
	nodes := map[string]*catalog.WorkflowNode{} // of before, by what they are called afterwards
	if was != nil {
		for id, n := range was.Nodes {
			nodes[called.Node(was, id)] = n
		}
	}
	for _, n := range is.Template.Nodes {
		node := is.Nodes[n.ID]
		if node == nil || !acts(n.Type) {
			continue
		}
		var old *catalog.WorkflowNode
		if was != nil && was.Published && called.Model(was.Model.Code) == is.Model.Code {
			old = nodes[n.ID]
		}
		same := old != nil && old.Node != nil && old.Node.Type == n.Type && samePeople(c, called.People(was, old.Participants), node.Participants)
		way := Way{Kind: ByWorkflow, Code: is.Template.Code, Label: is.Label, Node: Name{n.ID, node.Label}, Model: Name{is.Model.Code, is.Model.Label},
			People: parties(c, is, node.Participants), Roles: []Name{}, Fields: []WayChange{}}
		all := fields(is.Model)
		for _, code := range slices.Sorted(maps.Keys(all)) {
			b, a := catalog.Hidden, rightAt(node, n.Type, code)
			if same {
				b = rightAt(old, n.Type, codeBefore(before, code))
			}
			if a > b {
				way.Fields = append(way.Fields, WayChange{Name{code, all[code]}, right(b), right(a)})
			}
		}
		if len(way.Fields) > 0 {
			out = append(out, way)
		}
	}
	return out
}

// codeBefore is what a property was called; of a new one a code that no node names.
func codeBefore(before map[string]string, code string) string {
	was, ok := before[code]
	if sheet, _, column := strings.Cut(code, "."); !ok && column {
		return before[sheet] + "."
	}
	return was
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

// samePeople reports whether participants are the same; their weights decide nothing here.
func samePeople(c *catalog.Catalog, was, is []catalog.Participant) bool {
	return Called(parties(c, nil, was), codeOf, "\x00") == Called(parties(c, nil, is), codeOf, "\x00")
}

// parties are participants as reports tell them; without a workflow nodes are called by their ids.
func parties(c *catalog.Catalog, in *catalog.Workflow, of []catalog.Participant) []Party {
	out := []Party{}
	for _, p := range of {
		one := Party{Kind: string(p.Kind), Names: []Name{}, Below: p.Recursive, Walks: p.WalkUp, Among: parties(c, in, p.Candidates), Except: parties(c, in, p.Exclude)}
		switch p.Kind {
		case catalog.FromRole:
			one.Names = roleNames(c, p.Values...)
			if p.Scope.Kind != "org" { // the whole organization
				one.Of, one.Field = p.Scope.Kind, pathName(p.Scope.Path)
			}
		case catalog.FromDeptLeader, catalog.FromSuperiors:
			one.Of, one.Field, one.Levels = p.Of.Kind, pathName(p.Of.Path), p.Level+p.Levels // each kind has one of them
			if p.Until != "" {
				one.Until = roleNames(c, p.Until)[0]
			}
		case catalog.FromPreviousHandler:
			one.Names = []Name{{p.Node, plan.Label{Zh: p.Node}}}
			if in != nil && in.Nodes[p.Node] != nil {
				one.Names[0].Label = in.Nodes[p.Node].Label
			}
		case catalog.FromField:
			one.Names = []Name{pathName(p.Path)}
		default:
			for _, v := range p.Values {
				one.Names = append(one.Names, Name{v, plan.Label{Zh: v}})
			}
		}
		if p.Formula != nil {
			one.Text = plan.Format(p.Formula)
		}
		out = append(out, one)
	}
	return out
}

// pathName is a property that a path leads to, with the names of what is on the way.
func pathName(p catalog.Path) Name {
	if p.Field == nil {
		return Name{}
	}
	out := Name{Code: p.Code}
	for _, step := range p.Steps {
		out.Label = within(out.Label, step.Label)
	}
	out.Label = within(out.Label, p.Field.Label)
	return out
}

// within is a label behind the one of what it belongs to.
func within(outer, inner plan.Label) plan.Label {
	if outer.Zh == "" {
		return inner
	}
	out := plan.Label{Zh: outer.Zh + " / " + inner.Zh, I18n: map[string]string{}}
	for locale := range inner.I18n {
		out.I18n[locale] = outer.In(locale) + " / " + inner.In(locale)
	}
	return out
}

// roleNames are roles with their labels; an unknown one has its code.
func roleNames(c *catalog.Catalog, codes ...string) []Name {
	out := []Name{}
	for _, code := range codes {
		name := Name{code, plan.Label{Zh: code}}
		if r := c.Role(code); r != nil {
			name.Label = r.Label
		}
		out = append(out, name)
	}
	return out
}

// CallPeople gives people and departments of parties the names that they have in a directory.
func CallPeople(ways []Way, called property.Names) {
	for i := range ways {
		callParties(ways[i].People, called)
	}
}

func callParties(of []Party, called property.Names) {
	models := map[string]string{string(catalog.FromPerson): "user", string(catalog.FromDept): "department"}
	for i := range of {
		if model, ok := models[of[i].Kind]; ok {
			for j, one := range of[i].Names {
				if found, ok := called.Name(plan.Ref{Model: model, ID: one.Code}); ok {
					of[i].Names[j].Label = plan.Label{Zh: found.Name}
				}
			}
		}
		callParties(of[i].Among, called)
		callParties(of[i].Except, called)
	}
}

// String is a party in words of documents: "role clerk", "field inspector".
func (p Party) String() string { return p.said(codeOf) }

func codeOf(n Name) string { return n.Code }

func (p Party) said(called func(Name) string) string {
	words := []string{p.Kind}
	if p.Kind == Row {
		words = nil
	}
	for _, one := range p.Names {
		words = append(words, called(one))
	}
	words = append(words, p.Of, called(p.Field), called(p.Until), p.Text)
	if p.Below {
		words = append(words, "recursive")
	}
	if p.Walks {
		words = append(words, "walkUp")
	}
	if p.Levels > 0 {
		words = append(words, strconv.Itoa(p.Levels))
	}
	if len(p.Among) > 0 {
		words = append(words, "("+Called(p.Among, called, "; ")+")")
	}
	if len(p.Except) > 0 {
		words = append(words, "- "+Called(p.Except, called, "; "))
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// Called are parties with their names as called says them.
func Called(of []Party, called func(Name) string, between string) string {
	out := make([]string, len(of))
	for i, one := range of {
		out[i] = one.said(called)
	}
	return strings.Join(out, between)
}

// fields are the properties of a model and the columns of its sub-tables, by the names that nodes use.
func fields(m *catalog.Model) map[string]plan.Label {
	out := map[string]plan.Label{}
	for _, f := range m.Fields {
		if f.System {
			continue
		}
		out[f.Code] = f.Label
		if f.Sheet == nil {
			continue
		}
		for _, column := range f.Sheet.Fields {
			if !column.System {
				out[f.Code+"."+column.Code] = within(f.Label, column.Label)
			}
		}
	}
	return out
}

// dataWays are the rows of packs that give roles, and were not among theirs before with the same roles.
func dataWays(before, after *catalog.Catalog, called authz.Renames) (out []Way) {
	known := map[string]bool{}
	each(before, func(d *catalog.Data, key string, roles []string) {
		known[keyOf(called.Pack(d.Pack), called.Model(d.Model.Code), key, names.Former(roles).Map(called.Role))] = true
	})
	at := map[string]int{}
	each(after, func(d *catalog.Data, key string, roles []string) {
		if known[keyOf(d.Pack, d.Model.Code, key, roles)] {
			return
		}
		group := d.Model.Code + "\x00" + strings.Join(roles, "\x00")
		i, has := at[group]
		if !has {
			i = len(out)
			at[group] = i
			out = append(out, Way{Kind: ByData, Code: d.Model.Code, Label: d.Model.Label, People: []Party{{Kind: Row, Names: []Name{}, Among: []Party{}, Except: []Party{}}}, Roles: roleNames(after, roles...), Fields: []WayChange{}})
		}
		rows := &out[i].People[0]
		rows.Names = append(rows.Names, Name{key, plan.Label{Zh: key}})
	})
	return out
}

func keyOf(pack, model, key string, roles []string) string {
	slices.Sort(roles)
	text, _ := json.Marshal([]any{pack, model, key, roles}) // texts
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
