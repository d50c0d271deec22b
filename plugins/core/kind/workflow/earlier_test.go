package workflow_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/names"
)

// TestEarlierAddresses: the address of a call names renamed properties by their codes of now, and a call whose address names what is gone is broken.
func TestEarlierAddresses(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	flow := func(property string) string {
		return `{"schemaCode": "order", "name": "审批", "nodes": [{"id": "start", "type": "START", "name": "填报", "next": ["call"]},
			{"id": "call", "type": "SERVICE", "name": "通知", "http": {"url": "https://check.example.com/{` + property + `}/done"}, "next": ["end"]}, {"id": "end", "type": "END"}]}`
	}
	cat, found := newCompiler(t).compile(fstest.MapFS{
		"pack.json":           file(`{"code": "orders", "name": "订单", "name_i18n": {"en": "Orders"}, "version": "1.0.0", "links": ["https://check.example.com"]}`),
		"models/order.json":   file(`{"name": "订单", "name_i18n": {"en": "Order"}, "properties": [{"code": "label", "renamedFrom": "title", "name": "名称", "name_i18n": {"en": "Label"}, "propertyType": "ShortText"}]}`),
		"workflows/flow.json": file(flow("label")),
	})
	require.False(t, found.HasErrors(), "%v", found)
	call := func(property string) *catalog.WorkflowNode {
		value, found := cat.Earlier(catalog.KindWorkflow, "orders", "flow", []byte(flow(property)), names.Reading{})
		require.NotNil(t, value, "%v", found)
		return value.(*catalog.Workflow).Nodes["call"]
	}
	for _, property := range []string{"label", "title"} {
		require.Equal(t, "https://check.example.com/{label}/done", call(property).Service.URL)
		require.Nil(t, call(property).Node.Broken)
	}
	require.Contains(t, call("nothing").Node.Broken.MessageEn, "nothing")
	value, _ := cat.Earlier(catalog.KindWorkflow, "orders", "flow", []byte(`{"nodes": 3`), names.Reading{})
	require.Nil(t, value)
}
