package draft

import "time"

// row is a draft as it is stored.
type row struct {
	ID         string    `gorm:"primaryKey;size:36"`
	UserID     string    `gorm:"not null;size:36;index:sl_draft_user,priority:1"`
	Model      string    `gorm:"not null"`
	Form       string    `gorm:"not null"`
	Workflow   string    `gorm:"not null;default:''"` // that the form starts; "" = none
	Title      string    `gorm:"not null"`
	Folded     string    `gorm:"not null"`           // the title for searching
	Data       string    `gorm:"not null"`           // JSON of values by property code
	Types      string    `gorm:"not null"`           // JSON of the names of their types
	Epoch      int64     `gorm:"not null;default:0"` // of the codes in Data and Types
	CreatedAt  time.Time `gorm:"not null"`
	ModifiedAt time.Time `gorm:"not null;index:sl_draft_user,priority:2"`
}

// TableName is the system table.
func (row) TableName() string { return "sl_draft" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&row{}} }
