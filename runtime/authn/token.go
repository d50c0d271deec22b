package authn

import (
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/sluice-platform/sluice/engine/fault"
)

// Lives of tokens. A browser refreshes after a quarter of the access token's life (specification 1-shell section 4).
const (
	AccessLife  = 15 * time.Minute
	RefreshLife = 14 * 24 * time.Hour
	issuer      = "sluice"
	audience    = "sluice-api"
)

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
	_, err := s.parser.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) { return s.keys.sign, nil })
	switch {
	case err == nil:
		return &c, nil
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, fault.Wrap(err, fault.TokenExpired)
	}
	return nil, fault.Wrap(err, fault.Unauthenticated)
}
