package quality_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// TestReadings: what people write as measured values and answers, and what is refused since it could mean two things. The interface reads the
// same cases.
func TestReadings(t *testing.T) {
	data, err := os.ReadFile("testdata/readings.json")
	require.NoError(t, err)
	var cases []struct {
		Text, Method, Unit, Refused string
		Values                      []string
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	require.Greater(t, len(cases), 100)
	code := map[string]fault.Code{"number": quality.ReadingNumber, "twoWays": quality.ReadingTwoWays, "unit": quality.ReadingUnit, "answer": quality.ReadingAnswer}
	for _, c := range cases {
		got := []string{}
		values, err := quality.Readings(c.Text, c.Method, c.Unit)
		for _, v := range values {
			got = append(got, v.String())
		}
		var f *fault.Error
		switch {
		case c.Refused != "":
			require.True(t, errors.As(err, &f), "%+v is read as %v", c, got)
			require.Equal(t, code[c.Refused], f.Code, "%+v", c)
			require.Empty(t, got, "%+v", c)
			require.NotEmpty(t, f.Args, "%+v", c)
		default:
			require.NoError(t, err, "%+v", c)
			require.Equal(t, c.Values, got, "%+v", c)
		}
	}
}

// answered: an inspection takes answers as people write them, and says which part of a text it doesn't read.
func answered(t *testing.T, s *site) {
	n := s.small()
	s.items["LOOK"] = s.checkItem("LOOK-"+s.key, "YESNO", "")
	s.items["FLAT"] = s.checkItem("FLAT-"+s.key, "POINT", "mm")
	for text, want := range map[string]string{"符合要求": "QUALIFIED", "✓；√": "QUALIFIED"} {
		_, err := s.inspect(s.owner, n.item, "LOOK", text)
		require.NoError(t, err, told(err))
		require.Equal(t, want, s.eval(n.item), text)
	}
	_, err := s.inspect(s.owner, n.other, "FLAT", "１２．５mm；＋3")
	require.NoError(t, err, told(err))
	for item, texts := range map[string]map[string]fault.Code{
		"LOOK": {"基本符合": quality.ReadingAnswer, "12": quality.ReadingAnswer}, "FLAT": {"12,5": quality.ReadingTwoWays, "±3": quality.ReadingTwoWays, "12cm": quality.ReadingUnit, "合格": quality.ReadingNumber}} {
		for text, code := range texts {
			_, err := s.inspect(s.owner, n.other, item, text)
			refused(t, err, code)
			require.Contains(t, told(err), "items.values", text)
		}
	}
}
