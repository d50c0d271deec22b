package comment

import (
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/query"
)

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any { return []any{&row{}, &fileRow{}} }

// table is what store.DB.Versions knows the comments by.
const table = catalog.CommentsTable

// row is a comment. Its id is in the order of time.
type row struct {
	ID        string    `gorm:"primaryKey;size:36"`
	Model     string    `gorm:"not null;size:63;index:sl_comment_record,priority:1"`
	Record    string    `gorm:"not null;size:36;index:sl_comment_record,priority:2"`
	Author    string    `gorm:"not null;size:36;index:sl_comment_author,priority:1"`
	Text      string    `gorm:"not null"`
	Mentions  string    `gorm:"not null"`               // JSON array of mention
	ReplyTo   string    `gorm:"not null;size:36;index"` // a comment of the same record; "" = none
	Revision  int64     `gorm:"not null"`               // rises with each change
	CreatedAt time.Time `gorm:"not null;index:sl_comment_author,priority:2"`
	EditedAt  *time.Time
	Deleted   bool    `gorm:"not null"`
	Token     *string `gorm:"size:64;uniqueIndex"` // SHA-256 of who and idempotency key
	Request   string  `gorm:"not null;size:64"`    // SHA-256 of what was asked with it
}

func (row) TableName() string { return table }

func (r row) ref() query.Ref { return query.Ref{SchemaCode: r.Model, ID: r.Record} }

// fileRow says that a comment holds a file.
type fileRow struct {
	CommentID string `gorm:"primaryKey;size:36"`
	Position  int    `gorm:"primaryKey;autoIncrement:false"`
	FileID    string `gorm:"not null;size:36;index"`
}

func (fileRow) TableName() string { return "sl_comment_file" }

// mention is somebody who was mentioned, with the name that is in the text.
type mention struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}
