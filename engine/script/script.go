package script

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/grafana/sobek/ast"
	"github.com/grafana/sobek/file"
	"github.com/grafana/sobek/parser"
	"github.com/grafana/sobek/token"
	"github.com/sluice-platform/sluice/engine/diag"
)

// Versions of the script format; apis came with the second.
var versions = []string{"1.0", "1.1"}

// maxNesting bounds the parser's recursion.
const maxNesting = 200

// Check parses a script and reports what keeps it from running: a module whose default export is
// {options: {version}, hooks: {...}, apis: {...}}. What only running it can tell (a value made by a call) is left to the
// browser, which makes the same checks on the values.
func Check(name, data string, kind Kind) diag.List { return check(name, data, kind).out }

// Hooks are the names of the hooks that the script of a portal page defines, as far as its text tells.
func Hooks(name, data string) []string { return check(name, data, Portal).named }

func check(name, data string, kind Kind) *checker {
	c := &checker{text: text{file: name, data: data}, kind: kind, known: map[string]ast.Expression{}}
	if strings.TrimSpace(data) == "" {
		c.report("SCRIPT004", 0, "")
		return c
	}
	if at := tooDeep(data); at >= 0 {
		c.report("SCRIPT004", at, "nested too deep")
		return c
	}
	// Comments could name a source map, which the parser would read from the disk.
	program, err := parser.ParseFile(nil, name, data, 0, parser.IsModule, parser.WithDisableSourceMaps)
	var list parser.ErrorList
	switch {
	case errors.As(err, &list) && len(list) > 0:
		c.syntax(list[0])
		return c
	case err != nil:
		c.report("SCRIPT004", 0, err)
		return c
	}
	c.program(program)
	return c
}

// checker is the state of one Check.
type checker struct {
	text
	kind  Kind
	known map[string]ast.Expression // what the names of the module's top level hold; nil = not known before it runs
	named []string                  // names of the hooks
}

func offset(i file.Idx) int { return int(i) - 1 }

// tooDeep returns where brackets or runs of operators nest deeper than any script does, or -1.
func tooDeep(data string) int {
	depth, run := 0, 0
	for i := range len(data) {
		switch c := data[i]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
			run = 0
		case strings.IndexByte(")]}", c) >= 0:
			depth, run = max(depth-1, 0), 0
		case strings.IndexByte("!~+-?:=>", c) >= 0:
			run++
		case c == ';' || c == '\n':
			run = 0
		}
		if depth > maxNesting || run > 4*maxNesting {
			return i
		}
	}
	return -1
}

func (c *checker) syntax(e *parser.Error) {
	at, line := 0, 1
	for line < e.Position.Line {
		next := strings.IndexByte(c.data[at:], '\n')
		if next < 0 {
			break
		}
		at, line = at+next+1, line+1
	}
	c.report("SCRIPT004", at+max(e.Position.Column-1, 0), e.Message)
}

func (c *checker) program(p *ast.Program) {
	c.imports(reflect.ValueOf(p.Body), map[uintptr]bool{})
	var exported *ast.ExportDeclaration
	for _, s := range p.Body {
		switch s := s.(type) {
		case *ast.LexicalDeclaration:
			if s.Token == token.CONST {
				c.bind(s.List)
			}
		case *ast.FunctionDeclaration:
			if s.Function.Name != nil {
				c.known[s.Function.Name.Name.String()] = s.Function
			}
		case *ast.ExportDeclaration:
			if !s.IsDefault {
				c.report("SCRIPT014", offset(s.Idx), "export")
			} else {
				exported = s
			}
		}
	}
	switch {
	case exported != nil:
		c.exported(exported)
	case c.firstVersion():
		c.report("SCRIPT006", 0)
	default:
		c.report("SCRIPT005", 0)
	}
}

// imports reports every way to load other code, wherever it is.
func (c *checker) imports(v reflect.Value, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Interface:
		c.imports(v.Elem(), seen)
	case reflect.Pointer:
		if v.IsNil() || seen[v.Pointer()] {
			return
		}
		seen[v.Pointer()] = true
		switch n := v.Interface().(type) {
		case *ast.ImportDeclaration:
			c.report("SCRIPT014", offset(n.Idx), "import")
			return
		case *ast.CallExpression:
			if _, dynamic := n.Callee.(*ast.DynamicImportExpression); dynamic { // which knows no place of its own
				c.report("SCRIPT014", strings.LastIndex(c.data[:offset(n.LeftParenthesis)], "import"), "import()")
			}
		case *ast.MetaProperty:
			if n.Meta != nil && n.Meta.Name == "import" {
				c.report("SCRIPT014", offset(n.Idx), "import.meta")
			}
			return
		case *ast.ExportDeclaration:
			if n.FromClause != nil {
				return // an export that is refused where exports are looked at
			}
		}
		c.imports(v.Elem(), seen)
	case reflect.Struct:
		for i := range v.NumField() {
			c.imports(v.Field(i), seen)
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.imports(v.Index(i), seen)
		}
	}
}

// bind remembers what constants hold; a name that may change is not known.
func (c *checker) bind(list []*ast.Binding) {
	for _, b := range list {
		if name, ok := b.Target.(*ast.Identifier); ok {
			c.known[name.Name.String()] = b.Initializer
		}
	}
}

// firstVersion tells a script of the first version, which was functions at the top level of the file.
func (c *checker) firstVersion() bool {
	for name, value := range c.known {
		if _, isFunction := value.(*ast.FunctionLiteral); isFunction && slices.Contains(hooks[c.kind], name) {
			return true
		}
	}
	return false
}

func (c *checker) exported(e *ast.ExportDeclaration) {
	at := offset(e.Idx)
	if e.HoistableDeclaration != nil {
		c.report("SCRIPT006", at)
		return
	}
	switch v := c.resolve(e.AssignExpression).(type) {
	case *ast.ObjectLiteral:
		c.definition(v)
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		c.report("SCRIPT006", at)
	case nil:
		if e.ClassDeclaration != nil {
			c.report("SCRIPT005", at)
		}
	default:
		c.report("SCRIPT005", at)
	}
}

// resolve follows names to an object, a function or a plain value; nil = not known before the script runs.
func (c *checker) resolve(e ast.Expression) ast.Expression {
	for range 10 {
		name, ok := e.(*ast.Identifier)
		if !ok {
			break
		}
		e = c.known[name.Name.String()]
	}
	switch e.(type) {
	case *ast.ObjectLiteral, *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
		return e
	}
	if literal(e) {
		return e
	}
	return nil
}

// member is one entry of an object literal; value is nil when only running the script can tell.
type member struct {
	key   string
	at    int
	value ast.Expression
}

// members lists an object's entries; open is true when a spread or a computed key may add more.
func (c *checker) members(o *ast.ObjectLiteral) (out []member, open bool) {
	for _, p := range o.Value {
		switch p := p.(type) {
		case *ast.PropertyShort:
			out = append(out, member{p.Name.Name.String(), offset(p.Name.Idx), c.resolve(&p.Name)})
		case *ast.PropertyKeyed:
			key, named := p.Key.(*ast.StringLiteral)
			if p.Computed || !named {
				open = true
				continue
			}
			m := member{key: key.Value.String(), at: offset(key.Idx)}
			if p.Kind == ast.PropertyKindValue || p.Kind == ast.PropertyKindMethod {
				m.value = c.resolve(p.Value)
			}
			out = append(out, m)
		default:
			open = true
		}
	}
	return out, open
}

// literal tells a value that is surely no function and no object.
func literal(e ast.Expression) bool {
	switch e.(type) {
	case *ast.StringLiteral, *ast.NumberLiteral, *ast.BooleanLiteral, *ast.NullLiteral, *ast.ArrayLiteral, *ast.TemplateLiteral, *ast.RegExpLiteral:
		return true
	}
	return false
}

// notFunction tells a value that is surely no function.
func notFunction(e ast.Expression) bool {
	_, object := e.(*ast.ObjectLiteral)
	return object || literal(e)
}

func (c *checker) definition(o *ast.ObjectLiteral) {
	known := []string{"options", "hooks", "apis"}
	found := map[string]*member{}
	list, open := c.members(o)
	for i, m := range list {
		if !slices.Contains(known, m.key) {
			c.suggest("SCRIPT015", m.at, m.key, known)
			continue
		}
		found[m.key] = &list[i]
	}
	at := offset(o.LeftBrace)
	version := ""
	switch m := found["options"]; {
	case m != nil:
		version = c.options(m)
	case !open:
		c.report("SCRIPT007", at)
	}
	switch m := found["hooks"]; {
	case m != nil:
		c.hooks(m)
	case !open:
		c.report("SCRIPT008", at)
	}
	if m := found["apis"]; m != nil {
		if version == versions[0] {
			c.report("SCRIPT012", m.at)
		}
		c.apis(m)
	}
}

// options returns the version when it is known.
func (c *checker) options(m *member) string {
	o, ok := m.value.(*ast.ObjectLiteral)
	if !ok {
		if m.value != nil {
			c.report("SCRIPT007", m.at)
		}
		return ""
	}
	list, open := c.members(o)
	for _, v := range list {
		if v.key != "version" {
			continue
		}
		s, isText := v.value.(*ast.StringLiteral)
		if isText && slices.Contains(versions, s.Value.String()) {
			return s.Value.String()
		}
		if v.value != nil && (isText || notFunction(v.value)) {
			c.report("SCRIPT007", v.at)
		}
		return ""
	}
	if !open {
		c.report("SCRIPT007", m.at)
	}
	return ""
}

func (c *checker) hooks(m *member) {
	o, ok := m.value.(*ast.ObjectLiteral)
	if !ok {
		switch m.value.(type) {
		case nil:
		case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral:
			c.report("SCRIPT006", m.at)
		default:
			c.report("SCRIPT008", m.at)
		}
		return
	}
	list, _ := c.members(o)
	for _, h := range list {
		c.named = append(c.named, h.key)
		if c.kind != Portal && !slices.Contains(hooks[c.kind], h.key) {
			c.suggest("SCRIPT009", h.at, h.key, hooks[c.kind], strings.Join(hooks[c.kind], ", "))
		} else if notFunction(h.value) {
			c.report("SCRIPT016", h.at, h.key)
		}
	}
}

func (c *checker) apis(m *member) {
	o, ok := m.value.(*ast.ObjectLiteral)
	if !ok {
		if literal(m.value) {
			c.report("SCRIPT010", m.at)
		}
		return
	}
	list, _ := c.members(o)
	for _, a := range list {
		if !slices.Contains(apis[c.kind], a.key) {
			c.suggest("SCRIPT013", a.at, a.key, apis[c.kind])
			continue
		}
		c.api(a)
	}
}

func (c *checker) api(a member) {
	o, ok := a.value.(*ast.ObjectLiteral)
	if !ok {
		if literal(a.value) {
			c.report("SCRIPT010", a.at)
		}
		return
	}
	list, open := c.members(o)
	request := open
	for _, m := range list {
		switch m.key {
		case "request":
			request = true
			if notFunction(m.value) {
				c.report("SCRIPT010", m.at)
			}
		case "mode":
			s, isText := m.value.(*ast.StringLiteral)
			if isText && s.Value != "combine" && s.Value != "replace" || !isText && m.value != nil && notFunction(m.value) {
				c.report("SCRIPT011", m.at)
			}
		default:
			c.suggest("SCRIPT015", m.at, m.key, []string{"request", "mode"})
		}
	}
	if !request {
		c.report("SCRIPT010", a.at)
	}
}
