package organisation_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/packtest"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// ends presses signIns for a person and returns what is left open, tokens by their labels.
func (c *company) ends(who principal.Principal, person string, input string) ([]world.SignIn, error) {
	var given map[string]json.RawMessage
	require.NoError(c.t, json.Unmarshal([]byte(input), &given))
	out, err := c.Press(audit.From(c.t.Context(), audit.Origin{Actor: who.UserID, Name: who.Name, Address: func() string { return "192.0.2.1" }}), c.State(), c.View(who), query.ActionRequest{SchemaCode: "user", QueryCode: "user", ActionCode: "signIns", ObjectIDs: []string{person}, Input: given})
	if err != nil {
		return nil, err
	}
	var in struct{ Content []world.SignIn }
	require.NoError(c.t, json.Unmarshal(out.Data, &in))
	return in.Content, nil
}

// TestSignIns: who looks after people sees where somebody is signed in and ends it, on both of two nodes, with an entry in the audit log; nobody does
// that to somebody above them, to themselves, or by the sessions of another person.
func TestSignIns(t *testing.T) {
	t.Parallel()
	filled.Each(t, func(t *testing.T, o store.Options) {
		at := packtest.Database{URL: o.URL, Dir: o.Dir}
		one := &company{System: packtest.BootOn(t, at, plugintest.Register, keepers), t: t}
		one.boss = one.Person("boss", "administrator")
		nodes := []*app.App{one.App}
		if o.URL != "" { // SQLite has one node
			nodes = append(nodes, packtest.BootOn(t, at, plugintest.Register, keepers).App)
		}
		li, manager, clerk := one.Person("li", "staff"), one.Person("manager", "organisationManager"), one.Person("clerk", "keeper")
		token := func(of principal.Principal, label string) string {
			text, err := one.Auth().ScriptToken(t.Context(), of.UserID, label, time.Hour)
			require.NoError(t, err)
			return text
		}
		state := func(token string, want fault.Code) {
			t.Helper()
			for _, n := range nodes {
				require.Eventually(t, func() bool {
					_, err := n.Auth().Authenticate(t.Context(), token)
					return fault.Of(err) == want
				}, 10*time.Second, 20*time.Millisecond)
			}
		}
		first, second, third, bosses := token(li, "first"), token(li, "second"), token(li, "third"), token(one.boss, "boss")
		for _, open := range []string{first, second, third, bosses} {
			state(open, 0)
		}
		list, err := one.ends(manager, li.UserID, `{}`)
		require.NoError(t, err)
		require.Equal(t, []string{"first", "second", "third"}, labels(list))
		require.True(t, list[0].Script)
		require.NotEmpty(t, list[0].CreatedTime)
		ofBoss, err := one.Auth().Sessions(t.Context(), one.boss.UserID)
		require.NoError(t, err)

		for _, refused := range []struct {
			who    principal.Principal
			person string
			input  string
			want   fault.Code
		}{
			{clerk, li.UserID, `{}`, fault.ActionNotOffered},    // without the right
			{li, one.boss.UserID, `{}`, fault.ActionNotOffered}, // without any
			{manager, one.boss.UserID, `{}`, fault.FieldAbove},  // above
			{manager, one.boss.UserID, `{"all":true}`, fault.FieldAbove},
			{manager, one.boss.UserID, `{"end":"` + ofBoss[0].ID + `"}`, fault.FieldAbove},
			{manager, manager.UserID, `{"all":true}`, fault.ActionNotEnabled},             // one's own
			{manager, li.UserID, `{"end":"` + ofBoss[0].ID + `"}`, fault.SessionNotFound}, // of somebody else
		} {
			_, err := one.ends(refused.who, refused.person, refused.input)
			require.Equal(t, refused.want, fault.Of(err), "%s %s", refused.who.Name, refused.input)
		}
		state(bosses, 0)

		list, err = one.ends(manager, li.UserID, `{"end":"`+list[1].ID+`"}`)
		require.NoError(t, err)
		require.Equal(t, []string{"first", "third"}, labels(list))
		state(second, fault.TokenExpired)
		state(first, 0)
		list, err = one.ends(one.boss, li.UserID, `{"all":true}`)
		require.NoError(t, err)
		require.Empty(t, list)
		state(first, fault.TokenExpired)
		state(third, fault.TokenExpired)
		log, err := one.Audit().Page(t.Context(), audit.Query{Kinds: []audit.Kind{audit.Revoked, audit.RevokedAll}, Size: 10})
		require.NoError(t, err)
		var by []string
		for _, entry := range log.Entries {
			require.Equal(t, li.UserID, entry.Subject)
			by = append(by, string(entry.Kind)+" by "+entry.Name)
		}
		require.Equal(t, []string{"session.revokeAll by " + one.boss.Name, "session.revoke by " + manager.Name}, by)
	})
}

func labels(list []world.SignIn) (out []string) {
	for _, one := range list {
		out = append(out, one.Label)
	}
	return out
}
