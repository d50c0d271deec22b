package app

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/source"
)

// otherCodes are the packs to which the changeset gives another code. Rows are kept by it, so only the pack's own files can change it.
func (p *prepared) otherCodes(folders []Folder) (out diag.List) {
	for code, of := range p.own {
		for _, d := range of {
			if d.Path != packFile || d.Text == nil {
				continue
			}
			file := path.Join(code, packFile)
			if i := slices.IndexFunc(folders, func(f Folder) bool { return f.Code == code }); i >= 0 {
				file = path.Join(folders[i].Dir, packFile)
			}
			root, _ := source.Parse(file, []byte(*d.Text))
			if root == nil { // which the compiler reports
				continue
			}
			if n := root.Get("code"); n != nil && !strings.EqualFold(n.Text(), code) {
				out = append(out, diag.New("PUB014", n.Pos(), code).At(n.Pointer()))
			}
		}
	}
	return out
}
