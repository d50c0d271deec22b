package exporter

import "time"

// task is an export, or another file, that somebody asked for.
type task struct {
	ID        string    `gorm:"primaryKey;size:36"`
	Owner     string    `gorm:"not null;size:36;index:sl_export_owner,priority:1"`
	JobID     string    `gorm:"not null;size:36"`
	Kind      string    `gorm:"not null;default:'export';size:32"` // of its maker
	Model     string    `gorm:"not null;size:63"`
	List      string    `gorm:"not null;size:63"`
	Name      string    `gorm:"not null"` // of the file
	Columns   string    `gorm:"not null"` // JSON array of codes, "sheet.child" in sub-tables: what the file holds
	State     State     `gorm:"not null;size:12"`
	File      string    `gorm:"not null;default:'';size:36"`
	Size      int64     `gorm:"not null;default:0"` // bytes
	Rows      int64     `gorm:"not null;default:0"`
	Skipped   int64     `gorm:"not null;default:0"`  // as in Lacks
	Missing   string    `gorm:"not null;default:''"` // as in Lacks
	TooWide   string    `gorm:"not null;default:''"` // as in Lacks
	CreatedAt time.Time `gorm:"not null;index:sl_export_owner,priority:2;index:sl_export_created"`
	EndedAt   *time.Time
}

func (task) TableName() string { return "sl_export" }

// choice are the fields that a person chose last in a list.
type choice struct {
	Owner     string `gorm:"primaryKey;size:36"`
	List      string `gorm:"primaryKey;size:63"` // lower case
	ID        string `gorm:"not null;size:36"`
	Columns   string `gorm:"not null"`           // JSON array of Column
	Epoch     int64  `gorm:"not null;default:0"` // of the codes in Columns
	UpdatedAt time.Time
}

func (choice) TableName() string { return "sl_export_choice" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&task{}, &choice{}} }

// State is the state of an export (api.yaml ExportTask).
type State string

// States of exports. The last four are ends.
const (
	Queued     State = "INIT"
	Running    State = "RUN"
	Done       State = "END"
	Failed     State = "FAIL"
	Exception  State = "EXCEPTION"
	CheckError State = "CHECK_ERROR" // refused before anything was read: rights or definitions changed
)
