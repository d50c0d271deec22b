package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
)

type userCmd struct {
	Add    userAddCmd    `cmd:"" help:"Add a user."`
	Passwd userPasswdCmd `cmd:"" help:"Set a user's password."`
	Factor userFactorCmd `cmd:"" name:"reset-factor" help:"Take away a user's two-step verification."`
	Token  userTokenCmd  `cmd:"" help:"Print a bearer token for scripts."`
	Tokens userTokensCmd `cmd:"" help:"List a user's open sessions and tokens."`
	Revoke userRevokeCmd `cmd:"" help:"Revoke a user's sessions and tokens."`
}

// Help is shown by `sluice user --help`.
func (userCmd) Help() string {
	return `Example:
  sluice user add --data ./data zhang.wei --role projectManager
  curl -H "Authorization: Bearer $(sluice user token --data ./data zhang.wei)" localhost:8080/api/organization/user/info`
}

// account are the flags of the user commands.
type account struct {
	database
	packs
	User string `arg:"" name:"name" help:"Username."`
}

func (a *account) with(ctx context.Context, io console, first bool, f func(*app.App) error) error {
	system, err := attach(ctx, a.database, a.packs, first, io)
	if err != nil {
		return err
	}
	return finish(system, f)
}

// finish runs f on an open system and closes it.
func finish(system *app.App, f func(*app.App) error) error {
	err := f(system)
	if e := system.Close(); err == nil {
		err = e
	}
	return err
}

// firstPassword are the flags of commands that set a password.
type firstPassword struct {
	PasswordStdin bool `help:"Read the password from standard input; generated and printed if empty."`
	MustChange    bool `help:"Require a password change at the next sign-in." default:"true" negatable:""`
}

type userAddCmd struct {
	account
	firstPassword
	Role     []string `help:"Codes of the user's roles."`
	FullName string   `help:"Full name; defaults to the username."`
}

// Help is shown by `sluice user add --help`.
func (userAddCmd) Help() string {
	return `Adds the person and prints the first password, which the environment (SLUICE_PASSWORD) or standard input may give.
With --packs, for roles that have never been served, the database must have been made by serve or apply.

Example:
  sluice user add --data ./data --role administrator --full-name 张伟 zhang.wei`
}

func (c *userAddCmd) Run(ctx context.Context, io console) error {
	name := c.FullName
	if name == "" {
		name = c.User
	}
	password, err := c.given()
	if err != nil {
		return err
	}
	if password != "" { // before there is an account without one
		if err := authn.CheckPassword(password, slices.Contains(c.Role, "administrator")); err != nil {
			return err
		}
	}
	if !c.database.made() && len(c.Packs) == 0 { // the first administrator may come before the first start
		fmt.Fprintf(io.err, "making a new database in %s\n", c.Data)
	}
	system, err := attach(ctx, c.database, c.packs, true, io)
	if err != nil {
		return err
	}
	return finish(system, func(a *app.App) error {
		if _, err := a.AddUser(ctx, c.User, name, c.Role); err != nil {
			return err
		}
		return c.set(ctx, a, c.User, password, io)
	})
}

type userPasswdCmd struct {
	account
	firstPassword
}

// Help is shown by `sluice user passwd --help`.
func (userPasswdCmd) Help() string {
	return `Sets the password and ends the user's sessions and tokens. The person has to change it at the next sign-in; with
--no-must-change it stays, for one that the person chose.

Example:
  echo 'Long-Enough-1' | sluice user passwd --data ./data --password-stdin zhang.wei`
}

func (c *userPasswdCmd) Run(ctx context.Context, io console) error {
	return c.with(ctx, io, false, func(a *app.App) error {
		password, err := c.given()
		if err != nil {
			return err
		}
		return c.set(ctx, a, c.User, password, io)
	})
}

func (f firstPassword) given() (secret.Text, error) {
	if !f.PasswordStdin {
		return secret.Text(os.Getenv("SLUICE_PASSWORD")), nil
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", errors.Join(errors.New("no password on standard input"), err)
	}
	return secret.Text(line), nil
}

func (f firstPassword) set(ctx context.Context, a *app.App, user string, given secret.Text, io console) error {
	password, err := a.SetPassword(ctx, user, given, f.MustChange)
	if err != nil {
		return err
	}
	if given == "" {
		_, err = fmt.Fprintf(io.out, "password of %s: %s\n", user, password.Reveal())
	}
	return err
}
