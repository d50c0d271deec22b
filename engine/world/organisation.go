package world

import (
	"context"

	"github.com/sluice-platform/sluice/engine/secret"
)

// Organisation is what the World of the pack organisation can do besides: an action asserts it of its World. Each method asks for a right
// of its own on the records that it is about, and for those of the roles of people.
type Organisation interface {
	// NewPassword gives a person a made-up password for one sign-in, at which it has to be changed, and ends the person's sessions on
	// every node. It asks for the right resetPassword. The password is returned once and kept nowhere, so a call of a
	// pack's route with an Idempotency-Key is refused (fault.BadParameter).
	NewPassword(ctx context.Context, user string) (secret.Text, error)
	// ResetFactor takes a person's second factor away, for somebody who lost the app and the recovery codes. It asks for the right
	// resetFactor; a person without a second factor is refused with fault.FactorState.
	ResetFactor(ctx context.Context, user string) error
	// SignInLock says whether failed attempts keep a person from signing in. It asks for the right unlockUser.
	SignInLock(ctx context.Context, user string) (Lock, error)
	// UnlockSignIn forgets the failed attempts at a person's password, from every address; those at the second step stay. It asks for the same
	// right, and is in the audit log.
	UnlockSignIn(ctx context.Context, user string) error
	// SignIns are a person's open sessions of browsers and tokens for scripts, oldest first. It asks for the right signIns, and refuses
	// what is one's own, which the personal settings show.
	SignIns(ctx context.Context, user string) ([]SignIn, error)
	// EndSignIns ends one of them, or all of them when id is empty, on every node. It asks for the same right.
	EndSignIns(ctx context.Context, user, id string) error
	// Succeed gives the records that one person or department owns to another, in every model, and returns how many. It asks for the
	// right handover on people and merge on departments, not for rights to the records. model is "user" or "department". More than
	// MostSucceeded records are refused with fault.MergeTooLarge.
	Succeed(ctx context.Context, model, from, to string) (int, error)
	// Belongings are what a person has of each kind, and what becomes of it. It asks for the right disableUser.
	Belongings(ctx context.Context, user string) ([]Belonging, error)
	// HandOverBelongings gives what moves to another person, and returns how many things of each kind moved or ended (Handed). With rest,
	// what does not move ends; without a person to give to, what would have moved ends too. It asks for the right handover, and is in
	// the audit log.
	HandOverBelongings(ctx context.Context, from, to string, rest bool) ([]Belonging, error)
	// Handlers are the ids of those who can hand over the work of a person: active people with the right handover on them, who may add
	// records of the model that carries it out. At most MostHandlers, by username.
	Handlers(ctx context.Context, user, model string) ([]string, error)
}

// Fate is what becomes of what a person has.
type Fate string

// The fates.
const (
	Stays  Fate = "stays"
	Pauses Fate = "pauses" // it does nothing until the account is enabled
	Ends   Fate = "ends"   // for good
	Moves  Fate = "moves"  // to the person who takes over
)

// Belonging is what a person has of one kind ("link", "token", …), and what becomes of it.
type Belonging struct {
	Kind     string `json:"kind"`
	Count    int    `json:"count"`
	Disabled Fate   `json:"disabled"`
	Deleted  Fate   `json:"deleted"`
	Handed   Fate   `json:"handedOver"`
}

// Lock says how far failed attempts keep an account closed. Until is RFC 3339, "" where it is not locked.
type Lock struct {
	Failures int    `json:"failures"`
	Until    string `json:"until"`
}

// SignIn is an open session of a browser, or a token for scripts. Times are RFC 3339, "" where there is none.
type SignIn struct {
	ID          string `json:"id"`
	Script      bool   `json:"script"`
	Label       string `json:"label"`   // of a token: what it is for
	Address     string `json:"address"` // where the browser was
	Device      string `json:"device"`  // what the browser said of itself
	CreatedTime string `json:"createdTime"`
	SeenTime    string `json:"seenTime"` // of the last refresh
	ExpiresTime string `json:"expiresTime"`
}

// MostHandlers is how many people hear of a departure.
const MostHandlers = 50

// MostSucceeded is how many records change hands in one transaction.
const MostSucceeded = 20_000
