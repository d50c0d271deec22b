package organisation

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/organisation/codes"
)

// handOver carries out the handover that a new record asks for, and notes how many records change hands and in how many
// workflows tasks do. It is not changed afterwards.
func handOver(ctx context.Context, e *hook.Record, next func() error) error {
	if !e.Create || e.Restore {
		return fault.New(fault.Forbidden)
	}
	source, _ := e.Set[codes.Source].(string)
	target, _ := e.Set[codes.Target].(string)
	delete(e.Set, codes.Records)
	delete(e.Set, codes.Tasks)
	delete(e.Set, codes.Moved)
	delete(e.Set, codes.Ended)
	if source == "" || target == "" {
		return next() // which refuses what is required
	}
	org, ok := e.World.(world.Organisation)
	if !ok {
		return fault.New(fault.Forbidden)
	}
	if source == target {
		return refuse(codes.Target, fault.HandoverSame)
	}
	to, err := e.World.Get(ctx, user, target)
	if err != nil {
		return err
	}
	if to.Values[codes.Disabled] == true {
		return refuse(codes.Target, fault.PersonDisabled)
	}
	facts := world.Facts{Property: codes.Source}
	if e.Set[codes.Ownership] == true {
		n, err := org.Succeed(ctx, user, source, target)
		if err != nil {
			return err
		}
		e.Set[codes.Records], facts.Records = whole(n), n
	}
	if e.Set[codes.Leadership] == true {
		led, err := e.World.Find(ctx, department, map[string]any{codes.Leader: source}, world.All)
		if err != nil {
			return err
		}
		for _, one := range led {
			if err := update(ctx, e.World, department, one, map[string]any{codes.Leader: target}); err != nil {
				return err
			}
		}
		if facts.Departments, err = names(ctx, e.World, department, led); err != nil {
			return err
		}
	}
	if e.Set[codes.Roles] == true {
		given, err := giveRoles(ctx, e.World, source, target)
		if err != nil {
			return err
		}
		if facts.Roles, err = names(ctx, e.World, role, given); err != nil {
			return err
		}
	}
	if e.Set[codes.Workflows] == true {
		n, err := giveTasks(ctx, e.World, source, target)
		if err != nil {
			return err
		}
		e.Set[codes.Tasks], facts.Tasks = whole(n), n
	}
	if err := giveThings(ctx, org, e, source, target, &facts); err != nil {
		return err
	}
	if err := tellSuccessor(ctx, e.World, source, target, facts); err != nil {
		return err
	}
	return next()
}

// giveThings moves what else a person has, and ends the rest where the handover asks for it. It notes how many things moved and ended.
func giveThings(ctx context.Context, org world.Organisation, e *hook.Record, source, target string, facts *world.Facts) error {
	moves, ends := e.Set[codes.Things] == true, e.Set[codes.Endings] == true
	if !moves && !ends {
		return nil
	}
	if !moves {
		target = ""
	}
	done, err := org.HandOverBelongings(ctx, source, target, ends)
	if err != nil {
		return err
	}
	moved, ended := 0, 0
	for _, b := range done {
		switch b.Handed {
		case world.Moves:
			moved += b.Count
		case world.Ends:
			ended += b.Count
		}
	}
	e.Set[codes.Moved], facts.Things = whole(moved), moved
	if ends {
		e.Set[codes.Ended] = whole(ended)
	}
	return nil
}

// giveRoles moves roles from one person to another and returns them; the write itself refuses those that the principal could not grant.
func giveRoles(ctx context.Context, w world.World, source, target string) ([]string, error) {
	from, err := w.Get(ctx, user, source)
	if err != nil {
		return nil, err
	}
	to, err := w.Get(ctx, user, target)
	if err != nil {
		return nil, err
	}
	given := entries(from.Values[codes.Roles])
	var all []string
	for _, entry := range append(entries(to.Values[codes.Roles]), given...) {
		if !slices.Contains(all, entry) {
			all = append(all, entry)
		}
	}
	if err := update(ctx, w, user, target, map[string]any{codes.Roles: all}); err != nil {
		return nil, err
	}
	return given, update(ctx, w, user, source, map[string]any{codes.Roles: []string{}})
}

// tellSuccessor tells a person what of somebody's work is theirs now, unless they did it themselves.
func tellSuccessor(ctx context.Context, w world.World, source, target string, facts world.Facts) error {
	if facts.Records+facts.Tasks+facts.Things+len(facts.Departments)+len(facts.Roles) == 0 || target == w.Principal().UserID {
		return nil
	}
	of, err := names(ctx, w, user, []string{source})
	if err != nil {
		return err
	}
	for _, name := range of {
		facts.People = []world.Named{{ID: source, Name: name}}
	}
	facts.Property = "" // the recipient has nothing to hand over: the message opens the list, for those who see it
	return w.Tell(ctx, world.Message{To: []string{target}, Type: world.WorkHandover, Model: handover, Facts: facts})
}

// departed tells those who can hand over somebody's work that it waits, when the person is disabled, and which roles wait with it.
// Departures that they have not read yet come as one message.
func departed(ctx context.Context, e *hook.Record, next func() error) error {
	org, ok := e.World.(world.Organisation)
	if !ok || e.Create || e.Delete || e.Principal.System != "" || e.Set[codes.Disabled] != true || e.Old[codes.Disabled] == true {
		return next()
	}
	handlers, err := org.Handlers(ctx, e.ID, handover)
	if err != nil || len(handlers) == 0 {
		if err != nil {
			return err
		}
		return next()
	}
	now := e.New()
	name, _ := now[codes.Name].(string)
	held, _ := now[codes.Roles].([]string)
	m := world.Message{To: handlers, Type: world.PeopleGone, Model: handover, Gather: "departed",
		Facts: world.Facts{People: []world.Named{{ID: e.ID, Name: name}}, Property: codes.Source}}
	if err := e.World.Tell(ctx, m); err != nil {
		return err
	}
	if len(held) > 0 {
		if m.Facts.Roles, err = names(ctx, e.World, role, held); err != nil {
			return err
		}
		m.Type, m.Gather = world.RolesWaiting, codes.Roles
		if err := e.World.Tell(ctx, m); err != nil {
			return err
		}
	}
	return next()
}

// names are what records are called, as far as the principal sees them.
func names(ctx context.Context, w world.World, model string, ids []string) ([]string, error) {
	out := []string{}
	for _, one := range ids {
		found, err := w.Get(ctx, model, one)
		if fault.Of(err) == fault.RecordNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		name, _ := found.Values[codes.Name].(string)
		out = append(out, name)
	}
	return out, nil
}
