package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
)

// Options are what documents do not say.
type Options struct {
	Zone   *time.Location  // the installation's; nil = UTC
	Places property.Places // nil when the pack that has them is not loaded
}

// Compile links and plans all packs together. The catalog is frozen; it must not be published when the list has errors.
func Compile(set *pack.Set, packs []*def.Pack, o Options) (*catalog.Catalog, diag.List) {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	c := &compiler{set: set, options: o, cat: &catalog.Catalog{}, of: map[*catalog.Model]*model{},
		choices: map[*catalog.Field][]string{}, circular: map[*catalog.Field]bool{}, poison: map[string]bool{}}
	c.packs = c.distinct(packs)
	c.declare()
	c.compilePacks()
	c.compileDictionaries()
	c.compileModels()
	c.generate()
	c.compileLists()
	c.compileForms()
	c.compileApps()
	c.compileRoutes()
	c.compileAccess()
	c.compileData()
	c.cat.Freeze()
	c.checkShown()
	c.cat.Storage = c.storage()
	c.cat.Digest = digest(packs)
	return c.cat, c.out.Sorted()
}

// compiler is the state of one Compile.
type compiler struct {
	set     *pack.Set
	packs   []*def.Pack
	options Options
	cat     *catalog.Catalog
	out     diag.List

	models       index[*model]
	lists        index[*list]
	forms        index[*form]
	roles        index[*def.Access]
	apps         index[*def.App]
	dictionaries index[*dictionary]

	of             map[*catalog.Model]*model // the state of a compiled model or sub-table
	system         []systemField             // of ordinary models
	systemLarge    []systemField             // of large ones
	systemNumbered []systemField             // of large ones whose numbers are searched
	choices        map[*catalog.Field][]string
	poison         map[string]bool         // names that the expression at hand asked for in vain, for a reason that was told
	sound          bool                    // no document before the data has an error
	circular       map[*catalog.Field]bool // formulas that were reported to depend on themselves
	live           bool                    // some property is computed when it is read
	anyModel       *model                  // only the system properties: what grants to "*" can speak of
}

// report adds a problem at a node.
func (c *compiler) report(code string, n *source.Node, args ...any) {
	c.out = append(c.out, problem(code, n, args...))
}

// suggest adds a problem at a node whose text is near one of the candidates.
func (c *compiler) suggest(code string, n *source.Node, word string, candidates []string, args ...any) {
	c.out = append(c.out, problem(code, n, append([]any{word}, args...)...).Suggest(word, candidates))
}

func problem(code string, n *source.Node, args ...any) diag.Diagnostic {
	return diag.New(code, n.Pos(), args...).At(n.Pointer())
}

// digest names the content of all documents: it changes when a document does, and not with the folders they come from.
func digest(packs []*def.Pack) string {
	var lines []string
	add := func(kind def.Kind, h def.Head) {
		sum := h.Node.Sum()
		lines = append(lines, fmt.Sprintf("%s %s %s %x", h.Pack, kind, h.Code, sum))
	}
	beside := func(h def.Head, files ...*def.File) {
		for i, f := range files {
			if f != nil {
				lines = append(lines, fmt.Sprintf("%s file %s %d %x", h.Pack, h.Code, i, sha256.Sum256([]byte(f.Text))))
			}
		}
	}
	for _, p := range packs {
		add(def.KindPack, p.Head)
		if p.App != nil {
			add(def.KindApp, p.App.Head)
		}
		for _, d := range p.Models {
			add(def.KindModel, d.Head)
		}
		for _, d := range p.Lists {
			add(def.KindList, d.Head)
			beside(d.Head, d.Presentation.ScriptFile, d.Presentation.StyleFile)
		}
		for _, d := range p.Forms {
			add(def.KindForm, d.Head)
			beside(d.Head, d.ScriptFile)
		}
		for _, d := range p.Access {
			add(def.KindAccess, d.Head)
		}
		for _, d := range p.Dictionaries {
			add(def.KindDictionary, d.Head)
		}
		for _, d := range p.Data {
			add(schema.KindData, d.Head)
		}
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}

// label gives a thing's texts and warns about those that are missing. fallback stands for a missing Chinese text.
func (c *compiler) label(n *source.Node, d def.Named, fallback string) plan.Label {
	l := d.Label(plan.Label{Zh: fallback})
	if n == nil { // a pack without a manifest, which the loader reports
		return l
	}
	at := n.Get("name")
	if at == nil {
		at = n
	}
	if d.Name == "" {
		c.report("NAME001", at, fallback)
	}
	if d.NameI18n["en"] == "" {
		c.report("NAME002", at, l.Zh)
	}
	return l
}

// inherited gives the texts of a thing that takes those of another when it has none.
func inherited(d def.Named, from plan.Label) plan.Label { return d.Label(from) }
