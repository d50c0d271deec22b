package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/store"
)

const (
	beatEvery  = 10 * time.Second // how often a node says that it lives
	forgetNode = 24 * time.Hour   // without a sign of life
	mostErrors = 20               // that a node keeps
)

// node is a process that serves the installation.
type node struct {
	ID        string    `gorm:"primaryKey;size:36"`
	Name      string    `gorm:"not null;size:60"`
	Version   string    `gorm:"not null;size:60"`
	Workers   int       `gorm:"not null"`
	StartedAt time.Time `gorm:"not null"`
	SeenAt    time.Time `gorm:"not null;index"`
	Working   string    `gorm:"not null"` // JSON: background work
	Errors    string    `gorm:"not null"` // JSON: the last errors
}

func (node) TableName() string { return "sl_node" }

// Fault is an error in the log.
type Fault struct {
	At   time.Time `json:"time"`
	Text string    `json:"text"`
	More string    `json:"detail"` // the error and the number of the request, where the entry has them
}

// Node is a process that serves the installation, as it last told.
type Node struct {
	ID, Name, Version string
	Workers           int
	Started, Seen     time.Time
	Here              bool // it answers the call
	Working           []store.Progress
	Errors            []Fault // the newest first
	FilesAway         bool    // it can't reach the storage of files
}

// Recent keeps the last errors of a log, for those who look after the installation. It hands everything on.
type Recent struct {
	slog.Handler
	kept *keptErrors
}

type keptErrors struct {
	mu  sync.Mutex
	all []Fault
}

// NewRecent wraps the handler of a log.
func NewRecent(h slog.Handler) *Recent { return &Recent{h, &keptErrors{}} }

// Enabled implements slog.Handler: errors are kept whatever the log shows.
func (r *Recent) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelError || r.Handler.Enabled(ctx, l)
}

// Handle implements slog.Handler.
func (r *Recent) Handle(ctx context.Context, rec slog.Record) error {
	if rec.Level >= slog.LevelError {
		f := Fault{At: rec.Time.UTC(), Text: mail.OneLine(rec.Message, 200)}
		rec.Attrs(func(a slog.Attr) bool {
			switch a.Key {
			case "error", "request", "job", "kind", "code", "at", "id", "method", "route", "path", "status":
				if f.More != "" {
					f.More += " "
				}
				f.More += a.Key + "=" + a.Value.Resolve().String()
			}
			return true
		})
		f.More = mail.OneLine(f.More, 300)
		r.kept.mu.Lock()
		if r.kept.all = append(r.kept.all, f); len(r.kept.all) > mostErrors {
			r.kept.all = r.kept.all[1:]
		}
		r.kept.mu.Unlock()
	}
	if !r.Handler.Enabled(ctx, rec.Level) {
		return nil
	}
	return r.Handler.Handle(ctx, rec)
}

// WithAttrs implements slog.Handler.
func (r *Recent) WithAttrs(a []slog.Attr) slog.Handler {
	return &Recent{r.Handler.WithAttrs(a), r.kept}
}

// WithGroup implements slog.Handler.
func (r *Recent) WithGroup(name string) slog.Handler {
	return &Recent{r.Handler.WithGroup(name), r.kept}
}

// Faults are the last errors, the newest first.
func (r *Recent) Faults() []Fault {
	out := []Fault{}
	if r == nil {
		return out
	}
	r.kept.mu.Lock()
	defer r.kept.mu.Unlock()
	for i := len(r.kept.all) - 1; i >= 0; i-- {
		out = append(out, r.kept.all[i])
	}
	return out
}

// thisNode is this process.
func (a *App) thisNode() node {
	return node{ID: uuid.NewString(), Name: job.HostNode(), Version: a.cfg.Version, Workers: a.cfg.Workers, StartedAt: a.Now().UTC()}
}

// keepNode tells others that this process serves, until it closes.
func (a *App) keepNode() {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		if err := a.beat(a.background); err != nil && a.background.Err() == nil {
			a.cfg.Log.Warn("tell that this node serves", "error", err)
		}
		select {
		case <-a.background.Done():
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = a.db.Write(store.Promptly(ctx), func(_ context.Context, tx *store.Tx) error { // it is forgotten soon in any case
				return tx.System().Where("id = ?", a.node.ID).Delete(&node{}).Error
			})
			return
		case <-tick.C:
		}
	}
}

// keptFault is an error as a node tells it to others.
type keptFault struct {
	Fault
	FilesAway bool `json:"filesAway,omitempty"` // it says that the storage of files is away now
}

// faults are the errors of this node, first that it can't reach the storage of files.
func (a *App) faults(ctx context.Context) (out []keptFault) {
	within, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	if err := a.FilesUp(within); err != nil {
		out = append(out, keptFault{Fault{At: a.Now().UTC(), Text: "the storage of files can't be reached", More: mail.OneLine("error="+err.Error(), 300)}, true})
	}
	for _, f := range a.cfg.Recent.Faults() {
		out = append(out, keptFault{Fault: f})
	}
	return out
}

// takeFaults sets what a node tells of its errors.
func (n *Node) takeFaults(of []keptFault) {
	n.Errors = []Fault{}
	for _, f := range of {
		n.Errors = append(n.Errors, f.Fault)
		n.FilesAway = n.FilesAway || f.FilesAway
	}
}

func (a *App) beat(ctx context.Context) error {
	n := a.node
	n.SeenAt = a.Now().UTC()
	working, err := json.Marshal(a.db.Working())
	if err != nil {
		return err
	}
	faults, err := json.Marshal(a.faults(ctx))
	if err != nil {
		return err
	}
	n.Working, n.Errors = string(working), string(faults)
	return a.db.Write(store.Promptly(ctx), func(_ context.Context, tx *store.Tx) error {
		if err := tx.System().Where("seen_at < ?", n.SeenAt.Add(-forgetNode)).Delete(&node{}).Error; err != nil {
			return err
		}
		return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&n).Error
	})
}

// Nodes are the processes that serve the installation, by name. Of this one it is told as it is now.
func (a *App) Nodes(ctx context.Context) ([]Node, error) {
	var rows []node
	err := a.db.Read(ctx, func(_ context.Context, tx *store.Tx) error { return tx.System().Order("name, id").Find(&rows).Error })
	if err != nil {
		return nil, err
	}
	out := []Node{}
	for _, r := range rows {
		n := Node{ID: r.ID, Name: r.Name, Version: r.Version, Workers: r.Workers, Started: r.StartedAt.UTC(), Seen: r.SeenAt.UTC()}
		if n.Here = r.ID == a.node.ID; n.Here {
			n.Seen, n.Working = a.Now().UTC(), a.db.Working()
			n.takeFaults(a.faults(ctx))
		} else {
			if err := json.Unmarshal([]byte(r.Working), &n.Working); err != nil {
				return nil, err
			}
			var faults []keptFault
			if err := json.Unmarshal([]byte(r.Errors), &faults); err != nil {
				return nil, err
			}
			n.takeFaults(faults)
		}
		out = append(out, n)
	}
	return out, nil
}

// Space is the room that the installation takes.
type Space struct {
	store.Extent
	Files, FileBytes int64
	Kept             []store.Kept // of packs that take part no more
	At               time.Time    // when it was measured
}

// space is the last measurement.
type space struct {
	mu  sync.Mutex
	now Space
}

const measureAgain = time.Minute

// Space measures the installation, at most once a minute.
func (a *App) Space(ctx context.Context) (Space, error) {
	a.space.mu.Lock()
	defer a.space.mu.Unlock()
	if age := a.Now().Sub(a.space.now.At); !a.space.now.At.IsZero() && age >= 0 && age < measureAgain {
		return a.space.now, nil
	}
	var out Space
	var err error
	if out.Extent, err = a.db.Extent(ctx); err != nil {
		return out, err
	}
	if out.Kept, err = a.db.KeptTables(ctx); err != nil {
		return out, err
	}
	err = a.db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if out.Files, err = tx.Number(ctx, `SELECT COUNT(*) FROM sl_file`); err != nil {
			return err
		}
		out.FileBytes, err = tx.Number(ctx, `SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM sl_file`)
		return err
	})
	if err == nil {
		out.At = a.Now().UTC()
		a.space.now = out
	}
	return out, err
}
