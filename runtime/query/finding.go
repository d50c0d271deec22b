package query

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// finding asks the records of a model for what a typed text means, the best first: those that it names, those that begin with it, those that
// have it, those that sound so. Each of these is a question that the indexes of names answer.
type finding struct {
	g       *graph
	text    finder.Text
	display *catalog.Field // what records are shown as
	shown   node
	codes   []node      // numbers and texts that no two records share
	coded   plan.Expr   // records of which one of those is the text that only an index of its own leads to, or none; the other stages are without it
	wanted  plan.Expr   // all else that the text finds
	stages  []plan.Expr // the best first; the last is wanted
}

// finding prepares it; wide looks in all that the search of a list looks in. An empty keyword finds every record.
func (g *graph) finding(keyword string, display *catalog.Field, wide bool) (*finding, error) {
	return g.findingBy(keyword, display, MatchFields(g.view, g.model, display), wide)
}

// findingBy is finding by some of the fields that name records.
func (g *graph) findingBy(keyword string, display *catalog.Field, by []*catalog.Field, wide bool) (*finding, error) {
	f := &finding{g: g, text: finder.Typed(keyword), display: display, coded: plan.False}
	var err error
	if f.shown, err = g.resolve(display.Code); err != nil {
		return nil, err
	}
	for _, c := range by {
		if c == display || c.Code == catalog.Name {
			continue
		}
		if n, err := g.resolve(c.Code); err == nil {
			f.codes = append(f.codes, n)
		}
	}
	if f.text.Empty() {
		f.wanted = plan.True
		f.stages = []plan.Expr{f.wanted}
		return f, nil
	}
	part, err := eachWord(keyword, func(word string) (plan.Expr, error) { return f.part(word, wide) })
	if err != nil {
		return nil, err
	}
	named, begins := f.named(strings.TrimSpace(keyword))
	f.wanted = plan.AnyOf(named, part)
	if f.g.large() && display.Code == catalog.Name {
		f.wanted = part // what the text names has it, and is not looked for twice
	}
	f.stages = []plan.Expr{f.coded, named, begins}
	spelled, err := eachWord(keyword, func(word string) (plan.Expr, error) { return f.spelled(word), nil })
	if err != nil {
		return nil, err
	}
	f.stages = append(f.stages, spelled, f.wanted)
	return f, nil
}

// named are the records that the text names, begins those whose names begin with it.
func (f *finding) named(keyword string) (named, begins plan.Expr) {
	var whole, start []plan.Expr
	if n, err := f.g.resolve(catalog.Name); err == nil {
		index := n.guarded(&plan.Field{Column: namePinyin, K: plan.Text})
		whole = append(whole, &plan.Match{X: index, Pattern: text(f.text.Whole())})
		start = append(start, &plan.Match{X: index, Pattern: text(f.text.Start())})
	}
	if column, ok := f.shownText(); ok {
		whole = append(whole, &plan.Compare{Op: plan.EQ, A: column, B: text(keyword)})
		start = append(start, &plan.Match{X: column, Pattern: text(keyword), Prefix: true})
	}
	var apart []plan.Expr
	for _, code := range f.codes {
		is := oneOfTexts(code.columns()[0], spellings(keyword))
		switch held := f.g.indexed(code); {
		case held != nil && utf8.RuneCountInString(keyword) > 1:
			whole = append(whole, plan.AllOf(has(held, keyword), is))
		case f.g.large() && code.field.Unique, f.g.unled(code):
			apart = append(apart, is)
		case held != nil: // of so many records none has a number of one character
		default:
			whole = append(whole, is)
		}
	}
	f.coded = plan.AnyOf(apart...)
	return plan.AnyOf(whole...), plan.AnyOf(start...)
}

// spellings are the forms in which an index of codes is asked for a text: as it is written, in characters of usual width, in capitals and in small
// letters. It has no plain form of what it holds.
func spellings(text string) (out []string) {
	for _, one := range widths(text) {
		out = append(out, one, strings.ToUpper(one), strings.ToLower(one))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// oneOfTexts asks whether a text is one of some.
func oneOfTexts(column plan.Expr, texts []string) plan.Expr {
	if len(texts) == 1 {
		return &plan.Compare{Op: plan.EQ, A: column, B: text(texts[0])}
	}
	return &plan.InSet{Op: plan.SetWithin, F: column, G: &plan.Const{K: plan.Set, Value: texts}}
}

// has asks whether a text has a word, in any case and of either width.
func has(column plan.Expr, word string) plan.Expr {
	var out []plan.Expr
	for _, spelled := range widths(word) {
		out = append(out, &plan.Match{X: column, Pattern: text(spelled)})
	}
	return plan.AnyOf(out...)
}

// large reports whether the model has so many records that the names have an index for searches.
func (g *graph) large() bool {
	name := g.model.Field(catalog.Name)
	return name != nil && marked(name)
}

// indexed is a text with an index for searches that has what a code has: the code itself, or a name that is made of the number. Nil: none.
func (g *graph) indexed(code node) plan.Expr {
	if marked(code.field) {
		return code.columns()[0]
	}
	if name, err := g.resolve(catalog.Name); err == nil && plan.IsTrue(name.guard) && g.large() && g.model.Digests(code.field) {
		return name.column(catalog.Name)
	}
	return nil
}

// shownText is the column of a text other than the name that records are shown as.
func (f *finding) shownText() (plan.Expr, bool) {
	column := f.shown.columns()[0]
	return column, f.display.Code != catalog.Name && column.Kind() == plan.Text
}

// spelled are the records that have the characters of a word.
func (f *finding) spelled(word string) plan.Expr {
	var out []plan.Expr
	if n, err := f.g.resolve(catalog.Name); err == nil {
		out = append(out, &plan.Match{X: n.column(catalog.Name), Pattern: text(word)})
	}
	if column, ok := f.shownText(); ok {
		out = append(out, &plan.Match{X: column, Pattern: text(word)})
	}
	return plan.AnyOf(append(out, f.numbered(word)...)...)
}

// numbered are those with a word in a number or code, where that is searched as names are.
func (f *finding) numbered(word string) (out []plan.Expr) {
	for _, code := range f.codes {
		if marked(code.field) || !f.g.large() {
			out = append(out, has(code.columns()[0], word))
		}
	}
	return out
}

// part are the records that have a word, spelled or by its sound.
func (f *finding) part(word string, wide bool) (plan.Expr, error) {
	out := []plan.Expr{f.spelled(word)}
	if _, err := f.g.resolve(catalog.Name); err == nil {
		e, err := f.g.keyword(word)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	if wide && len(f.g.searched()) > 0 {
		e, err := f.g.lookWord(word)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return plan.AnyOf(out...), nil
}

// foundRecord is a record that a text found.
type foundRecord struct {
	id    string
	name  string // as it is shown
	named finder.Named
	fit   finder.Fit
	more  []any // what else was asked of it
}

// records reads a page of what the text finds among the records that where holds for, the best first; more are columns that are read too.
func (f *finding) records(ctx context.Context, tx *store.Tx, where plan.Expr, order []plan.Order, look property.TextContext, skip, size int, more ...plan.Expr) ([]foundRecord, error) {
	var out []foundRecord
	var before []plan.Expr
	for i, stage := range f.stages {
		if plan.IsFalse(stage) {
			continue
		}
		q := &plan.Query{Model: f.g.model.Code, Where: plan.AllOf(where, stage, plan.Negate(plan.AnyOf(before...))), Order: order, Joins: f.g.joins}
		if skip > 0 && i < len(f.stages)-1 {
			n, err := tx.Count(ctx, f.g.view.Catalog, q)
			if err != nil {
				return nil, err
			}
			if int(n) <= skip {
				skip, before = skip-int(n), append(before, stage)
				continue
			}
		}
		q.Limit, q.Offset = size-len(out), skip
		found, err := f.read(ctx, tx, q, look, more)
		if err != nil {
			return nil, err
		}
		out, skip, before = append(out, found...), 0, append(before, stage)
		if len(out) >= size {
			break
		}
	}
	byFit(out)
	return out, nil
}

// byFit puts the best records first and leaves the order of those that fit alike.
func byFit(found []foundRecord) {
	slices.SortStableFunc(found, func(a, b foundRecord) int { return cmp.Compare(a.fit, b.fit) })
}

func (f *finding) read(ctx context.Context, tx *store.Tx, q *plan.Query, look property.TextContext, more []plan.Expr) (out []foundRecord, err error) {
	shown := f.shown.columns()
	q.Select = append([]plan.Expr{&plan.Field{Column: catalog.ID, K: plan.ID}}, shown...)
	name := -1
	if n, err := f.g.resolve(catalog.Name); err == nil && f.display.Code != catalog.Name {
		name = len(q.Select)
		q.Select = append(q.Select, n.column(catalog.Name))
	}
	codes := len(q.Select)
	for _, c := range f.codes {
		q.Select = append(q.Select, c.columns()[0])
	}
	rest := len(q.Select)
	q.Select = append(q.Select, more...)
	return out, tx.Query(ctx, f.g.view.Catalog, q, func(row []any) error {
		one := foundRecord{more: slices.Clone(row[rest:])}
		for i, v := range one.more {
			if set, ok := v.([]string); ok { // the store uses its memory again
				one.more[i] = slices.Clone(set)
			}
		}
		one.id, _ = row[0].(string)
		if v := f.display.Property.Load(slices.Clone(row[1 : 1+len(shown)])); v != nil {
			one.name = f.display.Property.Text(v, look)
		}
		s := finder.Subject{Names: []string{one.name}, Person: f.g.model.Code == directory.User}
		if name >= 0 {
			if text, _ := row[name].(string); text != "" {
				s.Names = append(s.Names, text)
			}
		}
		for _, v := range row[codes:rest] {
			if code, _ := v.(string); code != "" {
				s.Codes = append(s.Codes, code)
			}
		}
		one.fit = f.text.Fit(s)
		one.named = f.text.Named(one.fit)
		out = append(out, one)
		return nil
	})
}

// choiceEntries are records as pickers show them: those that are called the same with what tells them apart.
func (r *Reader) choiceEntries(ctx context.Context, tx *store.Tx, view *authz.View, f *finding, found []foundRecord) ([]Entry, error) {
	out := make([]Entry, 0, len(found))
	called := map[string][]string{}
	for _, one := range found {
		called[finder.Plain(one.name)] = append(called[finder.Plain(one.name)], one.id)
	}
	var twins []string
	for _, ids := range called {
		if len(ids) > 1 {
			twins = append(twins, ids...)
		}
	}
	apart, err := r.apart(ctx, tx, view, f, twins)
	if err != nil {
		return nil, err
	}
	for _, one := range found {
		out = append(out, Entry{ID: one.id, Name: one.name, Detail: orNull(apart[one.id]), Named: string(one.named), Leaf: true})
	}
	return out, nil
}
