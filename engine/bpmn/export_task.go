package bpmn

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

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
