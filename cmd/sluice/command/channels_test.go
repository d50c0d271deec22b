package command

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/secret"
)

// TestChannels: flags that cannot work are refused at the start, and no refusal shows a secret.
func TestChannels(t *testing.T) {
	t.Parallel()
	const key = "a-Secret-of-thirty-two-characters-1"
	mails := func(change func(c *channels)) channels {
		c := channels{MailServer: "mail.example.com:587", MailSecurity: "starttls", MailFrom: "Sluice <a@example.com>", MailUser: "u", MailPassword: key}
		change(&c)
		return c
	}
	hook := func(url string, word secret.Text) channels { return channels{WebhookURL: url, WebhookSecret: word} }
	for name, c := range map[string]struct {
		in     channels
		public bool
		want   string
	}{
		"nothing":         {channels{}, false, ""},
		"mail":            {mails(func(*channels) {}), true, ""},
		"no public URL":   {mails(func(*channels) {}), false, "--public-url"},
		"no sender":       {mails(func(c *channels) { c.MailFrom = "" }), true, "is not a mail address"},
		"no port":         {mails(func(c *channels) { c.MailServer = "mail.example.com" }), true, "host:port"},
		"password, plain": {mails(func(c *channels) { c.MailSecurity = "none" }), true, "over TLS only"},
		"webhook":         {hook("https://hooks.example.com/x", key), false, ""},
		"short secret":    {hook("https://hooks.example.com/x", "short"), false, "at least 32"},
		"other scheme":    {hook("file:///etc/passwd", key), false, "--webhook-url"},
	} {
		_, err := c.in.read(c.public)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.want, name)
		require.False(t, strings.Contains(fmt.Sprintf("%v %+v", err, c.in), key), name)
	}
}
