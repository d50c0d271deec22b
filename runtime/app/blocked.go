package app

import (
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Blocked is the error of a plan with steps that nobody but a person may take.
type Blocked struct{ Plan *store.Plan }

// Error names each such step with the place of the document that asks for it.
func (b *Blocked) Error() string {
	head := "these table changes need your confirmation:\n"
	if b.Impossible() {
		head = "these table changes can't be made with the records that there are, or need your confirmation:\n"
	}
	return head + PlanText(b.Plan, "en", func(s store.Step) bool { return s.Class != store.Safe })
}

// Impossible reports whether a step cannot be taken at all until records are changed.
func (b *Blocked) Impossible() bool { return b.Plan.Class() == store.Impossible }

// KeptText says, a line each, that the data of packs that take part no more stays, and how to use or delete it; "" when there are none.
func KeptText(kept []store.Kept, set *pack.Set, locale string) string {
	var w strings.Builder
	for _, k := range kept {
		again := folderAgain[locale == "en"]
		if set.Offers(k.Pack) {
			again = "--with " + k.Pack
		}
		text := keptTexts[locale == "en"][0]
		if k.New {
			text = keptTexts[locale == "en"][1]
		}
		w.WriteString(diag.Fill(text, []any{k.Pack, len(k.Tables), k.Records, again}, locale) + "\n")
	}
	return w.String()
}

var folderAgain = map[bool]string{false: "--packs 指定它的文件夹", true: "its folder to --packs"}

var keptTexts = map[bool][2]string{
	false: {
		"包 {0} 未启用：它的 {1} 个表保留在数据库中。再次使用请用 {3}；删除请运行 sluice apply --drop-pack {0} --allow-destructive",
		"包 {0} 不再启用：它的 {1} 个表和 {2} 条记录保留在数据库中。再次使用请用 {3}；删除请运行 sluice apply --drop-pack {0} --allow-destructive",
	},
	true: {
		"The pack {0} is not in use: its tables ({1}) stay in the database. To use it again, add {3}; to delete them, run sluice apply --drop-pack {0} --allow-destructive",
		"The pack {0} is no longer in use: its tables ({1}) with {2} records stay in the database. To use it again, add {3}; to delete them, run sluice apply --drop-pack {0} --allow-destructive",
	},
}

// PlanOptions are those for a catalog that is about to be served: what other packs left behind is kept.
func PlanOptions(c *catalog.Catalog) store.PlanOptions {
	o := store.PlanOptions{Version: c.Version, Packs: []string{}}
	for _, p := range c.Packs {
		o.Packs = append(o.Packs, p.Code)
	}
	return o
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
