package date_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/date"
	clock "github.com/sluice-platform/sluice/plugins/core/property/time"
	"github.com/stretchr/testify/require"
)

// TestTexts runs the cases that the browser's reader of typed and pasted texts runs too. The server takes few of those texts, and
// means the same by each; every value that the browser reads is stored as it is.
func TestTexts(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/texts.json")
	require.NoError(t, err)
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &all))
	var formats map[string]string
	var server map[string][]string
	require.NoError(t, json.Unmarshal(all["formats"], &formats))
	require.NoError(t, json.Unmarshal(all["server"], &server))
	require.Len(t, formats, 7)
	// A day is a value of every calendar field, whatever its format shows of it; typed into a month's box it is a mistake.
	days := []string{"2026-12-15"}
	for kind, format := range formats {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var cases map[string]*string
			require.NoError(t, json.Unmarshal(all[kind], &cases))
			var typ property.Type = date.Type{}
			if kind == "time" {
				typ = clock.Type{}
			}
			p, problems := typ.Compile(propertytest.Define(typ, `{"displayFormat": "`+format+`"}`), propertytest.Scope{})
			require.Empty(t, problems)
			stored := func(text string) string {
				v, err := p.Parse(text)
				if err != nil {
					return "refused"
				}
				return string(p.AppendJSON(nil, v, nil))
			}
			for _, text := range server[kind] {
				require.Contains(t, cases, text, "a text of the server without a case")
			}
			for text, want := range cases {
				switch {
				case text == "":
				case want == nil && slices.Contains(days, text):
					require.Equal(t, `"`+text+`"`, stored(text), "%q", text)
				case !slices.Contains(server[kind], text) && (want == nil || *want != text):
					require.Equal(t, "refused", stored(text), "%q", text)
				default:
					require.Equal(t, `"`+*want+`"`, stored(text), "%q", text)
				}
				if want != nil {
					require.Equal(t, `"`+*want+`"`, stored(*want), "%q", *want)
				}
			}
		})
	}
}
