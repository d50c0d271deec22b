package store

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// maxList bounds the constants of one set: a department tree of a large organisation fits, an attack does not.
const maxList = 20000

// The columns of a link table (docs/formats.md): v is the record, id the value.
const (
	linkRecord = "v"
	linkValue  = "id"
)

// builder writes one statement. Everything that it writes itself comes from the catalog or from this package; values of
// the request become arguments, numbered, so that the parts of a statement can be written in any order. The first error
// sticks and is reported at the end.
type builder struct {
	w       grammar
	c       *catalog.Catalog
	joins   map[string]plan.Expr   // Query.Joins
	grams   map[*plan.Match]bool   // searches that go through the gram index
	hitRows map[*plan.Match]string // what that has found, as the reader knows it
	walk    map[*plan.Field]bool   // sets of which a common value is sought
	driven  bool                   // the rows are found through their hits in gram indexes
	args    []any
	bound   []binding
	alias   int
	err     error

	storage *plan.Storage // for tables whose rows only the engine's own writers fill; c's when nil
	known   *sync.Map     // schemaState.columns; nil when the columns are not remembered
}

// scope is a table that expressions speak of: the model of the query, the rows of a sub-table, or a joined record.
type scope struct {
	*builder
	model *catalog.Model
	name  string // alias
	path  string // prefix of the keys of Query.Joins
	outer *scope
	rows  *catalog.EngineRows // that the table holds; nil for tables of models
	from  []byte              // the joins that expressions asked for
	hops  map[string]hop
}

type hop struct {
	model *catalog.Model
	name  string
}

func (b *builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("store: "+format, args...)
	}
}

// next gives a new alias.
func (b *builder) next(prefix string) string {
	b.alias++
	return prefix + strconv.Itoa(b.alias)
}

// arg binds a value of a kind.
func (b *builder) arg(dst []byte, k plan.Kind, v any) []byte {
	x, err := encodeArg(b.w, k, v)
	if err != nil {
		b.fail("%w", err)
		return dst
	}
	return b.bind(dst, k, x)
}

// encodeArg gives a value the database's form.
func encodeArg(w grammar, k plan.Kind, v any) (any, error) {
	if s, ok := v.(string); ok && strings.IndexByte(s, 0) >= 0 {
		// No stored text holds U+0000, and PostgreSQL cannot even be asked for one.
		return nil, fmt.Errorf("text with U+0000: %w", ErrValue)
	}
	x, err := w.encode(k, v)
	if err != nil {
		return nil, fmt.Errorf("%s value: %w", k, err)
	}
	return x, nil
}

// bind adds an argument that is in the database's form already.
func (b *builder) bind(dst []byte, k plan.Kind, x any) []byte {
	b.args = append(b.args, x)
	return b.w.param(dst, len(b.args), k)
}

// ErrValue is a value that no stored value can equal and no database can be asked for.
var ErrValue = errors.New("value cannot be compared")

// ident writes a name of the catalog as it is in SQL.
func ident(dst []byte, name string) []byte {
	dst = append(dst, '"')
	for _, c := range []byte(physical(name)) {
		if c == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, c)
	}
	return append(dst, '"')
}

// table writes the quoted table of a model.
func table(dst []byte, m *catalog.Model) []byte { return ident(dst, m.Table) }

// link writes the quoted link table of a set column.
func link(dst []byte, m *catalog.Model, column string) []byte {
	if of := sharedLinks(m, column); of != "" {
		return ident(dst, of)
	}
	return ident(dst, LinkTable(m.Table, column))
}

// sharedLinks is the fixed link table that serves a column of all models; "" = the model has its own. The members are texts, as in all
// fixed tables; the records are what the dialect keeps there.
func sharedLinks(m *catalog.Model, column string) string {
	if f := m.Field(column); f != nil {
		return f.Links
	}
	return ""
}

// column writes alias."column" after checking that the model has it.
func (s *scope) column(dst []byte, m *catalog.Model, alias, name string) []byte {
	if s.rows != nil && m == s.model {
		return s.engineColumn(dst, alias, name)
	}
	if of := sharedLinks(m, name); of != "" {
		return s.w.sharedSet(dst, of, alias)
	}
	if !s.hasColumn(m, name) {
		s.fail("model %s has no column %q", m.Code, name)
		return dst
	}
	dst = append(append(dst, alias...), '.')
	return ident(dst, name)
}

// namePinyin is the engine's own column for searching names by their sounds.
const namePinyin = "name__pinyin"

// hasColumn reports whether a model's table has the column: one of a field's, or one of the engine's own.
func (b *builder) hasColumn(m *catalog.Model, name string) bool {
	_, ok := b.columnNamed(m, name)
	return ok
}

// columnNamed finds a column of a model's table: one of a field's, or one of the engine's own.
func (b *builder) columnNamed(m *catalog.Model, name string) (plan.Column, bool) {
	if c, ok := columnOf(m, name); ok {
		return c, true
	}
	for _, c := range b.tableOf(m) {
		if c.Name == name {
			return c, true
		}
	}
	return plan.Column{}, false
}

// tableOf lists the columns of a model's table as the storage plan has them: sub-tables of opinions have no fields.
func (b *builder) tableOf(m *catalog.Model) []plan.Column {
	s := b.storage
	if s == nil && b.c != nil {
		s = &b.c.Storage
	}
	if s == nil {
		return nil
	}
	for _, t := range s.Tables {
		if t.Name == m.Table {
			return t.Columns
		}
	}
	return nil
}

// columnOf finds a column of a model's table by its exact name.
func columnOf(m *catalog.Model, name string) (plan.Column, bool) {
	code, _, _ := strings.Cut(name, "__")
	if f := m.Field(code); f != nil && f.Property != nil {
		for _, c := range f.Columns() {
			if c.Name == name {
				return c, true
			}
		}
	}
	// A property's code may hold "__" itself.
	if f := m.Field(name); f != nil && f.Property != nil {
		for _, c := range f.Columns() {
			if c.Name == name {
				return c, true
			}
		}
	}
	switch name {
	case catalog.ID:
		return plan.Column{Name: name, Kind: plan.ID, NotNull: true}, true
	case namePinyin:
		spelled, _ := columnOf(m, catalog.Name) // a name and its sound are searched in one way
		return plan.Column{Name: name, Kind: plan.Text, Search: spelled.Search}, m.Parent == nil
	case catalog.SheetParent:
		return plan.Column{Name: name, Kind: plan.ID, NotNull: true}, m.Parent != nil
	case catalog.SheetOrder:
		return plan.Column{Name: name, Kind: plan.Int, NotNull: true}, m.Parent != nil
	}
	return plan.Column{}, false
}

// root makes the scope of a statement's own table.
func (b *builder) root(m *catalog.Model) *scope { return &scope{builder: b, model: m, name: "t"} }

// at finds the scope, model and alias in which a Field is, joining what its path needs.
func (s *scope) at(f *plan.Field) (*scope, *catalog.Model, string) {
	if f.Old {
		s.fail("the record before the change cannot be read by SQL")
		return s, s.model, s.name
	}
	if f.Outer {
		if s.outer != nil {
			inner := *f
			inner.Outer = s.rows != nil && s.outer.model.Parent != nil // a file in a row: the record is one further up
			return s.outer.at(&inner)
		}
		if s.model.Parent == nil {
			s.fail("model %s has no record above it", s.model.Code)
			return s, s.model, s.name
		}
		m, name := s.above()
		return s.follow(m, name, "^", f.Path)
	}
	return s.follow(s.model, s.name, "", f.Path)
}

// above joins the parent record of a sub-table row.
func (s *scope) above() (*catalog.Model, string) {
	if h, ok := s.hops["^"]; ok {
		return h.model, h.name
	}
	h := hop{model: s.model.Parent, name: s.next("p")}
	s.remember("^", h)
	s.from = append(s.from, " JOIN "...)
	s.from = append(table(s.from, h.model), " AS "+h.name+" ON "+h.name+`."id" = `+s.name+`."parentId"`...)
	return h.model, h.name
}

func (s *scope) remember(key string, h hop) {
	if s.hops == nil {
		s.hops = map[string]hop{}
	}
	s.hops[key] = h
}

// follow joins the relations of a path. Each join carries the rights of its target: a row that the caller may not see
// is not joined, so all that lies behind it is empty.
func (s *scope) follow(m *catalog.Model, name, key string, path []string) (*scope, *catalog.Model, string) {
	for _, step := range path {
		if key != "" {
			key += "."
		}
		key += step
		h, ok := s.hops[key]
		if !ok {
			f := m.Field(step)
			if f == nil || f.Target == nil || f.Property == nil || f.Multiple || len(f.Property.Columns()) == 0 {
				s.fail("model %s has no relation %q to follow", m.Code, step)
				return s, m, name
			}
			h = hop{model: f.Target, name: s.next("j")}
			s.remember(key, h)
			s.join(h, name, f.Property.Columns()[0].Name, s.joins[s.path+key])
		}
		m, name = h.model, h.name
	}
	return s, m, name
}

func (s *scope) join(h hop, from, column string, rights plan.Expr) {
	var on []byte
	on = append(on, " LEFT JOIN "...)
	on = append(table(on, h.model), " AS "+h.name+" ON "+h.name+`."id" = `+from+"."...)
	on = ident(on, column)
	if rights != nil && !plan.IsTrue(rights) {
		on = append(on, " AND "...)
		on = s.within(on, h.model, h.name, rights)
	}
	s.from = append(s.from, on...)
}

// within writes a condition on a row that is under alias name already. A condition that follows relations itself
// gets a scope of its own.
func (s *scope) within(dst []byte, m *catalog.Model, name string, e plan.Expr) []byte {
	if !follows(e) {
		in := &scope{builder: s.builder, model: m, name: name, path: "\x00"}
		return in.cond(dst, e, true)
	}
	in := &scope{builder: s.builder, model: m, name: s.next("w"), path: "\x00"}
	where := in.cond(nil, e, true)
	dst = append(dst, "EXISTS (SELECT 1 FROM "...)
	dst = append(table(dst, m), " AS "+in.name...)
	dst = append(dst, in.from...)
	dst = append(dst, " WHERE "+in.name+`."id" = `+name+`."id" AND `...)
	return append(append(dst, where...), ')')
}

// follows reports whether an expression needs joins.
func follows(e plan.Expr) bool {
	found := false
	plan.Walk(e, func(x plan.Expr) {
		if f, ok := x.(*plan.Field); ok && (len(f.Path) > 0 || f.Outer) {
			found = true
		}
	})
	return found
}
