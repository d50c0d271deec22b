package bpmn

import (
	"regexp"
	"slices"
	"strings"
)

// object is a part of a document.
type object = map[string]any

var (
	initiators  = regexp.MustCompile(`(?i)^(initiator|starter|startUser(Id)?|startedBy|applyUser(Id)?|applicant(Id)?|applyUserId|creator|submitter|INITIATOR|flowInitiator|process_?initiator|发起人|申请人)$`)
	superiors   = regexp.MustCompile(`(?i)^(manager|leader|deptLeader|supervisor|superior|deptManager|departmentManager)$`)
	simpleName  = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`)
	resourceFor = regexp.MustCompile(`^(user|group)\(\s*([^)]*)\)$`)
)

// assigned is what a task says of its people.
type assigned struct {
	kind string // person, group
	text string
	at   *element
}

// listed splits a,b and the lists of FEEL.
func listed(text string) (out []string) {
	if inner, _, feel := bare(text); feel && strings.HasPrefix(inner, "[") && strings.HasSuffix(inner, "]") {
		for _, part := range strings.Split(inner[1:len(inner)-1], ",") {
			part = strings.TrimSpace(part)
			if unquoted := strings.Trim(part, `"'`); unquoted != part {
				part = unquoted
			} else {
				part = "=" + part
			}
			out = append(out, part)
		}
		return out
	}
	if inner, _, feel := bare(text); feel && len(inner) > 1 && (inner[0] == '"' || inner[0] == '\'') && inner[len(inner)-1] == inner[0] {
		text = inner[1 : len(inner)-1]
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' }) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// engines are the dialects that share the attributes of Activiti.
var engines = []string{nsCamunda, nsFlowable, nsActiviti}

// engine is an attribute of any of these dialects.
func engine(e *element, local string) string {
	for _, space := range engines {
		if v := e.attr(space, local); v != "" {
			return v
		}
	}
	return ""
}

// peopleOf lists what a user task says of its people, in all dialects.
func peopleOf(e *element) (out []assigned) {
	add := func(kind, text string, at *element) {
		for _, one := range listed(text) {
			if !slices.ContainsFunc(out, func(a assigned) bool { return a.kind == kind && a.text == one }) {
				out = append(out, assigned{kind, one, at})
			}
		}
	}
	add("person", engine(e, "assignee"), e)
	add("person", engine(e, "candidateUsers"), e)
	add("group", engine(e, "candidateGroups"), e)
	if z := e.extension(nsZeebe, "assignmentDefinition"); z != nil {
		add("person", z.attr("", "assignee"), z)
		add("person", z.attr("", "candidateUsers"), z)
		add("group", z.attr("", "candidateGroups"), z)
	}
	for _, c := range e.children {
		if c.space != nsModel || !isOneOf(c.local, "humanPerformer", "potentialOwner", "performer", "resourceRole") {
			continue
		}
		kind := "group"
		if c.local != "potentialOwner" {
			kind = "person"
		}
		text := c.model("resourceAssignmentExpression").model("formalExpression").body()
		if text == "" {
			text = c.model("resourceAssignmentExpression").body()
		}
		if ref := c.model("resourceRef").body(); text == "" {
			text = ref
		}
		for _, one := range splitOutside(text) {
			if m := resourceFor.FindStringSubmatch(one); m != nil {
				add(map[string]string{"user": "person", "group": "group"}[m[1]], m[2], c)
			} else {
				add(kind, one, c)
			}
		}
	}
	return out
}

// splitOutside splits at commas outside of parentheses.
func splitOutside(text string) (out []string) {
	depth, from := 0, 0
	for i, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out, from = append(out, strings.TrimSpace(text[from:i])), i+1
			}
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// participants turns what a task says of its people into ours. What is not recognized becomes a placeholder that no account matches, so that
// the policy for nobody holds, and is reported.
func (im *importer) participants(e *element, starter string) []any {
	var out []any
	var people, roles []any
	for _, a := range peopleOf(e) {
		inner, dynamic, _ := bare(a.text)
		name := strings.TrimSuffix(strings.TrimPrefix(inner, "initiator."), "()")
		switch {
		case strings.EqualFold(a.text, "$INITIATOR"), dynamic && (initiators.MatchString(inner) || inner == starter && starter != "" || inner == "initiator.id"):
			out = append(out, object{"type": "initiator"})
		case dynamic && superiors.MatchString(name) && !im.property(inner):
			out = append(out, object{"type": "deptLeader"})
			im.add("BPMN040", a.at, reason("处理人 "+a.text+" 取为发起人的部门负责人", a.text+" became the leader of the initiator's department"))
		case dynamic && simpleName.MatchString(inner) && im.property(inner):
			out = append(out, object{"type": "field", "propertyCode": inner})
		case dynamic || strings.ContainsAny(a.text, "${}()"):
			out = append(out, im.nobody(a.at, a.text))
		case a.kind == "person":
			people = append(people, a.text)
		case im.role(a.text):
			roles = append(roles, a.text)
		default:
			out = append(out, im.nobody(a.at, a.text))
		}
	}
	if len(people) > 0 {
		out = append(out, object{"type": "person", "value": people})
	}
	if len(roles) > 0 {
		out = append(out, object{"type": "role", "value": roles})
	}
	if len(out) == 0 {
		out = append(out, im.nobody(e, ""))
	}
	return out
}

// nobody is the placeholder for people who are to be named.
func (im *importer) nobody(at *element, text string) object {
	var why any = text
	if text = shorten(text); text == "" {
		text, why = "?", reason("没有写", "nothing is said")
	}
	if r := []rune(text); len(r) > 100 {
		text = string(r[:100])
	}
	im.add("BPMN020", at, why)
	return object{"type": "person", "value": []any{text}, "description": "BPMN"}
}

// property reports whether the model has a property of this code.
func (im *importer) property(code string) bool {
	first, _, _ := strings.Cut(code, ".")
	return slices.ContainsFunc(im.o.Properties, func(p string) bool { return strings.EqualFold(p, first) })
}

// role reports whether a role exists, as far as that is known.
func (im *importer) role(code string) bool {
	return im.o.Roles == nil || slices.ContainsFunc(im.o.Roles, func(r string) bool { return r == code })
}
