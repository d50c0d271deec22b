package names

import (
	"fmt"
	"slices"
	"strings"
)

// Node is the id that a node of a workflow has now. The workflow is called as it is now, or as it was called when it went. A node whose id was
// given to another is called by an id that nothing has; one that is gone otherwise keeps its id, by which it may be made again.
func (r Reading) Node(workflow, id string) string {
	if r.log == nil || !r.log.nodes {
		return id
	}
	called := r.workflows(workflow)
	for i, epoch := range r.log.epochs {
		if epoch <= r.epoch {
			continue
		}
		here := at(epoch, Node, called[i], id)
		if s, ok := r.log.taken[here]; ok {
			id = s.New
		} else if len(r.log.back[here]) > 0 {
			return Aside(id, epoch)
		}
	}
	return id
}

// workflows are what a workflow was called behind the steps of each epoch of the log.
func (r Reading) workflows(code string) []string {
	out := make([]string, len(r.log.epochs))
	for i, epoch := range slices.Backward(r.log.epochs) {
		out[i] = code
		if was := r.log.back[at(epoch, Workflow, "", code)]; len(was) > 0 {
			code = was[0].Old
		}
	}
	return out
}

// LastNode is the id that the node has now which had an id last; false where none of the workflow has had it.
func (l *Log) LastNode(workflow, id string) (string, bool) {
	if l == nil || !l.nodes {
		return "", false
	}
	called := Reading{log: l}.workflows(workflow)
	for i, epoch := range slices.Backward(l.epochs) {
		if s, ok := l.taken[at(epoch, Node, called[i], id)]; ok {
			return l.Since(epoch, s.At).Node(workflow, s.New), true
		}
	}
	return "", false
}

// longest is what the shortest of the columns with codes holds.
const longest = 63

// Aside is a code that nothing can have, for what had a code until an epoch in which another got it.
func Aside(code string, epoch int64) string {
	mark := fmt.Sprintf(asideMark+"%d", epoch)
	code = code[:min(len(code), longest-len(mark))]
	return strings.ToValidUTF8(code, "") + mark
}

// asideMark is in codes that Aside gives.
const asideMark = "~"

// wasAside reports whether a code is one that Aside gave.
func wasAside(code string) bool { return strings.Contains(code, asideMark) }

// goneMark begins codes in lists that name something which was removed.
const goneMark = "~"

// Gone is what a list of codes holds in place of one that was removed: nothing gets it, so that the list reaches nothing that is called so later, and is not
// empty, which may mean all.
func Gone(code string) string { return goneMark + strings.TrimPrefix(code, goneMark) }

// WasGone is the code that something had which was removed, where a list holds its mark (Gone).
func WasGone(code string) (was string, gone bool) { return strings.CutPrefix(code, goneMark) }
