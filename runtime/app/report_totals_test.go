package app_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/reporting"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestChartTotals: what each chart of the example shows adds up to sums that plain statements make of the tables.
func TestChartTotals(t *testing.T) {
	t.Parallel()
	conditions := map[string]string{"lots/good": "result = 'OK'", "contracts/active": "status = 'ACTIVE'", "schedule/finished": "progress >= 100", "taskMonths/finished": "progress >= 100"}
	const example = "../../examples/ship-lock"
	apptest.Of(plugintest.Register, example).Each(t, func(t *testing.T, o store.Options) {
		cfg := shipLockConfig(t, o)
		cfg.Set = pluginSet(t)
		a, err := app.Open(context.Background(), cfg)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, a.Close()) })
		state := a.State()
		view := state.Policy.View(principal.System("totals"), a.Now(), a.Zone())
		report := state.Catalog.Report("progress")
		data, err := a.Reports().Data(t.Context(), view, reporting.Request{Report: "progress"})
		require.NoError(t, err)
		of := map[string]reporting.Data{}
		for _, d := range data {
			require.NoError(t, d.Err)
			of[d.Code] = d
		}
		checked := 0
		for _, chart := range report.Charts {
			s := chart.Set
			for i, m := range s.Measures {
				if m.Fn != "sum" && m.Fn != "count" {
					continue
				}
				name := s.Code + "/" + m.Code
				where := ""
				if s.Model.Code == "activity" {
					where = " WHERE level = 'project'"
				}
				if m.When != nil {
					require.Contains(t, conditions, name)
					where += map[bool]string{true: " WHERE ", false: " AND "}[where == ""]
					if o.URL == "" && m.Code == "finished" {
						where += "progress >= X'" + fmt.Sprintf("%024X", raised(decimal.NewFromInt(100))) + "'"
					} else {
						where += conditions[name]
					}
				}
				column := "1"
				if m.Fn == "sum" {
					column = store.Ident(m.Path.Field.Property.Columns()[0].Name)
				}
				total := decimal.Zero
				for _, row := range of[s.Code].Rows {
					switch v := row.Values[i].(type) {
					case decimal.Decimal:
						total = total.Add(v)
					case int64:
						total = total.Add(decimal.NewFromInt(v))
					}
				}
				plain := plainTotal(t, a.Store(), o.URL == "" && m.Fn == "sum", "SELECT "+column+" AS v FROM "+store.Ident(s.Model.Table)+where)
				require.Equal(t, plain.String(), total.String(), "%s of chart %s", name, chart.Code)
				require.False(t, total.IsZero(), name)
				checked++
			}
		}
		require.GreaterOrEqual(t, checked, 15)
	})
}

// raised is a number as the tables of SQLite have it.
func raised(v decimal.Decimal) *big.Int {
	return new(big.Int).Add(v.Shift(8).BigInt(), new(big.Int).Lsh(big.NewInt(1), 95))
}

// plainTotal adds the rows of a statement up; coded = they are numbers as the tables of SQLite have them.
func plainTotal(t *testing.T, db *store.DB, coded bool, statement string) decimal.Decimal {
	total := decimal.Zero
	require.NoError(t, db.Read(t.Context(), func(_ context.Context, tx *store.Tx) error {
		if !coded {
			var text string
			err := tx.System().Raw("SELECT CAST(coalesce(sum(v), 0) AS text) FROM (" + statement + ") AS added").Row().Scan(&text)
			if err == nil {
				total, err = decimal.NewFromString(text)
			}
			return err
		}
		rows, err := tx.System().Raw(statement).Rows()
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var v []byte
			if err := rows.Scan(&v); err != nil {
				return err
			}
			if v != nil {
				total = total.Add(decimal.NewFromBigInt(new(big.Int).Sub(new(big.Int).SetBytes(v), new(big.Int).Lsh(big.NewInt(1), 95)), -8))
			}
		}
		return rows.Err()
	}))
	return total
}
