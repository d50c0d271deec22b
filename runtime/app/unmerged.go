package app

import (
	"path"
	"slices"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/schema"
)

// unmergedCode is the diagnostic of a published document that has an error when it is merged with its pack's change, and none alone.
const unmergedCode = "PUB010"

// wasMerged reports whether a diagnostic says that a published document was merged with its pack's change.
func wasMerged(d diag.Diagnostic) bool {
	return d.Code == overlay.Merged || d.Code == overlay.MergedPartly
}

// mergedFile is a published document that was merged.
type mergedFile struct {
	folder   int
	document overlay.Document
	file     string // as diagnostics call it
}

// mergedWithErrors are the documents that were merged and have errors.
func (d Documents) mergedWithErrors(folders []Folder, found, list diag.List) (out []mergedFile) {
	for i, f := range folders {
		for _, p := range d.published(f.Code) {
			file := path.Join(f.Dir, p.Path)
			here := func(one diag.Diagnostic) bool { return one.File == file }
			if slices.ContainsFunc(found, func(one diag.Diagnostic) bool { return wasMerged(one) && here(one) }) && hasErrors(list, file) &&
				(d.only == nil || d.only.unmerged.has(f.Code, p.Path)) {
				out = append(out, mergedFile{i, p, file})
			}
		}
	}
	return out
}

func hasErrors(list diag.List, file string) bool {
	return slices.ContainsFunc(list, func(one diag.Diagnostic) bool { return one.File == file && one.Severity == diag.Error })
}

// unmerge lets folders have the published texts alone where these have no errors and the merged ones have, and reports whether it did.
func (d Documents) unmerge(folders []Folder, found, list diag.List, schemas *schema.Schemas) (done bool) {
	all := d.mergedWithErrors(folders, found, list)
	if len(all) == 0 {
		return false
	}
	tried := slices.Clone(folders)
	for _, m := range all {
		tried[m.folder].FS = overlay.New(tried[m.folder].FS, map[string]*string{m.document.Path: m.document.Text})
	}
	_, then := d.link(tried, found, schemas)
	for _, m := range all {
		if hasErrors(then, m.file) {
			continue // it has errors alone, too
		}
		f := &folders[m.folder]
		if done = true; f.Unmerged == nil {
			f.Unmerged = map[string]bool{}
		}
		f.Unmerged[m.document.Path] = true
		f.FS = overlay.New(f.FS, map[string]*string{m.document.Path: m.document.Text})
	}
	return done
}

// tellUnmerged is what was said of folders, with the documents that are used alone in place of what was said of merging them.
func (d Documents) tellUnmerged(folders []Folder, found, list diag.List) diag.List {
	out := slices.Clone(found)
	for _, f := range folders {
		for _, p := range d.published(f.Code) {
			file := path.Join(f.Dir, p.Path)
			i := slices.IndexFunc(list, func(one diag.Diagnostic) bool { return one.File == file && one.Severity == diag.Error })
			if !f.Unmerged[p.Path] || i < 0 {
				continue
			}
			why := diag.Text{Zh: list[i].Zh, En: list[i].En}
			out = slices.DeleteFunc(out, func(one diag.Diagnostic) bool { return wasMerged(one) && one.File == file })
			out = append(out, diag.New(unmergedCode, diag.Position{File: file}, p.Version, why))
		}
	}
	return out
}
