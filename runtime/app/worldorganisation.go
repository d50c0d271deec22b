package app

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
)

var _ world.Organisation = (*transaction)(nil)

// Rights that the methods of world.Organisation ask for.
const (
	resetFactor = "resetFactor"
	resetting   = "resetPassword"
	signIns     = "signIns"
	unlocking   = "unlockUser"
	disabling   = "disableUser"
	handing     = "handover"
	mergeRight  = "merge"
)

func (t *transaction) NewPassword(ctx context.Context, user string) (secret.Text, error) {
	if err := t.overSomebody(user, resetting); err != nil {
		return "", err
	}
	if t.keeps { // a kept answer would hold the password
		return "", fault.New(fault.BadParameter, "clientToken")
	}
	made, err := authn.NewPassword()
	if err != nil {
		return "", err
	}
	t.app.cfg.Log.InfoContext(ctx, "password reset", "user", user, "by", t.Principal().UserID)
	return made, t.app.auth.SetPasswordIn(ctx, t.tx, user, made)
}

// overSomebody refuses what the principal may not do to a person, and what people do to themselves elsewhere: their password and second factor
// with the present one, their sessions in their settings.
func (t *transaction) overSomebody(user, right string) error {
	if t.batch == nil {
		return errReadOnly
	}
	if err := t.batch.AllowedAccount(user, right); err != nil {
		return err
	}
	if user == t.Principal().UserID {
		return fault.New(fault.Forbidden)
	}
	return nil
}

func (t *transaction) SignIns(_ context.Context, user string) ([]world.SignIn, error) {
	if err := t.overSomebody(user, signIns); err != nil {
		return nil, err
	}
	list, err := t.app.auth.SessionsIn(t.tx, user)
	out := make([]world.SignIn, len(list))
	for i, one := range list {
		out[i] = world.SignIn{ID: one.ID, Script: one.Script, Label: one.Label, Address: one.Address, Device: one.Device,
			CreatedTime: one.CreatedAt.UTC().Format(time.RFC3339), ExpiresTime: one.ExpiresAt.UTC().Format(time.RFC3339)}
		if one.SeenAt != nil {
			out[i].SeenTime = one.SeenAt.UTC().Format(time.RFC3339)
		}
	}
	return out, err
}

func (t *transaction) EndSignIns(ctx context.Context, user, id string) error {
	if err := t.overSomebody(user, signIns); err != nil {
		return err
	}
	t.app.cfg.Log.InfoContext(ctx, "sessions ended", "user", user, "by", t.Principal().UserID)
	if id == "" {
		return t.app.auth.RevokeAllIn(ctx, t.tx, user)
	}
	return t.app.auth.RevokeIn(ctx, t.tx, user, id)
}

func (t *transaction) ResetFactor(ctx context.Context, user string) error {
	if err := t.overSomebody(user, resetFactor); err != nil {
		return err
	}
	t.app.cfg.Log.InfoContext(ctx, "second factor reset", "user", user, "by", t.Principal().UserID)
	return t.app.auth.ResetFactorIn(ctx, t.tx, user)
}

func (t *transaction) SignInLock(_ context.Context, user string) (out world.Lock, err error) {
	if err := t.overSomebody(user, unlocking); err != nil {
		return out, err
	}
	lock, err := t.app.auth.LockIn(t.tx, user)
	out.Failures = lock.Failures
	if !lock.Until.IsZero() {
		out.Until = lock.Until.UTC().Format(time.RFC3339)
	}
	return out, err
}

func (t *transaction) UnlockSignIn(ctx context.Context, user string) error {
	if err := t.overSomebody(user, unlocking); err != nil {
		return err
	}
	t.app.cfg.Log.InfoContext(ctx, "account unlocked", "user", user, "by", t.Principal().UserID)
	return t.app.auth.UnlockIn(ctx, t.tx, user)
}

func (t *transaction) Succeed(_ context.Context, model, from, to string) (int, error) {
	if t.batch == nil {
		return 0, errReadOnly
	}
	word := handing
	if model == directory.Department {
		word = mergeRight
	}
	return t.batch.Succeed(model, from, to, word)
}

func (t *transaction) Handlers(ctx context.Context, user, model string) ([]string, error) {
	about, known := t.app.people.Person(ctx, user)
	if !known {
		return nil, nil
	}
	ref := query.Ref{SchemaCode: directory.User, ID: user}
	may := map[string]bool{} // by roles: people share few sets of them
	var out []string
	for _, person := range t.app.people.People(ctx) {
		if person.Disabled || person.ID == user || len(person.Roles) == 0 {
			continue
		}
		who := authn.Principal(ctx, t.app.people, person, "")
		view := t.view.Of(who, t.app.Now(), t.app.cfg.Zone)
		key := strings.Join(slices.Sorted(slices.Values(person.Roles)), ",")
		if _, asked := may[key]; !asked {
			may[key] = view.Can(view.Model(directory.User), handing) && view.Can(view.Model(model), "add") && view.MayManage(about.Roles...)
		}
		if !may[key] {
			continue
		}
		seen, err := t.app.reader.Titles(ctx, t.tx, view, []query.Ref{ref})
		if err != nil {
			return nil, err
		}
		if _, sees := seen[ref]; sees {
			if out = append(out, person.ID); len(out) == world.MostHandlers {
				break
			}
		}
	}
	return out, nil
}
