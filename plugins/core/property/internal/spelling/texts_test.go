package spelling_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/diag"
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

// line is one of the cases: a text, and what an import makes of it, as JSON.
type line struct {
	typ, options, text, want string
}

// cases reads testdata/texts.txt, which says how.
func cases(t *testing.T) (zone string, out []line) {
	raw, err := os.ReadFile("testdata/texts.txt")
	require.NoError(t, err)
	var of line
	for row := range strings.Lines(string(raw)) {
		row = strings.TrimSpace(row)
		if row == "" || strings.HasPrefix(row, "# ") {
			continue
		}
		if name, is := strings.CutPrefix(row, "zone "); is {
			zone = name
			continue
		}
		if strings.HasPrefix(row, "[") {
			of.typ, of.options, _ = strings.Cut(strings.Trim(row, "[]"), " ")
			of.options = strings.TrimSuffix(strings.TrimPrefix(row, "["+of.typ+" "), "]")
			continue
		}
		parts := strings.Split(row, " | ")
		require.GreaterOrEqual(t, len(parts), 2, row)
		one := of
		if one.text = parts[0]; strings.HasPrefix(one.text, `"`) {
			require.NoError(t, json.Unmarshal([]byte(parts[0]), &one.text))
		}
		value := strings.TrimSpace(parts[1])
		typed, imported, both := strings.Cut(value, " ~ ")
		if both {
			value = imported
		}
		require.True(t, !both && value != "-" || len(parts) == 3, "%s: refused, or read in two ways, for a reason (typed %s)", row, typed)
		one.want = asJSON(t, value)
		out = append(out, one)
	}
	return zone, out
}

func asJSON(t *testing.T, value string) string {
	switch {
	case value == "-":
		return "null"
	case value == "true" || value == "false":
		return value
	case strings.HasPrefix(value, "["):
		var list []string
		require.NoError(t, json.Unmarshal([]byte(value), &list))
		out, err := json.Marshal(list)
		require.NoError(t, err)
		return string(out)
	}
	return `"` + value + `"`
}

// TestTexts: imports read texts as the browser reads them when they are typed or pasted (plugins/core/property/shared/texts.test.ts).
func TestTexts(t *testing.T) {
	t.Parallel()
	name, all := cases(t)
	require.Greater(t, len(all), 450)
	zone, err := time.LoadLocation(name)
	require.NoError(t, err)
	types := map[string]property.Type{}
	for _, typ := range []property.Type{checkbox.Type{}, date.Type{}, dropdown.Type{}, dropdownmulti.Type{}, logic.Type{}, number.Type{}, radio.Type{}, clock.Type{}} {
		types[typ.Name()] = typ
	}
	fields := map[string]property.Property{}
	for _, c := range all {
		p := fields[c.typ+c.options]
		if p == nil {
			typ := types[c.typ]
			require.NotNil(t, typ, c.typ)
			var problems diag.List
			p, problems = typ.Compile(propertytest.Define(typ, c.options), propertytest.Scope{At: zone})
			require.Empty(t, problems)
			fields[c.typ+c.options] = p
		}
		if got := imported(p, c.text); got != c.want {
			t.Errorf("%s %s: %q is read as %s, not as %s", c.typ, c.options, c.text, got, c.want)
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
