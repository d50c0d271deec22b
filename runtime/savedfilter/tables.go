package savedfilter

import "time"

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any { return []any{&row{}, &choice{}} }

// row is a saved filter.
type row struct {
	ID        string `gorm:"primaryKey;size:36"`
	QueryCode string `gorm:"size:63;uniqueIndex:sl_saved_filter_name,priority:1;index:sl_saved_filter_shared,priority:1"` // lower case
	Owner     string `gorm:"size:36;uniqueIndex:sl_saved_filter_name,priority:2"`
	Folded    string `gorm:"size:240;uniqueIndex:sl_saved_filter_name,priority:3"` // Name, compared without case
	Name      string `gorm:"size:240"`
	Filters   string // JSON array of query.Filter
	Epoch     int64  `gorm:"not null;default:0"` // of the codes in Filters
	Shared    bool   `gorm:"index:sl_saved_filter_shared,priority:2"`
	CreatedAt time.Time
	UpdatedAt time.Time
}

func (row) TableName() string { return "sl_saved_filter" }

// choice is the filter with which a list opens for somebody.
type choice struct {
	QueryCode string `gorm:"primaryKey;size:63"` // lower case
	UserID    string `gorm:"primaryKey;size:36"`
	FilterID  string `gorm:"size:36;index"`
}

func (choice) TableName() string { return "sl_saved_filter_default" }
