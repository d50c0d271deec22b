package attachment_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/attachment"
)

const one, two = "01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"

var files = propertytest.Names{
	{ID: one}: {Name: "闸门.PNG", Mime: "image/png", Size: 2048},
	{ID: two}: {Name: "report.pdf", Mime: "application/pdf", Size: 5},
}

func TestAttachment(t *testing.T) {
	const pdf = `{"refId":"` + two + `","name":"report.pdf","mimeType":"application/pdf","size":5,"isImage":false}`
	propertytest.Run(t, attachment.Type{}, propertytest.Cases{
		Options: `{"accept": ["image/*", ".pdf"], "maxCount": 2, "maxSize": "20MB"}`,
		Names:   files,
		Pool:    []string{`["` + one + `"]`, `["` + two + `", "` + one + `"]`},
		Values: []propertytest.Value{
			{In: `[{"refId": "` + two + `"}]`, JSON: `[` + pdf + `]`, Zh: "report.pdf", Cell: "text report.pdf -> /api/aliyun/download?refId=" + two},
			{In: `["` + one + `", ` + pdf + `]`, JSON: `[{"refId":"` + one + `","name":"闸门.PNG","mimeType":"image/png","size":2048,"isImage":true},` + pdf + `]`, Zh: "闸门.PNG、report.pdf", Cell: "text 闸门.PNG、report.pdf"},
		},
		Refused: []propertytest.Refusal{
			{In: `[{"id": "` + one + `"}]`, Code: fault.FieldType},
			{In: `["a.pdf"]`, Code: fault.FieldReference},
			{In: `["` + one + `", "` + two + `", "01900000-0000-7000-8000-00000000000d"]`, Code: fault.FieldTooMany},
			{In: `[{"refId": "` + one + `", "path": "/etc/passwd"}]`, Code: fault.FieldType},
		},
		Operators: []plan.Op{plan.Equal, plan.NotEqual, plan.OpIsNull, plan.IsNotNull, plan.Contains, plan.NotContains},
		Filters: []propertytest.Filter{
			{Op: plan.Contains, Operand: `"png"`, Selects: []string{`["` + two + `", "` + one + `"]`}, Leaves: []string{`["` + two + `"]`, `null`}},
			{Op: plan.Equal, Operand: `"report.pdf"`, Selects: []string{`["` + two + `"]`}, Leaves: []string{`["` + two + `", "` + one + `"]`, `["` + one + `"]`, `null`}},
			{Op: plan.Equal, Operand: `"report.pdf;闸门.PNG"`, Selects: []string{`["` + one + `", "` + two + `"]`}, Leaves: []string{`["` + two + `"]`, `null`}},
			{Op: plan.Equal, Operand: `"` + two + `"`, Leaves: []string{`["` + two + `"]`, `null`}},
		},
	})
}

func TestOptions(t *testing.T) {
	p, _ := attachment.Type{}.Compile(propertytest.Define(attachment.Type{}, ""), propertytest.Scope{})
	if got := p.(property.Limiter).FormOptions(); got["maxSize"] != int64(50<<20) || got["maxCount"] != 20 {
		t.Error(got)
	}
}

func TestProblems(t *testing.T) {
	propertytest.Problems(t, attachment.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"maxCount": 0}`, Code: "PROP001", Pointer: "/maxCount", En: `"maxCount" must be between 1 and 200`},
		{Options: `{"maxSize": "20 megabytes"}`, Code: "PROP011", Pointer: "/maxSize", En: `"20 megabytes" is not a file size`},
		{Options: `{"accept": ["image/*", "pictures"]}`, Code: "PROP012", Pointer: "/accept/1", En: `"pictures" is not a file type`},
	})
}
