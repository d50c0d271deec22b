package query

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Matched is a record that a text names.
type Matched struct {
	ID, Name string
	Detail   string // of Match: what else names it, to tell it from others of the same name
	Version  int64
	Parent   string // of Match, in a tree: the record above it, where the principal may read that
	Key      string // of Keys: how it is spelled

	called []string // of Match: all by which it is found
}

// Offers finds a list that offers an action which the principal may do on some records of its model.
func Offers(view *authz.View, schemaCode, queryCode, action string) (*catalog.List, error) {
	l, err := list(view, schemaCode, queryCode)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(l.Actions, func(a catalog.ListAction) bool { return a.Type == action }) || !view.Can(l.Model, action) {
		return nil, fault.New(fault.Forbidden)
	}
	return l, nil
}

// MatchFields are the properties of a model by which people name a record in words, as far as the principal may read them on every
// record: what relations to it show, its name, its sequence number, and texts that are unique.
func MatchFields(view *authz.View, m *catalog.Model, display *catalog.Field) []*catalog.Field {
	var out []*catalog.Field
	for _, f := range append([]*catalog.Field{display, m.Field(catalog.Name), m.Field(catalog.SequenceNo)}, m.Fields...) {
		if f == nil || slices.Contains(out, f) || f != display && f.Code != catalog.Name && f.Code != catalog.SequenceNo && !f.Unique {
			continue
		}
		if cols := f.Columns(); len(cols) != 1 || cols[0].Kind != plan.Text {
			continue
		}
		if right, guard := view.Field(f); right != catalog.Hidden && plan.IsTrue(guard) {
			out = append(out, f)
		}
	}
	return out
}

// PeopleKeys tells by what people are found beside their names: what the principal may read of everybody.
func PeopleKeys(view *authz.View) directory.MatchKeys {
	may := func(code string) bool { return readsOfAll(view, view.Model(directory.User), code) }
	return directory.MatchKeys{Mobile: may("mobile"), Email: may("email"), EmployeeNo: may("employeeNo")}
}

// Usernames reports whether the principal may read everybody's username, by which people of one name are told apart.
func Usernames(view *authz.View) bool {
	return readsOfAll(view, view.Model(directory.User), "username")
}

// readsOfAll reports whether the principal may read a field of every record of a model, which may be nil.
func readsOfAll(view *authz.View, m *catalog.Model, code string) bool {
	if m == nil || m.Field(code) == nil {
		return false
	}
	right, guard := view.Field(m.Field(code))
	return right != catalog.Hidden && plan.IsTrue(guard)
}

// Match finds the records that the principal may see and of which one of the fields is exactly one of the texts, by that text, in the order
// of their ids. A record that two fields name is there once.
func (r *Reader) Match(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, fields []*catalog.Field, texts []string) (map[string][]Matched, error) {
	asked := make(map[string][]string, len(texts))
	for _, text := range texts {
		asked[text] = []string{text}
	}
	of := matching{fields: fields, asked: func(held string) []string { return asked[held] }, within: stored(fields, texts)}
	out := map[string][]Matched{}
	return out, r.match(ctx, tx, view, m, of, out)
}

// Named finds the records that the principal may see and that texts of a file mean (property.Meant), by the text: of one that no record has as
// it is spelled those that have it in its plain form. Numbers and codes of models with many records in which no search looks
// are found in capitals, in small letters and as they are written, since no index has their plain form.
func (r *Reader) Named(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, display *catalog.Field, texts []string) (map[string][]Matched, error) {
	fields := MatchFields(view, m, display)
	out, err := r.Match(ctx, tx, view, m, fields, texts)
	if err != nil {
		return nil, err
	}
	rest := map[string][]string{}
	for _, text := range texts {
		if plain := property.Plain(text); plain != "" && len(out[text]) == 0 {
			rest[plain] = append(rest[plain], text)
		}
	}
	if len(rest) == 0 {
		return out, nil
	}
	of := matching{fields: fields, asked: func(held string) []string { return rest[property.Plain(held)] }}
	if !newGraph(view, m).large() { // one look at all costs less than many searches without an index
		return out, r.match(ctx, tx, view, m, of, out)
	}
	for plain := range slices.Chunk(slices.Sorted(maps.Keys(rest)), mostNamed) {
		of.within, of.named, of.has = nil, plain, nil
		for _, one := range plain {
			of.within = append(of.within, one, strings.ToUpper(one))
			for _, text := range rest[one] {
				of.within = append(of.within, spellings(text)...)
				of.has = append(of.has, text)
			}
		}
		of.within = stored(fields, of.within)
		if err := r.match(ctx, tx, view, m, of, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mostNamed is how many names of a large model one question asks its index for.
const mostNamed = 40

// matching says which records texts name.
type matching struct {
	fields []*catalog.Field
	asked  func(held string) []string // the texts that what a field holds answers
	within []string                   // what a field may hold, and named of what the index of names may hold the plain form; none of both = all records are read
	named  []string
	has    []string      // what fields with an index for searches may hold, in any case
	each   func(Matched) // gets each record that is read, in place of asked; nil = asked
	ids    []string      // of the only records that are read; nil = of any
}

func (of matching) where(g *graph, columns []plan.Expr) plan.Expr {
	if of.ids != nil {
		return oneOf(catalog.ID, of.ids)
	}
	if of.within == nil && of.named == nil {
		return plan.True
	}
	var out []plan.Expr
	for i, column := range columns {
		out = append(out, &plan.InSet{Op: plan.SetWithin, F: column, G: &plan.Const{K: plan.Set, Value: of.within}})
		if !marked(of.fields[i]) || of.fields[i].Code == catalog.Name {
			continue
		}
		for _, word := range of.has {
			out = append(out, has(column, word))
		}
	}
	if n, err := g.resolve(catalog.Name); err == nil {
		index := n.guarded(&plan.Field{Column: namePinyin, K: plan.Text})
		for _, plain := range of.named {
			out = append(out, &plan.Match{X: index, Pattern: text(finder.Typed(plain).Whole())})
		}
	}
	return plan.AnyOf(out...)
}

// match adds the records that texts name to out, each once for a text.
func (r *Reader) match(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, of matching, out map[string][]Matched) error {
	g := newGraph(view, m)
	q := &plan.Query{Model: m.Code}
	if of.each == nil { // an order costs a look into an index for each record
		q.Order = []plan.Order{{By: &plan.Field{Column: catalog.ID, K: plan.ID}}}
	}
	q.Select = []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Field{Column: catalog.Version, K: plan.Int}, &plan.Const{K: plan.Text}}
	if n, err := g.resolve(catalog.Name); err == nil {
		q.Select[2] = n.columns()[0]
	}
	first := 3 // column of the fields
	if m.Tree != nil {
		q.Select = append(q.Select, &plan.Const{K: plan.ID})
		if n, err := g.resolve(m.Tree.Code); err == nil {
			q.Select[first] = n.columns()[0]
		}
		first++
	}
	for _, f := range of.fields {
		n, err := g.resolve(f.Code)
		if err != nil {
			return err
		}
		q.Select = append(q.Select, n.columns()[0])
	}
	q.Where, q.Joins = plan.AllOf(rule(view.Rows(m)), of.where(g, q.Select[first:])), g.joins
	return tx.Query(ctx, view.Catalog, q, func(row []any) error {
		one := Matched{}
		one.ID, _ = row[0].(string)
		one.Version, _ = row[1].(int64)
		one.Name, _ = row[2].(string)
		if m.Tree != nil {
			one.Parent, _ = row[3].(string)
		}
		for i, v := range row[first:] {
			one.called = append(one.called, translations(of.fields[i], v)...)
		}
		if of.each != nil {
			of.each(one)
			return nil
		}
		one.Detail = detail(of.fields, row[first:], one.Name)
		for _, called := range one.called {
			for _, text := range of.asked(called) {
				if have := out[text]; len(have) == 0 || have[len(have)-1].ID != one.ID {
					out[text] = append(have, one)
				}
			}
		}
		return nil
	})
}

// Called is by what texts files name some records of a model (Named), by id.
func (r *Reader) Called(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, display *catalog.Field, ids []string) (map[string][]string, error) {
	out := map[string][]string{}
	if len(ids) == 0 {
		return out, nil
	}
	of := matching{fields: MatchFields(view, m, display), ids: ids, each: func(one Matched) { out[one.ID] = one.called }}
	return out, r.match(ctx, tx, view, m, of, nil)
}

// translations are a text that a field holds, and what it is called in each language.
func translations(f *catalog.Field, v any) []string {
	held, _ := v.(string)
	if held == "" {
		return nil
	}
	out := []string{held}
	if t, ok := f.Property.(property.Translator); ok {
		for _, locale := range locales {
			if shown, _ := t.Translate(held, locale).(string); shown != "" && !slices.Contains(out, shown) {
				out = append(out, shown)
			}
		}
	}
	return out
}

// locales are the languages of the interface.
var locales = []string{"zh", "en"}

// stored are texts, and those that fields hold for them where texts are translated.
func stored(fields []*catalog.Field, texts []string) []string {
	out := texts
	for _, f := range fields {
		t, ok := f.Property.(property.Translator)
		if !ok {
			continue
		}
		for _, text := range texts {
			if held := t.Stored(text); len(held) > 0 {
				out = append(slices.Clip(out), held...)
			}
		}
	}
	return out
}

// Apart says what tells records of one name apart, as pickers show it.
func (r *Reader) Apart(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, display *catalog.Field, ids []string) (map[string]string, error) {
	g := newGraph(view, m)
	if display == nil {
		display = g.shownAs()
	}
	if display == nil {
		return nil, nil
	}
	f, err := g.finding("", display, false)
	if err != nil {
		return nil, err
	}
	return r.apart(ctx, tx, view, f, ids)
}

// detail is the first text that names a record beside its name: one that no other record has, or else its number.
func detail(fields []*catalog.Field, texts []any, name string) (out string) {
	for i, f := range fields {
		text, _ := texts[i].(string)
		if text == "" || text == name {
			continue
		}
		if f.Unique {
			return text
		}
		if f.Code == catalog.SequenceNo {
			out = text
		}
	}
	return out
}

// Versions finds the records of a model that the principal may see, of some ids.
func (r *Reader) Versions(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, ids []string) (map[string]Matched, error) {
	out := map[string]Matched{}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return uuid.Validate(id) != nil })
	where := plan.AllOf(oneOf(catalog.ID, ids), rule(view.Rows(m)))
	q := &plan.Query{Model: m.Code, Where: where, Order: []plan.Order{{By: &plan.Field{Column: catalog.ID, K: plan.ID}}},
		Select: []plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Field{Column: catalog.Version, K: plan.Int}}}
	return out, tx.Query(ctx, view.Catalog, q, func(row []any) error {
		one := Matched{}
		one.ID, _ = row[0].(string)
		one.Version, _ = row[1].(int64)
		out[one.ID] = one
		return nil
	})
}

// Held are the values of some fields of a record, as far as the principal may read them, and the rows of its sub-tables in their order: of
// those of which the principal may read all.
type Held struct {
	Values map[*catalog.Field]any
	Rows   map[*catalog.Field][]HeldRow // by sub-table
}

// HeldRow is a row of a sub-table.
type HeldRow struct {
	ID     string
	Values map[*catalog.Field]any
}

// Holds reads what records hold now, by id. Fields of sub-tables are given beside those of the record. What is not there to be seen is missing.
func (r *Reader) Holds(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, ids []string, fields []*catalog.Field) (map[string]*Held, error) {
	out := make(map[string]*Held, len(ids))
	own, inSheets := []*catalog.Field{}, map[*catalog.Field][]*catalog.Field{}
	for _, f := range fields {
		if f.Sheet != nil {
			inSheets[f] = append(inSheets[f], []*catalog.Field(nil)...) // its rows are wanted, whatever of them
		} else if f.Model == m {
			own = append(own, f)
		} else if sheet := sheetOf(m, f.Model); sheet != nil {
			inSheets[sheet] = append(inSheets[sheet], f)
		}
	}
	where := plan.AllOf(oneOf(catalog.ID, ids), rule(view.Rows(m)))
	err := r.readHeld(ctx, tx, view, m, nil, own, where, func(id, _ string, values map[*catalog.Field]any) {
		out[id] = &Held{Values: values, Rows: map[*catalog.Field][]HeldRow{}}
	})
	if err != nil || len(out) == 0 {
		return out, err
	}
	for sheet, of := range inSheets {
		if right, guard := view.Field(sheet); right == catalog.Hidden || !plan.IsTrue(guard) {
			continue
		}
		for _, h := range out {
			h.Rows[sheet] = nil
		}
		where := oneOf(catalog.SheetParent, slices.Sorted(maps.Keys(out)))
		err := r.readHeld(ctx, tx, view, m, sheet, of, where, func(id, parent string, values map[*catalog.Field]any) {
			out[parent].Rows[sheet] = append(out[parent].Rows[sheet], HeldRow{ID: id, Values: values})
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readHeld reads fields of records, or of the rows of one of their sub-tables. A field that shows on some records only counts as hidden.
func (r *Reader) readHeld(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, sheet *catalog.Field, fields []*catalog.Field, where plan.Expr,
	each func(id, parent string, values map[*catalog.Field]any)) error {
	key := &plan.Field{Column: catalog.ID, K: plan.ID}
	q := &plan.Query{Model: m.Code, Where: where, Select: []plan.Expr{key, key}}
	if sheet != nil {
		q.Model, q.Order = sheet.Sheet.Code, []plan.Order{{By: &plan.Field{Column: catalog.SheetOrder, K: plan.Int}}}
		q.Select[1] = &plan.Field{Column: catalog.SheetParent, K: plan.ID}
	}
	q.Order = append(q.Order, plan.Order{By: key})
	var read []*catalog.Field
	for _, f := range fields {
		if right, guard := view.Field(f); right == catalog.Hidden || !plan.IsTrue(guard) || len(f.Columns()) == 0 {
			continue
		}
		read = append(read, f)
		for _, c := range f.Columns() {
			q.Select = append(q.Select, &plan.Field{Column: c.Name, K: c.Kind})
		}
	}
	return tx.Query(ctx, view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		parent, _ := row[1].(string)
		values := make(map[*catalog.Field]any, len(read))
		at := 2
		for _, f := range read {
			n := len(f.Columns())
			values[f] = f.Property.Load(held(row[at : at+n]))
			at += n
		}
		each(id, parent, values)
		return nil
	})
}

// held are columns of a row that stay after the row: what reads it uses its memory again.
func held(row []any) []any {
	columns := slices.Clone(row)
	for i, v := range columns {
		if set, ok := v.([]string); ok {
			columns[i] = slices.Clone(set)
		}
	}
	return columns
}

// Made says in words what the principal has just written in a transaction: of each record the write that made its version. Of people, departments,
// records and options the words say what tells them apart.
func (r *Reader) Made(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, versions map[string]int64) (map[string]HistoryEntry, error) {
	ids := make([]string, 0, len(versions))
	for id := range versions {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	h := newHistorian(ctx, r, view, m)
	h.own, h.names.told = true, r.told(ctx, view)
	if err := h.see(tx, ids); err != nil {
		return nil, err
	}
	var found, rows []record.History
	if err := tx.System().Where("model = ? AND record IN ?", m.Code, ids).Find(&found).Error; err != nil {
		return nil, err
	}
	for _, row := range found {
		if row.Version == versions[row.Record] {
			rows = append(rows, row)
		}
	}
	if err := h.read(tx, rows); err != nil {
		return nil, err
	}
	out := make(map[string]HistoryEntry, len(rows))
	for i, row := range rows {
		out[row.Record] = h.entry(row, h.changes[i])
	}
	return out, nil
}

// InputField describes a property that the principal fills in, of the model or of one of its sub-tables, with all that an editor needs. Whether
// they may is the caller's to know.
func InputField(view *authz.View, f *catalog.Field) FormField {
	return formField(fieldPlan(node{graph: newGraph(view, f.Model), field: f, guard: plan.True}, f.Code, f.Label, ""), &catalog.FormItem{})
}
