package report_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/internal/plugintest"
)

// bare is the type of a pack whose properties offer neither filters nor figures.
type bare struct{ property.Type }

func (bare) Name() string { return "Bare" }

func (bare) Wire() int { return 990 }

func (b bare) Compile(d def.Property, s property.Scope) (property.Property, diag.List) {
	p, out := b.Type.Compile(d, s)
	return struct{ property.Property }{p}, out
}

// TestBareProperties: a property whose type offers neither filters nor figures is refused for both, and can be grouped by.
func TestBareProperties(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	text, ok := set.Properties.Get("ShortText")
	require.True(t, ok)
	require.NoError(t, set.Properties.Add(bare{text}))
	set.Freeze()
	schemas, err := compiletest.Schemas(set)
	require.NoError(t, err)
	told := func(filters, data string) (out []string) {
		files := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`)},
			"models/lot.json": {Data: []byte(`{"name": "批", "name_i18n": {"en": "Lot"}, "name_plural_i18n": {"en": "Lots"}, "properties": [
				{"code": "bare", "propertyType": "Bare", "name": "素", "name_i18n": {"en": "Bare"}},
				{"code": "title", "propertyType": "ShortText", "name": "标题", "name_i18n": {"en": "Title"}}]}`)},
			"reports/r.json": {Data: []byte(`{"name": "表", "name_i18n": {"en": "Report"}, "filters": [` + filters + `],
				"dataSets": [{"code": "a", "schemaCode": "lot", ` + data + `}],
				"charts": [{"code": "a", "chartType": "figure", "dataSet": "a", "measure": "n"}]}`)}}
		p, found := compile.Load(files, "", compile.Kinds(set), schemas)
		c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{})
		for _, d := range append(found, more...) {
			out = append(out, d.Code+" "+d.Pointer)
		}
		require.Equal(t, len(out) == 0, c.Report("r") != nil)
		return out
	}
	const count = `"measures": [{"code": "n", "sumType": "count"}]`
	const titled = `{"code": "f", "schemaCode": "lot", "propertyCode": "title"}`
	require.Empty(t, told(titled, `"filters": ["f"], "groups": ["bare"], `+count))
	require.Equal(t, []string{"REPORT001 /filters/0/propertyCode"},
		told(`{"code": "f", "schemaCode": "lot", "propertyCode": "bare"}`, count))
	require.Equal(t, []string{"REPORT001 /dataSets/0/filters/0/propertyCode"},
		told(titled, `"filters": [{"filter": "f", "propertyCode": "bare"}], `+count))
	require.Equal(t, []string{"REPORT008 /dataSets/0/measures/0/propertyCode"},
		told(titled, `"filters": ["f"], "measures": [{"code": "n", "sumType": "sum", "propertyCode": "bare"}]`))
}
