// Package mailtest is a mail server for tests: a real one, in the test's process.
package mailtest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// User and Password are those that the server asks for.
const (
	User     = "sluice"
	Password = "mail-Secret-1"
)

// Mail is a mail that the server took.
type Mail struct {
	From, To   string // of the envelope
	Raw        []byte
	Header     mail.Header
	Subject    string // decoded
	Text, HTML string
}

// Server takes mails.
type Server struct {
	Address string
	Trust   *tls.Config
	Mails   chan Mail // what was taken, in its order

	mu       sync.Mutex
	refuse   map[string]*smtp.SMTPError
	during   func(to string) error // while a text is taken, before the answer
	attempts int
	cert     tls.Certificate
	secure   bool
	plain    bool
	server   *smtp.Server
	t        testing.TB
}

// Start starts a server: with secure it speaks TLS from the first byte, with plain it has no TLS at all, else it offers STARTTLS.
func Start(t testing.TB, secure, plain bool) *Server {
	t.Helper()
	s := &Server{Mails: make(chan Mail, 1000), refuse: map[string]*smtp.SMTPError{}, secure: secure, plain: plain, t: t}
	s.certificate()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Address = l.Addr().String()
	s.serve(l)
	t.Cleanup(s.Stop)
	return s
}

func (s *Server) certificate() {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		s.t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mailtest"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, of, of, key.Public(), key)
	if err != nil {
		s.t.Fatal(err)
	}
	s.cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		s.t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(made)
	s.Trust = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

func (s *Server) serve(l net.Listener) {
	server := smtp.NewServer(backend{s})
	server.Domain, server.ErrorLog, server.EnableSMTPUTF8 = "mailtest", log.New(io.Discard, "", 0), true
	secured := &tls.Config{Certificates: []tls.Certificate{s.cert}, MinVersion: tls.VersionTLS12}
	switch {
	case s.secure:
		l = tls.NewListener(l, secured)
	case !s.plain:
		server.TLSConfig = secured
	}
	s.mu.Lock()
	s.server = server
	s.mu.Unlock()
	go func() { _ = server.Serve(l) }()
}

// Stop ends the server and its connections. Its address stays its own.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.server != nil {
		_ = s.server.Close()
		s.server = nil
	}
}

// Again starts it once more, at the same address.
func (s *Server) Again() {
	s.t.Helper()
	l, err := net.Listen("tcp", s.Address)
	if err != nil {
		s.t.Fatal(err)
	}
	s.serve(l)
}

// Refuse answers a code to mails for an address; 0 takes them again.
func (s *Server) Refuse(address string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if code == 0 {
		delete(s.refuse, address)
		return
	}
	s.refuse[address] = &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 1, 1}, Message: "not here, says the server"}
}

// During is called while a text is taken, before the server answers.
func (s *Server) During(f func(to string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.during = f
}

// Attempts is how many times a password was offered.
func (s *Server) Attempts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.attempts
}

// Next is the next mail that the server takes.
func (s *Server) Next(t testing.TB) Mail {
	t.Helper()
	select {
	case m := <-s.Mails:
		return m
	case <-time.After(time.Minute):
		t.Fatal("no mail came")
	}
	return Mail{}
}

type backend struct{ *Server }

func (b backend) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{Server: b.Server}, nil }

type session struct {
	*Server
	from, to string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.attempts++; user != User || password != Password {
			return errors.New("wrong user or password: " + password)
		}
		return nil
	}), nil
}

func (s *session) Reset()        { s.from, s.to = "", "" }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if refused := s.refuse[to]; refused != nil {
		return refused
	}
	s.to = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m, err := read(raw)
	if err != nil {
		return err
	}
	m.From, m.To = s.from, s.to
	s.Mails <- m
	s.mu.Lock()
	during := s.during
	s.mu.Unlock()
	if during != nil {
		return during(s.to)
	}
	return nil
}

// read takes a mail apart.
func read(raw []byte) (Mail, error) {
	in, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return Mail{}, err
	}
	m := Mail{Raw: raw, Header: in.Header}
	if m.Subject, err = new(mime.WordDecoder).DecodeHeader(in.Header.Get("Subject")); err != nil {
		return m, err
	}
	_, params, err := mime.ParseMediaType(in.Header.Get("Content-Type"))
	if err != nil {
		return m, err
	}
	parts := multipart.NewReader(in.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return m, nil
		}
		if err != nil {
			return m, err
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			return m, err
		}
		if kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); kind == "text/html" {
			m.HTML = string(text)
		} else {
			m.Text = string(text)
		}
	}
}
