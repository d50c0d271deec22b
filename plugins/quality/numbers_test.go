package quality_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tooLarge are numbers that no count holds, whole numbers as others write them, and one of which the digits alone would fill the memory.
var tooLarge = []string{"9223372036854775808", "-9223372036854775809", "1e19", "2.0", "1e400", "1e999999999", "1e99999999999"}

// numbers: a number beyond what is counted is refused or taken, in every call and in every number of a file, and ends none of them.
func numbers(t *testing.T, s *site) {
	n := s.small()
	begun, tried := time.Now(), 0
	for _, route := range s.State().Catalog.Routes {
		if !strings.Contains(route.Path, "/quality/") && !strings.Contains(route.Path, "/code_mbs/") {
			continue
		}
		var schema struct {
			Required   []string
			Properties map[string]struct {
				Type  any
				Enum  []any
				Items json.RawMessage
			}
			AdditionalProperties bool
		}
		require.NoError(t, json.Unmarshal(route.Input.JSON(), &schema))
		numeric := []string{}
		if schema.AdditionalProperties {
			numeric = append(numeric, "version", "sortKey", "designQty", "ratio")
		}
		values := in{"id": n.item, "qbsId": n.item, "projectKey": s.key, "kind": "QBS", "appCode": "quality"}
		for name, p := range schema.Properties {
			if kind, _ := p.Type.(string); kind == "integer" || kind == "number" {
				numeric = append(numeric, name)
			}
			if len(p.Enum) > 0 {
				values[name] = p.Enum[0]
			}
		}
		for _, name := range schema.Required {
			if _, given := values[name]; !given {
				values[name] = n.item
				if kind, _ := schema.Properties[name].Type.(string); kind == "array" {
					values[name] = []string{n.item}
				}
			}
		}
		for name := range values {
			if _, known := schema.Properties[name]; !known && !schema.AdditionalProperties {
				delete(values, name)
			}
		}
		for _, name := range numeric {
			for _, number := range tooLarge {
				values[name] = json.RawMessage(number)
				body, err := json.Marshal(values)
				require.NoError(t, err)
				s.anyCall(s.owner, route, body)
				tried++
			}
			delete(values, name)
		}
	}
	require.Greater(t, tried, 100)
	for _, number := range tooLarge {
		for kind, text := range map[string]string{"QBS": "层级,编码,名称,数量\n单位工程,N,甲," + number, "JBS": "编码,名称,排序\nN1,甲," + number, "REL": "划分编码,构件编码,比例\n01,01," + number} {
			_, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", text+"\n", in{"kind": kind, "projectKey": s.key})
			require.NoError(t, err, "%s %s: %s", kind, number, told(err))
		}
	}
	require.Less(t, time.Since(begun), time.Minute)
}
