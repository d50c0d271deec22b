package codes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Rewrite brings what is rewritten along with renames and removals, in the transaction that applies them (store.Renamed).
func Rewrite(ctx context.Context, tx *store.Tx, epoch int64, steps []names.Step) error {
	var logged []names.Logged
	for _, s := range steps {
		logged = append(logged, names.Logged{Step: s, Epoch: epoch})
	}
	then := names.NewLog(logged).SinceBefore()
	holders := append(Holders(), document("d_role", "code", names.Role).single()) // the records of roles: people keep theirs
	for _, h := range holders {
		if h.Way != Rewritten || !slices.ContainsFunc(steps, func(s names.Step) bool { return slices.Contains(h.of, s.Kind) }) {
			continue
		}
		if err := h.rewrite(tx, then, epoch); err != nil {
			return fmt.Errorf("rewrite %s: %w", h.Table, err)
		}
	}
	return nil
}

// change is a tuple of values that becomes another.
type change struct{ from, to []string }

func (h Holder) rewrite(tx *store.Tx, then names.Reading, epoch int64) error {
	found, err := h.values(tx)
	if err != nil {
		return err
	}
	var changes []change
	held, moving := map[string]bool{}, map[string]bool{}
	for _, v := range found {
		held[key(v)] = true
		to := slices.Clone(v)
		if ok := h.now(then, to); !ok {
			if err := h.makeRoom(tx, v, h.gone, epoch); err != nil {
				return err
			}
		} else if !slices.Equal(v, to) {
			changes = append(changes, change{v, to})
			moving[key(v)] = true
		}
	}
	// Two may change places: each goes aside first, where the place that it goes to is held.
	var back []change
	for i, c := range changes {
		if !held[key(c.to)] {
			continue
		}
		if !moving[key(c.to)] {
			if !h.alone {
				continue
			}
			how := h.gone
			if how == leave {
				how = aside
			}
			if err := h.makeRoom(tx, c.to, how, epoch); err != nil {
				return err
			}
			continue
		}
		aside := slices.Clone(c.from)
		aside[len(aside)-1] = fmt.Sprintf("~%d", i)
		if err := h.set(tx, change{c.from, aside}); err != nil {
			return err
		}
		back = append(back, change{aside, c.to})
		changes[i].from = nil
	}
	for _, c := range append(changes, back...) {
		if c.from == nil {
			continue
		}
		if err := h.set(tx, c); err != nil {
			return err
		}
	}
	return nil
}

// makeRoom does with the rows of something that is gone what is to become of them.
func (h Holder) makeRoom(tx *store.Tx, v []string, how gone, epoch int64) error {
	switch how {
	case remove:
		return h.delete(tx, v)
	case aside:
		to := slices.Clone(v)
		to[len(to)-1] = names.Aside(to[len(to)-1], epoch)
		return h.set(tx, change{v, to})
	}
	return nil
}

func key(v []string) string { return strings.Join(v, "\x00") }

// values are the different tuples that there are.
func (h Holder) values(tx *store.Tx) (out [][]string, err error) {
	columns := make([]string, len(h.all()))
	for i, c := range h.all() {
		columns[i] = store.Ident(c)
	}
	list := strings.Join(columns, ", ")
	rows, err := tx.System().Raw("SELECT DISTINCT " + list + " FROM " + store.Ident(h.Table) + " WHERE " + strings.Join(columns, " IS NOT NULL AND ") + " IS NOT NULL").Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		v := make([]string, len(columns))
		at := make([]any, len(v))
		for i := range v {
			at[i] = &v[i]
		}
		if err := rows.Scan(at...); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

func (h Holder) where(v []string) (string, []any) {
	parts, args := make([]string, len(v)), make([]any, len(v))
	for i, c := range h.all() {
		parts[i], args[i] = store.Ident(c)+" = ?", v[i]
	}
	return strings.Join(parts, " AND "), args
}

func (h Holder) delete(tx *store.Tx, v []string) error {
	where, args := h.where(v)
	return tx.System().Exec("DELETE FROM "+store.Ident(h.Table)+" WHERE "+where, args...).Error
}

func (h Holder) set(tx *store.Tx, c change) error {
	sets, args := make([]string, len(c.to)), []any{}
	for i, column := range h.all() {
		sets[i] = store.Ident(column) + " = ?"
		args = append(args, c.to[i])
	}
	where, of := h.where(c.from)
	return tx.System().Exec("UPDATE "+store.Ident(h.Table)+" SET "+strings.Join(sets, ", ")+" WHERE "+where, append(args, of...)...).Error
}
