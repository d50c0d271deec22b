package spelling_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/checkbox"
	"github.com/sluice-platform/sluice/plugins/core/property/date"
	"github.com/sluice-platform/sluice/plugins/core/property/dropdown"
	"github.com/sluice-platform/sluice/plugins/core/property/dropdownmulti"
	"github.com/sluice-platform/sluice/plugins/core/property/logic"
	"github.com/sluice-platform/sluice/plugins/core/property/number"
	"github.com/sluice-platform/sluice/plugins/core/property/radio"
	clock "github.com/sluice-platform/sluice/plugins/core/property/time"
)

// imported is what the text of a cell becomes, as JSON; "null" when it is not read, or is empty.
func imported(p property.Property, text string) string {
	var v any
	var err error
	if r, ok := p.(property.CellReader); ok {
		v, err = r.ReadCell(property.Cell{Kind: property.CellText, Text: text})
	} else {
		v, err = p.Parse(text)
	}
	if err != nil || v == nil {
		return "null"
	}
	return string(p.AppendJSON(nil, v, nil))
}

// want is what an import makes of a case. A case may have an answer for each reader.
func want(t *testing.T, c json.RawMessage) string {
	var both struct {
		Imported json.RawMessage
		Why      string
	}
	if c[0] == '{' {
		require.NoError(t, json.Unmarshal(c, &both))
		require.NotEmpty(t, both.Why, "two readers may differ with a reason only")
		c = both.Imported
	}
	var v any
	require.NoError(t, json.Unmarshal(c, &v))
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}

// TestTexts: imports read texts as the browser reads them when they are typed or pasted (plugins/core/property/shared/texts.test.ts).
func TestTexts(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/texts.json")
	require.NoError(t, err)
	var corpus struct {
		Zone  string
		Types []struct {
			Type    string
			Options json.RawMessage
			Cases   map[string]json.RawMessage
		}
	}
	require.NoError(t, json.Unmarshal(raw, &corpus))
	zone, err := time.LoadLocation(corpus.Zone)
	require.NoError(t, err)
	types := map[string]property.Type{}
	for _, typ := range []property.Type{checkbox.Type{}, date.Type{}, dropdown.Type{}, dropdownmulti.Type{}, logic.Type{}, number.Type{}, radio.Type{}, clock.Type{}} {
		types[typ.Name()] = typ
	}
	for _, c := range corpus.Types {
		typ := types[c.Type]
		require.NotNil(t, typ, c.Type)
		p, problems := typ.Compile(propertytest.Define(typ, string(c.Options)), propertytest.Scope{At: zone})
		require.Empty(t, problems)
		for text, v := range c.Cases {
			if got := imported(p, text); got != want(t, v) {
				t.Errorf("%s %s: %q is read as %s, not as %s", c.Type, c.Options, text, got, want(t, v))
			}
		}
	}
}

// TestNoTextMeansTwoDays: whatever the browser makes of a text, an import makes the same of it or nothing.
func TestNoTextMeansTwoDays(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../date/testdata/texts.json")
	require.NoError(t, err)
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &all))
	var formats map[string]string
	require.NoError(t, json.Unmarshal(all["formats"], &formats))
	for kind, format := range formats {
		var cases map[string]*string
		require.NoError(t, json.Unmarshal(all[kind], &cases))
		var typ property.Type = date.Type{}
		if kind == "time" {
			typ = clock.Type{}
		}
		p, problems := typ.Compile(propertytest.Define(typ, `{"displayFormat": "`+format+`"}`), propertytest.Scope{})
		require.Empty(t, problems)
		for text, v := range cases {
			got := imported(p, text)
			if got != "null" && v != nil && got != `"`+*v+`"` {
				t.Errorf("%s: %q is %s when imported and %q when typed", kind, text, got, *v)
			}
		}
	}
}
