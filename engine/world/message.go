package world

import "github.com/sluice-platform/sluice/engine/plan"

// MessageType is what a message is about; 0 is a message with a title of its own. The texts of the others are the platform's.
type MessageType int

// Types that code of packs sends besides. Their numbers are part of the HTTP contract.
const (
	DataModified MessageType = 32 // a record was changed: Model and Record
	WorkHandover MessageType = 31 // somebody's work was handed over to the recipient: Facts
	RolesWaiting MessageType = 61 // roles of people who left have to be handed over: Facts
	PeopleGone   MessageType = 62 // the work of people who left has to be handed over: Facts
)

// Message is a notification that people get in their message center, and by the other channels that are set up. It exists when the
// transaction is stored.
type Message struct {
	To    []string // ids of users; somebody who is named twice gets it once
	Type  MessageType
	Title plan.Label // in both languages; of type 0 only
	Text  string     // below the title, at most 200 characters are shown
	// Model and Record are what the message opens; "" = nothing. People who do not see the record get the message without its text. A Model
	// alone opens its list; where Facts name one person and the property of the model that holds people, its form for a new record.
	Model, Record string
	Facts         Facts
	// Once: a person gets at most one message with this key. "" = no such bound.
	Once string
	// Gather: while a person has not read the message of this key, the people and roles of another one are added to it. "" = each is a
	// message of its own.
	Gather string
}

// Facts are what the texts of the types name.
type Facts struct {
	People      []Named  // at most 2 are shown, and how many there are
	Roles       []string // names; at most 5 are shown
	Departments []string // names; at most 5 are shown
	Records     int      // how many
	Tasks       int      // workflows in which tasks are open, how many
	Things      int      // links, drafts and shared filters, how many
	Property    string   // of Model: holds a person
}

// Named is a person with the name that is shown.
type Named struct{ ID, Name string }
