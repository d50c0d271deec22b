package channel_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/internal/plugintest"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/channel"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/mail/mailtest"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/outbound"
	"github.com/sluice-platform/sluice/runtime/store"
)

var filled = apptest.Of(plugintest.Register)

// installation is a product with a mail server, a webhook and some people.
type installation struct {
	*testing.T
	o     store.Options
	app   *app.App
	mails *mailtest.Server
	hooks chan call
	hook  *httptest.Server
	say   atomic.Pointer[func(n int) int] // the status of the n-th call
	ahead atomic.Int64
	ids   map[string]string
}

// call is a call of the webhook.
type call struct {
	header http.Header
	body   string
}

const hookSecret = "hook-Secret-1"

func each(t *testing.T, test func(w *installation)) {
	t.Parallel()
	filled.Each(t, func(t *testing.T, o store.Options) {
		w := &installation{T: t, o: o, mails: mailtest.Start(t, false, false), hooks: make(chan call, 100), ids: map[string]string{}}
		calls := 0
		w.hook = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
			body := make([]byte, r.ContentLength)
			_, _ = r.Body.Read(body)
			calls++
			w.hooks <- call{r.Header, string(body)}
			if say := w.say.Load(); say != nil {
				out.WriteHeader((*say)(calls))
			}
		}))
		t.Cleanup(w.hook.Close)
		w.app = w.open(nil)
		t.Cleanup(func() { require.NoError(t, w.app.Close()) })
		for name, role := range map[string]string{"ann": "administrator", "bob": "staff", "cid": "staff"} {
			id, err := w.app.AddUser(t.Context(), name, name, []string{role})
			require.NoError(t, err)
			w.ids[name] = id
			if name != "cid" {
				w.change(name, map[string]any{"email": name + "@example.com"})
			}
		}
		test(w)
	})
}

// open starts a node.
func (w *installation) open(change func(c *app.Channels)) *app.App {
	w.Helper()
	sender, err := mail.New(mail.Config{Server: w.mails.Address, From: "Sluice <no-reply@example.com>", Trust: w.mails.Trust, User: mailtest.User,
		Password: mailtest.Password, Timeout: 10 * time.Second})
	require.NoError(w, err)
	c := app.Channels{Mail: sender}
	if change != nil {
		change(&c)
	}
	set := &pack.Set{}
	require.NoError(w, plugintest.Register(set))
	set.Freeze()
	a, err := app.Open(context.Background(), app.Config{Documents: app.Documents{Set: set, Zone: time.FixedZone("CST", 8*3600)}, Dir: w.o.Dir, URL: w.o.URL, Version: apptest.Version,
		Clock: func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }, Workers: 1, Name: "Locks", Address: "https://sluice.example.com",
		Channels: c, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	require.NoError(w, err)
	return a
}

// withHook adds the webhook to a node.
func (w *installation) withHook(private bool) func(c *app.Channels) {
	at, err := url.Parse(w.hook.URL)
	require.NoError(w, err)
	return func(c *app.Channels) {
		c.Mail, c.Webhook, c.Secret, c.Private, c.Client = nil, at, hookSecret, private, outbound.New(outbound.Options{Private: private})
	}
}

// again replaces the node by one that is set up otherwise.
func (w *installation) again(change func(c *app.Channels)) {
	w.Helper()
	require.NoError(w, w.app.Close())
	w.app = w.open(change)
}

// appChannels are how an installation sends.
type appChannels = app.Channels

// view is what somebody may see, in Chinese.
func (w *installation) view(user string) *authz.View {
	w.Helper()
	who, active := w.app.Caller(w.Context(), user)
	require.True(w, active)
	return w.app.State().Policy.View(who, w.app.Now(), w.app.Zone())
}

func (w *installation) change(user string, values map[string]any) {
	w.Helper()
	ann, ok := w.app.Caller(w.Context(), "ann")
	if !ok { // the first one is changed by themselves
		ann, ok = w.app.Caller(w.Context(), user)
	}
	require.True(w, ok)
	if _, known := w.ids["ann"]; !known && user != "ann" {
		ann.Roles = []string{"administrator"}
	}
	require.NoError(w, w.app.Act(w.Context(), ann, func(s world.World) error {
		now, err := s.Get(w.Context(), "user", w.ids[user])
		if err != nil {
			return err
		}
		_, err = s.Update(w.Context(), "user", w.ids[user], now.Version, values)
		return err
	}))
}

// tell sends a message with a title of its own.
func (w *installation) tell(to, title string, more ...func(m *notify.Message)) {
	w.Helper()
	m := notify.Message{To: w.ids[to], Type: 101, Title: plan.Label{Zh: title, I18n: map[string]string{"en": title + " (en)"}}}
	for _, f := range more {
		f(&m)
	}
	require.NoError(w, w.app.Store().Write(w.Context(), func(_ context.Context, tx *store.Tx) error { return w.app.Messages().Send(tx, m) }))
}

// until waits until the deliveries are in these states, and returns them.
func (w *installation) until(want map[channel.State]int) []channel.Delivery {
	w.Helper()
	var all []channel.Delivery
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var err error
		all, _, err = w.app.Channels().List(w.Context(), nil, "", 0, 100)
		require.NoError(w, err)
		now := map[channel.State]int{}
		for _, d := range all {
			now[d.State]++
		}
		if len(now) == len(want) {
			same := true
			for state, n := range want {
				same = same && now[state] == n
			}
			if same {
				return all
			}
		}
	}
	w.Fatalf("the deliveries are %+v", all)
	return nil
}

// tried waits until the deliveries are in these states, and those that wait have been put off: by an attempt, or with others by one. An attempt that is
// noted only after the clock was moved puts off the next one from then on.
func (w *installation) tried(want map[channel.State]int) {
	w.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if !slices.ContainsFunc(w.until(want), func(d channel.Delivery) bool { return d.State == channel.Waiting && !d.Next.After(d.Created) }) {
			return
		}
	}
	w.Fatal("a delivery was not tried")
}
