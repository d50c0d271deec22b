package authn

import "time"

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any {
	return []any{&keptKey{}, &credential{}, &session{}, &refresh{}, &loginKey{}, &guess{}}
}

// keptKey is a random key of the installation, made on first use and shared by all nodes. It is sealed with a key that is not
// in the database.
type keptKey struct {
	Name   string `gorm:"primaryKey;size:40"`
	Value  []byte
	Sealed bool `gorm:"not null;default:false"` // false: of a version that did not seal
}

func (keptKey) TableName() string { return "sl_secret" }

// credential is a user's password. Version rises with every change of it; older access tokens end.
type credential struct {
	UserID    string `gorm:"primaryKey;size:36"`
	Hash      string // PHC string of argon2id
	Version   int64
	MustReset bool // an administrator set it; a session may do nothing but change it
	LastLogin *time.Time
	ChangedAt time.Time
}

func (credential) TableName() string { return "sl_credential" }

// The kinds of sessions.
const (
	kindBrowser = "browser"
	kindScript  = "script"
)

// session is a family of refresh tokens, one for each sign-in, or a token for scripts.
type session struct {
	ID        string `gorm:"primaryKey;size:36"`
	UserID    string `gorm:"size:36;index"`
	Kind      string `gorm:"size:10"`  // browser, script
	Label     string `gorm:"size:100"` // of a script's token: what it is for
	CreatedAt time.Time
	ExpiresAt time.Time `gorm:"index"`
	EndedAt   *time.Time
}

// sessionTable has a version that all nodes follow: it changes when a session ends before its time.
const sessionTable = "sl_session"

func (session) TableName() string { return sessionTable }

// refresh is one refresh token of a family; only its hash is kept. Used marks it as rotated away.
type refresh struct {
	Hash      string    `gorm:"primaryKey;size:64"`
	SessionID string    `gorm:"size:36;index"`
	ExpiresAt time.Time `gorm:"index"`
	UsedAt    *time.Time
}

func (refresh) TableName() string { return "sl_refresh" }

// loginKey is the private half of a one-time RSA key, sealed with the installation's key. The index is kept hashed.
type loginKey struct {
	Hash      string `gorm:"primaryKey;size:64"`
	Sealed    []byte
	ExpiresAt time.Time `gorm:"index"`
}

func (loginKey) TableName() string { return "sl_login_key" }
