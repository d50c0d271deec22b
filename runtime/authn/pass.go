package authn

import (
	"context"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
)

// PassLife is how long somebody may look at the product as somebody else with one pass (docs/adr/0052).
const PassLife = 30 * time.Minute

// passAudience keeps passes and access tokens from being taken for each other.
const passAudience = "sluice-see-as"

// passClaims are those of a pass: who looks (Actor, in Session) as whom (Subject).
type passClaims struct {
	jwt.RegisteredClaims
	Session string `json:"sid"`
	Actor   string `json:"act"`
}

// MakePass makes a pass with which a session looks at the product as somebody else. Whether it may is the caller's to decide, at each use.
func (s *Service) MakePass(by principal.Principal, as string) (pass string, expires time.Time, err error) {
	now := s.clock()
	expires = now.Add(PassLife)
	c := passClaims{Session: by.Session, Actor: by.UserID, RegisteredClaims: jwt.RegisteredClaims{Issuer: issuer, Audience: jwt.ClaimStrings{passAudience},
		Subject: as, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(expires)}}
	pass, err = jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(s.keys.sign)
	return pass, expires, err
}

// SeenAs is the principal of the person that a pass is for, who may only read. A pass of another session, of another person, or that is
// over is refused (SeeAsEnded), as is one for somebody who is gone or disabled.
func (s *Service) SeenAs(ctx context.Context, by principal.Principal, pass string) (principal.Principal, error) {
	var c passClaims
	_, err := jwt.ParseWithClaims(pass, &c, func(*jwt.Token) (any, error) { return s.keys.sign, nil }, jwt.WithValidMethods([]string{"HS256"}),
		jwt.WithIssuer(issuer), jwt.WithAudience(passAudience), jwt.WithExpirationRequired(), jwt.WithTimeFunc(s.clock))
	if err != nil || c.Session == "" || c.Session != by.Session || c.Actor != by.UserID || by.Script {
		return principal.Principal{}, fault.Wrap(err, fault.SeeAsEnded)
	}
	person, ok := s.people.Person(ctx, c.Subject)
	if !ok || person.Disabled {
		return principal.Principal{}, fault.New(fault.SeeAsEnded)
	}
	p := Principal(ctx, s.people, person, by.Session)
	p.ReadOnly, p.SeenBy = true, by.UserID
	return p, nil
}
