package app

import (
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
)

// inPacks are diagnostics for people who do not see the folders of the server: files are called as packs call them, "contracts/lists/open.json".
func inPacks(folders []Folder, list diag.List) diag.List {
	out := slices.Clone(list)
	var longest []Folder // of two folders, one of which is in the other, the inner one
	for _, f := range folders {
		if f.Dir = path.Clean(f.Dir); f.Dir != "." && f.Code != "" {
			longest = append(longest, f)
		}
	}
	slices.SortStableFunc(longest, func(a, b Folder) int { return len(b.Dir) - len(a.Dir) })
	for i := range out {
		one := &out[i]
		for _, f := range longest {
			if inside, ok := strings.CutPrefix(one.File, f.Dir+"/"); ok {
				one.File = f.Code + "/" + inside
				break
			} else if one.File == f.Dir {
				one.File = f.Code
				break
			}
		}
		for _, f := range longest {
			for _, text := range []*string{&one.Zh, &one.En, &one.Repair.Zh, &one.Repair.En} {
				*text = strings.ReplaceAll(*text, f.Dir+"/", f.Code+"/")
			}
		}
		if path.IsAbs(one.File) { // of a folder that holds no pack
			one.File = path.Base(one.File)
		}
	}
	return out
}
