package query

import (
	"context"
	"hash/maphash"
	"slices"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Keys finds records by a key that is spelled otherwise in them: in other case, width or spaces. It holds what one look at all records has found,
// about 50 bytes each, and does not know of records that were added since.
type Keys struct {
	r     *Reader
	m     *catalog.Model
	field *catalog.Field
	seed  maphash.Seed
	ids   map[uint64]uuid.UUID // by the plain key; the nil id is several
}

// Keys reads the keys of the records that the principal sees: a text property that they may read of all of them.
func (r *Reader) Keys(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, field *catalog.Field) (*Keys, error) {
	k := &Keys{r: r, m: m, field: field, seed: maphash.MakeSeed(), ids: map[uint64]uuid.UUID{}}
	return k, k.read(ctx, tx, view, plan.True, func(id string, _ int64, key string) {
		plain := property.Plain(key)
		if plain == "" {
			return
		}
		sum := maphash.String(k.seed, plain)
		if _, several := k.ids[sum]; several {
			k.ids[sum] = uuid.Nil
			return
		}
		k.ids[sum], _ = uuid.Parse(id)
	})
}

// Alike are the records whose keys have the plain form of some keys, by these. Of several records two empty ones are given: the key does not say which.
func (k *Keys) Alike(ctx context.Context, tx *store.Tx, view *authz.View, keys []string) (map[string][]Matched, error) {
	out, ids := map[string][]Matched{}, []string{}
	asked := map[string][]string{} // keys by the plain form
	for _, key := range keys {
		plain := property.Plain(key)
		id, there := k.ids[maphash.String(k.seed, plain)]
		switch {
		case !there || plain == "":
		case id == uuid.Nil:
			out[key] = make([]Matched, 2)
		default:
			ids = append(ids, id.String())
			asked[plain] = append(asked[plain], key)
		}
	}
	if len(ids) == 0 {
		return out, nil
	}
	slices.Sort(ids)
	return out, k.read(ctx, tx, view, oneOf(catalog.ID, slices.Compact(ids)), func(id string, version int64, key string) {
		for _, one := range asked[property.Plain(key)] {
			if len(out[one]) == 0 {
				out[one] = []Matched{{ID: id, Version: version, Key: key}}
			}
		}
	})
}

func (k *Keys) read(ctx context.Context, tx *store.Tx, view *authz.View, where plan.Expr, each func(id string, version int64, key string)) error {
	g := newGraph(view, k.m)
	n, err := g.resolve(k.field.Code)
	if err != nil {
		return err
	}
	q := &plan.Query{Model: k.m.Code, Where: plan.AllOf(where, rule(view.Rows(k.m))), Joins: g.joins,
		Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Field{Column: catalog.Version, K: plan.Int}, n.columns()[0]}}
	return tx.Query(ctx, view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		version, _ := row[1].(int64)
		key, _ := row[2].(string)
		each(id, version, key)
		return nil
	})
}
