package directory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/store"
)

// divisionModel is the model of administrative divisions of the pack core.
const divisionModel = "division"

// Places names administrative divisions. Property types hold it before there is a catalog; until Use it knows nothing.
type Places struct {
	db      *store.DB
	catalog atomic.Pointer[catalog.Catalog]
	current atomic.Pointer[divisions]
	loading sync.Mutex
}

var _ property.Places = (*Places)(nil)

// Division is one administrative division. Its code begins with that of the one above it.
type Division struct {
	Code, Name, NameEn string
	Leaf               bool
}

type divisions struct {
	of       *catalog.Catalog
	version  uint64
	byCode   map[string]Division
	children map[string][]Division
}

// NewPlaces makes Places.
func NewPlaces(db *store.DB) *Places { return &Places{db: db} }

// Use takes the model of a catalog.
func (p *Places) Use(c *catalog.Catalog) { p.catalog.Store(c) }

func (p *Places) divisions() *divisions {
	c := p.catalog.Load()
	if c == nil || c.Model(divisionModel) == nil {
		return &divisions{}
	}
	version := p.db.Versions(c.Model(divisionModel).Table)
	if d := p.current.Load(); d != nil && d.of == c && d.version == version {
		return d
	}
	p.loading.Lock()
	defer p.loading.Unlock()
	d, err := readDivisions(context.Background(), p.db, c)
	if err != nil {
		if old := p.current.Load(); old != nil {
			return old
		}
		return &divisions{}
	}
	d.of, d.version = c, version
	p.current.Store(d)
	return d
}

func readDivisions(ctx context.Context, db *store.DB, c *catalog.Catalog) (*divisions, error) {
	d := &divisions{byCode: map[string]Division{}, children: map[string][]Division{}}
	err := db.Read(ctx, func(tx *store.Tx) error {
		return readModel(ctx, tx, c, divisionModel, []string{"code", "name", "nameEn"}, func(_ string, v values) {
			d.byCode[v.text("code")] = Division{Code: v.text("code"), Name: v.text("name"), NameEn: v.text("nameEn")}
		})
	})
	for code, division := range d.byCode {
		d.children[above(code)] = append(d.children[above(code)], division)
	}
	for _, list := range d.children {
		slices.SortFunc(list, func(a, b Division) int { return cmp.Compare(a.Code, b.Code) })
		for i := range list {
			list[i].Leaf = len(d.children[list[i].Code]) == 0
		}
	}
	return d, err
}

// above is the code of the division that holds one; "" above a province.
func above(code string) string {
	if len(code) <= 2 {
		return ""
	}
	return code[:len(code)-2]
}

// Below returns the divisions right below a code in the order of their codes; "" = provinces.
func (p *Places) Below(code string) []Division { return p.divisions().children[code] }

// Path returns the names from the province down; nil when the code is unknown.
func (p *Places) Path(code, locale string) []string { return p.divisions().path(code, locale) }

func (d *divisions) path(code, locale string) []string {
	if _, ok := d.byCode[code]; !ok {
		return nil
	}
	var out []string
	for ; code != ""; code = above(code) {
		if at, ok := d.byCode[code]; ok && locale == "en" && at.NameEn != "" {
			out = append(out, at.NameEn)
		} else if ok {
			out = append(out, at.Name)
		}
	}
	slices.Reverse(out)
	return out
}

// Find returns the codes whose joined names, in either language, contain a text.
func (p *Places) Find(text string) []string {
	d, word := p.divisions(), store.Fold(text)
	var out []string
	for code := range d.byCode {
		if strings.Contains(store.Fold(strings.Join(d.path(code, "zh"), "")), word) || strings.Contains(store.Fold(strings.Join(d.path(code, "en"), " ")), word) {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}
