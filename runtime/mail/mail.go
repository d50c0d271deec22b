// Package mail hands messages to an SMTP server. It decides nothing about who is sent what (runtime/channel); it makes sure that no text
// becomes a header, that passwords travel over TLS only, and says of a failure whether another attempt may help.
package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"strconv"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"

	"github.com/sluice-platform/sluice/engine/secret"
)

// How the connection to the server is secured.
const (
	StartTLS = "starttls" // plain first, then TLS or nothing
	TLS      = "tls"      // from the first byte
	Plain    = "none"     // only for servers on the same host or network; without a password
)

// Config of the server that takes mails.
type Config struct {
	Server   string // host:port
	Security string // StartTLS, TLS or Plain; "" = StartTLS
	User     string // "" = the server asks for none
	Password secret.Text
	From     string        // "Sluice <no-reply@example.com>"
	Timeout  time.Duration // of each step; 0 = 30 s
	Trust    *tls.Config   // nil = the certificates that the system trusts
}

const defaultTimeout = 30 * time.Second

// Sender sends mails.
type Sender struct {
	c    Config
	host string
	port int
	from *netmail.Address
}

// New checks a configuration. It does not connect.
func New(c Config) (*Sender, error) {
	host, port, err := net.SplitHostPort(c.Server)
	if err != nil {
		return nil, fmt.Errorf("the mail server %q is not host:port", c.Server)
	}
	s := &Sender{c: c, host: host}
	if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
		return nil, fmt.Errorf("the mail server %q has no valid port", c.Server)
	}
	if s.from, err = netmail.ParseAddress(c.From); err != nil {
		return nil, fmt.Errorf("the sender %q is not a mail address", c.From)
	}
	switch c.Security {
	case "", StartTLS, TLS:
	case Plain:
		if c.User != "" {
			return nil, errors.New("a password is sent over TLS only: use starttls or tls")
		}
	default:
		return nil, fmt.Errorf("%q is not starttls, tls or none", c.Security)
	}
	return s, nil
}

// From is the address that mails come from.
func (s *Sender) From() string { return s.from.Address }

// Server is the host and port of the server.
func (s *Sender) Server() string { return s.c.Server }

// Mail is one mail to one person.
type Mail struct {
	ID         string // unique: the server and the mailbox know a repeat by it
	Name       string // of the recipient
	To         string // address
	Subject    string
	Text, HTML string
	Locale     string
	Date       time.Time
}

// Failure is why a mail was not taken.
type Failure struct {
	Permanent bool // the server refuses this mail: another attempt would not help
	Server    bool // it was not this mail's fault: the server is away, refuses everybody, or the password
	Err       error
}

func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the reason.
func (f *Failure) Unwrap() error { return f.Err }

// Connection is open to the server. It belongs to one goroutine.
type Connection struct {
	client *gomail.Client
	s      *Sender
}

// Open connects and signs in. Its error is a *Failure of the server.
func (s *Sender) Open(ctx context.Context) (*Connection, error) {
	options := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(max(s.c.Timeout, 0)), gomail.WithoutNoop()}
	if s.c.Timeout <= 0 {
		options[1] = gomail.WithTimeout(defaultTimeout)
	}
	if s.c.Trust != nil {
		trust := s.c.Trust.Clone()
		trust.ServerName, trust.MinVersion = s.host, tls.VersionTLS12
		options = append(options, gomail.WithTLSConfig(trust))
	}
	switch s.c.Security {
	case TLS:
		options = append(options, gomail.WithSSL())
	case Plain:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.c.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.c.User), gomail.WithPassword(s.c.Password.Reveal()))
	}
	client, err := gomail.NewClient(s.host, options...)
	if err == nil {
		err = client.DialWithContext(ctx)
	}
	if err != nil {
		return nil, &Failure{Server: true, Err: s.clean(err)}
	}
	return &Connection{client, s}, nil
}

// Close ends the connection.
func (c *Connection) Close() { _ = c.client.Close() }

// Send hands over one mail: when it returns nil the server has it. Its error is a *Failure.
func (c *Connection) Send(m Mail) error {
	msg, err := c.s.compose(m)
	if err != nil {
		return &Failure{Permanent: true, Err: err}
	}
	err = c.client.Send(msg)
	if err == nil {
		return nil
	}
	var refused *gomail.SendError
	f := &Failure{Err: c.s.clean(err), Server: true}
	if errors.As(err, &refused) {
		code := refused.ErrorCode()
		f.Permanent = code >= 500
		// What the server answered to the recipient or the text is about this mail; to the sender, or without an answer, about all.
		f.Server = code == 0 || refused.Reason == gomail.ErrSMTPMailFrom || refused.Reason == gomail.ErrConnCheck
		f.Permanent = f.Permanent && !f.Server
	}
	return f
}

// clean keeps the password out of an error, whatever a server repeats, and bounds its length.
func (s *Sender) clean(err error) error {
	text := err.Error()
	if word := s.c.Password.Reveal(); word != "" {
		text = strings.ReplaceAll(text, word, "***")
	}
	return errors.New(OneLine(text, 300))
}

// compose writes a mail. Its texts cannot become headers: control signs, line ends among them, are gone before.
func (s *Sender) compose(m Mail) (*gomail.Msg, error) {
	to, err := netmail.ParseAddress(m.To)
	if err != nil || to.Address != strings.TrimSpace(m.To) || OneLine(to.Address, 320) != to.Address {
		return nil, errors.New("the address of the recipient is not a mail address")
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(s.from)
	msg.ToMailAddress(&netmail.Address{Name: OneLine(m.Name, 80), Address: to.Address})
	msg.Subject(OneLine(m.Subject, 200))
	host := s.from.Address[strings.LastIndex(s.from.Address, "@")+1:]
	msg.SetMessageIDWithValue(OneLine(m.ID, 80) + "@" + host)
	msg.SetDateWithValue(m.Date)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // nobody's absence note answers
	msg.SetGenHeader("Content-Language", m.Locale)
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}

// OneLine is a text without control signs, cut to so many characters.
func OneLine(text string, most int) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "�"))), " ")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
