package importer

import "time"

// Mode says what an import does with records that are there already.
type Mode string

// Modes of an import.
const (
	Add         Mode = "add"         // every row is a new record; a record with its key is refused
	Update      Mode = "update"      // every row changes the record with its key
	AddOrUpdate Mode = "addOrUpdate" // a row changes the record with its key, or adds one
)

// phase is what an import is doing, or did last.
type phase string

const (
	checking   phase = "check" // a dry run: nothing stays written
	writing    phase = "write"
	correcting phase = "second" // rows that were refused come again
	undoing    phase = "undo"
)

// row is an import.
type importRow struct {
	ID       string    `gorm:"primaryKey;size:36"`
	Model    string    `gorm:"not null;index:sl_import_model,priority:1"`
	List     string    `gorm:"not null"`
	UserID   string    `gorm:"not null;size:36;index"`
	UserName string    `gorm:"not null"` // then
	At       time.Time `gorm:"not null;index:sl_import_model,priority:2"`
	Ended    *time.Time
	Phase    phase  `gorm:"not null"`
	JobID    string `gorm:"not null;size:36"`
	FileID   string `gorm:"not null;size:36"`    // of runtime/blob
	FileName string `gorm:"not null"`            // as it was uploaded
	Sheet    int    `gorm:"not null"`            // the first worksheet that is read
	Sheets   string `gorm:"not null;default:''"` // JSON of Sheets; "" = that one alone
	Counts   string `gorm:"not null;default:''"` // JSON of []sheetCount, of several worksheets
	Encoding string `gorm:"not null;default:''"` // of a text file as somebody said; "" = as it looks
	KeyField string `gorm:"not null"`            // property by which rows find their records; "" = by their ids only
	Mode     Mode   `gorm:"not null"`
	Clear    bool   `gorm:"not null"`               // empty cells empty the property; otherwise they leave it
	Replace  bool   `gorm:"not null;default:false"` // rows of sub-tables that the file does not have are removed; otherwise they stay
	Locale   string `gorm:"not null"`
	Head     string `gorm:"not null"` // JSON of head
	Added    int64  `gorm:"not null"`
	Changed  int64  `gorm:"not null"`
	Same     int64  `gorm:"not null"`
	Removed  int64  `gorm:"not null;default:0"` // rows of sub-tables
	Rounded  int64  `gorm:"not null;default:0"` // numbers that were taken as the sheet shows them
	Failed   int64  `gorm:"not null"`           // rows that wait for correction
	Skipped  int64  `gorm:"not null"`           // of those that were refused: given up
	Undone   int64  `gorm:"not null"`
	Kept     int64  `gorm:"not null"`            // records that could not be undone
	Reason   int    `gorm:"not null"`            // code of why the file as a whole was refused; 0 = it was not
	Args     string `gorm:"not null"`            // JSON, of Reason
	Rows     int64  `gorm:"not null"`            // of the file, as far as they are known
	Assigned string `gorm:"not null;default:''"` // JSON of assignment; "" = nothing was said of the columns
	Epoch    int64  `gorm:"not null;default:0"`  // of the codes in Assigned
}

func (importRow) TableName() string { return "sl_import" }

// Kinds of kept rows.
const (
	rowFailed  = "failed"
	rowSkipped = "skipped"
	rowPending = "pending" // failed once, and to be imported again
	rowAdded   = "added"   // dry runs: what would be added or changed
	rowChanged = "changed"
	rowRemoved = "removed" // changed, with rows of sub-tables that go
	rowKept    = "kept"    // could not be undone
	rowNames   = "names"   // what a record was called that the import renamed
)

// keptRow is a row that waits for correction, that a dry run shows, or that could not be undone, or what a renamed record was called.
type keptRow struct {
	ImportID string `gorm:"primaryKey;size:36;index:sl_import_row_kind,priority:1"`
	Number   int64  `gorm:"primaryKey;autoIncrement:false;index:sl_import_row_kind,priority:3"` // in the file, as rowOf
	Kind     string `gorm:"not null;index:sl_import_row_kind,priority:2"`
	Record   string `gorm:"not null;size:36"` // "" = none
	Name     string `gorm:"not null"`         // of the record
	Content  string `gorm:"not null"`         // JSON of raw, of []Difference, or of the old names
	Errors   string `gorm:"not null"`         // JSON of []Verdict
}

func (keptRow) TableName() string { return "sl_import_row" }

// written is a record that an import has added or changed.
type written struct {
	ImportID string `gorm:"primaryKey;size:36"`
	Sequence int64  `gorm:"primaryKey;autoIncrement:false"`
	Record   string `gorm:"not null;size:36;index"`
	Number   int64  `gorm:"not null"` // row of the file, as rowOf
	Version  int64  `gorm:"not null"` // that the import made
	Undone   bool   `gorm:"not null"`

	removes bool // rows of sub-tables
}

func (written) TableName() string { return "sl_import_record" }

var writtenColumns = []string{"import_id", "sequence", "record", "number", "version", "undone"}

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&importRow{}, &keptRow{}, &written{}, &choice{}} }
