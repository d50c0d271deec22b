package record_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/sluice-platform/sluice/runtime/record"
)

// TestNameBelow: what is written below the write path is named as there, but for references, whose names are not known there.
func TestNameBelow(t *testing.T) {
	set := &pack.Set{}
	must(t, plugins.Register(set))
	set.Freeze()
	c := compiletest.Pack(t, set, map[string]string{
		"pack.json":        `{"code": "demo", "name": "演示", "version": "1.0.0"}`,
		"models/plan.json": `{"name": "计划", "properties": [{"code": "title", "propertyType": "ShortText", "name": "标题"}]}`,
		"models/lot.json": `{"name": "批", "digest": "{part} of {plan}", "properties": [
			{"code": "part", "propertyType": "ShortText", "name": "部位"},
			{"code": "plan", "propertyType": "RelevanceForm", "name": "计划", "relativeCode": "plan"}]}`}, nil)
	m := c.Model("lot")
	for _, x := range []struct {
		row        map[string]any
		name, says any
	}{
		{map[string]any{"part": "闸室", "plan": "01900000-0000-7000-8000-000000000001"}, "闸室 of", record.Pinyin("闸室 of")},
		{map[string]any{"plan": "01900000-0000-7000-8000-000000000001"}, "of", nil},
	} {
		record.Name(m, x.row)
		if x.row["name"] != x.name || x.row[record.NamePinyin] != x.says {
			t.Errorf("named %q, %q", x.row["name"], x.row[record.NamePinyin])
		}
	}
}
