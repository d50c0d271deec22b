package fences

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/internal/inputs"
)

// TestHeldConnectionsAreTold: what is done in a transaction hands on the context that it is given, which says that a connection is held. The
// context of the call outside says nothing of it: a second connection that is asked for with that is not seen (docs/adr/0068).
func TestHeldConnectionsAreTold(t *testing.T) {
	inputs.Of(t, sources, ".go")
	transactions := 0
	for _, dir := range sources {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				f, ok := n.(*ast.FuncLit)
				if !ok {
					return true
				}
				if ctx, ok := transaction(f); ok {
					transactions++
					for _, at := range otherContexts(f.Body, ctx) {
						t.Errorf("%s: a transaction uses another context than its own", set.Position(at))
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if transactions < 200 {
		t.Errorf("%d transactions found: the test does not know how they look", transactions)
	}
}

// transaction tells how a function that runs in a transaction calls its context.
func transaction(f *ast.FuncLit) (ctx string, ok bool) {
	list := f.Type.Params.List
	if len(list) != 2 || !named(list[0].Type, "Context") || !pointer(list[1].Type, "Tx") {
		return "", false
	}
	if len(list[0].Names) == 1 {
		ctx = list[0].Names[0].Name
	}
	return ctx, true
}

func named(t ast.Expr, name string) bool {
	s, ok := t.(*ast.SelectorExpr)
	return ok && s.Sel.Name == name
}

func pointer(t ast.Expr, name string) bool {
	star, ok := t.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == name || named(star.X, name)
}

// otherContexts are the places of a body that use a context other than the named one.
func otherContexts(body ast.Node, own string) (at []token.Pos) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if _, inner := transaction(n); inner {
				return false
			}
		case *ast.GoStmt: // which holds nothing
			return false
		case *ast.AssignStmt: // p.ctx = ctx hands it on
			for _, x := range n.Rhs {
				at = append(at, otherContexts(x, own)...)
			}
			return false
		case *ast.SelectorExpr:
			x, _ := n.X.(*ast.Ident)
			if n.Sel.Name == "ctx" || x != nil && x.Name == "context" && (n.Sel.Name == "Background" || n.Sel.Name == "TODO") {
				at = append(at, n.Pos())
			}
		case *ast.Ident:
			if n.Name == "ctx" && own != "ctx" {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}
