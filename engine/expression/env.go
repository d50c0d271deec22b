package expression

import (
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Env is what the names of an expression mean and where the expression will run.
type Env struct {
	Record Record // bare names and record.x; nil = the expression has no record
	// Row is set for the formulas of a sub-table: bare names and row.x mean the row, names that it lacks and record.x the
	// record above.
	Row Record
	// Models are those whose records related() may name; nil = records of other models cannot be folded here.
	Models Models
	Args   map[string]plan.Kind // args.x, values that the caller of a query gives; nil = not available
	Vars   map[string]plan.Kind // other values, by their whole dotted name: initiator.dept, node('check').result; nil = none
	Form   Record               // form.x, in option conditions; nil = not available
	Old    bool                 // old.x is available
	// Organization: who belongs to which department is known where it runs (Scope.Belongs).
	Organization bool
	SQL          bool           // it must run as SQL: memory-only functions are refused
	Zone         *time.Location // nil = UTC
	Options      Options        // of the wanted value
	// Function finds a function of a pack; Functions lists them. nil = there are none.
	Function  func(code string) (plan.Function, bool)
	Functions func() []string
	// Found is called for each name that is resolved, perhaps more than once; nil = nobody asks.
	Found func(Name)
}

// Name is where an expression names something: a part of its text, in bytes.
type Name struct {
	Offset, Length int
	Model          string // of the property, or "model.subtable"
	Property       string // "" = the model itself is named
	Options        string // Options.Of, when an option is named
	Option         string // as it is called now
	Var            string // of Env.Vars, when what is named is the argument of its first word: check of node('check').result
	Kind, Path     string // of something that no property has, as Options.Named gives it
}

// Record is a model or a sub-table as expressions see it.
type Record interface {
	// Property finds a property by its code, compared without case; system properties included.
	Property(code string) (Property, bool)
	// Codes lists the codes that may be suggested.
	Codes() []string
}

// Models finds models by their code, compared without case.
type Models interface {
	// Model also gives the code as declared; nil = there is none.
	Model(code string) (Record, string)
	// Codes lists the codes that may be suggested.
	Codes() []string
}

// Property is one name of a Record.
type Property struct {
	Code   string    // as declared; used in paths and as the name of a sub-table
	Column string    // of the record's table
	Kind   plan.Kind // None = cannot be used in expressions; Rows = a sub-table
	Target Record    // what a relation, people or departments refer to; a path leads through a single one only
	Sheet  Record    // of a sub-table
	Options
	Model string // whose property it is, for Env.Found; "" = of none that has a definition
}

// Options are what a choice may hold.
type Options struct {
	Choices []string                   // nil = none to check against
	Of      string                     // whose they are, for Env.Found: a property ("model.property") or a dictionary; "" = nobody asks
	Now     func(choice string) string // the code of now of what an earlier text writes; nil = the text is of now
	Named   func(text string) []Name   // what a text means that it is compared with, for Env.Found; nil = nothing that has a definition
}

// written reports whether what is written beside the property is an option, or was one.
func (o Options) written() bool { return o.Choices != nil || o.Now != nil }

// Problem is one fault of an expression. Offset counts bytes of the text.
type Problem struct {
	Offset     int
	Code       string // EXPR001 ..., engine/diag/messages.json
	Args       []any
	Word       string // what was written, when Candidates may hold what was meant
	Candidates []string
}

// Diagnostic gives the problem its place in a file.
func (p Problem) Diagnostic(at diag.Position) diag.Diagnostic {
	d := diag.New(p.Code, at, p.Args...)
	if p.Word != "" {
		d = d.Suggest(p.Word, p.Candidates)
	}
	return d
}

// userVars are the names behind "user.".
var userVars = map[string]plan.Kind{
	"id": plan.ID, "name": plan.Text, "roles": plan.Set, "departments": plan.Set, "departmentTree": plan.Set, "mainDepartment": plan.ID,
}

// Vars of every request besides user.*.
const (
	VarToday = "today" // Date in the installation's zone
	VarNow   = "now"   // Instant
	VarArgs  = "args." // before the name of an argument of a query
)

// Times gives the Vars today and now.
func Times(now time.Time, zone *time.Location) map[string]any {
	return map[string]any{VarToday: now.In(zone).Format(time.DateOnly), VarNow: now.UTC().Truncate(time.Millisecond)}
}

var kindLabels = map[plan.Kind]plan.Label{
	plan.None: label("空值", "an empty value"), plan.Text: label("文本", "a text"), plan.Number: label("数字", "a number"),
	plan.Date: label("日期", "a date"), plan.Instant: label("日期时间", "a date-time"), plan.Clock: label("时间", "a time of day"),
	plan.Bool: label("是否值", "a condition"), plan.ID: label("记录引用", "a record reference"), plan.Set: label("多值", "a set"),
	plan.Int: label("整数", "a whole number"), plan.Rows: label("子表", "a sub-table"),
}

// kindHints are how authors get a value of a kind.
var kindHints = map[plan.Kind]plan.Label{
	plan.Text:    label("文本：引号中的文字如 'CN'，或文本数据项", "a text: words in quotes like 'CN', or a text property"),
	plan.Number:  label("数字：如 12.5，或数字数据项", "a number: digits like 12.5, or a number property"),
	plan.Int:     label("整数：如 12", "a whole number: digits like 12"),
	plan.Date:    label("日期：如 '2026-11-21'、today()，或日期数据项", "a date: '2026-11-21', today(), or a date property"),
	plan.Instant: label("日期时间：如 '2026-11-21 08:30:00'、now()，或日期时间数据项", "a date-time: '2026-11-21 08:30:00', now(), or a date-time property"),
	plan.Clock:   label("时间：如 '08:30:00'，或时间数据项", "a time of day: '08:30:00', or a time property"),
	plan.Bool:    label("条件：如 amount > 0", "a condition, such as amount > 0"),
	plan.ID:      label("引用数据项", "a property that refers to a record"),
	plan.Set:     label("多值：如 ['A', 'B']，或多选数据项", "a set: ['A', 'B'], or a property with several values"),
	plan.Rows:    label("子表数据项", "a sub-table of the model"),
}

func label(zh, en string) plan.Label {
	return plan.Label{Zh: zh, I18n: map[string]string{"en": en}}
}

// labelOf joins what labels say of kinds: "数字或日期", "a number or a date".
func labelOf(labels map[plan.Kind]plan.Label, kinds []plan.Kind) plan.Label {
	var zh, en []string
	for _, k := range kinds {
		zh, en = append(zh, labels[k].Zh), append(en, labels[k].In("en"))
	}
	return label(strings.Join(zh, "或"), strings.Join(en, " or "))
}
