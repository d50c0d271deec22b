package organisation_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/packtest"
)

// seats is a pack with roles of data, of permissions of the platform, and of managers of people: of everybody, and of their department alone.
func seats(s *pack.Set) error {
	const may = `"actions": ["view", "edit", "resetPassword", "resetFactor", "signIns", "unlockUser", "disableUser", "enableUser", "handover", "delete"]`
	s.AddFolder("seats", fstest.MapFS{
		"pack.json":           {Data: []byte(`{"code": "seats", "name": "s", "version": "1.0.0"}`)},
		"access/planner.json": {Data: []byte(`{"name": "planner", "includes": ["staff"], "models": [{"schemaCode": "workCalendar", "actions": ["*"], "rows": "all"}]}`)},
		"access/local.json":   {Data: []byte(`{"name": "local", "includes": ["staff"], "models": [{"schemaCode": "workCalendar", "actions": ["view", "edit"], "rows": "department"}]}`)},
		"access/flows.json":   {Data: []byte(`{"name": "flows", "includes": ["staff"], "permissions": ["WORKFLOW_ADMIN"]}`)},
		"access/system.json":  {Data: []byte(`{"name": "system", "permissions": ["SYS_MNG"]}`)},
		"access/wide.json":    {Data: []byte(`{"name": "wide", "includes": ["staff"], "permissions": ["ACCOUNT_MNG"], "models": [{"schemaCode": "user", ` + may + `, "rows": "all"}, {"schemaCode": "role", "actions": ["view"], "rows": "all"}, {"schemaCode": "handover", "actions": ["view", "add"], "rows": "all"}]}`)},
		"access/near.json":    {Data: []byte(`{"name": "near", "includes": ["staff"], "permissions": ["ACCOUNT_MNG"], "models": [{"schemaCode": "user", ` + may + `, "rows": "all", "editRows": "mainDepartment in user.departments"}]}`)},
		"access/tree.json": {Data: []byte(`{"name": "tree", "includes": ["staff"], "models": [{"schemaCode": "workCalendar", "actions": ["view", "edit"], "rows": "departmentTree"},
			{"schemaCode": "department", "actions": ["view", "add", "edit", "merge"], "rows": "all"}, {"schemaCode": "departmentMerge", "actions": ["view", "add"], "rows": "all"}]}`)},
		"access/plain.json": {Data: []byte(`{"name": "plain", "includes": ["staff"], "models": [{"schemaCode": "user", ` + may + `, "rows": "all"}]}`)},
	})
	return nil
}

// TestAccounts: who has the permission ACCOUNT_MNG looks after the accounts of people whatever these may do with records, where their rights on people
// reach; not of those with a permission that they lack, and without a way to anybody's rights.
func TestAccounts(t *testing.T) {
	t.Parallel()
	c := &company{System: packtest.BootOn(t, packtest.Database{Dir: t.TempDir()}, plugintest.Register, seats), t: t}
	c.boss = c.Person("boss", "administrator")
	here, there := c.add("department", map[string]any{"name": "here"}), c.add("department", map[string]any{"name": "there"})
	person := func(name, department string, roles ...string) string {
		p := c.Person(name, roles...)
		require.NoError(t, c.change(c.boss, "user", p.UserID, map[string]any{"departments": []string{department}, "mainDepartment": department}))
		return p.UserID
	}
	id := func(name string) string {
		p, _ := c.People().PersonByName(t.Context(), name)
		return p.ID
	}
	person("wide", here, "wide")
	person("near", here, "near", "local")
	person("plain", here, "plain")
	planner, far := person("planner", here, "planner"), person("far", there, "planner")
	above := []string{person("flows", here, "staff", "flows"), person("system", here, "system"), c.boss.UserID, person("both", here, "planner", "flows")}
	press := func(who, action, id string) fault.Code {
		t.Helper()
		p, ok := c.Caller(t.Context(), who)
		require.True(t, ok)
		_, err := c.press(p, action, id)
		return fault.Of(err)
	}
	for _, id := range []string{planner, far} {
		require.Zero(t, press("wide", "resetPassword", id), "somebody with rights to data")
		require.Equal(t, fault.FactorState, press("wide", "resetFactor", id), "who has no second factor to reset")
		require.Zero(t, press("wide", "unlockUser", id))
		require.Zero(t, press("wide", "disableUser", id))
		require.Zero(t, press("wide", "enableUser", id))
	}
	require.Zero(t, press("near", "resetPassword", planner))
	require.NotZero(t, press("near", "resetPassword", far), "out of their department")
	require.NotZero(t, press("near", "disableUser", far))
	require.NotZero(t, press("near", "unlockUser", far))
	require.NotZero(t, press("wide", "unlockUser", id("wide")), "their own")
	require.Equal(t, fault.FieldAbove, press("plain", "resetPassword", planner), "the right on people alone reaches those with no more rights")
	require.Equal(t, fault.FieldAbove, press("near", "resetPassword", id("wide")), "who looks after more people")
	require.Zero(t, press("wide", "resetPassword", id("near")))
	for _, id := range above {
		for _, action := range []string{"resetPassword", "resetFactor", "signIns", "unlockUser"} {
			require.Equal(t, fault.FieldAbove, press("wide", action, id))
		}
		require.NotZero(t, press("wide", "disableUser", id))
	}

	wide, _ := c.Caller(t.Context(), "wide")
	near, _ := c.Caller(t.Context(), "near")
	require.NoError(t, c.change(wide, "user", planner, map[string]any{"name": "Planner", "mobile": "13800000000", "employeeNo": "7"}))
	for property, value := range map[string]any{"username": "other", "email": "wide@example.com", "roles": []string{}, "departments": []string{there}, "mainDepartment": there} {
		require.Contains(t, why(c.change(wide, "user", planner, map[string]any{property: value})), property+" 302017", "what their rights hang on")
	}
	for _, id := range above {
		for property, value := range map[string]any{"username": "other", "name": "other", "email": "wide@example.com", "disabled": true} {
			require.Equal(t, property+" 302017", why(c.change(wide, "user", id, map[string]any{property: value})))
		}
	}
	for _, code := range []string{"planner", "flows", "administrator", "system"} {
		for _, id := range []string{wide.UserID, planner} {
			require.NotEqual(t, "ok", why(c.change(wide, "user", id, map[string]any{"roles": append([]string{c.role("wide")}, c.role(code))})), code)
		}
	}
	require.Contains(t, why(c.change(near, "user", near.UserID, map[string]any{"departments": []string{here, there}})), "departments 302017", "another department gives more of the records")
	require.NotEqual(t, "ok", why(c.handRoles(wide, planner, wide.UserID)))
	require.Equal(t, fault.FieldAbove, fault.Of(second(c.try(wide, "handover", map[string]any{"source": planner, "target": wide.UserID, "ownership": true, "workflows": false, "leadership": false}))), "their records are theirs")
	require.Error(t, c.Do(wide, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "user", planner) }))
}

func second(_ string, err error) error { return err }

// TestRootReachesEverybody: the administrator gives, takes and hands over each permission of the platform, and disables who has it.
func TestRootReachesEverybody(t *testing.T) {
	t.Parallel()
	c := &company{System: packtest.BootOn(t, packtest.Database{Dir: t.TempDir()}, plugintest.Register, seats), t: t}
	c.boss = c.Person("boss", "administrator")
	for _, code := range []string{"flows", "system", "wide", "near"} {
		holder, heir := c.Person("holder"+code, "staff"), c.Person("heir"+code, "staff")
		require.NoError(t, c.change(c.boss, "user", holder.UserID, map[string]any{"roles": []string{c.role(code)}}), "give %s", code)
		require.NoError(t, c.handRoles(c.boss, holder.UserID, heir.UserID), "hand over %s", code)
		require.NoError(t, c.change(c.boss, "user", heir.UserID, map[string]any{"disabled": true}), "disable who has %s", code)
		require.NoError(t, c.change(c.boss, "user", heir.UserID, map[string]any{"roles": []string{}}), "take %s", code)
	}
}

// TestDepartmentsForTheirRecords: who keeps departments and sees the records of their own ones does not bring another one, and its records, under or into
// these; those who see all records anyway do.
func TestDepartmentsForTheirRecords(t *testing.T) {
	t.Parallel()
	c := &company{System: packtest.BootOn(t, packtest.Database{Dir: t.TempDir()}, plugintest.Register, seats), t: t}
	c.boss = c.Person("boss", "administrator")
	here := c.add("department", map[string]any{"name": "here"})
	inside := c.add("department", map[string]any{"name": "inside", "parent": here})
	there := c.add("department", map[string]any{"name": "there"})
	of := c.Person("keeper", "tree")
	require.NoError(t, c.change(c.boss, "user", of.UserID, map[string]any{"departments": []string{here}, "mainDepartment": here}))
	keeper := func() principal.Principal { p, _ := c.Caller(t.Context(), "keeper"); return p }
	for _, to := range []string{here, inside} {
		require.Equal(t, "parent 202013", why(c.change(keeper(), "department", there, map[string]any{"parent": to})))
		require.Equal(t, fault.DepartmentGains, fault.Of(second(c.try(keeper(), "departmentMerge", map[string]any{"source": there, "target": to}))))
	}
	other := c.add("department", map[string]any{"name": "other"})
	require.NoError(t, c.change(keeper(), "department", there, map[string]any{"parent": other}), "which gives them nothing")
	require.NoError(t, c.change(keeper(), "department", there, map[string]any{"name": "elsewhere"}))
	require.NoError(t, c.change(keeper(), "department", inside, map[string]any{"parent": nil}))
	_, err := c.try(keeper(), "department", map[string]any{"name": "new", "parent": here})
	require.NoError(t, err)
	require.NoError(t, c.change(c.boss, "department", other, map[string]any{"parent": here}))
	_, err = c.try(c.boss, "departmentMerge", map[string]any{"source": other, "target": here})
	require.NoError(t, err)
}
