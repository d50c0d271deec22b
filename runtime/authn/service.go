package authn

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/oidc"
	"github.com/sluice-platform/sluice/runtime/store"
)

// Service signs people in and tells who a token is.
type Service struct {
	db     *store.DB
	people principal.Directory
	clock  func() time.Time
	log    *slog.Logger
	keys   *keys
	hasher *hasher
	parser *jwt.Parser
	stock  *keyStock

	providers *oidc.Client
	demanded  func(principal.Person) bool
	byEmail   func(context.Context, string) []principal.Person
	guarded   func(principal.Person) bool
	create    func(context.Context, oidc.Provider, oidc.Identity) (string, error)

	background context.Context // of the maker of keys
	stop       context.CancelFunc

	mu    sync.Mutex
	swept time.Time
	known map[string]knownSession       // session id -> what was read of it, at most a second ago
	ends  uint64                        // how often known was told of an end: what was read before it is not kept
	valid map[[sha256.Size]byte]*claims // tokens whose signature was checked, by their hash
}

// Format keeps what the service holds out of logs, whatever the verb.
func (s *Service) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, "authn.Service") }

type knownSession struct {
	user    string
	version int64
	ended   bool
	due     bool // nothing but the change of the password
	factor  bool // the person has a second factor
	at      time.Time

	script, readOnly bool
	apps             []principal.AppScope
}

// Options of New.
type Options struct {
	DB     *store.DB
	People principal.Directory
	Clock  func() time.Time
	Log    *slog.Logger
	Master Master

	Providers *oidc.Client                                                        // nil = none
	Demands   func(principal.Person) bool                                         // whether a role of a person asks for a second factor; nil = none does
	ByEmail   func(ctx context.Context, email string) []principal.Person          // the people with that address; nil = nobody is found by it
	Guarded   func(principal.Person) bool                                         // whom no address links to an identity; nil = nobody
	Create    func(context.Context, oidc.Provider, oidc.Identity) (string, error) // makes the person of a new identity and returns the id, "" = not possible
}

// New opens the service; Close ends its background work.
func New(ctx context.Context, o Options) (*Service, error) {
	k, err := loadKeys(ctx, o.DB, o.Master)
	if err != nil {
		return nil, err
	}
	h, err := newHasher()
	if err != nil {
		return nil, err
	}
	background, stop := context.WithCancel(context.Background())
	s := &Service{db: o.DB, people: o.People, clock: o.Clock, log: o.Log, keys: k, hasher: h, stock: newKeyStock(), providers: o.Providers, demanded: o.Demands, byEmail: o.ByEmail, guarded: o.Guarded, create: o.Create,
		background: background, stop: stop, known: map[string]knownSession{}, valid: map[[sha256.Size]byte]*claims{}}
	s.parser = jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithIssuer(issuer), jwt.WithAudience(audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(o.Clock))
	o.DB.OnChange(func(tables []string) { // of any node
		if SessionsChanged(tables) {
			s.forget("")
		}
	})
	return s, nil
}

// Close ends the background work.
func (s *Service) Close() { s.stop() }

// CursorKey signs the cursors of list answers.
func (s *Service) CursorKey() []byte { return s.keys.cursor }

// PaperKey signs the codes on paper. Copies of an installation keep it: paper outlives them.
func (s *Service) PaperKey() []byte { return s.keys.paper }

// Tokens are the answer to a sign-in or refresh. Expires is Unix seconds.
type Tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Expires int64  `json:"exp"`
}

// Credentials are what somebody gives to sign in. Password is encrypted with the one-time key of Index; Peer is the real
// address of the caller, Device what their browser says of itself.
type Credentials struct {
	Username, Index, Peer, Device string
	Password                      secret.Text
}

// place is where a session was opened.
type place struct{ address, device string }

// maxDevice is how much of what a browser says of itself is kept, in characters.
const maxDevice = 200

// SignIn checks a password and opens a session, or answers SecondFactor where the person has one (Finish). The answer to an unknown account takes as long as to a known one; who was
// wrong too often has to wait (TooManyAttempts).
func (s *Service) SignIn(ctx context.Context, in Credentials) (Tokens, error) {
	plain, err := s.decrypt(ctx, in.Index, in.Password)
	if err != nil {
		return Tokens{}, err
	}
	if err := s.db.Look(ctx); err != nil { // another process may have added the person just now; for every name alike, so that time tells none
		return Tokens{}, err
	}
	person, ok := s.people.PersonByName(ctx, in.Username)
	account := "user " + person.ID // not the name, which can be written in many ways
	if !ok {
		account = "name " + in.Username
	}
	attempt, err := s.try(ctx, account, in.Peer)
	if err != nil {
		return Tokens{}, err
	}
	cred, err := s.credential(ctx, person.ID) // of nobody when the account is unknown: no step is left out
	if err != nil {
		return Tokens{}, err
	}
	match, err := s.hasher.Matches(ctx, cred.Hash, plain[0])
	if err != nil {
		return Tokens{}, err
	}
	if !match || person.Disabled {
		s.log.WarnContext(ctx, "sign-in refused", "known", ok, "disabled", person.Disabled, "peer", in.Peer)
		if err := s.noteFailure(ctx, person, in.Peer, attempt.locks); err != nil {
			return Tokens{}, err
		}
		return Tokens{}, fault.New(fault.LoginFailed)
	}
	var out entered
	err = s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := attempt.right(ctx, tx); err != nil {
			return err
		}
		out, err = s.admit(ctx, tx, entry{User: person.ID, Version: cred.Version}, person, place{in.Peer, in.Device})
		return err
	})
	if err != nil {
		return Tokens{}, err
	}
	return out.answer()
}

// noteFailure logs a failed attempt. What was typed for a name is not kept: people type passwords there.
func (s *Service) noteFailure(ctx context.Context, person principal.Person, peer string, locks bool) error {
	e := audit.Entry{Kind: audit.SignInFailed, Address: peer, Subject: person.ID, About: person.Name, Failed: true}
	if locks {
		e.Kind = audit.SignInLocked
	}
	over := context.WithoutCancel(ctx) // who hangs up has tried all the same
	return s.db.Write(over, func(over context.Context, tx *store.Tx) error { return audit.Write(over, tx, e) })
}

func (s *Service) credential(ctx context.Context, user string) (credential, error) {
	var c credential
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		return tx.System().Where("user_id = ?", user).Limit(1).Find(&c).Error
	})
	return c, err
}

// openSession starts a family of refresh tokens.
func (s *Service) openSession(tx *store.Tx, user string, version int64, at place) (Tokens, error) {
	now := s.clock().UTC()
	family := session{ID: uuid.Must(uuid.NewV7()).String(), UserID: user, Kind: kindBrowser, CreatedAt: now, ExpiresAt: now.Add(RefreshLife),
		Address: at.address, Device: shorten(at.device, maxDevice), SeenAt: &now}
	if err := tx.System().Create(&family).Error; err != nil {
		return Tokens{}, err
	}
	return s.issue(tx, family, version)
}

// issue makes the next pair of tokens of a family.
func (s *Service) issue(tx *store.Tx, family session, version int64) (Tokens, error) {
	token, err := newToken()
	if err != nil {
		return Tokens{}, err
	}
	now := s.clock().UTC()
	if err := tx.System().Create(&refresh{Hash: hashToken(token), SessionID: family.ID, ExpiresAt: family.ExpiresAt}).Error; err != nil {
		return Tokens{}, err
	}
	expires := now.Add(AccessLife)
	access, err := s.sign(family.UserID, family.ID, version, expires)
	return Tokens{Access: access, Refresh: token, Expires: expires.Unix()}, err
}

// Refresh rotates a refresh token. A token that was rotated away before ends its whole family: somebody copied it.
func (s *Service) Refresh(ctx context.Context, token string) (Tokens, error) {
	now := s.clock().UTC()
	var out Tokens
	rejected, ended := false, ""
	hash := hashToken(token)
	if known, err := s.issued(ctx, hash); err != nil || !known { // guesses shall not queue up with the writers
		return Tokens{}, orRejected(err)
	}
	err := s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		rejected = false
		var old refresh
		if found := tx.System().Where("hash = ?", hash).Limit(1).Find(&old); found.Error != nil || found.RowsAffected == 0 {
			rejected = true
			return found.Error
		}
		var family session
		if err := tx.System().Where("id = ?", old.SessionID).Take(&family).Error; err != nil {
			return err
		}
		turned := tx.System().Model(&refresh{}).Where("hash = ? AND used_at IS NULL AND expires_at >= ?", hash, now).Update("used_at", now)
		if turned.Error != nil {
			return turned.Error
		}
		person, known := s.people.Person(ctx, family.UserID)
		if turned.RowsAffected != 1 || family.EndedAt != nil || !known || person.Disabled {
			rejected, ended = true, family.ID
			if turned.RowsAffected != 1 && old.UsedAt != nil && family.EndedAt == nil {
				e := audit.Entry{Kind: audit.Reused, Subject: family.UserID, About: person.Name, Failed: true}
				if err := audit.Write(ctx, tx, e); err != nil {
					return err
				}
			}
			return s.end(tx, family.ID, now)
		}
		var cred credential
		if err := tx.System().Where("user_id = ?", family.UserID).Take(&cred).Error; err != nil {
			return err
		}
		var err error
		if err := tx.System().Model(&session{}).Where("id = ?", family.ID).UpdateColumn("seen_at", now).Error; err != nil {
			return err
		}
		out, err = s.issue(tx, family, cred.Version)
		return err
	})
	if ended != "" {
		s.forget(ended)
	}
	if err != nil || rejected {
		return Tokens{}, orRejected(err)
	}
	return out, nil
}

func (s *Service) issued(ctx context.Context, hash string) (known bool, err error) {
	err = s.db.Read(ctx, func(_ context.Context, tx *store.Tx) error {
		var n int64
		err := tx.System().Model(&refresh{}).Where("hash = ?", hash).Count(&n).Error
		known = n == 1
		return err
	})
	return known, err
}

func orRejected(err error) error {
	if err == nil {
		return fault.New(fault.RefreshRejected)
	}
	return err
}

func (s *Service) end(tx *store.Tx, family string, now time.Time) error {
	s.forget(family)
	tx.Touch(sessionTable)
	return tx.System().Model(&session{}).Where("id = ? AND ended_at IS NULL", family).Update("ended_at", now).Error
}

func (s *Service) forget(family string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ends++
	if family == "" {
		clear(s.known)
		return
	}
	delete(s.known, family)
}

// SignOut ends the session of a principal.
func (s *Service) SignOut(ctx context.Context, p principal.Principal) error {
	if p.Session == "" {
		return nil
	}
	defer s.forget(p.Session) // of a call meanwhile, which read the session before the commit
	return s.db.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := s.end(tx, p.Session, s.clock().UTC()); err != nil {
			return err
		}
		return audit.Write(ctx, tx, audit.Entry{Kind: audit.SignedOut, Actor: p.UserID, Name: s.nameOf(ctx, p.UserID)})
	})
}

// nameOf is a person's name; "" when they are gone.
func (s *Service) nameOf(ctx context.Context, user string) string {
	p, _ := s.people.Person(ctx, user)
	return p.Name
}

// SessionsChanged reports whether a change of these tables (store.DB.OnChange) may have ended somebody's session.
func SessionsChanged(tables []string) bool {
	return tables == nil || slices.Contains(tables, sessionTable)
}

// Authenticate returns who an access token is. Ended sessions, changed passwords and disabled people are seen at most a
// second late. A session whose password must be changed first is refused (PasswordDue), and one of a person who still has to set up a
// second factor (FactorDue).
func (s *Service) Authenticate(ctx context.Context, token string) (principal.Principal, error) {
	p, due, err := s.authenticate(ctx, token)
	if err == nil && due != 0 {
		return principal.Principal{}, fault.New(due)
	}
	return p, err
}

// AuthenticateDue is Authenticate for the few calls that are open before what is due: a change of the password, a second factor.
func (s *Service) AuthenticateDue(ctx context.Context, token string) (principal.Principal, error) {
	p, _, err := s.authenticate(ctx, token)
	return p, err
}

func (s *Service) authenticate(ctx context.Context, token string) (p principal.Principal, due fault.Code, err error) {
	c, err := s.claims(token)
	if err != nil {
		return principal.Principal{}, 0, err
	}
	k, err := s.session(ctx, c.Session)
	if err != nil {
		return principal.Principal{}, 0, err
	}
	person, ok := s.people.Person(ctx, c.Subject)
	if !ok || person.Disabled || k.ended || k.user != c.Subject || k.version != c.Version {
		return principal.Principal{}, 0, fault.New(fault.TokenExpired)
	}
	p = Principal(ctx, s.people, person, c.Session)
	p.Script, p.ReadOnly, p.Apps = k.script, k.readOnly, k.apps
	switch {
	case k.due:
		due = fault.PasswordDue
	case !k.script && !k.factor && s.demands(person):
		due = fault.FactorDue
	}
	return p, due, nil
}

// demands reports whether a person has to have a second factor.
func (s *Service) demands(person principal.Person) bool {
	return s.demanded != nil && s.demanded(person)
}

// claims are those of a token. A token comes with every request; its signature and form are looked at once, its time always.
func (s *Service) claims(token string) (*claims, error) {
	key := sha256.Sum256([]byte(token))
	s.mu.Lock()
	c, ok := s.valid[key]
	s.mu.Unlock()
	if ok && s.clock().Before(c.ExpiresAt.Time) {
		return c, nil
	}
	c, err := s.parse(token)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.valid) > 10000 {
		clear(s.valid)
	}
	s.valid[key] = c
	return c, nil
}

// Principal makes a person's principal with the departments below the own ones.
func Principal(ctx context.Context, d principal.Directory, person principal.Person, session string) principal.Principal {
	return principal.Principal{UserID: person.ID, Name: person.Name, Roles: person.Roles, Departments: person.Departments,
		DepartmentTree: d.Below(ctx, person.Departments), MainDepartment: person.MainDepartment, Session: session}
}

func (s *Service) session(ctx context.Context, id string) (knownSession, error) {
	now := s.clock()
	s.mu.Lock()
	k, ok := s.known[id]
	ends := s.ends
	s.mu.Unlock()
	if ok && now.Sub(k.at) < time.Second {
		return k, nil
	}
	var family session
	var cred credential
	var factor bool
	err := s.db.Read(ctx, func(_ context.Context, tx *store.Tx) (err error) {
		if err := tx.System().Where("id = ?", id).Limit(1).Find(&family).Error; err != nil {
			return err
		}
		if family.Kind == kindBrowser {
			if factor, err = hasFactor(tx, family.UserID); err != nil {
				return err
			}
		}
		return tx.System().Where("user_id = ?", family.UserID).Limit(1).Find(&cred).Error
	})
	if err != nil {
		return knownSession{}, err
	}
	k = knownSession{user: family.UserID, factor: factor, version: cred.Version, at: now, script: family.Kind == kindScript, readOnly: family.ReadOnly, apps: appsOf(family.Apps), due: cred.MustReset && family.Kind == kindBrowser,
		ended: family.ID == "" || family.EndedAt != nil || family.ExpiresAt.Before(now)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ends != s.ends {
		return k, nil
	}
	if len(s.known) > 10000 {
		clear(s.known)
	}
	s.known[id] = k
	return k, nil
}
