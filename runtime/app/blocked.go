package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Blocked is the error of a plan with steps that nobody but a person may take.
type Blocked struct {
	Plan *store.Plan
	Gone []string // packs that were switched on before and take part no more
}

// Error names each such step with the place of the document that asks for it.
func (b *Blocked) Error() string {
	return GoneText(b.Gone, "en") + "these table changes need your confirmation:\n" + PlanText(b.Plan, "en", func(s store.Step) bool { return s.Class != store.Safe })
}

// GonePacks are the packs of the program that a database was served with and that take part no more.
func GonePacks(ctx context.Context, db *store.DB, d Documents) ([]string, error) {
	before, err := RememberedWith(ctx, db)
	return slices.DeleteFunc(before, func(code string) bool { return code == "" || d.Set.Took(code) || !d.Set.Offers(code) }), err
}

// GoneText says what becomes of the data of packs that take part no more; "" when there are none.
func GoneText(codes []string, locale string) string {
	if len(codes) == 0 {
		return ""
	}
	return diag.Fill(gone[locale == "en"], []any{strings.Join(codes, ", "), strings.Join(codes, ",")}, locale) + "\n"
}

var gone = map[bool]string{
	false: "包 {0} 曾经启用，现在没有启用。它的数据仍在数据库中，只有确认了删除表的步骤才会删除；再次使用请加 --with {1}",
	true:  "The pack {0} was switched on before and is not now. Its data is still in the database, and stays until somebody confirms the steps that delete its tables; to use it again, add --with {1}",
}

// Pending is the error of a command that takes no steps, on a database that the documents would change.
type Pending struct{ Plan *store.Plan }

func (p *Pending) Error() string {
	if n := len(p.Plan.Steps); n > 1 {
		return fmt.Sprintf("the definitions would change the database in %d steps that have not been applied", n)
	}
	return "the definitions would change the database in a step that has not been applied"
}

// NoDatabase is the error of a command that makes no database, where there is none.
type NoDatabase struct {
	Dir    string
	Server bool // PostgreSQL; its address may hold a password and is not told
}

func (n *NoDatabase) Error() string {
	if n.Server {
		return "no definitions have been applied to this PostgreSQL database yet"
	}
	return "there is no database in " + n.Dir + " yet"
}

// PlanText writes the steps of a plan that show chooses, a line each: class, place, what it does and the rows concerned.
func PlanText(p *store.Plan, locale string, show func(store.Step) bool) string {
	var w strings.Builder
	for _, s := range p.Steps {
		if !show(s) {
			continue
		}
		w.WriteString(string(s.Class) + "  ")
		if s.At != "" {
			w.WriteString(s.At + "  ")
		}
		w.WriteString(s.Text.In(locale) + "\n")
		if to := renamed(p, s); to != "" && s.Action == store.DropColumn {
			w.WriteString(diag.Fill(hints[locale == "en"], []any{s.Property, to}, locale) + "\n")
		}
	}
	return w.String()
}

var hints = map[bool]string{
	false: `    若 {0} 改名为 {1}，在 {1} 中写 "renamedFrom": "{0}"，数据就会保留`,
	true:  `    if {0} is called {1} now, write "renamedFrom": "{0}" in {1}: its data stays`,
}

// renamed is the only property that a plan adds to the model of a dropped one: it may be the same under a new code.
func renamed(p *store.Plan, dropped store.Step) string {
	var to string
	for _, s := range p.Steps {
		switch {
		case s.Model != dropped.Model || s.Action != store.AddColumn || s.Property == to:
		case to != "":
			return ""
		default:
			to = s.Property
		}
	}
	return to
}
