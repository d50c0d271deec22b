package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

type userFactorCmd struct{ account }

// Help is shown by `sluice user reset-factor --help`.
func (userFactorCmd) Help() string {
	return `For somebody who lost the authenticator app and the recovery codes. They then sign in with the password alone and, where their
role asks for it, set up two-step verification again first. Make sure that the request is really theirs.

Example:
  sluice user reset-factor --data ./data zhang.wei`
}

func (c *userFactorCmd) Run(ctx context.Context, io console) error {
	return c.with(ctx, io, false, func(a *app.App) error {
		person, ok := a.People().PersonByName(ctx, c.User)
		if !ok {
			return fault.New(fault.UserNotFound)
		}
		err := a.Auth().ResetFactor(ctx, person.ID)
		if fault.Of(err) == fault.FactorState {
			return errors.New(c.User + " has not set up two-step verification")
		}
		if err == nil {
			_, err = fmt.Fprintf(io.out, "two-step verification of %s is off\n", c.User)
		}
		return err
	})
}
