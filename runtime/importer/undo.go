package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Undo takes back what an import wrote, by a job: records that it added are deleted, those that it changed get their values from before.
// Records that somebody has changed since stay as they are and are listed.
func (s *Service) Undo(ctx context.Context, view *authz.View, id string) error {
	imp, err := s.idle(ctx, view.User(), id)
	if err != nil {
		return err
	}
	if imp.Phase == checking {
		return fault.New(fault.ImportNotFound)
	}
	if _, err := query.Offers(view, imp.Model, imp.List, Right); err != nil {
		return err
	}
	imp.Phase = undoing
	return s.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.System().Where("import_id = ? AND kind = ?", imp.ID, rowKept).Delete(&keptRow{}).Error; err != nil {
			return err
		}
		if err := s.enqueue(ctx, tx, view.Catalog, imp); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.ImportUndone, Actor: view.User(), Subject: imp.List, Detail: map[string]string{"file": imp.FileName}})
	})
}

// undone is how far an undo is.
type undone struct {
	Below  int64 `json:"below"` // sequence of the last record that was looked at; 0 = none yet
	Undone int64 `json:"undone"`
	Kept   int64 `json:"kept"`
	Before int64 `json:"before"` // that earlier undos of this import took back
	Total  int64 `json:"total"`
}

// workUndo is the job of an undo: the records in the reverse order of their import, so that those that others refer to come last.
func (s *Service) workUndo(ctx context.Context, r *job.Run) (any, error) {
	var pl payload
	if err := r.Decode(&pl); err != nil {
		return nil, err
	}
	imp, err := s.find(ctx, r.Owner, pl.Import)
	if err != nil {
		return nil, err
	}
	p := undone{Before: imp.Undone}
	begun, err := r.Progress(&p)
	if err != nil {
		return nil, err
	}
	if !begun {
		if err := s.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
			return tx.System().Model(&written{}).Where("import_id = ? AND undone = ?", imp.ID, false).Count(&p.Total).Error
		}); err != nil {
			return nil, err
		}
	}
	sizes := s.DB.Sizes(ctx, firstOnes, chunk)
	for more := true; more; {
		who, ok := s.Caller(ctx, r.Owner)
		if !ok {
			return nil, job.ErrOwner
		}
		view := s.Policy().View(who, s.Clock(), s.Zone)
		l, err := query.Offers(view, imp.Model, imp.List, Right)
		if err != nil {
			return nil, err
		}
		before, most := p, sizes.Next()
		var held time.Duration
		for range conflicts {
			p = before
			err = r.Step(ctx, func(ctx context.Context, tx *store.Tx) (any, error) {
				begun := time.Now()
				defer func() { held = time.Since(begun) }()
				more, err = s.undoChunk(ctx, tx, view, l.Model, imp, &p, most)
				r.Report(p.Undone+p.Kept, p.Total)
				return &p, err
			})
			if !errors.Is(err, store.ErrConflict) || ctx.Err() != nil {
				break
			}
		}
		if err != nil {
			return nil, err
		}
		sizes.Took(held)
	}
	return nil, s.end(ctx, r, imp, p.Undone+p.Kept)
}

func (s *Service) undoChunk(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, imp *importRow, p *undone, most int) (more bool, err error) {
	var found []written
	of := tx.System().Where("import_id = ? AND undone = ?", imp.ID, false)
	if p.Below > 0 {
		of = of.Where("sequence < ?", p.Below)
	}
	if err := of.Order("sequence DESC").Limit(most).Find(&found).Error; err != nil || len(found) == 0 {
		return false, err
	}
	view = mayTakeBack(view, m, found)
	var kept []keptRow
	var done []int64
	for _, x := range found {
		err := tx.Try(ctx, func() error { return s.Writer.TakeBack(ctx, tx, view, m.Code, x.Record, x.Version) })
		switch errs, refused := verdicts(err, nil); {
		case err == nil:
			done = append(done, x.Sequence)
			p.Undone++
		case refused:
			row, err := keptFor(imp, x, errs)
			if err != nil {
				return false, err
			}
			kept = append(kept, row)
			p.Kept++
		default:
			return false, fmt.Errorf("record %s: %w", x.Record, err)
		}
	}
	p.Below = found[len(found)-1].Sequence
	if len(done) > 0 {
		if err := tx.System().Model(&written{}).Where("import_id = ? AND sequence IN ?", imp.ID, done).UpdateColumn("undone", true).Error; err != nil {
			return false, err
		}
	}
	if err := s.nameKept(ctx, tx, view, m, kept); err != nil {
		return false, err
	}
	if len(kept) > 0 {
		// A row may wait for correction as well: what could not be undone has its number below zero.
		if err := tx.System().CreateInBatches(&kept, 100).Error; err != nil {
			return false, err
		}
	}
	set := map[string]any{"undone": p.Before + p.Undone, "kept": p.Kept}
	return true, tx.System().Model(&importRow{}).Where("id = ?", imp.ID).UpdateColumns(set).Error
}

// mayTakeBack lets the person who made an import delete what it has added, with or without the right to delete other records.
func mayTakeBack(view *authz.View, m *catalog.Model, found []written) *authz.View {
	var ids []string
	for _, x := range found {
		if x.Version == 1 {
			ids = append(ids, x.Record)
		}
	}
	if len(ids) == 0 {
		return view
	}
	own := &plan.InSet{Op: plan.SetWithin, F: &plan.Field{Column: catalog.ID, K: plan.ID}, G: &plan.Const{K: plan.Set, Value: ids}}
	rows := plan.AllOf(own, view.Rows(m))
	return view.Through(&authz.Lens{Name: "import", Effect: authz.Adds, Grants: []catalog.Grant{{Model: m, Actions: []string{"view", "delete"}, Rows: rows, EditRows: plan.True, Rest: catalog.Hidden}}})
}

func keptFor(imp *importRow, x written, errs []Verdict) (keptRow, error) {
	text, err := json.Marshal(errs)
	return keptRow{ImportID: imp.ID, Number: -x.Sequence, Kind: rowKept, Record: x.Record, Content: fmt.Sprint(x.Number), Errors: string(text)}, err
}

// nameKept gives the rows the names of their records.
func (s *Service) nameKept(ctx context.Context, tx *store.Tx, view *authz.View, m *catalog.Model, kept []keptRow) error {
	name := m.Field(catalog.Name)
	if name == nil || len(kept) == 0 {
		return nil
	}
	ids := make([]string, len(kept))
	for i, k := range kept {
		ids[i] = k.Record
	}
	held, err := s.Reader.Holds(ctx, tx, view, m, ids, []*catalog.Field{name})
	if err != nil {
		return err
	}
	for i := range kept {
		if h := held[kept[i].Record]; h != nil {
			kept[i].Name, _ = h.Values[name].(string)
		}
	}
	return nil
}
