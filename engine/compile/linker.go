package compile

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/engine/source"
)

// linker is what a registered kind sees of the compiler.
type linker struct {
	c *compiler
	k kind.Kind
}

var _ kind.Linker = linker{}

func (l linker) Report(code string, at *source.Node, args ...any) {
	l.c.out = append(l.c.out, l.problem(code, at, args))
}

func (l linker) ReportIn(code string, at *source.Node, offset int, args ...any) {
	d := l.problem(code, at, args)
	d.Position = at.PosInText(offset)
	l.c.out = append(l.c.out, d)
}

func (l linker) Suggest(code string, at *source.Node, word string, candidates []string, args ...any) {
	l.c.out = append(l.c.out, l.problem(code, at, append([]any{word}, args...)).Suggest(word, candidates))
}

func (l linker) During(part func()) diag.List {
	from := len(l.c.out)
	part()
	return slices.Clone(l.c.out[from:])
}

func (l linker) problem(code string, at *source.Node, args []any) diag.Diagnostic {
	if m, own := l.k.Messages[code]; own {
		return m.New(code, at.Pos(), args...).At(at.Pointer())
	}
	return problem(code, at, args...)
}

func (l linker) Label(at *source.Node, named def.Named, fallback string) plan.Label {
	return l.c.label(at, named, fallback)
}

func (l linker) note(x codesOf, k names.Kind, at *source.Node) {
	l.c.note(k, x.declared(at.Text()), at.Text(), source.In(at), false)
}

func (l linker) Refers(k names.Kind, path string, at source.Place) {
	l.c.note(k, path, at.Text(), at, false)
}

// unknown reports a code that no document of a kind has.
func (l linker) Chosen(f *catalog.Field, at *source.Node) { l.c.noteChosen(f, at) }

func (l linker) unknown(k kind.Kind, at *source.Node, codes []string) {
	l.Suggest("KIND002", at, at.Text(), codes, k.Label)
}

func (l linker) Model(at *source.Node) *catalog.Model {
	m, known := l.c.models.get(at.Text())
	l.note(&l.c.models, names.Model, at)
	if !known && at.Text() != "" {
		l.unknown(modelKind.Kind, at, l.c.models.codes)
	}
	if m == nil {
		return nil
	}
	return m.Model
}

func (l linker) List(at *source.Node) *catalog.List {
	v, known := l.c.lists.get(at.Text())
	l.note(&l.c.lists, names.List, at)
	if !known && at.Text() != "" {
		l.unknown(listKind.Kind, at, l.c.lists.codes)
	}
	if v == nil {
		return nil
	}
	return v.List
}

func (l linker) Form(at *source.Node) *catalog.Form {
	v, known := l.c.forms.get(at.Text())
	l.note(&l.c.forms, names.Form, at)
	if !known && at.Text() != "" {
		l.unknown(formKind.Kind, at, l.c.forms.codes)
	}
	if v == nil {
		return nil
	}
	return v.Form
}

func (l linker) Exists(k def.Kind, at *source.Node) bool {
	for _, s := range l.c.stages {
		if s.Code != k || s.names == nil {
			continue
		}
		found := s.names(l.c)
		l.note(found, names.Kind(k), at)
		if at.Text() != "" && !found.has(at.Text()) {
			l.unknown(s.Kind, at, found.words())
			return false
		}
		return at.Text() != ""
	}
	l.Report("KIND003", at, k)
	return false
}

func (l linker) Find(k def.Kind, code string) (def.Document, bool) {
	if x := l.c.documents[k]; x != nil {
		d, known := x.get(code)
		if d == nil {
			return nil, known
		}
		return d.def, true
	}
	for _, s := range l.c.stages {
		if s.Code == k && s.names != nil {
			return nil, s.names(l.c).has(code)
		}
	}
	return nil, false
}

func (l linker) Now(k def.Kind, code string) string {
	now, _ := l.c.then.Document(names.Kind(k), code)
	return now
}

func (l linker) NowPart(k names.Kind, code string) string { return l.c.nowPart(k, code) }

func (l linker) Codes(k def.Kind) []string {
	for _, s := range l.c.stages {
		if s.Code == k && s.names != nil {
			return s.names(l.c).words()
		}
	}
	return nil
}

func (l linker) Forms(m *catalog.Model) []*catalog.Form {
	if m == nil {
		return nil
	}
	return l.c.cat.FormsOf(m.Code)
}

func (l linker) Linked(address string) bool {
	return !strings.HasPrefix(address, "/") && l.c.allowed(address)
}

func (l linker) Services() []string { return l.c.set.Services.Names() }

func (l linker) Rules() []string { return l.c.set.Rules.Names() }

func (l linker) Action(at *source.Node) bool {
	_, known := l.c.set.Actions.Get(at.Text())
	if !known && at.Text() != "" {
		l.Suggest("KIND006", at, at.Text(), l.c.set.Actions.Names())
	}
	return known
}

// modelOf is the compiler's state of a model; nil for nil.
func (l linker) modelOf(m *catalog.Model) *model {
	if m == nil {
		return nil
	}
	return l.c.of[m]
}

func (l linker) Path(m *catalog.Model, at *source.Node) (catalog.Path, bool) {
	of := l.modelOf(m)
	if of == nil {
		return catalog.Path{}, false
	}
	return l.c.path(of, at.Text(), source.In(at), "KIND004")
}

func (l linker) PathOf(m *catalog.Model, text string, at source.Place, code string) (catalog.Path, bool) {
	of := l.modelOf(m)
	if of == nil {
		return catalog.Path{}, false
	}
	return l.c.pathOr(of, text, at, func(candidates []string, in string) { l.Suggest(code, at.Node, text, candidates, in) })
}

func (l linker) Condition(m *catalog.Model, at *source.Node) plan.Expr {
	of := l.modelOf(m)
	if of == nil {
		return nil
	}
	return l.c.condition(at, at.Text(), l.c.env(of, envSQL), "KIND005")
}

func (l linker) ConditionIn(m *catalog.Model, at *source.Node, text string) plan.Expr {
	of := l.modelOf(m)
	if of == nil {
		return nil
	}
	return l.c.condition(at, text, l.c.env(of, envSQL), "KIND005")
}

func (l linker) Formula(m *catalog.Model, at *source.Node, want plan.Kind) plan.Expr {
	of := l.modelOf(m)
	if of == nil {
		return nil
	}
	return l.c.formula(at, at.Text(), l.c.env(of, l.c.envModels), want)
}

func (l linker) FormulaWith(m *catalog.Model, at *source.Node, want plan.Kind, vars map[string]plan.Kind) plan.Expr {
	of := l.modelOf(m)
	if of == nil {
		return nil
	}
	return l.c.formula(at, at.Text(), l.c.env(of, l.c.envModels, func(e *expression.Env) { e.Vars, e.Organization = vars, true }), want)
}

func (l linker) FormulaFor(m *catalog.Model, at *source.Node, f *catalog.Field, vars map[string]plan.Kind) plan.Expr {
	of := l.modelOf(m)
	if of == nil {
		return nil
	}
	with := func(e *expression.Env) { e.Vars, e.Organization, e.Options = vars, true, l.c.optionsOf(f) }
	return l.c.formula(at, at.Text(), l.c.env(of, l.c.envModels, with), f.Property.Kind())
}

func (l linker) Value(f *catalog.Field, at *source.Node) (any, error) {
	l.c.noteChosen(f, at)
	v := at.Any()
	now := l.c.optionsOf(f).Now
	if now == nil {
		return f.Property.Parse(v)
	}
	switch x := v.(type) {
	case string:
		v = now(x)
	case []any:
		for i, one := range x {
			if code, ok := one.(string); ok {
				x[i] = now(code)
			}
		}
	}
	return f.Property.Parse(v)
}

func (l linker) OfPerson(at *source.Node) plan.Expr {
	return l.c.formula(at, at.Text(), expression.Env{Zone: l.c.options.Zone, Function: l.c.set.Functions.Get, Functions: l.c.set.Functions.Names}, plan.Bool)
}

func (l linker) Script(f *def.File, page script.Kind) *catalog.File {
	if f == nil || f.Err != nil { // which linkDocument tells
		return nil
	}
	return l.c.served(f.Text, script.Check(f.Name, f.Text, page))
}
