package compile

import (
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// The compiler is the property.Scope of every type.
var _ property.Scope = (*compiler)(nil)

// Dictionary implements property.Scope.
func (c *compiler) Dictionary(code string) ([]property.Option, bool) {
	d, known := c.dictionaries.get(code)
	if d == nil || d.twice {
		return nil, known
	}
	return d.Options, true
}

// DictionaryCodes implements property.Scope.
func (c *compiler) DictionaryCodes() []string { return c.dictionaries.codes }

// Model implements property.Scope.
func (c *compiler) Model(code string) (property.ModelInfo, bool) {
	m, known := c.models.get(code)
	if m == nil {
		return property.ModelInfo{Broken: true}, known
	}
	return m.info, true
}

// ModelCodes implements property.Scope.
func (c *compiler) ModelCodes() []string { return c.models.codes }

// Zone implements property.Scope.
func (c *compiler) Zone() *time.Location { return c.options.Zone }

// Places implements property.Scope.
func (c *compiler) Places() property.Places { return c.options.Places }

// SystemModels implements property.Scope.
func (c *compiler) SystemModels() property.SystemModels {
	return property.SystemModels{User: userModel, Department: departmentModel}
}

// describe fills what relations may ask about a model before its properties are compiled.
func (c *compiler) describe(m *model) {
	m.info.Properties = make(map[string]string, len(m.def.Properties)+len(c.system))
	for _, s := range c.system {
		m.info.Properties[s.def.Code] = s.def.Type
	}
	for _, d := range m.def.Properties {
		m.info.Properties[d.Code] = d.Type
	}
}

// compileFields compiles the properties of a model or sub-table, then adds the system properties to models.
func (c *compiler) compileFields(m *model, properties []def.Property) {
	seen := map[string]def.Property{}
	claims := make([]claim, 0, len(properties))
	m.open = m.open || m.def != nil && !readable(m.def.Node)
	for _, d := range properties {
		if d.Code == "" { // which the schema reports
			m.open = true
			c.compileField(m, d)
			continue
		}
		key := fold(d.Code)
		if first, twice := seen[key]; twice {
			c.report("MODEL001", member(d.Node, "code"), d.Code, first.Node.Get("code").Pos())
			c.compileField(m, d) // its own faults still count
			continue
		}
		seen[key] = d
		claims = append(claims, claim{d.Node, d.Code, d.RenamedFrom})
		if !c.codeAllowed(m, d) {
			m.poisons[key] = true
			continue
		}
		f := c.compileField(m, d)
		if f == nil {
			m.poisons[key] = true
			continue
		}
		m.Fields = append(m.Fields, f)
		m.defs[f] = d
		c.noteProperty(m, f)
	}
	c.checkRenames(fold, claims)
	if m.parent == nil {
		c.addSystem(m, seen)
	}
	m.Freeze()
}

// readable reports whether the properties of a model can be known: they are a list, or there are none and no key that may have been
// meant for them.
func readable(model *source.Node) bool {
	if n := model.Get("properties"); n != nil {
		return n.Kind == source.Array
	}
	return !misspelt(model, "properties")
}

// misspelt reports whether an object lacks a key and has one instead that was meant for it, of which the schema tells.
func misspelt(object *source.Node, key string) bool {
	return object.Get(key) == nil && slices.ContainsFunc(members(object), func(n *source.Node) bool {
		return diag.Nearest(n.Key, []string{key}) != ""
	})
}

func (c *compiler) addSystem(m *model, own map[string]def.Property) {
	for _, s := range c.systemOf(m) {
		if _, replaced := own[fold(s.def.Code)]; replaced && s.def.Code == catalog.Name {
			continue
		}
		f := &catalog.Field{Code: s.def.Code, Label: inherited(s.def.Named, m.Label), Type: s.kind, Property: s.property,
			Model: m.Model, System: true, At: m.at()}
		if f.Code == catalog.Participants {
			f.Links = catalog.HandlersTable
		}
		m.Fields = append(m.Fields, f)
		m.defs[f] = s.def
	}
}

// codeAllowed reports codes that the system keeps for itself. A model may declare its own name, of the system's type.
func (c *compiler) codeAllowed(m *model, d def.Property) bool {
	at := member(d.Node, "code")
	if m.parent != nil && (strings.EqualFold(d.Code, catalog.SheetParent) || strings.EqualFold(d.Code, catalog.SheetOrder)) {
		c.report("MODEL002", at, d.Code, own(m, d.Code))
		return false
	}
	if m.parent == nil && catalog.EngineRowsNamed(d.Code) != nil {
		c.report("MODEL002", at, d.Code, own(m, d.Code))
		return false
	}
	for _, s := range c.system {
		if !strings.EqualFold(s.def.Code, d.Code) {
			continue
		}
		if s.def.Code != catalog.Name {
			c.report("MODEL002", at, d.Code, own(m, d.Code))
			return false
		}
		if d.Type != s.def.Type {
			c.report("MODEL003", member(d.Node, "propertyType"), s.def.Type)
			return false
		}
	}
	return true
}

// own proposes a code in place of a system one: version -> inspectionVersion.
func own(m *model, code string) string {
	base := m.Code
	if m.parent != nil {
		base = m.Code[strings.LastIndexByte(m.Code, '.')+1:]
	}
	return base + strings.ToUpper(code[:1]) + code[1:]
}

// compileField makes a field without its references and formulas; nil when the type is unknown, which the schema stage
// has reported.
func (c *compiler) compileField(m *model, d def.Property) *catalog.Field {
	t, ok := c.set.Properties.Get(d.Type)
	if !ok {
		return nil
	}
	p, problems := t.Compile(d, c)
	c.out = append(c.out, problems...)
	if p == nil {
		return nil
	}
	f := &catalog.Field{Code: d.Code, Label: c.label(d.Node, d.Named, d.Code), Help: d.Description, Type: t, Property: p, Model: m.Model,
		Required: d.Required, Unique: d.Unique, DisplayFormat: d.DisplayFormat, At: member(d.Node, "code").Pos().String()}
	c.checkOptions(m, d)
	f.Holds = heldIn(d)
	c.noteHolder(f)
	if f.Unique && !orderable(f) {
		c.report("MODEL004", d.Node.Get("unique"), d.Code)
		f.Unique = false
	}
	if d.ComputeFormula != "" && d.DefaultValue != "" {
		c.report("MODEL005", d.Node.Get("defaultValue"), d.Code)
	}
	if n, ok := p.(property.Nester); ok {
		c.compileSheet(m, f, d, n.Nested())
	}
	return f
}

// checkOptions checks the texts and former codes of options that stand in the property itself.
func (c *compiler) checkOptions(m *model, d def.Property) {
	var own struct {
		Options []def.Option `json:"options"`
	}
	if d.Node.Get("options") == nil {
		return
	}
	source.Decode(d.Node, &own)
	for _, o := range own.Options {
		c.label(o.Node, o.Named, o.Code)
	}
	c.checkOptionRenames(own.Options)
	c.noteOptionsOf(names.Join(m.Code, d.Code), own.Options)
}

func (c *compiler) compileSheet(m *model, f *catalog.Field, d def.Property, n property.Nested) {
	if m.parent != nil {
		c.report("MODEL006", member(d.Node, "propertyType"), d.Code)
		return
	}
	s := newModel(&catalog.Model{Code: m.Code + "." + f.Code, Label: f.Label, Pack: m.Pack, Parent: m.Model,
		Table: m.Table + "__" + f.Code, Volume: m.Volume, Own: n.Columns})
	s.parent, s.node = m, d.Node
	if len(d.RenamedFrom)+len(m.renamedFrom) > 0 {
		parent, codes := m.Table, names.Former(d.RenamedFrom)
		if len(m.renamedFrom) > 0 {
			parent = m.renamedFrom[0]
		}
		if len(codes) == 0 {
			codes = names.Former{d.Code}
		}
		s.renamedFrom = codes.Map(func(code string) string { return parent + "__" + code })
	}
	c.of[s.Model] = s
	f.Sheet = s.Model
	m.Sheets = append(m.Sheets, s.Model)
	c.compileFields(s, n.Properties)
}

// linkField resolves what a field refers to. Types have reported targets that do not exist.
func (c *compiler) linkField(m *model, f *catalog.Field) {
	r, ok := f.Property.(property.Relater)
	if !ok {
		return
	}
	rel := r.Relation()
	f.Multiple, f.OnDelete = rel.Multiple, rel.OnDelete
	if f.Required && rel.OnDelete == "clear" {
		c.report("MODEL030", member(m.defs[f].Node, "onDelete"), f.Code)
	}
	target, _ := c.models.get(rel.Model)
	if target == nil {
		m.lost[f] = true
		return
	}
	f.Target = target.Model
	if f.Display = target.Field(rel.Display); f.Display == nil {
		f.Display = target.Field(catalog.Name)
		return
	}
	if _, refers := f.Display.Property.(property.Relater); refers || len(f.Display.Property.Columns()) == 0 {
		c.report("REL011", member(m.defs[f].Node, "relativePropertyCode"), f.Display.Code, target.Code)
	}
}

// checkDepends refuses a choice that can offer nothing, since what it depends on is not a choice or has none of the options above
// its own. What it depends on is there: the type has looked.
func (c *compiler) checkDepends(m *model, f *catalog.Field) {
	d, ok := f.Property.(property.Dependent)
	if !ok || d.DependsOn() == "" {
		return
	}
	above := m.Field(d.DependsOn())
	if above == nil {
		return
	}
	at := member(m.defs[f].Node, "dependsOn")
	chooser, chooses := above.Property.(property.Chooser)
	if !chooses {
		c.report("PROP026", at, above.Code, above.Type.Name())
		return
	}
	mine := f.Property.(property.Chooser).Choices()
	if len(mine) == 0 || len(chooser.Choices()) == 0 { // their dictionary is at fault
		return
	}
	codes := choices(above.Property)
	if !slices.ContainsFunc(mine, func(o property.Option) bool { return o.Parent != "" && slices.Contains(codes, o.Parent) }) {
		c.report("PROP027", at, f.Code, above.Code)
	}
}

// orderable reports whether a field's value is one scalar column, which unique rules and indexes need.
func orderable(f *catalog.Field) bool {
	cols := f.Property.Columns()
	return len(cols) > 0 && cols[0].Kind != setKind
}

func choices(p property.Property) []string {
	var out []string
	for _, o := range options(p) {
		out = append(out, o.Code)
	}
	return out
}

// options are what a choice offers, disabled ones included; nil for other properties.
func options(p property.Property) []property.Option {
	if ch, ok := p.(property.Chooser); ok {
		return ch.Choices()
	}
	return nil
}

func firstOf(words ...string) string {
	return words[slices.IndexFunc(words, func(w string) bool { return w != "" })]
}
