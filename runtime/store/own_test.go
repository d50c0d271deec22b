package store_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// shelf is a table of the engine in its first version.
type shelf struct {
	Code  string `gorm:"primaryKey;size:36"`
	Label string `gorm:"not null;size:80"`
	Kind  string `gorm:"size:20;index:sl_shelf_kind"`
}

func (shelf) TableName() string { return "sl_shelf" }

// shelfAdded adds to it what nobody has to look at.
type shelfAdded struct {
	Code  string  `gorm:"primaryKey;size:36"`
	Label string  `gorm:"not null;size:80;index:sl_shelf_label"`
	Kind  string  `gorm:"size:40;index:sl_shelf_kind"`
	Room  *string `gorm:"size:40"`
}

func (shelfAdded) TableName() string { return "sl_shelf" }

// shelfNarrow takes some of it back.
type shelfNarrow struct {
	Code  string `gorm:"primaryKey;size:36"`
	Label string `gorm:"not null;size:5"`
	Kind  string `gorm:"not null;size:40;index:sl_shelf_kind"`
	Room  *int64 `gorm:"uniqueIndex:sl_shelf_room"`
}

func (shelfNarrow) TableName() string { return "sl_shelf" }

// shelfEmptied names less than there is, and another default.
type shelfEmptied struct {
	Code  string `gorm:"primaryKey;size:36"`
	Kind  string `gorm:"size:20;default:none"`
	Owner string `gorm:"not null;size:36;default:''"`
}

func (shelfEmptied) TableName() string { return "sl_shelf" }

// shelfRequired adds what must not be empty, and says no default.
type shelfRequired struct {
	Code  string `gorm:"primaryKey;size:36"`
	Label string `gorm:"not null;size:80"`
	Kind  string `gorm:"size:20;index:sl_shelf_kind"`
	Owner string `gorm:"not null;size:36;index:sl_shelf_owner"`
	Place int    `gorm:"not null"`
	Shut  bool   `gorm:"not null"`
}

func (shelfRequired) TableName() string { return "sl_shelf" }

// shelfDated adds a time that must not be empty: rows that are there have none.
type shelfDated struct {
	Code  string    `gorm:"primaryKey;size:36"`
	Label string    `gorm:"not null;size:80"`
	Kind  string    `gorm:"size:20;index:sl_shelf_kind"`
	Owner string    `gorm:"not null;size:36;index:sl_shelf_owner"`
	Place int       `gorm:"not null"`
	Shut  bool      `gorm:"not null"`
	At    time.Time `gorm:"not null"`
}

func (shelfDated) TableName() string { return "sl_shelf" }

// ofModel is a table of a model with the same columns and indexes.
func ofModel(room plan.Kind, label, kind int, change func(*plan.Table)) plan.Storage {
	t := table("shelf", plan.Column{Name: "label", Property: "label", Kind: plan.Text, Required: true, MaxLength: label},
		plan.Column{Name: "kind", Property: "kind", Kind: plan.Text, MaxLength: kind})
	if room != plan.None {
		t.Columns = append(t.Columns, plan.Column{Name: "room", Property: "room", Kind: room})
		if room == plan.Text {
			t.Columns[2].MaxLength = 40
		}
	}
	t.Indexes = []plan.Index{{Columns: []string{"kind"}}}
	change(&t)
	return storage(t)
}

// alike are steps without the table that they are of.
func alike(steps []string) []string {
	for i := range steps {
		steps[i] = strings.NewReplacer("sl_shelf", "T", "d_shelf", "T").Replace(steps[i])
	}
	return steps
}

func openShelf(t *testing.T, o store.Options, model any, hold bool) (*store.DB, error) {
	t.Helper()
	o.System, o.Hold = []any{model}, hold
	return store.Open(t.Context(), o)
}

// ownSteps plans the steps of the engine's tables and closes the database again.
func ownSteps(t *testing.T, o store.Options, model any) []string {
	t.Helper()
	db, err := openShelf(t, o, model, true)
	require.NoError(t, err)
	defer db.Close()
	return short(planned(t, db))
}

// planned is the plan without a change of models.
func planned(t *testing.T, db *store.DB) *store.Plan {
	t.Helper()
	have, _, err := db.Schema(t.Context())
	require.NoError(t, err)
	p, err := db.Plan(t.Context(), have, store.PlanOptions{})
	require.NoError(t, err)
	return p
}

// withShelves makes the first version, with rows, and a model of the same form.
func withShelves(t *testing.T, o store.Options) {
	t.Helper()
	db, err := openShelf(t, o, &shelf{}, false)
	require.NoError(t, err)
	defer db.Close()
	apply(t, db, ofModel(plan.None, 80, 20, func(*plan.Table) {}))
	require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.System().Create([]shelf{{Code: "a", Label: "upper shelf", Kind: "x"}, {Code: "b", Label: "low", Kind: "x"}}).Error
	}))
	for i, label := range []string{"upper shelf", "low"} {
		run(t, db, `INSERT INTO d_shelf (id, label, kind) VALUES (?, ?, 'x')`, named(fmt.Sprint("s", i)), label)
	}
}

// TestOwnTablesAreChangedByPlans: what structs add is done by the steps, and of the classes, that a model's change has.
func TestOwnTablesAreChangedByPlans(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		withShelves(t, o)
		require.Empty(t, ownSteps(t, o, &shelf{}))

		steps := ownSteps(t, o, &shelfAdded{})
		require.Equal(t, []string{"safe widen sl_shelf.kind 0 maxLength 40", "safe add-column sl_shelf.room 0", "safe add-index sl_shelf.label 0"}, steps)
		require.Equal(t, steps, ownSteps(t, o, &shelfAdded{}), "to plan changes nothing")

		var log bytes.Buffer
		o.Log = slog.New(slog.NewTextHandler(&log, nil))
		db, err := openShelf(t, o, &shelfAdded{}, false)
		require.NoError(t, err)
		require.Contains(t, log.String(), `class=safe table=sl_shelf change="add room to sl_shelf"`)
		model, err := db.Plan(t.Context(), ofModel(plan.Text, 80, 40, func(m *plan.Table) {
			m.Indexes = append(m.Indexes, plan.Index{Columns: []string{"label"}})
		}), store.PlanOptions{})
		require.NoError(t, err)
		require.Equal(t, alike(short(model)), alike(steps))

		pending, err := db.Pending(t.Context())
		require.NoError(t, err)
		require.Equal(t, []store.PendingIndex{{Table: "sl_shelf", Columns: []string{"label"}}}, pending, "built beside requests")
		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.EqualValues(t, 1, ask[int64](t, db, map[string]string{"sqlite": `SELECT count(*) FROM sqlite_schema WHERE name = 'sl_shelf_label'`,
			"postgres": `SELECT count(*) FROM pg_indexes WHERE indexname = 'sl_shelf_label' AND indexdef LIKE '%(label)'`}[db.Dialect()]))
		room := "cellar"
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Create(&shelfAdded{Code: "c", Room: &room}).Error
		}))
		require.NoError(t, db.Close())

		require.Empty(t, ownSteps(t, o, &shelf{}), "an earlier version works on beside a later one")
		db, err = openShelf(t, o, &shelf{}, false)
		require.NoError(t, err)
		require.Equal(t, "upper shelf,low,", list(t, db, `SELECT label FROM sl_shelf ORDER BY code`))
		run(t, db, `UPDATE sl_schema SET plan = 'unreadable' WHERE id = 2`)
		require.NoError(t, db.Close())
		require.Empty(t, ownSteps(t, o, &shelfAdded{}), "a start that finds its digest looks no further")
	})
}

// TestOwnTablesThatNeedAPerson: what may lose data stops the start, is applied when it is confirmed, and is refused where it would cut
// values.
func TestOwnTablesThatNeedAPerson(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		withShelves(t, o)
		db, err := openShelf(t, o, &shelfAdded{}, false)
		require.NoError(t, err)
		apply(t, db, ofModel(plan.Text, 80, 40, func(m *plan.Table) { m.Indexes = append(m.Indexes, plan.Index{Columns: []string{"label"}}) }))
		run(t, db, `UPDATE sl_shelf SET room = 'r', kind = CASE code WHEN 'a' THEN NULL ELSE kind END`)
		run(t, db, `UPDATE d_shelf SET room = 'r', kind = CASE label WHEN 'low' THEN kind END`)
		require.NoError(t, db.Close())

		var stopped *store.UnconfirmedError
		_, err = openShelf(t, o, &shelfNarrow{}, false)
		require.ErrorAs(t, err, &stopped)
		require.ErrorContains(t, err, "narrow label of sl_shelf: maxLength 80 → 5; 1 record is outside")

		db, err = openShelf(t, o, &shelfNarrow{}, true)
		require.NoError(t, err)
		p := planned(t, db)
		require.Equal(t, []string{"needs-confirmation narrow sl_shelf.label 1 maxLength 5", "needs-confirmation required sl_shelf.kind 1", "destructive retype sl_shelf.room 2 int"}, short(p))
		require.Equal(t, store.Destructive, p.Class())
		model, err := db.Plan(t.Context(), ofModel(plan.Int, 5, 40, func(m *plan.Table) {
			m.Columns[1].Required = true
			m.Unique, m.Indexes = []plan.Index{{Columns: []string{"room"}}}, append(m.Indexes, plan.Index{Columns: []string{"label"}})
		}), store.PlanOptions{})
		require.NoError(t, err)
		require.Equal(t, alike(short(p)), alike(short(model))[3:], "those of the engine stand first")

		require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{}), store.ErrConfirm)
		require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{Yes: true}), store.ErrDestructive)
		require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true}), store.ErrTooLong)
		run(t, db, `UPDATE sl_shelf SET label = 'upper' WHERE code = 'a'`)
		require.ErrorIs(t, db.Apply(t.Context(), p, store.ApplyOptions{AllowDestructive: true}), store.ErrNoValue)
		run(t, db, `UPDATE sl_shelf SET kind = 'y' WHERE code = 'a'`)
		require.NoError(t, db.Apply(t.Context(), planned(t, db), store.ApplyOptions{AllowDestructive: true}))
		require.Empty(t, planned(t, db).Steps)
		require.NoError(t, db.Close())

		require.Equal(t, []string{"safe widen sl_shelf.label 0 maxLength 80", "safe optional sl_shelf.kind 0", "destructive retype sl_shelf.room 0 text"},
			ownSteps(t, o, &shelfAdded{}), "a version whose tables these no longer are learns of it")
		db, err = openShelf(t, o, &shelfNarrow{}, false)
		require.NoError(t, err)
		require.Equal(t, "upper y,low x", list(t, db, `SELECT label || ' ' || kind FROM sl_shelf ORDER BY code`))
		require.Error(t, try(t, db, `INSERT INTO sl_shelf (code, label, kind, room) VALUES ('d', 'l', 'k', 7), ('e', 'l', 'k', 7)`), "unique")
		require.Error(t, try(t, db, `INSERT INTO sl_shelf (code, label) VALUES ('f', 'l')`), "not null")
		require.NoError(t, db.Close())
	})
}

// TestOwnTablesKeepWhatNoStructNames: columns and indexes of another version stay, and rows can be written without them.
func TestOwnTablesKeepWhatNoStructNames(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		withShelves(t, o)
		require.Equal(t, []string{"safe default sl_shelf.kind 0 'none'", "safe add-column sl_shelf.owner 0", "safe optional sl_shelf.label 0"}, ownSteps(t, o, &shelfEmptied{}), "no step drops anything")
		db, err := openShelf(t, o, &shelfEmptied{}, false)
		require.NoError(t, err)
		require.NoError(t, db.EnsureIndexes(t.Context()))
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Create(&shelfEmptied{Code: "c"}).Error }))
		require.Equal(t, "upper shelf x ,low x ,- none ", list(t, db, `SELECT coalesce(label, '-') || ' ' || kind || ' ' || owner FROM sl_shelf ORDER BY code`))
		require.EqualValues(t, 1, ask[int64](t, db, map[string]string{"sqlite": `SELECT count(*) FROM sqlite_schema WHERE name = 'sl_shelf_kind'`,
			"postgres": `SELECT count(*) FROM pg_indexes WHERE indexname = 'sl_shelf_kind'`}[db.Dialect()]))
		require.NoError(t, db.Close())
	})
}

// TestOwnTablesGetRequiredColumns: rows of an earlier version have in a new column what its struct has before anything is written into it. A required
// time has no such value, and needs a person.
func TestOwnTablesGetRequiredColumns(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		withShelves(t, o)
		require.Equal(t, []string{"safe add-column sl_shelf.owner 0", "safe add-column sl_shelf.place 0", "safe add-column sl_shelf.shut 0"}, ownSteps(t, o, &shelfRequired{}))
		db, err := openShelf(t, o, &shelfRequired{}, false)
		require.NoError(t, err)
		var rows []shelfRequired
		require.NoError(t, db.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			if err := tx.System().Create(&shelfRequired{Code: "c", Owner: "li", Place: 3, Shut: true}).Error; err != nil {
				return err
			}
			return tx.System().Order("code").Find(&rows).Error
		}))
		require.Equal(t, []shelfRequired{{Code: "a", Label: "upper shelf", Kind: "x"}, {Code: "b", Label: "low", Kind: "x"}, {Code: "c", Owner: "li", Place: 3, Shut: true}}, rows)
		require.Error(t, try(t, db, `UPDATE sl_shelf SET owner = NULL`))
		require.NoError(t, db.Close())
		require.Equal(t, []string{"needs-confirmation add-column sl_shelf.at 3"}, ownSteps(t, o, &shelfDated{}), "the columns of before keep what they have")
	})
}

// TestOwnTablesOfNodesThatStartTogether: several processes that find the same to do do it once.
func TestOwnTablesOfNodesThatStartTogether(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		for _, model := range []any{&shelf{}, &shelfAdded{}} {
			var all sync.WaitGroup
			var mu sync.Mutex
			var log bytes.Buffer
			o.Log = slog.New(slog.NewTextHandler(&locked{&mu, &log}, nil))
			for range 4 {
				all.Go(func() {
					db, err := openShelf(t, o, model, false)
					if err == nil {
						err = db.Close()
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			require.LessOrEqual(t, strings.Count(log.String(), "add room"), 1)
		}
		require.Empty(t, ownSteps(t, o, &shelfAdded{}))
	})
}

// locked is a writer for several.
type locked struct {
	mu *sync.Mutex
	to *bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}

// TestFirstContact: of several processes that open a folder at once none is refused, whichever makes the file.
func TestFirstContact(t *testing.T) {
	for range 100 {
		o := store.Options{Dir: t.TempDir()}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				db, err := store.Open(t.Context(), o)
				if err == nil {
					err = db.Close()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

// TestLook: what another process has written to a file is known at once to who looks.
func TestLook(t *testing.T) {
	o := store.Options{Dir: t.TempDir()}
	one := storetest.Open(t, o)
	apply(t, one, base())
	fill(t, one)
	two := storetest.Open(t, o)
	require.NoError(t, one.Look(t.Context()))
	for range 20 {
		before := one.Versions("d_lot")
		run(t, two, `UPDATE d_lot SET part = part || '1'`)
		require.NoError(t, one.Look(t.Context()))
		require.Greater(t, one.Versions("d_lot"), before)
	}
}
