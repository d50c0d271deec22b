package command

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
)

// life is a duration that also counts in days: 30d, 12h, 90m.
type life time.Duration

// UnmarshalText reads the flag's value.
func (l *life) UnmarshalText(text []byte) error {
	if days, ok := strings.CutSuffix(string(text), "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 1 || n > 3650 {
			return fmt.Errorf("%q is no number of days from 1d to 3650d", text)
		}
		*l = life(time.Duration(n) * 24 * time.Hour)
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is no duration such as 30d, 12h or 90m", text)
	}
	*l = life(d)
	return nil
}

// person runs f with the person of the command.
func (a *account) person(ctx context.Context, io console, f func(*app.App, principal.Person) error) error {
	return a.with(ctx, io, false, func(system *app.App) error {
		p, ok := system.People().PersonByName(ctx, a.User)
		if !ok {
			return fault.New(fault.UserNotFound)
		}
		return f(system, p)
	})
}

type userTokenCmd struct {
	account
	TTL   life   `name:"ttl" help:"Lifetime of the token, such as 30d, 12h or 90m." default:"30d"`
	Label string `help:"Purpose of the token; listed by user tokens."`
}

// Help is shown by `sluice user token --help`.
func (userTokenCmd) Help() string {
	return `Prints a bearer token and nothing else. It has the user's rights. It ends after its life, when it is revoked, with the next
change of the password, and when the user is disabled.

Example:
  sluice user token --data ./data --ttl 7d --label "nightly report" zhang.wei`
}

func (c *userTokenCmd) Run(ctx context.Context, io console) error {
	return c.person(ctx, io, func(a *app.App, p principal.Person) error {
		token, err := a.Auth().ScriptToken(ctx, p.ID, c.Label, time.Duration(c.TTL))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(io.out, token)
		return err
	})
}

type userTokensCmd struct{ account }

// Help is shown by `sluice user tokens --help`.
func (userTokensCmd) Help() string {
	return `Lists the user's tokens for scripts and open sessions of browsers. The tokens themselves are not stored and cannot be shown.

Example:
  sluice user tokens --data ./data zhang.wei`
}

func (c *userTokensCmd) Run(ctx context.Context, io console) error {
	zone, err := time.LoadLocation(c.Timezone)
	if err != nil {
		return usageError{fmt.Errorf("--timezone: %w", err)}
	}
	return c.person(ctx, io, func(a *app.App, p principal.Person) error {
		sessions, err := a.Auth().Sessions(ctx, p.ID)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(io.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tKIND\tCREATED\tENDS\tLABEL")
		for _, s := range sessions {
			kind := "session"
			if s.Script {
				kind = "token"
			}
			const form = "2006-01-02 15:04"
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.ID, kind, s.CreatedAt.In(zone).Format(form), s.ExpiresAt.In(zone).Format(form), s.Label)
		}
		return w.Flush()
	})
}

type userRevokeCmd struct {
	account
	ID  []string `arg:"" optional:"" help:"IDs as listed by user tokens."`
	All bool     `help:"All sessions and tokens of the user."`
}

// Help is shown by `sluice user revoke --help`.
func (userRevokeCmd) Help() string {
	return `Ends sessions and tokens; running servers refuse them within a second. The password stays.

Example:
  sluice user revoke --data ./data zhang.wei 01a2b3c4-...
  sluice user revoke --data ./data --all zhang.wei`
}

func (c *userRevokeCmd) Run(ctx context.Context, io console) error {
	if c.All == (len(c.ID) > 0) {
		return usageError{errors.New("name the IDs to revoke, or --all")}
	}
	return c.person(ctx, io, func(a *app.App, p principal.Person) error {
		if c.All {
			return a.Auth().RevokeAll(ctx, p.ID)
		}
		for _, id := range c.ID {
			if err := a.Auth().Revoke(ctx, p.ID, id); err != nil {
				return err
			}
		}
		return nil
	})
}
