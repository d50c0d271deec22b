package mail_test

import (
	"errors"
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	ours "github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/mail/mailtest"
)

func letter(change func(m *ours.Mail)) ours.Mail {
	m := ours.Mail{ID: "0190", Name: "王芳", To: "wang@example.com", Subject: "待您处理", Text: "一\n二\n", HTML: "<p>一</p>", Locale: "zh", Date: time.Now()}
	if change != nil {
		change(&m)
	}
	return m
}

func config(s *mailtest.Server) ours.Config {
	return ours.Config{Server: s.Address, From: "Sluice <no-reply@example.com>", Trust: s.Trust, Timeout: 10 * time.Second}
}

func send(t *testing.T, c ours.Config, m ours.Mail) error {
	t.Helper()
	s, err := ours.New(c)
	require.NoError(t, err)
	open, err := s.Open(t.Context())
	if err != nil {
		return err
	}
	defer open.Close()
	return open.Send(m)
}

func failure(t *testing.T, err error) *ours.Failure {
	t.Helper()
	var f *ours.Failure
	require.True(t, errors.As(err, &f), "%v", err)
	return f
}

// TestSecurity: TLS by either way, a password over TLS only, and no mail to a server that nobody vouches for.
func TestSecurity(t *testing.T) {
	t.Parallel()
	for name, secure := range map[string]bool{ours.StartTLS: false, ours.TLS: true} {
		s := mailtest.Start(t, secure, false)
		c := config(s)
		c.Security, c.User, c.Password = name, mailtest.User, mailtest.Password
		require.NoError(t, send(t, c, letter(nil)), name)
		m := s.Next(t)
		require.Equal(t, []string{"no-reply@example.com", "wang@example.com", "待您处理", "一\r\n二\r\n", "<p>一</p>"}, []string{m.From, m.To, m.Subject, m.Text, m.HTML})
		require.Equal(t, "<0190@example.com>", m.Header.Get("Message-ID"))
		require.Equal(t, "auto-generated", m.Header.Get("Auto-Submitted"))
		c.Password = "wrong-Word-2"
		f := failure(t, send(t, c, letter(nil)))
		require.True(t, f.Server && !f.Permanent)
		require.NotContains(t, f.Error(), "wrong-Word-2", "the server repeats it, we do not")
		c.Password, c.Trust = mailtest.Password, nil
		before := s.Attempts()
		require.True(t, failure(t, send(t, c, letter(nil))).Server, "a certificate that nobody vouches for")
		require.Equal(t, before, s.Attempts(), "no password went there")
	}
	plain := mailtest.Start(t, false, true)
	c := config(plain)
	require.True(t, failure(t, send(t, c, letter(nil))).Server, "no STARTTLS, no mail")
	c.Security = ours.Plain
	require.NoError(t, send(t, c, letter(nil)))
	c.User = "u"
	_, err := ours.New(c)
	require.ErrorContains(t, err, "over TLS only")
}

// TestHeaders: no text becomes a header or another recipient.
func TestHeaders(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t, false, true)
	c := config(s)
	c.Security = ours.Plain
	evil := "Hi\r\nBcc: all@example.com\r\n\r\nbody\u2028x\x00"
	require.NoError(t, send(t, c, letter(func(m *ours.Mail) { m.Subject, m.Name, m.ID = evil, evil, "1\r\nX-A: b" })))
	m := s.Next(t)
	require.Equal(t, "Hi Bcc: all@example.com body x", m.Subject)
	require.Empty(t, m.Header.Get("Bcc"))
	require.Empty(t, m.Header.Get("X-A"))
	to, err := mail.ParseAddressList(m.Header.Get("To"))
	require.NoError(t, err)
	require.Len(t, to, 1)
	require.Equal(t, "wang@example.com", to[0].Address)
	for _, address := range []string{"", "wang", "a@example.com, b@example.com", "A <a@example.com>", "a@example.com\r\nRCPT TO:<b@example.com>", "a@exa mple.com",
		"<a@example.com> SIZE=1", strings.Repeat("x", 400) + "@example.com"} {
		f := failure(t, send(t, c, letter(func(m *ours.Mail) { m.To = address })))
		require.True(t, f.Permanent, address)
	}
	require.Empty(t, s.Mails)
}

// TestRefused says which failures end a mail, which are tried again and which concern all mails.
func TestRefused(t *testing.T) {
	t.Parallel()
	s := mailtest.Start(t, false, true)
	c := config(s)
	c.Security = ours.Plain
	s.Refuse("wang@example.com", 550)
	f := failure(t, send(t, c, letter(nil)))
	require.True(t, f.Permanent && !f.Server, f.Error())
	require.Contains(t, f.Error(), "not here")
	s.Refuse("wang@example.com", 451)
	f = failure(t, send(t, c, letter(nil)))
	require.True(t, !f.Permanent && !f.Server, f.Error())
	s.Stop()
	f = failure(t, send(t, c, letter(nil)))
	require.True(t, !f.Permanent && f.Server, f.Error())
}

// TestConfig: what cannot work is refused at the start.
func TestConfig(t *testing.T) {
	t.Parallel()
	good := ours.Config{Server: "mail.example.com:587", From: "Sluice <a@example.com>"}
	_, err := ours.New(good)
	require.NoError(t, err)
	for _, change := range []func(c *ours.Config){
		func(c *ours.Config) { c.Server = "mail.example.com" }, func(c *ours.Config) { c.Server = "mail.example.com:x" }, func(c *ours.Config) { c.From = "nobody" },
		func(c *ours.Config) { c.Security = "ssl" },
	} {
		c := good
		change(&c)
		_, err := ours.New(c)
		require.Error(t, err)
	}
}
