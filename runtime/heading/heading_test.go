package heading_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/heading"
)

// hard is a model in which much is called the same: as what the engine adds, as another one's code, in another language, with brackets, with
// what separates a sub-table from its columns.
var hard = map[string]string{
	"pack.json":         `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
	"models/other.json": `{"name": "其他", "properties": [{"code": "state", "propertyType": "ShortText", "name": "情况"}]}`,
	"models/lot.json": `{"name": "检验批", "properties": [
		{"code": "state", "propertyType": "ShortText", "name": "状态", "name_i18n": {"en": "Status"}},
		{"code": "kind", "propertyType": "ShortText", "name": "所有者", "name_i18n": {"en": "Owner"}},
		{"code": "title", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "ID"}},
		{"code": "first", "propertyType": "ShortText", "name": "数量"},
		{"code": "second", "propertyType": "ShortText", "name": "数 量", "name_i18n": {"en": "first"}},
		{"code": "required", "propertyType": "Logic", "name": "必填", "name_i18n": {"en": "Required"}},
		{"code": "must", "propertyType": "Logic", "name": "要 *", "name_i18n": {"en": "Must (required)"}},
		{"code": "amount", "propertyType": "ShortText", "name": "金额（元）", "name_i18n": {"en": "Amount (first)"}},
		{"code": "flat", "propertyType": "ShortText", "name": "检查.结论", "name_i18n": {"en": "Checks.Result"}},
		{"code": "other", "propertyType": "RelevanceForm", "name": "其他", "name_i18n": {"en": "Other"}, "relativeCode": "other"},
		{"code": "photos", "propertyType": "Attachment", "name": "附件", "name_i18n": {"en": "Title"}},
		{"code": "more", "propertyType": "ShortText", "name": "附件", "name_i18n": {"en": "Photos"}},
		{"code": "checks", "propertyType": "Sheet", "name": "检查", "name_i18n": {"en": "Checks"}, "properties": [
			{"code": "result", "propertyType": "ShortText", "name": "结论", "name_i18n": {"en": "Result"}},
			{"code": "again", "propertyType": "ShortText", "name": "结论", "name_i18n": {"en": "Result"}},
			{"code": "mark", "propertyType": "ShortText", "name": "ID"}]},
		{"code": "recheck", "propertyType": "Sheet", "name": "检查", "name_i18n": {"en": "Checks"}, "properties": [
			{"code": "result", "propertyType": "ShortText", "name": "左/右-上.下", "name_i18n": {"en": "A/B-C.D"}}]},
		{"code": "tail", "propertyType": "Sheet", "name": "甲-乙/丙", "name_i18n": {"en": "x_y: z"}, "properties": [
			{"code": "result", "propertyType": "ShortText", "name": "结论", "name_i18n": {"en": "Result"}}]}]}`,
	"lists/lot.json": `{"schemaCode": "lot", "name": "检验批", "queryColumns": [
		{"propertyCode": "first", "name": "件数", "name_i18n": {"en": "Pieces"}},
		{"propertyCode": "second", "name": "名称", "name_i18n": {"en": "Second"}},
		{"propertyCode": "other.state", "name": "状态", "name_i18n": {"en": "Status"}}]}`,
}

func compiled(t *testing.T) (*catalog.Model, *catalog.List) {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	c := compiletest.Pack(t, set, hard, time.UTC)
	return c.Model("lot"), c.List("lot")
}

// Each heading that is written is read as its column, and what no import can write as none.
func TestWrittenIsRead(t *testing.T) {
	t.Parallel()
	m, l := compiled(t)
	n := heading.Of(m, heading.All(m), l)
	writes := map[string]bool{}
	for _, c := range heading.All(m) {
		writes[c.Code()] = true
	}
	for _, locale := range []string{"zh", "en"} {
		used := map[string]string{}
		check := func(code, written, got string) {
			t.Helper()
			require.Empty(t, used[written], "%s and %s", code, used[written])
			used[written] = code
			if want := code; writes[code] || strings.HasSuffix(code, heading.ID) {
				require.Equal(t, want, got, written)
			} else {
				require.Empty(t, got, written)
			}
		}
		own := func(code, label string) {
			text := n.Written(code, label)
			require.Equal(t, n.Own(text), n.Single(text))
			check(code, text, n.Own(text))
		}
		own(heading.ID, "ID")
		for _, c := range l.Columns {
			own(c.Path.Code, c.Label.In(locale))
		}
		used = map[string]string{}
		for _, f := range m.Fields {
			if f.Sheet == nil && f.Code != heading.ID {
				own(f.Code, f.Label.In(locale))
			}
			if f.Sheet == nil {
				continue
			}
			group := f.Label.In(locale)
			require.Equal(t, f, n.Group(n.WrittenGroup(f, group)))
			for _, g := range append([]*catalog.Field{{Code: heading.ID}}, f.Sheet.Fields...) {
				if g.System {
					continue
				}
				label := g.Label.In(locale)
				if g.Code == heading.ID {
					label = "ID"
				}
				code := f.Code + "." + g.Code
				require.Equal(t, code, n.Within(f, n.WrittenWithin(f, g.Code, label)))
				text := n.WrittenSingle(f, group, g.Code, label)
				check(code, text, n.Single(text))
			}
		}
	}
}

// What people see: labels alone wherever they are enough.
func TestWritten(t *testing.T) {
	t.Parallel()
	m, l := compiled(t)
	n := heading.Of(m, heading.All(m), l)
	for code, want := range map[string][2]string{
		"state": {"状态", "Status"}, "sequenceStatus": {"单据状态", "Status（sequenceStatus）"}, "kind": {"所有者", "Owner"}, "owner": {"拥有者", "Owner（owner）"},
		"first": {"数量（first）", "数量（first）"}, "second": {"数 量（second）", "first（second）"}, "required": {"必填", "Required"}, "amount": {"金额（元）", "Amount (first)"},
		"photos": {"附件（photos）", "Title（photos）"}, "more": {"附件", "Photos"},
	} {
		f := m.Field(code)
		require.Equal(t, want, [2]string{n.Written(code, f.Label.In("zh")), n.Written(code, f.Label.In("en"))}, code)
	}
	require.Equal(t, "状态（other.state）", n.Written("other.state", "状态"))
	require.Equal(t, "检查（checks）.结论（result）", n.WrittenSingle(m.Field("checks"), "检查", "result", "结论"))
	require.Equal(t, "甲-乙/丙.结论", n.WrittenSingle(m.Field("tail"), "甲-乙/丙", "result", "结论"))
}

// What people write: marks of required columns, other width and case, codes, headings of sub-tables in one cell.
func TestRead(t *testing.T) {
	t.Parallel()
	m, l := compiled(t)
	n := heading.Of(m, heading.All(m), l)
	for text, want := range map[string]string{"STATUS *": "state", "状态（必填）": "state", "Status (required)": "state", "状 态(STATE)": "state", "件数": "first", "Pieces": "first", "数量": "first",
		"状态（sequenceStatus）": "", "状态（nothing）": "", "金额(元)": "amount", "甲-乙/丙 / 结论": "tail.result", "x_y: z - Result": "tail.result", "检查（recheck）·A/B-C.D": "recheck.result",
		"tail.result": "tail.result", "检查.结论": "flat", "Required": "required", "必填（required）": "required", "nothing": "", "检查.nothing": "", "（state）": "", "": ""} {
		require.Equal(t, want, n.Single(text), text)
	}
	for text, want := range map[string]bool{"state": true, "STATE": true, "checks.id": true, "other.state": true, "photos": true, "id": true, "状态": false, "none": false} {
		_, known := n.Code(text)
		require.Equal(t, want, known, text)
	}
	require.Equal(t, "状态, 甲-乙/丙.结论, none", n.Labels([]string{"state", "tail.result", "none"}, "zh"))
}
