package home

import "time"

// visit is a place that a person opened or marked.
type visit struct {
	UserID    string    `gorm:"primaryKey;size:36"`
	Kind      Kind      `gorm:"primaryKey;size:10"`
	Place     string    `gorm:"primaryKey;size:63"` // application of a page, model of a record
	Code      string    `gorm:"primaryKey;size:63"` // menu item of a page, id of a record
	VisitedAt time.Time `gorm:"not null;index:sl_visit_user"`
	Favorite  bool      `gorm:"not null"`
}

// TableName is the system table.
func (visit) TableName() string { return "sl_visit" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&visit{}} }
