package propertytest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// Shanghai is the zone of the suite.
var Shanghai = time.FixedZone("Asia/Shanghai", 8*3600)

// Scope is a property.Scope of plain data. The zero value has no dictionaries, no models and the zone Shanghai.
type Scope struct {
	Dictionaries map[string][]property.Option
	Documents    map[string][]property.Option // by kind; parts by kind and owner, "property contract"
	Models       map[string]property.ModelInfo
	At           *time.Location
	Divisions    property.Places
}

// Dictionary implements property.Scope.
func (s Scope) Dictionary(code string) ([]property.Option, bool) {
	o, ok := s.Dictionaries[code]
	return o, ok
}

// DictionaryCodes implements property.Scope.
func (s Scope) DictionaryCodes() []string { return slices.Sorted(maps.Keys(s.Dictionaries)) }

// Codes implements property.Scope.
func (s Scope) Codes(kind, of string) ([]property.Option, bool) {
	o, ok := s.Documents[strings.TrimSpace(kind+" "+of)]
	return o, ok || of == ""
}

// Model implements property.Scope.
func (s Scope) Model(code string) (property.ModelInfo, bool) {
	m, ok := s.Models[code]
	return m, ok
}

// ModelCodes implements property.Scope.
func (s Scope) ModelCodes() []string { return slices.Sorted(maps.Keys(s.Models)) }

// Zone implements property.Scope.
func (s Scope) Zone() *time.Location {
	if s.At == nil {
		return Shanghai
	}
	return s.At
}

// Places implements property.Scope.
func (s Scope) Places() property.Places { return s.Divisions }

// SystemModels implements property.Scope.
func (s Scope) SystemModels() property.SystemModels {
	return property.SystemModels{User: "user", Department: "department"}
}

// Names resolves references from a map; the keys have no Display unless the definition names another property.
type Names map[plan.Ref]property.Named

// Name implements property.Names.
func (n Names) Name(r plan.Ref) (property.Named, bool) {
	v, ok := n[r]
	return v, ok
}

// Everyone resolves every reference to a name made of its id, but departments only when their ids end in "d", and people
// only when theirs do not.
type Everyone struct{}

// Name implements property.Names.
func (Everyone) Name(r plan.Ref) (property.Named, bool) {
	if department := strings.HasSuffix(r.ID, "d"); r.Model == "department" && !department || r.Model == "user" && department {
		return property.Named{}, false
	}
	return property.Named{Name: "名" + r.ID[:8], Mime: "image/png", Size: 7}, true
}

// ID makes the id number n.
func ID(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012x", n) }

// Define reads a definition: the property's own keys as JSON, to which code "f" and the type's name are added.
func Define(typ property.Type, options string) def.Property {
	options = strings.TrimSpace(options)
	if options == "" {
		options = "{}"
	}
	rest := strings.TrimPrefix(options, "{")
	if strings.TrimSpace(rest) != "}" {
		rest = "," + rest
	}
	text := fmt.Sprintf(`{"properties": [{"code": "f", "propertyType": %q%s, {"code": "beside", "propertyType": "ShortText"}]}`, typ.Name(), rest)
	node, problems := source.Parse("models/m.json", []byte(text))
	if len(problems) > 0 {
		panic(fmt.Sprint("definition of a test: ", problems, text))
	}
	var d def.Property
	source.Decode(node.At("properties", "0"), &d)
	return d
}

// Fields gives a property's columns as expressions of the record itself.
func Fields(p property.Property) func(string) plan.Expr {
	return func(name string) plan.Expr {
		for _, c := range p.Columns() {
			if c.Name == name {
				return &plan.Field{Column: name, K: c.Kind}
			}
		}
		panic("the property has no column " + name)
	}
}

// Related gives a column behind a reference as an expression.
func Related(property, column string) plan.Expr {
	return &plan.Field{Path: []string{property}, Column: column, K: plan.Text}
}

// record is one value as the scope of an expression.
type record struct {
	expression.Values
	names property.Names
}

// Record makes the scope in which a property has a value. People belong to departments as Belongs says; files are called
// as Names says; the name behind a reference is that of Names.
func Record(p property.Property, v any, names property.Names) expression.Scope {
	columns := map[string]any{}
	for i, stored := range p.Store(v) {
		columns[p.Columns()[i].Name] = stored
	}
	r := record{names: names}
	r.Columns = columns
	r.Related = func(path []string, _ string, _ bool) any {
		if ref, ok := p.(property.Referrer); ok {
			for _, at := range ref.Refs(v) {
				if n, ok := names.Name(at); ok && len(path) == 1 {
					return n.Name
				}
			}
		}
		return nil
	}
	return r
}

// Belongs: the organisation of the suite. Somebody belongs to a department when the ids leave the same rest modulo 4.
func Belongs(id, department string) bool { return id[35]%4 == department[35]%4 }

func (r record) Belongs(ids, departments []string) bool {
	for _, i := range ids {
		if slices.ContainsFunc(departments, func(d string) bool { return Belongs(i, d) }) {
			return true
		}
	}
	return false
}

func (r record) LinkTexts(_, _ string, ids []string) []string {
	var out []string
	for _, id := range ids {
		if n, ok := r.names.Name(plan.Ref{ID: id}); ok {
			out = append(out, n.Name)
		}
	}
	return out
}
