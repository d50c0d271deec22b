package printing

import "time"

// printing is one time that somebody put records on paper, or looked at paper with codes that can be verified.
type printing struct {
	ID        string     `gorm:"primaryKey;size:36"`
	Actor     string     `gorm:"not null;size:36"`
	Name      string     `gorm:"not null"` // of the actor then
	How       How        `gorm:"not null;size:10"`
	Model     string     `gorm:"not null;size:63"`
	Template  string     `gorm:"not null;size:63"` // "" = labels
	CreatedAt time.Time  `gorm:"not null"`
	Told      *time.Time // the time that the paper says, where its caller told it; nil = CreatedAt
	Epoch     int64      `gorm:"not null;default:0"` // of the codes in Model and Template, and in what its records showed
}

// says is the time that is on the paper.
func (p printing) says() time.Time {
	if p.Told != nil {
		return p.Told.UTC()
	}
	return p.CreatedAt.UTC()
}

func (printing) TableName() string { return "sl_print" }

// printed is a record that was on it. Templates with a code that can be verified keep what they showed of it: paper has no end, so neither
// have these rows.
type printed struct {
	PrintID string  `gorm:"primaryKey;size:36"`
	Record  string  `gorm:"primaryKey;size:36;index:sl_print_by_record"`
	Code    *string `gorm:"size:32;index:sl_print_by_code"` // in hexadecimal digits
	Shown   []byte  // JSON of snapshot, deflated
}

func (printed) TableName() string { return "sl_print_record" }

// Tables are the system tables of this package, for store.Options.System.
func Tables() []any { return []any{&printing{}, &printed{}} }

// How records came to paper.
type How string

// The ways to paper.
const (
	Previewed How = "preview" // only looked at; a browser that prints afterwards makes it Paper
	Paper     How = "paper"   // printed by a browser
	File      How = "file"    // a PDF or a spreadsheet
	Batch     How = "batch"   // a job
)
