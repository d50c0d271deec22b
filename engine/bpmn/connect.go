package bpmn

import (
	"encoding/json"
	"strings"
	"unicode"
)

func (im *importer) link(e *element, from, to *node) *edge {
	g := &edge{e: e, from: from, to: to, props: object{}}
	from.out, to.in, im.edges = append(from.out, g), append(to.in, g), append(im.edges, g)
	return g
}

// connect makes edges of the sequence flows.
func (im *importer) connect() {
	for _, e := range im.pending {
		ends := [2]*node{}
		missing := false
		for i, key := range []string{"sourceRef", "targetRef"} {
			id := e.attr("", key)
			if ends[i] = im.byID[id]; ends[i] != nil {
				continue
			}
			if b := im.ids[id]; b != nil && b.local == "boundaryEvent" && i == 0 {
				missing = true // attach looks at it
				continue
			}
			if b := im.ids[id]; b == nil || !isFlowNode(b.local) {
				im.add("BPMN013", e, key, id)
			}
			missing = true
		}
		if missing {
			continue
		}
		if last, ok := ends[0].props["last"].(*node); ok {
			ends[0] = last
		}
		g := im.link(e, ends[0], ends[1])
		g.id, g.name = e.attr("", "id"), strings.Join(strings.Fields(e.attr("", "name")), " ")
		im.flows[g.id] = g
		if x := e.extension(Namespace, "route"); x != nil {
			if props := im.own(x); props != nil {
				g.props = props
				g.exit = textOf(props["exit"])
			}
		}
		for _, x := range e.extensions() {
			if x.space != Namespace {
				im.add("BPMN030", e, x.local)
			}
		}
		im.flowCondition(g)
	}
	for _, n := range im.nodes {
		delete(n.props, "last")
		if n.e == nil || n.gate == "PASS" {
			continue
		}
		id := n.e.attr("", "default")
		if id == "" {
			continue
		}
		if g := im.flows[id]; g != nil && g.from == n {
			g.usual = true
		} else {
			im.add("BPMN013", n.e, "default", id)
		}
	}
}

// textOf is the text of a property of ours.
func textOf(v any) (out string) {
	if raw, ok := v.(json.RawMessage); ok {
		_ = json.Unmarshal(raw, &out) // "" where it is another kind
	}
	return out
}

// flowCondition reads the condition of a sequence flow.
func (im *importer) flowCondition(g *edge) {
	c := g.e.model("conditionExpression")
	body := c.body()
	ours := textOf(g.props["when"])
	delete(g.props, "when")
	if ours != "" && body == g.e.extension(Namespace, "route").attr("", "condition") {
		g.when = ours
		return
	}
	if c == nil || body == "" || g.exit != "" {
		return
	}
	language := c.attr("", "language")
	if when, ok := condition(body, language); ok {
		g.when = when
		return
	}
	im.add("BPMN021", g.e, shorten(body))
}

// attach puts what events at the border of tasks say into the tasks.
func (im *importer) attach() {
	for _, b := range im.boundary {
		host := im.byID[b.attr("", "attachedToRef")]
		var flows []*element
		for _, f := range im.pending {
			if f.attr("", "sourceRef") == b.attr("", "id") {
				flows = append(flows, f)
			}
		}
		timer := b.model("timerEventDefinition")
		switch {
		case host == nil:
			im.add("BPMN013", b, "attachedToRef", b.attr("", "attachedToRef"))
		case timer == nil:
			kind := eventOf(b)
			im.add("BPMN010", b, reason("边界事件 "+kind, "boundary event "+kind), reason("删去它；失败和例外由流程管理员处理，退回用“驳回”", "remove it: administrators handle failures, approvers send back with reject"))
		case host.typ != "FILL" && host.typ != "APPROVE":
			im.add("BPMN010", b, reason("人工任务以外的定时边界事件", "a timer at something else than a user task"), reason("移到人工任务上，或删去", "move it to a user task, or remove it"))
		default:
			im.timeout(b, timer, host, flows)
		}
	}
}

// timeout makes time limits of a timer at a user task.
func (im *importer) timeout(b, timer *element, host *node, flows []*element) {
	text := timerText(timer)
	n := minutes(text)
	if n == 0 {
		n = minutes(cycle(text))
	}
	if host.own && b.extension(Namespace, "timeout") != nil {
		host.props["timeoutMinutes"] = n
		return
	}
	time, _ := host.props["time"].(object)
	if time == nil {
		time = object{}
	}
	if n == 0 {
		im.add("BPMN023", b, cmpText(text))
		return
	}
	if time["timeoutMinutes"] != nil || host.own {
		im.add("BPMN030", b, reason("另一个定时边界事件", "another timer at the task"))
		return
	}
	time["timeoutMinutes"] = n
	step := object{"action": "remind"}
	if b.attr("", "cancelActivity") == "false" {
		if strings.HasPrefix(text, "R") {
			step["repeatMinutes"] = n
		}
	} else if len(flows) > 0 {
		step = object{"action": "jump", "to": flows[0].attr("", "targetRef")}
	}
	time["onTimeout"] = []any{step}
	host.props["time"] = time
	if len(flows) > 0 && step["action"] == "remind" {
		im.add("BPMN040", b, reason("超时后改为提醒处理人", "it reminds who handles the task"))
	}
}

// jumps gives timers that lead somewhere the node that they lead to: it must be on the way of the workflow already.
func (im *importer) jumps() {
	for _, n := range im.nodes {
		time, _ := n.props["time"].(object)
		steps, _ := time["onTimeout"].([]any)
		for i, s := range steps {
			step, _ := s.(object)
			id, ok := step["to"].(string)
			if !ok || step["action"] != "jump" {
				continue
			}
			to := im.byID[id]
			for to != nil && to.typ == "" && len(to.out) == 1 {
				to = to.out[0].to
			}
			if to != nil && to.reached && to.typ != "" && to.typ != "JOIN" {
				step["to"] = to
				continue
			}
			if to != nil && to.typ == "END" {
				steps[i] = object{"action": "autoReject"}
				im.add("BPMN040", n.e, reason("超时后改为自动驳回", "it is rejected when the time is over"))
				continue
			}
			im.add("BPMN010", n.e, reason("超时后走到只有定时器能到的节点", "a timer that leads to what nothing else leads to"),
				reason("让定时边界事件走到流程中已有的节点，或改为不中断的", "lead the timer to a node of the flow, or make it non-interrupting"))
		}
	}
}

// timerText is what a timer says.
func timerText(timer *element) string {
	for _, local := range []string{"timeDuration", "timeDate", "timeCycle"} {
		if t := timer.model(local).body(); t != "" {
			return t
		}
	}
	return ""
}

// cycle is the interval of a repeating timer: R3/PT10M.
func cycle(text string) string {
	if strings.HasPrefix(text, "R") {
		if i := strings.LastIndex(text, "/"); i >= 0 {
			return text[i+1:]
		}
	}
	return ""
}

func cmpText(text string) any {
	if text == "" {
		return reason("没有写", "nothing is said")
	}
	return shorten(text)
}

// eventOf is the kind of an event: timer, message; none.
func eventOf(e *element) string {
	for _, c := range e.children {
		if kind, ok := strings.CutSuffix(c.local, "EventDefinition"); ok && c.space == nsModel {
			return kind
		}
		if c.is(nsModel, "eventDefinitionRef") {
			return "ref"
		}
	}
	return "none"
}

// han reports whether a text has Chinese characters.
func han(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
