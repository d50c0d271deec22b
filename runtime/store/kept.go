package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/sluice-platform/sluice/engine/plan"
)

// Kept is a pack that takes part no more, with the tables of its models. They stay as they are, foreign keys included: a record that one of
// their rows refers to is deleted as the property there says. When the pack takes part again, its documents are compared with them.
type Kept struct {
	Pack    string   `json:"pack"`
	Tables  []string `json:"tables"`  // of models; their sub-tables go without saying
	New     bool     `json:"new"`     // it took part until this plan
	Records int64    `json:"records"` // counted where New: a start that changes nothing reads no table
}

// keepTables adds to a wanted storage what stays although no document speaks of it: tables of packs that take part no more. now is what a pack of before
// is called now (packsOfNow).
func keepTables(have, want plan.Storage, o PlanOptions, now func(string) string) (plan.Storage, []Kept) {
	x := diff(have, want)
	var kept []Kept
	tables := slices.Clone(want.Tables)
	for _, d := range x.tables {
		if d.want != nil || !staysWithout(*d.have, o, now) {
			continue
		}
		t := *d.have
		t.Kept, t.Columns = true, slices.Clone(t.Columns)
		for i := range t.Columns {
			if to := x.newName(referenced(have, t.Columns[i])); to != "" {
				t.Columns[i].References = to
			}
		}
		tables = append(tables, t)
		if t.Parent != "" {
			continue
		}
		i := slices.IndexFunc(kept, func(k Kept) bool { return k.Pack == t.Pack })
		if i < 0 {
			i, kept = len(kept), append(kept, Kept{Pack: t.Pack})
		}
		kept[i].Tables = append(kept[i].Tables, t.Name)
		kept[i].New = kept[i].New || !d.have.Kept
	}
	want.Tables = tables
	return want, kept
}

// staysWithout reports whether a table that no document speaks of stays. What a pack that takes part has no more is removed, also where the pack has another
// code now, or was away.
func staysWithout(t plan.Table, o PlanOptions, now func(string) string) bool {
	if slices.Contains(o.Drop, t.Pack) {
		return false
	}
	if o.Packs == nil || t.Pack == "" {
		return t.Kept
	}
	return !slices.Contains(o.Packs, now(t.Pack))
}

// KeptTables tells what the database keeps of packs that take part no more, with the number of its records.
func (db *DB) KeptTables(ctx context.Context) ([]Kept, error) {
	st, err := db.stored(ctx)
	if err != nil {
		return nil, db.told(ctx, err)
	}
	var out []Kept
	for _, t := range st.storage.Tables {
		if !t.Kept || t.Parent != "" {
			continue
		}
		i := slices.IndexFunc(out, func(k Kept) bool { return k.Pack == t.Pack })
		if i < 0 {
			i, out = len(out), append(out, Kept{Pack: t.Pack, New: true})
		}
		out[i].Tables = append(out[i].Tables, t.Name)
	}
	err = db.Read(ctx, func(ctx context.Context, tx *Tx) error {
		for i := range out {
			if err := out[i].count(ctx, tx); err != nil {
				return err
			}
			out[i].New = false
		}
		return nil
	})
	return out, err
}

func (k *Kept) count(ctx context.Context, tx *Tx) error {
	if !k.New {
		return nil
	}
	for _, t := range k.Tables {
		var n int64
		if err := tx.queryRow(ctx, "SELECT count(*) FROM "+Ident(t), nil, &n); err != nil {
			return fmt.Errorf("count what is kept of %s: %w", k.Pack, err)
		}
		k.Records += n
	}
	return nil
}
