package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// roles is how many access documents the installation of measureReach has.
const roles = 500

// measureReach times, with two nodes on PostgreSQL, how long a change of somebody's roles, and of a role itself, takes until the other node
// decides by it; and a decision with so many roles and people.
func measureReach(ctx context.Context, o options, t *table) error {
	if err := writeRoles(filepath.Join(o.dir, "packs-roles")); err != nil {
		return err
	}
	if err := measureReachAlone(ctx, o, t); err != nil {
		return err
	}
	url, err := storetest.Server(ctx)
	if err != nil {
		t.add("a change of rights on another node", "left out: "+err.Error(), "-", 0, "")
		return nil
	}
	p := place{dir: filepath.Join(o.dir, "reach"), url: url, packs: filepath.Join(o.dir, "packs-roles")}
	defer func() { _ = os.RemoveAll(p.dir) }()
	var nodes [2]*app.App
	for i := range nodes {
		if nodes[i], err = open(ctx, p, false); err != nil {
			return err
		}
		defer func() { _ = nodes[i].Close() }()
	}
	one, two := nodes[0], nodes[1]
	last, err := seedPeople(ctx, one, o.people)
	if err != nil {
		return err
	}
	may := func(action string) bool {
		person, _ := two.People().Person(ctx, last.ID)
		state := two.State()
		return state.Policy.View(authn.Principal(ctx, two.People(), person, ""), two.Now(), two.Zone()).Can(state.Catalog.Model("contract"), action)
	}
	if err := measureRoles(ctx, t, one, last, func() bool { return may("edit") }); err != nil {
		return err
	}
	return measurePublished(ctx, t, "PostgreSQL: ", one, two)
}

// writeRoles writes the packs with many roles.
func writeRoles(dir string) error {
	if err := writePacks(dir); err != nil {
		return err
	}
	for i := range roles {
		text := fmt.Sprintf(`{"name": "角色 %d", "models": [{"schemaCode": "inspection", "actions": ["view"], "rows": "owner == user.id"}, {"schemaCode": "contract", "actions": ["view", "edit"], "rows": "all"}]}`, i)
		if err := os.WriteFile(filepath.Join(dir, "access", fmt.Sprintf("many%d.json", i)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// measureReachAlone times a role that is published on a node that has the database, in a file, for itself.
func measureReachAlone(ctx context.Context, o options, t *table) error {
	p := place{dir: filepath.Join(o.dir, "reach-alone"), packs: filepath.Join(o.dir, "packs-roles")}
	defer func() { _ = os.RemoveAll(p.dir) }()
	a, err := open(ctx, p, false)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	if _, err := seedPeople(ctx, a, o.people); err != nil {
		return err
	}
	return measurePublished(ctx, t, "SQLite: ", a)
}

// measurePublished publishes a role on the first of some nodes, and times from the commit until each of them decides by it.
func measurePublished(ctx context.Context, t *table, where string, nodes ...*app.App) error {
	one := nodes[0]
	took, call := make([][]time.Duration, len(nodes)), []time.Duration(nil)
	for range 25 {
		const path, without, with = "access/many7.json", `"view", "edit"]`, `"view", "edit", "export"]`
		document, err := one.DocumentText(ctx, seeding(one), "shiplock", path, 0)
		if err != nil {
			return err
		}
		text := strings.NewReplacer(without, with, with, without).Replace(*document.Text)
		before := one.State().Catalog.Version
		var all sync.WaitGroup
		at := make([]time.Time, len(nodes))
		var committed time.Time
		all.Go(func() {
			until(func() bool {
				version, _, err := one.Store().Moved(ctx)
				return err == nil && version > before
			})
			committed = time.Now()
		})
		for i, n := range nodes {
			all.Go(func() {
				until(func() bool { return n.State().Catalog.Version > before })
				at[i] = time.Now()
			})
		}
		begin := time.Now()
		if _, err = one.Publish(ctx, seeding(one), app.Changeset{Files: []app.Change{{Pack: document.Pack, Path: path, Text: &text, Seen: document.Seen}}}, app.Confirmation{}); err != nil {
			return err
		}
		call = append(call, time.Since(begin))
		all.Wait()
		for i := range nodes {
			took[i] = append(took[i], at[i].Sub(committed))
		}
		time.Sleep(300 * time.Millisecond) // what follows a publication is not a part of the next one
	}
	for i, name := range []string{"where it was published", "on another node"}[:len(nodes)] {
		t.add(where+"a role that is published, in force "+name, medianAndMost(took[i]), "-", 0, "< 100 ms")
	}
	t.add(where+"the call that publishes it", medianAndMost(call), "-", 0, "")
	return nil
}

func medianAndMost(took []time.Duration) string {
	slices.Sort(took)
	return fmt.Sprintf("%.0f ms, most %.0f ms", millis(took[len(took)/2]), millis(took[len(took)-1]))
}

// measureRoles gives somebody a role and takes it, and waits each time until the other node decides so.
func measureRoles(ctx context.Context, t *table, one *app.App, who record.Saved, may func() bool) error {
	role, ok := one.People().RoleID(ctx, "many7")
	if !ok {
		return fmt.Errorf("no role many7")
	}
	may() // the other node reads all of them once
	time.Sleep(seeded)
	var took []time.Duration
	for i := range 60 {
		given := []string{}
		if i%2 == 0 {
			given = append(given, role)
		}
		var err error
		if who.Version, err = put(ctx, one, "user", who.ID, who.Version, map[string]any{"roles": given}); err != nil {
			return err
		}
		took = append(took, until(func() bool { return may() == (len(given) > 0) }))
	}
	t.add(fmt.Sprintf("roles of one of %d people, in force on another node", len(one.People().People(ctx))), medianAndMost(took), "-", 0, "< 100 ms")
	var decisions []time.Duration
	for range 200 {
		begin := time.Now()
		for range 1000 {
			may()
		}
		decisions = append(decisions, time.Since(begin)/1000)
	}
	slices.Sort(decisions)
	t.add(fmt.Sprintf("who somebody is, their rights and a decision, %d roles", roles), fmt.Sprintf("%d ns", decisions[100].Nanoseconds()), "-", 0, "")
	return nil
}

// until waits for something and tells how long it took; after ten seconds it gives up.
func until(is func() bool) time.Duration {
	begin := time.Now()
	for !is() && time.Since(begin) < 10*time.Second {
		time.Sleep(time.Millisecond)
	}
	return time.Since(begin)
}
