package app

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// SavedUse is how much of what people saved, were given or entered names a thing (api.yaml SavedUse).
type SavedUse struct {
	What  string   `json:"what"`  // a word of savings, or "record"
	In    string   `json:"in"`    // of records: the property that holds the code
	Count int      `json:"count"` // of filters, links, records and so on
	Who   []string `json:"who"`   // names of people, each once, of the first mostOwners; null where the caller does not administer everything
}

// mostOwners are the people whom an answer names.
const mostOwners = 20

// saving is a sort of things that people saved or were given: how many name a thing, and whose they are where they are somebody's.
type saving struct {
	what  string
	kinds []names.Kind
	of    func(ctx context.Context, tx *store.Tx, c *catalog.Catalog, k names.Kind, path string) (n int, owners []string, err error)
}

var savings = []saving{
	{"filter", []names.Kind{names.List, names.Property, names.Option}, savedFilters},
	{"columns", []names.Kind{names.List, names.Property}, chosenColumns},
	{"arrangement", []names.Kind{names.Portal}, func(_ context.Context, tx *store.Tx, _ *catalog.Catalog, _ names.Kind, path string) (int, []string, error) {
		owners, err := portal.ArrangedBy(tx, path)
		return len(owners), owners, err
	}},
	{"link", []names.Kind{names.Form}, nobodys(authn.LinksTo)},
	{"token", []names.Kind{names.Model, names.List, names.Form}, reachingTokens},
	{"delegation", []names.Kind{names.Workflow}, nobodys(workflow.DelegationsFor)},
	{"person", []names.Kind{names.Role}, func(ctx context.Context, tx *store.Tx, _ *catalog.Catalog, _ names.Kind, path string) (int, []string, error) {
		of, err := roleMembers.Find(ctx, tx, path)
		owners := make([]string, len(of))
		for i, one := range of {
			owners[i] = one.ID
		}
		return len(of), owners, err
	}},
}

// nobodys is a count of what is no one person's.
func nobodys(list func(*store.Tx, string) ([]string, error)) func(context.Context, *store.Tx, *catalog.Catalog, names.Kind, string) (int, []string, error) {
	return func(_ context.Context, tx *store.Tx, _ *catalog.Catalog, _ names.Kind, path string) (int, []string, error) {
		all, err := list(tx, path)
		return len(all), nil, err
	}
}

// reachingTokens are the tokens for chosen applications that reach the records of a model, or of the model of a list or form: what calls with them name.
func reachingTokens(_ context.Context, tx *store.Tx, c *catalog.Catalog, k names.Kind, path string) (int, []string, error) {
	m := modelOf(c, k, path)
	if m == nil {
		return 0, nil, nil
	}
	_, owners, err := authn.TokensWhere(tx, func(apps []principal.AppScope) bool { return authz.Reaches(c, apps, m) })
	return len(owners), owners, err
}

// modelOf is the model of a list or form, or the model itself; nil where there is none.
func modelOf(c *catalog.Catalog, k names.Kind, code string) *catalog.Model {
	switch k {
	case names.List:
		if l := c.List(code); l != nil {
			return l.Model
		}
		return nil
	case names.Form:
		if f := c.Form(code); f != nil {
			return f.Model
		}
		return nil
	}
	return c.Model(code)
}

func savedFilters(_ context.Context, tx *store.Tx, c *catalog.Catalog, k names.Kind, path string) (int, []string, error) {
	if k == names.List {
		owners, err := savedfilter.OfList(tx, path)
		return len(owners), owners, err
	}
	owners, err := savedfilter.Naming(tx, c, func(m *catalog.Model, f query.Filter) bool {
		if k == names.Property {
			return onPath(m, f.PropertyCode, path)
		}
		field := lastOn(m, f.PropertyCode)
		var in any
		if field == nil || json.Unmarshal(f.PropertyValue, &in) != nil {
			return false
		}
		words, _ := operand.Words(in)
		of := c.Naming(field, k, path)
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(of, word) })
	})
	return len(owners), owners, err
}

func chosenColumns(_ context.Context, tx *store.Tx, c *catalog.Catalog, k names.Kind, path string) (int, []string, error) {
	if k == names.List {
		owners, err := exporter.ChosenIn(tx, path)
		return len(owners), owners, err
	}
	owners, err := exporter.Choosing(tx, c, func(m *catalog.Model, column string) bool { return onPath(m, column, path) })
	return len(owners), owners, err
}

// onPath reports whether a property is on the way from a model: "items.price", and what is behind a reference. One that the model lacks is asked by
// the code that it had.
func onPath(m *catalog.Model, way, property string) bool {
	found := false
	walk(m, way, func(m *catalog.Model, code string) {
		found = found || strings.EqualFold(names.Join(m.Code, code), property)
	})
	return found
}

// lastOn is the property to which a way leads; nil when there is none.
func lastOn(m *catalog.Model, way string) (f *catalog.Field) {
	walk(m, way, func(m *catalog.Model, code string) { f = m.Field(code) })
	return f
}

func walk(m *catalog.Model, way string, at func(m *catalog.Model, code string)) {
	for code := range strings.SplitSeq(way, ".") {
		at(m, code)
		f := m.Field(code)
		switch {
		case f != nil && f.Sheet != nil:
			m = f.Sheet
		case f != nil && f.Target != nil:
			m = f.Target
		default:
			return
		}
	}
}

// SavedUses tells what of the things that people saved, were given or entered names a thing of the catalog. Who is ids of people.
func SavedUses(ctx context.Context, db *store.DB, c *catalog.Catalog, k names.Kind, path string) ([]SavedUse, error) {
	out := []SavedUse{}
	err := db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, s := range savings {
			if !slices.Contains(s.kinds, k) {
				continue
			}
			n, owners, err := s.of(ctx, tx, c, k, path)
			if err != nil {
				return err
			}
			if n > 0 {
				slices.Sort(owners)
				out = append(out, SavedUse{What: s.what, Count: n, Who: slices.Compact(owners)})
			}
		}
		records, err := holdingRecords(ctx, tx, c, k, path)
		out = append(out, records...)
		return err
	})
	return out, err
}

// holdingRecords counts the records whose values name a thing, by the property that holds them. Rows of a sub-table count for themselves.
func holdingRecords(ctx context.Context, tx *store.Tx, c *catalog.Catalog, k names.Kind, path string) (out []SavedUse, err error) {
	for _, m := range c.Models {
		for _, of := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range of.Fields {
				values := c.Naming(f, k, path)
				filter, ok := f.Property.(property.Filterer)
				if len(values) == 0 || !ok || f.Live {
					continue
				}
				operand := strings.Join(values, ";")
				where, err := filter.Filter(plan.Contains, operand, func(string) plan.Expr { return f.Column() }, property.FilterContext{})
				if err != nil {
					return nil, err
				}
				n, err := tx.Count(ctx, c, &plan.Query{Model: of.Code, Where: where})
				if err != nil {
					return nil, err
				}
				if n > 0 {
					out = append(out, SavedUse{What: "record", In: names.Join(of.Code, f.Code), Count: int(n)})
				}
			}
		}
	}
	return out, nil
}

// savedUses are SavedUses with names of people in place of ids, for who administers everything, and without them for others.
func (a *App) savedUses(ctx context.Context, view *authz.View, k names.Kind, path string) ([]SavedUse, error) {
	all, err := SavedUses(ctx, a.db, a.State().Catalog, k, path)
	for i := range all {
		ids := all[i].Who
		if all[i].Who = nil; !a.MayAdminister(view, "") {
			continue
		}
		for _, id := range ids[:min(len(ids), mostOwners)] {
			name := id
			if p, ok := a.people.Person(ctx, id); ok {
				name = p.Name
			}
			all[i].Who = append(all[i].Who, name)
		}
	}
	return all, err
}
