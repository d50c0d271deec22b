package organisation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/draft"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/savedfilter"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// furnish gives a person one thing of each kind, and returns the text of the link.
func (c *company) furnish(who, to, from principal.Principal) (link, token string) {
	c.t.Helper()
	ctx, now := c.t.Context(), c.Now()
	link, err := c.Auth().MakeLink(ctx, who.UserID, authn.LinkOf{Form: "door", Label: "door", Life: time.Hour})
	require.NoError(c.t, err)
	token, err = c.Auth().ScriptToken(ctx, who.UserID, "script", time.Hour)
	require.NoError(c.t, err)
	_, err = c.Drafts().Save(ctx, c.View(who), draft.Input{SchemaCode: "department", Data: map[string]json.RawMessage{"name": json.RawMessage(`"D"`)}})
	require.NoError(c.t, err)
	require.NoError(c.t, publish.KeepDraft(ctx, c.Store(), publish.Draft{Owner: who.UserID, Pack: "p", Path: "lists/a.json", Text: "{}", At: now}))
	name, shared := "mine", true
	_, err = c.SavedFilters().Add(ctx, c.View(who), "department", "department", savedfilter.Change{Name: &name, Shared: &shared})
	require.NoError(c.t, err)
	for _, d := range []struct{ from, to principal.Principal }{{who, to}, {from, who}} {
		_, err = c.Workflows().Delegate(ctx, c.View(d.from), workflow.DelegationOrder{To: d.to.UserID, Starts: now.Add(-time.Minute), Ends: now.Add(time.Hour), Enabled: true})
		require.NoError(c.t, err)
	}
	require.NoError(c.t, c.Store().Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := c.Jobs().Enqueue(ctx, tx, "pack:organisation.handoverTasks", map[string]any{}, job.Options{Owner: who.UserID, RunAt: now.Add(time.Hour)})
		return err
	}))
	return link, token
}

// left are what a person has, as the dialog of disabling shows it: "link 1 pauses ends moves".
func (c *company) left(who principal.Principal, person string) (out []string, err error) {
	answer, err := c.Press(c.t.Context(), c.State(), c.View(who), query.ActionRequest{SchemaCode: "user", QueryCode: "user", ActionCode: "disableUser", ObjectIDs: []string{person},
		Input: map[string]json.RawMessage{"look": json.RawMessage("true")}})
	if err != nil {
		return nil, err
	}
	var in struct{ Content []world.Belonging }
	require.NoError(c.t, json.Unmarshal(answer.Data, &in))
	for _, b := range in.Content {
		if b.Count > 0 {
			out = append(out, fmt.Sprintf("%s %d %s %s %s", b.Kind, b.Count, b.Disabled, b.Deleted, b.Handed))
		}
	}
	return out, nil
}

// logged are the entries of the audit log about a person, of kinds that begin with "person", the oldest first.
func (c *company) logged(person string) (out []string) {
	page, err := c.Audit().Page(c.t.Context(), audit.Query{Person: person, Size: 50})
	require.NoError(c.t, err)
	for _, e := range page.Entries {
		if !strings.HasPrefix(string(e.Kind), "person.") || e.Subject != person {
			continue
		}
		var facts []string
		for k, v := range e.Detail {
			facts = append(facts, k+" "+v)
		}
		slices.Sort(facts)
		out = append([]string{string(e.Kind) + ": " + strings.Join(facts, ", ")}, out...)
	}
	return out
}

// TestBelongings: who disables somebody sees before what the person has; what acts in the person's name stops, is paused or ends as the register says,
// and moves with a handover.
func TestBelongings(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		ctx := t.Context()
		li, wang, zhao := c.Person("li", "sharer"), c.Person("wang", "sharer"), c.Person("zhao", "sharer")
		link, token := c.furnish(li, wang, zhao)
		opens := func() fault.Code {
			_, _, err := c.Auth().OpenLink(ctx, "door", link, "192.0.2.1")
			return fault.Of(err)
		}
		opened, _, err := c.Auth().OpenLink(ctx, "door", link, "192.0.2.1")
		require.NoError(t, err)
		had, err := c.left(wang, li.UserID)
		require.NoError(t, err)
		require.Equal(t, []string{"token 1 ends ends ends", "link 1 pauses ends moves", "draft 1 stays ends moves", "documentDraft 1 stays ends moves", "sharedFilter 1 stays stays moves",
			"delegation 1 ends ends stays", "delegatedTo 1 ends ends stays", "job 1 ends ends ends", "role 1 stays stays moves"}, had)
		require.Empty(t, c.logged(li.UserID), "looking changes nothing")
		_, err = c.left(li, wang.UserID)
		require.NoError(t, err)
		_, err = c.left(wang, c.boss.UserID)
		require.Equal(t, fault.FieldAbove, fault.Of(err), "not of those above")

		require.NoError(t, c.change(wang, "user", li.UserID, map[string]any{"disabled": true}))
		require.NoError(t, c.People().Fresh(ctx))
		_, err = c.Workflows().Delegate(ctx, c.View(zhao), workflow.DelegationOrder{To: wang.UserID, Starts: c.Now(), Ends: c.Now().Add(time.Hour)}) // which looks at what is over
		require.NoError(t, err)
		require.True(t, slices.ContainsFunc(c.told(zhao, "en"), func(m string) bool { return strings.HasPrefix(m, "52 ") }), "the delegation to them is over")
		require.Equal(t, fault.LinkGone, opens())
		_, err = c.Auth().LinkOpened(ctx, opened)
		require.Equal(t, fault.LinkGone, fault.Of(err), "nor does it go on in a browser that opened it")
		links, err := c.Auth().Links(ctx, "door")
		require.NoError(t, err)
		require.True(t, links[0].Paused)
		require.NoError(t, c.change(wang, "user", li.UserID, map[string]any{"disabled": false}))
		require.NoError(t, c.People().Fresh(ctx))
		require.Zero(t, opens(), "what was paused goes on")
		_, err = c.Auth().LinkOpened(ctx, opened)
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			_, err := c.Auth().Authenticate(ctx, token)
			return fault.Of(err) == fault.TokenExpired
		}, 5*time.Second, 20*time.Millisecond, "what ended stays ended")
		had, err = c.left(wang, li.UserID)
		require.NoError(t, err)
		require.Equal(t, []string{"link 1 pauses ends moves", "draft 1 stays ends moves", "documentDraft 1 stays ends moves", "sharedFilter 1 stays stays moves", "role 1 stays stays moves"}, had)
		require.Equal(t, []string{"person.disable: delegatedTo 1, delegation 1, job 1, link 1, token 1", "person.enable: link 1"}, c.logged(li.UserID))

		// A link that is handed over while the account is disabled works again. A colleague without the right to manage li cannot hand it over.
		require.NoError(t, c.change(wang, "user", li.UserID, map[string]any{"disabled": true}))
		id, err := c.try(wang, "handover", map[string]any{"source": li.UserID, "target": zhao.UserID})
		require.NoError(t, err)
		require.NoError(t, c.People().Fresh(ctx))
		require.Zero(t, opens())
		require.Equal(t, "4", fmt.Sprint(c.get("handover", id)["moved"]))
		had, err = c.left(wang, zhao.UserID)
		require.NoError(t, err)
		require.Equal(t, []string{"link 1 pauses ends moves", "draft 1 stays ends moves", "documentDraft 1 stays ends moves", "sharedFilter 1 stays stays moves", "role 1 stays stays moves"}, had)
		require.Equal(t, "person.handOver: documentDraft 1, draft 1, link 1, sharedFilter 1, to zhao", last(c.logged(li.UserID)))
		require.Contains(t, c.told(zhao, "zh"), "31 li 的工作已移交给您 | 操作人：wang；链接和草稿：4 项 ->")

		// Ended instead of handed over.
		_, err = c.Auth().ScriptToken(ctx, zhao.UserID, "script", time.Hour)
		require.NoError(t, err)
		id, err = c.try(wang, "handover", map[string]any{"source": zhao.UserID, "target": wang.UserID, "things": false, "endings": true})
		require.NoError(t, err)
		require.Equal(t, fault.LinkGone, opens())
		require.Equal(t, "5", fmt.Sprint(c.get("handover", id)["ended"]))
		had, err = c.left(wang, zhao.UserID)
		require.NoError(t, err)
		require.Equal(t, []string{"role 1 stays stays moves"}, had)
	})
}

func last(of []string) string { return of[len(of)-1] }

// TestBelongingsOfTheDeleted: what a person had ends with the record of the person.
func TestBelongingsOfTheDeleted(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		li, wang, zhao := c.Person("li", "sharer"), c.Person("wang", "sharer"), c.Person("zhao", "sharer")
		link, _ := c.furnish(li, wang, zhao)
		require.NoError(t, c.Do(c.boss, func(ctx context.Context, w world.World) error { return w.Delete(ctx, "user", li.UserID) }))
		require.NoError(t, c.People().Fresh(t.Context()))
		_, _, err := c.Auth().OpenLink(t.Context(), "door", link, "192.0.2.1")
		require.Equal(t, fault.LinkGone, fault.Of(err))
		require.Equal(t, []string{"person.delete: delegatedTo 1, delegation 1, documentDraft 1, draft 1, job 1, link 1, token 1"}, c.logged(li.UserID))
	})
}
