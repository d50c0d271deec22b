package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// takeNames writes what became of names in an apply, and gives the mark of the log. The tables are already those of the plan; x is nil where they
// stayed as they were.
func (db *DB) takeNames(ctx context.Context, c conn, have plan.Storage, x *storageDiff, p *Plan, at time.Time, on func(string)) (mark string, err error) {
	s, steps, err := db.namesTaken(ctx, c, have, p)
	if err != nil {
		return p.mark, err
	}
	words := slices.Concat(names.Words(p.was, p.names), x.lost())
	var epoch int64
	if mark = p.mark; len(steps)+len(words) > 0 {
		if err := c.QueryRowContext(ctx, `SELECT coalesce(max(epoch), 0) + 1 FROM sl_name`).Scan(&epoch); err != nil {
			return mark, err
		}
		mark = strconv.FormatInt(epoch, 10)
		s = append(s, keepSchema(namesRow, "", stamp{digest: mark}))
		for _, n := range slices.Concat(steps, words) {
			s.addArgs(`INSERT INTO sl_name (epoch, kind, owner, old, new, at) VALUES ($1, $2, $3, $4, $5, $6)`, epoch, string(n.Kind), n.Owner, n.Old, n.New, at.UnixMilli())
		}
	}
	if err := run(ctx, c, s, on); err != nil || len(steps) == 0 || db.renamed == nil {
		return mark, err
	}
	return mark, db.within(ctx, c, 0, func(ctx context.Context, tx *Tx) error { return db.renamed(ctx, tx, epoch, steps) })
}

// namesTaken is what keeps the names of a plan, and what became of those of before.
func (db *DB) namesTaken(ctx context.Context, c conn, have plan.Storage, p *Plan) (s script, steps []names.Step, err error) {
	if p.names == nil {
		return nil, nil, nil
	}
	was, digest, err := nameSet(ctx, c)
	if err != nil || digest == p.wantNames {
		return nil, nil, err
	}
	if digest != p.haveNames {
		return nil, nil, ErrMoved
	}
	now := p.names
	if was == nil { // the tables tell what there was when the log begins
		was, now = tableNames(have), tableNames(p.storage)
	}
	was = withOptions(was, have)
	if was, now, err = db.withNodes(ctx, c, was, now, p.names); err != nil {
		return nil, nil, err
	}
	text, digest, err := encodeNames(p.names)
	if err != nil {
		return nil, nil, err
	}
	s.addArgs(`INSERT INTO sl_name_set (id, digest, names) VALUES (1, $1, $2) ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, names = excluded.names`, digest, text)
	return s, p.log.Taken(was, now), nil
}

// lost are the properties of which nothing is kept with another type: what was stored of them before is nothing of now.
func (x *storageDiff) lost() (out []names.Step) {
	if x == nil {
		return nil
	}
	for _, t := range x.tables {
		for _, c := range t.columns {
			if c.stays() && c.want.Property != "" && c.want.Name == c.want.Property && c.retyped(x) {
				out = append(out, names.Step{Kind: names.Naming, Owner: names.Join(t.want.Model, c.want.Property)})
			}
		}
	}
	return out
}
