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
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// division is the model of administrative divisions of the pack core.
const divisionModel = "division"

// Places names administrative divisions from the model division. It is made before the catalog, for property types hold
// it, and reads once there is one.
type Places struct {
	db      *store.DB
	catalog atomic.Pointer[catalog.Catalog]
	mirror  *store.Mirror[*places]
}

var _ property.Places = (*Places)(nil)

// Division is one administrative division.
type Division struct {
	Code, Name, NameEn string
	Leaf               bool
	Named              finder.Named // how the text of a search names it
}

type places struct {
	byCode   map[string]Division
	children map[string][]Division
	once     sync.Once
	spots    []spot // what is searched, by level and code; made when somebody searches first
}

// NewPlaces makes Places that know nothing until Use.
func NewPlaces(db *store.DB) *Places {
	p := &Places{db: db}
	p.mirror = store.NewMirror(db, p.moment, p.read)
	return p
}

// Use takes the model of a catalog.
func (p *Places) Use(c *catalog.Catalog) { p.catalog.Store(c) }

func (p *Places) moment() store.Moment {
	at := store.Moment{Catalog: p.catalog.Load()}
	if c := p.catalog.Load(); c != nil && c.Model(divisionModel) != nil {
		at.Version = p.db.Versions(c.Model(divisionModel).Table)
	}
	return at
}

// Written reads the divisions again after rows of their model were written, which the next rows may name.
func (p *Places) Written(ctx context.Context, m *catalog.Model) error {
	if m.Code != divisionModel {
		return nil
	}
	return p.mirror.Refresh(ctx)
}

// places returns the divisions as they are now, or the last ones that could be read.
func (p *Places) places() *places {
	if c := p.catalog.Load(); c != nil && c.Model(divisionModel) != nil {
		if s, _ := p.mirror.Now(context.Background()); s != nil {
			return s
		}
	}
	return &places{}
}

func (p *Places) read(ctx context.Context, tx *store.Tx, at store.Moment, _ *places) (*places, error) {
	s := &places{byCode: map[string]Division{}, children: map[string][]Division{}}
	list, _, err := rows(ctx, p.db, tx, at.Catalog.(*catalog.Catalog), divisionModel, []string{"code", "name", "nameEn"}, earlierRows{})
	for _, r := range list {
		s.byCode[text(r.values[0])] = Division{Code: text(r.values[0]), Name: text(r.values[1]), NameEn: text(r.values[2])}
	}
	for code, d := range s.byCode {
		parent := above(code)
		s.children[parent] = append(s.children[parent], d)
	}
	for _, list := range s.children {
		slices.SortFunc(list, func(a, b Division) int { return cmp.Compare(a.Code, b.Code) })
		for i := range list {
			list[i].Leaf = len(s.children[list[i].Code]) == 0
		}
	}
	return s, err
}

// above is the code of the division that holds one: two digits less.
func above(code string) string {
	if len(code) <= 2 {
		return ""
	}
	return code[:len(code)-2]
}

// Below returns the divisions right below a code, "" = provinces.
func (p *Places) Below(code string) []Division { return p.places().children[code] }

// Path returns the names from the province down, nil when the code is unknown.
func (p *Places) Path(code, locale string) []string {
	s := p.places()
	if _, ok := s.byCode[code]; !ok {
		return nil
	}
	var out []string
	for at := code; at != ""; at = above(at) {
		d, ok := s.byCode[at]
		if !ok {
			continue
		}
		name := d.Name
		if locale == "en" && d.NameEn != "" {
			name = d.NameEn
		}
		out = append(out, name)
	}
	slices.Reverse(out)
	return out
}

// Find returns the codes whose joined names contain a text, folded.
func (p *Places) Find(word string) []string {
	s := p.places()
	word = fold(word)
	var out []string
	for code := range s.byCode {
		if strings.Contains(fold(strings.Join(p.Path(code, "zh"), "")), word) || strings.Contains(fold(strings.Join(p.Path(code, "en"), " ")), word) {
			out = append(out, code)
		}
	}
	slices.Sort(out)
	return out
}
