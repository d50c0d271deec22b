package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Class says how much care a step needs.
type Class string

// The classes. Safe steps are applied without asking; the others need ApplyOptions.Yes or AllowDestructive.
const (
	Safe        Class = "safe"
	Confirm     Class = "needs-confirmation"
	Destructive Class = "destructive"
)

// Action is what a step does.
type Action string

// The actions.
const (
	CreateTable  Action = "create-table"
	RenameTable  Action = "rename-table"
	DropTable    Action = "drop-table"
	AddColumn    Action = "add-column"
	RenameColumn Action = "rename-column"
	DropColumn   Action = "drop-column"
	Widen        Action = "widen"
	Narrow       Action = "narrow"
	Retype       Action = "retype"
	Required     Action = "required"
	Optional     Action = "optional"
	Reference    Action = "reference"
	AddIndex     Action = "add-index"
	DropIndex    Action = "drop-index"
)

// Step is one change to the tables, as a person sees it: a new model is one step with all its columns, sub-tables and indexes.
type Step struct {
	Action   Action     `json:"action"`
	Class    Class      `json:"class"`
	Table    string     `json:"table"`
	Column   string     `json:"column,omitempty"` // indexes: the columns, joined with ", "
	Model    string     `json:"model"`
	Property string     `json:"property,omitempty"`
	From     string     `json:"from,omitempty"` // before: the name, the limit, the kind
	To       string     `json:"to,omitempty"`
	At       string     `json:"at,omitempty"`
	Count    int64      `json:"count"` // rows that the step breaks (narrow, required, unique) or whose values it loses (drop, retype)
	Text     plan.Label `json:"text"`

	counts statement // what to run for Count; empty: nothing to count
}

// Plan is what an apply would do. Have is the digest of the storage it starts from.
type Plan struct {
	Have  string `json:"have"`
	Want  string `json:"want"`
	Steps []Step `json:"steps"`

	storage plan.Storage
}

// Class is the gravest class of the steps; Safe when there are none.
func (p *Plan) Class() Class {
	c := Safe
	for _, s := range p.Steps {
		if s.Class == Destructive || c == Safe {
			c = s.Class
		}
	}
	return c
}

// PlanOptions say what the plan is for.
type PlanOptions struct {
	Dev bool // a developer's own database: renames are safe
}

// Plan compares the applied storage with the wanted one and counts the rows that matter.
func (db *DB) Plan(ctx context.Context, want plan.Storage, o PlanOptions) (*Plan, error) {
	_, digest, err := encodeSchema(want)
	if err != nil {
		return nil, err
	}
	p := &Plan{Want: digest, storage: want}
	err = db.Read(ctx, func(tx *Tx) error {
		have, err := readSchema(ctx, tx.c)
		if err != nil {
			return err
		}
		p.Have = have.digest
		x := diff(have.storage, want)
		for _, s := range x.steps(db.d, o) {
			if s.counts.text != "" {
				if err := tx.queryRow(ctx, s.counts.text, s.counts.args, &s.Count); err != nil {
					return fmt.Errorf("count for %s %s.%s: %w", s.Action, s.Table, s.Column, err)
				}
			}
			s.finish()
			p.Steps = append(p.Steps, s)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// finish settles what depends on the count, and words the step.
func (s *Step) finish() {
	if s.Count > 0 && s.Class == Safe {
		switch s.Action {
		case Required, AddColumn, AddIndex, Reference:
			s.Class = Confirm
		}
	}
	s.Text = s.text()
}

// steps lists what changes, tables in the order of the plan, folding what belongs to a larger change into it.
func (x *storageDiff) steps(d dialect, o PlanOptions) []Step {
	var out []Step
	for _, t := range x.tables {
		switch {
		case t.have == nil:
			if p := t.want.Parent; p == "" || x.oldName(p) != "" {
				out = append(out, Step{Action: CreateTable, Class: Safe, Table: t.want.Name, Model: t.want.Model, At: t.want.At})
			}
		case t.want == nil:
			if p := t.have.Parent; p == "" || x.newName(p) != "" {
				out = append(out, Step{Action: DropTable, Class: Destructive, Table: t.have.Name, Model: t.have.Model,
					counts: statement{text: "SELECT count(*) FROM " + Ident(t.have.Name)}})
			}
		default:
			out = append(out, x.tableSteps(t, d, o)...)
		}
	}
	return out
}

func (x *storageDiff) tableSteps(t tableDiff, d dialect, o PlanOptions) []Step {
	var out []Step
	rename := Confirm
	if o.Dev {
		rename = Safe
	}
	if t.renamed() && !(t.want.Parent != "" && x.oldName(t.want.Parent) != t.want.Parent && t.want.RenamedFrom == "") {
		out = append(out, Step{Action: RenameTable, Class: rename, Table: t.want.Name, Model: t.want.Model, At: t.want.At, From: t.have.Name, To: t.want.Name})
	}
	fresh := map[string]bool{} // columns whose indexes come or go with them
	for _, c := range t.columns {
		steps := x.columnSteps(t, c, d, rename)
		for _, s := range steps {
			if s.Action == AddColumn || s.Action == DropColumn || s.Action == Retype || s.Action == Reference {
				fresh[s.Column] = true
			}
		}
		out = append(out, steps...)
	}
	folded := func(i index) bool {
		if i.derived {
			return true
		}
		for _, c := range i.columns {
			if fresh[c] {
				return true
			}
		}
		return false
	}
	for _, i := range t.come {
		if folded(i) {
			continue
		}
		s := Step{Action: AddIndex, Class: Safe, Table: t.want.Name, Model: t.want.Model, Column: strings.Join(i.columns, ", "), At: indexAt(t.want, i)}
		if i.kind == uniqueIndex {
			s.To = "unique"
			s.counts.text = countDuplicates(t, i)
		}
		out = append(out, s)
	}
	for _, i := range t.gone {
		if !folded(i) {
			out = append(out, Step{Action: DropIndex, Class: Safe, Table: t.want.Name, Model: t.want.Model, Column: strings.Join(i.columns, ", ")})
		}
	}
	return out
}

func indexAt(t *plan.Table, i index) string {
	for _, of := range [][]plan.Index{t.Unique, t.Indexes} {
		for _, x := range of {
			if strings.Join(x.Columns, ",") == strings.Join(i.columns, ",") && x.At != "" {
				return x.At
			}
		}
	}
	return t.At
}

// countDuplicates counts the rows that share their values with another.
func countDuplicates(t tableDiff, i index) string {
	var cols, filled []string
	for _, c := range t.columns {
		for _, n := range i.columns {
			if c.stays() && c.want.Name == n {
				cols = append(cols, c.have.Name)
				filled = append(filled, Ident(c.have.Name)+" IS NOT NULL")
			}
		}
	}
	return "SELECT COALESCE(sum(n), 0) FROM (SELECT count(*) AS n FROM " + Ident(t.have.Name) + " WHERE " + strings.Join(filled, " AND ") +
		" GROUP BY " + idents(cols) + " HAVING count(*) > 1) AS d"
}
