package channel

import "time"

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any { return []any{&row{}, &choiceRow{}, &typeRow{}} }

// table is what store.DB.Versions knows the deliveries by.
const table = "sl_delivery"

// State says where a delivery is.
type State string

// States of a delivery.
const (
	Waiting State = "waiting" // to be sent, perhaps once more
	Sent    State = "sent"
	Dead    State = "dead"    // given up
	Dropped State = "dropped" // there was nobody to send it to any more, nothing to send, or the task that it asks for is over
)

// row is a message on its way by one channel.
type row struct {
	ID        string     `gorm:"primaryKey;size:36"`
	Message   string     `gorm:"not null;size:36;uniqueIndex:sl_delivery_once,priority:1"`
	Channel   Name       `gorm:"not null;size:10;uniqueIndex:sl_delivery_once,priority:2;index:sl_delivery_due,priority:2"`
	Recipient string     `gorm:"not null;size:36"`
	Type      int        `gorm:"not null"`
	State     State      `gorm:"not null;size:10;index:sl_delivery_due,priority:1"`
	Attempts  int        `gorm:"not null"`
	NextAt    time.Time  `gorm:"not null;index:sl_delivery_due,priority:3"`
	GiveUpAt  time.Time  `gorm:"not null"`
	Error     string     `gorm:"not null"` // of the last attempt; "" = none
	CreatedAt time.Time  `gorm:"not null"`
	DoneAt    *time.Time `gorm:"index"`
}

func (row) TableName() string { return table }

// choiceRow is what a person chose.
type choiceRow struct {
	Person string `gorm:"primaryKey;size:36"`
	Locale string `gorm:"not null;size:10"` // of mails; "" = that of the installation
	Groups string `gorm:"not null"`         // JSON object: whether a group comes by mail
}

func (choiceRow) TableName() string { return "sl_channel_choice" }

// typeRow is what administrators decided for a type of messages.
type typeRow struct {
	Type    int  `gorm:"primaryKey;autoIncrement:false"`
	Mail    bool `gorm:"not null"`
	Webhook bool `gorm:"not null"`
}

func (typeRow) TableName() string { return "sl_channel_type" }
