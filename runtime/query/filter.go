package query

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/finder"
)

// filters compiles the filters of a request; they are joined with And, groups nest.
type filters struct {
	graph *graph
	list  *catalog.List
	at    property.FilterContext
	below func(departments []string) []string // and all below them
	count int
	bad   []fault.FieldError
	row   *catalog.Field // the filters speak of the rows of this sub-table; nil = of records
}

// compile joins the filters of a request. It looks at all of them, so that the refusal names each that cannot be used.
func (f *filters) compile(in []Filter) (plan.Expr, error) {
	e, err := f.all(in, 0)
	if err == nil && len(f.bad) > 0 {
		err = &fault.Error{Code: f.bad[0].Code, Args: f.bad[0].Args, Data: fault.Invalid{Errors: f.bad}}
	}
	return e, err
}

// notes keeps the refusal of a filter by its property; other errors end the request.
func (f *filters) notes(in Filter, err error) bool {
	switch code := fault.Of(err); code {
	case fault.FieldUnknown, fault.FieldRenamed, fault.OperatorNotAllowed, fault.FilterValue:
		bad := fault.FieldError{PropertyCode: cmp.Or(in.PropertyCode, in.Behind), Code: code}
		if known := (*fault.Error)(nil); errors.As(err, &known) {
			bad.Args = known.Args
		}
		f.bad = append(f.bad, bad)
		return true
	}
	return false
}

func (f *filters) all(in []Filter, depth int) (plan.Expr, error) {
	of, err := f.each(in, depth)
	return plan.AllOf(of...), err
}

func (f *filters) each(in []Filter, depth int) ([]plan.Expr, error) {
	if depth > maxFilterDepth {
		return nil, fault.New(fault.TooExpensive)
	}
	var out []plan.Expr
	for _, one := range in {
		if f.count++; f.count > maxFilters {
			return nil, fault.New(fault.TooExpensive)
		}
		e, err := f.one(one, depth)
		switch {
		case err == nil:
			out = append(out, e)
		case !f.notes(one, err):
			return nil, err
		}
	}
	return out, nil
}

func (f *filters) one(in Filter, depth int) (plan.Expr, error) {
	groups := 0
	for _, set := range []bool{in.And != nil, in.Or != nil, in.PropertyCode != "", in.Behind != ""} {
		if set {
			groups++
		}
	}
	if groups != 1 {
		return nil, fault.New(fault.BadParameter, "filters")
	}
	switch {
	case in.And != nil:
		return f.all(in.And, depth+1)
	case in.Or != nil:
		of, err := f.each(in.Or, depth+1)
		return plan.AnyOf(of...), err
	}
	if in.Behind != "" {
		return f.behind(in.Behind)
	}
	code := in.PropertyCode
	if f.row != nil {
		code = f.row.Code + "." + code
	}
	n, err := f.graph.resolve(code)
	if err != nil {
		return nil, err
	}
	op, err := f.operator(in, n)
	if err != nil {
		return nil, err
	}
	operand, err := decodeOperand(in.PropertyValue)
	if err != nil {
		return nil, err
	}
	if positive, _ := op.Positive(); operand == nil && positive != plan.OpIsNull { // half a condition is none, and not every record
		return nil, fault.New(fault.FilterValue)
	}
	compare := n.filter
	if f.row != nil {
		compare = n.rowFilter
	}
	e, err := compare(op, n.optionsNow(operand), f.at)
	return f.expand(e), err
}

// expand gives every Belongs the departments below the given ones: the tree of departments is known here only.
func (f *filters) expand(e plan.Expr) plan.Expr {
	return plan.Rewrite(e, func(x plan.Expr) plan.Expr {
		b, ok := x.(*plan.Belongs)
		if !ok {
			return x
		}
		given, _ := b.Departments.(*plan.Const)
		if given == nil {
			return plan.False
		}
		ids, _ := given.Value.([]string)
		return &plan.Belongs{X: b.X, Departments: &plan.Const{K: plan.Set, Value: f.below(ids)}}
	})
}

// operator reads an operator by name or number; without one the list's condition decides, then the property type.
func (f *filters) operator(in Filter, n node) (plan.Op, error) {
	var name string
	if len(in.QueryFilterType) > 0 && json.Unmarshal(in.QueryFilterType, &name) != nil {
		i, err := strconv.Atoi(string(in.QueryFilterType))
		if err == nil && i >= 1 && i <= len(plan.Ops) {
			return plan.Ops[i-1], nil
		}
		if string(in.QueryFilterType) != "null" {
			return "", fault.New(fault.OperatorNotAllowed)
		}
	}
	if name != "" {
		for _, op := range plan.Ops {
			if string(op) == name {
				return op, nil
			}
		}
		return "", fault.New(fault.OperatorNotAllowed)
	}
	if f.list != nil {
		for _, c := range f.list.Conditions {
			if c.Path.Code == in.PropertyCode {
				return c.Operator, nil
			}
		}
	}
	if t, ok := n.field.Property.(property.Filterer); ok {
		return t.DefaultOperator(), nil
	}
	return "", fault.New(fault.OperatorNotAllowed)
}

// decodeOperand reads a wire value; numbers stay text.
func decodeOperand(raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fault.Wrap(err, fault.FilterValue)
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) > maxOperands {
		return nil, fault.New(fault.TooExpensive)
	}
	for _, x := range list {
		switch x.(type) {
		case []any, map[string]any:
			return nil, fault.New(fault.FilterValue)
		}
	}
	return v, nil
}

// maxOperands bounds the values of one filter.
const maxOperands = 1000

// maxWords bounds the words of a keyword.
const maxWords = 16

// eachWord joins what is asked for each word of a keyword: a record has all of them, each anywhere.
func eachWord(keyword string, ask func(word string) (plan.Expr, error)) (plan.Expr, error) {
	words := strings.Fields(keyword)
	if len([]rune(keyword)) > maxKeyword || len(words) > maxWords {
		return nil, fault.New(fault.BadParameter, "keyword")
	}
	var out []plan.Expr
	for _, word := range words {
		e, err := ask(word)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return plan.AllOf(out...), nil
}

// keyword searches a record's name, its pinyin, initials and translations included.
func (g *graph) keyword(word string) (plan.Expr, error) {
	n, err := g.resolve(catalog.Name)
	if err != nil {
		return nil, err
	}
	out := []plan.Expr{
		&plan.Match{X: n.column(catalog.Name), Pattern: text(word)},
		&plan.Match{X: n.guarded(&plan.Field{Column: namePinyin, K: plan.Text}), Pattern: text(finder.Typed(word).Part())},
	}
	if t, ok := n.field.Property.(property.Translator); ok { // it is found by what it is shown as
		for _, stored := range t.Stored(word) {
			out = append(out, &plan.Compare{Op: plan.EQ, A: n.column(catalog.Name), B: text(stored)})
		}
	}
	return plan.AnyOf(out...), nil
}

// searched are the properties of the model in which a keyword is looked for, as far as they may be read: the name, the sequence
// number, and the texts that authors have marked with "search".
func (g *graph) searched() (out []node) {
	for _, f := range g.model.Fields {
		switch f.Code {
		case catalog.Name:
		case catalog.SequenceNo:
			if !g.seeksNumber(f) {
				continue
			}
		default:
			if f.System || f.Live || f.Sheet != nil || !marked(f) {
				continue
			}
		}
		if n, err := g.resolve(f.Code); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// marked reports whether a text has an index for searches.
func marked(f *catalog.Field) bool {
	return slices.ContainsFunc(f.Property.Columns(), func(c plan.Column) bool { return c.Kind == plan.Text && c.Search })
}

// seeksNumber reports whether sequence numbers are searched by themselves: where they have an index, or the model is so small that
// names have none either. A name that holds the number, and that the caller reads, is enough.
func (g *graph) seeksNumber(f *catalog.Field) bool {
	name := g.model.Field(catalog.Name)
	if _, err := g.resolve(catalog.Name); err == nil && g.model.Digests(f) {
		return false
	}
	return marked(f) || name == nil || !marked(name)
}

// look finds every word of a keyword somewhere in what is searched.
func (g *graph) look(keyword string) (plan.Expr, error) {
	if len(g.searched()) == 0 {
		return nil, unknown()
	}
	return eachWord(keyword, g.lookWord)
}

func (g *graph) lookWord(word string) (plan.Expr, error) {
	var out []plan.Expr
	for _, n := range g.searched() {
		if n.field.Code != catalog.Name {
			out = append(out, has(n.columns()[0], word))
			continue
		}
		named, err := g.keyword(word)
		if err != nil {
			return nil, err
		}
		out = append(out, named)
	}
	return plan.AnyOf(out...), nil
}

// widths are a word as it was typed and, if that is another text, in characters of usual width.
func widths(word string) []string {
	if usual := norm.NFKC.String(word); usual != word {
		return []string{word, usual}
	}
	return []string{word}
}

// namePinyin is the engine's column of every model's table that holds what the name is found by (finder.Index).
const namePinyin = "name__pinyin"

func text(s string) plan.Expr {
	if s == "" {
		return &plan.Const{K: plan.Text}
	}
	return &plan.Const{K: plan.Text, Value: s}
}

func id(s string) plan.Expr {
	if s == "" {
		return &plan.Const{K: plan.ID}
	}
	return &plan.Const{K: plan.ID, Value: s}
}
