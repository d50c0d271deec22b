package fault_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestCatalogue compares the constants with schemas/errors.json: the same names and numbers, and every row has a status
// and a text in both languages with the same placeholders.
func TestCatalogue(t *testing.T) {
	data, err := os.ReadFile("../../schemas/errors.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Code        int
		Key, Zh, En string
		Status      int
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	constants := constantsOf(t)
	for _, r := range rows {
		if constants[r.Key] != r.Code {
			t.Errorf("%s is %d in errors.json and %d in codes_gen.go", r.Key, r.Code, constants[r.Key])
		}
		delete(constants, r.Key)
		if r.Status < 400 || r.Zh == "" || r.En == "" {
			t.Errorf("%s lacks a status or a text", r.Key)
		}
		for _, arg := range []string{"{0}", "{1}"} {
			if strings.Contains(r.Zh, arg) != strings.Contains(r.En, arg) {
				t.Errorf("%s: zh and en differ in %s", r.Key, arg)
			}
		}
	}
	for name := range constants {
		t.Errorf("%s has no row in errors.json", name)
	}
}

func constantsOf(t *testing.T) map[string]int {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "codes_gen.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		var number int
		if lit, ok := spec.Values[0].(*ast.BasicLit); ok && json.Unmarshal([]byte(lit.Value), &number) == nil {
			out[spec.Names[0].Name] = number
		}
		return true
	})
	return out
}
