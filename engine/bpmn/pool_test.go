package bpmn_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/bpmn"
)

const pools = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:flowable="http://flowable.org/bpmn">
  <collaboration id="c">
    <participant id="p1" name="Customer" processRef="a"/>
    <participant id="p2" name="Shop" processRef="b"/>
    <participant id="p3" name="Bank"/>
    <messageFlow id="m" name="order" sourceRef="p1" targetRef="p2"/>
  </collaboration>
  <process id="a"><startEvent id="s1"/><sequenceFlow id="f1" sourceRef="s1" targetRef="e1"/><endEvent id="e1"/></process>
  <process id="b"><startEvent id="s2"/><sequenceFlow id="f2" sourceRef="s2" targetRef="pack_goods"/>
    <userTask id="pack_goods" flowable:assignee="$INITIATOR"/><sequenceFlow id="f3" sourceRef="pack_goods" targetRef="e2"/><endEvent id="e2"/></process>
</definitions>`

// One pool of several is taken by any of its names; what is between pools is told.
func TestOnePool(t *testing.T) {
	s := newSystem(t)
	take := func(pool string) (string, *bpmn.Result) {
		o := options("pools.bpmn")
		o.Code, o.Pool = "", pool
		got, err := bpmn.Import(strings.NewReader(pools), o)
		require.NoError(t, err)
		if got.Document == nil {
			return "", got
		}
		return s.canonical(t, got.Document), got
	}
	for _, name := range []string{"Shop", "p2", "b"} {
		document, got := take(name)
		require.Equal(t, "b", got.Code)
		require.Contains(t, document, `"id": "pack_goods"`)
		require.Contains(t, document, `{"type": "initiator"}`)
		require.NotContains(t, document, `"s1"`)
		told := reportText(t, got.Report)
		require.Contains(t, told, "a message flow between pools")
		require.Contains(t, told, "a pool without a process")
		require.Contains(t, told, "the process of another pool")
		require.NotContains(t, told, "BPMN020", "the initiator is known")
	}
	for _, name := range []string{"", "Bank", "shop"} {
		document, got := take(name)
		require.Empty(t, document, name)
		require.Contains(t, reportText(t, got.Report), "Customer, Shop")
	}
}

// Whatever an import makes, and every id that a document may have, is written again.
func TestEveryIDIsWritten(t *testing.T) {
	s := newSystem(t)
	for _, id := range []string{"check_", "_", "__1", strings.Repeat("a", 62) + "_b", strings.Repeat("步", 70), "sid-" + strings.Repeat("0-", 40)} {
		file := strings.ReplaceAll(strings.ReplaceAll(pools, "pack_goods", id), "$INITIATOR", "${initiator}")
		o := options("ids.bpmn")
		o.Pool = "Shop"
		got, err := bpmn.Import(strings.NewReader(file), o)
		require.NoError(t, err)
		require.NotNil(t, got.Document, id)
		out, _, err := bpmn.Export(got.Document, bpmn.ExportOptions{Code: "imported"})
		require.NoError(t, err, id)
		again, err := bpmn.Import(strings.NewReader(string(out)), options("again.bpmn"))
		require.NoError(t, err)
		require.NotNil(t, again.Document, "%v", again.Report.List())
		require.Equal(t, s.canonical(t, got.Document), s.canonical(t, again.Document))
	}
	written := `{"schemaCode": "request", "name": "n", "nodes": [{"id": "s_", "type": "START", "next": ["Check__"]}, {"id": "Check__", "type": "FILL", "next": ["e_"]}, {"id": "e_", "type": "END"}]}`
	out, _, err := bpmn.Export([]byte(written), bpmn.ExportOptions{Code: "w"})
	require.NoError(t, err)
	again, err := bpmn.Import(strings.NewReader(string(out)), bpmn.Options{File: "w"})
	require.NoError(t, err)
	require.Equal(t, s.canonical(t, []byte(written)), s.canonical(t, again.Document))
}
