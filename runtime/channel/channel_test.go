package channel_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
)

// TestMail: a message comes in the language of its recipient, escaped, with a link and no token, and says nothing that they may not see.
func TestMail(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		w.tell("bob", `<b>"Gate" & Co</b>`, func(m *notify.Message) { m.Text = "line <script>" })
		m := w.mails.Next(t)
		require.Equal(t, "bob@example.com", m.To)
		require.Equal(t, `<b>"Gate" & Co</b>`, m.Subject)
		require.Contains(t, m.Text, "bob，您好：")
		require.Contains(t, m.Text, "line <script>")
		require.Contains(t, m.HTML, "&lt;b&gt;&#34;Gate&#34; &amp; Co&lt;/b&gt;")
		require.NotContains(t, m.HTML, "<script>")
		require.Contains(t, m.Text, "此邮件由Locks自动发送")
		_, link, _ := strings.Cut(m.Text, "查看详情: ")
		link, _, _ = strings.Cut(link, "\r\n")
		require.Regexp(t, `^https://sluice\.example\.com/\?messageId=[0-9a-f-]{36}$`, link)
		require.NoError(t, w.app.Channels().Choose(t.Context(), w.ids["bob"], channel.Settings{Locale: "en"}))
		w.tell("bob", "two")
		m = w.mails.Next(t)
		require.Equal(t, "two (en)", m.Subject)
		require.Contains(t, m.Text, "Hello bob,")
		require.Equal(t, "en", m.Header.Get("Content-Language"))
		// What people wrote stays text: no template fills it, no browser draws it, and it does not end the message.
		evil := `{{.Link}} {sender} %s <a href="https://evil.example/">x</a> <img src=x onerror=alert(1)>`
		w.tell("bob", evil, func(m *notify.Message) {
			m.Title.I18n = nil
			m.Text = evil + "\n.\nQUIT\n" + `"><script>javascript:alert(1)</script>`
		})
		m = w.mails.Next(t)
		require.Equal(t, evil, m.Subject)
		require.Contains(t, m.Text, evil+"\r\n.\r\nQUIT\r\n")
		require.Equal(t, 1, strings.Count(m.HTML, "<a "), "%s", m.HTML)
		require.Contains(t, m.HTML, `<a href="https://sluice.example.com/?messageId=`)
		for _, markup := range []string{"<img", "<script", "evil.example/\">"} {
			require.NotContains(t, m.HTML, markup)
		}
		// Of a record that bob may not see, neither its name nor what was said.
		w.tell("bob", "", func(m *notify.Message) {
			m.Title.I18n, m.Name, m.Text, m.Record = nil, "SECRET", "SECRET", query.Ref{SchemaCode: "role", ID: w.ids["ann"]}
			m.Biz.InstanceName, m.Biz.OriginatorName = "SECRET", "SECRET"
		})
		m = w.mails.Next(t)
		require.Equal(t, "A task needs your action", m.Subject)
		require.NotContains(t, string(m.Raw), "SECRET")
		w.until(map[channel.State]int{channel.Sent: 4})
	})
}

// TestWhoIsMailed: what a person chose, what administrators decided, and who has no address or is disabled.
func TestWhoIsMailed(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		c := w.app.Channels()
		as := func(of notify.Type) func(m *notify.Message) { return func(m *notify.Message) { m.Type = of } }
		w.tell("cid", "no address")
		w.tell("bob", "not by default", as(notify.Mention))
		require.NoError(t, c.Choose(t.Context(), w.ids["bob"], channel.Settings{Groups: map[notify.Group]bool{notify.Tasks: false, notify.Comments: true}}))
		w.tell("bob", "not wanted")
		w.tell("bob", "wanted", as(notify.Reply))
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return c.SetTypes(tx, map[notify.Type]channel.TypeChannels{notify.Mention: {Mail: false, Webhook: true}})
		}))
		w.tell("bob", "switched off", as(notify.Mention))
		w.tell("bob", "twice", as(notify.Reply), func(m *notify.Message) { m.Once = "k" })
		w.tell("bob", "twice", as(notify.Reply), func(m *notify.Message) { m.Once = "k" })
		require.Equal(t, []string{"wanted", "twice"}, []string{w.mails.Next(t).Subject, w.mails.Next(t).Subject})
		w.until(map[channel.State]int{channel.Sent: 2})
		s, err := c.Settings(t.Context(), w.ids["bob"])
		require.NoError(t, err)
		require.Equal(t, channel.Settings{Groups: map[notify.Group]bool{notify.Tasks: false, notify.Comments: true, notify.Handovers: true, notify.Progress: false,
			notify.Copies: false, notify.Delegations: false, notify.Others: false}}, s)
		require.ErrorIs(t, c.Choose(t.Context(), w.ids["bob"], channel.Settings{Locale: "fr"}), channel.ErrSetting)
		require.ErrorIs(t, c.Choose(t.Context(), w.ids["bob"], channel.Settings{Groups: map[notify.Group]bool{"x": true}}), channel.ErrSetting)
		// What is on its way does not reach somebody who was disabled meanwhile, nor what was taken back.
		w.mails.Stop()
		w.tell("bob", "too late", as(notify.Reply))
		w.tell("ann", "taken back", func(m *notify.Message) { m.About = "x" })
		w.tried(map[channel.State]int{channel.Sent: 2, channel.Waiting: 2}) // an attempt that has begun would still reach bob
		w.change("bob", map[string]any{"disabled": true})
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error { return w.app.Messages().Withdraw(tx, "x") }))
		w.mails.Again()
		w.ahead.Add(int64(2 * time.Hour))
		w.until(map[channel.State]int{channel.Sent: 4, channel.Dropped: 2}) // ann hears of bob's departure (61, 62)
	})
}

// TestTaskIsOver: a message that asks for a task goes out only while the task is its reader's to handle.
func TestTaskIsOver(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		const item = "INSERT INTO sl_wf_item (id, instance, number, code, node, person, list, type, state, result, delegate_from, opinion, urged) VALUES (?, 'i', ?, 'c', 'n', ?, '', 'NORMAL', ?, '', '', '', 0)"
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return errors.Join(tx.System().Exec(item, "open", 1, w.ids["bob"], "TODO").Error, tx.System().Exec(item, "canceled", 2, w.ids["bob"], "CANCELLED").Error,
				tx.System().Exec(item, "passed on", 3, w.ids["ann"], "TODO").Error)
		}))
		about := func(task string, of notify.Type) func(m *notify.Message) {
			return func(m *notify.Message) { m.Type, m.Biz.InstanceName, m.Biz.WorkItemID = of, task, task }
		}
		for _, task := range []string{"canceled", "passed on", "gone"} {
			w.tell("bob", task, about(task, 101))
		}
		w.tell("bob", "canceled", about("canceled", 14)) // says so, and asks for nothing
		w.tell("bob", "open", about("open", 101))
		w.until(map[channel.State]int{channel.Dropped: 3, channel.Sent: 1})
		require.Contains(t, w.mails.Next(t).Subject, "open")
	})
}

// TestServerAway: while the server is away mails wait, each comes once when it is back, and after two days they are dead letters, which
// an administrator can send again.
func TestServerAway(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		w.mails.Stop()
		for i := range 3 {
			w.tell("bob", fmt.Sprint("mail ", i))
		}
		waiting := w.until(map[channel.State]int{channel.Waiting: 3})
		for end := time.Now().Add(time.Minute); waiting[2].Attempts == 0 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			waiting = w.until(map[channel.State]int{channel.Waiting: 3})
		}
		require.NotEmpty(t, waiting[2].Error)
		require.NotContains(t, waiting[2].Error, "mail-Secret-1")
		f, err := w.app.Channels().Figures(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 3, f[channel.Mail].Waiting)
		require.NotNil(t, f[channel.Mail].Oldest)
		w.mails.Again()
		w.ahead.Add(int64(10 * time.Minute))
		var got []string
		for range 3 {
			got = append(got, w.mails.Next(t).Subject)
		}
		require.ElementsMatch(t, []string{"mail 0", "mail 1", "mail 2"}, got)
		w.until(map[channel.State]int{channel.Sent: 3})
		w.mails.Stop()
		w.tell("bob", "dead")
		w.until(map[channel.State]int{channel.Sent: 3, channel.Waiting: 1})
		w.ahead.Add(int64(49 * time.Hour))
		dead := w.until(map[channel.State]int{channel.Sent: 3, channel.Dead: 1})[0]
		w.mails.Again()
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			again, err := w.app.Channels().Retry(tx, dead.ID)
			require.True(t, again)
			return err
		}))
		require.Equal(t, "dead", w.mails.Next(t).Subject)
		w.until(map[channel.State]int{channel.Sent: 4})
		require.Empty(t, w.mails.Mails, "nothing came twice")
		w.ahead.Add(int64(8 * 24 * time.Hour))
		gone, err := w.app.Channels().Sweep(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 4, gone)
	})
}

// TestRefusedRecipient: one refused address is a dead letter at once and holds up nobody else's mail.
func TestRefusedRecipient(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		w.mails.Refuse("bob@example.com", 550)
		w.tell("bob", "refused")
		w.tell("ann", "taken")
		require.Equal(t, "taken", w.mails.Next(t).Subject)
		for _, d := range w.until(map[channel.State]int{channel.Dead: 1, channel.Sent: 1}) {
			if d.State == channel.Dead {
				require.Contains(t, d.Error, "not here")
				require.Equal(t, 1, d.Attempts)
			}
		}
	})
}

// TestStopped: a process that ends while the server takes a mail leaves it to the next one, which sends it with the same id; no other mail
// comes twice and none is lost.
func TestStopped(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		taken, goOn := make(chan string), make(chan struct{})
		w.mails.During(func(to string) error {
			taken <- to
			<-goOn
			return nil
		})
		for i := range 5 {
			w.tell("bob", fmt.Sprint("mail ", i))
		}
		<-taken
		w.mails.During(nil)
		ends := make(chan error)
		old := w.app
		go func() { ends <- old.Close() }()
		select { // the mail is in the server's hands and its answer does not come
		case err := <-ends:
			require.NoError(t, err)
		case <-time.After(200 * time.Millisecond):
		}
		w.mails.Stop() // as a cut of the line
		close(goOn)
		require.NoError(t, <-ends)
		w.mails.Again()
		w.app = w.open(nil)
		w.ahead.Add(int64(time.Hour))
		w.until(map[channel.State]int{channel.Sent: 5})
		ids := map[string]int{}
		for len(w.mails.Mails) > 0 {
			m := <-w.mails.Mails
			ids[m.Subject+m.Header.Get("Message-ID")]++
		}
		require.Len(t, ids, 5)
		twice := 0
		for _, n := range ids {
			if n > 1 {
				twice += n - 1
			}
		}
		require.LessOrEqual(t, twice, 1)
	})
}

// TestTwoNodes send each mail once.
func TestTwoNodes(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		if w.o.URL == "" {
			t.Skip("one process serves SQLite")
		}
		other := w.open(nil)
		defer func() { require.NoError(t, other.Close()) }()
		const mails = 30
		for i := range mails {
			at := []interface {
				Write(context.Context, store.Do) error
			}{w.app.Store(), other.Store()}[i%2]
			require.NoError(t, at.Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
				m := notify.Message{To: w.ids["bob"], Type: 101, Text: fmt.Sprint(i)}
				if i%2 == 0 {
					return w.app.Messages().Send(tx, m)
				}
				return other.Messages().Send(tx, m)
			}))
		}
		w.until(map[channel.State]int{channel.Sent: mails})
		ids := map[string]bool{}
		for len(w.mails.Mails) > 0 {
			m := <-w.mails.Mails
			require.False(t, ids[m.Header.Get("Message-ID")], "a mail came twice")
			ids[m.Header.Get("Message-ID")] = true
		}
		require.Len(t, ids, mails)
	})
}

// TestWebhook: calls are signed, tried again with the same id, given up where the receiver refuses them, and reach no private address
// unless that is allowed.
func TestWebhook(t *testing.T) {
	each(t, func(w *installation) {
		t := w.T
		w.again(w.withHook(true))
		status := func(of func(n int) int) { w.say.Store(&of) }
		status(func(n int) int {
			if n == 1 {
				return 503
			}
			return 204
		})
		w.tell("cid", "hello", func(m *notify.Message) { m.Sender = w.ids["ann"] })
		first := <-w.hooks
		w.tried(map[channel.State]int{channel.Waiting: 1})
		w.ahead.Add(int64(10 * time.Minute))
		second := <-w.hooks
		w.until(map[channel.State]int{channel.Sent: 1})
		require.Equal(t, first.header.Get("Sluice-Delivery"), second.header.Get("Sluice-Delivery"))
		mac := hmac.New(sha256.New, []byte(hookSecret))
		mac.Write([]byte(second.header.Get("Sluice-Timestamp") + "." + second.body))
		require.Equal(t, "v1="+hex.EncodeToString(mac.Sum(nil)), second.header.Get("Sluice-Signature"))
		var in struct {
			MessageType int
			Title, URL  string
			Recipient   struct{ Username string }
		}
		require.NoError(t, json.Unmarshal([]byte(second.body), &in))
		require.Equal(t, 101, in.MessageType)
		require.Equal(t, []string{"hello", "cid"}, []string{in.Title, in.Recipient.Username})
		require.Contains(t, in.URL, "https://sluice.example.com/?messageId=")
		require.NotContains(t, second.body, hookSecret)
		status(func(int) int { return 422 })
		w.tell("bob", "refused")
		<-w.hooks
		require.Equal(t, "answered 422", w.until(map[channel.State]int{channel.Sent: 1, channel.Dead: 1})[0].Error)
		status(func(int) int { return 302 })
		w.tell("bob", "led away")
		<-w.hooks
		w.tried(map[channel.State]int{channel.Sent: 1, channel.Dead: 1, channel.Waiting: 1})
		w.again(w.withHook(false))
		w.ahead.Add(int64(10 * time.Minute))
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if d := w.until(map[channel.State]int{channel.Sent: 1, channel.Dead: 1, channel.Waiting: 1})[0]; strings.Contains(d.Error, "not a public one") {
				break
			}
		}
		require.Equal(t, "the address is not a public one", w.until(map[channel.State]int{channel.Sent: 1, channel.Dead: 1, channel.Waiting: 1})[0].Error)
		require.Empty(t, w.hooks)
	})
}
