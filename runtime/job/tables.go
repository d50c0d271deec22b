package job

import (
	"time"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Tables are the gorm models of this package, for store.Options.System. River makes its own tables.
func Tables() []any { return []any{&row{}, &resultRow{}} }

// row is a job.
type row struct {
	ID          string `gorm:"primaryKey;size:36"`
	Kind        string `gorm:"size:60"`
	Lane        Lane   `gorm:"size:12;default:'';index:sl_job_turn,priority:1"`
	State       State  `gorm:"size:10;index:sl_job_live,priority:1;index:sl_job_turn,priority:2"`
	Owner       string `gorm:"size:36;index:sl_job_live,priority:2;index;index:sl_job_turn,priority:3"` // "" = the system
	TitleZh     string
	TitleEn     string
	Subject     string  `gorm:"size:200"`
	Payload     string  // JSON
	Progress    string  // JSON that the worker saved last; "" = none yet
	Done, Total int64   // units, as reported
	Results     int64   // the last sequence of its result list
	Result      string  // JSON; "" = none
	UniqueKey   string  // as the caller gave it
	LiveKey     *string `gorm:"size:300;uniqueIndex"` // kind and UniqueKey until the job ends
	Failures    int     // runs that ended with an error
	MaxAttempts int
	Stalls      int // runs that ended with their process since progress was last saved
	ErrorCode   int
	ErrorArgs   string    // JSON array for the code's text
	Error       string    // for operators
	Cancel      bool      // its owner wants it to stop
	Fence       int64     // rises with each take-up; an older run can write nothing more
	Beat        int64     // rises while a run lives
	Node        string    `gorm:"size:40"` // which process took it up last
	Carrier     int64     // river_job row that was inserted for it last
	RunAt       time.Time `gorm:"index:sl_job_turn,priority:4"`
	Epoch       *int64    // of the codes in Payload (engine/names); NULL = those of its run
	CreatedAt   time.Time
	StartedAt   *time.Time
	FinishedAt  *time.Time `gorm:"index"`
}

func (row) TableName() string { return "sl_job" }

// resultRow is what became of one unit of a job.
type resultRow struct {
	JobID    string `gorm:"primaryKey;size:36"`
	Sequence int64  `gorm:"primaryKey;autoIncrement:false"`
	RecordID string `gorm:"size:36"`
	Name     string // of the record when the work was done
	OK       bool   `gorm:"column:ok"`
	Field    string // label of the refused property; "" = none
	Code     int    // of schemas/errors.json; 0 = no text
	Args     string // JSON array
}

func (resultRow) TableName() string { return "sl_job_result" }

// Restored makes the jobs in a copy of a database go on: what was to start them is not in the copy.
func Restored(tx *store.Tx) error {
	return tx.System().Model(&row{}).Where("carrier <> ?", 0).UpdateColumn("carrier", 0).Error
}
