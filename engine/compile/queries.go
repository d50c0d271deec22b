package compile

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/engine/world"
)

// compileQueries compiles what the program reads of the packs that are loaded. The documents of a pack may be left out of an
// installation; then its queries are, too.
func (c *compiler) compileQueries() {
	for _, code := range c.set.Queries.Names() {
		q, _ := c.set.Queries.Get(code)
		owner, _, _ := strings.Cut(code, ".")
		if !slices.ContainsFunc(c.packs, func(p *def.Pack) bool { return strings.EqualFold(p.Code, owner) }) {
			continue
		}
		m, ok := c.queried(code, q.Model)
		if !ok {
			continue
		}
		if out := c.query(m, q); out != nil {
			c.cat.Queries = append(c.cat.Queries, out)
		}
	}
}

// queried finds the model or sub-table of a query.
func (c *compiler) queried(query, code string) (*model, bool) {
	name, sheet, nested := strings.Cut(code, ".")
	m, ok := lookup(c, &c.models, name, queryNode(query, name), "QUERY001")
	if !ok || !nested {
		return m, ok
	}
	f := m.Field(sheet)
	if f == nil || f.Sheet == nil {
		if !m.poisoned(sheet) {
			c.suggest("QUERY008", queryNode(query, sheet), sheet, m.codes(), m.Code)
		}
		return nil, false
	}
	c.noteField(f, sheet, source.In(queryNode(query, sheet)))
	return c.of[f.Sheet], true
}

// queryFile begins the file in diagnostics of queries.
const queryFile = "query "

// queryNode represents a text of the program: diagnostics name the query instead of a file.
func queryNode(code, text string) *source.Node {
	quoted, err := json.Marshal(text)
	if err != nil {
		quoted = []byte(`""`)
	}
	n, _ := source.Parse(queryFile+code, quoted)
	return n
}

// query compiles one; nil when it is at fault.
func (c *compiler) query(m *model, q world.Query) *catalog.Query {
	before := len(c.out)
	out := &catalog.Query{Code: q.Code, Model: m.Model, Args: q.Args, Tree: q.Tree, Below: q.Below}
	env := c.env(m, envSQL, envEngine)
	env.Args = q.Args
	if env.Args == nil {
		env.Args = map[string]plan.Kind{}
	}
	out.Where = c.condition(queryNode(q.Code, q.Where), q.Where, env, "QUERY002")
	out.Columns = c.queryPaths(m, q, q.Columns)
	out.Groups = c.queryPaths(m, q, q.GroupBy)
	for _, text := range q.OrderBy {
		code, down := strings.CutPrefix(text, "-")
		p, ok := c.path(m, code, source.In(queryNode(q.Code, code)), "QUERY003")
		if !ok {
			continue
		}
		if _, sorts := p.Field.Property.(property.Sorter); !sorts || p.Sheet {
			c.report("QUERY004", queryNode(q.Code, code), code, p.Field.Type.Name())
			continue
		}
		out.Order = append(out.Order, catalog.ListOrder{Path: p, Descending: down})
	}
	for _, f := range q.Figures {
		if figure, ok := c.queryFigure(m, q, f); ok {
			out.Figures = append(out.Figures, figure)
		}
	}
	if len(q.GroupBy)+len(q.Figures) > 0 && len(q.Columns)+len(q.OrderBy) > 0 {
		c.report("QUERY005", queryNode(q.Code, ""), q.Code)
	}
	c.queryTree(m, q)
	if slices.ContainsFunc(c.out[before:], func(d diag.Diagnostic) bool { return d.Severity == diag.Error }) {
		return nil
	}
	return out
}

// queryTree checks that rows can come depth first.
func (c *compiler) queryTree(m *model, q world.Query) {
	switch {
	case q.Tree && (m.Tree == nil || len(q.GroupBy)+len(q.Figures) > 0):
		c.report("QUERY009", queryNode(q.Code, m.Code), q.Code, m.Code)
	case q.Below != "" && (!q.Tree || q.Args[q.Below] != plan.ID):
		c.report("QUERY010", queryNode(q.Code, q.Below), q.Code, q.Below)
	}
}

// queryPaths resolves columns: single values, of the record or of one that it refers to.
func (c *compiler) queryPaths(m *model, q world.Query, texts []string) (out []catalog.Path) {
	for _, text := range texts {
		p, ok := c.path(m, text, source.In(queryNode(q.Code, text)), "QUERY003")
		if !ok {
			continue
		}
		several := len(q.GroupBy) > 0 && p.Field.Property.Kind() == plan.Set
		if p.Sheet || m.Parent != nil && len(p.Steps) > 0 || p.Field.Sheet != nil || len(p.Field.Property.Columns()) == 0 || several {
			c.report("QUERY006", queryNode(q.Code, text), text, p.Field.Type.Name())
			continue
		}
		p.Code = text // rows are asked by what the program wrote
		out = append(out, p)
	}
	return out
}

func (c *compiler) queryFigure(m *model, q world.Query, f world.Figure) (catalog.Figure, bool) {
	out := catalog.Figure{As: f.As, Fn: f.Fn}
	if f.Fn == plan.SumCount && f.Column == "" {
		return out, true
	}
	p, ok := c.path(m, f.Column, source.In(queryNode(q.Code, f.Column)), "QUERY003")
	if !ok {
		return out, false
	}
	adds := f.Fn == plan.SumSum || f.Fn == plan.SumAverage
	if cols := p.Field.Property.Columns(); p.Sheet || len(cols) == 0 || adds && cols[0].Kind != plan.Number || !slices.Contains(plan.Sums, f.Fn) {
		c.report("QUERY007", queryNode(q.Code, f.Column), f.Column, f.Fn, p.Field.Type.Name())
		return out, false
	}
	out.Path = &p
	return out, true
}
