package store_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

func encoded(t *testing.T, s string) []byte {
	t.Helper()
	b, err := store.EncodeDecimal(decimal.RequireFromString(s))
	require.NoError(t, err)
	return b
}

func TestDecimalsKeepValueAndOrder(t *testing.T) {
	ascending := []string{"-9999999999999999.99999999", "-1.00000001", "-1", "-0.00000001", "0", "0.00000001", "2", "10", "9999999999999999.99999999"}
	for i, s := range ascending {
		d, err := store.DecodeDecimal(encoded(t, s))
		require.NoError(t, err)
		require.Equal(t, s, d.String())
		if i > 0 {
			require.Negative(t, bytes.Compare(encoded(t, ascending[i-1]), encoded(t, s)), s)
		}
	}
	_, err := store.EncodeDecimal(decimal.New(1, 21))
	require.Error(t, err)
}

func TestDecimalFunctions(t *testing.T) {
	db := storetest.Open(t, store.Options{Dir: t.TempDir()})
	x := func(s string) any { return gorm.Expr(fmt.Sprintf("x'%x'", encoded(t, s))) } // gorm spreads bytes in parentheses
	cases := []struct {
		text, want string
		args       []any
	}{
		{"dec_text(dec_add(?, ?))", "0.3", []any{x("0.1"), x("0.2")}},
		{"dec_text(dec_sub(?, ?))", "-0.1", []any{x("0.1"), x("0.2")}},
		{"dec_text(dec_mul(?, ?))", "0.02", []any{x("0.1"), x("0.2")}},
		{"dec_text(dec_div(?, ?))", "0.66666667", []any{x("2"), x("3")}},
		{"COALESCE(dec_text(dec_div(?, ?)), 'empty')", "empty", []any{x("2"), x("0")}},
		{"dec_text(dec_round(?, 1))", "-2.4", []any{x("-2.35")}},
		{"COALESCE(dec_text(dec_add(NULL, ?)), 'empty')", "empty", []any{x("2")}},
		{"(SELECT dec_sum(v) FROM (SELECT ? AS v UNION ALL SELECT ? UNION ALL SELECT NULL))", "19999999999999999.99999998", []any{x("9999999999999999.99999999"), x("9999999999999999.99999999")}},
		{"(SELECT dec_avg(v) FROM (SELECT ? AS v UNION ALL SELECT ? UNION ALL SELECT ?))", "-0.33333333", []any{x("1"), x("-1"), x("-1")}},
		{"COALESCE((SELECT dec_sum(v) FROM (SELECT NULL AS v)), 'empty')", "empty", nil},
		{"fold(?)", "é混凝土abcß", []any{"E\u0301混凝土ABCß"}},
	}
	for _, c := range cases {
		require.Equal(t, c.want, ask[string](t, db, "SELECT "+c.text, c.args...), c.text)
	}
}
