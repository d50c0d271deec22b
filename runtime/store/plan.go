package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Class says how much care a step needs.
type Class string

// The classes, from the lightest. Safe steps are applied without asking; Confirm needs ApplyOptions.Yes and Destructive
// AllowDestructive. An Impossible step cannot be taken with the records that there are, whatever is allowed.
const (
	Safe        Class = "safe"
	Confirm     Class = "needs-confirmation"
	Destructive Class = "destructive"
	Impossible  Class = "impossible"
)

var gravity = map[Class]int{Safe: 0, Confirm: 1, Destructive: 2, Impossible: 3}

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
	Convert      Action = "convert"
	Compute      Action = "compute"
	Required     Action = "required"
	Optional     Action = "optional"
	Default      Action = "default"
	Reference    Action = "reference"
	AddIndex     Action = "add-index"
	DropIndex    Action = "drop-index"
	Repack       Action = "repack"
	RenameCode   Action = "rename-code" // of a document without tables
	RenameOption Action = "rename-option"
	Recompute    Action = "recompute" // stored values by other formulas; told by who computes them
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
	Count    int64      `json:"count"`              // rows that the step breaks (narrow, required, unique) or whose values it loses (drop, retype), overwrites (compute) or keeps in another form (convert)
	Lost     int64      `json:"lost,omitempty"`     // convert: rows whose value does not fit and becomes empty
	Examples []Example  `json:"examples,omitempty"` // of unique: the values that are there most often; of convert: that do not fit
	Text     plan.Label `json:"text"`

	counts statement // what to run for Count; empty: nothing to count
	loses  statement // what to run for Lost where Count is not 0
	finds  statement // what to run for Examples where Count, or Lost where it is asked for, is not 0
	quiet  bool      // told only where Count is not 0
	limits []limit   // of widen and narrow
	part   bool      // a further column of a property that stays
}

// Plan is what an apply would do. Have is the digest of the storage it starts from.
type Plan struct {
	Have    string `json:"have"`
	Want    string `json:"want"`
	Version int64  `json:"version"` // of the published documents that it was made with
	Steps   []Step `json:"steps"`
	Kept    []Kept `json:"kept,omitempty"` // packs that take part no more, and whose rows stay

	storage              plan.Storage
	log                  *names.Log // up to was
	was                  names.Set  // that the database has; nil = it keeps none, or they are those of the plan
	names                names.Set  // that the storage belongs to; digests of those before and after stand beside
	haveNames, wantNames string
	mark                 string // stamp.names that it starts from

	own *ownPlan // of the engine's tables; nil = nothing to do
}

// Class is the gravest class of the steps; Safe when there are none.
func (p *Plan) Class() Class {
	c := Safe
	for _, s := range p.Steps {
		if gravity[s.Class] > gravity[c] {
			c = s.Class
		}
	}
	return c
}

// From is a digest of the database that the plan starts from: of its tables, those of the engine among them, of the names of documents and
// of the version of published documents. What records hold is not part of it.
func (p *Plan) From() string {
	engine := ""
	if p.own != nil {
		engine = p.own.have + " " + p.own.digest
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{p.Have, p.haveNames, engine, strconv.FormatInt(p.Version, 10)}, "\n")))
	return hex.EncodeToString(sum[:])
}

// PlanOptions say what the plan is for.
type PlanOptions struct {
	Dev     bool  // a developer's own database: renames are safe
	Version int64 // of the published documents that the wanted storage was compiled with

	Packs []string // those that take part: tables of others are kept; nil = only those that are kept already
	// SameNames leaves the names of documents as they were applied: a process that follows others, and may have older files, renames nothing back.
	// Where others have renamed or removed something since this process took over what they did, its names must be theirs (ErrRenamed).
	SameNames bool

	Drop []string // packs whose kept tables shall go nevertheless, in steps that destroy data
}

// Plan compares the applied storage with the wanted one and counts the rows that matter.
func (db *DB) Plan(ctx context.Context, want plan.Storage, o PlanOptions) (*Plan, error) {
	want.Format = format
	_, digest, err := encodeSchema(want)
	if err != nil {
		return nil, err
	}
	p := &Plan{Want: digest, Version: o.Version, storage: want}
	err = db.Read(ctx, func(ctx context.Context, tx *Tx) error {
		at, err := storedStamp(ctx, tx.c)
		if err == nil && at.version != o.Version {
			err = ErrMoved
		}
		if p.mark = at.names; err == nil && (!o.SameNames || at.names != db.schema.Load().stamp.names) {
			set := want.Names
			if set == nil {
				set = tableNames(want)
			}
			err = tx.namesOfPlan(ctx, p, set, o)
		}
		if err == nil && o.SameNames && p.haveNames != p.wantNames {
			err = ErrRenamed
		}
		// Most starts of a process change nothing, and need not read what was applied.
		if p.Have = at.digest; err != nil || p.Have == p.Want {
			return err
		}
		have, err := db.readSchema(ctx, tx.c)
		if err != nil {
			return err
		}
		p.Have = have.digest
		want, p.Kept = keepTables(have.storage, want, o, packsOfNow(p.was, p.names))
		if _, p.Want, err = encodeSchema(want); err != nil {
			return err
		}
		p.storage = want
		for i := range p.Kept {
			if err := p.Kept[i].count(ctx, tx); err != nil {
				return err
			}
		}
		x := diff(have.storage, want, names.Words(p.was, p.names)...)
		x.log = p.log
		steps, err := x.steps(db.d, o)
		if err != nil {
			return err
		}
		if first, ok := repackStep(have.storage); ok {
			steps = append([]Step{first}, steps...)
		}
		steps, err = tx.counted(ctx, steps)
		p.Steps = append(steps, p.Steps...)
		return err
	})
	if err != nil {
		return nil, err
	}
	if p.own = db.waiting; p.own != nil {
		p.Steps = slices.Concat(p.own.steps, p.Steps)
	}
	return p, nil
}

// counted finishes steps with the rows that matter, and leaves out those that are told only where there are some.
func (tx *Tx) counted(ctx context.Context, steps []Step) ([]Step, error) {
	for i := range steps {
		if tx.failed != nil {
			return nil, tx.failed
		}
		if err := steps[i].count(ctx, tx.c); err != nil {
			return nil, tx.fail(err)
		}
	}
	return slices.DeleteFunc(steps, func(s Step) bool { return s.quiet && s.Count == 0 }), nil
}

// count finishes a step with the rows that matter.
func (s *Step) count(ctx context.Context, c conn) (err error) {
	if s.counts.text != "" {
		err = c.QueryRowContext(ctx, s.counts.text, s.counts.args...).Scan(&s.Count)
	}
	met := s.Count
	if err == nil && met > 0 && s.loses.text != "" {
		err = c.QueryRowContext(ctx, s.loses.text, s.loses.args...).Scan(&s.Lost)
		met = s.Lost
	}
	if err == nil && met > 0 && s.finds.text != "" {
		err = s.find(ctx, c)
	}
	if err != nil {
		return fmt.Errorf("count for %s %s.%s: %w", s.Action, s.Table, s.Column, err)
	}
	s.finish()
	return nil
}

// finish settles what depends on the count, and words the step.
func (s *Step) finish() {
	if s.Lost > 0 {
		s.Class = Destructive
	}
	if s.Count > 0 && s.Class == Safe {
		switch s.Action {
		case CreateTable, Required, AddColumn, Reference, Compute:
			s.Class = Confirm
		case AddIndex:
			s.Class = Impossible
		}
	}
	s.Text = s.text()
}

// steps lists what changes, tables in the order of the plan, folding what belongs to a larger change into it.
func (x *storageDiff) steps(d dialect, o PlanOptions) ([]Step, error) {
	var out []Step
	for _, t := range x.tables {
		switch {
		case t.have == nil:
			p := t.want.Parent
			if p != "" && x.oldName(p) == "" {
				continue
			}
			s := Step{Action: CreateTable, Class: Safe, Table: t.want.Name, Model: t.want.Model, At: t.want.At}
			if t.want.MinRows > 0 {
				s.counts.text = countRows(x.oldName(p), everyRow)
			}
			out = append(out, s)
		case t.want == nil:
			if p := t.have.Parent; p == "" || x.newName(p) != "" {
				out = append(out, Step{Action: DropTable, Class: Destructive, Table: t.have.Name, Model: t.have.Model,
					counts: statement{text: "SELECT count(*) FROM " + Ident(t.have.Name)}})
			}
		default:
			steps, err := x.tableSteps(t, d, o)
			if err != nil {
				return nil, err
			}
			out = append(out, steps...)
		}
	}
	return out, nil
}

func (x *storageDiff) tableSteps(t tableDiff, d dialect, o PlanOptions) ([]Step, error) {
	var out []Step
	rename := Confirm
	if o.Dev {
		rename = Safe
	}
	if t.renamed() && (t.want.Parent == "" || ownName(*t.have) != ownName(*t.want)) { // a sub-table follows its parent without a word
		out = append(out, Step{Action: RenameTable, Class: rename, Table: t.want.Name, Model: t.want.Model, At: t.want.At, From: t.have.Name, To: t.want.Name})
	}
	if t.want.Parent != "" {
		out = append(out, rowSteps(t)...)
	}
	fresh := map[string]bool{} // columns whose indexes come or go with them
	var columns []Step
	for _, c := range t.columns {
		steps, err := x.columnSteps(t, c, d, rename)
		if err != nil {
			return nil, err
		}
		for _, s := range steps {
			if s.Action == AddColumn || s.Action == DropColumn || s.Action == Retype || s.Action == Convert || s.Action == Reference {
				fresh[s.Column] = true
			}
		}
		columns = append(columns, steps...)
	}
	indexes, err := x.indexSteps(d, t, fresh)
	return append(append(out, foldColumns(columns)...), indexes...), err
}

// indexSteps lists the indexes that come and go by themselves. One that comes in place of another is one step, told by what is
// unique.
func (x *storageDiff) indexSteps(d dialect, t tableDiff, fresh map[string]bool) ([]Step, error) {
	step := func(a Action, i index) Step {
		return Step{Action: a, Class: Safe, Table: t.want.Name, Model: t.want.Model, Column: strings.Join(i.columns, ", ")}
	}
	var out []Step
	for _, i := range t.come {
		part := folded(t, i, fresh)
		switch {
		case i.kind == uniqueIndex:
			s, err := x.uniqueStep(d, t, i, part)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		case !part && !slices.ContainsFunc(t.gone, func(g index) bool { return g.kind == uniqueIndex && replaces(i, g) }):
			s := step(AddIndex, i)
			s.At = indexAt(t.want, i)
			out = append(out, s)
		}
	}
	for _, i := range t.gone {
		if folded(t, i, fresh) || slices.ContainsFunc(t.come, func(c index) bool { return (i.kind != uniqueIndex || c.kind == uniqueIndex) && replaces(c, i) }) {
			continue
		}
		s := step(DropIndex, i)
		if i.kind == uniqueIndex {
			s.From = "unique"
		}
		out = append(out, s)
	}
	return out, nil
}

// folded reports whether an index is part of a larger change: of its columns, of a foreign key, or of the same search in another
// column of the property.
func folded(t tableDiff, i index, fresh map[string]bool) bool {
	second := func(name string) bool {
		return slices.ContainsFunc(t.columns, func(c columnDiff) bool {
			return c.want != nil && c.want.Name == name && c.want.Property != "" && c.want.Property != name &&
				slices.ContainsFunc(slices.Concat(t.come, t.gone), func(o index) bool { return o.kind == gramIndex && o.columns[0] == c.want.Property })
		})
	}
	return i.derived || slices.ContainsFunc(i.columns, func(c string) bool { return fresh[c] }) || i.kind == gramIndex && second(i.columns[0])
}

// replaces reports whether an index does what another did: one begins with the columns of the other.
func replaces(a, b index) bool {
	n := min(len(a.columns), len(b.columns))
	return a.kind != gramIndex && b.kind != gramIndex && slices.Equal(a.columns[:n], b.columns[:n])
}

func indexAt(t *plan.Table, i index) string {
	for _, of := range [][]plan.Index{t.Unique, t.Indexes} {
		for _, x := range of {
			if strings.Join(x.Columns, ",") == strings.Join(i.columns, ",") && x.At != "" {
				return x.At
			}
		}
	}
	for _, c := range t.Columns {
		if i.kind == gramIndex && c.Name == i.columns[0] && c.At != "" {
			return c.At
		}
	}
	return t.At
}
