package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/schemas"
)

// compileData links the rows that packs bring and reads their values, so that a wrong one is known before anything is
// written. What a reference names may stand in the database alone: where packs bring rows of its model, one that is none of them
// is worth a warning, and otherwise nothing is said.
func (c *compiler) compileData() {
	broken := slices.ContainsFunc(c.packs, func(p *def.Pack) bool { return len(p.Broken) > 0 })
	c.sound = !broken && !c.out.HasErrors()
	keys := c.rowKeys()
	with := c.rowsDependOn()
	var checks []*diag.List
	var all sync.WaitGroup
	for i, p := range c.packs {
		for _, d := range def.Of[*def.Data](p) {
			m, ok := lookup(c, &c.models, d.Code, d.Node, "PACK008")
			if !ok {
				continue
			}
			severalInCells(m.Model, d)
			c.noteRows(m, d)
			found := new(diag.List)
			checks = append(checks, found)
			all.Go(func() {
				*found = c.options.Cache.checkedRows(d, with, func() (diag.List, bool) {
					r := newRowCheck(c, keys)
					r.rows(m, d)
					return r.out, !r.lookedUp
				})
			})
			c.cat.Packs[i].Data = append(c.cat.Packs[i].Data,
				catalog.Data{Model: m.Model, Key: d.Key, Rows: d.Rows, Start: c.dataStarts(m, d, keys), Pack: p.Code, File: d.Node.File()})
		}
	}
	all.Wait()
	for _, found := range checks {
		c.out = append(c.out, *found...)
	}
}

// severalInCells takes the cells of a table apart that name several records, people or departments, as those with several options are.
func severalInCells(m *catalog.Model, d *def.Data) {
	if path.Ext(d.Node.File()) != ".csv" {
		return
	}
	for _, f := range m.Fields {
		if f.Target == nil || !f.Multiple {
			continue
		}
		for _, row := range d.Rows {
			text, ok := row[f.Code].(string)
			if !ok {
				continue
			}
			var list []any
			for part := range strings.SplitSeq(text, property.ListSeparator) {
				list = append(list, strings.TrimSpace(part))
			}
			row[f.Code] = list
		}
	}
}

// dataStarts links the workflows that rows start. The person may be in the database alone, as with relations of rows.
func (c *compiler) dataStarts(m *model, d *def.Data, keys map[*catalog.Model]map[string]bool) (out []catalog.DataStart) {
	rows := map[string]bool{}
	for _, row := range d.Rows {
		rows[keyText(d.Key, row)] = true
	}
	for i, s := range d.Start {
		at := d.Node.Get("start").At(itoa(i))
		if (linker{c: c}).Exists(catalog.KindWorkflow, at.Get("workflow")) {
			if w, _ := (linker{c: c}).Find(catalog.KindWorkflow, s.Workflow); w != nil {
				if of := w.Header().Node.Get("schemaCode").Text(); of != m.Code {
					c.report("PACK032", at.Get("workflow"), s.Workflow, of)
				}
			}
		}
		if users, _ := c.models.get("user"); users != nil {
			if known := keys[users.Model]; len(known) > 0 && !known[s.Initiator] {
				c.out = append(c.out, problem("PACK021", at.Get("initiator"), "initiator", fmt.Sprintf("%q", s.Initiator), users.Code).Suggest(s.Initiator, sortedKeys(known)))
			}
		}
		for n, one := range s.Rows {
			var key []string
			switch one := one.(type) {
			case string:
				key = []string{one}
			case []any:
				for _, part := range one {
					key = append(key, fmt.Sprint(part))
				}
			}
			if text := strings.Join(key, ", "); !rows[text] {
				c.out = append(c.out, problem("PACK033", at.Get("rows").At(itoa(n)), text).Suggest(text, sortedKeys(rows)))
				continue
			}
			out = append(out, catalog.DataStart{Workflow: s.Workflow, Initiator: s.Initiator, Key: key})
		}
	}
	return out
}

// keyText is the key of a row as messages write it.
func keyText(key []string, row map[string]any) string {
	parts := make([]string, len(key))
	for i, k := range key {
		parts[i] = fmt.Sprint(row[k])
	}
	return strings.Join(parts, ", ")
}

// looksUp reports whether a property refuses a value because a table does not have it: the divisions of addresses may be
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
