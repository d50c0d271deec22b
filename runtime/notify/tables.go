package notify

import "time"

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any { return []any{&row{}} }

// table is what store.DB.Versions knows the messages by.
const table = "sl_message"

// row is a message to one person.
type row struct {
	ID        string     `gorm:"primaryKey;size:36"`
	Recipient string     `gorm:"not null;size:36;index:sl_message_list,priority:1;uniqueIndex:sl_message_once,priority:1"`
	Unread    bool       `gorm:"not null;index:sl_message_list,priority:2"`
	Kind      Kind       `gorm:"not null;size:10"`
	Type      Type       `gorm:"not null"`
	Sender    string     `gorm:"not null;size:36"` // "" = the system
	Model     string     `gorm:"not null;size:63"` // of the record that it is about; "" = none
	Record    string     `gorm:"not null;size:36"`
	Params    string     `gorm:"not null"` // JSON object: what the texts are filled with
	Biz       string     `gorm:"not null"` // JSON object: bizParams of the specification without what rights decide
	Words     string     `gorm:"not null"` // lower case, for search
	About     string     `gorm:"not null;size:80;index"`
	Once      *string    `gorm:"size:120;uniqueIndex:sl_message_once,priority:2"` // a recipient gets one message of a key
	CreatedAt time.Time  `gorm:"not null;index:sl_message_list,priority:3"`
	ReadAt    *time.Time `gorm:"index"`
}

func (row) TableName() string { return table }
