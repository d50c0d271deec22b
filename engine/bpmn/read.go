package bpmn

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// Options say where the workflow goes and what is there.
type Options struct {
	File       string   // name of the file, for the report
	Code       string   // of the workflow; "" = made of the process's id
	Pool       string   // which one of several is taken: name or id of a pool or process; "" = the only one
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
	var all []*element
	for _, c := range root.all(nsModel, "collaboration") {
		for _, m := range c.all(nsModel, "messageFlow") {
			im.add("BPMN030", m, reason("泳池之间的消息流；改用等待信号的节点或服务任务", "a message flow between pools; use an event that waits for a signal, or a service task"))
		}
		pools := c.all(nsModel, "participant")
		all = append(all, pools...)
		for _, p := range pools {
			if id := p.attr("", "processRef"); len(pools) > 1 && !slices.ContainsFunc(processes, func(e *element) bool { return e.attr("", "id") == id }) {
				im.add("BPMN030", p, reason("没有流程的泳池", "a pool without a process"))
			}
			if m := p.model("participantMultiplicity"); m != nil {
				im.add("BPMN030", m, reason("泳池的多重性", "multiplicity of the pool"))
			}
		}
	}
	if len(processes) == 0 {
		im.add("BPMN005", nil)
		return
	}
	if im.process = im.pool(processes, all); im.process == nil {
		return
	}
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

// pool is the one process to take; nil, and refused, where nobody said which.
func (im *importer) pool(processes, pools []*element) *element {
	if len(processes) == 1 && im.o.Pool == "" {
		return processes[0]
	}
	var found []*element
	var names []string
	for _, p := range processes {
		id := p.attr("", "id")
		called := []string{id, p.attr("", "name")}
		for _, pool := range pools {
			if pool.attr("", "processRef") == id {
				called = append(called, pool.attr("", "id"), pool.attr("", "name"))
			}
		}
		if im.o.Pool != "" && slices.Contains(called, im.o.Pool) {
			found = append(found, p)
		}
		names = append(names, cmp.Or(called[len(called)-1], called[1], id))
	}
	if len(found) != 1 {
		for _, p := range processes[min(1, len(processes)-1):] {
			im.add("BPMN006", p, shorten(strings.Join(names, ", ")))
		}
		return nil
	}
	for _, p := range processes {
		if p != found[0] {
			im.add("BPMN030", p, reason("另一个泳池的流程", "the process of another pool"))
		}
	}
	return found[0]
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
