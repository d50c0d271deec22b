package bpmn

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
)

// Compiled takes the diagnostics of the document: expressions and people that do not fit the model are taken out and reported, so that the
// document compiles and somebody completes it. It reports whether the document was changed; then it is to be compiled again.
func (r *Result) Compiled(list diag.List) bool {
	if r.Document == nil {
		return false
	}
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(r.Document))
	d.UseNumber()
	if d.Decode(&doc) != nil {
		return false
	}
	im := r.im
	nodes := listOf(doc["nodes"])
	changed := false
	seen := map[string]bool{}
	for _, x := range list {
		if x.Severity != diag.Error || seen[x.Pointer] && x.Pointer != "" {
			continue
		}
		seen[x.Pointer] = true
		parts := strings.Split(strings.TrimPrefix(x.Pointer, "/"), "/")
		at := im.process
		i := -1
		if len(parts) > 1 && parts[0] == "nodes" {
			if n, err := strconv.Atoi(parts[1]); err == nil && n < len(nodes) && n < len(im.nodes) {
				i = n
				if im.nodes[n].e != nil {
					at = im.nodes[n].e
				}
			}
		}
		if i >= 0 && !im.plain && len(parts) > 2 {
			n, _ := nodes[i].(map[string]any)
			if im.mend(n, i, parts[2:], x) {
				changed = true
				continue
			}
		}
		if slices.ContainsFunc(im.items, func(i Item) bool { return i.Code == "BPMN026" && i.Element == at.attr("", "id") }) && strings.HasSuffix(x.Pointer, "/workflowCode") {
			continue // told
		}
		im.add("BPMN029", at, reason(x.Zh, x.En), reason(x.Repair.Zh, x.Repair.En))
		changed = changed || x.Code == "WF400037" // a draft may name a service that is still to be written
	}
	if changed {
		doc["published"] = 0
		r.Document = marshal(doc)
	}
	r.Report = im.sorted()
	return changed
}

// mend takes what does not compile out of a node; false where that is not known how.
func (im *importer) mend(n map[string]any, i int, parts []string, x diag.Diagnostic) bool {
	text := func(v any) diag.Text {
		s, _ := v.(string)
		s = shorten(s)
		return reason(s+"（"+x.Zh+"）", s+" ("+x.En+")")
	}
	e := im.nodes[i].e
	if im.nodes[i].own {
		return false
	}
	switch {
	case parts[0] == "routes" && len(parts) == 3 && parts[2] == "when":
		j, err := strconv.Atoi(parts[1])
		routes := listOf(n["routes"])
		if err != nil || j >= len(routes) {
			return false
		}
		route, _ := routes[j].(map[string]any)
		if g := im.nodes[i].out; j < len(g) && g[j].e != nil {
			e = g[j].e
		}
		im.add("BPMN021", e, text(route["when"]))
		delete(route, "when")
	case parts[0] == "participants" && len(parts) > 1:
		j, err := strconv.Atoi(parts[1])
		all := listOf(n["participants"])
		if err != nil || j >= len(all) {
			return false
		}
		p, _ := all[j].(map[string]any)
		what := "?"
		for _, key := range []string{"propertyCode", "formula"} {
			if s, ok := p[key].(string); ok {
				what = s
			}
		}
		if l := listOf(p["value"]); len(l) > 0 {
			what, _ = l[0].(string)
		}
		all[j] = object{"type": "person", "value": []any{cut(what, 100)}, "description": "BPMN"}
		im.add("BPMN020", e, text(what))
	case parts[0] == "key":
		im.add("BPMN024", e, text(n["key"]))
		n["key"] = "sequenceNo"
	case parts[0] == "until" && n["until"] != "addDays(today(), 1)":
		im.add("BPMN023", e, text(n["until"]))
		n["until"] = "addDays(today(), 1)"
	case parts[0] == "each":
		im.add("BPMN026", e, text(n["each"]))
		delete(n, "each")
	default:
		return false
	}
	return true
}

// ValidCode reports whether a text can be the code of a document.
func ValidCode(text string) bool { return code.MatchString(text) }
