package property

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDigits(t *testing.T) {
	zeros := func(n int) string { return strings.Repeat("0", n) }
	for text, want := range map[string]string{
		"0.30000000000000004": "0.3",
		"1.2E+05":             "120000",
		"1e3":                 "1000",
		"123456789012345678":  "123456789012346000",
		"-0.1000000000000001": "-0.1",
		"1E300":               "1" + zeros(300),
		"1E-300":              "0." + zeros(299) + "1",
		"1E301":               "1E301", // longer than a cell is wide; it is refused as it was written
		"1E-301":              "1E-301",
		"1E2000000000":        "1E2000000000",
		"one thousand":        "one thousand",
		"":                    "",
		"12.50":               "12.50",
		zeros(40) + "1":       zeros(40) + "1",
	} {
		require.Equal(t, want, Cell{Text: text}.Digits(), text)
	}
	// A number that a spreadsheet keeps with 15 digits comes back with these, whatever its fraction is in memory.
	draw := rand.New(rand.NewPCG(38, 1))
	for range 2000 {
		whole := new(big.Int).SetInt64(draw.Int64N(1e15-1e14) + 1e14)
		exact := new(big.Rat).SetFrac(whole, new(big.Int).Exp(big.NewInt(10), big.NewInt(draw.Int64N(20)), nil))
		float, _ := exact.Float64()
		got, ok := new(big.Rat).SetString(Cell{Text: strconv.FormatFloat(float, 'g', 17, 64)}.Digits())
		require.True(t, ok)
		require.Zero(t, exact.Cmp(got), "%s was read as %s", exact.FloatString(20), got.FloatString(20))
	}
}

func TestDecimals(t *testing.T) {
	for format, want := range map[string]int{
		"0": 0, "0.00": 2, "#,##0.0##": 3, "0.00;[Red]-0.000": 2, "0%": 2, "0.0%": 3, `0.00"元"`: 2,
	} {
		places, ok := Cell{Format: format}.Decimals()
		require.True(t, ok, format)
		require.Equal(t, want, places, format)
	}
	for _, format := range []string{"", "General", "@", "0.00E+00", "# ?/?", "yyyy/m/d"} {
		_, ok := Cell{Format: format}.Decimals()
		require.False(t, ok, format)
	}
}
