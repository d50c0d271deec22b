package query

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// MaxSearchSize bounds the records of one model that a search answers.
const MaxSearchSize = 20

// searchTime bounds a search: the time of one model, the time of all, and how many models are searched.
type searchTime struct {
	each, all time.Duration
	models    int
}

// Typing has to be answered at once; who waits for a page of results has more patience.
var (
	typingTime   = searchTime{each: 400 * time.Millisecond, all: 2 * time.Second, models: 200}
	thoroughTime = searchTime{each: 4 * time.Second, all: 12 * time.Second, models: 1000}
)

// SearchRequest asks for the records of all models that a text finds.
type SearchRequest struct {
	Keyword  string
	Size     int  // records of one model
	Thorough bool // with more time for each model
}

// SearchResult is what a text finds (api.yaml SearchResult). Left are models that were not searched to the end.
type SearchResult struct {
	Groups []SearchGroup `json:"groups"`
	Left   []SearchModel `json:"left"`
}

// SearchModel is a model that the caller may list, with the application and the list that lead to it; AppCode is "" where no application does.
type SearchModel struct {
	SchemaCode string            `json:"schemaCode"`
	QueryCode  string            `json:"queryCode"`
	AppCode    string            `json:"appCode"`
	Name       string            `json:"name"`
	NameI18n   map[string]string `json:"name_i18n"`
	Searchable bool              `json:"searchable"` // its list takes a keyword
}

// SearchGroup are the best records of a model. Begins: of a text of one character only names that begin with it were looked for.
type SearchGroup struct {
	SearchModel
	Content []SearchRecord `json:"content"`
	More    bool           `json:"more"`
	Begins  bool           `json:"begins"`
}

// SearchRecord is a record that was found, as far as the caller may read it.
type SearchRecord struct {
	ID     string     `json:"id"`
	Name   string     `json:"name"`
	Number *string    `json:"number"`
	Detail *string    `json:"detail"` // of records of one name: what tells them apart
	Time   *time.Time `json:"createdTime"`
	Named  string     `json:"named,omitempty"` // as of an Entry
	fit    finder.Fit
}

// Search finds records of all models that the caller may list by their names, numbers and texts that no two records share. Groups are in the
// order of their best record, records of a model the best first, and the newest of those that fit alike. Each model is read as its lists
// read it, with a time of its own; one that takes longer is told in Left.
func (r *Reader) Search(ctx context.Context, view *authz.View, req SearchRequest) (*SearchResult, error) {
	if utf8.RuneCountInString(req.Keyword) > maxKeyword {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	out := &SearchResult{Groups: []SearchGroup{}, Left: []SearchModel{}}
	text := finder.Typed(req.Keyword)
	if text.Empty() {
		return out, nil
	}
	leave, err := r.lane.enter(ctx, view.User())
	if err != nil {
		return nil, err
	}
	defer leave()
	limit := typingTime
	if req.Thorough {
		limit = thoroughTime
	}
	if r.limits != nil {
		limit = *r.limits
	}
	all, cancel := context.WithTimeout(ctx, limit.all)
	defer cancel()
	for n, s := range searchable(view) {
		if n >= limit.models || all.Err() != nil {
			out.Left = append(out.Left, s.SearchModel)
			continue
		}
		group, err := r.searchModel(all, view, s, req, limit.each)
		switch {
		case err == nil && len(group.Content) > 0:
			out.Groups = append(out.Groups, *group)
		case err == nil:
		case ctx.Err() == nil && errors.Is(err, errLate):
			out.Left = append(out.Left, s.SearchModel)
		default:
			return nil, err
		}
	}
	slices.SortStableFunc(out.Groups, func(a, b SearchGroup) int {
		return cmp.Or(cmp.Compare(a.Content[0].fit, b.Content[0].fit), -strings.Compare(a.Content[0].ID, b.Content[0].ID))
	})
	return out, ctx.Err()
}

// errLate ends the search of a model whose time is over.
var errLate = errors.New("the time of a model is over")

// searchedModel is a model of a search: of its records are found those that one of its lists shows.
type searchedModel struct {
	SearchModel
	model *catalog.Model
	lists []*catalog.List
}

// searchable are the models that the principal may list, and that an application leads to which they may open.
func searchable(view *authz.View) (out []searchedModel) {
	ways := searchWays(view)
	for _, m := range view.Models {
		if m.Parent != nil || !view.Can(m, "view") || plan.IsFalse(view.Rows(m)) {
			continue
		}
		lists := view.ListsOf(m.Code)
		app, open := ways.to(m)
		if len(lists) == 0 || !open {
			continue
		}
		first := lists[0]
		if whole := slices.IndexFunc(lists, func(l *catalog.List) bool { return l.Condition == nil }); whole >= 0 {
			first = lists[whole]
		}
		label := m.PluralLabel()
		out = append(out, searchedModel{model: m, lists: lists, SearchModel: SearchModel{SchemaCode: m.Code, QueryCode: first.Code, AppCode: app,
			Name: label.Zh, NameI18n: i18n(label), Searchable: len(newGraph(view, m).searched()) > 0}})
	}
	return out
}

// waysTo are the applications that lead to models: by their menus, or because their packs are the same.
type waysTo struct {
	menus, packs map[string][]string // codes of applications, by the lower-case code of the model or pack
	open         map[string]bool     // that the principal may open
}

func searchWays(view *authz.View) waysTo {
	w := waysTo{menus: map[string][]string{}, packs: map[string][]string{}, open: map[string]bool{}}
	for _, a := range view.Apps {
		w.open[a.Code] = !a.Disabled && view.Opens(a.Code)
		pack := strings.ToLower(a.Pack)
		w.packs[pack] = append(w.packs[pack], a.Code)
		w.addMenu(a.Code, a.Menu)
	}
	return w
}

func (w waysTo) addMenu(app string, entries []*catalog.Menu) {
	for _, e := range entries {
		if e.Type == "BizModel" && !e.Hidden && !e.Draft {
			code := strings.ToLower(e.SchemaCode)
			w.menus[code] = append(w.menus[code], app)
		}
		w.addMenu(app, e.Children)
	}
}

// to is the first application that leads to a model and that the principal may open, "" where none leads there. Open is false where
// applications do and the principal may open none of them.
func (w waysTo) to(m *catalog.Model) (app string, open bool) {
	apps := w.menus[strings.ToLower(m.Code)]
	if len(apps) == 0 {
		apps = w.packs[strings.ToLower(m.Pack)]
	}
	for _, code := range apps {
		if w.open[code] {
			return code, true
		}
	}
	return "", len(apps) == 0
}

// searchModel finds the best records of a model within a time.
func (r *Reader) searchModel(ctx context.Context, view *authz.View, s searchedModel, req SearchRequest, within time.Duration) (*SearchGroup, error) {
	out := &SearchGroup{SearchModel: s.SearchModel}
	g := newGraph(view, s.model)
	display := g.shownAs()
	if display == nil {
		return out, nil
	}
	f, err := g.findingBy(req.Keyword, display, g.quickFields(display, req.Keyword), false)
	if err != nil {
		return nil, err
	}
	out.Begins = f.beginsOnly()
	where := plan.AllOf(rule(view.Rows(s.model)), listed(g, s.lists))
	if plan.IsFalse(where) {
		return out, nil
	}
	var more plan.Query
	number, created := g.also(&more, catalog.SequenceNo), g.also(&more, catalog.CreatedTime)
	newest := []plan.Order{{By: &plan.Field{Column: catalog.ID, K: plan.ID}, Descending: true}}
	look := property.TextContext{Locale: view.Principal().Locale, Zone: r.zone, Names: r.people.Names(ctx)}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		found, err := f.best(ctx, tx, where, newest, look, req.Size+1, more.Select...)
		if err != nil {
			return err
		}
		if out.More = len(found) > req.Size; out.More {
			found = found[:req.Size]
		}
		entries, err := r.choiceEntries(ctx, tx, view, f, found)
		for i, e := range entries {
			one := SearchRecord{ID: e.ID, Name: e.Name, Detail: e.Detail, Named: e.Named, fit: found[i].fit}
			one.Number, _ = number.of(found[i].more).(*string)
			one.Time, _ = created.of(found[i].more).(*time.Time)
			out.Content = append(out.Content, one)
		}
		return err
	})
	if err != nil && ctx.Err() != nil { // drivers call it by names of their own
		err = errors.Join(errLate, err)
	}
	return out, err
}

// listed are the records that one of some lists of a model shows.
func listed(g *graph, lists []*catalog.List) plan.Expr {
	var shown []plan.Expr
	for _, l := range lists {
		if l.Condition == nil {
			return plan.True
		}
		shown = append(shown, g.restrict(l.Condition))
	}
	return plan.AnyOf(shown...)
}

// shownAs is what records of the model are called: by their names, or by their numbers where names may not be read; nil = by nothing.
func (g *graph) shownAs() *catalog.Field {
	for _, code := range []string{catalog.Name, catalog.SequenceNo} {
		if f := g.model.Field(code); f != nil {
			if _, err := g.resolve(code); err == nil {
				return f
			}
		}
	}
	return nil
}

// alsoRead is a property that is read beside what finds the records; a zero one may not be read.
type alsoRead struct {
	field *catalog.Field
	at    int
	width int
}

func (g *graph) also(q *plan.Query, code string) alsoRead {
	n, err := g.resolve(code)
	if err != nil {
		return alsoRead{}
	}
	columns := n.columns()
	q.Select = append(q.Select, columns...)
	return alsoRead{field: n.field, at: len(q.Select) - len(columns), width: len(columns)}
}

// of is the value as a pointer: *string of texts, *time.Time of times; nil where it is empty.
func (a alsoRead) of(row []any) any {
	if a.field == nil {
		return nil
	}
	switch v := a.field.Property.Load(slices.Clone(row[a.at : a.at+a.width])).(type) {
	case string:
		return &v
	case time.Time:
		return &v
	}
	return nil
}

// beginsOnly leaves of the questions those that an index answers, where the text has no word of two characters and the model is large: what
// merely contains one character would be looked for in every record. It reports whether it did.
func (f *finding) beginsOnly() bool {
	if !f.g.large() || f.text.Longest() > 1 {
		return false
	}
	f.stages = f.stages[:3]
	f.wanted = plan.AnyOf(f.stages[1:]...)
	return true
}

// best reads the best of the records that the text finds and where holds for. Most models have few of them: those are read by one question.
func (f *finding) best(ctx context.Context, tx *store.Tx, where plan.Expr, order []plan.Order, look property.TextContext, size int, more ...plan.Expr) ([]foundRecord, error) {
	var all []foundRecord
	for _, e := range []plan.Expr{f.coded, plan.AllOf(f.wanted, plan.Negate(f.coded))} {
		if plan.IsFalse(e) {
			continue
		}
		q := &plan.Query{Model: f.g.model.Code, Where: plan.AllOf(where, e), Order: order, Joins: f.g.joins, Limit: size - len(all)}
		found, err := f.read(ctx, tx, q, look, more)
		if err != nil {
			return nil, err
		}
		if all = append(all, found...); len(all) == size {
			return f.records(ctx, tx, where, order, look, 0, size, more...)
		}
	}
	byFit(all)
	return all, nil
}

// quickFields are the fields that name records without those that no index of a large model leads to: numbers that authors have not shaped, where
// the text is none of them.
func (g *graph) quickFields(display *catalog.Field, keyword string) []*catalog.Field {
	return slices.DeleteFunc(MatchFields(g.view, g.model, display), func(f *catalog.Field) bool {
		n, err := g.resolve(f.Code)
		return err == nil && f != display && g.unled(n) && !numberOf(g.model.Sequence, strings.TrimSpace(keyword))
	})
}

// unled reports whether a code is a number to which no index of a large model leads: all records are read for it.
func (g *graph) unled(n node) bool {
	return n.field.Code == catalog.SequenceNo && g.large() && g.indexed(n) == nil
}

// numberOf reports whether a text may be a number of a sequence.
func numberOf(s catalog.Sequence, text string) bool {
	digits, ok := strings.CutPrefix(text, s.Prefix)
	return ok && len(digits) >= len(s.Date)+s.Length && !strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
}
