package bpmn

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
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

func (x *exporter) tell(code string, n *item, args ...any) {
	x.add(code, nil, args...)
	last := &x.items[len(x.items)-1]
	last.Element, last.Type, last.Name = n.id, n.typ, n.name
}
