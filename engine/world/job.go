package world

import (
	"context"
	"time"

	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
)

// Job is a kind of work beside requests: it goes on in steps, is taken up again after a crash or on another node, and its owner sees how
// it gets on and may cancel it. It is registered in pack.Set.Jobs.
type Job struct {
	Code  string     // "quality.renumber": begins with the pack's code
	Title plan.Label // what the owner reads: 重新编号, "Renumbering"
	// Holds says which members of what Start is given, a JSON object, are codes of documents or of their parts, and of which kind: a text or a
	// list of them. Parts are named by their path, as in values of dropdowns that hold codes: "order.amount", "order.state:OPEN", "approval.check".
	// Decode gives them the codes of now when something was renamed while the job waited, and a fault.Error where something is gone.
	Holds map[string]names.Kind
	// Work does it. What it returns becomes JSON for the owner. When ctx ends Work should return soon: what its steps saved is kept, and
	// it is called again unless the job was cancelled. A fault.Error that says what the person did wrong fails the job at once; other
	// errors are tried again later, three times in all.
	Work func(ctx context.Context, r Run) (result any, err error)
}

// Name implements registry.Entry.
func (j Job) Name() string { return j.Code }

// Options implements registry.Entry.
func (Job) Options() []byte { return nil }

// Run is one take-up of a job.
type Run interface {
	// Decode reads what Start was given. What Job.Holds names has the codes of now; within a Step those that its World has.
	Decode(into any) error
	// Progress reads what the last step returned; false when there was none. Work that is taken up again goes on behind it.
	Progress(into any) (bool, error)
	// Report says how many of how many units are done; a total of 0 is not known.
	Report(done, total int64)
	// Step does a part of the work in one transaction and saves the progress that do returns with it: both happen, or none. The World has
	// the rights that the person has at this moment.
	Step(ctx context.Context, do func(w World) (progress any, err error)) error
}

// JobOptions say how a job is started.
type JobOptions struct {
	Once    string    // while a job of the same kind and key is queued or runs, no second one is made
	Subject string    // code of the model whose pages show it; "" = none
	At      time.Time // not before; zero = now
}

// Schedule starts a job again and again, once for all nodes. It is registered in pack.Set.Schedules. What became due while nothing ran
// is made up for once.
type Schedule struct {
	Code   string        // "quality.nightly": begins with the pack's code
	Job    string        // code of a Job of the pack
	Every  time.Duration // at least a minute; or
	At     string        // each day at this time in the installation's zone: "02:30"
	Reason string        // of pack.json: whose role the job has, for nobody has started it
}

// Name implements registry.Entry.
func (s Schedule) Name() string { return s.Code }

// Options implements registry.Entry.
func (Schedule) Options() []byte { return nil }

// Due is the last moment up to now at which the schedule starts its job; the zero time when the schedule makes no sense.
func (s Schedule) Due(now time.Time, zone *time.Location) time.Time {
	if s.At == "" {
		if s.Every < time.Minute {
			return time.Time{}
		}
		return now.Truncate(s.Every)
	}
	at, err := time.Parse("15:04", s.At)
	if err != nil {
		return time.Time{}
	}
	y, m, d := now.In(zone).Date()
	due := time.Date(y, m, d, at.Hour(), at.Minute(), 0, 0, zone)
	if due.After(now) {
		due = time.Date(y, m, d-1, at.Hour(), at.Minute(), 0, 0, zone)
	}
	return due
}
