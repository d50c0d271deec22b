package channel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/store"
)

// quiet is a service on the installation's database that nothing is sent by: the installation itself has no channel.
func (w *installation) quiet(change func(c *channel.Config)) *channel.Service {
	w.Helper()
	c := channel.Config{DB: w.app.Store(), Messages: w.app.Messages, People: w.app.People(), Locale: "zh", System: "Locks", Address: "https://sluice.example.com",
		Clock: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }, Log: slog.New(slog.DiscardHandler)}
	c.View = func(ctx context.Context, person, locale string) (*authz.View, bool) {
		p, known := w.app.People().Person(ctx, person)
		who, active := w.app.Caller(ctx, p.Username)
		if who.Locale = locale; !known || !active {
			return nil, false
		}
		return w.app.State().Policy.View(who, w.app.Now(), w.app.Zone()), true
	}
	if change != nil {
		change(&c)
	}
	return channel.New(c)
}

func (w *installation) sender() *mail.Sender {
	w.Helper()
	s, err := mail.New(mail.Config{Server: "mail.example.com:587", From: "Sluice <no-reply@example.com>"})
	require.NoError(w, err)
	return s
}

func (w *installation) theHook() *channel.Hook {
	at, err := url.Parse("https://hooks.example.com/secret/path")
	require.NoError(w, err)
	return &channel.Hook{URL: at, Secret: hookSecret}
}

func (w *installation) write(f func(ctx context.Context, tx *store.Tx) error) {
	w.Helper()
	require.NoError(w, w.app.Store().Write(w.Context(), f))
}

func (w *installation) all(s *channel.Service, states []channel.State, by channel.Name) []channel.Delivery {
	w.Helper()
	all, total, err := s.List(w.Context(), states, by, 0, 1000)
	require.NoError(w, err)
	require.EqualValues(w, len(all), total)
	return all
}

// TestOutbox: what goes out of a message, by each set of channels, decision of administrators, choice and state of a person.
func TestOutbox(t *testing.T) {
	each(t, func(w *installation) {
		w.again(func(c *appChannels) { c.Mail = nil })
		t, ctx := w.T, w.Context()
		id, err := w.app.AddUser(ctx, "dan", "dan", []string{"staff"})
		require.NoError(t, err)
		w.ids["dan"] = id
		w.change("dan", map[string]any{"email": "dan@example.com", "disabled": true})
		w.write(func(ctx context.Context, tx *store.Tx) error {
			return tx.System().Exec("DELETE FROM sl_delivery").Error
		})
		person := func(name string) string {
			if id, known := w.ids[name]; known {
				return id
			}
			return name
		}
		choose := w.quiet(nil)
		require.NoError(t, choose.Choose(ctx, w.ids["ann"], channel.Settings{Groups: map[notify.Group]bool{notify.Tasks: false, notify.Comments: true}}))
		w.write(func(ctx context.Context, tx *store.Tx) error {
			return choose.SetTypes(tx, map[notify.Type]channel.TypeChannels{21: {Mail: false, Webhook: true}, 42: {Mail: true, Webhook: false}, 23: {}})
		})
		n := 0
		for _, set := range []struct{ mail, hook bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
			s := w.quiet(func(c *channel.Config) {
				if set.mail {
					c.Mail = w.sender()
				}
				if set.hook {
					c.Hook = w.theHook()
				}
			})
			require.Equal(t, []bool{set.mail, set.hook, false}, []bool{s.Open(channel.Mail), s.Open(channel.Webhook), s.Open("sms")})
			require.Equal(t, map[bool]string{true: "mail.example.com:587"}[set.mail], s.To(channel.Mail))
			require.Equal(t, map[bool]string{true: "https://hooks.example.com"}[set.hook], s.To(channel.Webhook), "without the path, which may be a secret")
			require.Empty(t, s.To("sms"))
			var written []notify.Written
			want := map[string]bool{}
			for _, name := range []string{"ann", "bob", "cid", "dan", "nobody"} {
				for _, of := range []notify.Type{101, 21, 23, 41, 42, 31} {
					for _, by := range [][]string{nil, {}, {"mail"}, {"webhook"}, {"webhook", "mail"}} {
						n++
						m := notify.Written{ID: fmt.Sprint("m", n), To: person(name), Type: of, Channels: by}
						written = append(written, m)
						wanted := of == 101 || of == 21 || of == 23 || of == 31
						if name == "ann" {
							wanted = of == 41 || of == 42 || of == 31
						}
						takes := func(by channel.Name) bool { return m.Channels == nil || slices.Contains(m.Channels, string(by)) }
						if set.mail && takes(channel.Mail) && wanted && of != 21 && of != 23 && (name == "ann" || name == "bob") {
							want[m.ID+" mail"] = true
						}
						if set.hook && takes(channel.Webhook) && of != 42 && of != 23 {
							want[m.ID+" webhook"] = true
						}
					}
				}
			}
			now := time.Now()
			w.write(func(ctx context.Context, tx *store.Tx) error {
				return errors.Join(s.Outbox(tx, written), s.Outbox(tx, nil))
			})
			w.write(func(ctx context.Context, tx *store.Tx) error { return s.Outbox(tx, written) }) // again: nothing is noted twice
			var rows []struct{ Message, Channel, Recipient string }
			w.write(func(ctx context.Context, tx *store.Tx) error {
				return tx.System().Table("sl_delivery").Find(&rows).Error
			})
			got := map[string]bool{}
			for _, r := range rows {
				got[r.Message+" "+r.Channel] = true
				require.True(t, slices.ContainsFunc(written, func(m notify.Written) bool { return m.ID == r.Message && m.To == r.Recipient }))
			}
			require.Equal(t, want, got)
			for _, d := range w.all(s, nil, "") {
				require.Equal(t, channel.Waiting, d.State)
				require.Zero(t, d.Attempts)
				require.WithinDuration(t, now, d.Next, time.Minute)
				require.Equal(t, d.Created, d.Next)
				require.Nil(t, d.Done)
			}
			w.write(func(ctx context.Context, tx *store.Tx) error {
				return tx.System().Exec("DELETE FROM sl_delivery").Error
			})
		}
	})
}

// TestChoices: a person's choices are their own, a choice that is not named stays, and what administrators decide is kept for the types that
// there are.
func TestChoices(t *testing.T) {
	each(t, func(w *installation) {
		w.again(func(c *appChannels) { c.Mail = nil })
		t, ctx, s := w.T, w.Context(), w.quiet(nil)
		byDefault := map[notify.Group]bool{notify.Tasks: true, notify.Handovers: true, notify.Comments: false, notify.Progress: false, notify.Copies: false, notify.Delegations: false, notify.Others: false}
		settings := func(user string) channel.Settings {
			got, err := s.Settings(ctx, w.ids[user])
			require.NoError(t, err)
			return got
		}
		require.Equal(t, channel.Settings{Groups: byDefault}, settings("bob"))
		require.NoError(t, s.Choose(ctx, w.ids["bob"], channel.Settings{Locale: "en", Groups: map[notify.Group]bool{notify.Copies: true}}))
		require.NoError(t, s.Choose(ctx, w.ids["bob"], channel.Settings{Locale: "zh", Groups: map[notify.Group]bool{notify.Tasks: false}}))
		got := settings("bob")
		require.Equal(t, "zh", got.Locale)
		require.True(t, got.Groups[notify.Copies])
		require.False(t, got.Groups[notify.Tasks])
		require.Equal(t, channel.Settings{Groups: byDefault}, settings("cid"))
		require.ErrorIs(t, s.Choose(ctx, w.ids["bob"], channel.Settings{Locale: "EN"}), channel.ErrSetting)
		require.NoError(t, s.Choose(ctx, w.ids["bob"], channel.Settings{}), "no language is that of the installation")
		require.Empty(t, settings("bob").Locale)

		require.Error(t, w.app.Store().Write(ctx, func(_ context.Context, tx *store.Tx) error {
			return s.SetTypes(tx, map[notify.Type]channel.TypeChannels{5: {}})
		}))
		w.write(func(ctx context.Context, tx *store.Tx) error {
			return s.SetTypes(tx, map[notify.Type]channel.TypeChannels{101: {Webhook: true}})
		})
		w.write(func(ctx context.Context, tx *store.Tx) error {
			return s.SetTypes(tx, map[notify.Type]channel.TypeChannels{101: {Mail: true}})
		})
		types, err := s.Types(ctx)
		require.NoError(t, err)
		require.Len(t, types, len(notify.Types()))
		for of, by := range types {
			require.Equal(t, channel.TypeChannels{Mail: true, Webhook: of != 101}, by, of)
		}
	})
}

// TestLetter: what is sent of a message to somebody as they are now, and when nothing is.
func TestLetter(t *testing.T) {
	each(t, func(w *installation) {
		w.again(func(c *appChannels) { c.Mail = nil })
		t, ctx := w.T, w.Context()
		w.tell("bob", "hello", func(m *notify.Message) { m.Text = "words"; m.About = "x" })
		w.tell("cid", "hello")
		of := func(user string) string {
			page, err := w.app.Messages().Search(ctx, w.view(user), notify.Search{Size: 1})
			require.NoError(t, err)
			require.Len(t, page.Content, 1)
			return page.Content[0].ID
		}
		bobs, cids := of("bob"), of("cid")
		letter := func(s *channel.Service, by channel.Name, user, message string) (mail.Mail, string, bool) {
			t.Helper()
			m, body, live, err := s.Letter(ctx, by, user, message)
			require.NoError(t, err)
			return m, body, live
		}
		bob, cid := w.ids["bob"], w.ids["cid"]
		s := w.quiet(nil)
		m, body, live := letter(s, channel.Mail, bob, bobs)
		require.True(t, live)
		require.Equal(t, []string{"bob", "bob@example.com", "hello", "zh", "d"}, []string{m.Name, m.To, m.Subject, m.Locale, m.ID})
		require.Equal(t, "bob，您好：\n\nhello\nwords\n\n查看详情: https://sluice.example.com/?messageId="+bobs+"\n\n--\n此邮件由Locks自动发送，请勿回复。您可以在“个人设置 > 消息通知”中选择哪些消息发送邮件。\n", m.Text)
		require.Contains(t, m.HTML, "words</p>")
		require.Contains(t, m.HTML, `lang="zh"`)
		var call map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &call))
		require.Equal(t, map[string]any{"id": bob, "username": "bob", "name": "bob"}, call["recipient"])
		require.Equal(t, "https://sluice.example.com/?messageId="+bobs, call["url"])

		plain, _, _ := letter(w.quiet(func(c *channel.Config) { c.Address = "" }), channel.Mail, bob, bobs)
		require.NotContains(t, plain.Text+plain.HTML, "查看详情", "no address, no link")
		english, _, _ := letter(w.quiet(func(c *channel.Config) { c.Locale = "en" }), channel.Mail, bob, bobs)
		require.Equal(t, "hello (en)", english.Subject)
		require.True(t, strings.HasPrefix(english.Text, "Hello bob,\n"))
		require.NoError(t, s.Choose(ctx, bob, channel.Settings{Locale: "en"}))
		chosen, _, _ := letter(s, channel.Mail, bob, bobs)
		require.Equal(t, "en", chosen.Locale)

		_, _, live = letter(s, channel.Mail, cid, cids)
		require.False(t, live, "without an address")
		_, body, live = letter(s, channel.Webhook, cid, cids)
		require.True(t, live, "a call needs no address")
		require.Contains(t, body, `"content":""`)
		for name, c := range map[string][2]string{"somebody else's": {bob, cids}, "no message": {bob, "none"}, "nobody": {"nobody", bobs}} {
			for _, by := range channel.Names() {
				_, _, live = letter(s, by, c[0], c[1])
				require.False(t, live, name)
			}
		}
		over := func(is bool, failed error) *channel.Service {
			return w.quiet(func(c *channel.Config) {
				c.Over = func(_ context.Context, of notify.Type, person, biz string) (bool, error) {
					require.Equal(t, []any{notify.Type(101), bob}, []any{of, person})
					require.Equal(t, "{}", biz)
					return is, failed
				}
			})
		}
		_, _, live = letter(over(false, nil), channel.Mail, bob, bobs)
		require.True(t, live)
		_, _, live = letter(over(true, nil), channel.Mail, bob, bobs)
		require.False(t, live, "the task is over")
		failure := errors.New("away")
		_, _, _, err := over(false, failure).Letter(ctx, channel.Mail, bob, bobs)
		require.ErrorIs(t, err, failure)
		_, _, live = letter(w.quiet(func(c *channel.Config) {
			c.View = func(context.Context, string, string) (*authz.View, bool) { return nil, false }
		}), channel.Webhook, bob, bobs)
		require.False(t, live, "who has no rights any more")
		w.change("cid", map[string]any{"disabled": true})
		_, _, live = letter(s, channel.Webhook, cid, cids)
		require.False(t, live, "disabled")
		w.write(func(ctx context.Context, tx *store.Tx) error { return w.app.Messages().Withdraw(tx, "x") })
		_, _, live = letter(s, channel.Mail, bob, bobs)
		require.False(t, live, "taken back")
	})
}

// TestLookAfter: the lists and figures of administrators, sending once more, and what goes with time.
func TestLookAfter(t *testing.T) {
	each(t, func(w *installation) {
		w.again(func(c *appChannels) { c.Mail = nil })
		t, ctx := w.T, w.Context()
		now := time.Date(2026, 11, 2, 8, 0, 0, 0, time.UTC)
		s := w.quiet(func(c *channel.Config) { c.Clock = func() time.Time { return now } })
		day := 24 * time.Hour
		put := func(id string, by channel.Name, state channel.State, age time.Duration, failed string) {
			var done any
			if at := now.Add(-age); state != channel.Waiting {
				done = at
			}
			w.write(func(ctx context.Context, tx *store.Tx) error {
				return tx.System().Exec(`INSERT INTO sl_delivery (id, message, channel, recipient, type, state, attempts, next_at, give_up_at, error, created_at, done_at) VALUES (?, ?, ?, 'p', 101, ?, 3, ?, ?, ?, ?, ?)`,
					id, id, by, state, now.Add(time.Hour), now, failed, now.Add(-age), done).Error
			})
		}
		fill := func() {
			w.write(func(ctx context.Context, tx *store.Tx) error {
				return tx.System().Exec("DELETE FROM sl_delivery").Error
			})
			put("1 waiting", channel.Mail, channel.Waiting, 400*day, "older")
			put("2 waiting", channel.Mail, channel.Waiting, day, "newer")
			put("3 waiting", channel.Webhook, channel.Waiting, 2*day, "")
			put("4 sent", channel.Mail, channel.Sent, 7*day, "")
			put("5 sent", channel.Mail, channel.Sent, 7*day+time.Second, "")
			put("6 dropped", channel.Webhook, channel.Dropped, 7*day, "")
			put("7 dropped", channel.Webhook, channel.Dropped, 7*day+time.Second, "")
			put("8 dead", channel.Mail, channel.Dead, 90*day, "refused")
			put("9 dead", channel.Mail, channel.Dead, 90*day+time.Second, "refused")
		}
		ids := func(of []channel.Delivery) (out []string) {
			for _, d := range of {
				out = append(out, d.ID)
			}
			return out
		}
		fill()
		require.Equal(t, []string{"9 dead", "8 dead", "2 waiting", "1 waiting"}, ids(w.all(s, []channel.State{channel.Dead, channel.Waiting}, channel.Mail)))
		require.Len(t, w.all(s, nil, ""), 9)
		require.Equal(t, []string{"7 dropped", "6 dropped", "3 waiting"}, ids(w.all(s, nil, channel.Webhook)))
		page, total, err := s.List(ctx, nil, "", 2, 4)
		require.NoError(t, err)
		require.EqualValues(t, 9, total)
		require.Equal(t, []string{"1 waiting"}, ids(page))
		figures, err := s.Figures(ctx)
		require.NoError(t, err)
		oldest, second := now.Add(-400*day), now.Add(-2*day)
		require.Equal(t, map[channel.Name]channel.Figures{channel.Mail: {Waiting: 2, Dead: 2, Oldest: &oldest, Failing: "older"}, channel.Webhook: {Waiting: 1, Oldest: &second}}, figures)

		gone, err := s.Sweep(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 3, gone)
		require.Equal(t, []string{"8 dead", "6 dropped", "4 sent", "3 waiting", "2 waiting", "1 waiting"}, ids(w.all(s, nil, "")))

		for id, want := range map[string]bool{"8 dead": true, "2 waiting": true, "4 sent": false, "6 dropped": false, "none": false} {
			w.write(func(ctx context.Context, tx *store.Tx) error {
				again, err := s.Retry(tx, id)
				require.Equal(t, want, again, id)
				return err
			})
		}
		for _, d := range w.all(s, nil, "") {
			if d.ID == "8 dead" || d.ID == "2 waiting" {
				require.Equal(t, []any{channel.Waiting, 0, now, (*time.Time)(nil)}, []any{d.State, d.Attempts, d.Next, d.Done}, d.ID)
			} else {
				require.Equal(t, 3, d.Attempts, d.ID)
			}
		}
		// More of each than one transaction removes.
		for n := range 501 {
			put(fmt.Sprintf("a%03d", n), channel.Mail, channel.Sent, 8*day, "")
		}
		gone, err = s.Sweep(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 501, gone)

		fill()
		w.write(func(ctx context.Context, tx *store.Tx) error { return channel.Restored(tx, now) })
		require.Empty(t, w.all(s, []channel.State{channel.Waiting}, ""))
		for _, d := range w.all(s, []channel.State{channel.Dead}, "") {
			if strings.Contains(d.ID, "waiting") {
				require.Equal(t, "restored from a backup", d.Error)
				require.Equal(t, now, d.Done.UTC())
			} else {
				require.Equal(t, "refused", d.Error)
			}
		}
		require.Len(t, w.all(s, []channel.State{channel.Sent, channel.Dropped}, ""), 4)
	})
}
