package oidc

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// CallbackPath is the page of ours that providers send browsers back to.
const CallbackPath = "/oauthCallback"

// Limits of what a provider may answer.
const (
	answerWithin = 8 * time.Second
	answerBytes  = 1 << 20
	clockSkew    = 30 * time.Second // between a provider's clock and ours
	askAgain     = 5 * time.Second  // after a provider was not reached
)

// Identity is who somebody is, as a provider vouches for it. Issuer and Subject name them for good; the rest may change.
type Identity struct {
	Issuer, Subject       string
	Email, Name, Username string
	Verified              bool // the provider has made sure that the address is theirs
}

// Secrets are what one sign-in proves itself with: they are made for it and used once.
type Secrets struct{ State, Nonce, Verifier string }

// Client asks the providers of an installation.
type Client struct {
	providers map[string]*known
	listed    []Provider
}

// known is a provider with what it says of itself.
type known struct {
	Provider
	redirect string
	clock    func() time.Time
	http     *http.Client

	turn   chan struct{}   // held by the person who asks the provider about itself, and around what follows
	meta   *goidc.Provider // nil until it was reached
	says   says
	failed error // why it was not reached the last time
	until  time.Time
}

// says are the parts of a provider's description that the library does not keep.
type says struct {
	Algorithms []string `json:"id_token_signing_alg_values_supported"`
	Keys       string   `json:"jwks_uri"`
	NamesSelf  bool     `json:"authorization_response_iss_parameter_supported"`
}

// New makes the client of providers. Browsers come back to the callback page below address, the installation's own.
func New(providers []Provider, address string, clock func() time.Time) (*Client, error) {
	c := &Client{providers: map[string]*known{}, listed: providers}
	for _, p := range providers {
		if err := p.Check(); err != nil {
			return nil, fmt.Errorf("provider %q: %w", p.Code, err)
		}
		c.providers[p.Code] = &known{Provider: p, redirect: strings.TrimSuffix(address, "/") + CallbackPath, clock: clock, http: outbound(), turn: make(chan struct{}, 1)}
	}
	return c, nil
}

// Providers are all providers, in their order.
func (c *Client) Providers() []Provider {
	if c == nil {
		return nil
	}
	return c.listed
}

// Provider returns a provider by its code.
func (c *Client) Provider(code string) (Provider, bool) {
	if c == nil {
		return Provider{}, false
	}
	k, ok := c.providers[code]
	if !ok {
		return Provider{}, false
	}
	return k.Provider, true
}

// ErrUnknown: there is no provider with that code.
var ErrUnknown = errors.New("unknown provider")

// Address is where a browser proves who sits before it.
func (c *Client) Address(ctx context.Context, code string, s Secrets) (string, error) {
	k, ok := c.providers[code]
	if !ok {
		return "", ErrUnknown
	}
	meta, _, err := k.met(ctx)
	if err != nil {
		return "", err
	}
	return k.config(meta).AuthCodeURL(s.State, oauth2.S256ChallengeOption(s.Verifier), oauth2.SetAuthURLParam("nonce", s.Nonce)), nil
}

// Answer is what a browser comes back with.
type Answer struct{ Code, Issuer string }

// Identify returns whom a browser's answer is about. Nothing of it is believed before the provider's signature, its name, our own, the
// time and the nonce fit.
func (c *Client) Identify(ctx context.Context, code string, s Secrets, a Answer) (Identity, error) {
	k, ok := c.providers[code]
	if !ok {
		return Identity{}, ErrUnknown
	}
	meta, says, err := k.met(ctx)
	if err != nil {
		return Identity{}, err
	}
	if a.Issuer != "" && a.Issuer != k.Issuer || a.Issuer == "" && says.NamesSelf { // RFC 9207: the answer of another provider
		return Identity{}, fmt.Errorf("the answer is of issuer %q", a.Issuer)
	}
	ctx, cancel := context.WithTimeout(k.context(ctx), answerWithin)
	defer cancel()
	token, err := k.config(meta).Exchange(ctx, a.Code, oauth2.VerifierOption(s.Verifier))
	if err != nil {
		return Identity{}, fmt.Errorf("exchange the code: %w", quiet(err))
	}
	raw, _ := token.Extra("id_token").(string)
	if raw == "" {
		return Identity{}, errors.New("the provider sent no ID token")
	}
	who, err := k.read(ctx, meta, says, raw, token.AccessToken, s.Nonce)
	if err == nil && who.Email == "" && meta.UserInfoEndpoint() != "" {
		err = k.ask(ctx, meta, token, &who)
	}
	return who, err
}

// about is what a provider tells of somebody beside who it is.
type about struct {
	Email    string `json:"email"`
	Verified any    `json:"email_verified"` // true, and nothing that only looks like it
	Name     string `json:"name"`
	Username string `json:"preferred_username"`
}

func (a about) add(to *Identity) {
	to.Email, to.Verified, to.Name, to.Username = a.Email, a.Verified == true, a.Name, a.Username
}

// ask adds what a provider tells at an address of its own, and not in the token.
func (k *known) ask(ctx context.Context, meta *goidc.Provider, token *oauth2.Token, who *Identity) error {
	info, err := meta.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return fmt.Errorf("ask about the person: %w", err)
	}
	if info.Subject != who.Subject {
		return errors.New("the provider tells about somebody else")
	}
	var a about
	if err := info.Claims(&a); err != nil {
		return err
	}
	a.add(who)
	return nil
}

// read checks an ID token.
func (k *known) read(ctx context.Context, meta *goidc.Provider, says says, raw, access, nonce string) (Identity, error) {
	verifier := meta.Verifier(&goidc.Config{ClientID: k.ClientID, SupportedSigningAlgs: signing(says.Algorithms), Now: k.clock})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return Identity{}, err
	}
	var claims struct {
		about
		Party string `json:"azp"`
	}
	if err := token.Claims(&claims); err != nil {
		return Identity{}, err
	}
	switch {
	case nonce == "" || subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1:
		return Identity{}, errors.New("the nonce is of another sign-in")
	case claims.Party != "" && claims.Party != k.ClientID || len(token.Audience) > 1 && claims.Party == "":
		return Identity{}, fmt.Errorf("the token was made for %q", claims.Party)
	case token.Subject == "" || len(token.Subject) > maxSubject:
		return Identity{}, errors.New("the token has no usable subject")
	case token.IssuedAt.After(k.clock().Add(clockSkew)):
		return Identity{}, errors.New("the token comes from the future")
	}
	if token.AccessTokenHash != "" {
		if err := token.VerifyAccessToken(access); err != nil {
			return Identity{}, err
		}
	}
	who := Identity{Issuer: token.Issuer, Subject: token.Subject}
	claims.add(&who)
	return who, nil
}

// maxSubject is how long a subject may be; the standard says 255.
const maxSubject = 255

// signing are the algorithms with a public key among those that a provider names; its client secret signs nothing.
func signing(named []string) (out []string) {
	for _, one := range named {
		switch one {
		case goidc.RS256, goidc.RS384, goidc.RS512, goidc.ES256, goidc.ES384, goidc.ES512, goidc.PS256, goidc.PS384, goidc.PS512, goidc.EdDSA:
			out = append(out, one)
		}
	}
	if out == nil {
		out = []string{goidc.RS256}
	}
	return out
}

func (k *known) config(meta *goidc.Provider) *oauth2.Config {
	scopes := k.Scopes
	if len(scopes) == 0 {
		scopes = []string{"profile", "email"}
	}
	return &oauth2.Config{ClientID: k.ClientID, ClientSecret: k.Secret.Reveal(), Endpoint: meta.Endpoint(), RedirectURL: k.redirect,
		Scopes: append([]string{goidc.ScopeOpenID}, scopes...)}
}

// met returns what the provider says of itself, which is asked once: a provider that is away at the start keeps nobody else out. Those
// who come while it is away, or shortly after, do not wait one after the other.
func (k *known) met(ctx context.Context) (*goidc.Provider, says, error) {
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		return nil, says{}, ctx.Err()
	}
	switch {
	case k.meta != nil:
		return k.meta, k.says, nil
	case k.clock().Before(k.until):
		return nil, says{}, k.failed
	}
	meta, said, err := k.discover(ctx)
	switch {
	case err == nil:
		k.meta, k.says = meta, said
	case ctx.Err() == nil: // who left says nothing about the provider
		k.failed, k.until = err, k.clock().Add(askAgain)
	}
	return meta, said, err
}

// discover asks the provider about itself.
func (k *known) discover(ctx context.Context) (meta *goidc.Provider, said says, err error) {
	within, cancel := context.WithTimeout(k.context(ctx), answerWithin)
	defer cancel()
	meta, err = goidc.NewProvider(within, k.Issuer) // refuses a description that names another issuer
	if err != nil {
		return nil, says{}, fmt.Errorf("ask the provider about itself: %w", err)
	}
	if err := meta.Claims(&said); err != nil {
		return nil, says{}, err
	}
	for _, at := range []string{meta.Endpoint().AuthURL, meta.Endpoint().TokenURL, meta.UserInfoEndpoint(), said.Keys} {
		if at != "" && !strings.HasPrefix(at, "https://") && !strings.HasPrefix(k.Issuer, "http://") {
			return nil, says{}, fmt.Errorf("the provider's address %q is not encrypted", at)
		}
	}
	return meta, said, nil
}

func (k *known) context(ctx context.Context) context.Context { return goidc.ClientContext(ctx, k.http) }

// outbound is the client that talks to providers: it follows no redirects, and reads and waits only so much.
func outbound() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{Timeout: answerWithin, Transport: bounded{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// bounded cuts answers that are too long.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = limited{io.LimitReader(res.Body, answerBytes), res.Body}
	}
	return res, err
}

type limited struct {
	io.Reader
	io.Closer
}

// quiet takes the provider's answer out of an error, which can quote what was sent.
func quiet(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("the provider refused it: %s %s", refused.Response.Status, refused.ErrorCode)
	}
	return err
}
