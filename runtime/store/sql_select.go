package store

import (
	"math"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// deepOffset is the offset from which a page fetches ids inside the index first and the rows of the page alone then.
const deepOffset = 1000

// SQL is the statement that Query runs first, for explain and goldens: a page by cursor may need a second one for rows
// that are empty in the first sort key.
func SQL(dialect string, c *catalog.Catalog, q *plan.Query) (string, []any, error) {
	w, err := grammarOf(dialect)
	if err != nil {
		return "", nil, err
	}
	r, err := newReader(w, c, q)
	if err != nil {
		return "", nil, err
	}
	return r.page(0, q.Limit)
}

// reader writes the statements of one query.
type reader struct {
	w     grammar
	c     *catalog.Catalog
	q     *plan.Query
	model *catalog.Model
	keys  []plan.Order // q.Order with id at the end; turned round for Before
	seek  []any        // values of keys; nil = from the start
	bound []binding    // of the statement of a page that was written last
	grams map[*plan.Match]bool
	rows  map[*plan.Match]string // of those, the numbers of the rows that have all grams, where they are known
	walk  map[*plan.Field]bool
}

func newReader(w grammar, c *catalog.Catalog, q *plan.Query) (*reader, error) {
	b := &builder{}
	m := c.Model(q.Model)
	if m == nil {
		b.fail("no model %q", q.Model)
		return nil, b.err
	}
	r := &reader{w: w, c: c, q: q, model: m, keys: Keys(q), seek: q.After}
	if q.Before != nil {
		r.seek = q.Before
		for i := range r.keys {
			r.keys[i].Descending = !r.keys[i].Descending
		}
	}
	if len(r.seek) != 0 && len(r.seek) != len(r.keys) {
		b.fail("cursor with %d values for %d sort keys", len(r.seek), len(r.keys))
	}
	return r, b.err
}

// Keys is the complete order of a query: its own, and id last. The values of After and Before belong to these keys. What
// follows id has no weight and is left out.
func Keys(q *plan.Query) []plan.Order {
	keys := make([]plan.Order, 0, len(q.Order)+1)
	for _, o := range q.Order {
		keys = append(keys, o)
		if isID(o.By) {
			return keys
		}
	}
	return append(keys, plan.Order{By: &plan.Field{Column: catalog.ID, K: plan.ID}})
}

func isID(e plan.Expr) bool {
	f, ok := e.(*plan.Field)
	return ok && f.Column == catalog.ID && len(f.Path) == 0 && !f.Outer
}

func (r *reader) builder() *builder {
	return &builder{w: r.w, c: r.c, joins: r.q.Joins, grams: r.grams, hitRows: r.rows, walk: r.walk, driven: r.driven(r.q.Where)}
}

// driven reports whether the hits of gram indexes hold all rows of a condition.
func (r *reader) driven(e plan.Expr) bool {
	switch x := e.(type) {
	case *plan.And:
		return slices.ContainsFunc(x.Of, r.driven)
	case *plan.Or:
		return len(x.Of) > 0 && !slices.ContainsFunc(x.Of, func(p plan.Expr) bool { return !r.driven(p) })
	case *plan.Guarded:
		return r.driven(x.X)
	case *plan.Match:
		return r.grams[x]
	}
	return false
}

// segments tells how many statements a page may take.
func (r *reader) segments() int {
	if len(r.seek) == 0 {
		return 1
	}
	// Rows on the other side of the border between empty and not empty are a range of the index of their own.
	if (r.seek[0] == nil) != r.keys[0].Descending && !isID(r.keys[0].By) {
		return 2
	}
	return 1
}

// page writes a segment's statement.
func (r *reader) page(segment, limit int) (string, []any, error) {
	b := r.builder()
	defer func() { r.bound = b.bound }()
	t := b.root(r.model)
	if r.q.Top > 0 {
		return r.tops(b, t)
	}
	columns := []byte("SELECT ")
	for i, e := range r.q.Select {
		if i > 0 {
			columns = append(columns, ", "...)
		}
		columns = t.value(columns, e)
	}
	if len(r.q.Select) == 0 {
		columns = append(columns, '1')
	}
	if r.q.Offset > deepOffset && r.seek == nil {
		return r.deep(b, t, columns, limit)
	}
	where := t.cond(nil, r.where(segment), true)
	if len(r.seek) > 0 {
		if string(where) == "TRUE" {
			where = where[:0]
		} else {
			where = append(where, " AND "...)
		}
		where = t.after(where, borders(r.keys, r.seek), segment)
	}
	order := t.order(nil, r.keys)
	out := t.statement(columns, where)
	out = append(out, order...)
	if r.q.Offset > 0 && r.seek == nil {
		return string(b.offset(out, limit, r.q.Offset)), b.args, b.err
	}
	return string(limits(out, limit)), b.args, b.err
}

// tops writes the first rows of each group: the database numbers and counts them where they lie.
func (r *reader) tops(b *builder, t *scope) (string, []any, error) {
	if len(r.q.Select) == 0 || r.q.Limit > 0 || r.q.Offset > 0 || r.seek != nil {
		b.fail("the first rows of each group are asked for with a page")
		return "", nil, b.err
	}
	inner, outer := []byte("SELECT "), []byte("SELECT ")
	for i, e := range r.q.Select {
		name := strconv.AppendInt([]byte(`"c`), int64(i), 10)
		inner = append(append(append(t.value(inner, e), " AS "...), name...), `", `...)
		outer = append(append(outer, name...), `", `...)
	}
	group := t.value([]byte("PARTITION BY "), r.q.Select[0])
	inner = append(append(append(inner, "row_number() OVER ("...), group...), t.order(nil, r.keys)...)
	inner = append(append(append(inner, `) AS "n", count(*) OVER (`...), group...), `) AS "total"`...)
	inner = t.statement(inner, t.cond(nil, r.q.Where, true))
	out := append(append(append(outer, `"total" FROM (`...), inner...), `) AS w WHERE "n" <= `...)
	out = append(b.arg(out, plan.Int, int64(r.q.Top)), ` ORDER BY "c0", "n"`...)
	return string(out), b.args, b.err
}

// deep is a page far behind: the skipped rows are only counted in the index.
func (r *reader) deep(b *builder, t *scope, columns []byte, limit int) (string, []any, error) {
	in := b.root(r.model)
	in.name = "s"
	where := in.cond(nil, r.q.Where, true)
	order := in.order(nil, r.keys)
	ids := in.statement([]byte(`SELECT s."id"`), where)
	ids = append(ids, order...)
	ids = b.offset(ids, limit, r.q.Offset)

	b.driven = false // from here on rows are found by their ids
	order = t.order(nil, r.keys)
	outer := append([]byte(`t."id" IN (`), ids...)
	out := t.statement(columns, append(outer, ')'))
	return string(append(out, order...)), b.args, b.err
}

// statement puts columns, table, joins and condition together.
func (s *scope) statement(columns, where []byte) []byte {
	out := append(columns, " FROM "...)
	out = append(table(out, s.model), " AS "+s.name...)
	if s.driven {
		out = append(out, s.w.byHits()...)
	}
	out = append(out, s.from...)
	if string(where) != "TRUE" {
		out = append(append(out, " WHERE "...), where...)
	}
	return out
}

func limits(dst []byte, limit int) []byte {
	if limit <= 0 {
		return dst
	}
	return strconv.AppendInt(append(dst, " LIMIT "...), int64(limit), 10)
}

// offset writes limit and offset; SQLite knows no offset without a limit.
func (b *builder) offset(dst []byte, limit, n int) []byte {
	if limit <= 0 {
		limit = math.MaxInt64
	}
	return b.pageArg(append(limits(dst, limit), " OFFSET "...), plan.Int, int64(n), offsetArg)
}

func (s *scope) order(dst []byte, keys []plan.Order) []byte {
	dst = append(dst, " ORDER BY "...)
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = s.value(dst, k.By)
		if k.By.Kind() == plan.Text && !isField(k.By) {
			dst = append(dst, s.w.collate()...)
		}
		switch {
		case i > 0 || !isID(k.By):
			dst = append(dst, s.w.nulls(k.Descending)...)
		case k.Descending: // the primary key's own order serves both ways
			dst = append(dst, " DESC"...)
		}
	}
	return dst
}

// after writes the rows that follow the cursor, of one segment. The first segment begins at the cursor and ends at the
// border between empty and not empty values of the first key, if that border is still ahead; the second lies behind it.
func (s *scope) after(dst []byte, keys []border, segment int) []byte {
	k := s.value(append([]byte(nil), '('), keys[0].By)
	k = append(k, ')')
	if segment == 1 {
		return nullness(dst, k, keys[0].Descending)
	}
	if keys[0].value == nil {
		if len(keys) == 1 {
			return constant(dst, false)
		}
		dst = append(append(append(dst, '('), k...), " IS NULL AND "...)
		return append(s.keysAfter(dst, keys[1:]), ')')
	}
	op, open := " > ", " >= "
	if keys[0].Descending {
		op, open = " < ", " <= "
	}
	if len(keys) == 1 {
		return s.borderArg(append(append(dst, k...), op...), keys[0])
	}
	if len(keys) == 2 && keys[0].Descending == keys[1].Descending && isID(keys[1].By) {
		dst = append(append(append(dst, '('), k...), ", "...)
		dst = append(append(append(s.value(dst, keys[1].By), ')'), op...), '(')
		dst = s.borderArg(append(s.borderArg(dst, keys[0]), ", "...), keys[1])
		return append(dst, ')')
	}
	// The bound lets the index seek; what it lets through at the cursor's own value is looked at again.
	dst = append(append(append(dst, '('), k...), open...)
	dst = s.borderArg(dst, keys[0])
	dst = append(append(append(dst, " AND ("...), k...), op...)
	dst = s.borderArg(dst, keys[0])
	dst = s.keysAfter(append(dst, " OR "...), keys[1:])
	return append(dst, "))"...)
}

// keysAfter writes that the keys follow the values, wherever NULLs stand.
func (s *scope) keysAfter(dst []byte, keys []border) []byte {
	if len(keys) == 0 {
		return constant(dst, false)
	}
	k := s.value(append([]byte(nil), '('), keys[0].By)
	k = append(k, ')')
	op := " > "
	if keys[0].Descending {
		op = " < "
	}
	dst = append(dst, '(')
	equal := func(dst []byte) []byte {
		if keys[0].value == nil {
			return append(append(dst, k...), " IS NULL"...)
		}
		return s.borderArg(append(append(dst, k...), " = "...), keys[0])
	}
	switch {
	case keys[0].value == nil && keys[0].Descending:
		dst = constant(dst, false)
	case keys[0].value == nil:
		dst = append(append(dst, k...), " IS NOT NULL"...)
	default:
		dst = s.borderArg(append(append(dst, k...), op...), keys[0])
		if keys[0].Descending && !isID(keys[0].By) {
			dst = append(append(append(dst, " OR "...), k...), " IS NULL"...)
		}
	}
	if len(keys) > 1 {
		dst = append(equal(append(dst, " OR "...)), " AND "...)
		dst = s.keysAfter(dst, keys[1:])
	}
	return append(dst, ')')
}

// count writes the statement of Count; up to stop rows when it is positive.
func (r *reader) count(stop int) (string, []any, error) {
	b := r.builder()
	t := b.root(r.model)
	where := t.cond(nil, r.q.Where, true)
	if stop <= 0 {
		return string(t.statement([]byte("SELECT count(*)"), where)), b.args, b.err
	}
	out := append([]byte("SELECT count(*) FROM ("), t.statement([]byte("SELECT 1"), where)...)
	return string(append(limits(out, stop), ") AS n"...)), b.args, b.err
}

// groups writes the statement of Groups. The groups are named by their places, for an expression with parameters is not the same
// twice.
func (r *reader) groups() (string, []any, error) {
	b := r.builder()
	t := b.root(r.model)
	columns, by, order := []byte("SELECT "), []byte(" GROUP BY "), []byte(" ORDER BY ")
	for i, e := range r.q.Group {
		if i > 0 {
			columns, by, order = append(columns, ", "...), append(by, ", "...), append(order, ", "...)
		}
		columns = t.value(columns, e)
		by = strconv.AppendInt(by, int64(i+1), 10)
		order = append(strconv.AppendInt(order, int64(i+1), 10), " NULLS FIRST"...)
	}
	if len(r.q.Aggregate) > 0 {
		columns = append(columns, ", "...)
	}
	columns = r.figures(columns, b, t)
	out := append(t.statement(columns, t.cond(nil, r.q.Where, true)), by...)
	return string(append(out, order...)), b.args, b.err
}

// footer writes the statement of Aggregates.
func (r *reader) footer() (string, []any, error) {
	b := r.builder()
	t := b.root(r.model)
	columns := r.figures([]byte("SELECT "), b, t)
	where := t.cond(nil, r.q.Where, true)
	return string(t.statement(columns, where)), b.args, b.err
}

// figures appends the columns of Aggregate.
func (r *reader) figures(columns []byte, b *builder, t *scope) []byte {
	for i, a := range r.q.Aggregate {
		if i > 0 {
			columns = append(columns, ", "...)
		}
		if a.X == nil {
			columns = append(columns, "count(*)"...)
			continue
		}
		k := a.X.Kind()
		if (a.Fn == plan.SumSum || a.Fn == plan.SumAverage) && k != plan.Number {
			b.fail("%s of %s", a.Fn, k)
		}
		columns = r.w.aggregate(columns, a.Fn, k, t.value(nil, a.X))
	}
	return columns
}
