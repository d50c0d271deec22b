package directory

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/place"
)

// china are the divisions of the pack core.
func china(t testing.TB) *places {
	t.Helper()
	file, err := os.Open("../../plugins/core/data/division.csv")
	require.NoError(t, err)
	defer file.Close() //nolint:errcheck // read only
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	var list []place.Division
	for _, row := range rows[1:] {
		list = append(list, place.Division{Code: row[0], Name: row[1], NameEn: row[2]})
	}
	return &places{Tree: place.New(list)}
}

func TestPlaceSearch(t *testing.T) {
	t.Parallel()
	s := china(t)
	codes := func(text string, levels, limit int) string {
		var out []string
		for _, d := range s.find(text, levels, limit) {
			out = append(out, d.Code)
		}
		return strings.Join(out, " ")
	}
	for text, want := range map[string]string{
		"郑州": "4101", "郑州市": "4101", "zhengzhou": "4101", "Zhengzhou": "4101", "zhengz": "4101", "4101": "4101",
		"河南郑州": "4101", "河南省郑州市": "4101", "henanzhengzhou": "4101", "河南 郑州": "4101", "Henan, Zhengzhou": "4101", "hnzz": "4101",
		"河南省 / 郑州市": "4101", "chongqing": "50", "Inner Mongolia": "15", "内蒙古": "15", "郑州中原": "410102", "金水": "410105", "nj": "3201", "上海黄浦": "310101", "shhp": "310101",
	} {
		if got := codes(text, 3, 1); got != want {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
	require.Contains(t, strings.Fields(codes("zz", 3, 50)), "4101")
	require.Contains(t, strings.Fields(codes("郑州", 3, 50)), "410102", "those below follow")
	require.Equal(t, "4101", codes("郑州", 2, 50))
	require.Equal(t, "", codes("郑州", 1, 50))
	for _, nothing := range []string{"", "  ", "/", "没有这个地方", "河南 苏州", "%", "qqqq", "市辖区"} {
		require.Equal(t, "", codes(nothing, 3, 50), nothing)
	}
	require.True(t, s.find("中原区", 3, 1)[0].Leaf)
	require.False(t, s.find("河南", 3, 1)[0].Leaf)
}

// BenchmarkPlaceSearch: a key is answered in a few milliseconds.
func BenchmarkPlaceSearch(b *testing.B) {
	s := china(b)
	s.index()
	for b.Loop() {
		s.find("zhengzhou", 3, 50)
	}
}
