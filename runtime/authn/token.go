package authn

import (
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/sluice-platform/sluice/engine/fault"
)

// Lives of tokens. A browser refreshes after a quarter of the access token's life (docs/formats.md, Limits).
const (
	AccessLife  = 15 * time.Minute
	RefreshLife = 14 * 24 * time.Hour
	issuer      = "sluice"
	audience    = "sluice-api"
)

// clockSkew is how much the clocks of two nodes may differ.
const clockSkew = 5 * time.Second

// ours refuses tokens that are signed but not made as ours are: without the time of their making, with one that has not come,
// or with extensions that who checks them must understand (RFC 7515, section 4.1.11), of which we know none.
func (s *Service) ours(t *jwt.Token, c *claims) (*claims, error) {
	if _, extended := t.Header["crit"]; extended || c.IssuedAt == nil || c.IssuedAt.After(s.clock().Add(clockSkew)) {
		return nil, fault.New(fault.Unauthenticated)
	}
	return c, nil
}

// Expires tells when an access token ends.
func (s *Service) Expires(token string) (time.Time, error) {
	c, err := s.claims(token)
	if err != nil {
		return time.Time{}, err
	}
	return c.ExpiresAt.Time, nil
}

// claims of an access token. Version is the credential's when the token was made.
type claims struct {
	jwt.RegisteredClaims
	Session string `json:"sid"`
	Version int64  `json:"ver"`
}

func (s *Service) sign(user, session string, version int64, expires time.Time) (string, error) {
	now := s.clock()
	c := claims{Session: session, Version: version, RegisteredClaims: jwt.RegisteredClaims{
		Issuer: issuer, Audience: jwt.ClaimStrings{audience}, Subject: user,
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(expires)}}
	return jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(s.keys.sign)
}

func (s *Service) parse(token string) (*claims, error) {
	var c claims
	parsed, err := s.parser.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) { return s.keys.sign, nil })
	switch {
	case err == nil:
		return s.ours(parsed, &c)
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, fault.Wrap(err, fault.TokenExpired)
	}
	return nil, fault.Wrap(err, fault.Unauthenticated)
}
