package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Membership is the set of a record, before and after a member is taken out of it.
type Membership struct {
	ID            string
	Name          string // of the record, by Members.Name
	Version       int64  // before; it is one higher after that
	Before, After []string
}

// Members are the records of Table whose set Column holds a record of the table Of, which its text Key tells from others. They are known by their tables,
// as they are asked for while these change.
type Members struct {
	Table, Column, Name string
	Of, Key             string
}

// Find lists the records whose set holds the record with a key, in any case of letters, in the order of their ids; none where the tables are not there.
func (m Members) Find(ctx context.Context, tx *Tx, key string) (out []Membership, err error) {
	member, err := m.member(ctx, tx, key)
	if err != nil || member == "" {
		return nil, err
	}
	links, shown := Ident(LinkTable(m.Table, m.Column)), tx.db.d.shown
	text := "SELECT " + shown(plan.ID, `l."v"`) + ", COALESCE(u." + Ident(m.Name) + `, ''), u."version", ` + shown(plan.ID, `l."id"`) + " FROM " + links + " AS l JOIN " + Ident(m.Table) +
		` AS u ON u."id" = l."v" WHERE l."v" IN (SELECT "v" FROM ` + links + " WHERE " + shown(plan.ID, `"id"`) + ` = $1) ORDER BY l."v", l."ordinal"`
	rows, err := tx.c.QueryContext(ctx, text, member)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one Membership
		var has string
		if err := rows.Scan(&one.ID, &one.Name, &one.Version, &has); err != nil {
			return nil, err
		}
		if len(out) == 0 || out[len(out)-1].ID != one.ID {
			out = append(out, one)
		}
		last := &out[len(out)-1]
		if last.Before = append(last.Before, has); has != member {
			last.After = append(last.After, has)
		}
	}
	return out, rows.Err()
}

// member is the id of the record with a key; "" = there is none.
func (m Members) member(ctx context.Context, tx *Tx, key string) (id string, err error) {
	for _, table := range []string{m.Table, LinkTable(m.Table, m.Column), m.Of} {
		if !tx.System().Migrator().HasTable(table) {
			return "", nil
		}
	}
	rows, err := tx.c.QueryContext(ctx, "SELECT "+tx.db.d.shown(plan.ID, `"id"`)+" FROM "+Ident(m.Of)+" WHERE lower("+Ident(m.Key)+") = lower($1)", key)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	if rows.Next() {
		err = rows.Scan(&id)
	}
	return id, errors.Join(err, rows.Err())
}

// TakeOut takes the member out of the sets of records that Find found. Their versions become one higher.
func (m Members) TakeOut(ctx context.Context, tx *Tx, of []Membership, at time.Time) error {
	for _, one := range of {
		b, err := tx.builder()
		if err != nil {
			return err
		}
		set := func(dst, column string, k plan.Kind, v any) string {
			return string(b.store([]byte(dst+Ident(column)+" = "), k, v))
		}
		var after any
		if len(one.After) > 0 {
			after = one.After
		}
		text := set("UPDATE "+Ident(m.Table)+` SET "version" = "version" + 1, `, m.Column, plan.Set, after) + set(", ", catalog.ModifiedTime, plan.Instant, at) + set(" WHERE ", catalog.ID, plan.ID, one.ID)
		if b.err != nil {
			return b.err
		}
		if _, err := tx.exec(ctx, target{table: m.Table, id: one.ID}, text, b.args...); err != nil {
			return err
		}
		links := target{table: LinkTable(m.Table, m.Column)}
		for _, gone := range one.Before {
			if slices.Contains(one.After, gone) {
				continue
			}
			where := ` WHERE "v" = $1 AND ` + tx.db.d.shown(plan.ID, `"id"`) + " = $2"
			if _, err := tx.exec(ctx, links, "DELETE FROM "+Ident(links.table)+where, tx.id(one.ID), gone); err != nil {
				return err
			}
		}
	}
	return nil
}
