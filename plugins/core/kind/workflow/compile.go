package workflow

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// What a workflow has where its document says nothing.
const (
	urgeMinutes    = 30
	opinionLength  = 200
	httpSeconds    = 30
	retries        = 3
	backoffSeconds = 10
	nameLength     = 50
	mostNodes      = 500
)

// vars are what expressions of workflows may name besides the record.
var vars = map[string]plan.Kind{"initiator.id": plan.ID, "initiator.name": plan.Text, "initiator.dept": plan.ID, "initiator.departments": plan.Set,
	"initiator.allDepartments": plan.Set, "initiator.roles": plan.Set, "instance.name": plan.Text}

// compiler is the state of one document.
type compiler struct {
	kind.Linker
	d       *document
	m       *catalog.Model // nil: it is unknown, which has been told
	out     *catalog.Workflow
	nodes   []*node
	byID    map[string]*node
	ids     []string
	whole   bool                 // the schema has nothing against how the nodes hang together
	faulty  bool                 // an error was reported
	names   map[string]plan.Kind // of vars
	lenient bool                 // the document is an earlier version: what does not fit is a broken part
	gone    *fault.Error         // lenient: why there is no model
	lost    bool                 // lenient: a role of the node at hand is gone
	keeps   bool                 // lenient: the people at hand are those whom a step is kept from
	excused diag.List            // lenient: what belongs to a part
	then    map[string]string    // lenient: the ids that nodes had, by those that they have now; nil = the same
}

func compile(l kind.Linker, doc def.Document) any {
	return (&compiler{Linker: l, d: doc.(*document), byID: map[string]*node{}}).compile()
}

// earlier compiles a version that instances still follow.
func earlier(l kind.Linker, doc def.Document) any {
	c := &compiler{Linker: l, d: doc.(*document), byID: map[string]*node{}, lenient: true}
	c.nowNodes()
	return c.compile()
}

func (c *compiler) compile() any {
	d := c.d
	if at := d.Node.Get("schemaCode"); at != nil {
		c.gone = c.part(func() { c.m = c.Model(at) })
	}
	c.settings()
	c.collect()
	c.structure()
	for _, n := range c.nodes {
		c.node(n)
	}
	c.unnamed()
	for _, h := range d.Hooks {
		if h.At != "" && c.whole {
			c.exists(h.At, h.Node.Get("node"))
		}
		c.part(func() { c.registered(h.Service, h.Node.Get("service"), c.Services(), reason("服务", "service")) })
		c.out.Hooks = append(c.out.Hooks, catalog.WorkflowHook{On: h.On, Node: h.At, Service: h.Service})
	}
	if !c.whole || !c.lenient && (c.m == nil || c.faulty) {
		return nil
	}
	if err := c.out.Template.Link(); err != nil {
		c.Report("WF400004", d.Node.Get("nodes"), err.Error())
		return nil
	}
	return c.out
}

// part compiles a part of the document. Of an earlier version its errors are the part's own: the first is returned, and the document stays as
// good as it was. Of a definition of now, whose errors refuse the document, it returns nil.
func (c *compiler) part(do func()) *fault.Error {
	if !c.lenient {
		do()
		return nil
	}
	before := c.faulty
	c.faulty = false
	found := slices.DeleteFunc(c.During(do), func(d diag.Diagnostic) bool { return d.Severity != diag.Error || slices.Contains(c.excused, d) })
	faulty := c.faulty
	c.faulty = before
	if len(found) > 0 {
		c.excused = append(c.excused, found...) // they are this part's, and not those of the part that it belongs to
		return &fault.Error{Code: fault.WorkflowPartBroken, MessageZh: "流程此版本的这一部分与当前定义不符：" + found[0].Zh, MessageEn: "This part of the workflow's version doesn't fit the current definitions: " + found[0].En}
	}
	if faulty && c.gone == nil {
		return fault.New(fault.WorkflowPartBroken)
	}
	if faulty {
		return c.gone // names mean nothing without the model, and nothing is said of them
	}
	return nil
}

// Report implements kind.Linker and notes errors.
func (c *compiler) Report(code string, at *source.Node, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Report(code, at, args...)
}

// Suggest implements kind.Linker and notes errors.
func (c *compiler) Suggest(code string, at *source.Node, word string, candidates []string, args ...any) {
	c.faulty = c.faulty || messages[code].Severity == diag.Error
	c.Linker.Suggest(code, at, word, candidates, args...)
}

// PathOf, Exists, FormulaWith and FormulaFor note what they have reported.

// PathOf implements kind.Linker.
func (c *compiler) PathOf(m *catalog.Model, text string, at source.Place, code string) (catalog.Path, bool) {
	p, ok := c.Linker.PathOf(m, text, at, code)
	c.faulty = c.faulty || !ok
	return p, ok
}

// Exists implements kind.Linker.
func (c *compiler) Exists(k def.Kind, at *source.Node) bool {
	ok := c.Linker.Exists(k, at)
	c.faulty = c.faulty || !ok
	return ok
}

// FormulaWith implements kind.Linker.
func (c *compiler) FormulaWith(m *catalog.Model, at *source.Node, want plan.Kind, vars map[string]plan.Kind) plan.Expr {
	e := c.Linker.FormulaWith(m, at, want, vars)
	c.faulty = c.faulty || e == nil && at.Text() != ""
	return c.nowVars(e)
}

// FormulaFor implements kind.Linker.
func (c *compiler) FormulaFor(m *catalog.Model, at *source.Node, f *catalog.Field, vars map[string]plan.Kind) plan.Expr {
	e := c.Linker.FormulaFor(m, at, f, vars)
	c.faulty = c.faulty || e == nil && at.Text() != ""
	return c.nowVars(e)
}

// member is the node of a key, or n itself where the key is missing.
func member(n *source.Node, key string) *source.Node {
	if m := n.Get(key); m != nil {
		return m
	}
	return n
}

func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

func (c *compiler) settings() {
	s := c.d.Settings
	c.out = &catalog.Workflow{
		Template: &flow.Template{
			Code:        c.d.Code,
			AllowRevoke: flow.Revoke(cmp.Or(s.AllowRevoke, string(flow.RevokeUntouched))),
			Dedupe:      flow.Dedupe(cmp.Or(s.Dedupe, string(flow.DedupeNone))),
			StopAll:     s.StopAll,
			Empty:       flow.EmptyPolicy{Action: flow.Empty(cmp.Or(s.Empty.Action, string(flow.EmptyToAdmin))), User: s.Empty.User},
		},
		Pack: c.d.Pack, Label: c.d.Label(plan.Label{Zh: c.d.Code}), Model: c.m, Published: or(c.d.Published, 1) != 0, InstanceName: s.InstanceName,
		Everybody: or(s.Initiators.All, true), AdminVoids: s.AllowVoid != "initiator", Calendar: s.Calendar,
		UrgeInterval: cmp.Or(s.UrgeInterval, urgeMinutes), MaxHops: cmp.Or(s.MaxHops, 1), Notify: notices(s.Notify, catalog.Notify{}),
		Nodes: map[string]*catalog.WorkflowNode{}, Document: c.d.Node.Raw(),
	}
	c.out.NamesNodes = bytes.Contains(c.out.Document, []byte("node("))
	if c.m != nil {
		c.out.Template.Model = c.m.Code
	}
	c.part(func() { c.placeholders(s.Node.Get("instanceName")) })
	c.part(func() { c.starters(s.Initiators) })
	c.seal(s)
	c.summary(s)
}

// summary are the properties that rows of tasks show.
func (c *compiler) summary(s settings) {
	for _, one := range s.Node.Get("summary").Items() {
		c.part(func() {
			p, ok := c.PathOf(c.m, one.Text(), source.In(one), "WF400033")
			switch {
			case !ok:
			case len(p.Steps) > 0:
				c.Report("WF400047", one, one.Text(), reason("它不是此记录自己的数据项", "it is no property of the record itself"))
			case p.Field.Sheet != nil:
				c.Report("WF400047", one, one.Text(), reason("它是子表", "it is a sub-table"))
			case len(p.Field.Property.Columns()) == 0 || p.Field.Links != "" || p.Field.Gathers() != nil:
				c.Report("WF400047", one, one.Text(), reason("它没有自己的值", "it has no value of its own"))
			default:
				c.out.Summary = append(c.out.Summary, p.Field)
			}
		})
	}
}

// seal says what people may change of a record that the workflow has approved. What an earlier version names and nobody finds any more stays
// sealed.
func (c *compiler) seal(s settings) {
	c.out.Final = or(s.Final, true)
	at := s.Node.Get("finalExcept")
	if at != nil && !c.out.Final {
		c.Report("WF400046", at)
	}
	for _, one := range at.Items() {
		c.part(func() {
			p, ok := c.PathOf(c.m, one.Text(), source.In(one), "WF400033")
			switch {
			case !ok:
			case len(p.Steps) > 0:
				c.Report("WF400039", one, one.Text(), reason("它不是此记录自己的数据项", "it is no property of the record itself"))
			case p.Field.Compute != nil || p.Field.System:
				c.Report("WF400039", one, one.Text(), reason("它由系统写入", "it is written by the system"))
			default:
				c.out.FinalExcept = append(c.out.FinalExcept, p.Field)
			}
		})
	}
}

func (c *compiler) starters(in initiators) {
	switch {
	case !c.out.Everybody && len(in.Rules) == 0:
		c.Report("WF400030", member(in.Node, "rules"))
	case c.out.Everybody && len(in.Rules) > 0:
		c.Report("WF400038", in.Node.Get("rules"))
	}
	for _, r := range in.Rules {
		if r.Type == string(catalog.FromRole) {
			c.roles(r.Node.Get("value"))
		}
		c.out.Starters = append(c.out.Starters, catalog.Starter{Kind: catalog.ParticipantKind(r.Type), Values: r.Value, Recursive: r.Type == string(catalog.FromDept) && or(r.Recursive, true)})
	}
}

// roles are the codes of a list, each of which is looked up. In an earlier version a role that is gone is nobody, also where people still have it; where
// it was to keep people away nobody knows whom, and the part is broken.
func (c *compiler) roles(list *source.Node) (known []string) {
	for _, at := range list.Items() {
		if c.keeps {
			c.Exists(def.KindAccess, at)
		} else if c.part(func() { c.Exists(def.KindAccess, at) }) != nil {
			c.lost = true
			continue
		}
		known = append(known, c.Now(def.KindAccess, at.Text()))
	}
	return known
}

func notices(n *notify, otherwise catalog.Notify) catalog.Notify {
	if n == nil {
		return otherwise
	}
	return catalog.Notify{Channels: n.Channels, NodeCompleted: n.NodeCompleted, ItemsCompleted: n.ItemsCompleted}
}

var placeholder = regexp.MustCompile(`\{([a-zA-Z][a-zA-Z0-9_.]*)(?::[^{}]*)?\}`)

// unnamed tells of what names of instances would show of the record, but for nodes that hide it.
func (c *compiler) unnamed() {
	if c.m == nil || c.lenient {
		return
	}
	for _, found := range placeholder.FindAllStringSubmatch(cmp.Or(c.out.InstanceName, "{name}"), -1) {
		f := c.m.Field(found[1])
		if f == nil {
			continue
		}
		if n := c.out.Hiding(f); n != nil {
			c.Report("WF400048", c.byID[n.Node.ID].Node.Get("form").Get("fields"), n.Node.ID, f.Code)
		}
	}
}

// placeholders looks up the properties that a text names, {amount}, {createdTime:yyyyMMdd}, and returns it with their codes of now.
func (c *compiler) placeholders(at *source.Node) string {
	var out strings.Builder
	text, done := at.Text(), 0
	for _, found := range placeholder.FindAllStringSubmatchIndex(text, -1) {
		from, to := found[2], found[3]
		out.WriteString(text[done:from])
		done = from
		if p, ok := c.PathOf(c.m, text[from:to], source.Place{Node: at, Offset: from}, "WF400033"); ok {
			out.WriteString(p.Code)
			done = to
		}
	}
	return out.String() + text[done:]
}

// formula compiles an expression on a record with what workflows give besides.
func (c *compiler) formula(m *catalog.Model, at *source.Node, want plan.Kind) plan.Expr {
	return c.FormulaWith(m, at, want, c.vars())
}

// vars are what expressions may name besides the record: those of every workflow, and of each node what its people made of it.
func (c *compiler) vars() map[string]plan.Kind {
	if c.names == nil {
		c.names = maps.Clone(vars)
		for _, n := range c.nodes {
			if t := flow.NodeType(n.Type); t == flow.Start || t == flow.Fill || t == flow.Approve {
				of := cmp.Or(c.then[n.ID], n.ID)
				c.names[catalog.NodeVar(of, "result")] = plan.Text
				c.names[catalog.NodeVar(of, "handlers")] = plan.Set
				c.names[catalog.NodeVar(of, "opinion")] = plan.Text
			}
		}
	}
	return c.names
}

// exists reports an id that no node has.
func (c *compiler) exists(id string, at *source.Node) bool {
	if c.byID[id] == nil && id != "" {
		c.Suggest("WF400005", at, id, c.ids)
		return false
	}
	c.Refers(names.Node, names.Join(c.d.Code, id), source.In(at))
	return id != ""
}

// registered reports a service or rule that this program does not have. A draft may name one that is still to be written.
func (c *compiler) registered(name string, at *source.Node, known []string, what diag.Text) {
	if name == "" || slices.Contains(known, name) {
		return
	}
	code := "WF400037"
	if or(c.d.Published, 1) == 0 {
		code = "WF400045"
	}
	c.Suggest(code, at, name, known, what)
}
