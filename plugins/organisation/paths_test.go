package organisation_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// bring imports a file with the rights of a person; the lines are of CSV. It returns what became of the rows, with each refusal.
func (c *company) bring(who principal.Principal, req importer.Request, lines ...string) (added, changed int64, refused []string) {
	c.t.Helper()
	up, err := c.Importer().Upload(c.t.Context(), c.View(who), "a.csv", bytes.NewReader([]byte("\ufeff"+strings.Join(lines, "\n"))), nil)
	require.NoError(c.t, err)
	req.FileName, req.Original = up.FileName, "a.csv"
	if req.Mode == "" {
		req.Mode = importer.Add
	}
	id, err := c.Importer().Start(c.t.Context(), c.View(who), req, false)
	if err != nil {
		return 0, 0, []string{why(err)}
	}
	var out importer.Result
	require.Eventually(c.t, func() bool {
		out, err = c.Importer().Result(c.t.Context(), c.View(who), id)
		require.NoError(c.t, err)
		return out.ErrorType != nil
	}, time.Minute, 20*time.Millisecond)
	for _, r := range out.Rows {
		for _, e := range r.Errors {
			refused = append(refused, fmt.Sprintf("%d %s %d", r.Number, e.PropertyCode, int(e.Code)))
		}
	}
	return out.Added, out.Changed, refused
}

// TestImports: departments, people and roles from spreadsheets, with the refusals of forms.
func TestImports(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		hr := c.Person("hr", "organisationManager")
		added, _, refused := c.bring(hr, importer.Request{SchemaCode: "department"}, "名称,上级部门,类型,排序号",
			"指挥部,,单位,1", "工程部,指挥部,部门,1", "质量部,指挥部,部门,2", "一班,指挥部/工程部,班组,1", "一班,指挥部/质量部,班组,1", "一班,工程部,班组,1", ",指挥部,,", "x,没有,,")
		require.Equal(t, int64(5), added, "%v", refused)
		require.Equal(t, []string{"7 name 201002", "8 name 201001", "9 parent 305034"}, refused)
		added, _, refused = c.bring(hr, importer.Request{SchemaCode: "user"}, "账号,姓名,工号,手机,邮箱,身份证号,主部门,所属部门",
			"chen,陈明,A1,13800138000,chen@example.com,11010519491231002X,指挥部/质量部/一班,工程部;质量部", "li,李,A1,,,,,", "wang,王,,138001,,,,", "zhao,赵,,13800138000,,,,",
			"qian,钱,,,q,,,", "sun,孙,,,,1,,", "chen,又,,,,,,", ",无,,,,,,", "x y,x,,,,,,", "zhou,周,,,,,一班,")
		require.Equal(t, []string{"3 employeeNo 202008", "4 mobile 202004", "5 mobile 202005", "6 email 202006", "7 idNumber 202007", "8 username 200001", "9 username 202001",
			"10 username 202002", "11 mainDepartment 305032"}, refused)
		require.Equal(t, int64(1), added)
		chen, ok := c.People().PersonByName(t.Context(), "chen")
		require.True(t, ok)
		require.Len(t, chen.Departments, 3)
		needs, err := c.Auth().Account(t.Context(), chen.ID)
		require.NoError(t, err)
		require.Zero(t, needs, "an import gives nobody a password")
		_, changed, refused := c.bring(c.boss, importer.Request{SchemaCode: "role", QueryField: "code", Mode: importer.Update}, "编码,名称,备注", "staff,全体员工,所有人", "organisationManager,系统管理员,")
		require.Equal(t, int64(1), changed)
		require.Equal(t, []string{"3 name 203002"}, refused)
	})
}

// TestGrants: who may edit people gives nobody a role that they could not give, on whatever way it comes.
func TestGrants(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		hr := c.Person("hr", "organisationManager")
		li := c.Person("li", "staff")
		roles := func(code string) map[string]any { return map[string]any{"roles": []string{c.role(code)}} }
		// By the definitions of the pack: the property is read-only for an organization manager.
		require.Equal(t, "roles 302003", why(c.change(hr, "user", li.UserID, roles("administrator"))))
		require.Equal(t, "roles 302003", why(c.change(hr, "user", hr.UserID, roles("administrator"))))
		_, err := c.try(hr, "user", map[string]any{"username": "new", "name": "new", "roles": []string{c.role("staff")}})
		require.Equal(t, "roles 302003", why(err))
		version := int64(1)
		_, err = c.Writer().Save(t.Context(), c.View(hr), record.Change{Model: "user", Form: "user", ID: li.UserID, Version: &version,
			Set: map[string]json.RawMessage{"roles": json.RawMessage(`["` + c.role("administrator") + `"]`)}})
		require.Equal(t, "roles 302003", why(err), "through the form")
		_, err = c.Bulk().Run(t.Context(), c.View(hr), bulk.Request{Kind: bulk.BatchUpdate, Property: "roles", Value: json.RawMessage(`["` + c.role("administrator") + `"]`),
			Selection: query.SelectionRequest{SchemaCode: "user", QueryCode: "user", ObjectIDs: []string{li.UserID}}})
		require.Equal(t, fault.FieldNotBulk, fault.Of(err), "%v", err)
		_, _, refused := c.bring(hr, importer.Request{SchemaCode: "user", QueryField: "username", Mode: importer.Update}, "账号,姓名,角色", "li,李,系统管理员")
		require.NotContains(t, c.rolesOf(li), "administrator", "%v", refused)
		require.Equal(t, "roles 302003", why(c.handRoles(hr, hr.UserID, li.UserID)), "nor by a handover")
		// Who may write the property gives what they have themselves, and no more.
		clerk := c.Person("clerk", "keeper")
		require.Equal(t, "roles 302009", why(c.change(clerk, "user", li.UserID, roles("administrator"))))
		require.Equal(t, "roles 302009", why(c.change(clerk, "user", clerk.UserID, roles("administrator"))))
		_, _, refused = c.bring(clerk, importer.Request{SchemaCode: "user", QueryField: "username", Mode: importer.Update}, "账号,姓名,角色", "li,李,系统管理员")
		require.Equal(t, []string{"2 roles 302009"}, refused)
		require.NoError(t, c.change(clerk, "user", li.UserID, roles("staff")))
		require.Equal(t, "disabled 302017", why(c.change(clerk, "user", c.boss.UserID, map[string]any{"disabled": true})))
		_, err = c.press(clerk, "resetPassword", c.boss.UserID)
		require.Equal(t, fault.FieldAbove, fault.Of(err), "nor the password of those above: %v", err)
		_, err = c.press(clerk, "resetFactor", c.boss.UserID)
		require.Equal(t, fault.FieldAbove, fault.Of(err), "nor their second factor: %v", err)
		require.Equal(t, "email 302017", why(c.change(clerk, "user", c.boss.UserID, map[string]any{"email": "clerk@example.com"})), "nor the address that a provider knows them by")
		_, err = c.press(clerk, "resetFactor", li.UserID)
		require.Equal(t, fault.FactorState, fault.Of(err), "%v", err)
		require.Equal(t, []string{"staff"}, c.rolesOf(li))
	})
}

// TestNoPasswordIsKept: the answer of a call that may be repeated is kept, so it cannot be a password.
func TestNoPasswordIsKept(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		li := c.Person("li", "staff")
		r, _, known := c.State().Catalog.RouteOf("POST", "/api/keepers/password")
		require.True(t, known)
		in := app.Input{Body: []byte(`{"user": "` + li.UserID + `"}`), Token: "again"}
		_, err := c.Call(t.Context(), c.View(c.boss), r, in)
		require.Equal(t, fault.BadParameter, fault.Of(err))
		in.Token = ""
		out, err := c.Call(t.Context(), c.View(c.boss), r, in)
		require.NoError(t, err)
		require.Contains(t, string(out), "password")
	})
}

func (c *company) rolesOf(p principal.Principal) []string {
	person, _ := c.People().Person(c.t.Context(), p.UserID)
	return person.Roles
}

func (c *company) handRoles(who principal.Principal, from, to string) error {
	_, err := c.try(who, "handover", map[string]any{"source": from, "target": to, "roles": true})
	if err != nil {
		return err
	}
	return nil
}

// press answers a button of the list of people.
func (c *company) press(who principal.Principal, action string, ids ...string) (string, error) {
	out, err := c.Press(c.t.Context(), c.State(), c.View(who), query.ActionRequest{SchemaCode: "user", QueryCode: "user", ActionCode: action, ObjectIDs: ids})
	if err != nil {
		return "", err
	}
	var in struct{ Password string }
	require.NoError(c.t, json.Unmarshal(out.Data, &in))
	return in.Password, nil
}

// TestPasswords: an administrator makes a password that has to be changed, and disabling ends sessions, on both of two nodes.
func TestPasswords(t *testing.T) {
	t.Parallel()
	filled.Each(t, func(t *testing.T, o store.Options) {
		at := packtest.Database{URL: o.URL, Dir: o.Dir}
		one := &company{System: packtest.BootOn(t, at, plugintest.Register), t: t}
		one.boss = one.Person("boss", "administrator")
		nodes := []*app.App{one.App}
		if o.URL != "" { // SQLite has one node
			nodes = append(nodes, packtest.BootOn(t, at, plugintest.Register).App)
		}
		li := one.Person("li", "staff")
		first, err := one.press(one.boss, "resetPassword", li.UserID)
		require.NoError(t, err)
		require.Len(t, first, 16)
		account, err := one.Auth().Account(t.Context(), li.UserID)
		require.NoError(t, err)
		require.True(t, account.MustReset)
		session := func() string {
			token, err := one.Auth().ScriptToken(t.Context(), li.UserID, "", time.Hour)
			require.NoError(t, err)
			for _, n := range nodes {
				require.Eventually(t, func() bool { _, err := n.Auth().Authenticate(t.Context(), token); return err == nil }, 10*time.Second, 20*time.Millisecond)
			}
			return token
		}
		out := func(token string) {
			t.Helper()
			for _, n := range nodes {
				require.Eventually(t, func() bool {
					_, err := n.Auth().Authenticate(t.Context(), token)
					return fault.Of(err) == fault.TokenExpired
				}, 10*time.Second, 20*time.Millisecond)
			}
		}
		token := session()
		second, err := one.press(one.boss, "resetPassword", li.UserID)
		require.NoError(t, err)
		require.NotEqual(t, first, second)
		out(token)
		token = session()
		_, err = one.press(one.boss, "disableUser", li.UserID)
		require.NoError(t, err)
		out(token)
		_, err = one.press(one.boss, "resetPassword", li.UserID)
		require.Equal(t, fault.ActionNotEnabled, fault.Of(err))
		_, err = one.press(one.boss, "enableUser", li.UserID)
		require.NoError(t, err)
		out(token) // it does not come back
		_, err = one.press(one.boss, "resetPassword", one.boss.UserID)
		require.Equal(t, fault.ActionNotEnabled, fault.Of(err), "one's own is changed with the present one")
		_, err = one.press(one.boss, "disableUser", one.boss.UserID)
		require.Equal(t, fault.ActionNotEnabled, fault.Of(err))
		_, err = one.press(li, "resetPassword", one.boss.UserID)
		require.Equal(t, fault.ActionNotOffered, fault.Of(err))
		// Nothing that is kept holds the password.
		for _, entry := range one.History(t, one.boss, "user", li.UserID) {
			text, err := json.Marshal(entry)
			require.NoError(t, err)
			require.NotContains(t, string(text), second)
		}
	})
}
