package notify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

func TestSending(t *testing.T) {
	each(t, map[string]func(*world){"refused": refused, "outbox": outbox, "once": once, "gathered": gathered, "gathered most": gatheredMost, "amended": amended, "cut": cuts})
}

// refused: a message needs a type that there is and a recipient; nothing of the same transaction stays.
func refused(w *world) {
	for _, m := range []notify.Message{{To: w.ids["bob"], Type: 5}, {To: w.ids["bob"]}, {Type: 101}} {
		require.Error(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error {
			return w.Send(tx, notify.Message{To: w.ids["bob"], Type: 101}, m)
		}))
	}
	require.Empty(w, w.list("bob", notify.Search{}))
	require.Empty(w, w.sent)
	w.write(func(ctx context.Context, tx *store.Tx) error { return w.Send(tx) })
}

// outbox: it hears of each message that was written, with the channels that it may take; without one, messages are written as well.
func outbox(w *world) {
	w.send(notify.Message{To: "bob", Type: 101}, notify.Message{To: "guest", Type: 32, Channels: []string{"mail"}}, notify.Message{To: "ann", Type: 32, Channels: []string{}})
	require.Len(w, w.sent, 3)
	for i, user := range []string{"bob", "guest", "ann"} {
		it := w.last(user)
		require.Equal(w, []string{it.ID, w.ids[user]}, []string{w.sent[i].ID, w.sent[i].To})
		require.Equal(w, it.Type, w.sent[i].Type)
	}
	for i, want := range [][2]bool{{true, true}, {true, false}, {false, false}} {
		require.Equal(w, want, [2]bool{w.sent[i].Takes("mail"), w.sent[i].Takes("webhook")}, i)
	}
	silent := notify.New(notify.Config{DB: w.app.Store(), Reader: w.app.Reader(), People: w.app.People(), Clock: time.Now})
	w.write(func(ctx context.Context, tx *store.Tx) error {
		return silent.Send(tx, notify.Message{To: w.ids["bob"], Type: 101})
	})
	require.Len(w, w.list("bob", notify.Search{}), 2)
	require.Len(w, w.sent, 3)
}

// once: a recipient gets one message of a key, also after it was read; others get theirs.
func once(w *world) {
	w.send(notify.Message{To: "bob", Type: 101, Once: "day 1", Text: "first"})
	require.NoError(w, w.ReadAll(w.Context(), w.as("bob"), ""))
	w.send(notify.Message{To: "bob", Type: 101, Once: "day 1", Text: "again"}, notify.Message{To: "bob", Type: 101, Once: "day 2", Text: "second"},
		notify.Message{To: "guest", Type: 101, Once: "day 1", Text: "theirs"}, notify.Message{To: "bob", Type: 101, Text: "a"}, notify.Message{To: "bob", Type: 101, Text: "b"})
	require.Equal(w, "b a second first", w.texts("bob", notify.Search{}))
	require.Equal(w, "theirs", w.texts("guest", notify.Search{}))
	require.Len(w, w.sent, 5, "what was not written does not go out")
}

// gathered: names come to the message of their key that is not read yet, each once; it is as new as the last of them, goes out once, and
// is found by all names.
func gathered(w *world) {
	gone := func(to, key string, of notify.Type, names ...string) {
		m := notify.Message{To: to, Type: of, Gather: key, Sender: w.ids["ann"]}
		for _, name := range names {
			m.Biz.UserNameList, m.Biz.UserIDs = append(m.Biz.UserNameList, name), append(m.Biz.UserIDs, "id of "+name)
		}
		w.send(m)
	}
	titles := func(user string) (out []string) {
		for _, it := range w.list(user, notify.Search{}) {
			out = append(out, it.Title)
		}
		return out
	}
	gone("bob", "left", notify.PeopleGone, "Xia")
	first := w.last("bob")
	w.send(notify.Message{To: "bob", Type: 101})
	gone("bob", "left", notify.PeopleGone, "Yan")
	require.Equal(w, []string{"Departed, work to hand over: Xia, Yan", "A task needs your action"}, titles("bob"))
	now := w.last("bob")
	require.Equal(w, first.ID, now.ID)
	require.True(w, now.Created.After(first.Created))
	require.Len(w, w.list("bob", notify.Search{Keyword: "xia"}), 1)
	require.Len(w, w.list("bob", notify.Search{Keyword: "yan"}), 1)
	gone("bob", "left", notify.PeopleGone, "Yan")
	require.Equal(w, "Departed, work to hand over: Xia, Yan", w.last("bob").Title, "the same person again")
	require.Len(w, w.sent, 2)

	gone("guest", "left", notify.PeopleGone, "Zoe")
	require.Equal(w, []string{"Departed, work to hand over: Zoe"}, titles("guest"), "somebody else's")
	gone("bob", "lost", notify.PeopleGone, "Zoe")
	gone("bob", "left", notify.WorkHandover, "Zoe")
	require.Len(w, titles("bob"), 4, "another key, another type")
	gone("bob", "left", notify.PeopleGone, "Zoe")
	require.Equal(w, "Departed, work to hand over: Xia, Yan and 1 other", titles("bob")[0])
	require.NoError(w, w.ReadAll(w.Context(), w.as("bob"), ""))
	gone("bob", "left", notify.PeopleGone, "Una")
	require.Equal(w, "Departed, work to hand over: Una", titles("bob")[0], "one that was read takes no more")
	require.Len(w, titles("bob"), 5)

	w.send(notify.Message{To: "ann", Type: notify.RolesWaiting, Gather: "roles", Biz: notify.Biz{Roles: []string{"a", "b"}}},
		notify.Message{To: "ann", Type: notify.RolesWaiting, Gather: "roles", Biz: notify.Biz{Roles: []string{"b", "c"}}})
	require.Equal(w, []string{"Roles to hand over: a, b, c"}, titles("ann"))
}

// gatheredMost: a message takes up to two hundred names; the next ones come in another.
func gatheredMost(w *world) {
	for _, of := range []string{"people", "roles"} {
		add := func(from, n int) int {
			var names []string
			for i := range n {
				names = append(names, fmt.Sprintf("%s %03d", of, from+i))
			}
			m := notify.Message{To: "bob", Type: notify.RolesWaiting, Gather: of, Biz: notify.Biz{Roles: names}}
			if of == "people" {
				m.Biz = notify.Biz{UserIDs: names, UserNameList: names}
			}
			w.send(m)
			return len(w.list("bob", notify.Search{}))
		}
		before := len(w.list("bob", notify.Search{}))
		require.Equal(w, []int{before + 1, before + 1, before + 2, before + 2}, []int{add(0, 150), add(150, 50), add(200, 1), add(201, 9)}, of)
	}
}

// amended: the messages that something caused say what it says now, and are found by it and no longer by what it said.
func amended(w *world) {
	open := w.task("Gate", "OPEN")
	w.send(notify.Message{To: "bob", Type: 41, Sender: w.ids["ann"], Record: open, Name: "Gate", Text: "old words", About: "c1"},
		notify.Message{To: "guest", Type: 42, Record: open, Name: "Gate", Text: "old words", About: "c1"}, notify.Message{To: "bob", Type: 41, Text: "old others", About: "c2"})
	w.write(func(ctx context.Context, tx *store.Tx) error { return w.Amend(tx, "c1", strings.Repeat("new ", 100)) })
	short := strings.TrimSpace(strings.Repeat("new ", 100)[:199]) + "…"
	require.Equal(w, "old others "+short, w.texts("bob", notify.Search{}))
	require.Equal(w, short, w.texts("guest", notify.Search{}))
	for keyword, want := range map[string]int{"old words": 0, "old": 1, "new": 1, "gate": 1, "ann": 1} {
		require.Len(w, w.list("bob", notify.Search{Keyword: keyword}), want, keyword)
	}
	w.write(func(ctx context.Context, tx *store.Tx) error { return w.Withdraw(tx, "c1") })
	require.Equal(w, "old others", w.texts("bob", notify.Search{}))
	require.Empty(w, w.texts("guest", notify.Search{}))
}

// cuts: a quotation of up to two hundred characters is whole.
func cuts(w *world) {
	for n, want := range map[int]string{199: strings.Repeat("字", 199), 200: strings.Repeat("字", 200), 201: strings.Repeat("字", 199) + "…"} {
		w.send(notify.Message{To: "bob", Type: 101, Text: strings.Repeat("字", n)})
		require.Equal(w, want, w.last("bob").Content, n)
	}
	require.True(w, slices.IsSortedFunc(w.list("bob", notify.Search{}), func(a, b notify.Item) int { return b.Created.Compare(a.Created) }))
}
