package quality_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// heads: titles above the headings, units and marks in them, and a column for each level of the breakdown instead of a level and a name.
func heads(t *testing.T, s *site) {
	type read struct {
		Token   string
		OK, Bad int
		Ignored []string
		Rows    []quality.ImportRow
	}
	pre := func(kind, text string, more in) (out read) {
		t.Helper()
		set := in{"kind": kind, "projectKey": s.key}
		for k, v := range more {
			set[k] = v
		}
		got, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", text, set)
		require.NoError(t, err, told(err))
		require.NoError(t, json.Unmarshal([]byte(got), &out))
		return out
	}
	mistakes := func(of read) (out string) {
		for _, r := range of.Rows {
			for _, e := range r.Errors {
				out += fmt.Sprintf("%d:%s:%s ", r.Row, e.Col, e.Kind)
			}
		}
		return strings.TrimSpace(out)
	}
	titled := pre("QBS", "某某船闸工程划分表,,,,\n编制单位：甲,,,日期：2026-01-01,\n层级（必填）,编 码*,名称,数量（m³）,备注\n单位工程,01,船闸,12.5,没有\n", nil)
	require.Equal(t, []any{1, 0, []string{"备注"}}, []any{titled.OK, titled.Bad, titled.Ignored}, mistakes(titled))
	require.Equal(t, 4, titled.Rows[0].Row)
	require.Equal(t, "12.5", titled.Rows[0].Data["designQty"])

	wide := "单位工程,分部工程,分项工程,检验批,单位,数量,桩号\n" +
		"一号船闸,闸室,底板,底板一,m³,120,K0+100-K0+120\n,,,底板二,m³,130,K0+120～+140\n,,闸墙,左墙一,,,\n一号船闸,闸首,边墩,,,,\n一号船闸,闸室,底板,底板三,,,\n二号船闸,闸室,底板,底板一,,,\n"
	first := pre("QBS", "工程划分\n"+wide, nil)
	require.Empty(t, mistakes(first))
	require.Equal(t, 14, first.OK, "each node once")
	s.must(s.owner, "POST", v2+"/excel/import", in{"token": first.Token, "mode": "allOrNothing"}, nil)
	var tree []*quality.TreeNode
	s.must(s.owner, "GET", v2+"/qbs/complete/tree", in{"projectKey": s.key}, &tree)
	var drawn strings.Builder
	var draw func(nodes []*quality.TreeNode)
	draw = func(nodes []*quality.TreeNode) {
		for _, n := range nodes {
			fmt.Fprintf(&drawn, "%s %s %s\n", n.Code, n.NodeType, n.Title)
			draw(n.Children)
		}
	}
	draw(tree)
	require.Equal(t, "01 UNIT 一号船闸\n01-01 DIVISION 闸室\n01-01-01 ITEM 底板\n01-01-01-01 LOT 底板一\n01-01-01-02 LOT 底板二\n01-01-01-03 LOT 底板三\n01-01-02 ITEM 闸墙\n01-01-02-01 LOT 左墙一\n"+
		"01-02 DIVISION 闸首\n01-02-01 ITEM 边墩\n02 UNIT 二号船闸\n02-01 DIVISION 闸室\n02-01-01 ITEM 底板\n02-01-01-01 LOT 底板一\n", drawn.String())
	lot := s.get(s.owner, "q_qbs", tree[0].Children[0].Children[0].Children[1].ID)
	require.Equal(t, []any{"K0+120", "K0+140", "m³"}, []any{lot["stationFrom"], lot["stationTo"], lot["unit"]})

	more := pre("QBS", "单位工程名称,分部工程名称,分项工程名称,检验批名称\n一号船闸,闸室,底板,底板四\n,,,底板一\n,,,底板四\n", nil)
	require.Equal(t, "3:name:REPEAT 4:name:REPEAT", mistakes(more), "what is there is found by its names, and nothing comes twice")
	done := s.must(s.owner, "POST", v2+"/excel/import", in{"token": more.Token, "mode": "skipBad"}, nil)
	require.Equal(t, []int{1, 0, 2}, broughtIn(done))

	coded := pre("QBS", "单位工程编码,单位工程,分部工程编码,分部工程\n80,三号船闸,80.1,闸室\n80,三号船闸,80.10,闸首\n", nil)
	require.Empty(t, mistakes(coded))
	require.Equal(t, 3, coded.OK)
	_, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", "标题\n说明\n", in{"kind": "QBS", "projectKey": s.key})
	refused(t, err, fault.ImportColumnMissing)
	other := pre("JBS", "标准工序库,,\n编码,名称,排序\nH1,甲,1\n", nil)
	require.Equal(t, 1, other.OK, mistakes(other))
	name, template := s.download(s.owner, v2+"/excel/template", in{"kind": "QBS"})
	require.NotEmpty(t, template, name)
}
