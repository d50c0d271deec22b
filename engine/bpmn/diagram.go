package bpmn

import (
	"slices"
	"strconv"
)

// Distances of the drawing.
const (
	columnWidth = 160
	rowHeight   = 120
	marginLeft  = 160
	marginTop   = 80
)

// size is that of the shape of a type.
func size(typ string) (w, h int) {
	switch typ {
	case "START", "END", "WAIT":
		return 36, 36
	case "SPLIT", "JOIN", "":
		return 50, 50
	}
	return 100, 80
}

// places gives each node its place: those of the file that it came from where all are known, else columns by the longest way from the start.
func (d *draft) places() map[string][4]int {
	out := map[string][4]int{}
	for _, n := range d.nodes {
		if b := d.kept.Bounds[n.id]; len(b) == 4 {
			out[n.id] = [4]int{int(b[0]), int(b[1]), int(b[2]), int(b[3])}
		}
	}
	if len(out) == len(d.nodes) {
		return out
	}
	clear(out)
	column, row := map[string]int{}, map[string]int{}
	taken := map[[2]int]bool{}
	for _, n := range d.ordered() {
		for _, w := range n.ways {
			step := 1
			if n.outcome {
				step = 2
			}
			column[w.To] = max(column[w.To], column[n.id]+step)
		}
	}
	for _, n := range d.ordered() {
		r := row[n.id]
		if split := d.byID[n.of]; split != nil && n.typ == "JOIN" {
			r = row[split.id]
		}
		for taken[[2]int{column[n.id], r}] {
			r++
		}
		row[n.id] = r
		taken[[2]int{column[n.id], r}] = true
		if n.outcome {
			taken[[2]int{column[n.id] + 1, r}] = true
		}
		for i, w := range n.ways {
			if _, placed := row[w.To]; !placed {
				row[w.To] = r + i
			}
		}
		w, h := size(n.typ)
		out[n.id] = [4]int{marginLeft + columnWidth*column[n.id] + (100-w)/2, marginTop + rowHeight*r + (80-h)/2, w, h}
	}
	return out
}

// ordered are the nodes, each behind all that lead to it; ways that lead back don't count.
func (d *draft) ordered() []*item {
	state := map[*item]bool{}
	var out []*item
	var visit func(n *item)
	visit = func(n *item) {
		if state[n] {
			return
		}
		state[n] = true
		for _, w := range slices.Backward(n.ways) {
			visit(d.byID[w.To])
		}
		out = append(out, n)
	}
	for _, n := range slices.Backward(d.nodes) {
		if n.typ != "START" {
			continue
		}
		visit(n)
	}
	for _, n := range d.nodes {
		visit(n)
	}
	slices.Reverse(out)
	return out
}

// diagram writes the drawing.
func (x *exporter) diagram(process string) {
	places := x.d.places()
	shapes := map[string][4]int{}
	x.level = 1
	x.line("<bpmndi:BPMNDiagram", attribute("id", x.unique("Diagram_"+process)), ">")
	x.level++
	x.line("<bpmndi:BPMNPlane", attribute("id", x.unique("Plane_"+process)), attribute("bpmnElement", process), ">")
	x.level++
	shape := func(id string, at [4]int, extra string) {
		shapes[id] = at
		x.line("<bpmndi:BPMNShape", attribute("id", x.unique(id+"_di")), attribute("bpmnElement", id), extra, ">")
		x.level++
		x.line("<dc:Bounds", attribute("x", strconv.Itoa(at[0])), attribute("y", strconv.Itoa(at[1])), attribute("width", strconv.Itoa(at[2])), attribute("height", strconv.Itoa(at[3])), "/>")
		x.level--
		x.line("</bpmndi:BPMNShape>")
	}
	for _, n := range x.d.nodes {
		at := places[n.id]
		extra := ""
		if isOneOf(n.typ, "SPLIT", "JOIN") && elementOf(n.typ, n.kind, "") == "exclusiveGateway" {
			extra = ` isMarkerVisible="true"`
		}
		shape(n.shown, at, extra)
		if n.outcome {
			for _, f := range x.flows {
				if f.from == n.shown { // the one to its gateway
					shape(f.to, [4]int{at[0] + at[2] + columnWidth/2, at[1] + at[3]/2 - 25, 50, 50}, ` isMarkerVisible="true"`)
				}
			}
		}
		if n.timeout > 0 {
			shape(n.border, [4]int{at[0] + at[2] - 36, at[1] + at[3] - 18, 36, 36}, "")
		}
	}
	for _, f := range x.flows {
		a, b := shapes[f.from], shapes[f.to]
		x.line("<bpmndi:BPMNEdge", attribute("id", x.unique(f.id+"_di")), attribute("bpmnElement", f.id), ">")
		x.level++
		for _, p := range waypoints(a, b) {
			x.line("<di:waypoint", attribute("x", strconv.Itoa(p[0])), attribute("y", strconv.Itoa(p[1])), "/>")
		}
		x.level--
		x.line("</bpmndi:BPMNEdge>")
	}
	x.level--
	x.line("</bpmndi:BPMNPlane>")
	x.level--
	x.line("</bpmndi:BPMNDiagram>")
	x.level = 0
}

// waypoints lead from the right side of a shape to the left side of another.
func waypoints(a, b [4]int) [][2]int {
	from, to := [2]int{a[0] + a[2], a[1] + a[3]/2}, [2]int{b[0], b[1] + b[3]/2}
	if from[1] == to[1] {
		return [][2]int{from, to}
	}
	middle := to[0] - 20
	if middle < from[0] {
		middle = (from[0] + to[0]) / 2
	}
	return [][2]int{from, {middle, from[1]}, {middle, to[1]}, to}
}
