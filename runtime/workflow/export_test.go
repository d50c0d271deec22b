package workflow

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Calls lets a test answer the calls of SERVICE nodes.
func (s *Service) Calls(c *http.Client) { s.cfg.HTTP = c }

// Differs tells where the rows of an instance's items are not what its state says; "" = nowhere.
func (s *Service) Differs(ctx context.Context, id string, state *flow.State) (out string, err error) {
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var rows []item
		if err := tx.System().Where("instance = ?", id).Order("number").Find(&rows).Error; err != nil {
			return err
		}
		if len(rows) != len(state.Items) {
			out = fmt.Sprintf("%d rows of %d items", len(rows), len(state.Items))
		}
		for i, row := range rows {
			of := state.Items[i]
			if row.Number != of.ID || row.Person != of.Person || row.State != string(of.State) || row.List != listOf(of) {
				out = fmt.Sprintf("item %d is %s in %q", row.Number, row.State, row.List)
			}
		}
		var of instance
		if err := tx.System().Where("id = ?", id).Take(&of).Error; err != nil {
			return err
		}
		var people []handler
		if err := tx.System().Where("v = ?", of.Record).Find(&people).Error; err != nil || of.Live == nil && of.Status != string(flow.Completed) {
			return err
		}
		have := map[string]int{}
		for _, p := range people {
			have[p.Person] = p.Ordinal
		}
		if want := (&running{state: state}).handlers(); !maps.Equal(have, want) {
			out = fmt.Sprintf("handlers %v, want %v", have, want)
		}
		return nil
	})
	return out, err
}

// LatePools are the pools whose people are not those whom their nodes name, and those whose rows are not what the states of their instances say.
func (s *Service) LatePools(ctx context.Context) (out []string, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		var ids []string
		if err := tx.System().Model(&instance{}).Order("id").Pluck("id", &ids).Error; err != nil {
			return err
		}
		for _, id := range ids {
			r, err := s.read(ctx, tx, s.systemView(), id)
			if err != nil {
				return err
			}
			for _, a := range r.state.Activities {
				var rows int64
				if err := tx.System().Model(&pool{}).Where("instance = ? AND activity = ?", id, a.ID).Count(&rows).Error; err != nil {
					return err
				}
				follows := r.w.Template.Follows(r.state, a.ID)
				if follows != (rows == 1) {
					out = append(out, fmt.Sprintf("%s %d has %d rows", id, a.ID, rows))
				}
				if !follows {
					continue
				}
				events, err := r.w.Template.Do(r.state, s.toFollow(pool{Instance: id, Activity: a.ID}), r.facts)
				if err != nil || len(events) > 0 {
					out = append(out, fmt.Sprintf("%s %d is late: %v", id, a.ID, err))
				}
			}
		}
		return nil
	})
	return out, err
}

// Named is the workflow that a record names, and the state that it has.
func (s *Service) Named(ctx context.Context, model, id string) (instance, status string, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		view := s.systemView()
		st, err := record.NewJudge(ctx, tx, view).State(view.Model(model), id)
		if err == nil {
			instance, _ = st.Row[catalog.WorkflowInstance].(string)
			status, _ = st.Row[catalog.SequenceStatus].(string)
		}
		return err
	})
	return instance, status, err
}

// HandOn gives a delegate the open tasks, as a look at the delegations does that has read this one before something else happened.
func (s *Service) HandOn(ctx context.Context, id string, meanwhile func()) error {
	d, _, err := s.delegated(ctx, id)
	if err != nil {
		return err
	}
	meanwhile()
	return s.handOn(ctx, d)
}

// GiveBack takes the tasks back that a delegate has, as a look does that has found them before something else happened.
func (s *Service) GiveBack(ctx context.Context, id string, meanwhile func()) error {
	d, rows, err := s.delegated(ctx, id)
	if err != nil {
		return err
	}
	meanwhile()
	for _, row := range rows {
		if err := s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			_, err := s.passOn(ctx, tx, d, row, flow.OpReturn)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// delegated reads a delegation and the tasks that its delegate has.
func (s *Service) delegated(ctx context.Context, id string) (d delegation, rows []item, err error) {
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		if err := tx.System().Where("id = ?", id).Take(&d).Error; err != nil {
			return err
		}
		return tx.System().Where("person = ? AND delegate_from = ? AND list = ?", d.To, d.From, listUnfinished).Order("id").Find(&rows).Error
	})
	return d, rows, err
}

// LookFor bounds looks at what becomes of instances until undo is called.
func LookFor(d time.Duration) (undo func()) {
	was := lookTime
	lookTime = d
	return func() { lookTime = was }
}

// Copies makes further rows of an instance, which run as it does.
func (s *Service) Copies(ctx context.Context, id string, n int) error {
	return s.cfg.DB.Write(ctx, func(_ context.Context, tx *store.Tx) error {
		var row instance
		if err := tx.System().Where("id = ?", id).Take(&row).Error; err != nil {
			return err
		}
		for range n {
			row.ID = uuid.Must(uuid.NewV7()).String()
			live := row.ID
			row.Record, row.Live = row.ID, &live
			if err := tx.System().Create(&row).Error; err != nil {
				return err
			}
		}
		return nil
	})
}
