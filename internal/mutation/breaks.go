package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// breaksOf finds what can be broken in the files of a package: an operand of && and || is dropped, a comparison is moved by one or
// turned, a guard that leaves early is taken out, a call whose result nobody reads is taken out, true and false are swapped.
func breaksOf(pkg, only string) ([]brokenLine, error) {
	files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	var out []brokenLine
	for _, file := range files {
		if built, err := build.Default.MatchFile(pkg, filepath.Base(file)); err != nil || !built {
			continue // for another system
		}
		if strings.HasSuffix(file, "_test.go") || only != "" && filepath.Base(file) != only {
			continue
		}
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		found, err := breaksIn(file)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

var turned = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">",
	token.EQL: "!=", token.NEQ: "==", token.ADD: "-", token.SUB: "+",
}

func breaksIn(file string) ([]brokenLine, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	var out []brokenLine
	replace := func(kind kind, from, to token.Pos, with string) {
		start, end := set.Position(from).Offset, set.Position(to).Offset
		was := string(source[start:end])
		if strings.Contains(with, "\n") || strings.HasPrefix(was, "panic(") {
			kind = alone
		}
		out = append(out, brokenLine{
			kind: kind, file: file, pkg: tree.Name.Name, at: set.Position(from), start: start, end: end,
			with: with, was: was, line: lineAt(source, start),
		})
	}
	text := func(n ast.Node) string {
		return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			switch with := turned[n.Op]; {
			case n.Op == token.LAND || n.Op == token.LOR:
				replace(condition, n.Pos(), n.End(), text(n.X))
				replace(condition, n.Pos(), n.End(), text(n.Y))
			case n.Op == token.ADD && (isText(n.X) || isText(n.Y)): // no difference of texts compiles
			case with != "" && text(n.Y) != "nil":
				kind := condition
				if n.Op == token.ADD || n.Op == token.SUB {
					kind = alone
				}
				replace(kind, n.Pos(), n.End(), text(n.X)+" "+with+" "+text(n.Y))
			}
		case *ast.IfStmt:
			if text(n.Cond) == "err != nil" { // what is done there is brought about with a broken database alone
				return false
			}
			if leaves(n) {
				replace(condition, n.Cond.Pos(), n.Cond.End(), "false && ("+text(n.Cond)+")")
			}
		case *ast.ExprStmt:
			if _, call := n.X.(*ast.CallExpr); call {
				replace(statement, n.Pos(), n.End(), "")
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				replace(constant, n.Pos(), n.End(), "false")
			case "false":
				replace(constant, n.Pos(), n.End(), "true")
			}
		case *ast.CallExpr: // the sizes that make is told
			return text(n.Fun) != "make"
		case *ast.GenDecl:
			return n.Tok != token.IMPORT
		}
		return true
	})
	return out, nil
}

// isText reports whether an expression is a text, or a sum that one is written in.
func isText(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BasicLit:
		return x.Kind == token.STRING
	case *ast.BinaryExpr:
		return x.Op == token.ADD && (isText(x.X) || isText(x.Y))
	}
	return false
}

// leaves reports whether a statement is a guard: it has no other branch and ends with return, continue or break.
func leaves(n *ast.IfStmt) bool {
	if n.Else != nil || len(n.Body.List) == 0 {
		return false
	}
	switch n.Body.List[len(n.Body.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// kind says how a break can stand beside others in one program, each switched on by its number.
type kind int

const (
	alone     kind = iota // it cannot: it needs a program of its own
	condition             // of type bool
	statement             // a call that is left out
	constant              // true or false
)

// brokenLine replaces the bytes from start to end of a file.
type brokenLine struct {
	kind       kind
	file, pkg  string
	at         token.Position
	start, end int
	with       string
	was        string
	line       string // the whole line where it begins
	touched    bool   // the change at hand added or altered the line
}

func (b brokenLine) apply(source []byte) []byte {
	return append(append(append([]byte{}, source[:b.start]...), b.with...), source[b.end:]...)
}

func (b brokenLine) String() string {
	return fmt.Sprintf("%s:%d  %s", filepath.Base(b.file), b.at.Line, b.change())
}

func (b brokenLine) change() string { return firstLine(b.was) + "  ->  " + firstLine(b.with) }

// key names a break without its place, as the list of those that change no answer does.
func (b brokenLine) key(pkg string) string {
	return pkg + "/" + filepath.Base(b.file) + ": " + b.line + "\n" + strings.TrimSpace(b.change())
}

func firstLine(s string) string {
	s, _, more := strings.Cut(strings.TrimSpace(s), "\n")
	if more {
		s += " ..."
	}
	return s
}

func lineAt(source []byte, offset int) string {
	from := bytes.LastIndexByte(source[:offset], '\n') + 1
	line, _, _ := bytes.Cut(source[from:], []byte("\n"))
	return string(bytes.TrimSpace(line))
}
