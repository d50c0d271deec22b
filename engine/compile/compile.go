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
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// Options are what documents do not say.
type Options struct {
	Zone   *time.Location  // the installation's; nil = UTC
	Places property.Places // nil when the pack that has them is not loaded
	Cache  *Cache          // that the packs were loaded with
	// References is filled with every name that is resolved; nil = nobody asks, and nothing is noted.
	References *References
}

// Compile links and plans all packs together. The catalog is frozen; it must not be published when the list has errors.
func Compile(set *pack.Set, packs []*def.Pack, o Options) (*catalog.Catalog, diag.List) {
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.References == nil {
		if cat, list, ok := o.Cache.again(packs, o); ok {
			return cat, list
		}
	}
	c := &compiler{set: set, stages: stages(set), options: o, cat: &catalog.Catalog{}, of: map[*catalog.Model]*model{},
		documents: map[def.Kind]*index[*document]{}, choices: map[*catalog.Field][]string{}, circular: map[*catalog.Field]bool{}, poison: map[string]bool{}}
	c.models.kind, c.lists.kind, c.forms.kind, c.roles.kind = names.Model, names.List, names.Form, names.Role
	c.apps.kind, c.dictionaries.kind = names.App, names.Kind(def.KindDictionary)
	packs = c.whole(packs)
	c.packs = c.distinct(packs)
	c.declare()
	c.noteDefinitions()
	c.compilePacks()
	c.compileWords()
	for _, s := range c.stages {
		s.link(c)
	}
	c.compileQueries()
	c.compileCodes()
	c.checkStarts()
	c.checkSubmits()
	c.cat.Freeze()
	c.checkShown()
	c.cat.Storage = c.storage()
	c.cat.Storage.Names = c.names()
	c.cat.Digest = c.digest(packs)
	c.cat.Earlier, c.cat.Meaning = c.earlier()
	list := append(slices.Clone(c.out), c.foundInRoles...).Sorted()
	if o.References == nil {
		o.Cache.keep(c, packs, list)
	}
	return c.cat, list
}

// compiler is the state of one Compile.
type compiler struct {
	set     *pack.Set
	stages  []stage
	packs   []*def.Pack
	options Options
	cat     *catalog.Catalog
	out     diag.List
	held    map[string][]property.Option // documents and their parts as options, by "holds" and "of"
	holders map[string]catalog.Held      // what the codes are of that a property holds, by its path

	models       index[*model]
	lists        index[*list]
	forms        index[*form]
	roles        index[*def.Access]
	apps         index[*def.App]
	dictionaries index[*dictionary]
	// rightsOfRoutes are where routes name a right, which is checked when the buttons are known.
	rightsOfRoutes map[*catalog.Route]*source.Node
	documents      map[def.Kind]*index[*document] // of registered kinds
	linking        kind.Kind                      // whose document is linked, and its code
	linked         string
	startButtons   []startButton
	submits        []submits

	of             map[*catalog.Model]*model // the state of a compiled model or sub-table
	system         []systemField             // of ordinary models
	systemLarge    []systemField             // of large ones
	systemNumbered []systemField             // of large ones whose numbers are searched
	choices        map[*catalog.Field][]string
	before         bool                    // an earlier version is linked
	then           names.Reading           // of it: its codes are those of a time
	poison         map[string]bool         // names that the expression at hand asked for in vain, for a reason that was told
	sound          bool                    // no document before the data has an error
	circular       map[*catalog.Field]bool // formulas that were reported to depend on themselves
	live           bool                    // some property is computed when it is read
	anyModel       *model                  // only the system properties: what grants to "*" can speak of

	custom       map[*catalog.Model][]string  // actions of lists, forms and routes; nil holds those of all models
	own          map[*def.Access]ownRights    // of roles.all
	foundInRoles diag.List                    // everything else is found in out
	relations    map[*catalog.Model][]showing // what checkShown looks up
	readings     map[*catalog.Model][]reading
	rights       rowColumns // that the tables have indexes for
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

// stage is the kind of a code; the zero stage when the program has none.
func (c *compiler) stage(code def.Kind) stage {
	if i := slices.IndexFunc(c.stages, func(s stage) bool { return s.Code == code }); i >= 0 {
		return c.stages[i]
	}
	return stage{}
}

// digest names the content of all documents: it changes when a document does, and not with the folders they come from.
func (c *compiler) digest(packs []*def.Pack) string {
	var lines []string
	for _, l := range c.content(packs) {
		lines = append(lines, l.text)
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:])
}

// content is a line for each document and file beside one, which changes when that does.
type content struct {
	kind def.Kind
	text string
}

func (c *compiler) content(packs []*def.Pack) (lines []content) {
	add := func(k def.Kind, h *def.Head) {
		lines = append(lines, content{k, fmt.Sprintf("%s %s %s %x", h.Pack, k, h.Code, h.Node.Sum())})
	}
	for _, p := range packs {
		add(def.KindPack, &p.Head)
		if p.Bundle != nil {
			lines = append(lines, content{def.KindPack, p.Pack + " bundle " + p.Bundle.Digest})
		}
		if p.Codes != nil {
			lines = append(lines, content{def.KindPack, fmt.Sprintf("%s codes %x", p.Pack, p.Codes.Sum())})
		}
		for _, d := range p.Documents {
			h := d.Header()
			add(d.Kind, h)
			for i, f := range filesOf(c.stage(d.Kind).Kind, d.Document) {
				if *f.To != nil {
					lines = append(lines, content{d.Kind, fmt.Sprintf("%s file %s %d %x", h.Pack, h.Code, i, sha256.Sum256([]byte((*f.To).Text)))})
				}
			}
		}
	}
	return lines
}

// label gives a thing's texts and warns about those that are missing. fallback represents a missing Chinese text.
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

// plural returns the names of several records and warns when a model with an English name has no English plural.
func (c *compiler) plural(d *def.Model) map[string]string {
	if en := d.NameI18n["en"]; en != "" && d.PluralI18n["en"] == "" {
		c.report("NAME003", member(d.Node, "name_i18n"), en)
	}
	return d.PluralI18n
}

// inherited gives the texts of a thing that takes those of another when it has none.
func inherited(d def.Named, from plan.Label) plan.Label { return d.Label(from) }
