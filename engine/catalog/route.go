package catalog

import (
	"cmp"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
)

// Route is a domain call: a method and a path that an action of a pack answers.
type Route struct {
	Method, Path  string
	Pack          string
	Description   string
	Model         *Model // whose grants decide who may call; nil = only the grants of the action itself
	Right         string // the word of a right on Model that covers the call; "" = the name of the action
	Action        action.Endpoint
	Input, Output *action.Schema
	segments      []string
}

// NewRoute makes a route of a path such as /api/marina/boats/{id}.
func NewRoute(method, path string) *Route {
	return &Route{Method: method, Path: path, segments: strings.Split(strings.Trim(path, "/"), "/")}
}

// Word is the right on Model that covers the call.
func (r *Route) Word() string { return cmp.Or(r.Right, r.Action.Name()) }

// Parameters are the names in braces, in order.
func (r *Route) Parameters() []string {
	var out []string
	for _, s := range r.segments {
		if name, ok := parameter(s); ok {
			out = append(out, name)
		}
	}
	return out
}

func parameter(segment string) (string, bool) {
	if len(segment) > 2 && segment[0] == '{' && segment[len(segment)-1] == '}' {
		return segment[1 : len(segment)-1], true
	}
	return "", false
}

// Match compares a path's segments with the route's and returns the values of its parameters. A parameter is never empty.
func (r *Route) Match(segments []string) (map[string]string, bool) {
	if len(segments) != len(r.segments) {
		return nil, false
	}
	var values map[string]string
	for i, s := range r.segments {
		name, variable := parameter(s)
		switch {
		case !variable && s != segments[i], segments[i] == "":
			return nil, false
		case variable:
			if values == nil {
				values = map[string]string{}
			}
			values[name] = segments[i]
		}
	}
	return values, true
}

// Overlaps reports whether some path fits both routes. Same wants more: that every path which fits one fits the other.
func (r *Route) Overlaps(o *Route) (overlaps, same bool) {
	if len(r.segments) != len(o.segments) {
		return false, false
	}
	same = true
	for i, s := range r.segments {
		_, a := parameter(s)
		_, b := parameter(o.segments[i])
		if !a && !b && s != o.segments[i] {
			return false, false
		}
		same = same && a == b
	}
	return true, same
}

// RouteOf finds the route of a call and the values of its path's parameters. Of two that fit, the one whose first differing
// segment is written out answers. known reports whether the path exists for some method.
func (c *Catalog) RouteOf(method, path string) (r *Route, values map[string]string, known bool) {
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, candidate := range c.Routes {
		found, ok := candidate.Match(segments)
		if !ok {
			continue
		}
		known = true
		if candidate.Method == method && (r == nil || candidate.before(r)) {
			r, values = candidate, found
		}
	}
	return r, values, known
}

// before tells which of two overlapping routes is the narrower one.
func (r *Route) before(o *Route) bool {
	for i, s := range r.segments {
		_, a := parameter(s)
		_, b := parameter(o.segments[i])
		if a != b {
			return b
		}
	}
	return false
}
