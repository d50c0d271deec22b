package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/plan"
)

// droppedRow notes that a property was dropped, and when: a property that is added later under its code is another one, and what
// was kept of the first (history, deleted records, logs) is not the second's.
type droppedRow struct {
	Model    string `gorm:"primaryKey"` // of a sub-table: "model.sheet"
	Property string `gorm:"primaryKey"`
	At       int64  `gorm:"not null"` // Unix milliseconds
}

func (droppedRow) TableName() string { return "sl_dropped_property" }

// Dropped tells when properties were dropped last, by "model.property".
func (tx *Tx) Dropped() (map[string]time.Time, error) {
	var rows []droppedRow
	if err := tx.System().Find(&rows).Error; err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(rows))
	for _, r := range rows {
		out[r.Model+"."+r.Property] = time.UnixMilli(r.At)
	}
	return out, nil
}

// recordDropped notes the properties that an apply drops, sub-tables among them.
func (x *storageDiff) recordDropped(ctx context.Context, c conn, now time.Time) error {
	note := func(model, property string) error {
		_, err := c.ExecContext(ctx, `INSERT INTO sl_dropped_property (model, property, at) VALUES ($1, $2, $3)
			ON CONFLICT (model, property) DO UPDATE SET at = excluded.at`, model, property, now.UnixMilli())
		return err
	}
	for _, t := range x.tables {
		if t.have == nil {
			continue
		}
		if dot := strings.LastIndexByte(t.have.Model, '.'); t.want == nil && dot > 0 {
			if err := note(t.have.Model[:dot], t.have.Model[dot+1:]); err != nil {
				return err
			}
		}
		if t.want == nil {
			continue
		}
		for _, col := range t.columns {
			if col.have == nil || col.want != nil || col.have.Property == "" {
				continue
			}
			stays := func(p plan.Column) bool { return p.Property == col.have.Property }
			if slices.ContainsFunc(t.want.Columns, stays) {
				continue
			}
			if err := note(t.want.Model, col.have.Property); err != nil {
				return err
			}
		}
	}
	return nil
}
