package directory

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/place"
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
	place.Division
	Named finder.Named // how the text of a search names it
}

type places struct {
	*place.Tree
	once  sync.Once
	spots []spot // what is searched, by level and code; made when somebody searches first
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
	return &places{Tree: place.New(nil)}
}

func (p *Places) read(ctx context.Context, tx *store.Tx, at store.Moment, _ *places) (*places, error) {
	list, _, err := rows(ctx, p.db, tx, at.Catalog.(*catalog.Catalog), divisionModel, []string{"code", "name", "nameEn"}, earlierRows{})
	divisions := make([]place.Division, 0, len(list))
	for _, r := range list {
		divisions = append(divisions, place.Division{Code: text(r.values[0]), Name: text(r.values[1]), NameEn: text(r.values[2])})
	}
	return &places{Tree: place.New(divisions)}, err
}

// Below returns the divisions right below a code, "" = provinces.
func (p *Places) Below(code string) []place.Division { return p.places().Below(code) }

// Path implements property.Places.
func (p *Places) Path(code, locale string) []string { return p.places().Path(code, locale) }

// Find implements property.Places.
func (p *Places) Find(word string) []string { return p.places().Find(word) }

// Read implements property.Places.
func (p *Places) Read(text string) place.Reading { return p.places().Read(text) }

// Write implements property.Places.
func (p *Places) Write(code, rest, locale string) string { return p.places().Write(code, rest, locale) }

// Above returns the divisions that hold one, from the province down.
func (p *Places) Above(code string) []place.Division { return p.places().Up(code) }
