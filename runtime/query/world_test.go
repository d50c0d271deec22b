package query_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/shopspring/decimal"
	"golang.org/x/tools/txtar"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

var (
	now  = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	zone = time.FixedZone("CST", 8*3600)
)

// world is a database with the documents of testdata/world.txtar and a reader over it.
type world struct {
	*query.Reader
	t      *testing.T
	db     *store.DB
	c      *catalog.Catalog
	policy *authz.Policy
	people *directory.Directory
}

// compiled keeps the catalogs of files: they never change, as in the program.
var compiled sync.Map

// catalogOf compiles the embedded packs and the documents of a txtar file, once.
func catalogOf(t testing.TB, file string) *catalog.Catalog {
	t.Helper()
	return catalogIn(t, file, zone)
}

// catalogIn is catalogOf for an installation in a zone.
func catalogIn(t testing.TB, file string, zone *time.Location) *catalog.Catalog {
	t.Helper()
	key := file + " " + zone.String()
	if c, ok := compiled.Load(key); ok {
		return c.(*catalog.Catalog)
	}
	c := compileFile(t, file, zone)
	compiled.Store(key, c)
	return c
}

func compileFile(t testing.TB, file string, zone *time.Location) *catalog.Catalog {
	t.Helper()
	set := &pack.Set{}
	if err := base.Register(set); err != nil {
		t.Fatal(err)
	}
	set.Freeze()
	schemas, err := compile.Schemas(set)
	if err != nil {
		t.Fatal(err)
	}
	var packs []*def.Pack
	var found diag.List
	load := func(fsys fs.FS, path string) {
		p, list := compile.Load(fsys, path, compile.Kinds(set), schemas)
		packs, found = append(packs, p), append(found, list...)
	}
	for _, f := range set.Folders() {
		load(f.FS, f.Path)
	}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	load(files, "world")
	c, list := compile.Compile(set, packs, compile.Options{Zone: zone})
	for _, d := range append(found, list...) {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s %s", d.Position, d.Code, d.En)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
	return c
}

// each runs f with an empty world on both databases.
func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	c := catalogOf(t, "testdata/world.txtar")
	empty.Do(func() {
		template.Fill = func(ctx context.Context, o store.Options) error {
			db, err := store.Open(ctx, options(o))
			if err != nil {
				return err
			}
			return errors.Join(applied(ctx, db, c), db.Close())
		}
	})
	template.Each(t, func(t *testing.T, o store.Options) { f(t, newWorld(t, c, o)) })
}

// template is a database with the tables of world.txtar.
var (
	empty    sync.Once
	template storetest.Template
)

func options(o store.Options) store.Options {
	o.System, o.Clock = slices.Concat(o.System, record.Tables(), blob.Tables()), func() time.Time { return now }
	return o
}

func applied(ctx context.Context, db *store.DB, c *catalog.Catalog) error {
	p, err := db.Plan(ctx, c.Storage, store.PlanOptions{})
	if err != nil {
		return err
	}
	return db.Apply(ctx, p, store.ApplyOptions{})
}

func newWorld(t *testing.T, c *catalog.Catalog, o store.Options) *world {
	t.Helper()
	ctx := t.Context()
	db := storetest.Open(t, options(o))
	must(t, applied(ctx, db, c))
	people, err := directory.New(ctx, db, c)
	must(t, err)
	policy, err := authz.Compile(c)
	must(t, err)
	clock := func() time.Time { return now }
	return &world{t: t, db: db, c: c, policy: policy, people: people,
		Reader: query.New(db, people, directory.NewPlaces(db), zone, clock, []byte("a key of this installation"))}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// rights are those of a user with roles.
func (w *world) rights(user string, roles ...string) *authz.View {
	return w.policy.View(principal.Principal{UserID: id(user), Name: user, Roles: roles, Locale: "en"}, now, zone)
}

// values of a record by column.
type values map[string]any

// id makes a readable name an id; equal names are equal ids, in the order of the names' first letters.
func id(name string) string {
	hex := fmt.Sprintf("%x", name)
	return fmt.Sprintf("%.8s-0000-7000-8000-%.12s", hex+"00000000", fmt.Sprintf("%012x", len(name))+"")
}

// put adds records to a model: the name of each is its id.
func (w *world) put(model string, records map[string]values) {
	w.t.Helper()
	must(w.t, w.db.Write(w.t.Context(), func(_ context.Context, tx *store.Tx) error {
		for name, v := range records {
			row := values{"id": id(name), "name": name, "name__pinyin": finder.Index(name), "sequenceNo": name, "sequenceStatus": "COMPLETED",
				"createdTime": now, "modifiedTime": now, "version": int64(1), "owner": id("clerk")}
			sheets := w.row(w.c.Model(model), row, v)
			if err := tx.Insert(w.t.Context(), w.c.Model(model), row); err != nil {
				return fmt.Errorf("%s %s: %w", model, name, err)
			}
			if err := w.putRows(tx, model, name, sheets); err != nil {
				return err
			}
		}
		return nil
	}))
}

// row fills row with the values; those of sub-tables are returned.
func (w *world) row(m *catalog.Model, row, v values) map[string][]values {
	sheets := map[string][]values{}
	for column, x := range v {
		f := m.Field(column)
		switch x := x.(type) {
		case []values:
			sheets[column] = x
			continue
		case int:
			row[column] = decimal.NewFromInt(int64(x))
			continue
		case []string:
			if f.Target != nil {
				var ids []string
				for _, name := range x {
					ids = append(ids, id(name))
				}
				row[column] = ids
				continue
			}
		case string:
			if f != nil && f.Target != nil {
				row[column] = id(x)
				continue
			}
		}
		row[column] = x
	}
	return sheets
}

func (w *world) putRows(tx *store.Tx, model, name string, sheets map[string][]values) error {
	for code, rows := range sheets {
		m := w.c.Model(model + "." + code)
		for i, v := range rows {
			row := values{"id": id(fmt.Sprintf("%c%d%s", 'A'+i, i, name)), "parentId": id(name), "sortKey": int64(i)}
			w.row(m, row, v)
			if err := tx.Insert(w.t.Context(), m, row); err != nil {
				return fmt.Errorf("%s of %s: %w", code, name, err)
			}
		}
	}
	return nil
}

// organise adds two departments, one below the other, and three people.
func (w *world) organise() {
	w.t.Helper()
	w.put("department", map[string]values{"head": {"name": "总部"}})
	w.put("department", map[string]values{"branch": {"name": "分部", "parent": "head"}})
	w.put("user", map[string]values{"clerk": {"username": "clerk", "name": "张伟", "mobile": "111", "departments": []string{"branch"}, "mainDepartment": "branch"},
		"boss": {"username": "boss", "name": "李娜", "mobile": "222", "departments": []string{"head"}},
		"gone": {"username": "gone", "name": "王芳", "mobile": "333", "disabled": true}})
	must(w.t, w.people.Refresh(context.WithoutCancel(w.t.Context())))
}

// withLocale is the principal of a view in another language.
func withLocale(view *authz.View, locale string) principal.Principal {
	p := view.Principal()
	p.Locale = locale
	return p
}

func dec(n int64) decimal.Decimal { return decimal.NewFromInt(n) }
