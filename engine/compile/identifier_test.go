package compile_test

import (
	"encoding/json"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
)

// TestIdentifier: what conditions on the property id mean.
func TestIdentifier(t *testing.T) {
	c, _ := compileArchive(t, []txtar.File{
		{Name: "demo/pack.json", Data: []byte(`{"code": "demo", "name": "演示", "version": "1.0.0"}`)},
		{Name: "demo/models/lot.json", Data: []byte(`{"name": "批", "properties": [{"code": "part", "propertyType": "ShortText", "name": "部位"}]}`)},
	})
	id := c.Model("lot").Field("id").Property.(property.Filterer)
	const a, b = "01900000-0000-7000-8000-00000000000a", "01900000-0000-7000-8000-00000000000B"
	both := `{"Op":"within","Value":["01900000-0000-7000-8000-00000000000a","01900000-0000-7000-8000-00000000000b"]}`
	for _, x := range []struct {
		name    string
		op      plan.Op
		operand any
		want    string
	}{
		{"one", plan.Equal, a, `{"Op":"==","Value":"` + a + `"}`},
		{"one in a list", plan.In, []any{a}, `{"Op":"==","Value":"` + a + `"}`},
		{"several", plan.In, a + ";" + b, both},
		{"several in a list", plan.In, []any{a, b}, both},
		{"no record is two", plan.Equal, a + ";" + b, "false"},
		{"empty", plan.Equal, "", "refused"},
		{"empty list", plan.In, []any{}, "refused"},
		{"empty ones", plan.In, []any{nil, ""}, "refused"},
		{"no id", plan.Equal, "lot 1", "refused"},
		{"one of them none", plan.In, a + ";lot 1", "refused"},
		{"a number", plan.Equal, json.Number("1"), "refused"},
	} {
		e, err := id.Filter(x.op, x.operand, func(column string) plan.Expr { return &plan.Field{Column: column, K: plan.ID} }, property.FilterContext{})
		got := "refused"
		if err == nil {
			got = said(e)
		}
		if got != x.want {
			t.Errorf("%s: %s, want %s", x.name, got, x.want)
		}
	}
}

func said(e plan.Expr) string {
	var out struct{ Op, Value any }
	switch x := e.(type) {
	case *plan.Compare:
		out.Op, out.Value = x.Op, x.B.(*plan.Const).Value
	case *plan.InSet:
		out.Op, out.Value = x.Op, x.G.(*plan.Const).Value
	default:
		if plan.IsFalse(e) {
			return "false"
		}
	}
	raw, _ := json.Marshal(out)
	return string(raw)
}
