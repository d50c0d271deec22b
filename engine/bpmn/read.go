package bpmn

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Options say where the workflow goes and what is there.
type Options struct {
	File       string   // name of the file, for the report
	Code       string   // of the workflow; "" = made of the process's id
	Model      string   // code of the model; "" = that of a file that Export wrote
	Roles      []string // codes of roles; nil = not known
	Properties []string // codes of the model's properties
	Workflows  []string // codes of workflows; nil = not known
}

// Result is what an import gives.
type Result struct {
	Code     string `json:"code"`
	Document []byte `json:"-"` // JSON; nil = refused
	Report   Report `json:"report"`

	im *importer
}

// Import reads a BPMN 2.0 file. The error is that of the reader; what is wrong with the file is in the report.
func Import(r io.Reader, o Options) (*Result, error) {
	im := &importer{reporter: reporter{file: o.File}, o: o, byID: map[string]*node{}, flows: map[string]*edge{}, ids: map[string]*element{}, kept: newSpaces()}
	out := &Result{Code: o.Code, im: im}
	root, err := parse(r)
	if err != nil {
		var f *fault
		if !errors.As(err, &f) {
			return nil, err
		}
		im.add(f.code, nil, f.args...)
		im.items[0].Line, im.items[0].Col = f.line, f.col
		out.Report = im.items
		return out, nil
	}
	im.read(root)
	if !im.items.Refused() {
		if !im.plain {
			im.blocks()
		}
		if !im.items.Refused() {
			out.Code, out.Document = im.code(), im.document()
		}
	}
	out.Report = im.sorted()
	return out, nil
}

func (im *importer) sorted() Report {
	slices.SortStableFunc(im.items, func(a, b Item) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	return im.items
}

// node is a node of the graph, before and after it is brought into blocks.
type node struct {
	e         *element // nil = it was added
	id        string   // in the file
	code      string   // in the document
	name      string
	labels    map[string]string // names in other languages
	typ       string            // of the document; "" = a gateway without a role yet, or what only leads on
	gate      string            // XOR, OR, AND; "" = none
	of        *node             // of a JOIN: the split that it ends
	ofID      string            // as a file of ours says it
	props     object
	in, out   []*edge
	ownCode   string
	own       bool // a file of ours says what it is
	outcome   bool // a gateway that Export drew for the ways out of an approval
	decides   bool // a task that somebody decides at
	approve   bool // that is certain
	ends      bool // an END that is reached by disagreement only has the result REJECTED
	inner     bool // the end of a sub-process that was taken in
	stack     []open
	reached   bool
	order     int
	terminate bool
}

// edge is a sequence flow.
type edge struct {
	e        *element
	id       string
	from, to *node
	name     string
	when     string // in our language
	usual    bool   // the default
	exit     string
	props    object
}

// importer is the state of one import.
type importer struct {
	reporter
	o         Options
	root      *element
	process   *element
	head      object // of a file of ours
	plain     bool   // the file is ours, and nothing was added to it
	nodes     []*node
	byID      map[string]*node
	edges     []*edge
	flows     map[string]*edge
	ids       map[string]*element // of all elements
	boundary  []*element
	pending   []*element // sequence flows
	starter   string     // variable that holds who started it
	kept      *spaces
	keptNodes map[string]any
}

// read finds the process and its elements.
func (im *importer) read(root *element) {
	im.root = root
	if root.space != nsModel || root.local != "definitions" {
		im.add("BPMN004", root, shorten(root.local+" "+root.space))
		return
	}
	var processes []*element
	for _, c := range root.children {
		if c.is(nsModel, "process") {
			if slices.ContainsFunc(c.children, func(e *element) bool { return e.space == nsModel && isFlowNode(e.local) }) {
				processes = append(processes, c)
			}
			continue
		}
		if id := c.attr("", "id"); id != "" {
			im.ids[id] = c
		}
	}
	for _, c := range root.all(nsModel, "collaboration") {
		for _, m := range c.all(nsModel, "messageFlow") {
			im.add("BPMN007", m)
		}
		pools := c.all(nsModel, "participant")
		for _, p := range pools {
			if id := p.attr("", "processRef"); len(pools) > 1 && !slices.ContainsFunc(processes, func(e *element) bool { return e.attr("", "id") == id }) {
				im.add("BPMN030", p, reason("没有流程的泳池", "a pool without a process"))
			}
			if m := p.model("participantMultiplicity"); m != nil {
				im.add("BPMN030", m, reason("泳池的多重性", "multiplicity of the pool"))
			}
		}
	}
	switch {
	case len(processes) == 0:
		im.add("BPMN005", nil)
		return
	case len(processes) > 1:
		for _, p := range processes[1:] {
			im.add("BPMN006", p)
		}
		return
	}
	im.process = processes[0]
	if w := im.process.extension(Namespace, "workflow"); w != nil {
		im.head = im.own(w)
	}
	for _, s := range im.process.all(nsModel, "startEvent") {
		im.starter = cmp.Or(im.starter, engine(s, "initiator"))
	}
	im.elements(im.process, false)
	if len(im.nodes) > maxNodes {
		im.add("BPMN002", im.process, reason("节点超过 500 个", "more than 500 elements"))
		return
	}
	im.connect()
	im.attach()
	im.plain = im.head != nil && !slices.ContainsFunc(im.nodes, func(n *node) bool { return !n.own && !n.outcome })
	im.outcomes()
}

// own reads the JSON that an element of ours holds; nil where it is none.
func (im *importer) own(e *element) object {
	out := map[string]json.RawMessage{}
	d := json.NewDecoder(strings.NewReader(e.text))
	if err := d.Decode(&out); err != nil || out == nil {
		im.add("BPMN030", e, reason("损坏的属性", "damaged properties"))
		return nil
	}
	props := object{}
	for k, v := range out {
		props[k] = v
	}
	return props
}

var flowNodes = []string{"startEvent", "endEvent", "intermediateCatchEvent", "intermediateThrowEvent", "boundaryEvent", "task", "userTask", "manualTask", "sendTask",
	"receiveTask", "serviceTask", "scriptTask", "businessRuleTask", "callActivity", "subProcess", "adHocSubProcess", "transaction", "exclusiveGateway", "inclusiveGateway",
	"parallelGateway", "complexGateway", "eventBasedGateway", "event", "implicitThrowEvent", "callChoreography", "choreographyTask", "subChoreography"}

func isFlowNode(local string) bool { return slices.Contains(flowNodes, local) }

// elements reads what a process, or a sub-process that is taken in, holds.
func (im *importer) elements(in *element, inner bool) {
	for _, e := range in.children {
		if e.space != nsModel {
			continue
		}
		id := e.attr("", "id")
		if id != "" && e.local != "documentation" {
			if im.ids[id] != nil {
				im.add("BPMN015", e)
				continue
			}
			im.ids[id] = e
		}
		switch {
		case e.local == "sequenceFlow":
			im.pending = append(im.pending, e)
		case e.local == "boundaryEvent":
			im.boundary = append(im.boundary, e)
		case e.local == "subProcess":
			im.subProcess(e)
		case isFlowNode(e.local):
			if n := im.node(e); n != nil {
				n.inner = inner && n.typ == "END" && !n.terminate
			}
		case isOneOf(e.local, "laneSet"):
			for _, l := range descendants(e, "lane") {
				im.add("BPMN030", l, reason("泳道", "lane"))
			}
		case isOneOf(e.local, "textAnnotation"):
			im.add("BPMN030", e, reason("注释 "+shorten(e.model("text").body()), "annotation "+shorten(e.model("text").body())))
		case isOneOf(e.local, "dataObject", "dataStoreReference", "group", "ioSpecification", "property", "correlationSubscription"):
			im.add("BPMN030", e, e.local)
		}
	}
}

func descendants(e *element, local string) (out []*element) {
	for _, c := range e.children {
		if c.is(nsModel, local) {
			out = append(out, c)
		}
		out = append(out, descendants(c, local)...)
	}
	return out
}

func (im *importer) make(e *element, typ string) *node {
	n := &node{e: e, typ: typ, props: object{}, order: len(im.nodes)}
	if e != nil {
		n.id, n.name = e.attr("", "id"), strings.Join(strings.Fields(e.attr("", "name")), " ")
		if n.id != "" {
			im.byID[n.id] = n
		}
	}
	im.nodes = append(im.nodes, n)
	return n
}

// subProcess takes the elements of a simple sub-process in, between a beginning and an end that lead on.
func (im *importer) subProcess(e *element) {
	refuse := func(zh, en, doZh, doEn string) { im.add("BPMN010", e, reason(zh, en), reason(doZh, doEn)) }
	switch {
	case e.attr("", "triggeredByEvent") == "true":
		refuse("事件子流程", "event sub-process", "改用审批节点的操作或超时设置", "use the actions or time limits of tasks")
		return
	case loopOf(e) != nil:
		refuse("循环或多实例的子流程", "a sub-process that loops or has several instances", "改为调用活动（子流程），按子表逐行发起", "make it a call activity that starts a workflow for each row")
		return
	}
	first := im.make(e, "")
	first.gate, first.name = "PASS", ""
	last := im.make(nil, "")
	last.gate, last.e = "PASS", e
	before := len(im.nodes)
	im.elements(e, true)
	var starts []*node
	for _, n := range im.nodes[before:] {
		if n.e != nil && n.e.parent == e && n.typ == "START" {
			starts = append(starts, n)
		}
		if n.e != nil && n.e.parent == e && n.inner {
			n.typ, n.gate = "", "PASS"
			im.link(nil, n, last)
		}
		if n.e != nil && n.e.parent == e && n.terminate {
			refuse("子流程中的终止事件", "a terminate event in a sub-process", "改为普通的结束事件", "use a plain end event")
		}
	}
	if len(starts) != 1 {
		refuse("没有唯一开始的子流程", "a sub-process without exactly one start", "在其中放一个开始事件", "put one start event into it")
		return
	}
	starts[0].typ, starts[0].gate = "", "PASS"
	im.link(nil, first, starts[0])
	im.add("BPMN040", e, reason("嵌入的子流程已展开到流程中", "the embedded sub-process was taken into the workflow"))
	first.props["last"] = last
}

// loopOf is the loop of an activity; nil where it runs once.
func loopOf(e *element) *element {
	if m := e.model("multiInstanceLoopCharacteristics"); m != nil {
		return m
	}
	return e.model("standardLoopCharacteristics")
}

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
