package workflow

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

func (c *compiler) node(n *node) {
	t := flow.NodeType(n.Type)
	fn := &flow.Node{ID: n.ID, Type: t, Most: cmp.Or(n.Most, c.d.Settings.Most), Strict: c.d.Settings.Strict}
	out := &catalog.WorkflowNode{Node: fn, Notify: notices(n.Notify, c.out.Notify)}
	if people(t) || n.Name != "" || len(n.NameI18n) > 0 {
		out.Label = c.Label(n.Node, n.Named, n.ID)
	} else {
		out.Label = plan.Label{Zh: n.ID}
	}
	fn.Name = out.Label.Zh
	c.nameLength(n)
	if t != flow.Split && t != flow.End {
		c.ways(n, fn)
	}
	c.lost = false
	fn.Broken = c.part(func() { c.does(n, out) })
	fn.Lost = c.lost
	c.out.Template.Nodes = append(c.out.Template.Nodes, fn)
	c.out.Nodes[n.ID] = out
}

// does fills what happens at a node.
func (c *compiler) does(n *node, out *catalog.WorkflowNode) {
	fn, t := out.Node, out.Node.Type
	if people(t) {
		c.work(n, out)
	}
	switch t {
	case flow.Split:
		c.split(n, out)
	case flow.Join:
		fn.Of = n.Of
		fn.Needs = map[string]int{"ANY": 1, "N": n.Count}[n.Policy]
	case flow.Service:
		fn.Effects = true
		out.Service = c.call(n)
	case flow.Sub:
		fn.Effects = true
		out.Sub = c.sub(n)
		fn.Waits, fn.IgnoreVoid = flow.Waits(out.Sub.Wait), out.Sub.IgnoreVoid
	case flow.Wait:
		out.Until = c.formula(c.m, n.Node.Get("until"), plan.Instant)
		out.Signal = n.Signal
		out.Key = c.formula(c.m, n.Node.Get("key"), plan.Text)
		c.time(n, out)
	case flow.End:
		fn.Ends = n.Terminate
		out.Result = flow.Result(cmp.Or(n.Result, string(flow.Agreed)))
		out.Set = c.set(n.Node.Get("set"))
	}
}

func (c *compiler) nameLength(n *node) {
	if utf8.RuneCountInString(n.Name) > nameLength {
		c.tooLong(n.Node.Get("name"))
	}
	for _, at := range n.Node.Get("name_i18n").Entries() {
		if utf8.RuneCountInString(at.Text()) > nameLength {
			c.tooLong(at)
		}
	}
}

func (c *compiler) tooLong(at *source.Node) {
	c.Report("WF400036", at, "name", at.Text(), reason("超过 50 个字符", "has more than 50 characters"))
}

// ways fills where a node leads to.
func (c *compiler) ways(n *node, fn *flow.Node) {
	for _, w := range n.Next {
		to, at := &fn.Next, member(w.Node, "exit")
		switch w.Exit {
		case "", "agree":
		case "disagree":
			if to = &fn.Disagree; fn.Type != flow.Approve {
				c.Report("WF400006", at, n.ID, reason("此处不作同意与否的决定", "nobody disagrees here"))
				continue
			}
		default:
			c.whole = false // the schema says so
			continue
		}
		if *to != "" {
			c.Report("WF400006", at, n.ID, reason("同一结果有两个出口", "two ways for one result"))
			continue
		}
		*to = w.To
	}
	if fn.Next == "" && len(n.Next) > 0 && n.Next[0].To != "" && c.whole {
		c.Report("WF400006", n.Node.Get("next"), n.ID, reason("没有同意的出口", "there is none for agreement"))
	}
}

// people reports whether people have something to do at a node of a type.
func people(t flow.NodeType) bool {
	return t == flow.Start || t == flow.Fill || t == flow.Approve || t == flow.Circulate
}

// work fills what people do at a node.
func (c *compiler) work(n *node, out *catalog.WorkflowNode) {
	fn := out.Node
	c.part(func() { c.form(n, out) }) // rights to what is gone are no rights
	out.Batch = n.Batch
	if fn.Live = n.Resolve == "live"; fn.Live && flow.Mode(n.Mode) != flow.Claim {
		c.Report("WF400042", n.Node.Get("resolve"), n.ID)
	}
	out.Opinion = catalog.Opinion{Required: cmp.Or(n.Opinion.Required, "never"), MaxLength: cmp.Or(n.Opinion.MaxLength, opinionLength), Signature: n.Opinion.Signature, Secret: n.Opinion.Secret, Property: n.Opinion.Property}
	c.part(func() {
		if keeper := c.keeper(n.Opinion.Property, n.Node.Get("opinion").Get("propertyCode")); keeper != "" || !c.lenient { // else one that is gone keeps nothing
			out.Opinion.Property = keeper
		}
	})
	if fn.Type != flow.Start {
		out.Participants = c.participants(n.Node.Get("participants"), n.Participants)
		if at := n.Node.Get("participants"); len(n.Participants) == 0 && (at == nil || at.Kind == source.Array) {
			c.Report("WF400010", member(n.Node, "participants"), cmp.Or(n.Name, n.ID))
		}
	}
	if fn.Type == flow.Circulate {
		return
	}
	c.time(n, out)
	fn.Mode = flow.Mode(cmp.Or(n.Mode, string(flow.Any)))
	fn.Early, fn.AgreeExit = or(n.Early, true), flow.Full
	fn.Empty = flow.EmptyPolicy{Action: flow.Empty(n.Empty.Action), User: n.Empty.User}
	fn.Actions, fn.Resign, fn.AwaitsAdvice = c.actions(n), n.AddSignAgain, n.AwaitAdvice
	fn.Reject = flow.Reject{Targets: n.Reject.Targets, Resubmit: flow.Rerun}
	if len(fn.Reject.Targets) == 0 {
		fn.Reject.Targets = []string{"start"}
	}
	switch n.Reject.Resubmit {
	case "toRejector":
		fn.Reject.Resubmit = flow.ToRejector
	case "choose":
		out.ChoosesResubmit = true
	}
	if fn.Type != flow.Approve {
		return
	}
	fn.EveryVote, fn.Vote = fn.Mode == flow.Any && !or(n.FirstDecides, true), n.Vote
	fn.Dedupe, fn.SkipSelf = flow.Dedupe(n.Dedupe), or(n.SkipSelf, c.d.Settings.SkipSelf)
	if at := n.Node.Get("agreeExit"); at != nil {
		fn.AgreeExit = c.percent(at)
	}
	if at := n.Node.Get("disagreeExit"); at != nil {
		fn.DisagreeExit = c.percent(at)
	}
	fn.AutoWhen = c.formula(c.m, n.Node.Get("autoWhen"), plan.Bool)
}

// percent reads a percentage as a share of flow.Full, which is never 0: the schema has refused what is below 0 and above 100.
func (c *compiler) percent(at *source.Node) int64 {
	v, err := strconv.ParseFloat(at.Text(), 64)
	if at.Kind == source.Number && err == nil && v == 0 {
		c.Report("WF400031", at, at.Key)
	}
	if err != nil || math.IsNaN(v) || v < 0 || v > 100 {
		return flow.Full
	}
	return max(1, int64(math.Round(v*flow.Full/100)))
}

var defaultActions = map[flow.NodeType][]flow.Action{
	flow.Start:   {flow.OpSubmit, flow.OpSave, flow.OpRevoke, flow.OpUrge},
	flow.Fill:    {flow.OpSubmit, flow.OpSave, flow.OpTransfer, flow.OpWithdraw, flow.OpUrge},
	flow.Approve: {flow.OpAgree, flow.OpDisagree, flow.OpReject, flow.OpTransfer, flow.OpCirculate, flow.OpWithdraw, flow.OpUrge},
}

func (c *compiler) actions(n *node) []flow.Action {
	if n.Actions != nil {
		out := make([]flow.Action, len(*n.Actions))
		for i, a := range *n.Actions {
			out[i] = flow.Action(a)
			if why, idle := idleAction(flow.NodeType(n.Type), out[i]); idle && c.whole {
				c.Report("WF400043", n.Node.Get("actions").Items()[i], a, cmp.Or(n.Name, n.ID), why)
			}
		}
		return out
	}
	out := slices.Clone(defaultActions[flow.NodeType(n.Type)])
	if n.Type == string(flow.Start) && !c.out.AdminVoids {
		out = append(out, flow.OpVoid)
	}
	return out
}

// idleAction tells why an action does nothing at a node of a type.
func idleAction(t flow.NodeType, a flow.Action) (why diag.Text, idle bool) {
	switch a {
	case flow.OpRevoke, flow.OpVoid:
		return reason("它是发起人的，写在发起节点上", "it is the initiator's and belongs to START"), t != flow.Start
	case flow.OpAgree, flow.OpDisagree:
		return reason("此处不作同意与否的决定", "nobody agrees or disagrees there"), t != flow.Approve
	case flow.OpSubmit:
		return reason("此处的决定是同意或不同意", "people agree or disagree there"), t == flow.Approve
	case flow.OpReject, flow.OpWithdraw:
		return reason("流程从此节点开始", "the workflow begins there"), t == flow.Start
	}
	return why, false
}

// keeper resolves the property that keeps the opinions of a node; "" = every one that can.
func (c *compiler) keeper(code string, at *source.Node) string {
	if code == "" || c.m == nil {
		return ""
	}
	p, ok := c.PathOf(c.m, code, source.In(at), "WF400033")
	if !ok {
		return ""
	}
	if _, keeps := p.Field.Property.(property.OpinionKeeper); !keeps || len(p.Steps) > 0 {
		c.Report("WF400011", at, code, reason("意见", "opinions"))
		return ""
	}
	return p.Field.Code
}

// form fills the form of a node and the rights on its properties.
func (c *compiler) form(n *node, out *catalog.WorkflowNode) {
	at := n.Node.Get("form")
	if c.m == nil {
		return
	}
	forms := c.Forms(c.m)
	if sheet := at.Get("sheetCode"); sheet.Text() != "" {
		if _, known := c.Find(def.KindForm, n.Form.Sheet); known {
			if out.Form = c.Form(sheet); out.Form != nil && out.Form.Model != c.m {
				c.Report("WF400033", sheet, n.Form.Sheet, c.m.Code)
			}
		} else {
			var codes []string
			for _, f := range forms {
				codes = append(codes, f.Code)
			}
			c.Suggest("WF400033", sheet, n.Form.Sheet, codes, c.m.Code)
		}
	} else if len(forms) > 0 {
		out.Form = forms[0]
	}
	for _, e := range at.Get("fields").Entries() {
		right := catalog.ReadRight(e.Text())
		p, ok := c.PathOf(c.m, e.Key, source.InKey(e), "WF400033")
		if !ok {
			// It may be there by another name, which has to be no right that the step did not give.
			out.Closed = out.Closed || right.Hidden || !right.Write && out.Node.Type != flow.Approve
			continue
		}
		switch f := p.Field; {
		case len(p.Steps) > 0 && !p.Sheet:
			c.Report("WF400039", e, e.Key, reason("它是另一条记录的", "it belongs to another record"))
			continue
		case right.Write && (f.Compute != nil || f.System):
			c.Report("WF400039", e, e.Key, reason("它由系统写入", "it is written by the system"))
		case (right.AddRows || right.DeleteRows) && f.Sheet == nil:
			c.Report("WF400039", e, e.Key, reason("它没有行，+ 和 x 只用于子表", "it has no rows; + and x are for sub-tables"))
		}
		if out.Fields == nil {
			out.Fields = map[string]catalog.NodeRight{}
		}
		out.Fields[p.Code] = right
	}
}

// time fills the limits of a node.
func (c *compiler) time(n *node, out *catalog.WorkflowNode) {
	at := n.Node.Get("time")
	wrong := func(key, zh, en string) { c.Report("WF400035", at.Get(key), key, reason(zh, en)) }
	t := n.Time
	for _, m := range []struct {
		key string
		v   *int
	}{{"expectMinutes", t.Expect}, {"timeoutMinutes", t.Timeout}} {
		if m.v != nil && *m.v == 0 {
			wrong(m.key, "要大于 0", "it must be above 0")
		}
	}
	expect, end := or(t.Expect, 0), or(t.Timeout, 0)
	if expect > 0 && end > 0 && expect >= end {
		wrong("expectMinutes", "要小于 timeoutMinutes", "it must be below timeoutMinutes")
	}
	if len(t.OnTimeout) > 0 && t.Timeout == nil {
		wrong("onTimeout", "没有 timeoutMinutes，不会执行", "it never happens without timeoutMinutes")
	}
	out.Node.Expect, out.Node.Timeout = expect, end
	out.Time = catalog.TimeLimit{Expect: expect, Timeout: end, Calendar: cmp.Or(t.Calendar, c.d.Settings.Calendar), TellSuperior: t.Superior}
	for _, s := range t.OnTimeout {
		if s.Repeat != nil && *s.Repeat == 0 {
			c.Report("WF400035", s.Node.Get("repeatMinutes"), "repeatMinutes", reason("要大于 0", "it must be above 0"))
		}
		if s.Action == "autoReject" && out.Node.Type != flow.Approve {
			c.Report("WF400035", s.Node.Get("action"), s.Action, reason("只能用于审批节点", "only approvals can be refused"))
		}
		if s.Action == "jump" && s.To != "" && c.whole && c.byID[s.To] == nil {
			c.Suggest("WF400035", s.Node.Get("to"), s.To, c.ids, reason("没有此节点", "there is no such node"))
		} else if s.Action == "jump" {
			c.Refers(names.Node, names.Join(c.d.Code, s.To), source.In(s.Node.Get("to")))
		}
		out.Time.OnTimeout = append(out.Time.OnTimeout, catalog.TimeoutStep{Action: s.Action, After: s.After, Repeat: or(s.Repeat, 0), User: s.User, To: s.To})
	}
}

// split fills the routes of a node, in their order.
func (c *compiler) split(n *node, out *catalog.WorkflowNode) {
	fn := out.Node
	fn.Kind = flow.SplitKind(n.Kind)
	at := make([]int, len(n.Routes))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return or(n.Routes[a].Order, a+1) - or(n.Routes[b].Order, b+1) })
	certain, usual := false, false
	for _, i := range at {
		r := n.Routes[i]
		when := r.Node.Get("when")
		route := flow.Route{To: r.To, Default: r.Default}
		route.Broken = c.part(func() { route.When = c.formula(c.m, when, plan.Bool) })
		certain = certain || r.Default || when == nil || route.When != nil && plan.IsTrue(expression.BindSome(route.When, nil))
		if r.Default && usual {
			c.Report("WF400022", r.Node.Get("default"), cmp.Or(n.Name, n.ID))
		}
		usual = usual || r.Default
		label := plan.Label{}
		if r.Name != "" || len(r.NameI18n) > 0 {
			label = c.Label(r.Node, r.Named, r.To)
		}
		fn.Routes, out.RouteLabels = append(fn.Routes, route), append(out.RouteLabels, label)
	}
	if fn.Kind == flow.XOR && !certain && len(n.Routes) > 0 {
		c.Report("WF400021", n.Node.Get("routes"), cmp.Or(n.Name, n.ID))
	}
}
