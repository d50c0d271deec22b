package comment_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestComments runs every test in one world of each kind of database.
func TestComments(t *testing.T) {
	each(t, map[string]func(*world){
		"rights": rights, "writing": writing, "limits": limits, "mentions": mentions, "replies": replies, "deleting": deleting, "files": files,
		"idempotency": idempotency, "paging": paging, "people": people, "sweeping": sweeping, "following": following,
	})
}

// rights: the person who sees the record reads and writes its comments, nobody else finds any; a comment is its author's to change.
func rights(w *world) {
	open, secret := w.task("open", "OPEN"), w.task("secret", "SECRET")
	mine := w.add("guest", comment.Draft{At: open, Text: "from outside"})
	hidden := w.add("bob", comment.Draft{At: secret, Text: "inside"})
	s, ctx := w.app.Comments(), w.Context()
	for user, want := range map[string]fault.Code{"stranger": fault.ModelNotFound, "guest": fault.RecordNotFound} {
		_, err := s.List(ctx, w.as(user), secret, "", 10)
		w.refused(want, err)
		_, err = s.Add(ctx, w.as(user), comment.Draft{At: secret, Text: "x"})
		w.refused(want, err)
		_, err = s.People(ctx, w.as(user), secret, "", 10)
		w.refused(want, err)
		_, err = s.Update(ctx, w.as(user), hidden.ID, comment.Draft{Text: "x"})
		w.refused(fault.CommentNotFound, err)
		w.refused(fault.CommentNotFound, s.Delete(ctx, w.as(user), hidden.ID))
	}
	_, err := s.Update(ctx, w.as("bob"), mine.ID, comment.Draft{Text: "x"})
	w.refused(fault.CommentForeign, err)
	w.refused(fault.CommentForeign, s.Delete(ctx, w.as("bob"), mine.ID))
	_, err = s.Add(ctx, w.as("bob"), comment.Draft{At: open, ReplyTo: hidden.ID, Text: "of another record"})
	w.refused(fault.CommentNotFound, err)
	w.keep(open, "SECRET")
	_, err = s.Update(ctx, w.as("guest"), mine.ID, comment.Draft{Text: "x"})
	w.refused(fault.CommentNotFound, err)
	require.Equal(w, "from outside", w.list("ann", open).Content[0].Text)
}

// writing: what is said is kept as plain text, in the order of time; an edit shows that it was one.
func writing(w *world) {
	at := w.task("writing", "OPEN")
	first := w.add("ann", comment.Draft{At: at, Text: "  <b>one</b>\r\n\x00\x1btwo\t  "})
	w.add("bob", comment.Draft{At: query.Ref{SchemaCode: "TASK", ID: at.ID}, Text: "second"})
	page := w.list("ann", at)
	require.EqualValues(w, 2, page.Total)
	require.Equal(w, []string{"<b>one</b>\ntwo", "second"}, []string{page.Content[0].Text, page.Content[1].Text})
	require.True(w, page.Content[0].Mine && !page.Content[1].Mine)
	require.Equal(w, "Ann", page.Content[0].Author.Name)
	require.Nil(w, page.Content[0].Edited)
	_, err := w.app.Comments().Update(w.Context(), w.as("ann"), first.ID, comment.Draft{Text: "one, again"})
	require.NoError(w, err)
	edited := w.list("bob", at).Content[0]
	require.Equal(w, "one, again", edited.Text)
	require.NotNil(w, edited.Edited)
}

func limits(w *world) {
	at := w.task("limits", "OPEN")
	add := func(d comment.Draft) error {
		d.At = at
		_, err := w.app.Comments().Add(w.Context(), w.as("dan"), d)
		return err
	}
	w.refused(fault.CommentEmpty, add(comment.Draft{Text: " \n\x01 "}))
	w.refused(fault.CommentTooLong, add(comment.Draft{Text: strings.Repeat("字", comment.MaxText+1)}))
	many := make([]string, 21)
	for i := range many {
		many[i] = fmt.Sprint(i)
	}
	w.refused(fault.CommentMentions, add(comment.Draft{Text: "x", Mentions: many}))
	w.refused(fault.CommentFiles, add(comment.Draft{Text: "x", Files: many}))
	w.refused(fault.BadParameter, add(comment.Draft{Text: "x", Mentions: []string{"nobody"}}))
	require.NoError(w, add(comment.Draft{Text: strings.Repeat("字", comment.MaxText)}))
	noon := time.Now().Add(time.Hour)
	w.moment.Store(&noon)
	for range 20 {
		require.NoError(w, add(comment.Draft{Text: "fast"}))
	}
	err := add(comment.Draft{Text: "too fast"})
	w.refused(fault.CommentTooOften, err)
	later := noon.Add(61 * time.Second)
	w.moment.Store(&later)
	require.NoError(w, add(comment.Draft{Text: "with a pause"}))
}

// mentions: who is mentioned gets one message; the person who may not see the record cannot be mentioned, and nothing is written.
func mentions(w *world) {
	at := w.task("Gate 7", "SECRET")
	_, err := w.app.Comments().Add(w.Context(), w.as("ann"), comment.Draft{At: at, Text: "@Guest look", Mentions: w.mentioned("bob", "guest")})
	w.refused(fault.CommentMention, err)
	require.Empty(w, w.list("ann", at).Content)
	require.Empty(w, w.about("bob", at))

	c := w.add("ann", comment.Draft{At: at, Text: "@Bob look at 50%_done", Mentions: append(w.mentioned("bob", "blind", "ann"), w.ids["bob"])})
	require.Len(w, c.Mentions, 3)
	got := w.about("bob", at)
	require.Len(w, got, 1)
	require.Equal(w, notify.Mention, got[0].Type)
	require.Equal(w, notify.Comment, got[0].Kind)
	require.Equal(w, "UNREADED", got[0].ReadState)
	require.Equal(w, "Ann mentioned you in “Gate 7”", got[0].Title)
	require.Equal(w, "@Bob look at 50%_done", got[0].Content)
	require.Equal(w, "Ann", got[0].Sender.Name)
	require.Contains(w, got[0].Biz, c.ID)
	require.Empty(w, w.about("ann", at), "not to oneself")

	blind := w.about("blind", at)
	require.Len(w, blind, 1)
	require.Equal(w, "Ann mentioned you in a comment", blind[0].Title, "the record's name is hidden from them")
	require.NotContains(w, blind[0].Biz, "Gate 7")
	require.Empty(w, w.messages("blind", notify.Search{Keyword: "gate 7"}).Content)

	require.Len(w, w.messages("bob", notify.Search{Keyword: "gATE 7"}).Content, 1)
	require.Len(w, w.messages("bob", notify.Search{Keyword: "0%_d"}).Content, 1)
	require.Empty(w, w.messages("bob", notify.Search{Keyword: "0%%d"}).Content, "no sign is a wildcard")

	edit := func(text string, to ...string) {
		_, err := w.app.Comments().Update(w.Context(), w.as("ann"), c.ID, comment.Draft{Text: text, Mentions: w.mentioned(to...)})
		require.NoError(w, err)
	}
	edit("@Bob @Cid look again", "bob", "cid")
	edit("@Bob @Cid look once more", "bob", "cid")
	require.Len(w, w.about("bob", at), 1, "an edit tells nobody twice")
	require.Equal(w, "@Bob @Cid look once more", w.about("bob", at)[0].Content)
	require.Len(w, w.about("cid", at), 1)
}

// replies: the author of the comment hears of a reply, once, and not of their own; and nothing when they may not see the record
// any more.
func replies(w *world) {
	at := w.task("Replies", "OPEN")
	asked := w.add("bob", comment.Draft{At: at, Text: "a question"})
	reply := w.add("ann", comment.Draft{At: at, ReplyTo: asked.ID, Text: "an answer"})
	require.Equal(w, "a question", reply.ReplyTo.Text)
	require.Equal(w, "Bob", reply.ReplyTo.Author.Name)
	got := w.about("bob", at)
	require.Len(w, got, 1)
	require.Equal(w, notify.Reply, got[0].Type)
	require.Equal(w, "Ann replied to your comment on “Replies”", got[0].Title)
	w.add("bob", comment.Draft{At: at, ReplyTo: asked.ID, Text: "to myself"})
	w.add("ann", comment.Draft{At: at, ReplyTo: asked.ID, Text: "@Bob", Mentions: w.mentioned("bob")})
	got = w.about("bob", at)
	require.Len(w, got, 2, "a reply that mentions is one message")
	require.Equal(w, notify.Mention, got[0].Type)

	outside := w.add("guest", comment.Draft{At: at, Text: "may I?"})
	w.keep(at, "SECRET")
	w.add("ann", comment.Draft{At: at, ReplyTo: outside.ID, Text: "no"})
	require.Empty(w, w.about("guest", at))
}

// deleting: the text, the files and the messages go; where somebody replied the place stays.
func deleting(w *world) {
	at, s := w.task("Deleting", "OPEN"), w.app.Comments()
	file := w.upload("ann", "gone.txt")
	alone := w.add("ann", comment.Draft{At: at, Text: "@Bob secret plan", Mentions: w.mentioned("bob"), Files: []string{file}})
	asked := w.add("ann", comment.Draft{At: at, Text: "asked", Mentions: w.mentioned("cid")})
	reply := w.add("bob", comment.Draft{At: at, ReplyTo: asked.ID, Text: "answered"})
	require.Len(w, w.about("bob", at), 1)
	require.NoError(w, s.Delete(w.Context(), w.as("ann"), alone.ID))
	require.NoError(w, s.Delete(w.Context(), w.as("ann"), asked.ID))
	w.refused(fault.CommentNotFound, s.Delete(w.Context(), w.as("ann"), asked.ID))
	require.Empty(w, w.about("bob", at))
	require.Empty(w, w.about("cid", at))
	_, err := w.app.Reader().File(w.Context(), w.rights("ann"), file)
	w.refused(fault.FileNotFound, err)

	page := w.list("cid", at)
	require.EqualValues(w, 1, page.Total)
	require.Len(w, page.Content, 2)
	require.True(w, page.Content[0].Deleted)
	require.Empty(w, page.Content[0].Text+page.Content[1].ReplyTo.Text)
	require.Empty(w, page.Content[0].Mentions)
	require.True(w, page.Content[1].ReplyTo.Deleted)
	_, err = s.Add(w.Context(), w.as("cid"), comment.Draft{At: at, ReplyTo: asked.ID, Text: "late"})
	w.refused(fault.CommentAnswered, err)
	require.NoError(w, s.Delete(w.Context(), w.as("bob"), reply.ID))
	require.Empty(w, w.list("cid", at).Content, "nothing holds the place any more")
}

// files: who sees the record may read them, and nobody else; only one's own uploads can be attached; held ones are no orphans.
func files(w *world) {
	at := w.task("Files", "SECRET")
	file, other := w.upload("ann", "plan.txt"), w.upload("bob", "other.txt")
	reads := func(user, id string) error {
		_, err := w.app.Reader().File(w.Context(), w.rights(user), id)
		return err
	}
	w.refused(fault.FileNotFound, reads("bob", file))
	for _, ids := range [][]string{{other}, {file, "none"}} {
		_, err := w.app.Comments().Add(w.Context(), w.as("ann"), comment.Draft{At: at, Files: ids})
		w.refused(fault.FileNotFound, err)
	}
	said := w.add("ann", comment.Draft{At: at, Files: []string{file}})
	require.Equal(w, "plan.txt", said.Files[0].Name)
	require.NoError(w, reads("bob", file))
	w.refused(fault.FileNotFound, reads("guest", file))
	w.refused(fault.FileNotFound, reads("stranger", file))
	late := time.Now().Add(100 * time.Hour)
	w.moment.Store(&late)
	_, err := w.app.Files().Sweep(w.Context())
	require.NoError(w, err)
	require.NoError(w, reads("bob", file))
	w.keep(at, "OPEN")
	require.NoError(w, reads("guest", file))
	_, err = w.app.Comments().Add(w.Context(), w.as("ann"), comment.Draft{At: at, Files: []string{file}})
	w.refused(fault.FileNotFound, err) // a file is one comment's own
	_, err = w.app.Comments().Update(w.Context(), w.as("ann"), said.ID, comment.Draft{Text: "with", Files: []string{file}})
	require.NoError(w, err)
	require.NoError(w, reads("bob", file))
	_, err = w.app.Comments().Update(w.Context(), w.as("ann"), said.ID, comment.Draft{Text: "without"})
	require.NoError(w, err)
	w.refused(fault.FileNotFound, reads("bob", file))
	w.refused(fault.FileNotFound, reads("ann", file))
	n, err := w.app.Files().Sweep(w.Context())
	require.NoError(w, err)
	require.Positive(w, n, "what no comment holds any more is swept")
}

// idempotency: a repeat answers the first comment and tells nobody again, however close the two calls are.
func idempotency(w *world) {
	at := w.task("Again", "OPEN")
	d := comment.Draft{At: at, Text: "@Bob once", Mentions: w.mentioned("bob"), Token: "key"}
	ids := make([]string, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if c, err := w.app.Comments().Add(w.Context(), w.as("ann"), d); err == nil {
				ids[i] = c.ID
			}
		})
	}
	all.Wait()
	require.NotEmpty(w, ids[0])
	require.Len(w, slices.Compact(ids), 1)
	require.Len(w, w.list("ann", at).Content, 1)
	require.Len(w, w.about("bob", at), 1)
	d.Text = "@Bob twice"
	_, err := w.app.Comments().Add(w.Context(), w.as("ann"), d)
	w.refused(fault.RepeatSubmit, err)
	require.NotEqual(w, ids[0], w.add("bob", comment.Draft{At: at, Text: "x", Token: "key"}).ID, "a key is each person's own")
}

func paging(w *world) {
	at := w.task("Paging", "OPEN")
	for i := range 7 {
		w.add("bob", comment.Draft{At: at, Text: fmt.Sprint(i)})
	}
	var seen []string
	before := ""
	for {
		page, err := w.app.Comments().List(w.Context(), w.as("ann"), at, before, 3)
		require.NoError(w, err)
		require.EqualValues(w, 7, page.Total)
		texts := []string{}
		for _, c := range page.Content {
			texts = append(texts, c.Text)
		}
		if seen = append(texts, seen...); !page.More {
			break
		}
		before = page.Content[0].ID
	}
	require.Equal(w, []string{"0", "1", "2", "3", "4", "5", "6"}, seen)
	_, err := w.app.Comments().List(w.Context(), w.as("ann"), at, "", 101)
	w.refused(fault.PageOutOfRange, err)
}

// people: those who may see the record are offered, as it is now.
func people(w *world) {
	at := w.task("People", "SECRET")
	names := func(keyword string) (out []string) {
		found, err := w.app.Comments().People(w.Context(), w.as("ann"), at, keyword, 10)
		require.NoError(w, err)
		for _, p := range found {
			out = append(out, p.Name)
		}
		return out
	}
	require.ElementsMatch(w, []string{"Blind", "Bob", "Cid", "Dan"}, names(""))
	require.Empty(w, names("guest"))
	w.keep(at, "OPEN")
	require.Equal(w, []string{"Guest"}, names("gue"))
}

// sweeping: a deleted record takes its comments out of sight, and they are removed.
func sweeping(w *world) {
	gone, stays := w.task("Gone", "OPEN"), w.task("Stays", "OPEN")
	w.add("ann", comment.Draft{At: gone, Text: "x", Files: []string{w.upload("ann", "x.txt")}})
	w.add("ann", comment.Draft{At: stays, Text: "y"})
	_, err := w.app.Comments().Sweep(w.Context())
	require.NoError(w, err)
	require.Len(w, w.list("ann", gone).Content, 1)
	_, err = w.app.Writer().Delete(w.Context(), w.rights("ann"), "task", []string{gone.ID})
	require.NoError(w, err)
	_, err = w.app.Comments().List(w.Context(), w.as("ann"), gone, "", 10)
	w.refused(fault.RecordNotFound, err)
	// As long as the record lies in the recycle bin its comments wait for it.
	require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
		if tx.System().Migrator().HasTable("sl_recycle") {
			return nil
		}
		if err := tx.System().Exec("CREATE TABLE sl_recycle (model text, record text)").Error; err != nil {
			return err
		}
		return tx.System().Exec("INSERT INTO sl_recycle VALUES ('task', ?)", gone.ID).Error
	}))
	n, err := w.app.Comments().Sweep(w.Context())
	require.NoError(w, err)
	require.Zero(w, n)
	require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error { return tx.System().Exec("DELETE FROM sl_recycle").Error }))
	n, err = w.app.Comments().Sweep(w.Context())
	require.NoError(w, err)
	require.Equal(w, 1, n)
	var left, files int64
	require.NoError(w, w.app.Store().Read(w.Context(), func(_ context.Context, tx *store.Tx) error {
		if err := tx.System().Table("sl_comment").Where("record = ?", gone.ID).Count(&left).Error; err != nil {
			return err
		}
		return tx.System().Table("sl_comment_file").Where("comment_id NOT IN (SELECT id FROM sl_comment)").Count(&files).Error
	}))
	require.Zero(w, left+files)
	require.Len(w, w.list("ann", stays).Content, 1)
}

// following: pages that watch a record hear of each change of its comments, and the recipient's of their unread messages.
func following(w *world) {
	at := w.task("Live", "OPEN")
	events, leave := w.app.Events().Join(w.ids["bob"], "comments:task/"+at.ID)
	defer leave()
	await := func(name, data string) {
		w.Helper()
		deadline := time.After(10 * time.Second)
		for {
			select {
			case e := <-events:
				if e.Name == name && strings.Contains(e.Data, data) {
					return
				}
			case <-deadline:
				w.Fatalf("no event %s with %s", name, data)
			}
		}
	}
	before, err := w.app.Messages().Unread(w.Context(), w.reader("bob"))
	require.NoError(w, err)
	await("message", fmt.Sprintf(`"COMMENT":%d`, before.Comment))
	c := w.add("ann", comment.Draft{At: at, Text: "for all"})
	await("comments", at.ID)
	require.NoError(w, w.app.Comments().Delete(w.Context(), w.as("ann"), c.ID))
	await("comments", at.ID)
	w.add("ann", comment.Draft{At: at, Text: "@Bob", Mentions: w.mentioned("bob")})
	await("message", fmt.Sprintf(`"COMMENT":%d`, before.Comment+1))
}
