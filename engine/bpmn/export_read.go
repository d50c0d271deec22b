package bpmn

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

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
		if !code.MatchString(n.id) || elementOf(n.typ, n.kind, "") == "" || d.byID[n.id] != nil {
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
