package app

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
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
	have = maps.Clone(have)
	have[names.App] = have[names.Pack] // an application has the code of its pack
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
	switch s.Kind {
	case names.Option:
		return d.optionOfSite(s, then)
	case names.Node:
		return d.nodeOfSite(s, then)
	}
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
	_, ok := partAt(*text, part)
	return ok
}

// partAt is a property that the text of a model has: "subtable", "column"; the model itself for none.
func partAt(text string, part []string) (at names.Entry, ok bool) {
	at = entryOf(names.Entry{}, []byte(text), nil)
	for _, code := range part {
		of := at.Parts[names.Property]
		i := slices.IndexFunc(of, func(e names.Entry) bool { return strings.EqualFold(e.Code, code) })
		if i < 0 {
			return at, false
		}
		at = of[i]
	}
	return at, true
}

// optionOfSite is ofSite for an option: of the property itself, or of a dictionary that was published.
func (d *Documents) optionOfSite(s names.Step, then names.Reading) bool {
	owner, _ := then.ModelWas(s.Owner)
	part := strings.Split(owner, ".")
	has := func(file string, text *string) bool {
		var e names.Entry
		switch {
		case text == nil:
		case path.Dir(file) == dictionaryFolder:
			var of def.Dictionary
			if root, _ := source.Parse("", []byte(*text)); root != nil {
				source.Decode(root, &of)
			}
			addOptions(&e, of.Items)
		case strings.EqualFold(file, path.Join(modelFolder, part[0]+".json")):
			e, _ = partAt(*text, part[1:])
		}
		return slices.ContainsFunc(e.Parts[names.Option], func(o names.Entry) bool { return o.Code == s.Old })
	}
	for _, of := range d.Published {
		for _, p := range of {
			if has(p.Path, p.Text) && !has(p.Path, p.Base) {
				return true
			}
		}
	}
	return false
}

// nodeOfSite is ofSite for a node of a workflow.
func (d *Documents) nodeOfSite(s names.Step, then names.Reading) bool {
	k, _ := compile.Kinds(d.Set).Get(catalog.KindWorkflow)
	file := k.Path(then.Then(names.Workflow, s.Owner))
	has := func(text *string) bool {
		if text == nil {
			return false
		}
		root, _ := source.Parse("", []byte(*text))
		return slices.ContainsFunc(ownParts(k, root)[s.Kind], func(e names.Entry) bool { return strings.EqualFold(e.Code, s.Old) })
	}
	for _, of := range d.Published {
		for _, p := range of {
			if strings.EqualFold(p.Path, file) && has(p.Text) && !has(p.Base) {
				return true
			}
		}
	}
	return false
}

// ownParts are the parts that a document of a kind has by itself.
func ownParts(k kind.Kind, document *source.Node) names.Set {
	var e names.Entry
	for _, part := range k.Parts {
		for _, entry := range document.Get(part.List).Items() {
			var former def.Former
			if at := entry.Get("renamedFrom"); at != nil {
				former.DecodeNode(at)
			}
			if code := entry.Get(part.Key).Text(); code != "" {
				e.Add(part.Kind, code, names.Former(former))
			}
		}
	}
	return e.Parts
}

// dictionaryFolder is where packs have their dictionaries.
const dictionaryFolder = "dictionaries"

func anyFormer(all []names.Entry) bool {
	return slices.ContainsFunc(all, func(e names.Entry) bool {
		return len(e.Former) > 0 || anyFormer(e.Parts[names.Property]) || anyFormer(e.Parts[names.Option]) || anyFormer(e.Parts[names.Node])
	})
}

// called is what the packs' own files call things, and whether one of them tells a former code. Only what is needed to tell renames is read: the files
// that tell former codes, and of models those that had some, or were called otherwise, when they were applied last.
func (d *Documents) called(own []Folder, have names.Set) (out names.Set, renamed bool) {
	out = names.Set{}
	for _, f := range own {
		var p def.Pack
		if data, err := fs.ReadFile(f.Base, packFile); err == nil {
			if root, _ := source.Parse("", data); root != nil {
				source.Decode(root, &p)
			}
		}
		renamed = renamed || len(p.RenamedFrom) > 0
		out[names.App] = append(out[names.App], names.Entry{Code: f.Code, Former: names.Former(p.RenamedFrom), Pack: f.Code})
	}
	lists := dictionariesOf(own, anyFormer(have[names.Model]))
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
				chooses := of == names.Model && len(lists) > 0 && strings.Contains(string(data), `"dictionary"`)
				if renamed = renamed || tells; tells || chooses || (of == names.Model || k.Parts != nil) && changing(have[of], code) {
					one = entryOf(one, data, lists)
					if root, _ := source.Parse("", data); k.Parts != nil && root != nil {
						one.Parts = ownParts(k, root)
					}
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
func entryOf(e names.Entry, data []byte, lists dictionaries) names.Entry {
	root, _ := source.Parse("", data)
	if root == nil {
		return e
	}
	var m def.Model
	source.Decode(root, &m)
	e.Former, e.Parts = names.Former(m.RenamedFrom), partsOf(m.Properties, lists)
	return e
}

func partsOf(all []def.Property, lists dictionaries) names.Set {
	if len(all) == 0 {
		return nil
	}
	var out []names.Entry
	for _, p := range all {
		one := names.Entry{Code: p.Code, Former: names.Former(p.RenamedFrom), Parts: partsOf(p.Properties, lists)}
		options := lists[strings.ToLower(p.Node.Get("dictionary").Text())]
		if n := p.Node.Get("options"); n != nil {
			source.Decode(n, &options)
		}
		addOptions(&one, options)
		out = append(out, one)
	}
	return names.Set{names.Property: out}
}

func addOptions(e *names.Entry, options []def.Option) {
	for _, o := range options {
		if o.Code != "" {
			e.Add(names.Option, o.Code, names.Former(o.RenamedFrom))
		}
		addOptions(e, o.Items)
	}
}

// dictionaries are the options of dictionaries, by their codes in small letters.
type dictionaries map[string][]def.Option

// dictionariesOf are all dictionaries of packs where one of them tells a former code of an option, or options may have had others; nil otherwise.
func dictionariesOf(own []Folder, tells bool) dictionaries {
	out := dictionaries{}
	for _, f := range own {
		entries, _ := fs.ReadDir(f.Base, dictionaryFolder)
		for _, e := range entries {
			code, json := strings.CutSuffix(e.Name(), ".json")
			data, err := fs.ReadFile(f.Base, path.Join(dictionaryFolder, e.Name()))
			if !json || err != nil {
				continue
			}
			tells = tells || strings.Contains(string(data), `"renamedFrom"`)
			var d def.Dictionary
			if root, _ := source.Parse("", data); root != nil {
				source.Decode(root, &d)
			}
			out[strings.ToLower(code)] = d.Items
		}
	}
	if !tells {
		return nil
	}
	return out
}
