package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/names"
)

var (
	// ErrMoved: the tables changed between the plan and its apply.
	ErrMoved = errors.New("the tables changed since the plan was made; plan again")
	// ErrRenamed is returned to a process that follows others, but whose documents are not those of them (PlanOptions.SameNames).
	ErrRenamed = errors.New("another process has renamed or removed things, and the documents of this process have other names; start it with the same files")
	// ErrConfirm: a step needs ApplyOptions.Yes.
	ErrConfirm = errors.New("the plan needs confirmation")
	// ErrDestructive: a step needs ApplyOptions.AllowDestructive.
	ErrDestructive = errors.New("the plan destroys data")
	// ErrTooLong: a column of the engine's tables shall hold less than it holds.
	ErrTooLong = errors.New("existing rows have longer texts")
	// ErrNoValue: existing records have no value for a required column and the definition gives no default.
	ErrNoValue = errors.New("existing records have no value for a required property; give it a default value")
)

// ApplyOptions say what an apply may do.
type ApplyOptions struct {
	Yes              bool                     // steps that need confirmation
	AllowDestructive bool                     // and steps that destroy data
	At               time.Time                // when properties are dropped; the zero time = now
	OnStatement      func(n int, text string) // called before each statement, counted from 1; the last is COMMIT

	// Publish writes, in the same transaction, the documents that the plan was made with; the database has the given version then.
	Publish func(ctx context.Context, tx *Tx, version int64) error
}

// Applies reports whether this process brings the tables to other definitions, for which writes wait.
func (db *DB) Applies() bool { return db.applying.Load() > 0 }

// Apply carries a plan out in one transaction: tables, columns, renames, unique indexes and the stored storage plan together.
// Other indexes are recorded as pending, for EnsureIndexes. A plan without steps is applied too: from then on this process
// works with its storage.
func (db *DB) Apply(ctx context.Context, p *Plan, o ApplyOptions) error {
	for _, s := range p.Steps {
		switch {
		case s.Class == Impossible:
			return fmt.Errorf("%w: %s", ErrDuplicates, s.Text.In("en"))
		case s.Class == Destructive && !o.AllowDestructive:
			return fmt.Errorf("%w: %s", ErrDestructive, s.Text.In("en"))
		case s.Class == Confirm && !o.Yes && !o.AllowDestructive:
			return fmt.Errorf("%w: %s", ErrConfirm, s.Text.In("en"))
		}
	}
	if o.At.IsZero() {
		o.At = time.Now()
	}
	db.applying.Add(1)
	defer db.applying.Add(-1)
	text, digest, err := encodeSchema(p.storage)
	if err != nil {
		return err
	}
	if o.Publish == nil && p.own == nil && p.haveNames == p.wantNames {
		if done, err := db.carried(ctx, p, digest); err != nil || done {
			return err
		}
	}
	now := stamp{digest, p.Version, p.mark}
	n := 0
	var log known
	on := func(text string) {
		if n++; o.OnStatement != nil {
			o.OnStatement(n, text)
		}
	}
	db.second(ctx)
	err = db.d.apply(ctx, p.Have == digest && p.own == nil, func(c conn) error {
		finish := func(changed bool) (err error) {
			if changed {
				err = run(ctx, c, script{keepSchema(modelsRow, text, now)}, on)
			}
			if err == nil {
				log, err = readNames(ctx, c)
			}
			return err
		}
		if p.own != nil {
			if err := db.takeOwn(ctx, c, p.own, o.At, on); err != nil {
				return err
			}
		}
		have, err := db.readSchema(ctx, c)
		if err != nil {
			return err
		}
		if have.stamp != (stamp{p.Have, p.Version, p.mark}) {
			return ErrMoved
		}
		if o.Publish != nil {
			now.version = p.Version + 1
			if err := db.within(ctx, c, now.version, func(ctx context.Context, tx *Tx) error { return o.Publish(ctx, tx, now.version) }); err != nil {
				return err
			}
		}
		if have.digest == digest {
			if now.names, err = db.takeNames(ctx, c, have.storage, nil, p, o.At, on); err != nil {
				return err
			}
			return finish(have.stamp != now)
		}
		if outdated(have.storage) {
			if err := db.carryOut(ctx, c, repacked(have.storage), on); err != nil {
				return err
			}
		}
		x := diff(have.storage, p.storage, names.Words(p.was, p.names)...)
		x.log = p.log
		if err := x.checkTrials(ctx, c, db.d, p); err != nil {
			return err
		}
		if err := db.carryOut(ctx, c, x, on); err != nil {
			return err
		}
		if now.names, err = db.takeNames(ctx, c, have.storage, x, p, o.At, on); err != nil {
			return err
		}
		return finish(true)
	}, func() { on("COMMIT") })
	if err != nil {
		return fmt.Errorf("apply: %w", err)
	}
	if p.own != nil {
		db.waiting = nil
	}
	db.took(newSchemaState(p.storage, now, log))
	db.changes.bumpAll()
	return nil
}

// within runs a caller's part of an apply.
func (db *DB) within(ctx context.Context, c conn, version int64, f func(context.Context, *Tx) error) error {
	ctx = db.inside(ctx)
	tx := &Tx{db: db, ctx: ctx, c: c, write: true, touched: map[string]*changedRows{}, version: version}
	if g, ok := c.(groupConn); ok { // who comes behind in the group looks again
		*g.stamp = stamp{}
	}
	if err := f(ctx, tx); err != nil {
		return err
	}
	return tx.failed
}

// carried takes over the storage of a plan that changes nothing, as most starts of a process do: that needs no lock, and no look
// at every row's references. Writes compare the digest again.
func (db *DB) carried(ctx context.Context, p *Plan, digest string) (bool, error) {
	if p.Have != digest {
		return false, nil
	}
	var have stamp
	var log known
	err := db.Read(ctx, func(ctx context.Context, tx *Tx) (err error) {
		if have, err = storedStamp(ctx, tx.c); err == nil {
			log, err = readNames(ctx, tx.c)
		}
		return err
	})
	if err != nil || have.digest != digest {
		return false, err
	}
	if have.version != p.Version || have.names != p.mark {
		return false, ErrMoved
	}
	db.took(newSchemaState(p.storage, have, log))
	db.changes.bumpAll()
	return true, nil
}

func (db *DB) carryOut(ctx context.Context, c conn, x *storageDiff, on func(string)) error {
	if err := x.checkValues(ctx, c); err != nil {
		return err
	}
	if err := x.checkUnique(ctx, c, db.d); err != nil {
		return err
	}
	s, pending, err := db.d.script(x)
	if err != nil {
		return err
	}
	x.recordPending(&s, pending)
	return run(ctx, c, s, on)
}

func keepSchema(row int, text string, at stamp) statement {
	return statement{`INSERT INTO sl_schema (id, digest, plan, version) VALUES ($4, $1, $2, $3)
		ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, plan = excluded.plan, version = excluded.version`, []any{at.digest, text, at.version, row}}
}

func run(ctx context.Context, c conn, s script, on func(string)) error {
	for _, st := range s {
		on(st.text)
		if _, err := c.ExecContext(ctx, st.text, st.args...); err != nil {
			return fmt.Errorf("%s: %w", st.text, err)
		}
	}
	return nil
}

// checkValues refuses, with words, what NOT NULL would refuse without.
func (x *storageDiff) checkValues(ctx context.Context, c conn) error {
	for _, t := range x.tables {
		for _, col := range t.columns {
			if err := x.checkLength(ctx, c, t, col); err != nil {
				return err
			}
			if col.want == nil || !col.want.NotNull || col.want.Default != nil {
				continue
			}
			where := ""
			if col.have != nil && !col.retyped(x) {
				if col.have.NotNull {
					continue
				}
				where = " WHERE " + Ident(col.have.Name) + " IS NULL"
			}
			var n int64
			if err := c.QueryRowContext(ctx, "SELECT count(*) FROM "+Ident(t.have.Name)+where).Scan(&n); err != nil {
				return err
			}
			if n > 0 {
				return fmt.Errorf("%w: %s.%s, %s", ErrNoValue, t.want.Model, col.want.Name, records(n))
			}
		}
	}
	return nil
}

// checkLength refuses to make a text of the engine's tables shorter than it is: PostgreSQL would, without saying where.
func (x *storageDiff) checkLength(ctx context.Context, c conn, t tableDiff, col columnDiff) error {
	if !col.stays() || !own(*t.want) || col.retyped(x) || col.want.MaxLength == 0 || col.have.MaxLength > 0 && col.have.MaxLength <= col.want.MaxLength {
		return nil
	}
	var n int64
	longer := fmt.Sprintf("length(%s) > %d", Ident(col.have.Name), col.want.MaxLength)
	err := c.QueryRowContext(ctx, countRows(t.have.Name, longer)).Scan(&n)
	if err == nil && n > 0 {
		err = fmt.Errorf("%w: %s.%s, %s", ErrTooLong, t.want.Name, col.want.Name, records(n))
	}
	return err
}

// recordPending keeps the list of unbuilt indexes right: those of indexes that went go, renamed ones follow, new ones come.
func (x *storageDiff) recordPending(s *script, pending []string) {
	var renames []rename
	for _, t := range x.tables {
		for _, i := range t.gone {
			s.addArgs("DELETE FROM sl_pending_index WHERE name = $1", i.name)
		}
		for _, p := range t.kept {
			renames = append(renames, rename{p.have.name, p.want.name})
		}
	}
	ordered, _ := inOrder(renames, nil)
	for _, r := range ordered {
		s.addArgs("UPDATE sl_pending_index SET name = $1 WHERE name = $2", r.to, r.from)
	}
	for _, name := range pending {
		s.addArgs(`INSERT INTO sl_pending_index (name, "after") VALUES ($1, '') ON CONFLICT (name) DO NOTHING`, name)
	}
}
