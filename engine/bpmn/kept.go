package bpmn

import (
	"slices"
	"strings"
)

// What a dialect says and we understand; Export writes it from the document.
var (
	understood = map[string][]string{
		"": {"initiator", "delegateExpression", "expression", "class", "topic", "calledElement", "decisionRef", "collection", "elementVariable", "dueDate", "historyTimeToLive"},
	}
	people     = []string{"assignee", "candidateUsers", "candidateGroups"}
	understand = []string{"assignmentDefinition", "taskDefinition", "calledElement", "loopCharacteristics", "subscription", "taskSchedule", "localization", "calledDecision"}
)

// keep notes an element that is written back.
func (im *importer) keep(n *node, e *element) {
	var b strings.Builder
	im.kept.write(&b, e)
	kept, _ := n.props["bpmn"].(object)
	if kept == nil {
		kept = object{}
		n.props["bpmn"] = kept
	}
	text, _ := kept["xml"].(string)
	kept["xml"] = text + b.String()
}

// keepAll notes the attributes and extension elements of foreign dialects that have no meaning here.
func (im *importer) keepAll(n *node) {
	if n.e == nil || n.own {
		return
	}
	unknown := slices.ContainsFunc(im.items, func(i Item) bool { return i.Element == n.id && (i.Code == "BPMN020" || i.Code == "BPMN022") })
	var names []string
	attributes := object{}
	for _, a := range n.e.attrs {
		space := a.Name.Space
		if space == "" || space == nsModel || space == nsXSI || space == Namespace || slices.Contains(understood[""], a.Name.Local) && !unknown ||
			slices.Contains(people, a.Name.Local) && !unknown {
			continue
		}
		name := im.kept.qualified(space, a.Name.Local)
		attributes[name], names = a.Value, append(names, name)
	}
	for _, x := range n.e.extensions() {
		if x.space == Namespace || slices.Contains(understand, x.local) && !unknown {
			continue
		}
		im.keep(n, x)
		names = append(names, im.kept.qualified(x.space, x.local))
	}
	if len(attributes) > 0 {
		kept, _ := n.props["bpmn"].(object)
		if kept == nil {
			kept = object{}
			n.props["bpmn"] = kept
		}
		kept["attributes"] = attributes
	}
	if len(names) > 0 {
		slices.Sort(names)
		im.add("BPMN031", n.e, shorten(strings.Join(slices.Compact(names), ", ")))
	}
}
