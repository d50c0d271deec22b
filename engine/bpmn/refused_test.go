package bpmn_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/bpmn"
	"github.com/sluice-platform/sluice/engine/diag"
)

// What cannot be taken is refused with its place, id and name.
func TestRefused(t *testing.T) {
	a, err := txtar.ParseFile("testdata/refused.txtar")
	require.NoError(t, err)
	var b strings.Builder
	codes := map[string]bool{}
	for _, f := range a.Files {
		got, err := bpmn.Import(bytes.NewReader(f.Data), options(f.Name))
		require.NoError(t, err)
		require.Nil(t, got.Document, f.Name)
		require.True(t, got.Report.Refused(), f.Name)
		b.WriteString(reportText(t, got.Report))
		for _, i := range got.Report {
			codes[i.Code] = true
			if i.Sort == bpmn.Refused && f.Name != "empty.bpmn" && f.Name != "encoding.bpmn" {
				require.NotZero(t, i.Line, "%s %s", f.Name, i.En)
			}
		}
	}
	for _, code := range []string{"BPMN001", "BPMN003", "BPMN004", "BPMN005", "BPMN006", "BPMN010", "BPMN011", "BPMN012", "BPMN013", "BPMN014", "BPMN015"} {
		require.True(t, codes[code], code)
	}
	golden(t, "testdata/refused.txt", b.String())
}

const modelSpace = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"><process id="a">`

func TestLimits(t *testing.T) {
	refused := func(file string) string {
		t.Helper()
		got, err := bpmn.Import(strings.NewReader(file), bpmn.Options{File: "x", Model: "request"})
		require.NoError(t, err)
		require.Nil(t, got.Document)
		return got.Report[0].Code + " " + got.Report[0].En
	}
	const limit = "BPMN002 the file is over a limit: "
	require.Equal(t, limit+"4 MiB", refused(modelSpace+strings.Repeat(" ", 5<<20)+"</process></definitions>"))
	deep := strings.Repeat("<documentation>", 70)
	require.Equal(t, limit+"more than 64 levels or 50000 elements", refused(modelSpace+deep))
	require.Equal(t, limit+"more than 64 levels or 50000 elements", refused(modelSpace+strings.Repeat("<a/>", 50_001)))
	var many strings.Builder
	for i := range 501 {
		fmt.Fprintf(&many, `<task id="t%d"/>`, i)
	}
	require.Equal(t, limit+"more than 500 elements", refused(modelSpace+many.String()+"</process></definitions>"))
	require.Contains(t, refused(strings.Repeat("a<!-- -->", 400_000)), "BPMN001")
}

// Chains, ladders of gateways and a net in which everything leads to everything end in time.
func TestLargeGraphs(t *testing.T) {
	var ladder, net strings.Builder
	ladder.WriteString(modelSpace + `<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="g0"/>`)
	for i := range 120 {
		fmt.Fprintf(&ladder, `<exclusiveGateway id="g%d"/><task id="a%d"/><task id="b%d"/>`, i, i, i)
		for _, x := range "ab" {
			next := fmt.Sprintf("g%d", i+1)
			if i == 119 {
				next = "e"
			}
			fmt.Fprintf(&ladder, `<sequenceFlow id="i%c%d" sourceRef="g%d" targetRef="%c%d"/><sequenceFlow id="o%c%d" sourceRef="%c%d" targetRef="%s"/>`, x, i, i, x, i, x, i, x, i, next)
		}
	}
	ladder.WriteString("</process></definitions>")
	got, err := bpmn.Import(strings.NewReader(ladder.String()), bpmn.Options{Model: "request"})
	require.NoError(t, err)
	require.NotNil(t, got.Document, got.Report.List().Sorted()[:min(3, len(got.Report))])

	net.WriteString(modelSpace + `<startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="t0"/>`)
	for i := range 60 {
		fmt.Fprintf(&net, `<userTask id="t%d"/>`, i)
		for j := range 60 {
			fmt.Fprintf(&net, `<sequenceFlow id="f%d_%d" sourceRef="t%d" targetRef="t%d"/>`, i, j, i, j)
		}
	}
	net.WriteString("</process></definitions>")
	_, err = bpmn.Import(strings.NewReader(net.String()), bpmn.Options{Model: "request"})
	require.NoError(t, err)
}

// Every message is written in both languages, with the same arguments.
func TestMessages(t *testing.T) {
	for code, m := range bpmn.Messages() {
		for _, text := range []string{m.Zh, m.En, m.RepairZh, m.RepairEn} {
			require.NotEmpty(t, text, code)
		}
		for _, arg := range []string{"{0}", "{1}"} {
			require.Equal(t, strings.Contains(m.Zh, arg), strings.Contains(m.En, arg), code)
		}
		require.NotContains(t, diag.Codes(), code)
	}
}

// FuzzImport: no file makes the import fail, and what it takes comes out and in again.
func FuzzImport(f *testing.F) {
	a, err := txtar.ParseFile("testdata/refused.txtar")
	require.NoError(f, err)
	for _, file := range a.Files {
		f.Add(file.Data)
	}
	for _, name := range fixtures(f) {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		got, err := bpmn.Import(bytes.NewReader(file), options("x"))
		require.NoError(t, err)
		if got.Document == nil {
			require.True(t, got.Report.Refused())
			return
		}
		out, _, err := bpmn.Export(got.Document, bpmn.ExportOptions{Code: "imported"})
		require.NoError(t, err)
		again, err := bpmn.Import(bytes.NewReader(out), options("y"))
		require.NoError(t, err)
		require.NotNil(t, again.Document, "%v\n%s", again.Report.List(), out)
		require.JSONEq(t, string(got.Document), string(again.Document))
	})
}
