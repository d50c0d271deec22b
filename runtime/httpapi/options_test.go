package httpapi

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRelationsOfferWhatTheirConditionAllows: the item of an inspection lot is chosen among items, not among the units and
// parts above them (examples/ship-lock: "condition": "level == 'ITEM'").
func TestRelationsOfferWhatTheirConditionAllows(t *testing.T) {
	var offered, all, items struct {
		Total int64 `json:"totalElements"`
	}
	shared.get(t, administrator, "/api/runtime/form/options?schemaCode=inspection&propertyCode=qbs&size=20").into(t, &offered)
	shared.post(t, administrator, "/api/runtime/query/list", `{"schemaCode":"qbs","size":1}`).into(t, &all)
	shared.post(t, administrator, "/api/runtime/query/list",
		`{"schemaCode":"qbs","size":1,"filters":[{"propertyCode":"level","propertyValue":"ITEM","queryFilterType":"Equal"}]}`).into(t, &items)
	require.Positive(t, offered.Total)
	require.Equal(t, items.Total, offered.Total)
	require.Less(t, offered.Total, all.Total)

	var found struct {
		Content []struct{ Name string }
	}
	path := "/api/runtime/form/options?schemaCode=inspection&propertyCode=qbs&size=20&keyword=" + url.QueryEscape("止水")
	shared.get(t, administrator, path).into(t, &found)
	require.NotEmpty(t, found.Content)
	for _, c := range found.Content {
		require.Contains(t, c.Name, "止水")
	}
}
