package record

import (
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/store"
)

// namePinyin is the engine's column beside name: what finder.Index makes of it, for searches.
const namePinyin = "name__pinyin"

// IndexingNames is the kind of store.Work that writes how names are found.
const IndexingNames = "names"

// namesKey marks a database whose indexes of names are as namesVersion makes them.
const namesKey, namesVersion = "names", "2"

// IndexNames brings what names are found by to what this program writes: a database from before it knew all readings of characters has one
// of each. It works beside requests, in short transactions, and may be stopped at any point; it then begins again and passes over what is
// right. Until it is done, a name is found as it was before.
func (w *Writer) IndexNames(ctx context.Context, view *authz.View) error {
	var have Meta
	err := w.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("key = ?", namesKey).Limit(1).Find(&have).Error
	})
	if err != nil || have.Value == namesVersion {
		return err
	}
	for _, m := range view.Models {
		if m.Field(catalog.Name) == nil {
			continue
		}
		if err := w.indexNamesOf(ctx, view, m); err != nil {
			return fmt.Errorf("index the names of %s: %w", m.Code, err)
		}
	}
	if err := w.indexDeleted(ctx); err != nil {
		return fmt.Errorf("index the names of deleted records: %w", err)
	}
	return w.db.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&Meta{Key: namesKey, Value: namesVersion}).Error
	})
}

func (w *Writer) indexNamesOf(ctx context.Context, view *authz.View, m *catalog.Model) error {
	var total int64
	err := w.db.Read(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		total, err = tx.Count(ctx, view.Catalog, &plan.Query{Model: m.Code})
		return err
	})
	if err != nil || total == 0 {
		return err
	}
	return w.db.Work(ctx, IndexingNames, m.Code, total, func(ctx context.Context, work *store.Work) error {
		for last, more := "", true; more; {
			n := 0
			err := work.Chunk(ctx, func(ctx context.Context, tx *store.Tx, rows int) (err error) {
				next := last
				if n, next, err = indexSome(ctx, tx, view.Catalog, m, last, rows); err == nil {
					last = next
				}
				return err
			})
			if err != nil {
				return err
			}
			work.Done(int64(n))
			more = n > 0
		}
		return nil
	})
}

// indexSome brings the next records behind one up to date, and tells how many it looked at and the last of them. Versions stay as they are:
// the record is the same.
func indexSome(ctx context.Context, tx *store.Tx, c *catalog.Catalog, m *catalog.Model, last string, most int) (n int, next string, err error) {
	name := m.Field(catalog.Name).Property.Columns()[0]
	version := &plan.Field{Column: catalog.Version, K: plan.Int}
	stale := map[string]string{}
	versions := map[string]int64{}
	q := &plan.Query{Model: m.Code, Where: behind(&catalog.Model{}, last), Order: []plan.Order{{By: idField}}, Limit: most,
		Select: []plan.Expr{idField, &plan.Field{Column: name.Name, K: name.Kind}, &plan.Field{Column: namePinyin, K: plan.Text}, version}}
	err = tx.Query(ctx, c, q, func(row []any) error {
		n++
		next, _ = row[0].(string)
		named, _ := row[1].(string)
		have, _ := row[2].(string)
		if want := finder.Index(named); want != have {
			stale[next] = want
			versions[next], _ = row[3].(int64)
		}
		return nil
	})
	if err != nil {
		return 0, last, err
	}
	for id, want := range stale {
		// One that was changed meanwhile has been indexed by that.
		if _, err := tx.Update(ctx, m, id, versions[id], plan.True, map[string]any{namePinyin: orNil(want), catalog.Version: versions[id]}); err != nil {
			return 0, last, err
		}
	}
	return n, next, nil
}

// indexDeleted does the same for records that can be brought back.
func (w *Writer) indexDeleted(ctx context.Context) error {
	const most = 200
	for last, more := (Recycled{}), true; more; {
		err := w.db.Write(store.Background(ctx), func(_ context.Context, tx *store.Tx) error {
			var rows []Recycled
			err := tx.System().Select("model", "record", "name", "search").Where("model > ? OR model = ? AND record > ?", last.Model, last.Model, last.Record).
				Order("model, record").Limit(most).Find(&rows).Error
			if more = len(rows) == most; err != nil || len(rows) == 0 {
				return err
			}
			for _, row := range rows {
				if want := searchedDeleted(row.Name); want != row.Search {
					of := tx.System().Model(&Recycled{}).Where("model = ? AND record = ?", row.Model, row.Record)
					if err := of.Update("search", want).Error; err != nil {
						return err
					}
				}
			}
			last = rows[len(rows)-1]
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// searchedDeleted is what a deleted record is searched by.
func searchedDeleted(name string) string {
	return expression.Fold(strings.TrimSpace(name + " " + finder.Index(name)))
}
