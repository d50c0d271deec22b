package bpmn

import (
	"slices"
	"strconv"
	"strings"
)

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
