package job

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
)

// State says where a job is.
type State string

// States of a job. The last three are ends.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Lane is a queue with workers of its own: its jobs wait for those of no other lane. A lane takes up the job of the person with the fewest
// running jobs, and of those the one that has waited longest.
type Lane string

// Lanes of an installation.
const (
	Short      Lane = "short"      // what somebody waits for
	Long       Lane = "long"       // what may take minutes
	Deliveries Lane = "deliveries" // messages by mail and webhooks
)

// Worker does the jobs of one kind. The result becomes JSON for the owner; a nil error means that the work is complete.
// When ctx ends Work should return soon: what it saved is kept, and it is called again, here or on another node, unless the
// job was cancelled. A fault.Error that says what the user did wrong fails the job at once, as does Permanent; other errors
// are tried again later.
type Worker interface {
	Work(ctx context.Context, r *Run) (result any, err error)
}

// WorkerFunc is a function as a Worker.
type WorkerFunc func(ctx context.Context, r *Run) (any, error)

// Work implements Worker.
func (f WorkerFunc) Work(ctx context.Context, r *Run) (any, error) { return f(ctx, r) }

// Title is what the owner reads.
type Title struct {
	Zh string `json:"zh"`
	En string `json:"en"`
}

// Options of a job.
type Options struct {
	Owner       string // user id; "" = the system. The job stops when this person is disabled.
	Title       Title
	Lane        Lane      // "" = Short. A job there that takes long, while others wait, goes on in Long
	Subject     string    // what it is about, for pages that show it: the code of a model; "" = nothing
	UniqueKey   string    // while a job of the same kind and key is queued or runs, no second one is made
	MaxAttempts int       // runs that may end with an error; 0 = 3
	RunAt       time.Time // not before; zero = now
}

// Result is what became of one unit, for the job's result list. Code and Args are a text of schemas/errors.json.
type Result struct {
	Sequence int64 // given by the queue
	Record   string
	Name     string // of the record then
	OK       bool
	Field    string // label of the property that was refused; "" = none
	Code     fault.Code
	Args     []any
}

// Job is a job as its owner sees it.
type Job struct {
	ID         string
	Kind       string
	Title      Title
	Subject    string
	State      State
	Done       int64
	Total      int64 // 0 = not known
	Results    int64
	Cancelling bool
	Code       fault.Code // why it failed, or was stopped; 0 = nothing to tell
	Args       []any
	Result     json.RawMessage
	Ahead      int // of a job that waits: how many of its lane are taken up before it
	Created    time.Time
	Started    *time.Time
	Finished   *time.Time
}

// What ends a run's context, found with context.Cause or errors.Is on what Save returns.
var (
	ErrCancelled = errors.New("the job was cancelled")
	ErrOwner     = errors.New("the job's owner is no longer active")
	ErrLost      = errors.New("the job was taken over by another worker")
	ErrStopping  = errors.New("the process is stopping")
	ErrTurn      = errors.New("the job gives its place to others who wait")
)

type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// Permanent marks an error that another attempt would meet again.
func Permanent(err error) error { return permanent{err} }

// transient are the faults that may pass by themselves.
var transient = map[fault.Code]bool{fault.Internal: true, fault.Unavailable: true, fault.DeadlineExceeded: true, fault.TooManyRequests: true}

func isPermanent(err error) bool {
	var p permanent
	var f *fault.Error
	return errors.As(err, &p) || errors.As(err, &f) && !transient[f.Code]
}
