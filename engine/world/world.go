// Package world is what the code of a pack can do. Actions, hooks, rules and jobs are given one World and nothing else: no database, no
// service, no clock of their own (docs/adr/0037).
package world

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/sluice-platform/sluice/engine/principal"
)

// World is one transaction, seen with the rights of one principal. What was written is stored when the code that got the World returns
// without an error, and nothing of it otherwise. A World is not for concurrent use, and not for use after its code has returned. Errors
// are fault.Errors, to be returned as they are.
type World interface {
	// Principal is who asks, with roles and departments.
	Principal() principal.Principal
	// Now is the time by the system's clock, and Zone the installation's time zone.
	Now() time.Time
	Zone() *time.Location

	Records
	Files
	Sheets
	Trying

	// Tell sends a notification, in the name of the principal.
	Tell(ctx context.Context, m Message) error

	// Rows reads the rows of a query that the pack has registered in pack.Set.Queries, with the principal's rights: what the principal may
	// not see is empty, in conditions as in columns. Rows are read a thousand at a time and there is no limit; the World may be used between
	// two of them, and what it writes meanwhile may show in rows that come later. An error is the last thing that is yielded.
	Rows(ctx context.Context, query string, args Args) iter.Seq2[Row, error]

	// List reads what a list shows, row by row, with names and texts in the principal's language: its columns and its own conditions, in its
	// order. Like Rows it has no limit.
	List(ctx context.Context, list string, o ListOptions) iter.Seq2[ListRow, error]

	// Lock waits until nobody else holds the name, and keeps it until the end of the transaction: those who count and then write within
	// the lock keeps a limit, also when many do so on several nodes. The names of a pack begin with its code: "quality.numbers".
	Lock(ctx context.Context, name string) error

	// StartWorkflow starts a workflow with a record of its model in the principal's name, and returns the id of the instance. A person has
	// to be among those who may start it; As a reason of the pack nobody asks. What the start requires and is empty, the person fills first.
	StartWorkflow(ctx context.Context, workflow, record string) (string, error)
	// MayStart is nil when the principal may start a workflow with some record, and else the fault that StartWorkflow would be refused with.
	MayStart(workflow string) error
	// Signal lets go on what waits for a signal of that name and key (WAIT nodes), and returns how many instances that are.
	Signal(ctx context.Context, signal, key string) (int, error)

	// Start makes a job of a registered kind for the principal: it exists when the transaction is stored, and only then. It returns the
	// job's id, or the id of the one that holds the key Once.
	Start(ctx context.Context, job string, payload any, o JobOptions) (string, error)

	// Document is what the Compile of a kind that a pack registered made of a document; false when there is none, or none that the principal
	// may open (kind.Kind.Readers). It is not to be changed.
	Document(kind, code string) (any, bool)

	// Allowed is nil when the principal may do right ("edit", "delete", a word of a pack) with a record, and else the fault that a write would be
	// refused with. With an empty id it asks for the right on some record of the model.
	Allowed(ctx context.Context, right, model, id string) error

	// ModelOf tells what the documents say of a model of any pack; false when there is none. Nobody's rights are asked.
	ModelOf(code string) (Model, bool)

	// Memo is what code of packs keeps for the rest of the transaction, apart for each right: hooks that run for thousands of records read
	// once what they all need. Who changes what a value was read from takes the value out.
	Memo() Memo

	// As is the World with the right of the pack itself: that of the role which pack.json declares for the reason. The history of records
	// tells the reason beside the person.
	As(reason string) (World, error)
}

// Memo holds values by names that begin with the pack's code: "quality.rules".
type Memo map[string]any

// Records reads and writes records. Values are in the wire form, by property code: numbers are json.Number, exact decimals texts.
type Records interface {
	// Get returns what the principal may see of a record; fault.RecordNotFound when that is nothing.
	Get(ctx context.Context, model, id string) (Record, error)
	// Find returns the ids of the first limit records, by id, that the principal sees and whose properties have exactly these values.
	// With All it returns every one, or fails with fault.TooExpensive where there are more than MostFound: it never returns fewer
	// than asked for and found. Rows has more ways to ask, and no limit.
	Find(ctx context.Context, model string, equal map[string]any, limit int) ([]string, error)
	// Create adds a record and returns its id. CreateAll adds many of one model, all or none, and returns their ids in the same order; an
	// error is that of the first row that was refused, a *RowError with its place.
	Create(ctx context.Context, model string, values map[string]any) (string, error)
	CreateAll(ctx context.Context, model string, rows []map[string]any) ([]string, error)
	// Update changes a record that has the version which the caller has seen, and returns its new version.
	Update(ctx context.Context, model, id string, version int64, values map[string]any) (int64, error)
	// Delete removes a record.
	Delete(ctx context.Context, model, id string) error
	// Stays says of each record that Delete would not remove why, as people read it. Records of the same list that refer to one another are no
	// reason: they go one after the other. It asks no hooks.
	Stays(ctx context.Context, model string, ids []string) (map[string]string, error)
}

// Limits of Find.
const (
	All       = 0       // every record
	MostFound = 100_000 // the largest limit
)

// RowError is why a row of CreateAll was refused.
type RowError struct {
	Row int // from 0
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("row %d: %v", e.Row, e.Err) }

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// Record is a record as the principal sees it.
type Record struct {
	ID      string
	Version int64
	Values  map[string]any
}

// Decode reads a property into a Go value as encoding/json does. An empty property leaves it as it is.
func (r Record) Decode(property string, to any) error {
	v, ok := r.Values[property]
	if !ok || v == nil {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}
