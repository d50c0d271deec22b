package query

import (
	"context"
	"math"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// RecycleRequest asks for deleted records of a model whose name contains a text. Keep is how long they are kept.
type RecycleRequest struct {
	SchemaCode string        `json:"schemaCode"`
	SearchWord string        `json:"searchword"`
	Page       int           `json:"page"`
	Size       int           `json:"size"`
	Keep       time.Duration `json:"-"`
}

// RecyclePage is a page of deleted records, the last deleted first (api.yaml RecyclePage).
type RecyclePage struct {
	Content  []RecycleEntry `json:"content"`
	Total    int64          `json:"totalElements"`
	KeepDays int            `json:"keepDays"`
}

// RecycleEntry is a deleted record. What the principal may not read of it is null.
type RecycleEntry struct {
	ID       string  `json:"id"`
	Name     *string `json:"name"`
	UserName *string `json:"userName"` // who deleted it; null without the right to modifier
	Time     *string `json:"time"`     // when; null, like the days left, without the right to modifiedTime
	DaysLeft *int    `json:"daysLeft"`
}

const (
	recycleBatch = 500
	// recycleMost is how many deleted records of a model are looked at for a person who may see only some of them.
	recycleMost = 20_000
)

// Recycled answers the deleted records of a model that the principal could have seen and deleted.
func (r *Reader) Recycled(ctx context.Context, view *authz.View, req RecycleRequest) (*RecyclePage, error) {
	m, err := model(view, req.SchemaCode)
	if err != nil {
		return nil, err
	}
	if !view.Can(m, "delete") {
		return nil, fault.New(fault.Forbidden)
	}
	if req.Page < 0 || req.Size < 1 || req.Size > maxHistoryPage || req.Page > maxOffset/maxHistoryPage {
		return nil, fault.New(fault.PageOutOfRange)
	}
	out := &RecyclePage{Content: []RecycleEntry{}, KeepDays: days(req.Keep)}
	err = r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		b := &bin{r: r, tx: tx, view: view, m: m, req: req, judge: record.NewJudge(ctx, tx, view)}
		if b.everything() {
			return b.page(out)
		}
		return b.scan(out)
	})
	return out, err
}

// bin is the recycle bin of a model for one principal.
type bin struct {
	r  *Reader
	tx *store.Tx

	view  *authz.View
	m     *catalog.Model
	req   RecycleRequest
	judge *record.Judge
}

// everything reports whether no record has to be looked at one by one: not for the rows, and not for a name that is searched.
func (b *bin) everything() bool {
	named := b.req.SearchWord == ""
	if f := b.m.Field(catalog.Name); f != nil && !named {
		right, guard := b.view.Field(f)
		named = right != catalog.Hidden && plan.IsTrue(guard)
	}
	return named && plan.IsTrue(b.view.Rows(b.m)) && plan.IsTrue(b.view.EditRows(b.m, "delete"))
}

func (b *bin) page(out *RecyclePage) error {
	rows, total, err := record.RecycleBin(b.tx, b.m.Code, b.req.SearchWord, b.req.Page*b.req.Size, b.req.Size)
	if err != nil {
		return err
	}
	out.Total = total
	for _, row := range rows {
		st, err := row.State(b.tx, b.view.Catalog)
		if err != nil {
			return err
		}
		if err := b.add(out, row, st); err != nil {
			return err
		}
	}
	return nil
}

func (b *bin) scan(out *RecyclePage) error {
	from, to := int64(b.req.Page*b.req.Size), int64((b.req.Page+1)*b.req.Size)
	for skip := 0; skip < recycleMost; skip += recycleBatch {
		rows, _, err := record.RecycleBin(b.tx, b.m.Code, b.req.SearchWord, skip, recycleBatch)
		if err != nil {
			return err
		}
		for _, row := range rows {
			st, err := row.State(b.tx, b.view.Catalog)
			if err != nil {
				return err
			}
			if ok, err := b.finds(st); err != nil || !ok {
				if err != nil {
					return err
				}
				continue
			}
			if out.Total >= from && out.Total < to {
				if err := b.add(out, row, st); err != nil {
					return err
				}
			}
			out.Total++
		}
		if len(rows) < recycleBatch {
			return nil
		}
	}
	return nil
}

// finds reports whether the principal sees the record; when its name is searched, they must be able to read it.
func (b *bin) finds(st record.State) (bool, error) {
	if ok, err := b.judge.May(st); err != nil || !ok || b.req.SearchWord == "" {
		return ok, err
	}
	return b.judge.Shows(st, b.m.Field(catalog.Name))
}

func (b *bin) add(out *RecyclePage, row record.Recycled, st record.State) error {
	e := RecycleEntry{ID: row.Record}
	named, err := b.judge.Shows(st, b.m.Field(catalog.Name))
	if err != nil {
		return err
	}
	if named {
		e.Name = orNull(row.Name)
	}
	var s Snapshot
	if err := s.deleted(b.m, b.judge, st, row, b.req.Keep, b.r.clock()); err != nil {
		return err
	}
	e.UserName, e.Time, e.DaysLeft = s.UserName, s.Time, s.DaysLeft
	out.Content = append(out.Content, e)
	return nil
}

// deleted fills in who deleted a record, when, and how long it stays.
func (s *Snapshot) deleted(m *catalog.Model, judge *record.Judge, st record.State, row record.Recycled, keep time.Duration, now time.Time) error {
	sees := func(f *catalog.Field) (bool, error) { return judge.Shows(st, f) }
	if err := s.of(m, sees, false, row.At, row.UserName); err != nil || s.Time == nil {
		return err
	}
	left := max(days(row.At.Add(keep).Sub(now)), 0)
	s.DaysLeft = &left
	return nil
}

func days(d time.Duration) int { return int(math.Ceil(d.Hours() / 24)) }

// RecycledRequest asks for one deleted record in a form; SheetCode "" = the model's first.
type RecycledRequest struct {
	SchemaCode string        `json:"schemaCode"`
	SheetCode  string        `json:"sheetCode"`
	ID         string        `json:"id"`
	Keep       time.Duration `json:"-"`
}

// RecycledOne answers a deleted record as it was, with those of its fields that the principal may read.
func (r *Reader) RecycledOne(ctx context.Context, view *authz.View, req RecycledRequest) (*FormLoad, error) {
	m, err := model(view, req.SchemaCode)
	if err != nil {
		return nil, err
	}
	if !view.Can(m, "delete") {
		return nil, fault.New(fault.Forbidden)
	}
	form, err := formOf(view.Catalog, m, req.SheetCode)
	if err != nil {
		return nil, err
	}
	b := &formBuilder{graph: newGraph(view, m), view: view, form: form, action: "edit"}
	b.build()
	out := &FormLoad{Form: b.plan, Actions: []string{"restore", "purge"}, Snapshot: &Snapshot{Kind: "recycled"}}
	return out, r.read(ctx, func(ctx context.Context, tx *store.Tx) error {
		row, err := record.RecycledOne(tx, m.Code, req.ID)
		if err != nil {
			return err
		}
		st, err := row.State(tx, view.Catalog)
		if err != nil {
			return err
		}
		judge := record.NewJudge(ctx, tx, view)
		if ok, err := judge.May(st); err != nil || !ok {
			return orGone(err)
		}
		out.Snapshot.Version = st.Version()
		if err := out.Snapshot.deleted(m, judge, st, row, req.Keep, r.clock()); err != nil {
			return err
		}
		sees := func(f *catalog.Field) (bool, error) { return judge.Shows(st, f) }
		return r.draw(ctx, tx, view, b, st, sees, time.Time{}, out)
	})
}

func orGone(err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.RecycleGone)
}

// recycledFile lets those read a file who see a deleted record that holds it, and the field there.
func (r *Reader) recycledFile(ctx context.Context, tx *store.Tx, view *authz.View, id string) error {
	rows, err := record.RecycledFile(tx, id)
	if err != nil {
		return err
	}
	judge := record.NewJudge(ctx, tx, view)
	for _, row := range rows {
		if view.Model(row.Model) == nil {
			continue
		}
		st, err := row.State(tx, view.Catalog)
		if err != nil {
			return err
		}
		if may, err := judge.May(st); err != nil || !may {
			if err != nil {
				return err
			}
			continue
		}
		if seen, err := showsFile(judge, st, id); err != nil || seen {
			return err
		}
	}
	return fault.New(fault.FileNotFound)
}

func showsFile(judge *record.Judge, st record.State, id string) (bool, error) {
	look := func(f *catalog.Field, rows ...map[string]any) (bool, error) {
		if _, ok := f.Property.(property.FileTaker); !ok {
			return false, nil
		}
		for _, row := range rows {
			for _, ref := range f.Property.(property.Referrer).Refs(record.ValueOf(row, f)) {
				if ref.Model == "" && ref.ID == id {
					return judge.Shows(st, f)
				}
			}
		}
		return false, nil
	}
	for _, f := range st.Model.Fields {
		if f.Sheet == nil {
			if seen, err := look(f, st.Row); err != nil || seen {
				return seen, err
			}
			continue
		}
		if open, err := judge.Shows(st, f); err != nil || !open {
			if err != nil {
				return false, err
			}
			continue
		}
		for _, g := range f.Sheet.Fields {
			if seen, err := look(g, st.Sheets[f.Code]...); err != nil || seen {
				return seen, err
			}
		}
	}
	return false, nil
}
