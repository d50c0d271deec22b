package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// trial makes a step of a conversion that not every value fits. The column takes less than before, as with a narrower limit: where all
// values fit the step needs confirmation, and it destroys data where some do not. becomes is the value after the apply, of a row of the
// table as it is; the apply converts by the same expression.
func (s *Step) trial(d dialect, t tableDiff, c columnDiff, becomes string) {
	col := Ident(c.have.Name)
	s.Class = Confirm
	lost := col + " IS NOT NULL AND " + becomes + " IS NULL"
	s.loses.text = countRows(t.have.Name, lost)
	s.finds.text = mostFrequent(d, t, c, lost)
}

// mostFrequent finds the values that rows of a condition have most often, as they are.
func mostFrequent(d dialect, t tableDiff, c columnDiff, where string) string {
	col := Ident(c.have.Name)
	return "SELECT " + d.shown(c.have.Kind, col) + ", count(*) AS n FROM " + Ident(t.have.Name) + " WHERE " + where +
		" GROUP BY " + col + fmt.Sprintf(" ORDER BY n DESC, %s LIMIT %d", col, shownExamples)
}

// checkTrials refuses a plan whose conversions would lose values that came since it was made: nobody was asked about them.
func (x *storageDiff) checkTrials(ctx context.Context, c conn, d dialect, p *Plan) error {
	for _, t := range x.tables {
		for _, col := range t.columns {
			cv, moves := col.moves(x)
			if !moves || !cv.Trial {
				continue
			}
			told := slices.ContainsFunc(p.Steps, func(s Step) bool {
				return s.Action == Convert && s.Table == t.want.Name && s.Column == col.want.Name && s.Lost > 0
			})
			if told {
				continue
			}
			var s Step
			s.trial(d, t, col, asItIs(d, cv, t, col))
			if err := c.QueryRowContext(ctx, s.loses.text).Scan(&s.Lost); err != nil {
				return err
			}
			if s.Lost > 0 {
				return fmt.Errorf("%w: %s in %s of %s", ErrMoved, number(s.Lost, "value doesn't fit any more", "values don't fit any more"), col.want.Name, t.want.Model)
			}
		}
	}
	return nil
}

// asItIs is the value after the apply, of a row of the table as it is: an SQL expression.
func asItIs(d dialect, cv plan.Conversion, t tableDiff, c columnDiff) string {
	return d.converted(cv, c.want.Kind, Ident(t.have.Name)+"."+Ident(c.have.Name))
}

// wordsOf is what a value becomes that has a word, and another one as it is: an SQL expression.
func wordsOf(c plan.Conversion, column string) string {
	if len(c.Words) == 0 {
		return column
	}
	var out strings.Builder
	for _, was := range slices.Sorted(maps.Keys(c.Words)) {
		out.WriteString(" WHEN " + literals([]string{was}) + " THEN " + literals([]string{c.Words[was]}))
	}
	return "CASE " + column + out.String() + " ELSE " + column + " END"
}

// nameOf is the name of the record that an id names, an SQL expression; column has its table with it.
func nameOf(c plan.Conversion, column string) string {
	return "(SELECT named." + Ident(catalog.Name) + " FROM " + Ident(c.Names) + ` AS named WHERE named."id" = ` + column + ")"
}
