package directory_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/place"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestPlaces: names and paths of divisions in both languages, as the records are now.
func TestPlaces(t *testing.T) {
	each(t, func(t *testing.T, db *store.DB, c *catalog.Catalog) {
		o := newCompany(t, db, c)
		places := directory.NewPlaces(db)
		ids := map[string]string{}
		put := func(code, name, english string) {
			t.Helper()
			_, was := ids[code]
			if !was {
				ids[code] = o.id()
			}
			o.write(func(ctx context.Context, tx *store.Tx) error {
				return o.put(tx, told, "division", ids[code], !was, map[string]any{"code": code, "name": name, "nameEn": english})
			})
		}
		put("41", "河南省", "Henan")
		require.Empty(t, places.Below(""), "without a catalog")
		require.Nil(t, places.Path("41", "zh"))
		places.Use(c)
		require.Equal(t, []place.Division{{Code: "41", Name: "河南省", NameEn: "Henan", Leaf: true}}, places.Below(""))
		put("4102", "开封市", "")
		put("4101", "郑州市", "Zhengzhou")
		put("410105", "金水区", "Jinshui")
		put("990101", "孤区", "Alone") // what holds it is not there
		require.Equal(t, []place.Division{{Code: "41", Name: "河南省", NameEn: "Henan"}}, places.Below(""), "something is below it now")
		require.Equal(t, []place.Division{{Code: "4101", Name: "郑州市", NameEn: "Zhengzhou"}, {Code: "4102", Name: "开封市", Leaf: true}}, places.Below("41"))
		require.Empty(t, places.Below("4102"))
		for code, want := range map[string][2][]string{
			"41":     {{"河南省"}, {"Henan"}},
			"410105": {{"河南省", "郑州市", "金水区"}, {"Henan", "Zhengzhou", "Jinshui"}},
			"4102":   {{"河南省", "开封市"}, {"Henan", "开封市"}},
			"990101": {{"孤区"}, {"Alone"}},
			"99":     {}, "": {},
		} {
			require.Equal(t, want, [2][]string{places.Path(code, "zh"), places.Path(code, "en")}, code)
		}
		for word, want := range map[string][]string{"郑州": {"4101", "410105"}, "河南省郑州市": {"4101", "410105"}, "HENAN zheng": {"4101", "410105"}, "jin": {"410105"}, "开封": {"4102"}, "nowhere": nil,
			"": {"41", "4101", "410105", "4102", "990101"}} {
			require.Equal(t, want, places.Find(word), word)
		}
		codes := func(of []directory.Division) (out []string) {
			for _, d := range of {
				out = append(out, d.Code)
			}
			return out
		}
		require.Equal(t, []place.Division{{Code: "41", Name: "河南省", NameEn: "Henan"}, {Code: "4101", Name: "郑州市", NameEn: "Zhengzhou"}}, places.Above("410105"))
		require.Empty(t, places.Above("990101"))
		require.Empty(t, places.Above("41"))
		require.Equal(t, []string{"4101", "410105"}, codes(places.Search("zheng", 3, 10)))
		require.Equal(t, []string{"4101"}, codes(places.Search("zheng", 3, 1)))
		put("4101", "新郑州", "New")
		require.Equal(t, []string{"河南省", "新郑州"}, places.Path("4101", "zh"), "a change is seen")
		require.Equal(t, []string{"410105"}, codes(places.Search("jinshui", 3, 10)))
		require.Equal(t, []string{"4101", "410105"}, codes(places.Search("xinzheng", 3, 10)))
	})
}
