package bpmn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// code is that of the workflow.
func (im *importer) code() string {
	if im.o.Code != "" {
		return im.o.Code
	}
	return codeOf(im.process.attr("", "id"))
}

func rawOf(v any) json.RawMessage {
	raw, _ := v.(json.RawMessage)
	return raw
}

// marshal writes a value as JSON with keys in order.
func marshal(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // what was read as JSON, texts and numbers
	}
	return bytes.TrimSpace(b.Bytes())
}

// document writes the graph.
func (im *importer) document() []byte {
	nodes := im.nodes
	if !im.plain {
		nodes = im.forward()
	}
	im.nodes = nodes
	im.names()
	var list []any
	for _, n := range nodes {
		im.keepAll(n)
		list = append(list, im.entry(n))
	}
	doc := object{}
	for k, v := range im.head {
		doc[k] = v
	}
	name := im.process.attr("", "name")
	if own := textOf(doc["name"]); own != "" && sanitized(own) == name {
		name = own
	}
	delete(doc, "name")
	if im.head == nil {
		im.title(doc, name)
		im.starters(doc)
	} else if name != "" {
		doc["name"] = name
	}
	if im.o.Model != "" || doc["schemaCode"] == nil {
		doc["schemaCode"] = im.o.Model
	}
	doc["nodes"] = list
	im.layout(doc)
	if im.items.Draft() {
		doc["published"] = 0
	}
	return marshal(doc)
}

// title names a workflow of somebody else's file.
func (im *importer) title(doc object, name string) {
	for _, c := range im.root.all(nsModel, "collaboration") {
		for _, p := range c.all(nsModel, "participant") {
			if p.attr("", "processRef") == im.process.attr("", "id") {
				name = cmp.Or(strings.TrimSpace(name), p.attr("", "name"))
			}
		}
	}
	name = cmp.Or(strings.Join(strings.Fields(name), " "), im.code())
	doc["name"] = cut(name, 200)
	if !han(name) {
		doc["name_i18n"] = object{"en": doc["name"]}
	}
	if d := im.process.model("documentation").body(); d != "" {
		doc["description"] = d
	}
}

// starters reads who may start the process.
func (im *importer) starters(doc object) {
	var rules []any
	for _, x := range []struct{ attr, typ string }{{"candidateStarterUsers", "person"}, {"candidateStarterGroups", "role"}} {
		text := engine(im.process, x.attr)
		var known []any
		for _, one := range listed(text) {
			if _, dynamic, _ := bare(one); dynamic || x.typ == "role" && !im.role(one) {
				im.add("BPMN030", im.process, reason("可发起者 "+shorten(one), "who may start it: "+shorten(one)))
				continue
			}
			known = append(known, one)
		}
		if len(known) > 0 {
			rules = append(rules, object{"type": x.typ, "value": known})
		}
	}
	if len(rules) > 0 {
		doc["settings"] = object{"initiators": object{"all": false, "rules": rules}}
	}
}

// cut shortens a text to a number of characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

// names gives each node its code and a name of its own.
func (im *importer) names() {
	codes, names := map[string]bool{}, map[string]bool{}
	for _, n := range im.nodes {
		if !n.own {
			continue
		}
		if n.code = cmp.Or(n.ownCode, n.id); !code.MatchString(n.code) || codes[strings.ToLower(n.code)] && n.ownCode != "" { // a copy of another
			n.code = ""
			continue
		}
		codes[strings.ToLower(n.code)] = true
		names[n.name] = true
	}
	for _, n := range im.nodes {
		if n.code != "" {
			continue
		}
		base := codeOf(cmp.Or(n.id, "node"))
		for i := 1; ; i++ {
			if n.code = base; i > 1 {
				suffix := "_" + strconv.Itoa(i)
				n.code = base[:min(len(base), maxCode-len(suffix))] + suffix
			}
			if !codes[strings.ToLower(n.code)] {
				break
			}
		}
		codes[strings.ToLower(n.code)] = true
		if n.name == "" || n.own {
			continue
		}
		whole := n.name
		if n.name = cut(whole, maxName); n.name != whole {
			im.add("BPMN040", n.e, reason("名称缩短为 50 个字符", "the name was cut to 50 characters"))
		}
		for i := 2; names[n.name]; i++ {
			suffix := " " + strconv.Itoa(i)
			n.name = cut(whole, maxName-len(suffix)) + suffix
		}
		names[n.name] = true
	}
}

// entry is a node of the document.
func (im *importer) entry(n *node) object {
	out := object{}
	for k, v := range n.props {
		out[k] = v
	}
	delete(out, "bpmn")
	out["id"], out["type"] = n.code, n.typ
	if n.name != "" {
		out["name"] = n.name
	}
	if !n.own && n.name != "" {
		labels := object{}
		for _, l := range sortedKeys(n.labels) {
			labels[l] = cut(n.labels[l], maxName)
		}
		if labels["en"] == nil && !han(n.name) {
			labels["en"] = n.name
		}
		if len(labels) > 0 {
			out["name_i18n"] = labels
		}
	}
	if m, ok := out["timeoutMinutes"].(int); ok {
		delete(out, "timeoutMinutes")
		time := map[string]json.RawMessage{}
		_ = json.Unmarshal(rawOf(out["time"]), &time) // of a file of ours; nothing where it is missing
		if time == nil {
			time = map[string]json.RawMessage{}
		}
		time["timeoutMinutes"] = json.RawMessage(strconv.Itoa(m))
		out["time"] = time
	}
	if rule, ok := out["reject"].(object); ok {
		targets := slices.Clone(listOf(rule["targets"]))
		for i, t := range targets {
			if to, ok := t.(*node); ok {
				targets[i] = to.code
			}
		}
		clone := object{"targets": targets}
		if rule["resubmit"] != nil {
			clone["resubmit"] = rule["resubmit"]
		}
		out["reject"] = clone
	}
	if time, ok := out["time"].(object); ok {
		for _, s := range listOf(time["onTimeout"]) {
			if step, ok := s.(object); ok {
				if to, ok := step["to"].(*node); ok {
					step["to"] = to.code
				}
			}
		}
	}
	switch n.typ {
	case "END":
	case "SPLIT":
		out["kind"] = n.gate
		var routes []any
		for _, g := range n.out {
			routes = append(routes, im.route(n, g))
		}
		out["routes"] = routes
	default:
		if n.typ == "JOIN" {
			out["of"] = n.ofID
			if n.of != nil {
				out["of"] = n.of.code
			}
		}
		var next []any
		for _, g := range n.out {
			way := object{}
			for k, v := range g.props {
				way[k] = v
			}
			way["to"] = g.to.code
			if g.exit != "" {
				way["exit"] = g.exit
			}
			if len(way) == 1 {
				next = append(next, g.to.code)
			} else {
				next = append(next, way)
			}
		}
		out["next"] = next
	}
	return out
}

func (im *importer) route(n *node, g *edge) any {
	r := object{}
	for k, v := range g.props {
		r[k] = v
	}
	r["to"] = g.to.code
	if g.name != "" {
		r["name"] = cut(g.name, 200)
		if r["name_i18n"] == nil && !n.own && !han(g.name) {
			r["name_i18n"] = object{"en": r["name"]}
		}
	}
	if own := textOf(g.props["name"]); own != "" && sanitized(own) == g.name {
		r["name"] = own
	}
	if g.when != "" && (n.gate != "AND" || n.own) {
		r["when"] = g.when
	}
	if g.usual && (n.gate == "XOR" || n.gate == "OR") {
		r["default"] = true
	}
	if len(r) == 1 {
		return g.to.code
	}
	return r
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// layout keeps what has no place elsewhere: ids, elements of dialects, places of the drawing.
func (im *importer) layout(doc object) {
	whole := map[string]any{}
	_ = json.Unmarshal(rawOf(doc["layout"]), &whole) // nothing where it is missing
	if whole == nil {
		whole = map[string]any{}
	}
	kept, _ := whole["bpmn"].(map[string]any)
	if kept == nil {
		kept = map[string]any{}
	}
	set := func(key string, v map[string]any) {
		all, _ := kept[key].(map[string]any)
		if all == nil {
			all = map[string]any{}
		}
		for k, x := range v {
			all[k] = x
		}
		if len(v) > 0 {
			kept[key] = all
		}
	}
	ids, elements, spaces := map[string]any{}, map[string]any{}, map[string]any{}
	for _, n := range im.nodes {
		if n.own {
			continue
		}
		if n.id != "" && n.code != n.id && im.byID[n.id] == n {
			ids[n.code] = n.id
		}
		if x, ok := n.props["bpmn"].(object); ok {
			elements[n.code] = x
		}
	}
	for uri, prefix := range im.kept.byURI {
		if len(elements) > 0 {
			spaces[prefix] = uri
		}
	}
	if id := im.process.attr("", "id"); im.head == nil && id != im.code() {
		kept["process"] = id
	}
	set("ids", ids)
	set("elements", elements)
	set("namespaces", spaces)
	bounds := im.bounds()
	if im.plain && kept["bounds"] == nil && len(bounds) > 0 {
		if d, err := read(marshal(doc)); err == nil && same(d.places(), bounds) {
			bounds = nil
		}
	}
	if len(bounds) == len(im.nodes) {
		kept["bounds"] = nil
		set("bounds", bounds)
	}
	if len(kept) > 0 {
		whole["bpmn"] = kept
		doc["layout"] = whole
	}
}

// bounds are the places of the nodes in the drawing of the file: x, y, width, height.
func (im *importer) bounds() map[string]any {
	drawn := map[string]*element{}
	for _, d := range im.root.all(nsDiagram, "BPMNDiagram") {
		for _, p := range d.all(nsDiagram, "BPMNPlane") {
			for _, s := range p.all(nsDiagram, "BPMNShape") {
				drawn[s.attr("", "bpmnElement")] = s.child(nsDC, "Bounds")
			}
		}
	}
	out := map[string]any{}
	for _, n := range im.nodes {
		b := drawn[n.id]
		if b == nil || im.byID[n.id] != n {
			continue
		}
		var four []any
		for _, key := range []string{"x", "y", "width", "height"} {
			v, err := strconv.ParseFloat(b.attr("", key), 64)
			if err != nil || v < -1e6 || v > 1e6 || v != v {
				break
			}
			four = append(four, float64(int(v)))
		}
		if len(four) == 4 {
			out[n.code] = four
		}
	}
	return out
}

// same compares places.
func same(have map[string][4]int, drawn map[string]any) bool {
	for code, v := range drawn {
		four := listOf(v)
		for i, x := range have[code] {
			if f, _ := four[i].(float64); int(f) != x {
				return false
			}
		}
	}
	return true
}
