package record_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// deal is what the oracle believes of a record: properties by code as they are written, "" = empty.
type deal struct {
	owner   string
	version int64
	values  map[string]string
	lines   []line
}

type line struct{ id, item, cost string }

func (d *deal) clone() *deal {
	out := *d
	out.values, out.lines = map[string]string{}, slices.Clone(d.lines)
	for code, v := range d.values {
		out.values[code] = v
	}
	return &out
}

// conditions are row conditions as an author writes them and as the oracle understands them.
var conditions = []struct {
	text  string
	holds func(me string, d *deal) bool
}{
	{"all", func(string, *deal) bool { return true }},
	{"own", func(me string, d *deal) bool { return d.owner == me }},
	{"state == 'OPEN'", func(_ string, d *deal) bool { return d.values["state"] == "OPEN" }},
	{"state != 'OPEN'", func(_ string, d *deal) bool { return d.values["state"] != "OPEN" }},
	{"level > 2", func(_ string, d *deal) bool { return d.values["level"] == "3" }},
	{"owner == user.id or level == nil", func(me string, d *deal) bool { return d.owner == me || d.values["level"] == "" }},
	{"any(lines, .cost > 5)", func(_ string, d *deal) bool {
		return slices.ContainsFunc(d.lines, func(l line) bool { return l.cost == "9" })
	}},
	{"not any(lines, .item == 'a')", func(_ string, d *deal) bool {
		return !slices.ContainsFunc(d.lines, func(l line) bool { return l.item == "a" })
	}},
}

// permit is one grant on the model. rows and edit are places in conditions.
type permit struct {
	actions    []string
	rows, edit int
	fields     map[string]string // every property and column has its right
}

func (p permit) gives(action string) bool { return slices.Contains(p.actions, action) }

func (p permit) writes(code string) bool {
	sheet, _, column := strings.Cut(code, ".")
	free := func(code string) bool { return strings.Trim(p.fields[code], "-r") != "" }
	return free(code) && (!column || free(sheet))
}

var dealFields = []string{"title", "state", "level", "secret", "lines", "lines.item", "lines.cost"}

// permits makes the access documents of n roles, one grant each.
func permits(r *rand.Rand, n int, docs map[string]string) []permit {
	out := make([]permit, n)
	for i := range out {
		p := permit{rows: r.IntN(len(conditions)), edit: r.IntN(len(conditions)), fields: map[string]string{}}
		if r.IntN(2) == 0 {
			p.rows = 0
		}
		if r.IntN(2) == 0 {
			p.edit = 0
		}
		for _, a := range []string{"view", "edit", "add", "delete"} {
			if r.IntN(4) > 0 {
				p.actions = append(p.actions, a)
			}
		}
		if len(p.actions) == 0 {
			p.actions = []string{"view"}
		}
		for _, code := range dealFields {
			p.fields[code] = []string{"rw", "rw", "rw", "r", "-"}[r.IntN(5)]
		}
		p.fields["lines"] = []string{"rw+x", "rw+x", "rw+x", "rw", "r+", "rx", "rw+", "rwx", "r", "-"}[r.IntN(10)]
		text, err := json.Marshal(map[string]any{"name": fmt.Sprint("角色", i), "models": []any{map[string]any{
			"schemaCode": "deal", "actions": p.actions, "rows": conditions[p.rows].text, "editRows": conditions[p.edit].text, "fields": p.fields}}})
		if err != nil {
			panic(err)
		}
		docs[fmt.Sprintf("access/p%d.json", i)] = string(text)
		out[i] = p
	}
	return out
}

// actor is somebody with some of the roles.
type actor struct {
	me      string
	permits []permit
	view    *authz.View
}

func (a *actor) can(action string) bool {
	return slices.ContainsFunc(a.permits, func(p permit) bool { return p.gives(action) })
}

func (a *actor) sees(d *deal) bool {
	return slices.ContainsFunc(a.permits, func(p permit) bool { return p.gives("view") && conditions[p.rows].holds(a.me, d) })
}

// may reports whether some grant lets the actor do the action on the record as it is; with a code, whether one that may write it does.
func (a *actor) may(action string, d *deal, code string) bool {
	return slices.ContainsFunc(a.permits, func(p permit) bool {
		return p.gives(action) && (code == "" || p.writes(code)) && conditions[p.rows].holds(a.me, d) &&
			(action == "add" || conditions[p.edit].holds(a.me, d)) && a.sees(d)
	})
}

// never reports whether no grant lets the actor write the property, whatever the record.
func (a *actor) never(action, code string) bool {
	return !a.can("view") || !slices.ContainsFunc(a.permits, func(p permit) bool { return p.gives(action) && p.writes(code) })
}

// rows reports whether some grant lets the actor do something with rows on the record as it is: "+", "w" or "x". Without a record, on some.
func (a *actor) rows(action string, d *deal, letter string) bool {
	return slices.ContainsFunc(a.permits, func(p permit) bool {
		return p.gives(action) && strings.Contains(p.fields["lines"], letter) && (d == nil || conditions[p.rows].holds(a.me, d) &&
			(action == "add" || conditions[p.edit].holds(a.me, d)) && a.sees(d))
	})
}

// attempt is a change that somebody tries.
type attempt struct {
	id      string // "" = create
	version int64
	set     map[string]any
	codes   []string // of properties and columns that are written, and of none
	foreign bool     // it names a row of another record
}

// try makes a random change; the record is nil for a new one.
func try(r *rand.Rand, id string, d *deal, all map[string]*deal) attempt {
	out := attempt{id: id, set: map[string]any{}}
	if d != nil {
		out.version = d.version
		if r.IntN(12) == 0 {
			out.version += int64(r.IntN(3) - 1)
		}
	}
	words := map[string][]any{"title": {"x", "y", nil}, "state": {"OPEN", "CLOSED", nil}, "level": {"1", "3", nil}, "secret": {"s", nil}}
	for _, code := range []string{"title", "state", "level", "secret"} {
		if r.IntN(3) == 0 {
			out.set[code] = words[code][r.IntN(len(words[code]))]
			out.codes = append(out.codes, code)
		}
	}
	if r.IntN(40) == 0 {
		code := []string{"ghost", "owner", "version", "modifier"}[r.IntN(4)]
		out.set[code] = "x"
		out.codes = append(out.codes, code)
	}
	if r.IntN(3) > 0 {
		return out
	}
	rows, columns := []map[string]any{}, map[string]bool{}
	if d != nil {
		for _, l := range d.lines {
			if r.IntN(4) > 0 {
				rows = append(rows, map[string]any{"id": l.id})
			}
		}
	}
	if r.IntN(2) == 0 {
		rows = append(rows, map[string]any{})
	}
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	if r.IntN(20) == 0 {
		for other, o := range all {
			if other != id && len(o.lines) > 0 {
				rows, out.foreign = append(rows, map[string]any{"id": o.lines[0].id}), true
				break
			}
		}
	}
	for _, row := range rows {
		if r.IntN(2) == 0 {
			row["item"], columns["lines.item"] = []any{"a", "b"}[r.IntN(2)], true
		}
		if r.IntN(2) == 0 {
			row["cost"], columns["lines.cost"] = []any{"2", "9", nil}[r.IntN(3)], true
		}
	}
	out.set["lines"] = rows
	out.codes = append(out.codes, "lines")
	for code := range columns {
		out.codes = append(out.codes, code)
	}
	return out
}

// after is the record as the change makes it; new rows have no id yet.
func (x attempt) after(me string, d *deal) *deal {
	out := &deal{owner: me, values: map[string]string{}}
	if d != nil {
		out = d.clone()
	}
	text := func(v any) string { s, _ := v.(string); return s }
	for code, v := range x.set {
		rows, ok := v.([]map[string]any)
		if !ok {
			out.values[code] = text(v)
			continue
		}
		out.lines = nil
		for _, row := range rows {
			l := line{id: text(row["id"])}
			if d != nil {
				for _, o := range d.lines {
					if o.id == l.id {
						l = o
					}
				}
			}
			if v, ok := row["item"]; ok {
				l.item = text(v)
			}
			if v, ok := row["cost"]; ok {
				l.cost = text(v)
			}
			out.lines = append(out.lines, l)
		}
	}
	return out
}

// refusals of the whole record, as explain tells them.
const (
	noModel, noRecord, noRight, noAdd, isStale = "300001", "302000", "700001", "700020", "302002"
)

func unwritable(codes []string, refused func(code string) bool, rows ...string) string {
	out := rows
	for _, code := range codes {
		if refused(code) {
			out = append(out, code+" 302003")
		}
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "; ")
}

// rowsRefused are the refusals of what the change does with rows, where at is the record that rights are asked of; nil for rights on some record.
func (a *actor) rowsRefused(x attempt, action string, d, at *deal) (out []string) {
	rows, given := x.set["lines"].([]map[string]any)
	if !given {
		return nil
	}
	if at != nil && !a.may(action, at, "lines") {
		return nil // nothing is told of them
	}
	refuse := func(letter, code string) {
		if !a.rows(action, at, letter) {
			out = append(out, "lines "+code)
		}
	}
	stays := map[string]bool{}
	for _, row := range rows {
		id, _ := row["id"].(string)
		stays[id] = true
		if id == "" {
			refuse("+", "302038")
		}
	}
	if d == nil {
		return out
	}
	for _, l := range d.lines {
		switch is := x.after(a.me, d).lines; {
		case !stays[l.id]:
			refuse("x", "302040")
		case !slices.Contains(is, l):
			refuse("w", "302039")
		}
	}
	return out
}

// judge is the oracle: what the save shall answer, and the record afterwards. d is nil on create.
func (a *actor) judge(x attempt, d *deal) (string, *deal) {
	settable := func(code string) bool { return slices.Contains(dealFields, code) }
	next := x.after(a.me, d)
	action := "edit"
	if d == nil {
		action = "add"
	}
	switch {
	case !a.can("view") && !a.can("add"):
		return noModel, nil
	case d == nil && !a.can("add"):
		return noAdd, nil
	case d != nil && !a.sees(d):
		return noRecord, nil
	case d != nil && !a.may("edit", d, ""):
		return noRight, nil
	case d != nil && x.version != d.version:
		return isStale, nil
	}
	unknown := func(code string) bool { return !settable(code) || a.never(action, code) }
	within := func(code string) bool { return strings.HasPrefix(code, "lines.") && unknown("lines") } // of a sub-table that does not exist nothing is told
	if no := unwritable(x.codes, func(code string) bool { return unknown(code) && !within(code) }); no != "" {
		return no, nil
	}
	if no := unwritable(x.codes, func(code string) bool { return d != nil && !a.may(action, d, code) }, a.rowsRefused(x, action, d, d)...); no != "" {
		return no, nil
	}
	if x.foreign {
		return "lines 302009", nil
	}
	if d != nil && told(map[string]*deal{"": d}) == told(map[string]*deal{"": next}) {
		return "ok", next
	}
	if !a.may(action, next, "") {
		if d == nil {
			return noAdd, nil
		}
		return noRight, nil
	}
	if no := unwritable(x.codes, func(code string) bool { return !a.may(action, next, code) }, a.rowsRefused(x, action, d, next)...); no != "" {
		return no, nil
	}
	next.version++
	return "ok", next
}

// stored are all records as the database has them.
func (w *world) stored() map[string]*deal {
	out := map[string]*deal{}
	for _, row := range w.read("deal", plan.True, "id", "owner", "version", "title", "state", "level", "secret") {
		p := strings.Split(strings.ReplaceAll(row, "<nil>", ""), " | ")
		d := &deal{owner: p[1], values: map[string]string{}}
		_, _ = fmt.Sscan(p[2], &d.version)
		for i, code := range []string{"title", "state", "level", "secret"} {
			d.values[code] = p[3+i]
		}
		out[p[0]] = d
	}
	order := &plan.Query{Model: "deal.lines", Where: plan.True, Order: []plan.Order{{By: &plan.Field{Column: catalog.SheetOrder, K: plan.Int}}}, Select: []plan.Expr{
		&plan.Field{Column: catalog.SheetParent, K: plan.ID}, &plan.Field{Column: catalog.ID, K: plan.ID}, &plan.Field{Column: "item", K: plan.Text}, &plan.Field{Column: "cost", K: plan.Number}}}
	must(w.t, w.db.Read(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.Query(w.t.Context(), w.c, order, func(row []any) error {
			l := line{id: row[1].(string)}
			l.item, _ = row[2].(string)
			if cost, ok := row[3].(decimal.Decimal); ok {
				l.cost = cost.String()
			}
			d := out[row[0].(string)]
			if d == nil {
				w.t.Errorf("a row of no record: %v", row)
				return nil
			}
			d.lines = append(d.lines, l)
			return nil
		})
	}))
	return out
}

// told writes records so that they compare, empty values left out.
func told(all map[string]*deal) string {
	ids := make([]string, 0, len(all))
	for id := range all {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var out strings.Builder
	for _, id := range ids {
		d := all[id]
		fmt.Fprintf(&out, "%s %s v%d", id, d.owner, d.version)
		for _, code := range dealFields {
			if v := d.values[code]; v != "" {
				fmt.Fprintf(&out, " %s=%s", code, v)
			}
		}
		fmt.Fprintln(&out, d.lines)
	}
	return out.String()
}
