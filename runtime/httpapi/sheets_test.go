package httpapi

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/record"
)

// paper prints records of the example with a template, as a file.
func (w *world) paper(t *testing.T, locale, schema, template string, ids ...string) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]any{"schemaCode": schema, "queryCode": schema, "objectIds": ids, "code": template})
	require.NoError(t, err)
	got := w.send(t, call{method: http.MethodPost, path: "/api/runtime/print/pdf", body: string(body), actor: administrator,
		headers: map[string]string{"Accept-Language": locale, "Origin": "http://example.com"}})
	require.Equal(t, http.StatusOK, got.Code, "%s", got.Body)
	if dir := os.Getenv("SHEETS"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, template+"-"+locale+".pdf"), got.Body.Bytes(), 0o600))
	}
	return got.Body.Bytes()
}

func TestSheets(t *testing.T) {
	for _, s := range []struct{ template, schema, key string }{{"m01", "measurement", "JL-002-12-003"}, {"m02", "period", "JL-002-12"}, {"m03", "period", "JL-002-12"}, {"p01", "certificate", "ZS-002-12"}, {"inspection", "inspection", "JYP-2024-001"}} {
		id := record.DataID("shiplock", s.schema, s.key)
		shared.paper(t, "zh", s.schema, s.template, id)
		if os.Getenv("SHEETS") != "" {
			shared.paper(t, "en", s.schema, s.template, id)
		}
	}
}
