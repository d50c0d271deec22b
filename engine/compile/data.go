package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/schemas"
)

// compileData links the rows that packs bring and reads their values, so that a wrong one is known before anything is
// written. References are resolved when they are written: their targets may stand in the database alone.
func (c *compiler) compileData() {
	broken := slices.ContainsFunc(c.packs, func(p *def.Pack) bool { return len(p.Broken) > 0 })
	c.sound = !broken && !c.out.HasErrors()
	for i, p := range c.packs {
		for _, d := range p.Data {
			m, ok := lookup(c, &c.models, d.Code, d.Node, "PACK008")
			if !ok {
				continue
			}
			c.checkRows(m, d)
			c.cat.Packs[i].Data = append(c.cat.Packs[i].Data,
				catalog.Data{Model: m.Model, Key: d.Key, Rows: d.Rows, Pack: p.Code, File: d.Node.File()})
		}
	}
}

func (c *compiler) checkRows(m *model, d *def.Data) {
	for i, k := range d.Key {
		if !m.has(k) {
			c.suggest("PACK009", d.Node.Get("key").At(itoa(i)), k, m.codes(), m.Code)
		}
	}
	unknown := map[string]bool{}
	first := map[string]*source.Node{}
	for i, row := range d.Rows {
		at := d.Node.Get("rows").At(itoa(i))
		c.checkCells(m, at, row, unknown)
		key, whole := "", true
		for _, k := range d.Key {
			v, given := row[k]
			if !given && m.has(k) {
				c.report("PACK011", at, k)
			}
			whole = whole && v != nil
			key += fmt.Sprint(v) + "\x00"
		}
		if twin := first[key]; twin != nil && whole {
			c.report("PACK015", at, strings.ReplaceAll(strings.TrimSuffix(key, "\x00"), "\x00", ", "), twin.Pos().Line)
		} else if whole {
			first[key] = at
		}
	}
}

// checkCells reads the values of a row. An unknown code is told once for a file.
func (c *compiler) checkCells(m *model, at *source.Node, row map[string]any, unknown map[string]bool) {
	for _, code := range sortedKeys(row) {
		if !m.has(code) {
			if !unknown[code] {
				unknown[code] = true
				c.suggest("PACK009", member(at, code), code, m.codes(), m.Code)
			}
			continue
		}
		f := m.Field(code)
		if !c.sound || f == nil || f.System || f.Target != nil { // wrong for a reason that was told, or known to the database only
			continue
		}
		if _, err := f.Property.Parse(row[code]); err != nil {
			if !looksUp(f.Property, err) {
				c.report("PACK014", member(at, code), code, refusal(err))
			}
			continue
		}
		if f.Sheet == nil {
			continue
		}
		lines, _ := row[code].([]any)
		for i, line := range lines {
			if cells, ok := line.(map[string]any); ok {
				c.checkCells(c.of[f.Sheet], member(at, code).At(itoa(i)), cells, unknown)
			}
		}
	}
}

// looksUp tells whether a property refuses a value because a table does not have it: the divisions of addresses may be
// rows that are not written yet.
func looksUp(p property.Property, err error) bool {
	var refused *property.ValueError
	_, chooses := p.(property.Chooser)
	return !chooses && errors.As(err, &refused) && refused.Code == int(fault.FieldOption)
}

// refusal is why a property refuses a value, in the sentences that users read.
func refusal(err error) diag.Text {
	var refused *property.ValueError
	if !errors.As(err, &refused) {
		return diag.Text{Zh: err.Error(), En: err.Error()}
	}
	return sentence(fault.Code(refused.Code), refused.Args...)
}

// sentence is the text of a refusal.
func sentence(code fault.Code, args ...any) diag.Text {
	t := sentences()[int(code)]
	return diag.Text{Zh: diag.Fill(t.Zh, args, "zh"), En: diag.Fill(t.En, args, "en")}
}

// sentences are the texts of schemas/errors.json by number.
var sentences = sync.OnceValue(func() map[int]diag.Text {
	data, err := schemas.FS.ReadFile("errors.json")
	if err != nil {
		panic(err) // embedded
	}
	var rows []struct {
		Code   int
		Zh, En string
	}
	if err := json.Unmarshal(data, &rows); err != nil {
		panic("schemas/errors.json: " + err.Error())
	}
	out := make(map[int]diag.Text, len(rows))
	for _, r := range rows {
		out[r.Code] = diag.Text{Zh: r.Zh, En: r.En}
	}
	return out
})
