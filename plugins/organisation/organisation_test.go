package organisation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/store"
)

var filled = apptest.Of(plugintest.Register)

// keepers is a pack whose role may write the roles of people, and little else.
func keepers(s *pack.Set) error {
	s.AddFolder("keepers", fstest.MapFS{
		"pack.json": {Data: []byte(`{"code": "keepers", "name": "k", "version": "1.0.0", "routes": [
			{"method": "POST", "path": "/api/keepers/password", "action": "keepersPassword", "schemaCode": "user", "description": "A password by a route."}]}`)},
		"access/keeper.json": {Data: []byte(`{"name": "k", "includes": ["staff"], "models": [
			{"schemaCode": "user", "actions": ["view", "add", "edit", "import", "batch_update", "resetPassword", "resetFactor", "disableUser"], "rows": "all"},
			{"schemaCode": "role", "actions": ["view"], "rows": "all"}]}`)},
		"access/sharer.json": {Data: []byte(`{"name": "s", "includes": ["organisationManager"], "models": [
			{"schemaCode": "department", "actions": ["view", "share_filter"], "rows": "all"}]}`)},
	})
	s.Actions.Add(action.New("keepersPassword", `{"type": "object", "properties": {"user": {"type": "string"}}}`, `{"type": "object"}`,
		func(ctx context.Context, c action.Call, in struct{ User string }) (map[string]string, error) {
			made, err := c.World.(world.Organisation).NewPassword(ctx, in.User)
			return map[string]string{"password": made.Reveal()}, err
		}))
	return nil
}

// company is a running product with its administrator.
type company struct {
	*packtest.System
	t    *testing.T
	boss principal.Principal
}

// each runs a test on both databases.
func each(t *testing.T, f func(t *testing.T, c *company)) {
	t.Parallel()
	filled.Each(t, func(t *testing.T, o store.Options) {
		s := packtest.BootOn(t, packtest.Database{URL: o.URL, Dir: o.Dir}, plugintest.Register, keepers)
		f(t, &company{System: s, t: t, boss: s.Person("boss", "administrator")})
	})
}

// add creates a record and returns its id, or what was refused.
func (c *company) try(who principal.Principal, model string, values map[string]any) (id string, err error) {
	err = c.Do(who, func(ctx context.Context, w world.World) (err error) {
		id, err = w.Create(ctx, model, values)
		return err
	})
	return id, err
}

func (c *company) add(model string, values map[string]any) string {
	c.t.Helper()
	id, err := c.try(c.boss, model, values)
	require.NoError(c.t, err)
	return id
}

func (c *company) change(who principal.Principal, model, id string, values map[string]any) error {
	return c.Do(who, func(ctx context.Context, w world.World) error {
		now, err := w.Get(ctx, model, id)
		if err != nil {
			return err
		}
		_, err = w.Update(ctx, model, id, now.Version, values)
		return err
	})
}

func (c *company) get(model, id string) (out map[string]any) {
	c.t.Helper()
	require.NoError(c.t, c.Do(c.boss, func(ctx context.Context, w world.World) error {
		found, err := w.Get(ctx, model, id)
		out = found.Values
		return err
	}))
	return out
}

// why is what was refused: "mobile 202004", or a code alone.
func why(err error) string {
	var refused *fault.Error
	switch {
	case err == nil:
		return "ok"
	case !errors.As(err, &refused):
		return err.Error()
	}
	in, ok := refused.Data.(fault.Invalid)
	if !ok {
		return fmt.Sprint(int(refused.Code))
	}
	var out []string
	for _, e := range in.Errors {
		out = append(out, fmt.Sprintf("%s %d", e.PropertyCode, int(e.Code)))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func ref(v any) string {
	entry, _ := v.(map[string]any)
	id, _ := entry["id"].(string)
	return id
}

func refs(v any) []string {
	out := []string{}
	list, _ := v.([]any)
	for _, one := range list {
		out = append(out, ref(one))
	}
	return out
}

// TestDepartments: names, moves and deletion of departments.
func TestDepartments(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		top := c.add("department", map[string]any{"name": "指挥部"})
		works := c.add("department", map[string]any{"name": "工程部", "parent": top, "kind": "DEPARTMENT", "leader": c.boss.UserID, "sortNo": 2})
		team := c.add("department", map[string]any{"name": "一班", "parent": works, "kind": "TEAM"})
		for _, s := range []struct {
			values map[string]any
			want   string
		}{
			{map[string]any{"name": ""}, "name 201001"},
			{map[string]any{"parent": top}, "name 201001"},
			{map[string]any{"name": "  "}, "name 201001"},
			{map[string]any{"name": "指挥部"}, "name 201002"},
			{map[string]any{"name": " 工程部 ", "parent": top}, "name 201002"},
			{map[string]any{"name": "工程部", "parent": works}, "ok"},
			{map[string]any{"name": "x", "parent": "00000000-0000-7000-8000-000000000000"}, "parent 201005"},
			{map[string]any{"name": "x", "remark": strings.Repeat("注", 1001)}, "remark 302006"},
			{map[string]any{"name": "x", "remark": strings.Repeat("注", 1000)}, "ok"},
			{map[string]any{"name": "y", "kind": "NONE"}, "kind 302008"},
		} {
			_, err := c.try(c.boss, "department", s.values)
			require.Equal(t, s.want, why(err), "%v", s.values)
		}
		require.Equal(t, "parent 201007", why(c.change(c.boss, "department", top, map[string]any{"parent": team})))
		require.Equal(t, "parent 201007", why(c.change(c.boss, "department", top, map[string]any{"parent": top})))
		require.Equal(t, "name 201002", why(c.change(c.boss, "department", works, map[string]any{"parent": works, "name": "工程部"}))[:len("name 201002")])
		require.Equal(t, "ok", why(c.change(c.boss, "department", team, map[string]any{"parent": top})))
		require.Equal(t, "ok", why(c.change(c.boss, "department", team, map[string]any{"parent": works})))

		require.Equal(t, "disabled 201004", why(c.change(c.boss, "department", works, map[string]any{"disabled": true})))
		old := c.add("department", map[string]any{"name": "旧", "parent": works, "disabled": true})
		_, err := c.try(c.boss, "department", map[string]any{"name": "新", "parent": old})
		require.Equal(t, "parent 201006", why(err))

		c.add("user", map[string]any{"username": "chen", "name": "陈", "departments": []string{team}})
		remove := func(id string) error {
			return c.Do(c.boss, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "department", id) })
		}
		require.Equal(t, "201004", why(remove(top)))
		require.Equal(t, "201003", why(remove(team)))
		states, err := c.Writer().DeleteCheck(t.Context(), c.View(c.boss), "department", []string{top, team})
		require.NoError(t, err)
		require.Equal(t, []fault.Code{fault.DepartmentHasChildren, fault.DepartmentHasPeople}, []fault.Code{states[0].Code, states[1].Code})
	})
}

// TestTogether: what two people do at the same moment: two moves that close a ring together, and one name twice.
func TestTogether(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		for i := range 5 {
			a := c.add("department", map[string]any{"name": fmt.Sprint("a", i)})
			b := c.add("department", map[string]any{"name": fmt.Sprint("b", i)})
			errs := both(func() error { return c.change(c.boss, "department", a, map[string]any{"parent": b}) },
				func() error { return c.change(c.boss, "department", b, map[string]any{"parent": a}) })
			require.Contains(t, []string{"ok, parent 201007", "ok, 302091"}, errs)
			name := map[string]any{"name": fmt.Sprint("c", i)}
			errs = both(func() error { _, err := c.try(c.boss, "department", name); return err },
				func() error { _, err := c.try(c.boss, "department", name); return err })
			require.Contains(t, []string{"name 201002, ok", "302091, ok"}, errs)
		}
	})
}

// both runs two functions at once and returns what became of them, sorted.
func both(f ...func() error) string {
	out := make([]string, len(f))
	var all sync.WaitGroup
	for i := range f {
		all.Go(func() { out[i] = why(f[i]()) })
	}
	all.Wait()
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestPeople: what is refused of a person, for every writer.
func TestPeople(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		one := c.add("department", map[string]any{"name": "一部"})
		two := c.add("department", map[string]any{"name": "二部"})
		shut := c.add("department", map[string]any{"name": "旧部", "disabled": true})
		chen := c.add("user", map[string]any{"username": "chen", "name": "陈明", "mobile": "138 0013-8000", "employeeNo": " A1 ", "email": "chen@example.com",
			"idNumber": "11010519491231002x", "mainDepartment": one, "departments": []string{two}, "position": "工程师", "userId": "w1", "corpId": "c1"})
		now := c.get("user", chen)
		require.Equal(t, "13800138000", now["mobile"])
		require.Equal(t, "11010519491231002X", now["idNumber"])
		require.Equal(t, "A1", now["employeeNo"])
		require.Equal(t, []string{one, two}, refs(now["departments"]), "the main department is one of them")
		require.NoError(t, c.change(c.boss, "user", chen, map[string]any{"departments": []string{two}}))
		require.Equal(t, two, ref(c.get("user", chen)["mainDepartment"]))
		require.NoError(t, c.change(c.boss, "user", chen, map[string]any{"departments": []string{}}))
		require.Nil(t, c.get("user", chen)["mainDepartment"])
		for _, s := range []struct{ values, want string }{
			{`{}`, "name 202003, username 202001"},
			{`{"username": " ", "name": " "}`, "name 202003, username 202001"},
			{`{"username": "a b", "name": "x"}`, "username 202002"},
			{`{"username": "chen", "name": "x"}`, "username 200001"},
			{`{"username": "CHEN", "name": "x"}`, "username 200001"},
			{`{"username": "x", "name": "x", "mobile": "1380013800"}`, "mobile 202004"},
			{`{"username": "x", "name": "x", "mobile": "abc"}`, "mobile 202004"},
			{`{"username": "x", "name": "x", "mobile": "138-00138000"}`, "mobile 202005"},
			{`{"username": "x", "name": "x", "mobile": "+86 138 0013 8000"}`, "mobile 202005"},
			{`{"username": "x", "name": "x", "mobile": "１３８００１３８０００"}`, "mobile 202005"},
			{`{"username": "x", "name": "x", "mobile": "0571-88881234-801"}`, "mobile 202004"},
			{`{"username": "x", "name": "x", "email": "chen"}`, "email 202006"},
			{`{"username": "x", "name": "x", "idNumber": "110105194912310021"}`, "idNumber 202007"},
			{`{"username": "x", "name": "x", "idNumber": "11010519491231002Xx"}`, "idNumber 202007"},
			{`{"username": "x", "name": "x", "idNumber": "11010519491231002X"}`, "idNumber 202011"},
			{`{"username": "x", "name": "x", "employeeNo": "A1"}`, "employeeNo 202008"},
			{`{"username": "x", "name": "x", "departments": ["` + shut + `"]}`, "departments 201006"},
			{`{"username": "x", "name": "x", "remark": "` + strings.Repeat("r", 1001) + `"}`, "remark 302006"},
			{`{"username": "x1", "name": "x", "mobile": "", "employeeNo": "", "idNumber": ""}`, "ok"},
			{`{"username": "x2", "name": "x", "mobile": "+852 9138 0013", "employeeNo": ""}`, "ok"},
		} {
			var values map[string]any
			require.NoError(t, json.Unmarshal([]byte(s.values), &values))
			_, err := c.try(c.boss, "user", values)
			require.Equal(t, s.want, why(err), s.values)
		}
		require.Equal(t, "disabled 202010", why(c.change(c.boss, "user", c.boss.UserID, map[string]any{"disabled": true})))
	})
}

// TestRoleGroups: names and codes of roles and their groups, and what keeps them.
func TestRoleGroups(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		group := c.add("roleGroup", map[string]any{"name": "项目"})
		for model, want := range map[string]string{"": "name 203011", "项目": "name 203012"} {
			_, err := c.try(c.boss, "roleGroup", map[string]any{"name": model})
			require.Equal(t, want, why(err))
		}
		staff, ok := c.People().RoleID(t.Context(), "staff")
		require.True(t, ok)
		require.NoError(t, c.change(c.boss, "role", staff, map[string]any{"group": group, "name": "全体员工"}))
		require.Equal(t, "name 203002", why(c.change(c.boss, "role", staff, map[string]any{"name": "系统管理员"})))
		require.Equal(t, "name 203001", why(c.change(c.boss, "role", staff, map[string]any{"name": ""})))
		_, err := c.try(c.boss, "role", map[string]any{"code": "staff", "name": "again"})
		require.Equal(t, "code 203003", why(err))
		require.Equal(t, "203013", why(c.Do(c.boss, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "roleGroup", group) })))
		admin, _ := c.People().RoleID(t.Context(), "administrator")
		require.Equal(t, "203004", why(c.Do(c.boss, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "role", admin) })))
		require.NoError(t, c.change(c.boss, "role", staff, map[string]any{"group": nil}))
		require.NoError(t, c.Do(c.boss, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "roleGroup", group) }))
	})
}

// TestMerge: people, sub-departments and records go to the other department, and the merged one can no longer be chosen.
func TestMerge(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		top := c.add("department", map[string]any{"name": "指挥部"})
		from := c.add("department", map[string]any{"name": "工程部", "parent": top})
		to := c.add("department", map[string]any{"name": "建设部", "parent": top})
		child := c.add("department", map[string]any{"name": "一班", "parent": from})
		chen := c.add("user", map[string]any{"username": "chen", "name": "陈", "departments": []string{top, from}, "mainDepartment": from,
			"roles": []string{c.role("organisationManager")}})
		both := c.add("user", map[string]any{"username": "li", "name": "李", "departments": []string{from, to}})
		who, ok := c.Caller(t.Context(), "chen")
		require.True(t, ok)
		owned, err := c.try(who, "department", map[string]any{"name": "陈的部门"})
		require.NoError(t, err)
		require.Equal(t, from, ref(c.get("department", owned)["ownerDeptId"]))

		merge := func(from, to string) error {
			_, err := c.try(c.boss, "departmentMerge", map[string]any{"source": from, "target": to, "people": 99})
			return err
		}
		require.Equal(t, "target 201007", why(merge(from, from)))
		require.Equal(t, "target 201007", why(merge(from, child)))
		require.Equal(t, "source 302004", why(func() error { _, err := c.try(c.boss, "departmentMerge", map[string]any{"target": to}); return err }()))
		clash := c.add("department", map[string]any{"name": "一班", "parent": to})
		require.Equal(t, "target 201002", why(merge(from, to)), "a sub-department is called the same")
		require.Equal(t, []string{top, from}, refs(c.get("user", chen)["departments"]), "nothing of it is stored")
		require.NoError(t, c.change(c.boss, "department", clash, map[string]any{"name": "二班"}))
		id, err := c.try(c.boss, "departmentMerge", map[string]any{"source": from, "target": to, "people": 99})
		require.NoError(t, err)
		done := c.get("departmentMerge", id)
		require.Equal(t, []any{"2", "1", "1"}, []any{done["people"], done["departments"], done["records"]})
		require.Equal(t, []string{top, to}, refs(c.get("user", chen)["departments"]))
		require.Equal(t, to, ref(c.get("user", chen)["mainDepartment"]))
		require.Equal(t, []string{to}, refs(c.get("user", both)["departments"]))
		require.Equal(t, to, ref(c.get("department", child)["parent"]))
		require.Equal(t, to, ref(c.get("department", owned)["ownerDeptId"]))
		require.Equal(t, true, c.get("department", from)["disabled"])
		require.Equal(t, "source 201006", why(merge(from, to)))
		c.kept("departmentMerge", id)
		found, _ := c.People().Search(t.Context(), directory.Wanted{Kind: "department", Text: "工程部", Limit: 10})
		require.Empty(t, found, "pickers do not offer it")
		// Without the right to merge there is none, whatever else a person may do.
		nobody := c.Person("nobody", "staff")
		_, err = c.try(nobody, "departmentMerge", map[string]any{"source": to, "target": top})
		require.Equal(t, "300001", why(err))
	})
}

// kept requires that a record is history: an administrator is offered neither its change nor its deletion, and refused both.
func (c *company) kept(model, id string) {
	c.t.Helper()
	view := c.View(c.boss)
	m := view.Catalog.Model(model)
	for _, action := range []string{"edit", "delete", "batch_update", "change_owner"} {
		require.False(c.t, view.Can(m, action), action)
		require.False(c.t, view.Offers(m, action), action)
	}
	require.True(c.t, view.Offers(m, "add"))
	require.Equal(c.t, "700001", why(c.change(c.boss, model, id, map[string]any{"remark": "x"})))
	require.Equal(c.t, "700001", why(c.Do(c.boss, func(ctx context.Context, w world.World) error {
		return w.Delete(ctx, model, id)
	})))
}

func (c *company) role(code string) string {
	c.t.Helper()
	id, ok := c.People().RoleID(context.Background(), code)
	require.True(c.t, ok, code)
	return id
}

// TestHandover: what somebody owns, leads and may do goes to another person.
func TestHandover(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		chen := c.Person("chen", "organisationManager")
		li := c.Person("li", "staff")
		gone := c.add("user", map[string]any{"username": "gone", "name": "走", "disabled": true})
		owned, err := c.try(chen, "department", map[string]any{"name": "陈的部门", "leader": chen.UserID})
		require.NoError(t, err)
		give := func(who principal.Principal, from, to string, more map[string]any) error {
			values := map[string]any{"source": from, "target": to}
			for k, v := range more {
				values[k] = v
			}
			_, err := c.try(who, "handover", values)
			return err
		}
		require.Equal(t, "target 202012", why(give(c.boss, chen.UserID, chen.UserID, nil)))
		require.Equal(t, "target 202009", why(give(c.boss, chen.UserID, gone, nil)))
		require.Equal(t, "302017", why(give(chen, c.boss.UserID, li.UserID, nil)), "of those above, nobody below hands over")
		id, err := c.try(c.boss, "handover", map[string]any{"source": chen.UserID, "target": li.UserID, "roles": true})
		require.NoError(t, err)
		c.kept("handover", id)
		now := c.get("department", owned)
		require.Equal(t, []string{li.UserID, li.UserID}, []string{ref(now["owner"]), ref(now["leader"])})
		require.ElementsMatch(t, []string{c.role("staff"), c.role("organisationManager")}, refs(c.get("user", li.UserID)["roles"]))
		require.Empty(t, refs(c.get("user", chen.UserID)["roles"]))
	})
}

// told are the messages of a person, newest first, as "62 title | content".
func (c *company) told(who principal.Principal, locale string) (out []string) {
	c.t.Helper()
	who.Locale = locale
	page, err := c.Messages().Search(c.t.Context(), c.View(who), notify.Search{Size: 20})
	require.NoError(c.t, err)
	for _, m := range page.Content {
		text := fmt.Sprintf("%d %s", m.Type, m.Title)
		if m.Content != "" {
			text += " | " + m.Content
		}
		if m.Opens {
			text += " ->"
		}
		out = append(out, text)
	}
	return out
}

// TestHandoverMessages: those who can hand over hear of departures and roles, once for all that they have not read; the successor hears
// what is theirs now.
func TestHandoverMessages(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		chen := c.Person("chen", "organisationManager")
		li, wang := c.Person("li", "staff"), c.Person("wang", "staff")
		zhao := c.Person("zhao", "administrator")
		var people []string
		for _, name := range []string{"a", "b", "c"} {
			people = append(people, c.add("user", map[string]any{"username": name, "name": strings.ToUpper(name)}))
		}
		require.NoError(t, c.change(c.boss, "user", people[0], map[string]any{"remark": "no departure"}))
		require.Empty(t, c.told(chen, "zh"))
		for _, one := range people {
			require.NoError(t, c.change(chen, "user", one, map[string]any{"disabled": true}))
		}
		require.Equal(t, []string{"62 离职人员待交接：A、B 等 3 人 ->"}, c.told(chen, "zh"))
		require.Equal(t, []string{"62 Departed, work to hand over: A, B and 1 other ->"}, c.told(zhao, "en"))
		require.Empty(t, c.told(li, "zh"), "staff hand over nothing")
		require.NoError(t, c.change(c.boss, "user", people[0], map[string]any{"disabled": false}))
		require.NoError(t, c.Messages().ReadAll(t.Context(), c.View(chen), ""))
		require.NoError(t, c.change(c.boss, "user", li.UserID, map[string]any{"disabled": true}))
		require.Equal(t, []string{"61 角色待交接：员工 | 原持有人：li ->", "62 离职人员待交接：li ->", "62 离职人员待交接：A、B 等 3 人 ->"}, c.told(chen, "zh"))
		_, err := c.try(c.boss, "department", map[string]any{"name": "QA", "leader": li.UserID})
		require.NoError(t, err)
		before := len(c.told(chen, "zh"))
		require.NoError(t, c.change(c.boss, "user", zhao.UserID, map[string]any{"disabled": true}))
		require.Len(t, c.told(chen, "zh"), before, "of people above them they hear nothing")
		_, err = c.try(c.boss, "handover", map[string]any{"source": li.UserID, "target": wang.UserID, "roles": true})
		require.NoError(t, err)
		require.Equal(t, []string{"31 li 的工作已移交给您 | 操作人：boss；负责的部门：QA；角色：员工"}, c.told(wang, "zh"))
		_, err = c.try(c.boss, "handover", map[string]any{"source": li.UserID, "target": wang.UserID})
		require.NoError(t, err)
		require.Len(t, c.told(wang, "zh"), 1, "nothing was left to hand over")
	})
}
