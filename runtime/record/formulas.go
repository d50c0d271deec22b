package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
)

// What sl_meta keeps of a model's formulas is a digest of what they mean, "DIGEST@EPOCH+PROPERTIES", when all records are computed by them, and
// "DIGEST@EPOCH+PROPERTIES ID" when those up to an id are. The names in it are those of its epoch: a later reader writes its formulas with the names
// of then, so that a rename changes nothing. PROPERTIES tell those that had a formula when all records were computed last. "~" before the digest says
// that the formulas are the same and what they read was changed below the write path. Older marks have no PROPERTIES, or a digest of texts alone.

const formulasPrefix = "formulas:"

func formulasKey(m *catalog.Model) string { return formulasPrefix + m.Code }

// progress is how far the stored values of a model are computed by its formulas.
type progress struct {
	known bool                        // something was computed
	same  bool                        // by these formulas
	last  string                      // the last record
	done  bool                        // all are
	older bool                        // the mark is of an older form
	stale bool                        // the formulas are the same, and what they read was changed below the write path
	had   func(f *catalog.Field) bool // whether a property had a formula when all records were computed last
}

// run is what computing the records leaves to those that workflows approved; nil = nothing.
func (p progress) run() *formulaRun {
	if !p.known || p.stale {
		return nil
	}
	return &formulaRun{fresh: func(f *catalog.Field) bool { return !p.had(f) }}
}

// mark is a parsed value of sl_meta.
type mark struct {
	digest, epoch, properties, last string
	stale, dated, under             bool
}

const staleMark = "~"

func parseMark(value string) (m mark) {
	value, m.last, m.under = strings.Cut(value, " ")
	value, m.properties, _ = strings.Cut(value, "+")
	value, m.epoch, m.dated = strings.Cut(value, "@")
	m.digest, m.stale = strings.CutPrefix(value, staleMark)
	return m
}

func (m mark) String() string {
	out := m.digest
	if m.stale {
		out = staleMark + out
	}
	if m.dated {
		out += "@" + m.epoch
	}
	if m.properties != "" {
		out += "+" + m.properties
	}
	if m.last != "" {
		out += " " + m.last
	}
	return out
}

// computedTo tells how far the stored values of a model were computed by its formulas.
func computedTo(tx *store.Tx, c *catalog.Catalog, m *catalog.Model) (progress, error) {
	return computedBy(tx, c, m, m.Code, tx.NameLog())
}

// computedBy is computedTo for a catalog that is not applied yet: the model was called otherwise, and a log leads to its names.
func computedBy(tx *store.Tx, c *catalog.Catalog, m *catalog.Model, was string, log *names.Log) (progress, error) {
	have := Meta{}
	if err := tx.System().Where("key = ?", formulasPrefix+was).Limit(1).Find(&have).Error; err != nil {
		return progress{}, err
	}
	at := parseMark(have.Value)
	want, read := "", names.Reading{}
	if epoch, err := strconv.ParseInt(at.epoch, 10, 64); at.dated && err == nil {
		read = log.Since(epoch, time.Time{})
		want = meaningOf(c, m, read)
	} else if !at.dated {
		want = textsOf(m)
	}
	out := progress{known: have.Value != "", same: at.digest == want, had: func(f *catalog.Field) bool {
		return slices.Contains(strings.Split(at.properties, ","), propertyMark(c, m, f, read))
	}}
	if out.same {
		out.last, out.stale, out.done, out.older = at.last, at.stale, !at.under && !at.stale, at.properties == ""
	}
	return out, nil
}

// markOf is what sl_meta keeps once the records of a model up to one are computed; "" = all are. was is how far they were before.
func markOf(tx *store.Tx, c *catalog.Catalog, m *catalog.Model, last string, was progress) Meta {
	out := mark{digest: meaningOf(c, m, names.Reading{}), epoch: strconv.FormatInt(tx.Epoch(), 10), dated: true, last: last, stale: was.stale && last != ""}
	var had []string
	for _, f := range m.Computed {
		if last == "" || was.known && was.had(f) {
			had = append(had, propertyMark(c, m, f, names.Reading{}))
		}
	}
	slices.Sort(had)
	out.properties = strings.Join(had, ",")
	return Meta{Key: formulasKey(m), Value: out.String()}
}

// propertyMark tells a property from others of its model, with the names that a reading gives.
func propertyMark(c *catalog.Catalog, m *catalog.Model, f *catalog.Field, read names.Reading) string {
	w := meaning{read: read, catalog: c, top: m}
	w.property(f.Model, f.Code)
	return hash(w.out.String())[:12]
}

// meaningOf tells the formulas of a model from others, with the names that a reading gives.
func meaningOf(c *catalog.Catalog, m *catalog.Model, read names.Reading) string {
	var parts []string
	for _, f := range m.Computed {
		w := meaning{read: read, catalog: c, top: m}
		w.property(f.Model, f.Code)
		w.columns(f)
		w.expr(f.Model, f.Compute)
		if f.Model != m && !local(f.Compute) {
			w.word("follows")
		}
		parts = append(parts, w.out.String())
	}
	slices.Sort(parts) // the order follows the names
	return hash(parts...)
}

// textsOf is how versions before told formulas from others.
func textsOf(m *catalog.Model) string {
	var parts []string
	for _, f := range m.Computed {
		columns, err := json.Marshal(f.Property.Columns())
		if err != nil { // plain data cannot fail
			columns = nil
		}
		parts = append(parts, f.Model.Code, f.Code, f.ComputeText, string(columns))
		if f.Model != m && !local(f.Compute) { // earlier versions left such rows as they were when what they read of other records changed
			parts = append(parts, "follows")
		}
	}
	return hash(parts...)
}

// meaning writes a formula so that two have the same text only if they mean the same.
type meaning struct {
	read    names.Reading
	catalog *catalog.Catalog
	top     *catalog.Model // of the record, also in the formula of a row
	out     strings.Builder
}

func (w *meaning) word(of ...any) {
	for _, x := range of {
		w.out.WriteString(strconv.Quote(fmt.Sprint(x)))
	}
}

// model writes a model or sub-table as it was called.
func (w *meaning) model(code string) {
	was, ok := w.read.ModelWas(code)
	if !ok { // another had the name
		was = "new " + code
	}
	w.word(strings.ToLower(was))
}

// property writes a column with the model that it belongs to. Further columns of a property have its code with an ending.
func (w *meaning) property(of *catalog.Model, column string) {
	code, rest, _ := strings.Cut(column, "__")
	if of == nil {
		w.word(column)
		return
	}
	w.model(of.Code + "." + code)
	w.word(rest)
}

// columns writes what a property keeps of a value.
func (w *meaning) columns(f *catalog.Field) {
	for _, c := range f.Property.Columns() {
		_, rest, _ := strings.Cut(c.Name, "__")
		c.Name, c.Property, c.RenamedFrom = rest, "", nil
		if c.References != "" {
			w.model(c.References)
		}
		if c.Of != "" {
			w.model(c.Of)
		}
		c.References, c.Of = "", ""
		text, err := json.Marshal(c)
		if err != nil { // plain data cannot fail
			continue
		}
		w.word(string(text))
	}
}

// field writes a column that an expression on the records or rows of a model reads; nil where it is not known.
func (w *meaning) field(in *catalog.Model, f *plan.Field) {
	if f.Outer {
		in = w.top
	}
	w.word(f.Old, f.Outer, f.K, len(f.Path))
	for _, step := range f.Path {
		w.property(in, step)
		if r := fieldOf(in, step); r != nil {
			in = r.Target
		} else {
			in = nil
		}
	}
	w.property(in, f.Column)
	if in != nil && w.read.Recoded(in.Code, f.Column) { // a formula may copy the code
		w.word("recoded")
	}
}

func fieldOf(m *catalog.Model, code string) *catalog.Field {
	if m == nil {
		return nil
	}
	return m.Field(code)
}

// sheet writes a sub-table and tells the model of its rows.
func (w *meaning) sheet(code string) *catalog.Model {
	w.property(w.top, code)
	if f := fieldOf(w.top, code); f != nil {
		return f.Sheet
	}
	return nil
}

// records writes whose values are folded, and tells their model.
func (w *meaning) records(of *plan.Records) *catalog.Model {
	if of.Own != "" {
		w.property(w.top, of.Own)
		if f := fieldOf(w.top, of.Own); f != nil {
			return f.Target
		}
		return nil
	}
	m := w.catalog.Model(of.Model)
	w.model(of.Model)
	w.property(m, of.Property)
	return m
}

// expr writes an expression on the records or rows of a model.
func (w *meaning) expr(in *catalog.Model, e plan.Expr) {
	w.word(fmt.Sprintf("%T", e))
	switch x := e.(type) {
	case *plan.Const:
		value, err := json.Marshal(x.Value)
		if err != nil { // plain data cannot fail
			value = nil
		}
		w.word(x.K, string(value))
	case *plan.Var:
		w.word(x.Name, x.K)
	case *plan.Field:
		w.field(in, x)
	case *plan.Compare:
		w.word(x.Op)
	case *plan.Match:
		w.word(x.Prefix)
	case *plan.InSet:
		w.word(x.Op)
	case *plan.LinkText:
		w.word(x.Table, x.Column, x.Whole)
	case *plan.AnyRow:
		in = w.sheet(x.Sheet)
	case *plan.Visible:
		w.model(x.Model)
		in = w.catalog.Model(x.Model)
	case *plan.Rank:
		w.word(x.Codes)
	case *plan.Arith:
		w.word(x.Op)
	case *plan.Aggregate:
		w.word(x.Fn, x.X == nil, x.Where == nil)
		if x.Of != nil {
			in = w.records(x.Of)
		} else {
			in = w.sheet(x.Sheet)
		}
	case *plan.Call:
		w.word(x.Fn, x.K)
	}
	w.out.WriteByte('(')
	plan.Descend(e, func(part plan.Expr) plan.Expr {
		w.expr(in, part)
		return part
	})
	w.out.WriteByte(')')
}
