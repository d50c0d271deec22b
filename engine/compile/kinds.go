package compile

import (
	"path"

	"errors"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/schemas"
)

// stage is a kind as the compiler runs it: where its documents are declared, and what links them.
type stage struct {
	kind.Kind
	names   func(*compiler) codesOf // nil: nothing refers to documents of the kind by code
	declare func(*compiler, def.Document)
	link    func(*compiler)
}

// codesOf are the codes of one kind.
type codesOf interface {
	addBroken(def.Broken)
	setPartial()
	has(code string) (known bool)
	declared(code string) string // "" = there is none
	words() []string
}

// engineStages are the kinds that the engine itself links, in the order in which it does: each may use what the ones before have made.
// Kinds of the set follow the forms.
func engineStages() []stage {
	return []stage{dictionaryKind, modelKind, listKind, formKind, appKind, packKind, accessKind, dataKind}
}

var dictionaryKind = stage{
	Kind: kind.Kind{Code: def.KindDictionary, Label: label("字典", "dictionary"), Folder: "dictionaries", Schema: text(def.KindDictionary),
		New: func(h def.Head) def.Document { return &def.Dictionary{Head: h} }},
	names: func(c *compiler) codesOf { return &c.dictionaries },
	declare: func(c *compiler, d def.Document) {
		if first, ok := declareIn(c, &c.dictionaries, *d.Header(), &dictionary{def: d.(*def.Dictionary)}); !ok && first != nil {
			first.twice = true
		}
	},
	link: (*compiler).compileDictionaries,
}

var modelKind = stage{
	Kind: kind.Kind{Code: def.KindModel, Label: label("模型", "model"), Folder: "models", Schema: text(def.KindModel), Properties: true,
		New: func(h def.Head) def.Document { return &def.Model{Head: h} }},
	names:   func(c *compiler) codesOf { return &c.models },
	declare: func(c *compiler, d def.Document) { c.declareModel(d.(*def.Model)) },
	link:    func(c *compiler) { c.compileModels(); c.generate() },
}

var listKind = stage{
	Kind: kind.Kind{Code: def.KindList, Label: label("列表", "list"), Folder: "lists", Schema: text(def.KindList), Actions: true,
		New: func(h def.Head) def.Document { return &def.List{Head: h} },
		Files: func(d def.Document) []kind.File {
			p := &d.(*def.List).Presentation
			return []kind.File{{Name: p.Script, Ext: ".js", Limit: script.MaxScript, To: &p.ScriptFile},
				{Name: p.Style, Ext: ".css", Limit: script.MaxStyle, To: &p.StyleFile}}
		}},
	names:   func(c *compiler) codesOf { return &c.lists },
	declare: func(c *compiler, d def.Document) { declareIn(c, &c.lists, *d.Header(), &list{def: d.(*def.List)}) },
	link:    (*compiler).compileLists,
}

var formKind = stage{
	Kind: kind.Kind{Code: def.KindForm, Label: label("表单", "form"), Folder: "forms", Schema: text(def.KindForm),
		New: func(h def.Head) def.Document { return &def.Form{Head: h} },
		Files: func(d def.Document) []kind.File {
			f := d.(*def.Form)
			return []kind.File{{Name: f.Script, Ext: ".js", Limit: script.MaxScript, To: &f.ScriptFile}}
		}},
	names:   func(c *compiler) codesOf { return &c.forms },
	declare: func(c *compiler, d def.Document) { declareIn(c, &c.forms, *d.Header(), &form{def: d.(*def.Form)}) },
	link:    (*compiler).compileForms,
}

var appKind = stage{
	Kind: kind.Kind{Code: def.KindApp, Label: label("应用", "application"), Schema: text(def.KindApp),
		New: func(h def.Head) def.Document { return &def.App{Head: h} },
		Files: func(d def.Document) []kind.File {
			a := d.(*def.App)
			return []kind.File{{Name: a.Logo, Ext: path.Ext(a.Logo), Limit: maxLogo, To: &a.LogoFile}}
		}},
	names:   func(c *compiler) codesOf { return &c.apps },
	declare: func(c *compiler, d def.Document) { declareIn(c, &c.apps, *d.Header(), d.(*def.App)) },
	link:    (*compiler).compileApps,
}

// packKind links what pack.json refers to; the packs themselves are known before anything else.
var packKind = stage{
	Kind: kind.Kind{Code: def.KindPack, Label: label("包", "pack"), Schema: text(def.KindPack)},
	link: (*compiler).compileRoutes,
}

var accessKind = stage{
	Kind: kind.Kind{Code: def.KindAccess, Label: label("角色", "role"), Folder: "access", Schema: text(def.KindAccess),
		New: func(h def.Head) def.Document { return &def.Access{Head: h} }},
	names:   func(c *compiler) codesOf { return &c.roles },
	declare: func(c *compiler, d def.Document) { declareIn(c, &c.roles, *d.Header(), d.(*def.Access)) },
	link:    (*compiler).compileAccess,
}

var dataKind = stage{
	Kind: kind.Kind{Code: def.KindData, Label: label("数据", "data"), Folder: "data", Schema: text(def.KindData), CSV: true, Data: true,
		New: func(h def.Head) def.Document { return &def.Data{Head: h} }},
	link: (*compiler).compileData,
}

func label(zh, en string) plan.Label { return plan.Label{Zh: zh, I18n: map[string]string{"en": en}} }

// text is the schema of a kind of the engine.
func text(k def.Kind) []byte {
	b, err := schemas.FS.ReadFile(string(k) + ".schema.json")
	if err != nil {
		panic(err) // embedded
	}
	return b
}

// stages are all kinds, in the order of their linking.
func stages(set *pack.Set) []stage {
	out := engineStages()
	at := slices.IndexFunc(out, func(s stage) bool { return s.Code == def.KindForm }) + 1
	var registered []stage
	for _, name := range set.Kinds.Names() {
		k, _ := set.Kinds.Get(name)
		registered = append(registered, registeredStage(k))
	}
	return slices.Insert(out, at, registered...)
}

// Kinds are all kinds of documents: those of the engine and those that are registered in the set.
func Kinds(set *pack.Set) kind.List {
	var out kind.List
	for _, s := range stages(set) {
		out = append(out, s.Kind)
	}
	return out
}

// Schemas composes the schemas of all kinds.
func Schemas(set *pack.Set) (*schema.Schemas, error) {
	kinds := Kinds(set)
	if err := checkKinds(kinds); err != nil {
		return nil, err
	}
	if err := checkFunctions(set); err != nil {
		return nil, err
	}
	return schema.Compose(set, kinds)
}

// checkFunctions tells what is wrong with the functions that packs bring to expressions.
func checkFunctions(set *pack.Set) error {
	var errs []error
	for _, name := range set.Functions.Names() {
		f, _ := set.Functions.Get(name)
		errs = append(errs, expression.CheckOwn(f))
	}
	return errors.Join(errs...)
}

// checkKinds tells what is wrong with a set of kinds: each by itself, and two that share a code, a folder or a message.
func checkKinds(kinds kind.List) error {
	var errs []error
	folders, codes := map[string]def.Kind{}, map[string]def.Kind{}
	for _, k := range kinds {
		if k.Folder == "" { // of the engine
			continue
		}
		errs = append(errs, k.Check())
		if first, taken := folders[k.Folder]; taken || slices.Contains(otherFolders, k.Folder) {
			errs = append(errs, fmt.Errorf("kind %s: the folder %s is taken %s", k.Code, k.Folder, first))
		}
		folders[k.Folder] = k.Code
		for _, code := range sortedKeys(k.Messages) {
			if first, taken := codes[code]; taken {
				errs = append(errs, fmt.Errorf("kind %s: the message %s belongs to the kind %s", k.Code, code, first))
			}
			codes[code] = k.Code
		}
	}
	return errors.Join(errs...)
}

// document is a document of a registered kind.
type document struct {
	*catalog.Document
	def def.Document
}

// registeredStage links the documents of a kind of the set, one by one.
func registeredStage(k kind.Kind) stage {
	at := func(c *compiler) *index[*document] {
		if c.documents[k.Code] == nil {
			c.documents[k.Code] = &index[*document]{kind: names.Kind(k.Code)}
		}
		return c.documents[k.Code]
	}
	return stage{
		Kind:    k,
		names:   func(c *compiler) codesOf { return at(c) },
		declare: func(c *compiler, d def.Document) { declareIn(c, at(c), *d.Header(), &document{def: d}) },
		link: func(c *compiler) {
			for _, d := range at(c).all {
				c.linkDocument(k, d)
			}
		},
	}
}

func (c *compiler) linkDocument(k kind.Kind, d *document) {
	h := d.def.Header()
	c.linking, c.linked = k, h.Code
	defer func() { c.linking, c.linked = kind.Kind{}, "" }()
	out := &catalog.Document{Kind: string(k.Code), Code: h.Code, Pack: h.Pack, Label: c.label(h.Node, h.Named, h.Code)}
	whole := true
	if k.Readers {
		for _, role := range h.Node.Get("read").Items() {
			whole = linker{c, k}.Exists(def.KindAccess, role) && whole
			out.Read = append(out.Read, role.Text())
		}
	}
	for _, f := range filesOf(k, d.def) {
		whole = (*f.To == nil || c.readable(*f.To, f.At, f.Name, f.Ext, f.Limit)) && whole
	}
	if k.Compile == nil {
		c.report("KIND001", h.Node, k.Label)
	} else if out.Value = k.Compile(linker{c, k}, d.def); out.Value == nil {
		return
	}
	if !whole {
		return
	}
	d.Document = out
	c.cat.Documents = append(c.cat.Documents, out)
}
