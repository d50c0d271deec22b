package record

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Writer writes records. It is safe for concurrent use.
type Writer struct {
	db       *store.DB
	set      *pack.Set
	people   principal.Directory
	zone     *time.Location
	clock    func() time.Time
	outbox   []Outbox
	patterns sync.Map      // text -> *regexp.Regexp
	keep     time.Duration // of deleted records
	worlds   func(*Batch, bool) world.World
	mayRead  FileRight // nil = a record takes its writer's own files only
	ends     func(ctx context.Context, tx *store.Tx, view *authz.View, model, id string) error
	links    func(tx *store.Tx, instance string) (parent, child bool, err error)
	seals    Seals // nil = there are no workflows
	held     Held  // likewise

	digesting sync.Mutex
	digested  map[*map[string]any]string                  // by the first of a file's rows
	written   func(context.Context, *catalog.Model) error // AfterData
}

// Outbox is called in the transaction of every write, before the after-hooks: the place where messages, webhooks and jobs
// are enqueued.
type Outbox func(ctx context.Context, tx *store.Tx, e *hook.Record) error

// New makes a Writer. The outboxes are called in order.
func New(db *store.DB, set *pack.Set, people principal.Directory, zone *time.Location, clock func() time.Time, outbox ...Outbox) *Writer {
	return &Writer{db: db, set: set, people: people, zone: zone, clock: clock, outbox: outbox, keep: DefaultKeep}
}

// Change is what shall be written. Set holds only what changes, by property code; a sub-table's value is its whole list.
type Change struct {
	Model   string
	Form    string // "" = not through a form
	ID      string // "" = create
	Version *int64 // that the caller has seen; needed without ID ""
	Set     map[string]json.RawMessage
	Token   string // idempotency key; "" = none
	// With is done in the transaction of the change, unless the change was made before under the same key; its error refuses the change.
	With      store.Do
	Undoes    bool // it takes a change back: what stood there is no new choice
	InProcess bool // it is made in a task of the workflow that moves the record
	// Amend is why a sealed record is changed, by the right of that name; "" = it is not. For a record that no workflow has sealed it means
	// nothing.
	Amend string
	// Touching judges only the requirements and rules that read what changes; others are told as Saved.Warnings.
	Touching bool
	// MadeUp is a change of a rehearsal, in a transaction that is given up: what is missing and which rules it breaks is told as
	// Saved.Warnings, and nothing of that refuses it.
	MadeUp bool
}

// Saved is the answer of Save.
type Saved struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
	// Warnings are what is wrong with the record, as it was before: with Touching and MadeUp only.
	Warnings []fault.FieldError `json:"-"`
}

// Save creates or changes a record. Refusals are fault.Errors; RecordInvalid names every field at fault.
func (w *Writer) Save(ctx context.Context, view *authz.View, ch Change) (out Saved, err error) {
	write := func(ctx context.Context, f store.Do) error { return w.db.Attempt(ctx, ch.shares(), f) }
	for n := range tries {
		cw, refused := newChange(view, ch)
		if refused != nil {
			return Saved{}, refused
		}
		if n == 0 {
			cw.ahead(ctx, w, view, ch)
		}
		err = write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			out, err = cw.save(w.session(ctx, tx, view), ch)
			return err
		})
		if err == nil {
			return out, nil
		}
		if !errors.Is(err, store.ErrConflict) {
			return Saved{}, cw.refused(err)
		}
		write = w.db.Write
	}
	return Saved{}, fault.Wrap(err, fault.RecordBusy)
}

// shares is the name of those with whom a change may share a transaction: who makes records of a model waits for the others' numbers
// anyway.
func (ch Change) shares() string {
	if ch.ID == "" && ch.Token == "" && ch.With == nil {
		return ch.Model
	}
	return ""
}

// tries of a write that meets another transaction.
const tries = 5

// SaveIn is Save inside a transaction of the caller's: a job writes a record and its own progress in one. A refusal may leave
// parts of the write behind, so either the whole transaction is given up, or SaveIn was called inside tx.Try.
func (w *Writer) SaveIn(ctx context.Context, tx *store.Tx, view *authz.View, ch Change) (Saved, error) {
	cw, err := newChange(view, ch)
	if err != nil {
		return Saved{}, err
	}
	out, err := cw.save(w.session(ctx, tx, view), ch)
	if err != nil {
		return Saved{}, cw.refused(err)
	}
	return out, nil
}

// newChange looks at what can be refused without the database.
func newChange(view *authz.View, ch Change) (*change, error) {
	m := view.Model(ch.Model)
	if m == nil || m.Parent != nil || !view.Can(m, "view") && !view.Can(m, "add") {
		return nil, fault.New(fault.ModelNotFound, ch.Model)
	}
	form, err := formOf(view.Catalog, m, ch.Form)
	if err != nil {
		return nil, err
	}
	if ch.ID != "" && ch.Version == nil {
		return nil, fault.New(fault.EmptyParameter, "version")
	}
	return &change{m: m, form: form, id: ch.ID, create: ch.ID == "", undoes: ch.Undoes, inProcess: ch.InProcess, amend: ch.Amend, touching: ch.Touching, madeUp: ch.MadeUp}, nil
}

// save makes the change in a session.
func (cw *change) save(s *session, ch Change) (Saved, error) {
	first, done, err := s.claim(ch.Token, func() string { return request(ch) })
	if err != nil || done {
		return Saved{ID: first.Record, Version: first.Version}, err
	}
	if cw.session != nil { // it went ahead
		s.known = cw.known
	}
	cw.session = s
	if ch.With != nil {
		if err := ch.With(s.tx.Context(), s.tx); err != nil {
			return Saved{}, err
		}
	}
	if err := cw.run(ch); err != nil {
		return Saved{}, err
	}
	if err := s.flush(); err != nil {
		return Saved{}, err
	}
	out := Saved{ID: cw.id, Version: cw.version}
	if out.Warnings, err = cw.told(); err != nil {
		return Saved{}, err
	}
	return out, s.answer(ch.Token, Idempotency{Record: out.ID, Version: out.Version})
}

func formOf(c *catalog.Catalog, m *catalog.Model, code string) (*catalog.Form, error) {
	if code == "" {
		return nil, nil
	}
	f := c.Form(code)
	if f == nil || f.Model != m {
		return nil, fault.New(fault.FormNotFound, code)
	}
	return f, nil
}

// change is one record under way.
type change struct {
	*session
	m         *catalog.Model
	form      *catalog.Form
	id        string
	create    bool
	undoes    bool
	touching  bool // only what reads what changes is judged
	inProcess bool
	amend     string // Change.Amend
	seal      *Seal  // that an ended workflow holds the record by; nil = none, or the writer is not bound by it
	madeUp    bool   // nothing that is missing refuses it
	warnings  []fault.FieldError
	supposed  bool   // it is a preview
	act       string // the right that is needed when it is not edit or add
	version   int64
	old       map[string]any // columns; nil on create
	row       map[string]any // columns as they will be
	set       map[string]any // property code -> Go value of what is given, defaults included
	given     []*catalog.Field
	sheets    map[string]*sheetChange
	offers    offering                           // of what the record refers to
	claims    []wantedRef                        // what values say of their references, beyond what is kept
	files     map[string][]string                // path of a field -> files that it holds from now on
	unread    bool                               // a file was named that the principal may not read
	remark    string                             // for the history
	cleared   []clearedRef                       // of a record that comes back: what referred to it
	records   map[*plan.Records][]map[string]any // that formulas fold
	folds     map[*plan.Aggregate]any            // what the database folded
	errs      []fault.FieldError
	event     *hook.Record
	unhooked  bool     // no before-hook stands at the model
	wanted    []string // codes of set before the hooks
	derives   bool     // nobody writes it: it follows from what its formulas read
	because   fields   // of what it follows, when derives; nil = of everything
	keeps     keeping  // which values stay as they were approved; nil = none
}

func (c *change) action() string {
	switch {
	case c.act != "":
		return c.act
	case c.create:
		return "add"
	}
	return "edit"
}

// run does everything from the old row to the after-hooks.
func (c *change) run(ch Change) error {
	if err := c.enter(func(code string) bool { _, ok := ch.Set[code]; return ok }); err != nil {
		return err
	}
	if err := c.begin(ch.Version); err != nil {
		return err
	}
	if c.set == nil {
		c.decode(ch.Set)
	}
	if err := c.maskHiddenFields(); err != nil {
		return err
	}
	if err := c.refusal(); err != nil {
		return err
	}
	conditions, err := c.writable()
	if err != nil {
		return err
	}
	if err := c.fill(); err != nil {
		return err
	}
	c.wanted = sortedKeys(c.set)
	return c.around(&hook.Record{Create: c.create, InProcess: c.inProcess, Old: c.values(c.old), Set: c.set}, func() error { return c.write(conditions) })
}

// begin loads the old row and checks what needs no values yet.
func (c *change) begin(version *int64) error {
	if c.create {
		if !c.view.Can(c.m, "add") {
			return fault.New(fault.NoAddPermission)
		}
		if c.version = 1; c.row == nil {
			c.row = map[string]any{}
		}
		if c.id == "" { // pack data brings its own
			c.id = newID()
		}
		return nil
	}
	old, err := c.one(c.m, c.id, c.view.Rows(c.m))
	if err != nil {
		return err
	}
	if old == nil {
		return fault.New(fault.RecordNotFound)
	}
	if err := c.sealed(old); err != nil {
		return err
	}
	if !c.view.Can(c.m, c.action()) {
		return fault.New(fault.Forbidden)
	}
	if ok, err := c.holds(c.m, c.id, c.view.EditRows(c.m, c.action())); err != nil || !ok {
		return orFault(err, fault.Forbidden)
	}
	have, _ := old[catalog.Version].(int64)
	if have != *version {
		if ok, err := c.onlyDerived(*version, have); err != nil || !ok {
			return orStale(err, c.stale(old, *version))
		}
	}
	c.old, c.row, c.version = old, clone(old), have
	return c.held()
}

// write runs between the before-hooks and the after-hooks.
func (c *change) write(conditions []condition) error {
	if err := c.takeHooks(); err != nil {
		return err
	}
	if err := c.loadSheets(); err != nil {
		return err
	}
	if err := c.refusal(); err != nil { // rows that are not the record's
		return err
	}
	if err := c.unseal(); err != nil {
		return err
	}
	if err := c.computeHeld(); err != nil {
		return err
	}
	if err := c.validate(); err != nil {
		return err
	}
	if err := c.refusal(); err != nil {
		return err
	}
	if c.unchanged() {
		return nil
	}
	if err := c.store(); err != nil {
		return err
	}
	c.forget(c.m, c.id)
	if err := c.allowed(conditions); err != nil {
		return err
	}
	if err := c.tellSeal(); err != nil {
		return err
	}
	return c.derive(c.m, c.id, c.old, c.row)
}

// computeHeld computes what is stored: what it reads stays as it is until the commit.
func (c *change) computeHeld() error {
	if err := c.lockDependents(); err != nil {
		return err
	}
	c.saving = true
	defer func() { c.saving = false }()
	return c.compute()
}

// onlyDerived reports whether all writes between two versions changed nothing but computed values: nobody's input would be lost.
func (s *change) onlyDerived(seen, have int64) (bool, error) {
	if have < seen {
		return false, nil
	}
	if err := s.storeWaiting(); err != nil {
		return false, err
	}
	var by []Kind
	err := s.tx.System().Model(&History{}).Where(s.tx.Called("model", names.Model, s.m.Code)).Where("record = ? AND version > ?", s.id, seen).Pluck("kind", &by).Error
	return int64(len(by)) == have-seen && !slices.ContainsFunc(by, func(k Kind) bool { return k != Derived }), err
}

// store writes the row and its sub-tables.
func (c *change) store() error {
	now := c.now
	if c.create {
		row := clone(c.row)
		row[catalog.ID] = c.id
		if err := c.tx.Insert(c.ctx, c.m, row); err != nil {
			return err
		}
		c.nested.made[c.m.Code+" "+c.id] = true
	} else {
		seen := c.version
		c.version++
		c.putSystem(catalog.Version, c.version)
		c.putSystem(catalog.Modifier, orNil(c.view.Principal().UserID))
		c.putSystem(catalog.ModifiedTime, now)
		set := changed(c.old, c.row)
		if words, ok := c.row[namePinyin]; ok {
			set[namePinyin] = words // also when it became empty: the old one was not read
		}
		n, err := c.tx.Update(c.ctx, c.m, c.id, seen, c.view.EditRows(c.m, c.action()), set)
		if err != nil {
			return err
		}
		if n == 0 { // somebody else was faster
			current, err := c.one(c.m, c.id, c.view.Rows(c.m))
			if err != nil || current == nil {
				return orFault(err, fault.RecordNotFound)
			}
			have, _ := current[catalog.Version].(int64)
			if ok, err := c.onlyDerived(seen, have); err != nil || ok {
				return errors.Join(err, store.ErrConflict)
			}
			return c.stale(current, seen)
		}
	}
	rows, err := c.storeSheets()
	if err != nil {
		return err
	}
	if err := c.holdFiles(); err != nil {
		return err
	}
	c.note(c.m, c.id, c.version, kindOf(c.create), Changes{Fields: differences(c.m, c.old, c.row), Rows: rows, Remark: c.remark})
	return nil
}

// unchanged: nothing is written and the version stays.
func (c *change) unchanged() bool {
	if c.create {
		return false
	}
	for _, s := range c.sheets {
		if s.changed() {
			return false
		}
	}
	return len(changed(c.old, c.row)) == 0
}

func (c *change) putSystem(code string, v any) {
	if f := c.m.Field(code); f != nil && f.System {
		put(c.row, f, v)
	}
}

func orStale(err, stale error) error {
	if err != nil {
		return err
	}
	return stale
}

func orFault(err error, code fault.Code) error { return orStale(err, fault.New(code)) }
