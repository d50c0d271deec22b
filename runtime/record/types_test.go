package record_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// typed is a type of properties with a value of it, as callers send it. %[1]s is a person, %[2]s a department, %[3]s a record.
type typed struct{ name, definition, value string }

const options = `"options": [{"code": "OPEN", "name": "进行中"}, {"code": "DONE", "name": "完成", "name_i18n": {"en": "Done"}}]`

var types = []typed{
	{"ShortText", `"propertyType": "ShortText"`, `"what"`},
	{"LongText", `"propertyType": "LongText"`, `"what\nelse"`},
	{"Dropdown", `"propertyType": "Dropdown", ` + options, `"DONE"`},
	{"Radio", `"propertyType": "Radio", ` + options, `"OPEN"`},
	{"Number", `"propertyType": "Number", "scale": 2`, `"12.50"`},
	{"Date", `"propertyType": "Date"`, `"2026-11-21"`},
	{"DateTime", `"propertyType": "Date", "displayFormat": "yyyy-MM-dd HH:mm"`, `"2026-11-20T16:00:00Z"`},
	{"Time", `"propertyType": "Time"`, `"07:30"`},
	{"Logic", `"propertyType": "Logic"`, `true`},
	{"StaffSingle", `"propertyType": "StaffSingle"`, `"%[1]s"`},
	{"DeptSingle", `"propertyType": "DeptSingle"`, `"%[2]s"`},
	{"RelevanceForm", `"propertyType": "RelevanceForm", "relativeCode": "customer"`, `"%[3]s"`},
	{"DropdownMulti", `"propertyType": "DropdownMulti", ` + options, `["DONE"]`},
	{"StaffMulti", `"propertyType": "StaffMulti"`, `["%[1]s"]`},
	{"DeptMulti", `"propertyType": "DeptMulti"`, `["%[2]s"]`},
	{"StaffDeptMix", `"propertyType": "StaffDeptMix"`, `["%[1]s"]`},
	{"RelevanceFormEx", `"propertyType": "RelevanceFormEx", "relativeCode": "customer"`, `["%[3]s"]`},
	{"Attachment", `"propertyType": "Attachment"`, ``},
	{"Address", `"propertyType": "Address"`, `{"detail": "4 Quay"}`},
	{"Sheet", `"propertyType": "Sheet", "properties": [{"code": "item", "propertyType": "ShortText", "name": "x"}]`, `[{"item": "one"}]`},
}

// writes are texts that write a value of a type; one of two records has it, and the other what the type of text says.
var writes = map[string]string{"Number": "12.5", "Date": "2026-11-21", "DateTime": "2026-11-20T16:00:00.000Z", "Time": "07:30", "Logic": "yes", "Dropdown": "Done", "Radio": "进行中", "DropdownMulti": "完成"}

func pairCode(from, to typed) string { return from.name + "To" + to.name }

// pairsOf calls f with each pair of types.
func pairsOf(f func(from, to typed)) {
	for _, from := range types {
		for _, to := range types {
			if from.name != to.name {
				f(from, to)
			}
		}
	}
}

// pairModel is a model with a property for each pair, of its type before or after.
func pairModel(after bool) string {
	var parts []string
	pairsOf(func(from, to typed) {
		is := from
		if after {
			is = to
		}
		parts = append(parts, fmt.Sprintf(`{"code": %q, "name": "x", %s}`, pairCode(from, to), is.definition))
	})
	return `{"name": "物", "properties": [` + strings.Join(parts, ",\n") + `]}`
}

// Every pair of types, with a record whose value fits and one whose text does not: what the plan says, what the records have then, and that their
// histories and the recycle bin say the same. testdata/types.txt has a line for each; -update writes it.
func TestEveryPairOfTypes(t *testing.T) {
	path := filepath.Join("testdata", "types.txt")
	each(t, func(t *testing.T, w *world) {
		p := newPairs(t, w)
		p.apply()
		got := p.lines()
		if *update {
			must(t, os.WriteFile(path, []byte(got), 0o600))
		}
		want, err := os.ReadFile(path)
		must(t, err)
		if got != string(want) {
			for i, line := range strings.Split(got, "\n") {
				if of := strings.Split(string(want), "\n"); i >= len(of) || of[i] != line {
					t.Errorf("have %s\nwant %s", line, append(of, "nothing")[min(i, len(of))])
				}
			}
		}
	}, func(docs map[string]string, _ *pack.Set) { docs["models/thing.json"] = pairModel(false) })
}

// pairs are two records of the model of all pairs, and one that was deleted, while their types change.
type pairs struct {
	*testing.T
	w              *world
	ids            []string
	gone           string
	dept, customer string
	plan           *store.Plan
	models         [2]*catalog.Model // before and after
	// restored is what came back with another value than the first record has.
	restored map[string]string
}

func newPairs(t *testing.T, w *world) *pairs {
	p := &pairs{T: t, w: w, restored: map[string]string{}}
	p.dept = w.save(w.boss, "department", "", 0, `{"name": "工程部"}`).ID
	p.customer = w.save(w.boss, "customer", "", 0, `{"title": "left bank"}`).ID
	of := func(fits bool) string {
		var values []string
		pairsOf(func(from, to typed) {
			value := from.value
			if text := writes[to.name]; strings.HasSuffix(from.name, "Text") && fits && text != "" {
				value = `"` + text + `"`
			}
			if value != "" {
				values = append(values, fmt.Sprintf("%q: %s", pairCode(from, to), strings.NewReplacer("%[1]s", w.bossID, "%[2]s", p.dept, "%[3]s", p.customer).Replace(value)))
			}
		})
		return "{" + strings.Join(values, ", ") + "}"
	}
	p.ids = []string{w.save(w.boss, "thing", "", 0, of(true)).ID, w.save(w.boss, "thing", "", 0, of(false)).ID}
	p.gone = w.save(w.boss, "thing", "", 0, of(true)).ID
	w.delete(w.boss, "thing", p.gone)
	return p
}

func (p *pairs) apply() {
	w := p.w
	p.models[0] = w.c.Model("thing")
	docs := map[string]string{}
	for name, text := range documents {
		docs[name] = text
	}
	docs["models/thing.json"] = pairModel(true)
	w.compile(docs)
	p.models[1] = w.c.Model("thing")
	var err error
	p.plan, err = w.db.Plan(p.Context(), w.c.Storage, store.PlanOptions{})
	must(p.T, err)
	must(p.T, w.db.Apply(p.Context(), p.plan, store.ApplyOptions{AllowDestructive: true}))
	w.boss = w.rights(w.bossID, "boss")
}

// lines tell of each pair what became of it.
func (p *pairs) lines() string {
	var out strings.Builder
	now, told := p.now(), p.told()
	pairsOf(func(from, to typed) {
		code := pairCode(from, to)
		line := from.name + " → " + to.name + ": " + p.said(code)
		if now[code] != "" {
			line += "; " + now[code]
		}
		if told[code] != now[code] {
			line += "; history " + told[code]
		}
		if v := p.restored[code]; v != "" {
			line += "; brought back " + v
		}
		out.WriteString(strings.NewReplacer("\n", `\n`, p.w.bossID, "<boss>", p.dept, "<department>", p.customer, "<customer>").Replace(line) + "\n")
	})
	return out.String()
}

// said is what the plan says of a property, in English.
func (p *pairs) said(code string) string {
	var out []string
	for _, s := range p.plan.Steps {
		if s.Property == code || s.Model == "thing."+code {
			out = append(out, string(s.Class)+" "+strings.ReplaceAll(s.Text.In("en"), code, "it"))
		}
	}
	slices.Sort(out)
	if out == nil {
		return "the same"
	}
	return strings.Join(out, "; ")
}

// columnsOf are the properties of the model of now that have one column.
func (p *pairs) columnsOf() (out []string) {
	for _, f := range p.models[1].Fields {
		if cols := f.Property.Columns(); !f.System && len(cols) == 1 {
			out = append(out, f.Code)
		}
	}
	return out
}

// now is what the two records have of each property, empty ones left out. What was deleted comes back with what the first has.
func (p *pairs) now() map[string]string {
	out, codes := map[string]string{}, p.columnsOf()
	if _, err := p.w.restore(p.w.boss, "thing", p.gone); err != nil {
		p.Fatal(explain(err))
	}
	for _, code := range codes {
		var of []string
		for _, one := range append(slices.Clone(p.ids), p.gone) {
			v := p.w.read("thing", id(one), code)[0]
			of = append(of, strings.ReplaceAll(v, "<nil>", "-"))
		}
		if of[0] != "-" || of[1] != "-" {
			out[code] = of[0] + " | " + of[1]
		}
		if p.restored[code] = of[2]; of[2] == of[0] {
			delete(p.restored, code)
		}
	}
	return out
}

// told is what the histories say that the two records were made with.
func (p *pairs) told() map[string]string {
	out := map[string]string{}
	must(p.T, p.w.db.Read(p.Context(), func(_ context.Context, tx *store.Tx) error {
		sides := map[string][]string{}
		for i, one := range p.ids {
			rows, _, err := record.HistoryOf(tx, "thing", []string{one}, 0, 10)
			must(p.T, err)
			ch, err := record.ChangesOf(tx, rows[0])
			must(p.T, err)
			for _, f := range ch.Fields {
				of := p.models[1].Field(f.Code)
				if len(of.Property.Columns()) != 1 {
					continue
				}
				if sides[f.Code] == nil {
					sides[f.Code] = []string{"-", "-"}
				}
				sides[f.Code][i] = strings.ReplaceAll(fmt.Sprint(record.Columns(of.Property, f.After)[0]), "<nil>", "-")
			}
		}
		for code, of := range sides {
			if of[0] != "-" || of[1] != "-" {
				out[code] = of[0] + " | " + of[1]
			}
		}
		return nil
	}))
	return out
}
