package workflow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// upload brings a file of somebody: a small picture, or a text.
func (w *world) upload(who, name string) string {
	w.Helper()
	var body bytes.Buffer
	if name == "ink.png" {
		ink := image.NewGray(image.Rect(0, 0, 8, 8))
		ink.Set(1, 1, color.White)
		require.NoError(w, png.Encode(&body, ink))
	} else {
		body.WriteString("some text")
	}
	f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: name, By: w.ids[who], Most: 1 << 20, Bytes: &body})
	require.NoError(w, err)
	return f.ID
}

func (w *world) reads(who, file string) bool {
	w.Helper()
	_, err := w.app.Reader().File(w.Context(), w.as(who), file)
	if err != nil {
		require.Equal(w, fault.FileNotFound, fault.Of(err))
	}
	return err == nil
}

func (w *world) signing() workflow.Done {
	w.Helper()
	done, err := w.flows().Start(w.Context(), w.as("ann"), workflow.Start{Workflow: "signing", Data: map[string]json.RawMessage{"title": raw("Lock gate")}})
	require.NoError(w, err)
	return done
}

func (w *world) log(who, instance string) []workflow.Opinion {
	w.Helper()
	track, err := w.flows().Track(w.Context(), w.as(who), instance)
	require.NoError(w, err)
	return track.Log
}

// TestSignature: where a node wants a signature nothing passes without one; it stays with the opinion whatever its person saves later.
func TestSignature(t *testing.T) {
	each(t, func(w *world) {
		done := w.signing()
		require.False(w, w.task("sue").Batch, "what has to be signed is not agreed to with others")
		require.Equal(w, fault.SignatureRequired, fault.Of(w.try("sue", flow.OpAgree)))
		require.Equal(w, fault.SignatureRequired, fault.Of(w.try("sue", flow.OpDisagree)))
		with := func(file string) func(*workflow.Command) {
			return func(c *workflow.Command) { c.Signature = file }
		}
		require.Equal(w, fault.SignatureInvalid, fault.Of(w.try("sue", flow.OpAgree, with(workflow.SavedSignature))), "nothing is saved")
		require.Equal(w, fault.SignatureInvalid, fault.Of(w.try("sue", flow.OpAgree, with(w.upload("sue", "note.txt")))), "no picture")
		require.Equal(w, fault.SignatureInvalid, fault.Of(w.try("sue", flow.OpAgree, with(w.upload("sam", "ink.png")))), "somebody else's")
		next, err := w.flows().Next(w.Context(), w.as("sue"), workflow.Command{Item: w.task("sue").ID, Do: flow.OpAgree})
		require.NoError(w, err, "what comes next is told before anybody signs")
		require.Equal(w, "hidden", next.Nodes[0].Node)

		first := w.upload("sue", "ink.png")
		saved, err := w.flows().SetPreferences(w.Context(), w.as("sue"), workflow.PreferenceChange{Signature: &first})
		require.NoError(w, err)
		require.Equal(w, first, *saved.Signature)
		require.True(w, w.reads("sue", first))
		require.False(w, w.reads("ann", first), "a saved signature is its person's")
		w.act("sue", flow.OpAgree, with(workflow.SavedSignature))
		require.True(w, w.reads("ann", first), "who may see the opinion may see the signature")
		require.False(w, w.reads("kim", first))

		second := w.upload("sue", "ink.png")
		_, err = w.flows().SetPreferences(w.Context(), w.as("sue"), workflow.PreferenceChange{Signature: &second})
		require.NoError(w, err)
		w.ahead.Add(int64(48 * time.Hour))
		_, err = w.app.Files().Sweep(w.Context())
		require.NoError(w, err)
		require.True(w, w.reads("ann", first), "the opinion keeps what it was signed with")
		entries := w.log("ann", done.Instance)
		at := slices.IndexFunc(entries, func(o workflow.Opinion) bool { return o.Operation == flow.OpAgree })
		require.Equal(w, first, *entries[at].Remark.Signature)
		track, err := w.flows().Track(w.Context(), w.as("ann"), done.Instance)
		require.NoError(w, err)
		items := track.Nodes[1].Rounds[0].Items
		signed := items[slices.IndexFunc(items, func(i workflow.Item) bool { return i.Participant.Name == "sue" })]
		require.Equal(w, first, *signed.Remark.Signature)

		none := ""
		_, err = w.flows().SetPreferences(w.Context(), w.as("sue"), workflow.PreferenceChange{Signature: &none})
		require.NoError(w, err)
		w.ahead.Add(int64(48 * time.Hour))
		_, err = w.app.Files().Sweep(w.Context())
		require.NoError(w, err)
		require.False(w, w.reads("sue", second), "what nothing shows any more is swept")
		kept, rebuilt, err := w.flows().Verify(w.Context(), done.Instance)
		require.NoError(w, err)
		require.Equal(w, kept, rebuilt)
	})
}

// TestAttachmentsOfOpinions: files go with the opinion, and a secret opinion hides them with the rest.
func TestAttachmentsOfOpinions(t *testing.T) {
	each(t, func(w *world) {
		done := w.signing()
		open, ink := w.upload("sue", "note.txt"), w.upload("sue", "ink.png")
		require.False(w, w.reads("ann", open))
		require.Equal(w, fault.FileNotFound, fault.Of(w.try("sue", flow.OpAgree, func(c *workflow.Command) { c.Signature, c.Files = ink, []string{w.upload("sam", "note.txt")} })), "somebody else's upload")
		require.Equal(w, fault.BadParameter, fault.Of(w.try("sue", flow.OpSave, func(c *workflow.Command) { c.Files = []string{open} })), "saving says nothing")
		w.act("sue", flow.OpAgree, func(c *workflow.Command) { c.Signature, c.Files = ink, []string{open} })
		require.True(w, w.reads("ann", open))
		require.True(w, w.reads("olga", open), "who comes next")
		require.False(w, w.reads("kim", open))

		hidden := w.upload("olga", "note.txt")
		w.act("olga", flow.OpAgree, says("between us"), func(c *workflow.Command) { c.Files, c.Mentions = []string{hidden}, []string{w.ids["ann"]} })
		last := func(who string) workflow.Opinion {
			entries := w.log(who, done.Instance)
			return entries[len(entries)-1]
		}
		require.Equal(w, "between us", last("olga").Text)
		require.Equal(w, hidden, last("olga").Remark.Files[0].RefID)
		require.Equal(w, hidden, last("eve").Remark.Files[0].RefID, "an administrator sees it")
		require.Nil(w, last("ann").Remark)
		require.Empty(w, last("ann").Text)
		require.False(w, w.reads("ann", hidden))
		require.False(w, w.reads("sue", hidden))
		require.True(w, w.reads("olga", hidden))
		page, err := w.app.Messages().Search(w.Context(), w.as("ann"), notify.Search{Type: "41", Size: 10})
		require.NoError(w, err)
		require.Len(w, page.Content, 1)
		require.NotContains(w, string(raw(page.Content[0])), "between us")

		w.ahead.Add(int64(48 * time.Hour))
		_, err = w.app.Files().Sweep(w.Context())
		require.NoError(w, err)
		require.True(w, w.reads("ann", open), "what an opinion holds is no orphan")
	})
}

// TestMentionsInOpinions: who takes part is told; who does not gets a copy where the node allows copies, and is refused elsewhere.
func TestMentionsInOpinions(t *testing.T) {
	each(t, func(w *world) {
		w.signing()
		ink := w.upload("sue", "ink.png")
		w.act("sue", flow.OpAgree, says("@ann @kim look"), func(c *workflow.Command) {
			c.Signature, c.Mentions = ink, []string{w.ids["ann"], w.ids["kim"], w.ids["sue"], w.ids["kim"]}
		})
		for _, who := range []string{"ann", "kim"} {
			page, err := w.app.Messages().Search(w.Context(), w.as(who), notify.Search{Type: "41", Size: 10})
			require.NoError(w, err)
			require.Len(w, page.Content, 1, who)
			require.Contains(w, page.Content[0].Content, "look", who)
			require.True(w, page.Content[0].Opens, who)
		}
		page, err := w.app.Messages().Search(w.Context(), w.as("sue"), notify.Search{Type: "41", Size: 10})
		require.NoError(w, err)
		require.Empty(w, page.Content, "nobody tells themselves")
		require.Len(w, w.list("kim", "unread"), 1, "a copy lets kim read it")
		require.Empty(w, w.list("ann", "unread"), "ann takes part already")

		require.Equal(w, fault.OpinionMention, fault.Of(w.try("olga", flow.OpAgree, func(c *workflow.Command) { c.Mentions = []string{w.ids["bob"]} })), "no copies there")
		require.Equal(w, fault.BadParameter, fault.Of(w.try("olga", flow.OpAgree, func(c *workflow.Command) { c.Mentions = []string{"nobody"} })))
		w.act("olga", flow.OpAgree, func(c *workflow.Command) { c.Mentions = []string{w.ids["kim"]} })
	})
}

// TestRelease: a claimed task goes back to everybody who could claim it, once.
func TestRelease(t *testing.T) {
	each(t, func(w *world) {
		done := w.signing()
		w.act("sue", flow.OpAgree, func(c *workflow.Command) { c.Signature = w.upload("sue", "ink.png") })
		w.act("olga", flow.OpAgree)
		before, err := w.flows().Detail(w.Context(), w.as("sam"), w.task("sam").ID)
		require.NoError(w, err)
		require.Contains(w, before.Actions, "claim")
		require.NotContains(w, before.Actions, "release")
		require.Equal(w, fault.ReleaseRefused, fault.Of(w.try("sam", flow.OpRelease)))
		lost := w.task("sue").ID
		w.act("sam", flow.OpClaim)
		require.Empty(w, w.list("sue", "unfinished"))
		_, err = w.flows().Detail(w.Context(), w.as("sue"), lost)
		var refused *fault.Error
		require.True(w, errors.As(err, &refused))
		require.Equal(w, fault.ItemFinished, refused.Code)
		told := refused.Data.(*workflow.Handled)
		require.Equal(w, w.ids["sam"], told.By.ID, "who has it is told")
		require.Equal(w, "claimed", told.Reason)
		require.NotNil(w, told.Time)

		held, err := w.flows().Detail(w.Context(), w.as("sam"), w.task("sam").ID)
		require.NoError(w, err)
		require.Contains(w, held.Actions, "release")
		w.act("sam", flow.OpRelease)
		require.Len(w, w.list("sue", "unfinished"), 1)
		require.Len(w, w.list("sam", "unfinished"), 1)
		w.act("sue", flow.OpAgree)
		require.Empty(w, w.list("sam", "unfinished"))
		kept, rebuilt, err := w.flows().Verify(w.Context(), done.Instance)
		require.NoError(w, err)
		require.Equal(w, kept, rebuilt)
		differs, err := w.flows().Differs(w.Context(), done.Instance, kept)
		require.NoError(w, err)
		require.Empty(w, differs)
	})
}

// TestQuickOpinions: everybody keeps their own; those of the installation are for the person who administers workflows.
func TestQuickOpinions(t *testing.T) {
	each(t, func(w *world) {
		get := func(who string) *workflow.Preferences {
			p, err := w.flows().Preferences(w.Context(), w.as(who))
			require.NoError(w, err)
			return p
		}
		require.Nil(w, get("sue").Common)
		own := []string{" fine ", "fine", "", "as  agreed"}
		_, err := w.flows().SetPreferences(w.Context(), w.as("sue"), workflow.PreferenceChange{Own: &own})
		require.NoError(w, err)
		require.Equal(w, []string{"fine", "as agreed"}, get("sue").Own)
		require.Empty(w, get("sam").Own)
		_, err = w.flows().SetPreferences(w.Context(), w.as("sue"), workflow.PreferenceChange{Common: &own})
		require.Equal(w, fault.Forbidden, fault.Of(err))
		_, err = w.flows().SetPreferences(w.Context(), w.as("eve"), workflow.PreferenceChange{Common: &own})
		require.NoError(w, err)
		require.Equal(w, []string{"fine", "as agreed"}, get("sam").Common)
		require.True(w, get("eve").CanEdit)
		many := make([]string, 21)
		for i := range many {
			many[i] = string(rune('a' + i))
		}
		_, err = w.flows().SetPreferences(w.Context(), w.as("sue"), workflow.PreferenceChange{Own: &many})
		require.Equal(w, fault.QuickOpinions, fault.Of(err))
		require.Equal(w, []string{"fine", "as agreed"}, get("sue").Own)
	})
}

// TestPredictions: what an action would lead to is told for those that pass a task on too.
func TestPredictions(t *testing.T) {
	each(t, func(w *world) {
		w.start("ann", 5)
		task := w.task("sue").ID
		next := func(c workflow.Command) *workflow.Next {
			c.Item = task
			out, err := w.flows().Next(w.Context(), w.as("sue"), c)
			require.NoError(w, err)
			return out
		}
		back := next(workflow.Command{Do: flow.OpReject, Node: "start"})
		require.Equal(w, "start", back.Nodes[0].Node)
		require.Equal(w, "ann", back.Nodes[0].People[0].Name)
		_, err := w.flows().Delegate(context.Background(), w.as("kim"), workflow.DelegationOrder{To: w.ids["bob"], Starts: w.app.Now().Add(-time.Hour), Ends: w.app.Now().Add(time.Hour), Enabled: true})
		require.NoError(w, err)
		given := next(workflow.Command{Do: flow.OpTransfer, People: []string{w.ids["kim"]}})
		require.Equal(w, "check", given.Nodes[0].Node)
		require.Equal(w, "bob", given.Nodes[0].People[0].Name, "kim's tasks go to bob now")
		require.True(w, next(workflow.Command{Do: flow.OpAgree}).Waits, "others have to decide")
		require.Len(w, w.list("sue", "unfinished"), 1)

		w.act("sue", flow.OpTransfer, func(c *workflow.Command) { c.People = []string{w.ids["kim"]} })
		only := func(delegated bool) int64 {
			page, err := w.flows().Items(w.Context(), w.as("bob"), "unfinished", workflow.Search{Size: 5, Delegated: delegated})
			require.NoError(w, err)
			return page.Total
		}
		w.start("bob", 1)
		require.EqualValues(w, 1, only(true))
		later := w.app.Now().Add(time.Hour)
		page, err := w.flows().Items(w.Context(), w.as("bob"), "unfinished", workflow.Search{Size: 5, From: &later})
		require.NoError(w, err)
		require.Zero(w, page.Total)
		page, err = w.flows().Items(w.Context(), w.as("bob"), "unfinished", workflow.Search{Size: 5, To: &later, Delegated: true})
		require.NoError(w, err)
		require.EqualValues(w, 1, page.Total)
	})
}
