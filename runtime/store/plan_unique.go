package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// ErrDuplicates: records share values that shall be unique. No option of an apply passes it.
var ErrDuplicates = errors.New("existing records share values that must be unique; change these records first")

// shownExamples is how many values a step names, and shownValue how many characters of each.
const (
	shownExamples = 5
	shownValue    = 60
)

// Example is a stored value, or the values of several columns, that a step meets.
type Example struct {
	Values []string `json:"values"`
	Count  int64    `json:"count"` // records that have it
}

// examples writes the values that a step meets, in quotation marks, with how often each is there.
func examples(of []Example, zh bool) string {
	left, right, comma, open, end := "“", "”", ", ", " (", ")"
	if zh {
		comma, open, end = "、", "（", "）"
	}
	out := make([]string, len(of))
	for i, e := range of {
		out[i] = left + strings.Join(e.Values, right+" / "+left) + right
		if e.Count > 1 {
			out[i] += open + fmt.Sprint(e.Count) + end
		}
	}
	return strings.Join(out, comma)
}

// WithoutExamples is a step for people who may not read every record: it counts them and names no value.
func (s Step) WithoutExamples() Step {
	s.Examples = nil
	s.Text = s.text()
	return s
}

// uniqueStep is the step of a unique index that comes. An index that is part of a larger change is told only if records stand in its way.
func (x *storageDiff) uniqueStep(d dialect, t tableDiff, i index, quiet bool) (Step, error) {
	s := Step{Action: AddIndex, Class: Safe, Table: t.want.Name, Model: t.want.Model, Column: strings.Join(i.columns, ", "), To: "unique", At: indexAt(t.want, i), quiet: quiet}
	shared, columns, err := x.duplicates(d, t, i)
	if shared == "" || err != nil {
		return s, err
	}
	s.counts.text = "SELECT COALESCE(sum(n), 0) FROM (" + shared + ") AS d"
	s.finds.text = "SELECT " + strings.Join(columns, ", ") + ", n FROM (" + shared + ") AS d ORDER BY n DESC, " + marks("v", len(columns)) + fmt.Sprintf(" LIMIT %d", shownExamples)
	return s, nil
}

// duplicates is a query of the values v1, v2 ... that several rows (n) will share in a unique index, and those values as people read them.
// It is "" where no two rows can share one. As in the index, a row with an empty value shares with none.
func (x *storageDiff) duplicates(d dialect, t tableDiff, i index) (query string, shown []string, err error) {
	var values, filled []string
	for n, name := range i.columns {
		at := slices.IndexFunc(t.columns, func(c columnDiff) bool { return c.want != nil && c.want.Name == name })
		if at < 0 {
			return "", nil, fmt.Errorf("index %s: no column %s", i.name, name)
		}
		value, err := x.becomes(d, t, t.columns[at])
		if value == "" || err != nil {
			return "", nil, err
		}
		v := fmt.Sprintf("v%d", n+1)
		values = append(values, value+" AS "+v)
		filled = append(filled, v+" IS NOT NULL")
		shown = append(shown, x.shown(d, *t.columns[at].want, v))
	}
	of := marks("v", len(values))
	return "SELECT " + of + ", count(*) AS n FROM (SELECT " + strings.Join(values, ", ") + " FROM " + Ident(t.have.Name) + " AS r) AS a WHERE " +
		strings.Join(filled, " AND ") + " GROUP BY " + of + " HAVING count(*) > 1", shown, nil
}

// becomes is what an apply makes of a column in a row r of the table as it is; "" = nothing.
func (x *storageDiff) becomes(d dialect, t tableDiff, c columnDiff) (value string, err error) {
	if c.have != nil && !c.retyped(x) {
		value = "r." + Ident(c.have.Name)
		if cv, ok := c.moves(x); ok {
			value = d.converted(cv, c.want.Kind, value)
		}
		if target := x.oldName(referenced(x.want, *c.want)); target != "" && x.keyChanged(t, c) {
			value = `(SELECT o."id" FROM ` + Ident(target) + ` AS o WHERE o."id" = ` + value + ")"
		}
	}
	if !c.want.NotNull || c.want.Default == nil {
		return value, nil
	}
	literal, err := d.literal(*c.want)
	if value == "" || err != nil {
		return literal, err
	}
	return "COALESCE(" + value + ", " + literal + ")", nil
}

// shown is a value of a column as people read it: of a record its name, if its table has one.
func (x *storageDiff) shown(d dialect, c plan.Column, value string) string {
	text := d.shown(c.Kind, value)
	if c.Kind != plan.ID {
		return text
	}
	target := cmp.Or(referenced(x.want, c), referenced(x.want, plan.Column{References: c.Of}))
	i := slices.IndexFunc(x.tables, func(o tableDiff) bool { return o.have != nil && o.want != nil && o.want.Name == target })
	if i < 0 || !slices.ContainsFunc(x.tables[i].have.Columns, func(o plan.Column) bool { return o.Name == catalog.Name && o.Kind == plan.Text }) {
		return text
	}
	return "COALESCE((SELECT o." + Ident(catalog.Name) + " FROM " + Ident(x.tables[i].have.Name) + ` AS o WHERE o."id" = ` + value + "), " + text + ")"
}

// marks are the names v1, v2 ... as a list.
func marks(prefix string, n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s%d", prefix, i+1)
	}
	return strings.Join(out, ", ")
}

// find reads the examples of a step: the texts of the values, and at the end how many rows have them.
func (s *Step) find(ctx context.Context, c conn) error {
	rows, err := c.QueryContext(ctx, s.finds.text, s.finds.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		e := Example{Values: make([]string, len(columns)-1)}
		into := make([]any, len(columns))
		for i := range e.Values {
			into[i] = &e.Values[i]
		}
		into[len(into)-1] = &e.Count
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, v := range e.Values {
			if text := []rune(v); len(text) > shownValue {
				e.Values[i] = string(text[:shownValue]) + "…"
			}
		}
		s.Examples = append(s.Examples, e)
	}
	return rows.Err()
}

// checkUnique refuses, with the values, what a unique index would refuse without: a plan has looked, and records may have come since.
func (x *storageDiff) checkUnique(ctx context.Context, c conn, d dialect) error {
	for _, t := range x.tables {
		if t.have == nil || t.want == nil {
			continue
		}
		for _, i := range t.come {
			if i.kind != uniqueIndex {
				continue
			}
			s, err := x.uniqueStep(d, t, i, false)
			if err == nil {
				err = s.count(ctx, c)
			}
			if err != nil {
				return err
			}
			if s.Class == Impossible {
				return fmt.Errorf("%w: %s", ErrDuplicates, s.Text.In("en"))
			}
		}
	}
	return nil
}
