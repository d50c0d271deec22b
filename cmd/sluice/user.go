package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
)

type userCmd struct {
	Add    userAddCmd    `cmd:"" help:"Add a user."`
	Passwd userPasswdCmd `cmd:"" help:"Set a user's password."`
	Token  userTokenCmd  `cmd:"" help:"Print a bearer token for scripts."`
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
	User string `arg:"" name:"name" help:"Sign-in name."`
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

type userAddCmd struct {
	account
	Role          []string `help:"Codes of the user's roles."`
	FullName      string   `help:"The person's name; the sign-in name when missing."`
	PasswordStdin bool     `help:"Read the password from standard input; made up and printed when missing."`
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
	password, err := givenPassword(c.PasswordStdin)
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
		return setPassword(ctx, a, c.User, password, io)
	})
}

type userPasswdCmd struct {
	account
	PasswordStdin bool `help:"Read the password from standard input; made up and printed when missing."`
}

// Help is shown by `sluice user passwd --help`.
func (userPasswdCmd) Help() string {
	return `Sets the password and ends the user's sessions.

Example:
  echo 'Long-Enough-1' | sluice user passwd --data ./data --password-stdin zhang.wei`
}

func (c *userPasswdCmd) Run(ctx context.Context, io console) error {
	return c.with(ctx, io, false, func(a *app.App) error {
		password, err := givenPassword(c.PasswordStdin)
		if err != nil {
			return err
		}
		return setPassword(ctx, a, c.User, password, io)
	})
}

type userTokenCmd struct {
	account
	Days int `help:"Days until the token ends." default:"30"`
}

// Help is shown by `sluice user token --help`.
func (userTokenCmd) Help() string {
	return `Prints a bearer token and nothing else. It has the user's rights and ends with the next change of the password.

Example:
  sluice user token --data ./data --days 7 zhang.wei`
}

func (c *userTokenCmd) Run(ctx context.Context, io console) error {
	if c.Days < 1 {
		return usageError{errors.New("--days must be at least 1")}
	}
	return c.with(ctx, io, false, func(a *app.App) error {
		person, ok := a.People().PersonByName(ctx, c.User)
		if !ok {
			return fault.New(fault.UserNotFound)
		}
		token, err := a.Auth().ScriptToken(ctx, person.ID, time.Duration(c.Days)*24*time.Hour)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(io.out, token)
		return err
	})
}

func givenPassword(stdin bool) (string, error) {
	if !stdin {
		return os.Getenv("SLUICE_PASSWORD"), nil
	}
	line, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", errors.Join(errors.New("no password on standard input"), err)
	}
	return line, nil
}

func setPassword(ctx context.Context, a *app.App, user, given string, io console) error {
	password, err := a.SetPassword(ctx, user, given)
	if err != nil {
		return err
	}
	if given == "" {
		_, err = fmt.Fprintf(io.out, "password of %s: %s\n", user, password)
	}
	return err
}
