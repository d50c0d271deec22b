package app

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/runtime/store"
)

// renames lead from what was applied last to the packs' own files. What only published documents have has not gone.
func (d *Documents) renames(ctx context.Context, db *store.DB) (out []names.Step, err error) {
	have, err := db.AppliedNames(ctx)
	if err != nil || have == nil {
		return nil, err
	}
	own, _, err := d.own()
	if err != nil {
		return nil, err
	}
	called, renamed := d.called(own, have)
	if !renamed && !slices.ContainsFunc(slices.Collect(maps.Values(have)), anyFormer) {
		return nil, nil
	}
	var logged []names.Logged
	for _, s := range names.Diff(have, called) {
		if s.New != "" && rename.Follows(s.Kind) {
			out = append(out, s)
			logged = append(logged, names.Logged{Step: s, Epoch: 1})
		}
	}
	then := names.NewLog(logged).SinceBefore()
	return slices.DeleteFunc(out, func(s names.Step) bool { return d.ofSite(s, then) }), nil
}

// ofSite reports whether what a step renames is not a pack's: a published document has it under its code, and the pack's file that this was made from
// has not. A pack whose file has the code that a site has changed does not change it back.
func (d *Documents) ofSite(s names.Step, then names.Reading) bool {
	file, part := string(s.Kind), []string(nil)
	if i := slices.IndexFunc(compile.Kinds(d.Set), func(k kind.Kind) bool { return names.Kind(k.Code) == s.Kind }); i >= 0 {
		file = path.Join(compile.Kinds(d.Set)[i].Folder, s.Old+".json")
	}
	if s.Kind == names.Property {
		owner, _ := then.ModelWas(s.Owner)
		part = append(strings.Split(owner, "."), s.Old)
		file, part = path.Join(modelFolder, part[0]+".json"), part[1:]
	}
	for _, of := range d.Published {
		for _, p := range of {
			if strings.EqualFold(p.Path, file) && p.Text != nil && defines(p.Text, part) && !defines(p.Base, part) {
				return true
			}
		}
	}
	return false
}

// defines reports whether a document is there and, of a model, has a property: "subtable", "column".
func defines(text *string, part []string) bool {
	if text == nil {
		return false
	}
	at := entryOf(names.Entry{}, []byte(*text))
	for _, code := range part {
		of := at.Parts[names.Property]
		i := slices.IndexFunc(of, func(e names.Entry) bool { return strings.EqualFold(e.Code, code) })
		if i < 0 {
			return false
		}
		at = of[i]
	}
	return true
}

func anyFormer(all []names.Entry) bool {
	return slices.ContainsFunc(all, func(e names.Entry) bool { return len(e.Former) > 0 || anyFormer(e.Parts[names.Property]) })
}

// called is what the packs' own files call things, and whether one of them tells a former code. Only what is needed to tell renames is read: the files
// that tell former codes, and of models those that had some, or were called otherwise, when they were applied last.
func (d *Documents) called(own []Folder, have names.Set) (out names.Set, renamed bool) {
	out = names.Set{}
	for _, k := range compile.Kinds(d.Set) {
		if k.Folder == "" || k.Data {
			continue
		}
		of := names.Kind(k.Code)
		for _, f := range own {
			entries, _ := fs.ReadDir(f.Base, k.Folder) // what cannot be read, the loader reports
			for _, e := range entries {
				code, json := strings.CutSuffix(e.Name(), ".json")
				if e.IsDir() || !json || !codePattern.MatchString(code) {
					continue
				}
				one := names.Entry{Code: code, Pack: f.Code}
				data, err := fs.ReadFile(f.Base, path.Join(k.Folder, e.Name()))
				tells := err == nil && strings.Contains(string(data), `"renamedFrom"`)
				if renamed = renamed || tells; tells || of == names.Model && changing(have[of], code) {
					one = entryOf(one, data)
				}
				out[of] = append(out[of], one)
			}
		}
	}
	return out.Sorted(), renamed
}

// changing reports whether a model had former codes, itself or in its parts, or another code.
func changing(have []names.Entry, code string) bool {
	i := slices.IndexFunc(have, func(e names.Entry) bool { return strings.EqualFold(e.Code, code) })
	return i < 0 || anyFormer(have[i:i+1])
}

// entryOf is a document with its former codes and, of a model, its properties.
func entryOf(e names.Entry, data []byte) names.Entry {
	root, _ := source.Parse("", data)
	if root == nil {
		return e
	}
	var m def.Model
	source.Decode(root, &m)
	e.Former, e.Parts = names.Former(m.RenamedFrom), partsOf(m.Properties)
	return e
}

func partsOf(all []def.Property) names.Set {
	if len(all) == 0 {
		return nil
	}
	var out []names.Entry
	for _, p := range all {
		out = append(out, names.Entry{Code: p.Code, Former: names.Former(p.RenamedFrom), Parts: partsOf(p.Properties)})
	}
	return names.Set{names.Property: out}
}
