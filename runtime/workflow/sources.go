package workflow

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/store"
)

// fromPacks are the people of a kind of participants that packs know of, in the order of their names.
func (s *Service) fromPacks(ctx context.Context, tx *store.Tx, kind catalog.ParticipantKind, of world.Participants) (map[string]bool, error) {
	out := map[string]bool{}
	for _, source := range s.cfg.Sources {
		if source.Kind != string(kind) {
			continue
		}
		found, err := source.People(ctx, s.cfg.World(s.systemView(), tx), of)
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			out[id] = true
		}
	}
	return out, nil
}

// known are the people of a participant that packs know of.
func (f *facts) known(p catalog.Participant) (out []string, err error) {
	found, err := f.s.fromPacks(f.ctx, f.tx, p.Kind, world.Participants{Values: p.Values, Model: f.w.Template.Model, Record: f.id, Initiator: f.who})
	if err != nil {
		return nil, err
	}
	for _, person := range f.sorted() {
		if found[person.ID] {
			out = append(out, person.ID)
		}
	}
	return out, nil
}

// inGroup reports whether somebody is in one of the groups; what cannot be read holds nobody.
func (s *Service) inGroup(ctx context.Context, user string, groups []string) bool {
	in := false
	err := s.cfg.DB.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		found, err := s.fromPacks(ctx, tx, catalog.FromGroup, world.Participants{Values: slices.Clone(groups)})
		in = found[user]
		return err
	})
	if err != nil {
		s.cfg.Log.Error("read who is in a group", "groups", groups, "error", err)
		return false
	}
	return in
}
