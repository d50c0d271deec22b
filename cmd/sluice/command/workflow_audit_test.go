package command

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/workflow"
)

// TestAuditPrint: a finding is a line with what, which instance, where and whose.
func TestAuditPrint(t *testing.T) {
	found := []workflow.Found{
		{Kind: "LEFT", Node: "lead", Name: "组长", NameI18n: map[string]string{"en": "Lead"}, Person: &workflow.Person{Name: "Li"}, Instance: workflow.Instance{ID: "i1", Name: "Ticket 1"}},
		{Kind: "BROKEN", Instance: workflow.Instance{ID: "i2", Name: "Ticket 2"}},
	}
	for locale, want := range map[string]string{
		"en": "LEFT  i1  Ticket 1  A workflow task is with somebody who has left  Lead [lead]  Li\nBROKEN  i2  Ticket 2  The course of a workflow can't be read\n",
		"zh": "LEFT  i1  Ticket 1  流程任务的处理人已离开  组长 [lead]  Li\nBROKEN  i2  Ticket 2  无法读取流程的过程\n",
	} {
		var out bytes.Buffer
		require.NoError(t, (&workflowAuditCmd{Locale: locale}).print(console{out: &out}, found))
		require.Equal(t, want, out.String())
	}
}
