package compile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// model is the state of a model or sub-table while it is compiled.
type model struct {
	*catalog.Model
	def         *def.Model // nil for sub-tables
	node        *source.Node
	parent      *model
	renamedFrom names.Former // table
	defs        map[*catalog.Field]def.Property
	poisons     map[string]bool         // folded codes of properties that exist and could not be compiled
	open        bool                    // which properties there are is not known: some have no code, or none could be read
	lost        map[*catalog.Field]bool // relations whose target is broken or missing
	info        property.ModelInfo
}

func newModel(m *catalog.Model) *model {
	return &model{Model: m, defs: map[*catalog.Field]def.Property{}, poisons: map[string]bool{}, lost: map[*catalog.Field]bool{}}
}

const (
	setKind        = plan.Set
	defaultVolume  = 10_000
	defaultDigest  = "{sequenceNo}"
	sequenceLength = 8
)

func table(code string) string { return "d_" + code }

// at is where the model is, for messages of later tools.
func (m *model) at() string { return m.node.Pos().String() }

// has reports whether a property exists, also a poisoned one.
func (m *model) has(code string) bool { return m.Field(code) != nil || m.poisoned(code) }

// poisoned reports whether a code that has no field is, or may be, a property that could not be compiled: what asks for it is
// silent.
func (m *model) poisoned(code string) bool { return m.open || m.poisons[fold(code)] }

// addDuplicate notes the properties of a second definition with the model's code: nobody can tell which of the two others mean.
func (m *model) addDuplicate(d *def.Model) {
	for _, p := range d.Properties {
		m.poisons[fold(p.Code)] = true
	}
}

func (m *model) codes() []string {
	out := make([]string, 0, len(m.Fields))
	for _, f := range m.Fields {
		out = append(out, f.Code)
	}
	return out
}

// compileModels works in steps over all models, for each step reads what the one before made of the others.
func (c *compiler) compileModels() {
	c.compileSystem()
	for _, m := range c.models.all {
		c.describe(m)
	}
	for _, m := range c.models.all {
		d := m.def
		m.Label, m.Table, m.Volume, m.Final = c.label(d.Node, d.Named, d.Code), table(d.Code), d.Volume, d.Final
		m.Plural = c.plural(d)
		if m.Volume == 0 {
			m.Volume = defaultVolume
		}
		m.renamedFrom = names.Former(d.RenamedFrom).Map(table)
		c.compileFields(m, d.Properties)
		c.cat.Models = append(c.cat.Models, m.Model)
	}
	c.anyModel = newModel(&catalog.Model{Code: "*"})
	c.addSystem(c.anyModel, nil)
	c.anyModel.Freeze()
	c.eachModel(func(m *model) {
		for _, f := range m.Fields {
			c.linkField(m, f)
			c.linkOptions(m, f)
			c.checkDepends(m, f)
			c.noteOptions(m, f)
		}
	})
	for _, f := range c.anyModel.Fields {
		c.linkField(c.anyModel, f)
	}
	for _, m := range c.models.all {
		c.compileTree(m)
		c.compileDigest(m)
		c.compileSequence(m)
		m.Unique = c.fieldLists(m, "unique", m.def.Unique)
		m.Indexes = c.fieldLists(m, "indexes", m.def.Indexes)
	}
	c.eachModel(c.compileComputed)
	for _, m := range c.models.all {
		c.findReads(m)
		c.orderComputed(m)
	}
	for _, m := range c.models.all {
		c.findLive(m)
	}
	c.eachModel(c.checkLive)
	c.eachModel(c.compileFormulas)
	for _, m := range c.models.all {
		c.compileRules(m)
	}
	c.compileDependents()
}

// eachModel visits models and their sub-tables.
func (c *compiler) eachModel(f func(*model)) {
	for _, m := range c.models.all {
		f(m)
		for _, s := range m.Sheets {
			f(c.of[s])
		}
	}
}

func (c *compiler) compileTree(m *model) {
	code, at := m.def.Tree, m.def.Node.Get("tree")
	if code == "" {
		return
	}
	f, ok := c.field(m, code, at, "MODEL007")
	switch {
	case !ok || m.lost[f]:
	case f.Target != m.Model || f.Multiple:
		c.report("MODEL008", at, code, m.Code)
	default:
		m.Tree = f
		if f.Required {
			c.report("MODEL029", member(m.defs[f].Node, "required"), code)
		}
	}
}

// field resolves a property of the model itself.
func (c *compiler) field(m *model, code string, at *source.Node, report string) (*catalog.Field, bool) {
	f := m.Field(code)
	if f == nil && !m.poisoned(code) && code != "" {
		c.suggest(report, at, code, m.codes(), m.Code)
	}
	c.noteField(f, code, source.In(at))
	return f, f != nil
}

// compileDigest reads the template of a record's name: texts and {property}.
func (c *compiler) compileDigest(m *model) {
	text, at := m.def.Digest, m.def.Node.Get("digest")
	if f := m.Field(catalog.Name); f != nil && !f.System {
		if text != "" {
			c.report("MODEL009", at)
		}
		m.Digest = []catalog.DigestPart{{Field: f}}
		return
	}
	if text == "" {
		text = defaultDigest
	}
	for at0 := 0; text[at0:] != ""; {
		open := strings.IndexByte(text[at0:], '{')
		if open < 0 {
			m.Digest = append(m.Digest, catalog.DigestPart{Text: text[at0:]})
			return
		}
		if open > 0 {
			m.Digest = append(m.Digest, catalog.DigestPart{Text: text[at0 : at0+open]})
		}
		start := at0 + open + 1
		end := strings.IndexByte(text[start:], '}')
		if end < 0 {
			d := problem("MODEL010", at)
			d.Position = at.PosInText(start - 1)
			c.out = append(c.out, d)
			return
		}
		c.digestField(m, at, text[start:start+end], start)
		at0 = start + end + 1
	}
}

func (c *compiler) digestField(m *model, at *source.Node, code string, offset int) {
	f := m.Field(code)
	c.noteField(f, code, source.Place{Node: at, Offset: offset})
	if f != nil && f.Code != catalog.Name && f.Links == "" && len(f.Property.Columns()) > 0 {
		m.Digest = append(m.Digest, catalog.DigestPart{Field: f})
		return
	}
	if m.poisoned(code) {
		return
	}
	d := problem("MODEL011", at, code, m.Code)
	if f != nil {
		d = problem("MODEL012", at, code)
	}
	d.Position = at.PosInText(offset)
	if f == nil {
		d = d.Suggest(code, m.codes())
	}
	c.out = append(c.out, d)
}

var (
	sequenceDates = map[string]string{"": "", "yyyy": "2006", "yyyyMM": "200601", "yyyyMMdd": "20060102"}
	// sequenceFineness orders dates and resets: a number that starts again needs a date that tells the periods apart.
	sequenceFineness = map[string]int{"": 0, "none": 0, "yyyy": 1, "year": 1, "yyyyMM": 2, "month": 2, "yyyyMMdd": 3, "day": 3}
)

func (c *compiler) compileSequence(m *model) {
	s := m.def.Sequence
	m.Sequence = catalog.Sequence{Prefix: s.Prefix, Date: sequenceDates[s.Date], Length: s.Length, Reset: s.Reset}
	if s.Length == 0 {
		m.Sequence.Length = sequenceLength
	}
	if s.Reset == "" {
		m.Sequence.Reset = "none"
	}
	if sequenceFineness[s.Reset] > sequenceFineness[s.Date] {
		c.report("MODEL013", s.Node.Get("reset"), s.Reset, []string{"", "yyyy", "yyyyMM", "yyyyMMdd"}[sequenceFineness[s.Reset]])
	}
}

// fieldLists resolves unique and indexes: lists of properties with a scalar column each.
func (c *compiler) fieldLists(m *model, key string, lists [][]string) (out [][]*catalog.Field) {
	for i, codes := range lists {
		var fields []*catalog.Field
		complete := len(codes) > 0
		for j, code := range codes {
			at := m.def.Node.Get(key).At(itoa(i), itoa(j))
			f, ok := c.field(m, code, at, "MODEL014")
			switch {
			case !ok:
			case !orderable(f):
				c.report("MODEL015", at, code)
			case slices.Contains(fields, f): // the schema reports items that are the same
			default:
				fields = append(fields, f)
				continue
			}
			complete = false
		}
		if complete {
			out = append(out, fields)
		}
	}
	return out
}

// The wire numbers of data rules.
const (
	rulePattern = 1
	ruleFormula = 2
	ruleHook    = 3
)

func (c *compiler) compileRules(m *model) {
	for _, d := range m.def.DataRules {
		r := catalog.Rule{Pattern: d.Pattern, Hook: d.Hook, Message: plan.Label{Zh: d.Message, I18n: d.MessageI18n}}
		where := m
		if d.PropertyCode != "" {
			p, ok := c.path(m, d.PropertyCode, source.In(codeNode(d.Node)), "MODEL017")
			if !ok || len(p.Steps) > 0 && !p.Sheet {
				if ok {
					c.report("MODEL018", codeNode(d.Node), d.PropertyCode)
				}
				p = catalog.Path{}
				if d.CheckType == "pattern" {
					continue
				}
			}
			if r.Field = p.Field; p.Sheet {
				where = c.of[p.Field.Model]
			}
		}
		switch d.CheckType {
		case "pattern":
			r.Type, r.Text = rulePattern, d.Pattern
			c.checkPattern(d, r.Field)
		case "formula":
			r.Type, r.Text = ruleFormula, d.Formula
			r.Formula = c.condition(d.Node.Get("formula"), d.Formula, c.env(where, envOld), "MODEL021")
		case "hook":
			r.Type, r.Text = ruleHook, d.Hook
			if _, ok := c.set.Rules.Get(d.Hook); !ok && d.Hook != "" {
				c.suggest("MODEL028", member(d.Node, "hook"), d.Hook, c.set.Rules.Names())
				continue
			}
		}
		where.Rules = append(where.Rules, r)
	}
}

func (c *compiler) checkPattern(d def.DataRule, f *catalog.Field) {
	at := member(d.Node, "pattern")
	if _, err := regexp.Compile(d.Pattern); err != nil {
		c.report("MODEL019", at, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	if f != nil && f.Property.Kind() != plan.Text {
		c.report("MODEL020", at, f.Code)
	}
}

func itoa(i int) string { return strconv.Itoa(i) }
