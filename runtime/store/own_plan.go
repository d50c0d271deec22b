package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/plan"
)

// migratedRow tells that the tables of the engine have all that some set of structs wants. A change that takes something back forgets
// all of them.
type migratedRow struct {
	Digest string `gorm:"primaryKey;size:64"`
}

func (migratedRow) TableName() string { return "sl_migrated" }

// Rows of sl_schema: what was applied last.
const (
	modelsRow = 1 // of definitions
	ownRow    = 2 // of the engine
	namesRow  = 3 // the last epoch of the log of names, as its digest
)

// ownPlan is what brings the tables of the engine to the registered structs.
type ownPlan struct {
	digest  string // of what the structs want
	have    string // digest of the storage that it starts from; "" = none was stored yet
	fresh   bool   // there are no tables at all
	storage plan.Storage
	changes *storageDiff
	steps   []Step
}

// UnconfirmedError is returned by Open where tables of the engine need steps that a person has to confirm.
type UnconfirmedError struct{ Plan *Plan }

func (e *UnconfirmedError) Error() string {
	for _, s := range e.Plan.Steps {
		if s.Class != Safe {
			return "tables of the engine need a change that has to be confirmed: " + s.Text.In("en")
		}
	}
	return ""
}

// bringOwn brings the tables of the engine to the registered structs by safe steps. It looks first: most openings find nothing to do,
// and need not wait for a process that writes. With hold the steps are left to Plan and Apply.
func (db *DB) bringOwn(ctx context.Context, models []any, hold bool) error {
	want, err := ownStorage(models)
	if err != nil {
		return err
	}
	_, digest, err := encodeSchema(want)
	if err != nil || db.migrated(ctx, digest) {
		return err
	}
	const tries = 10 // others start at the same time
	for range tries {
		var p *ownPlan
		if p, err = db.planOwn(ctx, want, digest); err != nil {
			return err
		}
		of := &Plan{Steps: p.steps}
		if hold && len(p.steps) > 0 {
			db.waiting = p
			return nil
		}
		if of.Class() != Safe {
			return &UnconfirmedError{of}
		}
		err = db.d.apply(ctx, !p.fresh && len(p.steps) == 0, func(c conn) error { return db.takeOwn(ctx, c, p, db.clock(), func(string) {}) }, func() {})
		if errors.Is(err, ErrMoved) {
			continue
		}
		for _, s := range p.steps {
			if err == nil {
				db.log.Info("changed a table of the engine", "class", s.Class, "table", s.Table, "change", s.Text.In("en"))
			}
		}
		return err
	}
	return err
}

// migrated is false also where that cannot be told, of a new database for one.
func (db *DB) migrated(ctx context.Context, digest string) bool {
	n := 0
	err := db.d.read(ctx, look{}, func(c conn) error {
		return c.QueryRowContext(ctx, "SELECT count(*) FROM sl_migrated WHERE digest = $1", digest).Scan(&n)
	})
	return err == nil && n > 0
}

func (db *DB) planOwn(ctx context.Context, want plan.Storage, digest string) (*ownPlan, error) {
	p := &ownPlan{digest: digest}
	err := db.Read(ctx, func(ctx context.Context, tx *Tx) error {
		have, err := p.read(ctx, db.d, tx.c, want)
		if err != nil {
			return err
		}
		if p.storage, err = keepOwn(have, want); err != nil {
			return err
		}
		p.changes = diff(have, p.storage)
		if p.fresh {
			return nil
		}
		if p.steps, err = p.changes.steps(db.d, PlanOptions{}); err != nil {
			return err
		}
		p.steps, err = tx.counted(ctx, p.steps)
		return err
	})
	return p, err
}

// read is what the database has. One that gorm's migrations made keeps no description yet: it is read from the database.
func (p *ownPlan) read(ctx context.Context, d dialect, c conn, want plan.Storage) (have plan.Storage, err error) {
	there, err := d.describe(ctx, c, []string{SchemaTable})
	if p.fresh = len(there.Tables) == 0; err != nil || p.fresh {
		return plan.Storage{}, err
	}
	if have, p.have, err = storedOwn(ctx, c); err != nil || p.have != "" {
		return have, err
	}
	var names []string
	for _, t := range want.Tables {
		names = append(names, t.Name)
	}
	have, err = d.describe(ctx, c, names)
	adoptOwn(d, have, want)
	return have, err
}

// storedOwn is the description of the engine's tables that was applied last.
func storedOwn(ctx context.Context, c conn) (s plan.Storage, digest string, err error) {
	text := ""
	err = c.QueryRowContext(ctx, `SELECT digest, plan FROM sl_schema WHERE id = $1`, ownRow).Scan(&digest, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return plan.Storage{}, "", nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &s)
	}
	if err != nil {
		return plan.Storage{}, "", fmt.Errorf("read sl_schema: %w", err)
	}
	return s, digest, nil
}

// takeOwn carries the plan out inside an apply, if the database is still what it was.
func (db *DB) takeOwn(ctx context.Context, c conn, p *ownPlan, at time.Time, on func(string)) error {
	now := &ownPlan{}
	if _, err := now.read(ctx, db.d, c, plan.Storage{}); err != nil {
		return err
	}
	if now.fresh != p.fresh || now.have != p.have {
		return ErrMoved
	}
	if p.fresh {
		if err := run(ctx, c, db.d.ground(), on); err != nil {
			return err
		}
	}
	if err := db.carryOut(ctx, c, p.changes, on); err != nil {
		return err
	}
	text, digest, err := encodeSchema(p.storage)
	if err != nil {
		return err
	}
	s := script{keepSchema(ownRow, text, stamp{digest: digest})}
	if p.takesBack() {
		s.add("DELETE FROM sl_migrated")
	}
	s.addArgs("INSERT INTO sl_migrated (digest) VALUES ($1) ON CONFLICT DO NOTHING", p.digest)
	return run(ctx, c, s, on)
}

// takesBack reports whether the plan changes what other structs may want as it was.
func (p *ownPlan) takesBack() bool {
	return slices.ContainsFunc(p.changes.tables, func(t tableDiff) bool { return len(t.gone) > 0 }) ||
		slices.ContainsFunc(p.steps, func(s Step) bool { return slices.Contains([]Action{Narrow, Required, Retype, Default}, s.Action) })
}
