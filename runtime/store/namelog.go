package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// nameRow is a step of the log of names: a code that became another, or that went.
type nameRow struct {
	Epoch int64  `gorm:"primaryKey;autoIncrement:false"`
	Kind  string `gorm:"primaryKey;size:40"`
	Owner string `gorm:"primaryKey;size:200"` // path of what it is part of, after this epoch; "" = none
	Old   string `gorm:"primaryKey;size:200"`
	New   string `gorm:"not null;size:200"` // "" = it went
	At    int64  `gorm:"not null"`          // Unix milliseconds
}

func (nameRow) TableName() string { return "sl_name" }

// nameSetRow is the one row that holds the names of what was applied last.
type nameSetRow struct {
	ID     int    `gorm:"primaryKey;autoIncrement:false"`
	Digest string `gorm:"not null;size:64"`
	Names  string `gorm:"not null"` // JSON of names.Set
}

func (nameSetRow) TableName() string { return "sl_name_set" }

// droppedRow is how properties that were dropped were noted before there was a log of names. It is read on: old databases and backups have it.
type droppedRow struct {
	Model    string `gorm:"primaryKey"` // of a sub-table: "model.sheet"
	Property string `gorm:"primaryKey"`
	At       int64  `gorm:"not null"` // Unix milliseconds
}

func (droppedRow) TableName() string { return "sl_dropped_property" }

// NameLog is the log of names up to the definitions that this process works with.
func (db *DB) NameLog() *names.Log { return db.schema.Load().names }

// NameLog is the log of names up to the definitions of the transaction.
func (tx *Tx) NameLog() *names.Log { return tx.db.NameLog() }

// Epoch is what is kept beside codes that are written now: the log of names leads from there to what they mean later.
func (tx *Tx) Epoch() int64 { return tx.NameLog().Epoch() }

// Renamed is called within an apply, behind the tables and before the log is used, with what it renames and removes.
type Renamed func(ctx context.Context, tx *Tx, epoch int64, steps []names.Step) error

// Nodes tells the workflows that instances have begun with, and the ids of their nodes then.
type Nodes func(tx *Tx) ([]names.Entry, error)

// NamesFor is the log of names up to documents that are not applied yet: with what they would rename and remove.
func (db *DB) NamesFor(of names.Set) *names.Log {
	st := db.schema.Load()
	to := keepNames(st.called, of, PlanOptions{})
	return st.names.With(slices.Concat(st.names.Taken(st.called, to), names.Words(st.called, to)))
}

// AppliedNames are the names of what was applied last; nil where they were not kept.
func (db *DB) AppliedNames(ctx context.Context) (out names.Set, err error) {
	if db.nameless() {
		return nil, nil
	}
	err = db.Read(ctx, func(ctx context.Context, tx *Tx) error {
		digest, err := nameSetDigest(ctx, tx.c)
		if err != nil || digest == "" {
			return err
		}
		last := db.applied.Load()
		if last == nil || last.digest != digest {
			last = &appliedNames{}
			if last.set, last.digest, err = nameSet(ctx, tx.c); err != nil {
				return err
			}
			db.applied.Store(last)
		}
		out = last.set
		return nil
	})
	return out, err
}

// appliedNames are names as they were read, with their digest. Nobody changes them.
type appliedNames struct {
	digest string
	set    names.Set
}

// PackOf is the pack that a document belongs to by the definitions that were applied last, packs that take part no more among them; "" where
// none has the code.
func (db *DB) PackOf(k names.Kind, code string) string {
	for _, e := range db.schema.Load().called[k] {
		if strings.EqualFold(e.Code, code) {
			return e.Pack
		}
	}
	return ""
}

// nameless reports whether the tables of names are still to be made, by an apply that a person has to confirm.
func (db *DB) nameless() bool {
	return db.waiting != nil && !slices.ContainsFunc(db.waiting.changes.have.Tables, func(t plan.Table) bool { return t.Name == nameSetRow{}.TableName() })
}

// known is what is kept of names.
type known struct {
	log *names.Log
	set names.Set
}

func readNames(ctx context.Context, c conn) (out known, err error) {
	if out.set, _, err = nameSet(ctx, c); err != nil {
		return out, err
	}
	var steps []names.Logged
	rows, err := c.QueryContext(ctx, `SELECT epoch, kind, owner, old, new, at FROM sl_name
		UNION ALL SELECT 0, 'property', model, property, '', at FROM sl_dropped_property`)
	if err != nil {
		return out, fmt.Errorf("read sl_name: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s names.Logged
		var at int64
		if err := rows.Scan(&s.Epoch, &s.Kind, &s.Owner, &s.Old, &s.New, &at); err != nil {
			return out, fmt.Errorf("read sl_name: %w", err)
		}
		s.At = time.UnixMilli(at)
		steps = append(steps, s)
	}
	if err := rows.Err(); err != nil {
		return out, fmt.Errorf("read sl_name: %w", err)
	}
	out.log = names.NewLog(steps)
	return out, nil
}

// nameSet is what was called what when something was applied last; "" = it was not kept.
func nameSet(ctx context.Context, c conn) (set names.Set, digest string, err error) {
	text := ""
	err = c.QueryRowContext(ctx, `SELECT digest, names FROM sl_name_set WHERE id = 1`).Scan(&digest, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, "", nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &set)
	}
	if err != nil {
		return nil, "", fmt.Errorf("read sl_name_set: %w", err)
	}
	return set, digest, nil
}

func nameSetDigest(ctx context.Context, c conn) (digest string, err error) {
	err = c.QueryRowContext(ctx, `SELECT digest FROM sl_name_set WHERE id = 1`).Scan(&digest)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return digest, err
}

func encodeNames(s names.Set) (text, digest string, err error) {
	b, err := json.Marshal(s)
	if err != nil {
		return "", "", fmt.Errorf("encode names: %w", err)
	}
	sum := sha256.Sum256(b)
	return string(b), hex.EncodeToString(sum[:]), nil
}

// tableNames are the names that tables tell: of models, sub-tables and properties.
func tableNames(s plan.Storage) names.Set {
	var below func(parent string) []names.Entry
	below = func(parent string) []names.Entry {
		tables := children(s, parent)
		out := namesOf(s, tables)
		for i, t := range tables {
			parts := below(t.Name)
			for _, c := range t.Columns {
				known := func(e names.Entry) bool { return e.Code == c.Property }
				if c.Property == "" || slices.ContainsFunc(parts, known) {
					continue
				}
				one := names.Entry{Code: c.Property, Former: c.RenamedFrom.Map(func(from string) string {
					code, _, _ := strings.Cut(from, "__")
					return code
				})}
				for _, o := range optionNames(c) {
					one.Add(names.Option, o.Code, o.Former)
				}
				parts = append(parts, one)
			}
			for _, code := range t.Live {
				parts = append(parts, names.Entry{Code: code})
			}
			out[i].Parts = names.Set{names.Property: parts}
			if parent == "" {
				of := func(table string) string { return strings.TrimPrefix(table, tablePrefix) }
				out[i].Code, out[i].Former, out[i].Pack, out[i].Kept = t.Model, out[i].Former.Map(of), t.Pack, t.Kept
			}
		}
		return out
	}
	return names.Set{names.Model: below("")}.Sorted()
}

// keepNames adds the names of packs that take part no more, and of documents that are set aside: what they mean stays, as tables do. One whose code
// something else has taken is gone: a code means one thing.
func keepNames(have, want names.Set, o PlanOptions) names.Set {
	out := want.TakingPart()
	now := packsOfNow(have, want)
	for k, entries := range have {
		of := names.Origins(entries, out[k])
		for i, h := range entries {
			aside := func(e names.Entry) bool { return e.Kept && strings.EqualFold(e.Code, h.Code) }
			taken := func(e names.Entry) bool { return strings.EqualFold(e.Code, h.Code) }
			if slices.Contains(of, i) || slices.ContainsFunc(out[k], taken) || !slices.ContainsFunc(want[k], aside) && !staysWithout(plan.Table{Pack: h.Pack, Kept: h.Kept}, o, now) {
				continue
			}
			h.Kept = true
			out[k] = append(slices.Clone(out[k]), h)
		}
	}
	return out.Sorted()
}

// packsOfNow gives what a pack of before is called now: with another code it takes part still, and what it has no more is removed.
func packsOfNow(have, want names.Set) func(string) string {
	to := map[string]string{}
	for j, i := range names.Origins(have[names.Pack], want[names.Pack]) {
		if i >= 0 {
			to[have[names.Pack][i].Code] = want[names.Pack][j].Code
		}
	}
	return func(code string) string { return cmp.Or(to[code], code) }
}

// namesOfPlan are the names that a plan leads to, and the digest of those that there are.
func (tx *Tx) namesOfPlan(ctx context.Context, p *Plan, want names.Set, o PlanOptions) error {
	var digest string
	var err error
	if tx.db.nameless() {
		return tx.firstNames(ctx, p, want, o)
	}
	if digest, err = nameSetDigest(ctx, tx.c); err != nil {
		return err
	}
	p.haveNames = digest
	if _, p.wantNames, err = encodeNames(want.Sorted()); err != nil || p.wantNames == digest {
		return err // as at most starts of a process
	}
	known, err := readNames(ctx, tx.c)
	if err != nil {
		return err
	}
	have := known.set
	if have == nil {
		return tx.firstNames(ctx, p, want, o)
	}
	p.log = known.log
	tables, _, err := readStorage(ctx, tx.c)
	if err != nil {
		return err
	}
	have = withOptions(have, tables)
	p.was, p.names = have, keepNames(have, want, o)
	p.Steps = codeSteps(names.Diff(have, p.names))
	_, p.wantNames, err = encodeNames(p.names)
	return err
}

// kindWords are what kinds of documents are called in plans.
var kindWords = map[names.Kind]plan.Label{
	names.Role: label("角色", "role"), names.List: label("列表", "list"), names.Form: label("表单", "form"), names.Workflow: label("流程", "workflow"),
	names.Portal: label("页面", "page"), names.Print: label("打印模板", "print template"), names.Report: label("报表", "report"), names.Pack: label("包", "pack"), names.App: label("应用", "application"),
}

func label(zh, en string) plan.Label { return plan.Label{Zh: zh, I18n: map[string]string{"en": en}} }

// codeSteps tell the renames of documents, and of nodes, that have no tables. Those of models and properties are told with their tables.
func codeSteps(of []names.Step) (out []Step) {
	for _, s := range of {
		if s.Kind == names.Node {
			out = append(out, Step{Action: RenameCode, Class: Safe, Model: s.Owner, From: s.Old, To: s.New,
				Text: label(fmt.Sprintf("流程 %s 的节点 %s 改名为 %s", s.Owner, s.Old, s.New), fmt.Sprintf("rename node %s of workflow %s to %s", s.Old, s.Owner, s.New))})
		}
		if word, ok := kindWords[s.Kind]; ok && s.Owner == "" && s.New != "" {
			out = append(out, Step{Action: RenameCode, Class: Safe, Model: s.New, From: s.Old, To: s.New,
				Text: label(fmt.Sprintf("%s %s 改名为 %s", word.Zh, s.Old, s.New), fmt.Sprintf("rename %s %s to %s", word.I18n["en"], s.Old, s.New))})
		}
	}
	return out
}

// Removed are the names that go with the plan. Parts of what goes are not told.
func (p *Plan) Removed() (out []names.Step) {
	if p.was == nil {
		return nil
	}
	for _, s := range names.Diff(p.was, p.names) {
		if s.New == "" {
			out = append(out, s)
		}
	}
	return out
}

// Changed are the codes of documents of a kind that go, and those that come, with no rename between them.
func (p *Plan) Changed(k names.Kind) (gone, come []string) {
	if p.was == nil {
		return nil, nil
	}
	of := names.Origins(p.was[k], p.names[k])
	for i, e := range p.was[k] {
		if !slices.Contains(of, i) {
			gone = append(gone, e.Code)
		}
	}
	for i, e := range p.names[k] {
		if of[i] < 0 {
			come = append(come, e.Code)
		}
	}
	return gone, come
}

// firstNames are those of a plan of a database that keeps no names yet: its tables tell what stays of packs that take part no more.
func (tx *Tx) firstNames(ctx context.Context, p *Plan, want names.Set, o PlanOptions) error {
	have, _, err := readStorage(ctx, tx.c)
	if err != nil {
		return err
	}
	p.names = keepNames(tableNames(have), want, o)
	_, p.wantNames, err = encodeNames(p.names)
	return err
}

// Called is the condition that rows belong to a document, whatever it was called when they were written: rows of a table that keeps in a column
// codes as they were, and in "epoch" when that was.
func (tx *Tx) Called(column string, k names.Kind, code string) clause.Expr {
	spells := tx.NameLog().Called(k, code)
	if names.Always(spells) {
		return gorm.Expr("? = ?", clause.Column{Name: column}, code)
	}
	parts, args := make([]string, len(spells)), []any{}
	for i, s := range spells {
		parts[i] = "? = ? AND epoch >= ?"
		args = append(args, clause.Column{Name: column}, s.Code, s.From)
		if s.Until > 0 {
			parts[i] += " AND epoch < ?"
			args = append(args, s.Until)
		}
	}
	return gorm.Expr("("+strings.Join(parts, " OR ")+")", args...)
}
