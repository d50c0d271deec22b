package record

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/store"
)

// dataSpace is the namespace of the ids of pack data.
var dataSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("sluice:data"))

// DataID is the id of a row that a pack brings: the same in every installation. It is made of what pack and model were called first.
func DataID(log *names.Log, pack, model string, key ...string) string {
	first := func(k names.Kind, code string) string {
		was := log.Called(k, code)
		return was[len(was)-1].Code
	}
	pack, model = first(names.Pack, pack), first(names.Model, model)
	return uuid.NewSHA1(dataSpace, []byte(strings.ToLower(pack+"\x00"+model)+"\x00"+strings.Join(key, "\x00"))).String()
}

const (
	roleModel = "role"
	rolePack  = "access" // stands for the access documents in the ids of their roles
)

// LoadData writes the rows that packs bring, once per key where missing, and a role record for every access document. Each
// file is one transaction, so that what one brings (places, people) is there for the next; a file that has not changed since
// it was written is passed over.
func (w *Writer) LoadData(ctx context.Context, view *authz.View) error {
	sets := dataOf(view.Catalog)
	due, err := w.due(ctx, sets)
	if err != nil || len(due) == 0 {
		return err
	}
	sets = targetsFirst(sets)
	order := make(map[*catalog.Data]int, len(sets))
	for i, d := range sets {
		order[d] = i
	}
	slices.SortFunc(due, func(a, b dueData) int { return order[a.Data] - order[b.Data] })
	ids := map[string]map[string]string{}
	declare(w.db.NameLog(), ids, sets)
	for _, d := range due {
		err := w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			l := &loader{session: w.session(ctx, tx, view), ids: ids}
			if err := l.load(d.Data); err != nil {
				return err
			}
			if err := l.flush(); err != nil {
				return err
			}
			row := Meta{Key: d.key, Value: d.digest}
			return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
		})
		if err != nil {
			return fmt.Errorf("%s: %w", d.File, err)
		}
		if w.written != nil {
			if err := w.written(ctx, d.Model); err != nil {
				return err
			}
		}
	}
	return nil
}

// AfterData is called after the rows of a file were written: what is kept in memory of its model has to be there for the next, however long
// that takes.
func (w *Writer) AfterData(f func(ctx context.Context, m *catalog.Model) error) { w.written = f }

// dueData is a file whose rows are not known to be written.
type dueData struct {
	*catalog.Data
	key, digest string
}

// dataOf are the rows of all packs, and the roles.
func dataOf(c *catalog.Catalog) []*catalog.Data {
	var out []*catalog.Data
	if m := c.Model(roleModel); m != nil {
		d := &catalog.Data{Model: m, Key: []string{"code"}, Pack: rolePack, File: rolePack}
		for _, r := range c.Roles {
			d.Rows = append(d.Rows, map[string]any{"code": r.Code, "name": r.Label.Zh})
		}
		out = append(out, d)
	}
	for _, p := range c.Packs {
		for i := range p.Data {
			out = append(out, &p.Data[i])
		}
	}
	return out
}

// targetsFirst puts the rows of a model behind those of the models that they refer to; in a ring the order of files is kept. Relations
// that no row fills count for nothing: a department names its leader, and people their departments.
func targetsFirst(in []*catalog.Data) []*catalog.Data {
	of := map[*catalog.Model][]*catalog.Data{}
	filled := map[*catalog.Model]map[string]bool{}
	for _, d := range in {
		of[d.Model] = append(of[d.Model], d)
		if filled[d.Model] == nil {
			filled[d.Model] = map[string]bool{}
		}
		for _, row := range d.Rows {
			for code := range row {
				filled[d.Model][code] = true
			}
		}
	}
	var out []*catalog.Data
	seen := map[*catalog.Model]bool{}
	var visit func(m *catalog.Model)
	visit = func(m *catalog.Model) {
		if seen[m] {
			return
		}
		seen[m] = true
		for _, part := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range part.Fields {
				if f.Target != nil && !f.System && (part != m || filled[m][f.Code]) {
					visit(f.Target)
				}
			}
		}
		out = append(out, of[m]...)
	}
	for _, d := range in {
		visit(d.Model)
	}
	return out
}

// due are the files whose rows are not known to be written.
func (w *Writer) due(ctx context.Context, sets []*catalog.Data) ([]dueData, error) {
	var kept []Meta
	if err := w.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("key LIKE ?", dataMeta+"%").Find(&kept).Error
	}); err != nil {
		return nil, err
	}
	have := make(map[string]string, len(kept))
	for _, m := range kept {
		have[m.Key] = m.Value
	}
	digests, err := w.digests(sets)
	if err != nil {
		return nil, err
	}
	var out []dueData
	for i, d := range sets {
		if due := (dueData{d, dataMeta + d.Pack + "/" + d.Model.Code, digests[i]}); have[due.key] != due.digest {
			out = append(out, due)
		}
	}
	return out, nil
}

// dataMeta begins the keys under which it is kept what was written.
const dataMeta = "data:"

// digests name the rows of files. Those of files that were not read again since the last call are known: compilation keeps their rows.
func (w *Writer) digests(sets []*catalog.Data) ([]string, error) {
	w.digesting.Lock()
	defer w.digesting.Unlock()
	out, known := make([]string, len(sets)), make(map[*map[string]any]string, len(sets))
	for i, d := range sets {
		if len(d.Rows) > 0 {
			out[i] = w.digested[&d.Rows[0]]
		}
		if out[i] == "" {
			text, err := json.Marshal([]any{d.Key, d.Rows})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", d.File, err)
			}
			out[i] = hash(string(text))
		}
		if len(d.Rows) > 0 {
			known[&d.Rows[0]] = out[i]
		}
	}
	w.digested = known
	return out, nil
}

// loader writes data in one session.
type loader struct {
	*session
	ids map[string]map[string]string // model -> key -> id of rows that packs bring
}

// declare notes the ids of all rows, so that relations find them whatever the order of files.
func declare(log *names.Log, ids map[string]map[string]string, sets []*catalog.Data) {
	for _, d := range sets {
		if ids[d.Model.Code] == nil {
			ids[d.Model.Code] = map[string]string{}
		}
		for _, row := range d.Rows {
			key := keyOf(d, row)
			ids[d.Model.Code][joined(key)] = DataID(log, d.Pack, d.Model.Code, key...)
		}
	}
}

func joined(key []string) string { return strings.Join(key, "\x00") }

func keyOf(d *catalog.Data, row map[string]any) []string {
	out := make([]string, len(d.Key))
	for i, k := range d.Key {
		out[i] = fmt.Sprint(row[k])
	}
	return out
}

// load writes the missing rows of one file, rows that others of the file refer to first.
func (l *loader) load(d *catalog.Data) error {
	m := d.Model
	have, err := l.present(d)
	if err != nil {
		return err
	}
	var missing []map[string]any
	byKey := map[string]map[string]any{}
	for _, row := range d.Rows {
		key := joined(keyOf(d, row))
		if id := l.ids[m.Code][key]; have[key] == "" && have[id] == "" {
			missing = append(missing, row)
			byKey[key] = row
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if err := l.reserve(m, int64(len(missing))); err != nil {
		return err
	}
	// The rows are as old as their order in the file says, whatever order references need: lists show them so.
	created, last := map[string]time.Time{}, l.now
	for i, row := range d.Rows {
		created[joined(keyOf(d, row))] = last.Add(time.Duration(i+1-len(d.Rows)) * time.Millisecond)
	}
	defer func() { l.now = last }()
	done := map[string]bool{}
	var write func(row map[string]any) error
	write = func(row map[string]any) error {
		key := joined(keyOf(d, row))
		if done[key] {
			return nil
		}
		done[key] = true
		for _, f := range m.Fields {
			if to, ok := row[f.Code].(string); ok && f.Target == m && !done[to] && byKey[to] != nil {
				if err := write(byKey[to]); err != nil {
					return err
				}
			}
		}
		l.now = created[key]
		if err := l.write(d, row); err != nil {
			return fmt.Errorf("%s: %w", strings.ReplaceAll(key, "\x00", ", "), err)
		}
		return nil
	}
	for _, row := range missing {
		if err := write(row); err != nil {
			return err
		}
	}
	return nil
}

// present lists the rows of the model that exist, by key and by id. A row of the same key that somebody made counts, and
// relations lead to it.
func (l *loader) present(d *catalog.Data) (map[string]string, error) {
	m := d.Model
	q := &plan.Query{Model: m.Code, Where: plan.True, Select: []plan.Expr{idField}}
	for _, k := range d.Key {
		f := m.Field(k)
		if f == nil || len(f.Property.Columns()) == 0 {
			return nil, fmt.Errorf("key %q is no stored property of %s", k, m.Code)
		}
		q.Select = append(q.Select, f.Column())
	}
	out := map[string]string{}
	err := l.tx.Query(l.ctx, l.view.Catalog, q, func(row []any) error {
		id, _ := row[0].(string)
		key := make([]string, len(d.Key))
		for i := range key {
			key[i] = expression.Text(row[i+1])
		}
		out[joined(key)], out[id] = id, id
		l.ids[m.Code][joined(key)] = id
		l.know(m.Code, id)
		return nil
	})
	return out, err
}

// write puts one row through the write path.
func (l *loader) write(d *catalog.Data, row map[string]any) error {
	key := keyOf(d, row)
	id := l.ids[d.Model.Code][joined(key)]
	set := make(map[string]json.RawMessage, len(row))
	for code, v := range row {
		f := d.Model.Field(code)
		if f != nil && f.Target != nil {
			v = l.resolve(f, v)
		}
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		set[code] = text
	}
	c := &change{session: l.session, m: d.Model, create: true, id: id}
	if err := c.run(Change{Model: d.Model.Code, Set: set}); err != nil {
		return err
	}
	l.know(d.Model.Code, id)
	return nil
}

// resolve turns the key of a relation's target into its id. What is not a known key stays and is refused as a reference,
// unless it is an id.
func (l *loader) resolve(f *catalog.Field, v any) any {
	find := func(key any) any {
		text, ok := key.(string)
		if !ok {
			return key
		}
		if id := l.ids[f.Target.Code][text]; id != "" {
			return id
		}
		if id, err := l.byKey(f.Target, text); err == nil && id != "" {
			return id
		}
		return key
	}
	if list, ok := v.([]any); ok {
		out := slices.Clone(list)
		for i := range out {
			out[i] = find(out[i])
		}
		return out
	}
	return find(v)
}

// byKey finds a record that no pack brought, by the first property of its model that is unique.
func (l *loader) byKey(m *catalog.Model, key string) (string, error) {
	for _, f := range m.Fields {
		if cols := f.Property.Columns(); f.System || !f.Unique || len(cols) == 0 || cols[0].Kind != plan.Text {
			continue
		}
		where := &plan.Compare{Op: plan.EQ, A: f.Column(), B: &plan.Const{K: plan.Text, Value: key}}
		rows, err := l.session.load(m, where)
		if err != nil || len(rows) == 0 {
			return "", err
		}
		id, _ := rows[0][catalog.ID].(string)
		return id, nil
	}
	return "", nil
}
