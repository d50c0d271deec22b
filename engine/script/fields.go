package script

import (
	"reflect"
	"slices"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/parser"
	"github.com/sluice-platform/sluice/engine/diag"
)

// fieldCalls are the calls of a form whose first argument is the code of a field.
var fieldCalls = []string{"getValue", "setValue", "setVisible", "setRequired", "setReadonly", "getRows", "addRow", "setRow", "removeRow"}

// CheckFields reports the fields that a form's script names in calls such as form.setValue('code', …) and that are not among
// codes. It looks at calls of something called form or page, with the code written out; all else only running it can tell.
func CheckFields(name, data string, codes []string) diag.List {
	t := text{file: name, data: data}
	program, err := parser.ParseFile(nil, name, data, 0, parser.IsModule, parser.WithDisableSourceMaps)
	if err != nil || program == nil {
		return nil // Check has said so
	}
	walk(reflect.ValueOf(program.Body), map[uintptr]bool{}, func(call *ast.CallExpression) {
		dot, ok := call.Callee.(*ast.DotExpression)
		if !ok || len(call.ArgumentList) == 0 || !slices.Contains(fieldCalls, dot.Identifier.Name.String()) {
			return
		}
		of, named := dot.Left.(*ast.Identifier)
		code, written := call.ArgumentList[0].(*ast.StringLiteral)
		if !named || !written || of.Name != "form" && of.Name != "page" {
			return
		}
		if word := code.Value.String(); !slices.Contains(codes, word) {
			t.suggest("FORM025", offset(code.Idx), word, codes)
		}
	})
	return t.out
}

// walk visits every call of a tree.
func walk(v reflect.Value, seen map[uintptr]bool, visit func(*ast.CallExpression)) {
	switch v.Kind() {
	case reflect.Interface:
		walk(v.Elem(), seen, visit)
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return
		}
		seen[v.Pointer()] = true
		if call, ok := v.Interface().(*ast.CallExpression); ok {
			visit(call)
		}
		walk(v.Elem(), seen, visit)
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), seen, visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), seen, visit)
		}
	}
}
