package app

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// pages are the folders of documents that show records and give no rights to them: administrators of an application publish those of its
// pack. Scripts and styles act in the browsers of everybody and are not among them.
var pages = []string{"lists", "forms"}

// mayAuthor refuses a changeset with a document that its author may not write.
func mayAuthor(view *authz.View, files []Change) error {
	if !authors(view) || slices.ContainsFunc(files, func(f Change) bool { return !mayWrite(view, f.Pack, f.Path) }) {
		return fault.New(fault.Forbidden)
	}
	return nil
}

// authors reports whether somebody may write any document.
func authors(view *authz.View) bool {
	return view.Has(authoring) || slices.ContainsFunc(view.Apps, func(x *catalog.App) bool { return view.Administers(x.Code) })
}

func mayWrite(view *authz.View, pack, file string) bool {
	if view.Has(authoring) {
		return true
	}
	folder, name := path.Split(file)
	if !slices.Contains(pages, strings.TrimSuffix(folder, "/")) || path.Clean(file) != file || path.Ext(name) != ".json" {
		return false
	}
	return slices.ContainsFunc(view.Apps, func(x *catalog.App) bool { return strings.EqualFold(x.Pack, pack) && view.Administers(x.Code) })
}
