package flow

import "strings"

// Rename gives the nodes that a state names other ids. now returns the id that takes the place of one.
func (s *State) Rename(now func(id string) string) {
	for i := range s.Tokens {
		s.Tokens[i].rename(now)
	}
	for i := range s.Activities {
		s.Activities[i].rename(now)
	}
	if len(s.Choices) == 0 {
		return
	}
	choices := make(map[string][]string, len(s.Choices))
	for id, people := range s.Choices {
		choices[now(id)] = people
	}
	s.Choices = choices
}

// Rename gives the nodes that an event names other ids.
func (e *Event) Rename(now func(id string) string) {
	if e.Node != "" {
		e.Node = now(e.Node)
	}
	if e.Token != nil {
		e.Token.rename(now)
	}
	if e.Activity != nil {
		e.Activity.rename(now)
	}
}

func (t *Token) rename(now func(id string) string) {
	t.Node, t.Scope, t.From = now(t.Node), renameScope(t.Scope, now), renameFrom(t.From, now)
}

func (a *Activity) rename(now func(id string) string) {
	a.Node, a.Scope, a.From = now(a.Node), renameScope(a.Scope, now), renameFrom(a.From, now)
}

func renameFrom(id string, now func(id string) string) string {
	if id == "" {
		return ""
	}
	return now(id)
}

// renameScope gives the splits of a scope other ids: g1:2/g5:1.
func renameScope(scope string, now func(id string) string) string {
	if scope == "" {
		return ""
	}
	parts := strings.Split(scope, "/")
	for i, part := range parts {
		id, branch, found := strings.Cut(part, ":")
		if parts[i] = now(id); found {
			parts[i] += ":" + branch
		}
	}
	return strings.Join(parts, "/")
}
