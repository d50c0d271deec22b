package expression_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/expression"
)

// In the order of people; each row is before the next one.
func TestCodeOrder(t *testing.T) {
	for _, row := range [][]string{
		{"1", "2", "9", "10", "11", "99", "100"},
		{"80", "80.1", "80.1.1", "80.2", "80.9", "80.10", "80.10.1", "80.11", "81"},
		{"01-02", "01-9", "01-10", "2-1"},
		{"A", "A-1", "A-2", "A-10", "A1", "A2", "A10", "A10b", "B1"},
		{"9/1", "9/1/2", "9/1/10", "10/1"},
		{"K0", "K1", "K12", "K100"},
		{"12345678", "123456789", "999999999", "1000000000", "12345678901"},
		{"9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616"},
		{strings.Repeat("9", 59), "1" + strings.Repeat("0", 59)},
		{"第2段", "第10段", "第10段-1"},
		{"", "0", "1"},
	} {
		for i := range row[:len(row)-1] {
			require.Less(t, expression.CodeOrder(row[i]), expression.CodeOrder(row[i+1]), "%q before %q", row[i], row[i+1])
		}
	}
	for _, same := range [][2]string{{"01", "1"}, {"1.2", "1-2"}, {"1/2", "1_2"}, {"000", "0"}, {"1 2", "1.02"}} {
		require.Equal(t, expression.CodeOrder(same[0]), expression.CodeOrder(same[1]), "%q and %q", same[0], same[1])
	}
}

// Random codes against an oracle that compares part by part with numbers of any size.
func TestCodeOrderRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 18))
	code := func() string {
		var parts []string
		for range 1 + r.IntN(4) {
			parts = append(parts, strings.Repeat("0", r.IntN(3))+digits(r, 1+r.IntN(22)))
		}
		return strings.Join(parts, string("-./_"[r.IntN(4)]))
	}
	oracle := func(a, b string) int {
		split := func(s string) []string {
			return strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune("-./_", c) })
		}
		return slices.CompareFunc(split(a), split(b), func(x, y string) int {
			m, _ := new(big.Int).SetString(x, 10)
			n, _ := new(big.Int).SetString(y, 10)
			return m.Cmp(n)
		})
	}
	for range 20_000 {
		a, b := code(), code()
		require.Equal(t, oracle(a, b), strings.Compare(expression.CodeOrder(a), expression.CodeOrder(b)), "%q and %q", a, b)
	}
}

func digits(r *rand.Rand, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('0' + r.IntN(10))
	}
	return string(out)
}
