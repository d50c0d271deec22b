package quality_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality"
)

// counts are what an import says it did.
func broughtIn(text string) []int {
	var done struct{ Inserted, Updated, Skipped int }
	if err := json.Unmarshal([]byte(text), &done); err != nil {
		panic(err)
	}
	return []int{done.Inserted, done.Updated, done.Skipped}
}

// excel imports a breakdown, components and bindings from files, after mistakes are told.
func excel(t *testing.T, s *site) {
	name, file := s.download(s.owner, v2+"/excel/template", in{"kind": "QBS"})
	require.Equal(t, "工程划分.xlsx", name)
	require.Equal(t, "PK", string(file[:2]))
	const head = "层级,编码,名称,上级编码,数量,桩号,合同段\n"
	pre := func(kind, text string) (out struct {
		Token   string
		OK, Bad int
		Ignored []string
		Rows    []quality.ImportRow
	}) {
		t.Helper()
		got, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", text, in{"kind": kind, "projectKey": s.key})
		require.NoError(t, err, told(err))
		require.NoError(t, json.Unmarshal([]byte(got), &out))
		return out
	}
	mixed := pre("QBS", head+"单位工程,01,船闸,,,,\n分部工程,,闸室,,,,\n分项工程,,底板,,\"1,012.5\",K0+100-K0+180,\n分项工程,,底板二,,\"12,5\",K2~K1,\n,01-09,没有层级,,,,\n分项工程,01,重复,,,,\n分项工程,X,孤儿,Y,,,\n分项工程,Z,合同,,,,NONE\n单位工程,02,,,,,\n检验批,02-1,批,,,,\n")
	require.Equal(t, []int{3, 7}, []int{mixed.OK, mixed.Bad})
	kinds := ""
	for _, r := range mixed.Rows {
		for _, e := range r.Errors {
			kinds += fmt.Sprintf("%d:%s:%s ", r.Row, e.Col, e.Kind)
		}
	}
	require.Equal(t, "5:designQty:FORBIDDEN 5:station:FORBIDDEN 6:nodeType:EMPTY 7:code:REPEAT 8:parentCode:NOEXIT 9:contract:NOEXIT 10:name:EMPTY 11:parentCode:NOEXIT ", kinds)
	refused(t, s.fails(s.owner, "POST", v2+"/excel/import", in{"token": mixed.Token, "mode": "allOrNothing"}), quality.ImportBad)
	require.Equal(t, []int{4, 0, 6}, broughtIn(s.must(s.owner, "POST", v2+"/excel/import",
		in{"token": mixed.Token, "mode": "skipBad", "corrections": []in{{"row": 5, "data": in{"designQty": "7", "station": ""}}}}, nil)))
	refused(t, s.fails(s.owner, "POST", v2+"/excel/import", in{"token": mixed.Token, "mode": "skipBad"}), quality.ImportGone)
	var found []struct{ ID, Code string }
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "keyword": "底板"}, &found)
	require.Equal(t, "01-01-01", found[0].Code)
	require.Equal(t, "01-01-02", found[1].Code)
	item := s.get(s.owner, "q_qbs", found[0].ID)
	require.Equal(t, []any{"1012.5", "K0+100", "K0+180"}, []any{strings.TrimRight(fmt.Sprint(item["designQty"]), "0"), item["stationFrom"], item["stationTo"]})
	odd := pre("QBS", "层级,编码,名称,起桩号\n单位工程,08,单位,12+3\n")
	require.Equal(t, []string{"起桩号"}, odd.Ignored, "a column that is not read is named")
	there := head + "分项工程,01-01-01,底板（改）,,,,\n"
	require.Equal(t, 1, pre("QBS", there).Bad, "it is there already")
	require.Equal(t, []int{0, 1, 0}, broughtIn(s.must(s.owner, "POST", v2+"/excel/import", in{"token": pre("QBS", there).Token, "mode": "allOrNothing", "overwrite": true}, nil)))
	spelled := pre("QBS", "层级,编码,名称,主要工程,计划开工\n"+
		"单位工程,11,一,是,2026-03-05\n单位工程,12,二,YES,2026/3/5\n单位工程,13,三,√,2026.3.5\n单位工程,14,四,n,2026年3月5日\n单位工程,15,五,,2026-03-05 14:30:00\n单位工程,16,六,大概,3月初\n单位工程,17,七,0,2026-02-30\n")
	require.Equal(t, []int{5, 2}, []int{spelled.OK, spelled.Bad})
	wrong := map[int]string{}
	for _, r := range spelled.Rows {
		for _, e := range r.Errors {
			wrong[r.Row] += e.Col + ":" + e.Kind + " "
		}
	}
	require.Equal(t, map[int]string{7: "mainFlag:FORBIDDEN planStart:FORBIDDEN ", 8: "planStart:FORBIDDEN "}, wrong)
	s.must(s.owner, "POST", v2+"/excel/import", in{"token": spelled.Token, "mode": "skipBad"}, nil)
	for code, want := range map[string][]any{"11": {true, "2026-03-05"}, "12": {true, "2026-03-05"}, "13": {true, "2026-03-05"}, "14": {false, "2026-03-05"}, "15": {false, "2026-03-05"}} {
		s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "keyword": code}, &found)
		node := s.get(s.owner, "q_qbs", found[0].ID)
		main, _ := node["mainFlag"].(bool)
		require.Equal(t, want, []any{main, node["planStart"]}, code)
	}
	late := pre("QBS", head+"单位工程,07,晚,,,,\n")
	s.Advance(31 * 60 * 1e9)
	refused(t, s.fails(s.owner, "POST", v2+"/excel/import", in{"token": late.Token, "mode": "skipBad"}), quality.ImportGone)
	_, err := s.upload(s.owner, v2+"/excel/preImport", "a.csv", "编码\n01\n", in{"kind": "QBS", "projectKey": s.key})
	refused(t, err, fault.ImportColumnMissing)
	_, err = s.upload(s.owner, v2+"/excel/preImport", "a.csv", "层级,编码,名称\n", in{"kind": "QBS", "projectKey": s.key})
	refused(t, err, fault.ImportNoRows)
	_, err = s.upload(s.owner, v2+"/excel/preImport", "a.csv", "编码\n01\n", in{"kind": "MBS", "projectKey": s.key})
	refused(t, err, fault.Forbidden)

	library := pre("JBS", "编码,名称,类别,上级编码,紧前工序\nE,模板,工序模板,,\nE-1,一,,E,\nE-2,二,工序,E,E-1\nE-3,三,工序,E,E-9\n")
	require.Equal(t, []int{3, 1}, []int{library.OK, library.Bad})
	s.must(s.owner, "POST", v2+"/excel/import", in{"token": library.Token, "mode": "skipBad"}, nil)
	var tree []quality.LibraryNode
	text := s.must(s.owner, "GET", v2+"/system/baseTree", in{}, &tree)
	require.Contains(t, text, `"code":"E-2"`)

	bim := s.Person("bim-excel", "R_BIM")
	got, err := s.upload(bim, "/api/code_mbs/data_import", "m.csv", "code,guid,name,parentCode,type,volume,bbox\nP,g0,闸室,,,,\nP-1,g1,底板,P,IfcSlab,12.5,9 5 -1; 0 -5 0\nP-1,g1,又一,P,,,\nP-2,g2,墙,Q,,,\nP-3,g3,柱,P,,,1 2 3 4 5\n", in{"projectKey": s.key})
	require.NoError(t, err, told(err))
	var imported struct {
		Inserted, Updated int
		Errors            []struct{ Row int }
	}
	require.NoError(t, json.Unmarshal([]byte(got), &imported))
	require.Equal(t, []int{2, 0, 3}, []int{imported.Inserted, imported.Updated, len(imported.Errors)}, got)
	require.Contains(t, s.must(bim, "GET", v2+"/mbs/tree", in{"projectKey": s.key}, nil), `"bbox":[0,-5,-1,9,5,0]`, "the lower corner comes first")
	refused(t, s.Do(bim, func(ctx context.Context, w world.World) error {
		_, err := w.Create(ctx, "b_mbs", in{"projectId": s.project, "code": "P-4", "componentName": "x", "bbox": "0 0 0 1 1 up"})
		return err
	}), fault.FieldPattern)
	bind := pre("REL", "划分编码,构件编码\n01-01-01,P-1\n01-01-09,P-1\n01-01-01,P-7\n")
	require.Equal(t, []int{1, 2}, []int{bind.OK, bind.Bad})
	require.Equal(t, []int{1, 0, 2}, broughtIn(s.must(s.owner, "POST", v2+"/excel/import", in{"token": bind.Token, "mode": "skipBad"}, nil)))
}
