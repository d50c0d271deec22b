package workflow

import (
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
)

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any {
	return []any{&template{}, &instance{}, &event{}, &item{}, &timer{}, &delegation{}, &signal{}, &pool{}, &remark{}, &remarkFile{}, &preference{}, &handler{}, &finding{}}
}

// template is a version of a workflow that instances may run.
type template struct {
	Code     string    `gorm:"primaryKey;size:63"`
	Version  int       `gorm:"primaryKey;autoIncrement:false"`
	Pack     string    `gorm:"not null;size:63"`
	Digest   string    `gorm:"not null;size:64"` // SHA-256 of Document
	Document []byte    `gorm:"not null"`
	Epoch    int64     `gorm:"not null;default:0"` // of the codes in Document (engine/names)
	Created  time.Time `gorm:"not null"`
	Seals    bool      `gorm:"not null;default:false"` // agreement seals the record (seal.go)
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
	Dept      *string   `gorm:"size:36;index"` // the initiator's main department when it started; "" = none, nil = it was not kept yet (CatchUp)
	Status    string    `gorm:"not null;size:12;index:sl_wf_instance_status,priority:1"`
	Result    string    `gorm:"not null;size:12"`
	Started   time.Time `gorm:"not null;index:sl_wf_instance_initiator,priority:2;index:sl_wf_instance_status,priority:2"`
	Finished  *time.Time
	Urged     *time.Time
	Events    int64 `gorm:"not null"` // number of the last event
	// Parent is the instance whose SUB started this one; "" = none. ParentActivity is the activity of that SUB, and ParentNumber the place
	// among the instances that it started, from 1.
	Parent         string `gorm:"not null;size:36;index:sl_wf_instance_parent,priority:1"`
	ParentActivity int    `gorm:"not null;index:sl_wf_instance_parent,priority:2"`
	ParentNumber   int    `gorm:"not null"`
	State          []byte `gorm:"not null"`
	Sealed         bool   `gorm:"not null;default:false"` // it ended with agreement and holds its record as it was approved (seal.go)
	Epoch          int64  `gorm:"not null;default:0"`     // of the nodes in State
}

func (instance) TableName() string { return catalog.InstancesTable }

// event is one event of an instance, as JSON of flow.Event. Events are added and never changed.
type event struct {
	Instance string    `gorm:"primaryKey;size:36"`
	Number   int64     `gorm:"primaryKey;autoIncrement:false"`
	At       time.Time `gorm:"not null"`
	Body     []byte    `gorm:"not null"`
	Epoch    int64     `gorm:"not null;default:0"` // of the nodes in Body
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
	From     string     `gorm:"not null;size:36;column:delegate_from;index:sl_wf_item_from"`
	Copy     bool       `gorm:"not null;default:false"` // From sees it
	Opinion  string     `gorm:"not null"`
	Urged    int        `gorm:"not null"`
	Received *time.Time `gorm:"index:sl_wf_item_list,priority:3"`
	Opened   *time.Time // when its person first looked at it
	Finished *time.Time
	Due      *time.Time
}

func (item) TableName() string { return catalog.TasksTable }

// handler is a person who has an open task of the workflow that a record runs in: the set participants_ of the record, which every model
// reads from here (catalog.HandlersTable).
type handler struct {
	Record  string `gorm:"primaryKey;type:uuid;column:v"` // as the tables of models have it on PostgreSQL, whose planner knows what it joins then
	Person  string `gorm:"primaryKey;size:36;column:id;index"`
	Ordinal int    `gorm:"not null"` // number of the person's first open task
}

func (handler) TableName() string { return catalog.HandlersTable }

// timer is something that happens to an instance at a time, once.
type timer struct {
	Instance string     `gorm:"primaryKey;size:36"`
	Subject  int        `gorm:"primaryKey;autoIncrement:false"` // number of an item, or of an activity of a node without people
	Kind     string     `gorm:"primaryKey;size:12"`
	Step     int        `gorm:"primaryKey;autoIncrement:false"`
	Due      time.Time  `gorm:"not null;index:sl_wf_timer_open,where:NOT done"` // partial: SQLite would take an index on done for those of an instance too
	Done     bool       `gorm:"not null"`
	Fired    *time.Time // when it was done
	Rest     *int64     // milliseconds of working time that are left while it does not run; nil = it runs
}

// timersTable is also what transactions touch after which Fire finds something (stir).
const timersTable = "sl_wf_timer"

func (timer) TableName() string { return timersTable }

// signal is what a WAIT waits for.
type signal struct {
	Instance string `gorm:"primaryKey;size:36"`
	Activity int    `gorm:"primaryKey;autoIncrement:false"`
	Name     string `gorm:"not null;size:63;index:sl_wf_signal_key,priority:1"` // in small letters
	Key      string `gorm:"not null;size:200;index:sl_wf_signal_key,priority:2"`
}

func (signal) TableName() string { return "sl_wf_signal" }

// pool is an activity that nobody has claimed and whose people follow whom its node names.
type pool struct {
	Instance string `gorm:"primaryKey;size:36"`
	Activity int    `gorm:"primaryKey;autoIncrement:false"`
	Due      bool   `gorm:"not null;index"` // it is to be looked at although the organization has not changed
}

func (pool) TableName() string { return "sl_wf_pool" }

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

	Depts      string `gorm:"not null;default:'[]'"` // JSON array of departments of initiators; [] = all
	KeepCopy   bool   `gorm:"not null;default:false"`
	MoveOpen   bool   `gorm:"not null;default:false"`
	ReturnOpen bool   `gorm:"not null;default:false"`
	Moved      bool   `gorm:"not null;default:false"` // the open tasks have gone to the delegate
	Returned   bool   `gorm:"not null;default:false"` // and have come back
	Told       bool   `gorm:"not null;default:false"` // both have heard that it is over
	Removed    bool   `gorm:"not null;default:false"` // its person has deleted it; tasks have to come back yet
	Revision   int    `gorm:"not null;default:0"`     // how often its person has changed it
}

func (delegation) TableName() string { return "sl_wf_delegation" }
