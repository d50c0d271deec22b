package authn

import (
	"time"

	"github.com/sluice-platform/sluice/runtime/store"
)

// Tables are the gorm models of this package, for store.Options.System.
func Tables() []any {
	return []any{&keptKey{}, &credential{}, &session{}, &refresh{}, &loginKey{}, &guess{}, &ticket{}, &identity{}, &factor{}, &recovery{}, &link{}}
}

// Passing are the tables of what ends with an installation and is not to come back with a copy of it: sessions, tokens, one-time keys,
// counts of attempts.
func Passing() []string {
	return []string{sessionTable, refresh{}.TableName(), loginKey{}.TableName(), guess{}.TableName(), ticket{}.TableName()}
}

// Renew makes a copy of an installation end all tokens of the original: it makes new keys that sign tokens and cursors. With all, its
// other keys go too, for a copy whose master key is lost, and with them the second factors, which nobody could open.
func Renew(tx *store.Tx, all bool) error {
	at := tx.System().Where("name NOT IN ?", []string{"seal", "paper"})
	if all {
		at = tx.System().Where("name <> ?", "")
		for _, table := range []any{&factor{}, &recovery{}} {
			if err := tx.System().Where("user_id <> ?", "").Delete(table).Error; err != nil {
				return err
			}
		}
	}
	return at.Delete(&keptKey{}).Error
}

// Opens tells with ErrMaster or ErrNoMaster that the keys in a database cannot be opened.
func Opens(tx *store.Tx, master Master) error {
	b, err := openBox(tx, master)
	if err != nil {
		return err
	}
	var all []keptKey
	if err := tx.System().Find(&all).Error; err != nil {
		return err
	}
	for _, k := range all {
		if _, err := b.opened(k); err != nil {
			return err
		}
	}
	return nil
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
	MustReset bool  // an administrator set it; a session may do nothing but change it
	Own       *bool // the person chose it; nil: of a version that did not ask
	LastLogin *time.Time
	LastFrom  string `gorm:"size:64"` // the address of that sign-in
	// Before is the sign-in before the last one: what people are shown.
	BeforeLogin *time.Time
	BeforeFrom  string `gorm:"size:64"`
	ChangedAt   time.Time
}

func (credential) TableName() string { return "sl_credential" }

// The kinds of sessions.
const (
	kindBrowser = "browser"
	kindScript  = "script"
)

// session is a family of refresh tokens, one for each sign-in, or a token for scripts.
type session struct {
	ID        string     `gorm:"primaryKey;size:36"`
	UserID    string     `gorm:"size:36;index"`
	Kind      string     `gorm:"size:10"`  // browser, script
	Label     string     `gorm:"size:100"` // of a script's token: what it is for
	ReadOnly  bool       `gorm:"not null;default:false"`
	Apps      string     // of a script's token: the applications that it reaches, as JSON; "" = all
	Address   string     `gorm:"size:64"`  // of the sign-in
	Device    string     `gorm:"size:200"` // what the browser said of itself
	SeenAt    *time.Time // of the last refresh
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
