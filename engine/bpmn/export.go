package bpmn

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Dialect says whose attributes Export adds for other programs.
type Dialect string

// The dialects.
const (
	Plain    Dialect = "plain" // of the notation alone
	Camunda  Dialect = "camunda"
	Flowable Dialect = "flowable"
)

// Dialects are all of them.
var Dialects = []Dialect{Plain, Camunda, Flowable}

// Known reports whether there is such a dialect.
func (d Dialect) Known() bool { return slices.Contains(Dialects, d) }

// condition is one of our expressions as the dialect writes it.
func (d Dialect) condition(when string) string {
	if d == Plain {
		return when
	}
	return "${" + when + "}"
}

// ExportOptions say how a document is written.
type ExportOptions struct {
	Code string  // of the workflow
	For  Dialect // "" = plain
}

func init() {
	messages["BPMN041"] = say(Kept, "只写在 Sluice 的扩展中：{0}", "only in the extension of Sluice: {0}", "在其他程序中另行设置", "set it up in the other program")
}

// draft is a document as Export reads it.
type draft struct {
	head  map[string]json.RawMessage
	nodes []*item
	byID  map[string]*item
	kept  keptParts
}

// item is a node of a document.
type item struct {
	id, typ, kind, of, name string
	shown                   string // id in the file
	props                   map[string]json.RawMessage
	ways                    []way
	timeout                 int
	border                  string // id of the event that shows it
	outcome                 bool   // its ways out need a gateway
}

// way is a route of a split, or an entry of next.
type way struct {
	To      string `json:"to"`
	Exit    string `json:"exit"`
	Name    string `json:"name"`
	When    string `json:"when"`
	Default bool   `json:"default"`
	props   map[string]json.RawMessage
}

// keptParts is layout.bpmn: what an import could not express.
type keptParts struct {
	Process    string               `json:"process"`
	IDs        map[string]string    `json:"ids"`
	Bounds     map[string][]float64 `json:"bounds"`
	Namespaces map[string]string    `json:"namespaces"`
	Elements   map[string]struct {
		Attributes map[string]string `json:"attributes"`
		XML        string            `json:"xml"`
	} `json:"elements"`
}

func text(m map[string]json.RawMessage, key string) (out string) {
	_ = json.Unmarshal(m[key], &out) // "" where it is missing or something else
	return out
}

// read takes a document apart.
func read(document []byte) (*draft, error) {
	d := &draft{byID: map[string]*item{}}
	if err := json.Unmarshal(document, &d.head); err != nil {
		return nil, err
	}
	var nodes []map[string]json.RawMessage
	if err := json.Unmarshal(d.head["nodes"], &nodes); err != nil {
		return nil, fmt.Errorf("nodes: %w", err)
	}
	if len(nodes) > maxNodes {
		return nil, errors.New("nodes: there are more than 500")
	}
	delete(d.head, "nodes")
	var layout struct {
		BPMN keptParts `json:"bpmn"`
	}
	if json.Unmarshal(d.head["layout"], &layout) == nil {
		d.kept = layout.BPMN
	}
	for _, props := range nodes {
		n := &item{id: text(props, "id"), typ: text(props, "type"), kind: text(props, "kind"), of: text(props, "of"), name: text(props, "name"), props: props}
		if n.id == "" || codeOf(n.id) != n.id || elementOf(n.typ, n.kind, "") == "" || d.byID[n.id] != nil {
			return nil, fmt.Errorf("node %q: its id or type is not usable", n.id)
		}
		key := "next"
		if n.typ == "SPLIT" {
			key = "routes"
		}
		var err error
		if n.ways, err = ways(props[key]); err != nil {
			return nil, fmt.Errorf("node %q: %w", n.id, err)
		}
		n.outcome = n.typ != "SPLIT" && slices.ContainsFunc(n.ways, func(w way) bool { return w.Exit == "disagree" })
		for _, k := range []string{"id", "type", "kind", "of", key} {
			delete(props, k)
		}
		n.limit()
		if sanitized(n.name) == n.name {
			delete(props, "name")
		}
		d.nodes = append(d.nodes, n)
		d.byID[n.id] = n
	}
	for _, n := range d.nodes {
		if split := d.byID[n.of]; split != nil && n.typ == "JOIN" {
			n.kind = split.kind
		}
		for _, w := range n.ways {
			if d.byID[w.To] == nil {
				return nil, fmt.Errorf("node %q: there is no node %q", n.id, w.To)
			}
		}
	}
	d.shown()
	return d, nil
}

// limit takes the time limit out of the properties, for the event that shows it.
func (n *item) limit() {
	var time map[string]json.RawMessage
	if json.Unmarshal(n.props["time"], &time) != nil || !isOneOf(n.typ, "FILL", "APPROVE") {
		return
	}
	m, err := strconv.Atoi(string(time["timeoutMinutes"]))
	if err != nil || m <= 0 || m > mostMinutes {
		return
	}
	n.timeout = m
	delete(time, "timeoutMinutes")
	n.props["time"] = marshal(time)
}

func ways(raw json.RawMessage) (out []way, err error) {
	var entries []json.RawMessage
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &entries)
	}
	for _, e := range entries {
		w := way{props: map[string]json.RawMessage{}}
		if json.Unmarshal(e, &w.To) == nil {
			out = append(out, w)
			continue
		}
		if err := errors.Join(json.Unmarshal(e, &w), json.Unmarshal(e, &w.props)); err != nil {
			return nil, err
		}
		delete(w.props, "to")
		if sanitized(w.Name) == w.Name {
			delete(w.props, "name")
		}
		out = append(out, w)
	}
	return out, err
}

// sanitized is a text as an attribute of XML can hold it.
func sanitized(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || r < ' ' || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, s)
}

// elementOf is the name of the element for a type of node; "" = there is no such type.
func elementOf(typ, kind, rule string) string {
	switch typ {
	case "START":
		return "startEvent"
	case "FILL", "APPROVE":
		return "userTask"
	case "CIRCULATE":
		return "sendTask"
	case "SERVICE":
		if rule != "" {
			return "businessRuleTask"
		}
		return "serviceTask"
	case "SUB":
		return "callActivity"
	case "WAIT":
		return "intermediateCatchEvent"
	case "END":
		return "endEvent"
	case "SPLIT", "JOIN":
		switch kind {
		case "AND":
			return "parallelGateway"
		case "OR":
			return "inclusiveGateway"
		}
		return "exclusiveGateway"
	}
	return ""
}

var plainID = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,200}$`)

// shown gives each node the id that it has in the file: that of the file it came from, or its own.
func (d *draft) shown() {
	taken := map[string]bool{}
	for _, n := range d.nodes {
		if id := d.kept.IDs[n.id]; plainID.MatchString(id) && !taken[id] && d.byID[id] == nil {
			n.shown = id
		} else {
			n.shown = n.id
		}
		taken[n.shown] = true
	}
}

// exporter writes a file.
type exporter struct {
	strings.Builder
	reporter
	d      *draft
	o      ExportOptions
	spaces *spaces
	taken  map[string]bool
	flows  []flow
	roots  strings.Builder // signals
	level  int
}

// flow is a drawn sequence flow.
type flow struct{ id, from, to string }

// Export writes a document as a BPMN 2.0 file with a diagram.
func Export(document []byte, o ExportOptions) ([]byte, Report, error) {
	o.For = cmp.Or(o.For, Plain)
	if !o.For.Known() {
		return nil, nil, fmt.Errorf("there is no dialect %q", o.For)
	}
	d, err := read(document)
	if err != nil {
		return nil, nil, fmt.Errorf("export workflow %s: %w", o.Code, err)
	}
	x := &exporter{reporter: reporter{file: o.Code}, d: d, o: o, spaces: newSpaces(), taken: map[string]bool{}, level: 1}
	for uri, p := range prefixes {
		if isOneOf(p, "bpmn", "bpmndi", "dc", "di", "xsi", "sluice", string(o.For)) {
			x.spaces.byURI[uri] = p
		}
	}
	for _, p := range sortedKeys(d.kept.Namespaces) {
		uri := d.kept.Namespaces[p]
		if _, have := x.spaces.byURI[uri]; !have && plainID.MatchString(p) && !x.prefixTaken(p) && uri != "" && sanitized(uri) == uri {
			x.spaces.byURI[uri] = p
		}
	}
	for _, n := range d.nodes {
		x.taken[n.shown], x.taken[n.id] = true, true
	}
	process := cmp.Or(o.Code, "process")
	if plainID.MatchString(d.kept.Process) {
		process = d.kept.Process
	}
	if x.taken[process] {
		process = x.unique("Process_" + process)
	}
	x.taken[process] = true
	x.process(process)
	body := x.String()
	x.Reset()
	x.definitions(process, body)
	return []byte(x.String()), x.items, nil
}

func (x *exporter) prefixTaken(p string) bool {
	for _, have := range x.spaces.byURI {
		if have == p {
			return true
		}
	}
	return p == "xml" || p == "xmlns"
}

// unique is an id that nothing else in the file has.
func (x *exporter) unique(base string) string {
	id := base
	for i := 2; x.taken[id]; i++ {
		id = base + "_" + strconv.Itoa(i)
	}
	x.taken[id] = true
	return id
}

// line writes one line of the file.
func (x *exporter) line(parts ...string) {
	x.WriteString(strings.Repeat("  ", x.level))
	for _, p := range parts {
		x.WriteString(p)
	}
	x.WriteByte('\n')
}

func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + escaped(value) + `"`
}

// definitions writes the whole file around the process.
func (x *exporter) definitions(process, body string) {
	x.level = 0
	x.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	head := "<bpmn:definitions"
	byPrefix := map[string]string{}
	for uri, p := range x.spaces.byURI {
		byPrefix[p] = uri
	}
	for _, p := range sortedKeys(byPrefix) {
		head += attribute("xmlns:"+p, byPrefix[p])
	}
	x.line(head, attribute("id", x.unique("Definitions_"+process)), attribute("targetNamespace", Namespace), ` exporter="Sluice">`)
	x.WriteString(x.roots.String())
	x.WriteString(body)
	x.diagram(process)
	x.line("</bpmn:definitions>")
}

func (x *exporter) process(id string) {
	extra := ""
	if x.o.For == Camunda {
		extra = ` camunda:historyTimeToLive="P180D"`
	}
	name := text(x.d.head, "name")
	if sanitized(name) == name {
		delete(x.d.head, "name")
	}
	x.line("<bpmn:process", attribute("id", id), attribute("name", sanitized(name)), ` isExecutable="true"`, extra, ">")
	x.level++
	x.line("<bpmn:extensionElements>")
	x.level++
	x.line("<sluice:workflow>", escaped(string(marshal(x.d.head))), "</sluice:workflow>")
	x.level--
	x.line("</bpmn:extensionElements>")
	var flows strings.Builder
	for _, n := range x.d.nodes {
		flows.WriteString(x.node(n))
	}
	x.WriteString(flows.String())
	x.level--
	x.line("</bpmn:process>")
}

// node writes a node, and returns the flows that leave it.
func (x *exporter) node(n *item) string {
	var rule string
	if n.typ == "SERVICE" && n.props["rule"] != nil {
		rule = text(n.props, "rule")
	}
	local := elementOf(n.typ, n.kind, rule)
	var flows strings.Builder
	usual := ""
	from, gate := n.shown, ""
	if n.outcome {
		gate = x.unique(n.id + "_outcome")
		from = gate
	}
	if n.typ == "END" {
		n.ways = nil
	}
	for _, w := range n.ways {
		id := x.unique("Flow_" + n.id + "_" + w.To)
		if n.outcome && w.Exit != "disagree" || w.Default && usual == "" && isOneOf(n.kind, "XOR", "OR") && n.typ == "SPLIT" {
			if usual == "" {
				usual = id
			}
			if !n.outcome {
				delete(w.props, "default")
			}
		}
		x.flow(&flows, n, w, id, from, usual == id)
	}
	direction := ""
	switch n.typ {
	case "SPLIT":
		direction = ` gatewayDirection="Diverging"`
	case "JOIN":
		direction = ` gatewayDirection="Converging"`
	}
	defaults := usual
	if n.outcome {
		defaults = ""
	}
	loop := n.loop()
	attrs, inner := x.assign(n, loop != "")
	open := "<bpmn:" + local + attribute("id", n.shown) + attribute("name", sanitized(n.name)) + direction + attribute("default", defaults) + attrs + x.service(n) + x.keptAttributes(n, attrs)
	if n.typ == "SUB" {
		open += attribute("calledElement", text(n.props, "workflowCode"))
	}
	keptXML := x.keptXML(n)
	own := "<sluice:node" + attribute("type", n.typ) + attribute("kind", n.kind) + attribute("of", n.of) + attribute("loop", loop)
	if n.shown != n.id {
		own += attribute("id", n.id)
	}
	if n.typ == "FILL" || n.typ == "APPROVE" {
		own += attribute("people", x.said(open, keptXML, inner))
	}
	x.line(open, ">")
	x.level++
	x.line("<bpmn:extensionElements>")
	x.level++
	x.line(own, ">", escaped(string(marshal(n.props))), "</sluice:node>")
	if keptXML != "" {
		x.line(keptXML)
	}
	x.level--
	x.line("</bpmn:extensionElements>")
	x.event(n)
	if inner != "" {
		x.line(inner)
	}
	x.loopElement(n, loop)
	x.level--
	x.line("</bpmn:", local, ">")
	if gate != "" {
		x.line(`<bpmn:exclusiveGateway`, attribute("id", gate), ` gatewayDirection="Diverging"`, attribute("default", usual), ">")
		x.level++
		x.line("<bpmn:extensionElements><sluice:outcome", attribute("of", n.id), "/></bpmn:extensionElements>")
		x.level--
		x.line("</bpmn:exclusiveGateway>")
		id := x.unique("Flow_" + gate)
		x.flows = append(x.flows, flow{id, n.shown, gate})
		flows.WriteString("    <bpmn:sequenceFlow" + attribute("id", id) + attribute("sourceRef", n.shown) + attribute("targetRef", gate) + "/>\n")
	}
	if n.timeout > 0 {
		id := x.unique(n.id + "_timeout")
		n.border = id
		x.line("<bpmn:boundaryEvent", attribute("id", id), ` cancelActivity="false"`, attribute("attachedToRef", n.shown), ">")
		x.level++
		x.line("<bpmn:extensionElements><sluice:timeout", attribute("of", n.id), "/></bpmn:extensionElements>")
		x.line(`<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">`, isoMinutes(n.timeout), "</bpmn:timeDuration></bpmn:timerEventDefinition>")
		x.level--
		x.line("</bpmn:boundaryEvent>")
	}
	return flows.String()
}

// flow writes a sequence flow.
func (x *exporter) flow(b *strings.Builder, n *item, w way, id, from string, usual bool) {
	target := x.d.byID[w.To].shown
	x.flows = append(x.flows, flow{id, from, target})
	body := ""
	switch {
	case w.Exit == "disagree":
		body = x.o.For.condition(n.id + "_outcome == 'disagree'")
	case w.When != "" && !usual && n.kind != "AND":
		body = x.o.For.condition(w.When)
	}
	name := sanitized(w.Name)
	if n.outcome && name == "" {
		name = map[bool]string{true: "不同意", false: "同意"}[w.Exit == "disagree"]
	}
	b.WriteString("    <bpmn:sequenceFlow" + attribute("id", id) + attribute("name", name) + attribute("sourceRef", from) + attribute("targetRef", target))
	if len(w.props) == 0 && body == "" {
		b.WriteString("/>\n")
		return
	}
	b.WriteString(">\n")
	if len(w.props) > 0 {
		b.WriteString("      <bpmn:extensionElements><sluice:route" + attribute("condition", body) + ">" + escaped(string(marshal(w.props))) + "</sluice:route></bpmn:extensionElements>\n")
	}
	if body != "" {
		b.WriteString(`      <bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">` + escaped(body) + "</bpmn:conditionExpression>\n")
	}
	b.WriteString("    </bpmn:sequenceFlow>\n")
}

// assign is what the dialect says of the people of a task: attributes and an element.
func (x *exporter) assign(n *item, several bool) (attrs, inner string) {
	if n.typ != "FILL" && n.typ != "APPROVE" {
		return "", ""
	}
	var list []struct {
		Type         string
		Value        []string
		PropertyCode string
	}
	_ = json.Unmarshal(n.props["participants"], &list) // what is not like this is in our extension only
	var users, groups, rest []string
	for _, p := range list {
		switch p.Type {
		case "person":
			users = append(users, p.Value...)
		case "role":
			groups = append(groups, p.Value...)
		case "initiator":
			users = append(users, "${initiator}")
		case "field":
			users = append(users, "${"+p.PropertyCode+"}")
		default:
			rest = append(rest, p.Type)
		}
	}
	if len(rest) > 0 {
		x.tell("BPMN041", n, strings.Join(rest, ", "))
	}
	if x.o.For == Plain {
		var said []string
		for _, u := range users {
			said = append(said, "user("+u+")")
		}
		for _, g := range groups {
			said = append(said, "group("+g+")")
		}
		if len(said) == 0 {
			return "", ""
		}
		return "", `<bpmn:potentialOwner><bpmn:resourceAssignmentExpression><bpmn:formalExpression>` + escaped(strings.Join(said, ", ")) +
			`</bpmn:formalExpression></bpmn:resourceAssignmentExpression></bpmn:potentialOwner>`
	}
	p := string(x.o.For) + ":"
	switch {
	case several:
		attrs = attribute(p+"assignee", "${participant}")
	case len(users) == 1 && len(groups) == 0:
		attrs = attribute(p+"assignee", users[0])
	default:
		attrs = attribute(p+"candidateUsers", strings.Join(users, ","))
	}
	return attrs + attribute(p+"candidateGroups", strings.Join(groups, ",")), ""
}

func (x *exporter) tell(code string, n *item, args ...any) {
	x.add(code, nil, args...)
	last := &x.items[len(x.items)-1]
	last.Element, last.Type, last.Name = n.id, n.typ, n.name
}

// service is what the dialect says of a service.
func (x *exporter) service(n *item) string {
	if n.typ != "SERVICE" {
		return ""
	}
	name, rule := text(n.props, "service"), text(n.props, "rule")
	if name == "" && rule == "" {
		x.tell("BPMN041", n, "http")
	}
	switch {
	case x.o.For == Plain:
		return attribute("implementation", cmp.Or(name, rule))
	case rule != "" && x.o.For == Camunda:
		return attribute("camunda:decisionRef", rule)
	case x.o.For == Camunda:
		return attribute("camunda:type", "external") + attribute("camunda:topic", cmp.Or(name, n.id))
	}
	return attribute("flowable:delegateExpression", "${"+strings.ReplaceAll(cmp.Or(name, rule, n.id), ".", "_")+"}")
}

// loop is how many of the people have to agree, as the file says it: sequential, parallel; "" = one.
func (n *item) loop() string {
	if n.typ != "FILL" && n.typ != "APPROVE" {
		return ""
	}
	switch text(n.props, "mode") {
	case "SEQ", "LEVELS":
		return "sequential"
	case "ALL":
		if exit := string(n.props["agreeExit"]); exit != "" && exit != "100" {
			if f, err := strconv.ParseFloat(exit, 64); err == nil && f > 0 && f < 100 {
				return "parallel " + strconv.FormatFloat(f/100, 'f', -1, 64)
			}
		}
		return "parallel"
	}
	return ""
}

// loopElement writes the loop of a task.
func (x *exporter) loopElement(n *item, loop string) {
	if loop == "" {
		return
	}
	extra := ""
	if x.o.For != Plain {
		extra = attribute(string(x.o.For)+":collection", "${participants_"+n.id+"}") + attribute(string(x.o.For)+":elementVariable", "participant")
	}
	kind, part, _ := strings.Cut(loop, " ")
	if kind == "sequential" {
		extra = ` isSequential="true"` + extra
	}
	if part == "" {
		x.line("<bpmn:multiInstanceLoopCharacteristics", extra, "/>")
		return
	}
	x.line("<bpmn:multiInstanceLoopCharacteristics", extra, `><bpmn:completionCondition xsi:type="bpmn:tFormalExpression">`,
		escaped("${nrOfCompletedInstances/nrOfInstances >= "+part+"}"), "</bpmn:completionCondition></bpmn:multiInstanceLoopCharacteristics>")
}

// loopSaid is what a task of a file says, in the words of loop.
func loopSaid(e *element) string {
	l := loopOf(e)
	if l == nil {
		return ""
	}
	if l.attr("", "isSequential") == "true" {
		return "sequential"
	}
	if _, exit, ok := completion(l.model("completionCondition").body()); ok && exit < 100 {
		return "parallel " + strconv.FormatFloat(exit/100, 'f', -1, 64)
	}
	return "parallel"
}

// event writes what a waiting or ending event is.
func (x *exporter) event(n *item) {
	switch n.typ {
	case "WAIT":
		if signal := text(n.props, "signal"); signal != "" {
			id := x.unique("Signal_" + n.id)
			x.roots.WriteString("  <bpmn:signal" + attribute("id", id) + attribute("name", sanitized(signal)) + "/>\n")
			x.line("<bpmn:signalEventDefinition", attribute("signalRef", id), "/>")
			return
		}
		x.line(`<bpmn:timerEventDefinition><bpmn:timeDate xsi:type="bpmn:tFormalExpression">`, escaped(x.o.For.condition(text(n.props, "until"))), "</bpmn:timeDate></bpmn:timerEventDefinition>")
	case "END":
		if string(n.props["terminate"]) == "true" {
			x.line("<bpmn:terminateEventDefinition/>")
		}
	}
}

// keptAttributes are attributes of other dialects that an import has kept.
func (x *exporter) keptAttributes(n *item, written string) (out string) {
	kept := x.d.kept.Elements[n.id].Attributes
	for _, name := range sortedKeys(kept) {
		prefix, local, ok := strings.Cut(name, ":")
		uri, declared := x.d.kept.Namespaces[prefix]
		if p := x.spaces.byURI[uri]; ok && declared && p != "" && uri != nsModel && plainID.MatchString(local) && !strings.Contains(written, " "+p+":"+local+"=") {
			if !(n.typ == "SERVICE" && isOneOf(p, string(x.o.For))) {
				out += attribute(p+":"+local, kept[name])
			}
		}
	}
	return out
}

// keptXML are extension elements that an import has kept, read and written again so that nothing but elements gets into the file.
func (x *exporter) keptXML(n *item) string {
	kept := x.d.kept.Elements[n.id].XML
	if kept == "" || len(kept) > MaxSize/4 {
		return ""
	}
	root, err := parse(strings.NewReader(x.wrapped(kept)))
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, c := range root.children {
		if c.space != Namespace && c.space != "" && known(x.spaces, c) {
			x.spaces.write(&b, c)
		}
	}
	return b.String()
}

// wrapped is a part of a file with the declarations that it needs.
func (x *exporter) wrapped(part string) string {
	head := "<x"
	for uri, p := range x.spaces.byURI {
		head += attribute("xmlns:"+p, uri)
	}
	return head + ">" + part + "</x>"
}

// known reports whether all namespaces of an element have been declared, and their names can be written.
func known(s *spaces, e *element) bool {
	ok := func(space, local string) bool {
		_, declared := s.byURI[space]
		return (space == "" || declared) && plainID.MatchString(local)
	}
	for _, a := range e.attrs {
		if !ok(a.Name.Space, a.Name.Local) {
			return false
		}
	}
	return ok(e.space, e.local) && !slices.ContainsFunc(e.children, func(c *element) bool { return !known(s, c) })
}

// said is what the element of a task says of its people, so that an import notices when somebody changed it.
func (x *exporter) said(open, kept, inner string) string {
	local, _, _ := strings.Cut(strings.TrimPrefix(open, "<"), " ")
	root, err := parse(strings.NewReader(x.wrapped(open + "><bpmn:extensionElements>" + kept + "</bpmn:extensionElements>" + inner + "</" + local + ">")))
	if err != nil || len(root.children) != 1 {
		return ""
	}
	return peopleSaid(root.children[0])
}

func peopleSaid(e *element) string {
	var out []string
	for _, a := range peopleOf(e) {
		out = append(out, a.kind+" "+a.text)
	}
	return strings.Join(out, "; ")
}

// changed takes over what somebody changed in the people and the loop of a task of ours.
func (im *importer) changedPeople(n *node) {
	x := n.e.extension(Namespace, "node")
	if said := peopleSaid(n.e); said != "" && said != x.attr("", "people") {
		n.props["participants"] = im.participants(n.e, im.starter)
		im.add("BPMN040", n.e, reason("处理人取自文件中修改后的内容", "its people are those that were changed in the file"))
	}
	if said := loopSaid(n.e); said != x.attr("", "loop") {
		for _, key := range []string{"mode", "agreeExit"} {
			delete(n.props, key)
		}
		kind, part, _ := strings.Cut(said, " ")
		switch kind {
		case "sequential":
			n.props["mode"] = "SEQ"
		case "parallel":
			n.props["mode"] = "ALL"
			if f, err := strconv.ParseFloat(part, 64); err == nil && n.typ == "APPROVE" {
				n.props["agreeExit"] = f * 100
			}
		}
		im.add("BPMN040", n.e, reason("会签方式取自文件中修改后的内容", "how many have to agree is what was changed in the file"))
	}
}
