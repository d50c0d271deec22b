package query_test

import (
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/runtime/directory"
)

// TestDirectoryFollowsWrites: the directory knows people as they were written, by name without case, and the tree of
// departments; a later write shows without being told.
func TestDirectoryFollowsWrites(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.organise()
		ctx := t.Context()
		if p, ok := w.people.PersonByName(ctx, "CLERK"); !ok || p.Name != "张伟" || p.MainDepartment != id("branch") || p.Mobile != "111" {
			t.Errorf("clerk is %+v", p)
		}
		if below := w.people.Below(ctx, []string{id("head")}); !slices.Equal(below, []string{id("head"), id("branch")}) {
			t.Errorf("below the head: %v", below)
		}
		w.put("user", map[string]values{"new": {"username": "new", "name": "赵敏", "mainDepartment": "head"}})
		if found, total := w.people.Search(ctx, directory.Wanted{Kind: directory.User, Text: "zm", Limit: 10}); total != 1 || found[0].Detail != "总部" {
			t.Errorf("zm finds %+v", found)
		}
		// Two of one name are told apart by their departments and employee numbers; others keep theirs to themselves.
		w.put("user", map[string]values{
			"twin":  {"username": "twin", "name": "孙悦", "mainDepartment": "head", "employeeNo": "E0012"},
			"twin2": {"username": "twin2", "name": "孙悦", "employeeNo": "E0013"},
			"lone":  {"username": "lone", "name": "孙丽", "mainDepartment": "head", "employeeNo": "E0014"}})
		var details []string
		for _, f := range func() []directory.Found {
			f, _ := w.people.Search(ctx, directory.Wanted{Kind: directory.User, Text: "孙", Limit: 10})
			return f
		}() {
			details = append(details, f.Name+" "+f.Detail)
		}
		slices.Sort(details)
		if want := []string{"孙丽 总部", "孙悦 E0013", "孙悦 总部 · E0012"}; !slices.Equal(details, want) {
			t.Errorf("people of one name: %q", details)
		}
		if found, total := w.people.Search(ctx, directory.Wanted{Kind: directory.Department, Below: new(string), Limit: 10}); total != 1 || found[0].Leaf {
			t.Errorf("roots are %+v", found)
		}
	})
}
