package compile

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
)

// compileCodes looks for what the code of packs names. The documents of a pack may be left out of an installation; then its code does nothing.
func (c *compiler) compileCodes() {
	told, packs := map[string]bool{}, map[[2]string]bool{}
	for _, one := range c.set.Codes() {
		if c.takesPart(one.Pack) && c.takesPart(one.Where) {
			d := declared{Code: one, told: told}
			c.compileCode(d)
			for _, code := range []string{one.Pack, one.Where} {
				if by := [2]string{fold(one.Pack), fold(code)}; code != "" && !packs[by] { // code says which packs it works with
					packs[by] = true
					c.noteCode(d, names.App, code, code)
				}
			}
		}
	}
	for _, p := range c.packs {
		c.interfaceCodes(p, told)
	}
}

// takesPart reports whether the documents of a pack are compiled; "" = whatever they are.
func (c *compiler) takesPart(code string) bool {
	return code == "" || slices.ContainsFunc(c.packs, func(p *def.Pack) bool { return strings.EqualFold(p.Code, code) })
}

// declared is a code that code names, and the places of which something was told.
type declared struct {
	pack.Code
	told map[string]bool
	text *source.Node // of an interface: where it is written; nil = in Go
}

// node is where a code is written; in Go it represents the code at the line of its declaration.
func (d declared) node(code string) *source.Node {
	if d.text != nil {
		return d.text
	}
	quoted, err := json.Marshal(code)
	if err != nil {
		quoted = []byte(`""`)
	}
	n, _ := source.Parse(d.File, append([]byte(strings.Repeat("\n", max(0, d.Line-1))), quoted...))
	return n
}

func (c *compiler) compileCode(d declared) {
	switch d.Kind {
	case names.Property:
		owner, code := d.Path, ""
		if i := strings.LastIndexByte(d.Path, '.'); i >= 0 {
			owner, code = d.Path[:i], d.Path[i+1:]
		}
		if m := c.codeModel(d, owner); m != nil {
			c.codeProperty(d, m, code)
		}
	case names.Option:
		owner, code, _ := strings.Cut(d.Path, ":")
		c.codeOption(d, owner, code)
	case names.Node:
		workflow, id, _ := strings.Cut(d.Path, ".")
		c.codePart(d, workflow, id)
	default:
		c.codeDocument(d, d.Kind, d.Path)
	}
}

// codeDocument finds a document; false when none has the code.
func (c *compiler) codeDocument(d declared, k names.Kind, code string) bool {
	s := c.stage(def.Kind(k))
	if s.names == nil {
		c.report("CODE003", d.node(code), k)
		return false
	}
	all := s.names(c)
	if !all.has(code) {
		c.unknownCode(d, k, "", code, all.words(), c.formerDocument(k, code))
		return false
	}
	c.noteCode(d, k, all.declared(code), code)
	return true
}

// formerDocument is the code of the document that had a code before; "" = there is none.
func (c *compiler) formerDocument(k names.Kind, code string) string {
	for _, p := range c.packs {
		for _, d := range p.Documents {
			if h := d.Header(); d.Kind == def.Kind(k) && had(names.Former(h.RenamedFrom), code) {
				return h.Code
			}
		}
	}
	return ""
}

func had(former names.Former, code string) bool {
	return slices.ContainsFunc(former, func(old string) bool { return strings.EqualFold(old, code) })
}

// codeModel finds a model or sub-table; nil when there is none, or it is not known what it has.
func (c *compiler) codeModel(d declared, path string) *model {
	code, sheet, nested := strings.Cut(path, ".")
	m, known := c.models.get(code)
	if !known {
		c.unknownCode(d, names.Model, "", code, c.models.codes, c.formerDocument(names.Model, code))
	}
	if m == nil || !nested {
		return m
	}
	return c.codeProperty(d, m, sheet)
}

// codeProperty finds a property; what it returns is the sub-table that it is, if it is one.
func (c *compiler) codeProperty(d declared, m *model, code string) *model {
	f := m.Field(code)
	if f == nil {
		if !m.poisoned(fold(code)) {
			c.unknownCode(d, names.Property, m.Code, code, m.codes(), formerProperty(m, code))
		}
		return nil
	}
	c.noteCode(d, names.Property, names.Join(f.Model.Code, f.Code), code)
	return c.of[f.Sheet]
}

func formerProperty(m *model, code string) string {
	for f, one := range m.defs {
		if had(names.Former(one.RenamedFrom), code) {
			return f.Code
		}
	}
	return ""
}

// codeOption finds an option of a property or a dictionary.
func (c *compiler) codeOption(d declared, owner, code string) {
	of, all, ok := c.codeOptions(d, owner)
	if !ok {
		return
	}
	now, codes := "", []string{}
	for _, o := range all {
		if o.Code == code {
			c.noteCode(d, names.Option, names.OptionPath(of, code), code)
			return
		}
		if slices.Contains(o.Former, code) {
			now = o.Code
		}
		codes = append(codes, o.Code)
	}
	c.unknownCode(d, names.Option, owner, code, codes, now)
}

// codeOptions are the options of a property or a dictionary, and what they are the options of.
func (c *compiler) codeOptions(d declared, owner string) (of string, all []property.Option, ok bool) {
	i := strings.LastIndexByte(owner, '.')
	if i < 0 {
		x := c.dictionaries.entries[fold(owner)]
		ok = c.codeDocument(d, names.Dictionary, owner) && x.value != nil && !x.value.twice
		if ok {
			all = x.value.Options
		}
		return x.code, all, ok
	}
	m := c.codeModel(d, owner[:i])
	if m == nil {
		return "", nil, false
	}
	c.codeProperty(d, m, owner[i+1:])
	f := m.Field(owner[i+1:])
	if f == nil {
		return "", nil, false
	}
	return c.optionOwner(f), options(f.Property), true
}

// codePart finds a part that a document of a registered kind has: a node of a workflow.
func (c *compiler) codePart(d declared, document, id string) {
	if !c.codeDocument(d, names.Workflow, document) {
		return
	}
	s := c.stage(def.Kind(names.Workflow))
	var all []string
	for _, p := range c.packs {
		for _, one := range p.Documents {
			h := one.Header()
			if one.Kind != s.Code || !strings.EqualFold(h.Code, document) {
				continue
			}
			for _, part := range s.Parts {
				for _, entry := range h.Node.Get(part.List).Items() {
					all = append(all, entry.Get(part.Key).Text())
				}
			}
			if slices.Contains(all, id) {
				c.noteCode(d, names.Node, names.Join(h.Code, id), id)
				return
			}
		}
	}
	if len(all) > 0 { // else it could not be read, which is told
		c.unknownCode(d, names.Node, document, id, all, "")
	}
}

// unknownCode reports a code that nothing has, once for each line.
func (c *compiler) unknownCode(d declared, k names.Kind, owner, code string, candidates []string, now string) {
	n := d.node(code)
	at := n.Pos().String() + string(k) + " " + names.Join(owner, code)
	if d.told[at] {
		return
	}
	d.told[at] = true
	what, word := c.labelOf(k), code
	switch {
	case k == names.Option:
		code = names.OptionPath(owner, code)
	case owner != "":
		code = names.Join(owner, code)
	}
	if now != "" {
		c.report("CODE002", n, code, now, what, cmp.Or(d.Pack, d.File))
		return
	}
	c.suggest("CODE001", n, word, candidates, code, what, cmp.Or(d.Pack, d.File))
}

// noteCode notes that code names a thing.
func (c *compiler) noteCode(d declared, k names.Kind, path, code string) {
	if c.options.References == nil {
		return
	}
	named := []catalog.HeldName{{Kind: k, Path: path, Word: code}}
	if h, value, held := c.heldBy(path); held && k == names.Option {
		named = c.heldNames(h, value)
	}
	for _, one := range named {
		c.options.References.add(Reference{Kind: one.Kind, Path: one.Path, Written: code, Program: true, Place: source.In(d.node(code))})
	}
}

// partLabels are what parts of documents are called.
var partLabels = map[names.Kind]plan.Label{names.Property: label("数据项", "property"), names.Option: label("选项", "option"), names.Node: label("节点", "node")}

func (c *compiler) labelOf(k names.Kind) plan.Label {
	if part, ok := partLabels[k]; ok {
		return part
	}
	return c.stage(def.Kind(k)).Label
}
