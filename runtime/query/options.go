package query

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/place"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// OptionsRequest asks for the choices of a field. Kind is needed for fields that mix people and departments. Form holds the wire
// values of the form (in a sub-table with the row's) that conditions depend on; nil when no form asks.
type OptionsRequest struct {
	SchemaCode, PropertyCode, Keyword, Kind string
	SheetCode, ObjectID                     string
	Form                                    map[string]json.RawMessage
	ParentID                                *string
	IDs                                     []string // of these those that may be chosen; nil = all
	Meant                                   bool     // those that Keyword means as the text of a cell, and no others
	Page, Size                              int
}

// Entry is a choice (api.yaml Entry). Type is 1 for departments, 3 for people, nil for records.
type Entry struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	ImageURL *string `json:"imgUrl"`
	Type     *int    `json:"type"`
	Detail   *string `json:"detail"`
	Leaf     bool    `json:"leaf"`
	Named    string  `json:"named,omitempty"` // how the keyword names it: "text", "sound"; "" = something longer (finder.Named)
	// Fill are the wire values that choosing the record takes over into other fields, by their codes.
	Fill json.RawMessage `json:"fill,omitempty"`
}

// Entries is a page of choices.
type Entries struct {
	Content []Entry `json:"content"`
	Total   int64   `json:"totalElements"`
}

// The types of entries on the wire (docs/formats.md).
var (
	typeDepartment = 1
	typeUser       = 3
)

// FieldOptions answers pickers: options, people, departments or records that the caller may choose.
func (r *Reader) FieldOptions(ctx context.Context, view *authz.View, req OptionsRequest) (*Entries, error) {
	m := view.Model(req.SchemaCode)
	if m == nil || m.Parent != nil || !view.Can(m, "view") && !view.Can(m, "add") {
		return nil, fault.New(fault.ModelNotFound)
	}
	if most := map[bool]int{false: maxKeyword, true: maxMeant}[req.Meant]; len([]rune(req.Keyword)) > most {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	if err := checkForm(req); err != nil {
		return nil, err
	}
	n, err := newGraph(view, m).resolve(req.PropertyCode)
	if err != nil {
		// A caller who may add records but sees none still chooses values for them.
		if n, err = addable(view, m, req.PropertyCode); err != nil {
			return nil, err
		}
	}
	_, chooses := n.field.Property.(property.Chooser)
	_, refers := n.field.Property.(property.Claimer)
	if req.Meant && !chooses && (n.field.Target != nil || refers) {
		return r.meantOptions(ctx, view, n, req)
	}
	out, err := r.offeredIn(ctx, view, n, req, chooses)
	if err != nil || chooses || len(out.Content) > 0 || req.Page > 0 || len(req.IDs) > 0 || len(property.Tellings(req.Keyword)) == 0 {
		return out, err
	}
	// Nothing is called so: it may be a name with what tells it apart, copied from a file.
	if out, err = r.meantOptions(ctx, view, n, req); err != nil {
		return nil, err
	}
	for i := range out.Content {
		out.Content[i].Named = string(finder.ByText)
	}
	return out, nil
}

// offeredIn are the choices of a field that a keyword finds.
func (r *Reader) offeredIn(ctx context.Context, view *authz.View, n node, req OptionsRequest, chooses bool) (*Entries, error) {
	switch target := n.field.Target; {
	case chooses:
		o, err := r.fieldOptionsOf(ctx, view, n, req)
		if err != nil {
			return nil, err
		}
		return o.options(req, view.Principal().Locale)
	case target == nil:
		if _, parties := n.field.Property.(property.Claimer); !parties || !directory.Knows(req.Kind) { // files are referred to as well
			return nil, unknown()
		}
		return r.organisation(ctx, view, n, req, req.Kind)
	case directory.Knows(target.Code):
		// A filter on a person also offers the departments, to say of which one the person is.
		if directory.Knows(req.Kind) {
			return r.organisation(ctx, view, n, req, req.Kind)
		}
		return r.organisation(ctx, view, n, req, target.Code)
	default:
		return r.records(ctx, view, n, req)
	}
}

// addable resolves a field of a new record.
func addable(view *authz.View, m *catalog.Model, code string) (node, error) {
	f := m.Field(code)
	if f == nil || f.System || !view.Can(m, "add") || plan.IsFalse(view.FieldRows(f, "add")) {
		return node{}, unknown()
	}
	return node{graph: newGraph(view, m), field: f, guard: plan.True}, nil
}

func (r *Reader) organisation(ctx context.Context, view *authz.View, n node, req OptionsRequest, kind string) (*Entries, error) {
	among, err := r.administered(ctx, view, n.field, kind)
	if err != nil {
		return nil, err
	}
	found, total := r.people.Search(ctx, directory.Wanted{Kind: kind, Text: req.Keyword, Below: req.ParentID, Among: among, Keys: PeopleKeys(view),
		Skip: req.Page * req.Size, Limit: req.Size})
	if len(req.IDs) > 0 {
		found = slices.DeleteFunc(r.people.Some(ctx, kind, req.IDs), func(f directory.Found) bool { return among != nil && !among[f.ID] })
		total = len(found)
	}
	out := &Entries{Content: make([]Entry, len(found)), Total: int64(total)}
	for i, f := range found {
		of := &typeUser
		if kind == directory.Department {
			of = &typeDepartment
		}
		out.Content[i] = Entry{ID: f.ID, Name: f.Name, ImageURL: orNull(f.ImageURL), Type: of, Detail: orNull(f.Detail), Leaf: f.Leaf, Named: string(f.Named)}
	}
	return out, nil
}

// administered are the people or departments whose records the caller may edit, where a field holds no others; nil = it holds
// all. A filter that compares people with departments offers every department.
func (r *Reader) administered(ctx context.Context, view *authz.View, f *catalog.Field, kind string) (map[string]bool, error) {
	a, ok := f.Property.(property.Administered)
	m := view.Model(kind)
	if !ok || !a.Administered() || m == nil || f.Target != nil && f.Target != m {
		return nil, nil
	}
	where := view.EditRows(m, "edit")
	if plan.IsTrue(where) {
		return nil, nil
	}
	out := map[string]bool{}
	if plan.IsFalse(where) {
		return out, nil
	}
	return out, r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Query(ctx, view.Catalog, &plan.Query{Model: m.Code, Where: where, Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}}, func(row []any) error {
			id, _ := row[0].(string)
			out[id] = true
			return nil
		})
	})
}

// PersonEntry is a person who was found as pickers show one.
func PersonEntry(f directory.Found) Entry {
	return Entry{ID: f.ID, Name: f.Name, ImageURL: orNull(f.ImageURL), Type: &typeUser, Detail: orNull(f.Detail), Leaf: f.Leaf, Named: string(f.Named)}
}

// DepartmentEntry is a department that was found as pickers show one.
func DepartmentEntry(f directory.Found) Entry {
	return Entry{ID: f.ID, Name: f.Name, Type: &typeDepartment, Detail: orNull(f.Detail), Leaf: f.Leaf, Named: string(f.Named)}
}

// records lists the records of a relation's target that the caller may see, by what the relation shows; of a keyword the best first.
func (r *Reader) records(ctx context.Context, view *authz.View, n node, req OptionsRequest) (*Entries, error) {
	g := newGraph(view, n.field.Target)
	if _, err := g.resolve(n.field.Display.Code); err != nil {
		return &Entries{Content: []Entry{}}, nil //nolint:nilerr // nothing that may be shown
	}
	f, err := g.finding(req.Keyword, n.field.Display, false)
	if err != nil {
		return nil, err
	}
	offered, err := r.fieldOptionsOf(ctx, view, n, req)
	if err != nil {
		return nil, err
	}
	where := []plan.Expr{rule(view.Rows(g.model)), offered.where()}
	if len(req.IDs) > 0 {
		where = append(where, oneOf(catalog.ID, req.IDs))
	}
	var order []plan.Order
	if keys, err := f.shown.order(false); err == nil {
		order = keys
	}
	order = append(order, plan.Order{By: &plan.Field{Column: catalog.ID, K: plan.ID}})
	var filled plan.Query
	var fill []fillColumn
	if req.Form != nil {
		fill = offered.addFillColumns(g, &filled)
	}
	out := &Entries{}
	look := property.TextContext{Locale: view.Principal().Locale, Zone: r.zone, Names: r.people.Names(ctx)}
	return out, r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		found, err := f.records(ctx, tx, plan.AllOf(where...), order, look, req.Page*req.Size, req.Size, filled.Select...)
		if err != nil {
			return err
		}
		if out.Content, err = r.choiceEntries(ctx, tx, view, f, found); err != nil {
			return err
		}
		if err := r.fillIn(ctx, tx, view, fill, found, out.Content); err != nil {
			return err
		}
		out.Total, err = tx.Count(ctx, view.Catalog, &plan.Query{Model: g.model.Code, Where: plan.AllOf(append(where, plan.AnyOf(f.coded, f.wanted))...), Joins: g.joins})
		return err
	})
}

// fillIn gives choices what choosing them fills in.
func (r *Reader) fillIn(ctx context.Context, tx *store.Tx, view *authz.View, fill []fillColumn, found []foundRecord, entries []Entry) error {
	if len(fill) == 0 {
		return nil
	}
	names := r.names(ctx, view)
	var values []any // record by record
	for _, one := range found {
		for _, t := range fill {
			v := t.node.field.Property.Load(one.more[t.at : t.at+t.width])
			names.collect(t.node.field, v)
			values = append(values, v)
		}
	}
	if err := names.resolve(tx.Context(), tx); err != nil {
		return err
	}
	for i := range entries {
		entries[i].Fill = encodeFill(fill, values[i*len(fill):], names)
	}
	return nil
}

// Division is an administrative division (api.yaml).
type Division struct {
	DivisionName
	Leaf  bool           `json:"leaf"`
	Named string         `json:"named,omitempty"` // as of an Entry
	Above []DivisionName `json:"above,omitempty"`
}

// DivisionName is what a division is called.
type DivisionName struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
}

func nameOf(d place.Division) DivisionName {
	names := map[string]string{}
	if d.NameEn != "" {
		names["en"] = d.NameEn
	}
	return DivisionName{Code: d.Code, Name: d.Name, NameI18n: names}
}

// Divisions returns the divisions right below a code, "" = provinces. They are no secret.
func (r *Reader) Divisions(parent string) []Division {
	out := []Division{}
	for _, d := range r.places.Below(parent) {
		out = append(out, Division{DivisionName: nameOf(d), Leaf: d.Leaf})
	}
	return out
}

// maxDivisions is how many divisions a search answers at most.
const maxDivisions = 50

// FindDivisions returns the divisions down to a level that a text finds, the best first, with those that hold them.
func (r *Reader) FindDivisions(text string, levels int) []Division {
	out := []Division{}
	for _, d := range r.places.Search(text, levels, maxDivisions) {
		found := Division{DivisionName: nameOf(d.Division), Leaf: d.Leaf, Named: string(d.Named)}
		for _, up := range r.places.Above(d.Code) {
			found.Above = append(found.Above, nameOf(up))
		}
		out = append(out, found)
	}
	return out
}

// Address is what a text says as an address (api.yaml).
type Address struct {
	Verdict  string   `json:"verdict"` // read, none, several, unclear or missing
	Code     string   `json:"code"`
	Province *string  `json:"province"`
	City     *string  `json:"city"`
	District *string  `json:"district"`
	Detail   *string  `json:"detail"`
	Word     string   `json:"word,omitempty"`  // what the verdict is about
	Names    []string `json:"names,omitempty"` // of divisions of one name
}

var verdicts = map[place.Verdict]string{place.Read: "read", place.None: "none", place.Several: "several", place.Unclear: "unclear", place.Missing: "missing"}

// ReadAddress reads an address as people write it, as spreadsheets are read.
func (r *Reader) ReadAddress(text string) Address {
	got := r.places.Read(text)
	out := Address{Verdict: verdicts[got.Verdict], Code: got.Code, Word: got.Word, Names: got.Names}
	if got.Rest != "" {
		out.Detail = &got.Rest
	}
	if got.Code == "" {
		return out
	}
	levels := []**string{&out.Province, &out.City, &out.District}
	for _, d := range append(r.places.Above(got.Code), r.places.Below(place.Above(got.Code))...) {
		if strings.HasPrefix(got.Code, d.Code) {
			*levels[len(d.Code)/2-1] = &d.Name
		}
	}
	return out
}
