package record

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// DefaultKeep is how long deleted records can be brought back when nobody says otherwise.
const DefaultKeep = 30 * 24 * time.Hour

// Recycled is a record that was deleted and can be brought back (ADR 18). It is kept apart from the living ones, so that no
// query has to leave it out.
type Recycled struct {
	Model    string    `gorm:"primaryKey;index:sl_recycle_at,priority:1"`
	Record   string    `gorm:"primaryKey;size:36"`
	At       time.Time `gorm:"not null;index:sl_recycle_at,priority:2;index:sl_recycle_age"`
	Name     string    `gorm:"not null"`
	Search   string    `gorm:"not null"` // the name folded, with its pinyin
	UserID   string    `gorm:"not null"` // who deleted it; "" = the system
	UserName string    `gorm:"not null"` // of the user then
	Files    string    `gorm:"not null"` // ids of the files that it holds, with spaces around each; "" = none
	Snapshot string    `gorm:"not null"`
	Epoch    int64     `gorm:"not null;default:0"` // of the codes in Snapshot; Model follows renames
}

// TableName is the system table.
func (Recycled) TableName() string { return "sl_recycle" }

// State is the record as it was when it was deleted, read with the definitions of today.
func (r Recycled) State(tx *store.Tx, c *catalog.Catalog) (State, error) {
	m := c.Model(r.Model)
	if m == nil {
		return State{}, fault.New(fault.ModelNotFound)
	}
	return decodeState(tx, m, r.Record, r.Snapshot, tx.NameLog().Since(r.Epoch, r.At))
}

// KeepDeleted says how long deleted records can be brought back; 0 = not at all. It is called before the first write.
func (w *Writer) KeepDeleted(d time.Duration) { w.keep = d }

// Keeps tells how long deleted records can be brought back.
func (w *Writer) Keeps() time.Duration { return w.keep }

// shelve keeps a record that was just deleted, in its transaction.
func (s *session) shelve(st State) error {
	if s.w.keep <= 0 {
		return s.release(st.files())
	}
	text, err := st.encode()
	if err != nil {
		return err
	}
	p := s.view.Principal()
	row := Recycled{Model: st.Model.Code, Record: st.ID, At: s.now, UserID: p.UserID, UserName: p.Name, Snapshot: text, Epoch: s.tx.Epoch()}
	if f := st.Model.Field(catalog.Name); f != nil && len(f.Property.Columns()) > 0 {
		row.Name, _ = st.Row[f.Property.Columns()[0].Name].(string)
		row.Search = searchedDeleted(row.Name)
	}
	if files := st.files(); len(files) > 0 {
		row.Files = " " + strings.Join(files, " ") + " "
	}
	return s.tx.System().Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
}

// like is the pattern of texts that contain a text; ! escapes.
func like(text string) string {
	return "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text) + "%"
}

// RecycleBin reads deleted records of a model whose name contains a text, the last deleted first, and their number.
func RecycleBin(tx *store.Tx, model, search string, skip, limit int) ([]Recycled, int64, error) {
	of := func() *gorm.DB {
		q := tx.System().Model(&Recycled{}).Where("model = ?", model)
		if search = strings.TrimSpace(search); search != "" {
			q = q.Where("search LIKE ? ESCAPE '!'", like(expression.Fold(search)))
		}
		return q
	}
	var rows []Recycled
	var total int64
	if err := of().Count(&total).Error; err != nil {
		return nil, 0, err
	}
	err := of().Order("at DESC, record DESC").Offset(skip).Limit(limit).Find(&rows).Error
	return rows, total, err
}

// RecycledOf are those of some records of a model that were deleted and can be restored.
func RecycledOf(tx *store.Tx, model string, ids []string) (rows []Recycled, err error) {
	err = tx.System().Where("model = ? AND record IN ?", model, ids).Find(&rows).Error
	return rows, err
}

// InRecycleBin returns those of some ids of a model that are in the recycle bin.
func InRecycleBin(tx *store.Tx, model string, ids []string) (out []string, err error) {
	err = tx.System().Model(&Recycled{}).Where("model = ? AND record IN ?", model, ids).Pluck("record", &out).Error
	return out, err
}

// RecycledFile are the deleted records that hold a file.
func RecycledFile(tx *store.Tx, file string) (rows []Recycled, err error) {
	err = tx.System().Where("files <> '' AND files LIKE ? ESCAPE '!'", like(" "+file+" ")).Limit(20).Find(&rows).Error
	return rows, err
}

// RecycledOne reads one deleted record; RecycleGone when it is not there, or not any more.
func RecycledOne(tx *store.Tx, model, id string) (Recycled, error) {
	var rows []Recycled
	if err := tx.System().Where("model = ? AND record = ?", model, id).Limit(1).Find(&rows).Error; err != nil {
		return Recycled{}, err
	}
	if len(rows) == 0 {
		return Recycled{}, fault.New(fault.RecycleGone)
	}
	return rows[0], nil
}

// takeOut removes a record from the bin and returns it, when the principal may see it there. Of two who come at once, one
// gets it and the other RecycleGone.
func (s *session) takeOut(m *catalog.Model, id string) (State, Recycled, error) {
	row, err := RecycledOne(s.tx, m.Code, id)
	if err != nil {
		return State{}, row, err
	}
	done := s.tx.System().Where("model = ? AND record = ? AND at = ?", m.Code, id, row.At).Delete(&Recycled{})
	if done.Error != nil {
		return State{}, row, done.Error
	}
	if done.RowsAffected == 0 {
		return State{}, row, fault.New(fault.RecycleGone)
	}
	st, err := row.State(s.tx, s.view.Catalog)
	if err != nil {
		return State{}, row, err
	}
	if ok, err := (&Judge{s: s}).May(st); err != nil || !ok {
		return State{}, row, orFault(err, fault.RecycleGone)
	}
	if ok, err := s.manages(m, st.Row); err != nil || !ok {
		return State{}, row, orFault(err, fault.FieldAbove)
	}
	return st, row, nil
}

// binned is a model whose deleted records the principal may look for.
func binned(view *authz.View, model string) (*catalog.Model, error) {
	m := view.Model(model)
	switch {
	case m == nil || m.Parent != nil || !view.Can(m, "view"):
		return nil, fault.New(fault.ModelNotFound, model)
	case !view.Can(m, "delete"):
		return nil, fault.New(fault.Forbidden)
	}
	return m, nil
}

// Purge permanently deletes a record that was deleted before; the files that nothing else holds go with it.
func (w *Writer) Purge(ctx context.Context, view *authz.View, model, id string) error {
	m, err := binned(view, model)
	if err != nil {
		return err
	}
	return w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		s := w.session(ctx, tx, view)
		_, row, err := s.takeOut(m, id)
		if err != nil {
			return err
		}
		return s.release(strings.Fields(row.Files)) // also those of properties that are gone
	})
}

// sweepBatch is how many deleted records one transaction of the sweep removes.
const sweepBatch = 100

// SweepRecycled permanently deletes what has been kept long enough, and returns how many records that were. Several nodes may
// sweep at once.
func (w *Writer) SweepRecycled(ctx context.Context, view *authz.View) (int, error) {
	gone := 0
	for {
		n := 0
		err := w.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			n = 0
			s := w.session(ctx, tx, view)
			var rows []Recycled
			if err := tx.System().Where("at <= ?", s.now.Add(-w.keep)).Order("at").Limit(sweepBatch).Find(&rows).Error; err != nil {
				return err
			}
			var files []string
			for _, row := range rows {
				done := tx.System().Where("model = ? AND record = ? AND at = ?", row.Model, row.Record, row.At).Delete(&Recycled{})
				if done.Error != nil {
					return done.Error
				}
				if done.RowsAffected > 0 {
					files = append(files, strings.Fields(row.Files)...)
				}
			}
			n = len(rows)
			return s.release(files)
		})
		if gone += n; err != nil || n < sweepBatch || ctx.Err() != nil {
			return gone, err
		}
	}
}

// release gives files that nothing holds any more to the sweep of orphans. Each is given free first and held again when
// somebody has it: someone who takes it meanwhile waits for this transaction, and holds it then.
func (s *session) release(files []string) error {
	for _, id := range files {
		if err := blob.Release(s.tx, id); err != nil {
			return err
		}
		held, err := s.holdsFile(id)
		if err != nil {
			return err
		}
		after := blob.Disown
		if held {
			after = blob.Keep
		}
		if err := after(s.tx, id); err != nil {
			return err
		}
	}
	return nil
}

// holdsFile reports whether a living record or another deleted one holds a file.
func (s *session) holdsFile(id string) (bool, error) {
	if in, err := RecycledFile(s.tx, id); err != nil || len(in) > 0 {
		return true, err
	}
	for _, m := range s.view.Models {
		for _, at := range append([]*catalog.Model{m}, m.Sheets...) {
			for _, f := range at.Fields {
				if _, ok := f.Property.(property.FileTaker); !ok || len(f.Property.Columns()) == 0 {
					continue
				}
				has := &plan.InSet{Op: plan.SetHas, F: f.Column(), G: &plan.Const{K: plan.Set, Value: []string{id}}}
				n, err := s.tx.Count(s.ctx, s.view.Catalog, &plan.Query{Model: at.Code, Where: has})
				if err != nil || n > 0 {
					return true, err
				}
			}
		}
	}
	return false, nil
}
