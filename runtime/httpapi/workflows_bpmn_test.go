package httpapi

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBPMN: an administrator exports a workflow and imports the file again; a file that can't be taken is answered with its report; nobody else may.
func TestBPMN(t *testing.T) {
	w := shared
	file := w.send(t, call{method: "GET", path: bpmnPath + "export?code=contractApproval&for=flowable", actor: administrator}).Body.String()
	require.Contains(t, file, `flowable:candidateGroups="contractManager"`)
	var got struct {
		Code, Path string
		Document   *string
		Draft      bool
		Report     []struct{ Code, Sort, Element string }
	}
	w.post(t, administrator, bpmnPath+"import?pack=shiplock&model=contract&code=contractApproval", file).into(t, &got)
	want, err := os.ReadFile("../../examples/ship-lock/workflows/contractApproval.json")
	require.NoError(t, err)
	require.NotNil(t, got.Document, got.Report)
	require.JSONEq(t, string(want), *got.Document)
	require.Equal(t, "workflows/contractApproval.json", got.Path)
	require.False(t, got.Draft)

	w.post(t, administrator, bpmnPath+"import?pack=shiplock&model=contract", `<!DOCTYPE x><x/>`).into(t, &got)
	require.Nil(t, got.Document)
	require.Equal(t, "BPMN003", got.Report[0].Code)
	require.Equal(t, "refused", got.Report[0].Sort)
}
