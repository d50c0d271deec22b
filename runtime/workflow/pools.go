package workflow

import (
	"context"
	"errors"
	"slices"

	"gorm.io/gorm/clause"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/store"
)

// poolsAtOnce is how many instances one transaction looks at.
const poolsAtOnce = 50

// followed is how far this process has brought the pools: it begins with all of them when it starts.
type followed struct {
	known   bool
	version uint64
}

// pools keeps a row for each pool of the instance whose people follow whom its node names. They are looked at again soon: a command may have
// changed the record, or what people have in the pool. seen is the activity that has just been looked at, which changed nothing; 0 = none.
func (r *running) pools(seen int) error {
	if !slices.ContainsFunc(r.state.Activities, func(a flow.Activity) bool { return a.Live }) {
		return nil
	}
	var have []pool
	if err := r.tx.System().Where("instance = ?", r.row.ID).Find(&have).Error; err != nil {
		return err
	}
	known := map[int]bool{}
	for _, p := range have {
		follows := r.w.Template.Follows(r.state, p.Activity)
		known[p.Activity] = true
		row := r.tx.System().Model(&pool{}).Where("instance = ? AND activity = ?", p.Instance, p.Activity)
		var err error
		switch due := p.Activity != seen; {
		case !follows:
			err = row.Delete(&pool{}).Error
		case due && seen != 0:
		case p.Due != due:
			err = row.UpdateColumn("due", due).Error
		}
		if err != nil {
			return err
		}
	}
	var fresh []pool
	for _, a := range r.state.Activities {
		if !known[a.ID] && r.w.Template.Follows(r.state, a.ID) {
			fresh = append(fresh, pool{Instance: r.row.ID, Activity: a.ID, Due: a.ID != seen})
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	return r.tx.System().Clauses(clause.OnConflict{DoNothing: true}).Create(&fresh).Error
}

// organization is a number that changes whenever the answer to who takes part in a node may be another one.
func (s *Service) organization() uint64 {
	c := s.cfg.Policy().Catalog()
	var tables []string
	for _, source := range s.cfg.Sources {
		for _, code := range source.Models {
			if m := c.Model(code); m != nil {
				tables = append(tables, m.Table)
				for _, sheet := range m.Sheets {
					tables = append(tables, sheet.Table)
				}
			}
		}
	}
	return max(s.cfg.People.Version(), s.cfg.DB.Versions(tables...))
}

// follow gives pools the people whom their nodes name now, and returns how many of them changed: all pools once the organization has changed,
// otherwise those that a command has touched. Each instance has a transaction of its own; a pool that another process has brought up to date
// stays as it is.
func (s *Service) follow(ctx context.Context) (changed int, err error) {
	s.following.Lock()
	defer s.following.Unlock()
	version := s.organization()
	all := !s.followed.known || s.followed.version != version
	var rows []pool
	err = s.cfg.DB.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		q := tx.System().Order("instance, activity")
		if !all {
			q = q.Where("due = ?", true)
		}
		return q.Find(&rows).Error
	})
	if err != nil {
		return 0, err
	}
	var errs []error
	for part := range slices.Chunk(rows, poolsAtOnce) {
		late, err := s.outdated(ctx, part)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, p := range late {
			var moved bool
			for range tries {
				err = s.cfg.DB.Write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
					moved, err = s.followIn(ctx, tx, p)
					return err
				})
				if !errors.Is(err, store.ErrConflict) {
					break
				}
			}
			if moved && err == nil {
				changed++
			}
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return changed, err
	}
	s.followed = followed{true, version} // what changed meanwhile has another version
	return changed, nil
}

// outdated are the pools of a list that are to be written: those that name others now, and those that were touched.
func (s *Service) outdated(ctx context.Context, of []pool) (out []pool, err error) {
	err = s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		out = nil
		for _, p := range of {
			changes := p.Due
			if !changes {
				r, err := s.read(ctx, tx, s.systemView(), p.Instance)
				if lost(err) {
					continue
				}
				if err != nil {
					return err
				}
				events, err := r.w.Template.Do(r.state, s.toFollow(p), r.facts)
				if changes, err = len(events) > 0, s.unanswered(p, errors.Join(r.facts.err, err)); err != nil {
					return err
				}
			}
			if changes {
				out = append(out, p)
			}
		}
		return nil
	})
	return out, err
}

// lost reports whether an instance is gone.
func lost(err error) bool { return fault.Of(err) == fault.WorkflowNotFound }

func (s *Service) toFollow(p pool) flow.Command {
	return flow.Command{Do: flow.OpFollow, Rule: flow.RuleDirectory, At: s.cfg.Clock().UTC(), Activity: p.Activity}
}

// followIn brings one pool up to date, if it still is one.
func (s *Service) followIn(ctx context.Context, tx *store.Tx, p pool) (moved bool, err error) {
	r, err := s.hold(ctx, tx, s.systemView(), p.Instance)
	if lost(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if r.w.Template.Follows(r.state, p.Activity) {
		events, err := r.w.Template.Do(r.state, s.toFollow(p), r.facts)
		if err = s.unanswered(p, errors.Join(r.facts.err, err)); err != nil {
			return false, err
		}
		if moved = len(events) > 0; moved {
			if err := r.keep(events); err != nil {
				return false, err
			}
		}
	}
	return moved, r.pools(p.Activity)
}

// unanswered notes why it cannot be told whom a node names; its pool stays as it is until something changes. Other errors are passed on.
func (s *Service) unanswered(p pool, err error) error {
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.Code == fault.Internal {
		return err
	}
	if refused.Code != fault.ItemFinished { // somebody was faster
		s.cfg.Log.Warn("find the people of a task that nobody has claimed", "instance", p.Instance, "activity", p.Activity, "error", err)
	}
	return nil
}
