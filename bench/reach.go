package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	url, err := storetest.Server(ctx)
	if err != nil {
		t.add("a change of rights on another node", "left out: "+err.Error(), "-", 0, "")
		return nil
	}
	p := place{dir: filepath.Join(o.dir, "reach"), url: url, packs: filepath.Join(o.dir, "packs-roles")}
	defer func() { _ = os.RemoveAll(p.dir) }()
	if err := writePacks(p.packs); err != nil {
		return err
	}
	for i := range roles {
		text := fmt.Sprintf(`{"name": "角色 %d", "models": [{"schemaCode": "inspection", "actions": ["view"], "rows": "owner == user.id"}, {"schemaCode": "contract", "actions": ["view", "edit"], "rows": "all"}]}`, i)
		if err := os.WriteFile(filepath.Join(p.packs, "access", fmt.Sprintf("many%d.json", i)), []byte(text), 0o600); err != nil {
			return err
		}
	}
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
	var took []time.Duration
	for range 15 {
		const path, without, with = "access/many7.json", `"view", "edit"]`, `"view", "edit", "export"]`
		document, err := one.DocumentText(ctx, seeding(one), "shiplock", path, 0)
		if err != nil {
			return err
		}
		text := strings.NewReplacer(without, with, with, without).Replace(*document.Text)
		done, err := one.Publish(ctx, seeding(one), app.Changeset{Files: []app.Change{{Pack: document.Pack, Path: path, Text: &text, Seen: document.Seen}}}, app.Confirmation{})
		if err != nil {
			return err
		}
		took = append(took, until(func() bool { return two.State().Catalog.Version >= done.Version }))
	}
	slices.Sort(took)
	t.add("a role that is published, on another node", fmt.Sprintf("%.0f ms, most %.0f ms", millis(took[len(took)/2]), millis(took[len(took)-1])), "-", 0, "< 100 ms")
	return nil
}

// measureRoles gives somebody a role and takes it, and waits each time until the other node decides so.
func measureRoles(ctx context.Context, t *table, one *app.App, who record.Saved, may func() bool) error {
	role, ok := one.People().RoleID(ctx, "many7")
	if !ok {
		return fmt.Errorf("no role many7")
	}
	var took []time.Duration
	for i := range 30 {
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
	slices.Sort(took)
	t.add(fmt.Sprintf("roles of one of %d people, on another node", len(one.People().People(ctx))),
		fmt.Sprintf("%.0f ms, most %.0f ms", millis(took[len(took)/2]), millis(took[len(took)-1])), "-", 0, "< 100 ms")
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
