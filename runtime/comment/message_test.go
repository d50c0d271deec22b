package comment_test

import (
	"context"
	"fmt"
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

// TestMessages is here and not beside runtime/notify because comments are what sends them.
func TestMessages(t *testing.T) {
	each(t, map[string]func(*world){"own": own, "lost": lost, "reading": reading, "counts": counts, "retention": retention, "sending": sending})
}

// send tells somebody something in a transaction of its own.
func (w *world) send(m ...notify.Message) error {
	return w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error { return w.app.Messages().Send(tx, m...) })
}

// own: other people's messages do not exist.
func own(w *world) {
	require.NoError(w, w.send(notify.Message{To: w.ids["bob"], Type: 101, Sender: w.ids["ann"], Text: "for bob alone"}))
	his := w.messages("bob", notify.Search{Keyword: "for bob alone"}).Content
	require.Len(w, his, 1)
	require.Empty(w, w.messages("ann", notify.Search{Keyword: "for bob alone"}).Content)
	require.NoError(w, w.app.Messages().Read(w.Context(), w.reader("ann"), []string{his[0].ID}))
	require.Equal(w, "UNREADED", w.messages("bob", notify.Search{Keyword: "for bob alone"}).Content[0].ReadState)
	_, err := w.app.Messages().Target(w.Context(), w.reader("ann"), his[0].ID)
	w.refused(fault.MessageNotFound, err)
	for _, in := range []notify.Search{{Size: 101}, {Size: 10, Page: -1}, {Size: 10, Page: 1 << 40}} {
		_, err := w.app.Messages().Search(w.Context(), w.reader("ann"), in)
		w.refused(fault.PageOutOfRange, err)
	}
	for _, in := range []notify.Search{{Size: 10, Type: "MAIL"}, {Size: 10, ReadState: "x"}, {Size: 10, Type: "-1"}} {
		_, err := w.app.Messages().Search(w.Context(), w.reader("ann"), in)
		w.refused(fault.BadParameter, err)
	}
}

// lost: of a record that its reader sees no more a message tells neither name nor text.
func lost(w *world) {
	at := w.task("Hidden later", "OPEN")
	w.add("ann", comment.Draft{At: at, Text: "@Guest the price is 7", Mentions: w.mentioned("guest")})
	require.Equal(w, "Ann mentioned you in “Hidden later”", w.about("guest", at)[0].Title)
	w.keep(at, "SECRET")
	got := w.about("guest", at)[0]
	require.Equal(w, "Ann mentioned you in a comment", got.Title)
	require.Empty(w, got.Content)
	require.NotContains(w, got.Biz, "Hidden later")
	w.keep(at, "OPEN")
	require.Equal(w, "@Guest the price is 7", w.about("guest", at)[0].Content)
}

// reading: marked by id, by kind and all; the filters of the tabs.
func reading(w *world) {
	user, s, ctx := "blind", w.app.Messages(), w.Context()
	require.NoError(w, s.ReadAll(ctx, w.reader(user), ""))
	at := w.task("Reading", "OPEN")
	w.add("ann", comment.Draft{At: at, Text: "@Blind", Mentions: w.mentioned(user)})
	require.NoError(w, w.send(notify.Message{To: w.ids[user], Type: 101, Record: at, Name: "Reading"}, notify.Message{To: w.ids[user], Type: 201}))
	unread := func() [2]int64 {
		c, err := s.Unread(ctx, w.reader(user))
		require.NoError(w, err)
		return [2]int64{c.Station, c.Comment}
	}
	require.Equal(w, [2]int64{2, 1}, unread())
	page := w.messages(user, notify.Search{Type: "STATION", ReadState: "UNREADED", Size: 1})
	require.EqualValues(w, 2, page.Total)
	require.Len(w, page.Content, 1)
	require.Equal(w, "Message", page.Content[0].Title)
	require.EqualValues(w, 1, w.messages(user, notify.Search{Type: "101", ReadState: "UNREADED"}).Total)
	require.NoError(w, s.Read(ctx, w.reader(user), []string{page.Content[0].ID, "none"}))
	require.NoError(w, s.Read(ctx, w.reader(user), nil))
	require.Equal(w, [2]int64{1, 1}, unread())
	require.NoError(w, s.ReadAll(ctx, w.reader(user), "COMMENT"))
	require.Equal(w, [2]int64{1, 0}, unread())
	w.refused(fault.BadParameter, s.ReadAll(ctx, w.reader(user), "ALL"))
	require.NoError(w, s.ReadAll(ctx, w.reader(user), ""))
	require.Equal(w, [2]int64{0, 0}, unread())
	require.Equal(w, "READED", w.about(user, at)[0].ReadState)
}

// counts: many who write and one who reads at the same time lose and invent no message.
func counts(w *world) {
	require.NoError(w, w.app.Messages().ReadAll(w.Context(), w.reader("cid"), ""))
	before := w.messages("cid", notify.Search{}).Total
	const writers, each = 6, 10
	var all sync.WaitGroup
	errs := make(chan error, writers*each*2)
	for i := range writers {
		all.Go(func() {
			for j := range each {
				errs <- w.send(notify.Message{To: w.ids["cid"], Type: 101, Once: fmt.Sprintf("todo/%d/%d", i, j)},
					notify.Message{To: w.ids["cid"], Type: 101, Once: fmt.Sprintf("todo/%d/%d", 0, j)})
				if j == each/2 {
					errs <- w.app.Messages().ReadAll(w.Context(), w.reader("cid"), "STATION")
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		require.NoError(w, err)
	}
	require.EqualValues(w, before+writers*each, w.messages("cid", notify.Search{}).Total, "a key is told once")
	require.NoError(w, w.send(notify.Message{To: w.ids["cid"], Type: 101, Once: "todo/last"})) // of the others the last reading may have left none
	c, err := w.app.Messages().Unread(w.Context(), w.reader("cid"))
	require.NoError(w, err)
	require.Equal(w, w.messages("cid", notify.Search{ReadState: "UNREADED"}).Total, c.Station+c.Comment)
	require.Positive(w, c.Station)
}

// retention: what was read long ago goes, what was not stays.
func retention(w *world) {
	user := "stranger"
	require.NoError(w, w.send(notify.Message{To: w.ids[user], Type: 101, Text: "read"}, notify.Message{To: w.ids[user], Type: 101, Text: "not read"}))
	read := w.messages(user, notify.Search{Keyword: "read", ReadState: "UNREADED"}).Content
	for _, m := range read {
		if m.Content == "read" {
			require.NoError(w, w.app.Messages().Read(w.Context(), w.reader(user), []string{m.ID}))
		}
	}
	early := time.Now().Add(179 * 24 * time.Hour)
	w.moment.Store(&early)
	_, err := w.app.Messages().Sweep(w.Context())
	require.NoError(w, err)
	require.EqualValues(w, 2, w.messages(user, notify.Search{}).Total)
	at := time.Now().Add(181 * 24 * time.Hour)
	w.moment.Store(&at)
	_, err = w.app.Messages().Sweep(w.Context())
	require.NoError(w, err)
	require.Equal(w, "not read", w.messages(user, notify.Search{}).Content[0].Content)
	require.EqualValues(w, 1, w.messages(user, notify.Search{}).Total)
}

// sending: a message is there exactly when what causes it is; a type without words is a fault of the program.
func sending(w *world) {
	before := w.messages("bob", notify.Search{}).Total
	err := w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
		if err := w.app.Messages().Send(tx, notify.Message{To: w.ids["bob"], Type: 101}); err != nil {
			return err
		}
		return fault.New(fault.Forbidden)
	})
	w.refused(fault.Forbidden, err)
	require.Equal(w, before, w.messages("bob", notify.Search{}).Total)
	require.Error(w, w.send(notify.Message{To: w.ids["bob"], Type: 999}))
	require.Error(w, w.send(notify.Message{Type: 101}))
	zh := w.reader("bob")
	p := zh.Principal()
	p.Locale = "zh"
	zh = w.app.State().Policy.View(p, w.app.Now(), w.app.Zone())
	at := w.task("闸门", "OPEN")
	require.NoError(w, w.send(notify.Message{To: w.ids["bob"], Type: 107, Sender: w.ids["ann"], Record: at},
		notify.Message{To: w.ids["bob"], Type: 16, Record: query.Ref{SchemaCode: "task", ID: "gone"}}))
	page, err := w.app.Messages().Search(w.Context(), zh, notify.Search{Size: 2})
	require.NoError(w, err)
	titles := []string{page.Content[0].Title, page.Content[1].Title}
	require.ElementsMatch(w, []string{"Ann 催办：闸门", "审批已通过"}, titles)
}
