package portal

import "time"

// arrangement is how a person arranged a page.
type arrangement struct {
	UserID  string    `gorm:"primaryKey;size:36"`
	Portal  string    `gorm:"primaryKey;size:63"` // code of the page, in small letters
	Widgets string    `gorm:"not null"`           // JSON of []Place
	At      time.Time `gorm:"not null"`
}

// TableName is the system table.
func (arrangement) TableName() string { return "sl_portal_arrangement" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&arrangement{}} }
