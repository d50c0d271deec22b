package command

import (
	"errors"
	"fmt"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/mail"
	"github.com/sluice-platform/sluice/runtime/outbound"
)

// channels are the flags of how notifications reach people outside the product.
type channels struct {
	MailServer   string      `help:"SMTP server for notifications by mail, as host:port; none by default. Needs --public-url and --mail-from."`
	MailSecurity string      `help:"starttls (port 587), tls (port 465), or none for a server on the same network without a password." default:"starttls" enum:"starttls,tls,none"`
	MailUser     string      `help:"User of the mail server."`
	MailPassword secret.Text `help:"Password of the mail server; set it as SLUICE_MAIL_PASSWORD."`
	MailFrom     string      `help:"Sender of mails, such as 'Sluice <no-reply@example.com>'."`
	MailLanguage string      `help:"Language of mails to people who chose none: zh or en." default:"zh" enum:"zh,en"`

	WebhookURL     string      `name:"webhook-url" help:"Address that notifications are posted to, signed; none by default."`
	WebhookSecret  secret.Text `help:"Key of the webhook's signatures, at least 32 characters; set it as SLUICE_WEBHOOK_SECRET."`
	WebhookPrivate bool        `help:"Allow a webhook at a private or local address."`
}

// leastSecret is how long the key of the webhook is at least.
const leastSecret = 32

// read checks the flags; public reports whether links can be made.
func (c channels) read(public bool) (out app.Channels, err error) {
	out.Locale = c.MailLanguage
	if c.MailServer != "" {
		if !public {
			return out, usageError{errors.New("--mail-server needs --public-url, where the links of mails lead")}
		}
		out.Mail, err = mail.New(mail.Config{Server: c.MailServer, Security: c.MailSecurity, User: c.MailUser, Password: c.MailPassword, From: c.MailFrom})
		if err != nil {
			return out, usageError{fmt.Errorf("--mail-server: %w", err)}
		}
	}
	if c.WebhookURL == "" {
		return out, nil
	}
	if out.Webhook, err = outbound.Address(c.WebhookURL); err != nil {
		return out, usageError{fmt.Errorf("--webhook-url: %w", err)}
	}
	if len(c.WebhookSecret.Reveal()) < leastSecret {
		return out, usageError{fmt.Errorf("--webhook-secret: use at least %d characters", leastSecret)}
	}
	out.Secret, out.Private, out.Client = c.WebhookSecret, c.WebhookPrivate, outbound.New(outbound.Options{Private: c.WebhookPrivate})
	return out, nil
}
