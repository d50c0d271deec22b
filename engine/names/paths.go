package names

import "strings"

// Path is what a reference of then is called now; false when what it names, or what that is part of, is gone. Documents are named by their code and
// parts by their path from the document on, as in values of dropdowns that hold codes: "order.lines.amount", "order.state:OPEN", "approval.check".
func (r Reading) Path(k Kind, path string) (string, bool) {
	if r.log == nil {
		return path, true
	}
	switch k {
	case Property:
		now, ok := r.follow(properties(path, 0))
		return strings.Join(now, "."), ok
	case Option:
		owner, code, _ := strings.Cut(path, ":")
		kinds, of := properties(owner, 0)
		now, ok := r.follow(append(kinds, Option), append(of, code))
		return OptionPath(strings.Join(now[:len(now)-1], "."), now[len(now)-1]), ok
	case Node:
		workflow, id, _ := strings.Cut(path, ".")
		workflow, ok := r.Document(Workflow, workflow)
		id = r.Node(workflow, id)
		return Join(workflow, id), ok && !wasAside(id)
	}
	return r.Document(k, path)
}
