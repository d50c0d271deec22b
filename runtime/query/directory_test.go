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
		if found, total := w.people.Search(ctx, directory.User, "zm", nil, 0, 10); total != 1 || found[0].Detail != "总部" {
			t.Errorf("zm finds %+v", found)
		}
		if found, total := w.people.Search(ctx, directory.Department, "", new(string), 0, 10); total != 1 || found[0].Leaf {
			t.Errorf("roots are %+v", found)
		}
	})
}
