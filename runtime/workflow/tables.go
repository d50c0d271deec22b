package workflow

import "time"

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any {
	return []any{&template{}, &instance{}, &event{}, &item{}, &timer{}, &delegation{}, &remark{}, &remarkFile{}, &preference{}}
}

// template is a version of a workflow that instances may run.
type template struct {
	Code     string    `gorm:"primaryKey;size:63"`
	Version  int       `gorm:"primaryKey;autoIncrement:false"`
	Pack     string    `gorm:"not null;size:63"`
	Digest   string    `gorm:"not null;size:64"` // SHA-256 of Document
	Document []byte    `gorm:"not null"`
	Created  time.Time `gorm:"not null"`
}

func (template) TableName() string { return "sl_wf_template" }

// instance is one run of a workflow. State is what its events make, as JSON of flow.State.
type instance struct {
	ID        string    `gorm:"primaryKey;size:36"`
	Code      string    `gorm:"not null;size:63;index:sl_wf_instance_code,priority:1"`
	Version   int       `gorm:"not null;index:sl_wf_instance_code,priority:2"`
	Model     string    `gorm:"not null;size:63;index:sl_wf_instance_record,priority:1"`
	Record    string    `gorm:"not null;size:36;index:sl_wf_instance_record,priority:2"`
	Live      *string   `gorm:"size:100;uniqueIndex"` // model/record until the instance ends: a record runs in one workflow at a time
	Name      string    `gorm:"not null"`
	Search    string    `gorm:"not null"` // the name in small letters
	Initiator string    `gorm:"not null;size:36;index:sl_wf_instance_initiator,priority:1"`
	Status    string    `gorm:"not null;size:12;index:sl_wf_instance_status,priority:1"`
	Result    string    `gorm:"not null;size:12"`
	Started   time.Time `gorm:"not null;index:sl_wf_instance_initiator,priority:2;index:sl_wf_instance_status,priority:2"`
	Finished  *time.Time
	Urged     *time.Time
	Events    int64  `gorm:"not null"` // number of the last event
	State     []byte `gorm:"not null"`
}

func (instance) TableName() string { return "sl_wf_instance" }

// event is one event of an instance, as JSON of flow.Event. Events are added and never changed.
type event struct {
	Instance string    `gorm:"primaryKey;size:36"`
	Number   int64     `gorm:"primaryKey;autoIncrement:false"`
	At       time.Time `gorm:"not null"`
	Body     []byte    `gorm:"not null"`
}

func (event) TableName() string { return "sl_wf_event" }

// The lists that an item is in: of each item's participant exactly one, none for what waits for its turn or was canceled.
const (
	listUnfinished = "unfinished"
	listFinished   = "finished"
	listUnread     = "unread"
	listRead       = "read"
)

// item is a work item of an instance as lists show it.
type item struct {
	ID       string     `gorm:"primaryKey;size:36"`
	Instance string     `gorm:"not null;size:36;uniqueIndex:sl_wf_item_number,priority:1"`
	Number   int        `gorm:"not null;uniqueIndex:sl_wf_item_number,priority:2"` // flow.Item.ID
	Code     string     `gorm:"not null;size:63"`                                  // of the workflow
	Node     string     `gorm:"not null;size:63"`
	Person   string     `gorm:"not null;size:36;index:sl_wf_item_list,priority:1"`
	List     string     `gorm:"not null;size:12;index:sl_wf_item_list,priority:2"`
	Type     string     `gorm:"not null;size:12"`
	State    string     `gorm:"not null;size:12"`
	Result   string     `gorm:"not null;size:12"`
	From     string     `gorm:"not null;size:36;column:delegate_from"`
	Opinion  string     `gorm:"not null"`
	Urged    int        `gorm:"not null"`
	Received *time.Time `gorm:"index:sl_wf_item_list,priority:3"`
	Opened   *time.Time // when its person first looked at it
	Finished *time.Time
	Due      *time.Time
}

func (item) TableName() string { return "sl_wf_item" }

// timer is something that happens to an instance at a time, once.
type timer struct {
	Instance string     `gorm:"primaryKey;size:36"`
	Subject  int        `gorm:"primaryKey;autoIncrement:false"` // number of an item, or of a WAIT's activity
	Kind     string     `gorm:"primaryKey;size:12"`
	Step     int        `gorm:"primaryKey;autoIncrement:false"`
	Due      time.Time  `gorm:"not null;index:sl_wf_timer_due,priority:2"`
	Done     bool       `gorm:"not null;index:sl_wf_timer_due,priority:1"`
	Fired    *time.Time // when it was done
}

func (timer) TableName() string { return "sl_wf_timer" }

// delegation lets somebody have another's new tasks for a time.
type delegation struct {
	ID      string    `gorm:"primaryKey;size:36"`
	From    string    `gorm:"not null;size:36;column:delegator;index"`
	To      string    `gorm:"not null;size:36;column:delegate;index"`
	Codes   string    `gorm:"not null"` // JSON array of workflows; [] = all
	Starts  time.Time `gorm:"not null"`
	Ends    time.Time `gorm:"not null"`
	Enabled bool      `gorm:"not null"`
	Created time.Time `gorm:"not null"`
}

func (delegation) TableName() string { return "sl_wf_delegation" }
