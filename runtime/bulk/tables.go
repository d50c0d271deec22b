package bulk

import (
	"encoding/json"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/store"
)

// batch is a batch update that was made: what people see in the log, and what its undo needs.
type batch struct {
	ID       string    `gorm:"primaryKey;size:36"`
	Model    string    `gorm:"not null;index:sl_batch_model,priority:1"`
	Property string    `gorm:"not null"` // "table.field" in a sub-table
	Value    string    `gorm:"not null"` // JSON of the property's columns
	UserID   string    `gorm:"not null;size:36"`
	UserName string    `gorm:"not null"` // then
	At       time.Time `gorm:"not null;index:sl_batch_model,priority:2"`
	Total    int64     `gorm:"not null"`
	Success  int64     `gorm:"not null"`
	Failed   int64     `gorm:"not null"`
	Changes  int64     `gorm:"not null"` // records whose value was another one before
	Undone   int64     `gorm:"not null"` // of these
	UndoneAt *time.Time
	Epoch    int64 `gorm:"not null;default:0"` // of the options in Value and in what its changes keep
}

func (batch) TableName() string { return "sl_batch" }

// batchChange is a record that a batch update changed.
type batchChange struct {
	Batch    string `gorm:"primaryKey;size:36"`
	Sequence int64  `gorm:"primaryKey;autoIncrement:false"`
	Record   string `gorm:"not null;size:36"`
	Before   string `gorm:"not null"` // JSON: id of a row, "" = the record itself -> its columns before
	Undone   bool   `gorm:"not null"`
}

func (batchChange) TableName() string { return "sl_batch_change" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&batch{}, &batchChange{}} }

// now gives what a batch keeps of values of its property the form of now.
func (b batch) now(tx *store.Tx, f *catalog.Field, side []json.RawMessage) ([]json.RawMessage, error) {
	then := tx.NameLog().Since(b.Epoch, b.At)
	model, property, ok := then.PropertyWas(f.Model.Code, f.Code)
	if !ok {
		return side, nil
	}
	out := make([]json.RawMessage, len(side))
	for i, v := range side {
		now, err := tx.ValueNow(then, model, property, v)
		if err != nil {
			return nil, err
		}
		out[i] = now
	}
	return out, nil
}
