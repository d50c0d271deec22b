package app

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/record"
)

// signInName is what the model of people allows as a name to sign in with.
var signInName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$`)

// administrator is the role of the pack core that may do everything.
const administrator = "administrator"

func (a *App) firstAdministrator(ctx context.Context, username, name string) (string, error) {
	id, err := a.AddUser(ctx, username, name, []string{administrator})
	if err == nil {
		a.work.Go(func() { a.startRows(a.background, a.State().Catalog) })
	}
	return id, err
}

// AddUser makes the record of a person with roles, as the system's own work; it has no password yet.
func (a *App) AddUser(ctx context.Context, username, name string, roles []string) (string, error) {
	return a.addUser(ctx, username, name, roles, nil)
}

// addUser is AddUser with further properties; empty texts are left out.
func (a *App) addUser(ctx context.Context, username, name string, roles []string, more map[string]any) (string, error) {
	if _, exists := a.people.PersonByName(ctx, username); exists {
		return "", fault.New(fault.UserExists)
	}
	state := a.State()
	ids := []string{}
	for _, code := range roles {
		id, ok := a.people.RoleID(ctx, code)
		if !ok {
			return "", fault.New(fault.RoleNotFound, code, strings.Join(a.people.RoleCodes(ctx), ", "))
		}
		ids = append(ids, id)
	}
	set := map[string]json.RawMessage{}
	all := map[string]any{"username": username, "name": name, "roles": ids}
	for key, value := range more {
		if value != "" {
			all[key] = value
		}
	}
	for key, value := range all {
		text, err := json.Marshal(value)
		if err != nil {
			return "", err
		}
		set[key] = text
	}
	view := state.Policy.View(principal.System("add user "+username), a.Now(), a.cfg.Zone)
	saved, err := a.writer.Save(ctx, view, record.Change{Model: "user", Set: set})
	if err != nil {
		return "", err
	}
	return saved.ID, a.people.Refresh(ctx)
}

// SetPassword gives a person a password; an empty one is made up. It returns the password that holds. With mustReset the
// person can do nothing before changing it.
func (a *App) SetPassword(ctx context.Context, username string, password secret.Text, mustReset bool) (secret.Text, error) {
	person, ok := a.people.PersonByName(ctx, username)
	if !ok {
		return "", fault.New(fault.UserNotFound)
	}
	if password == "" {
		var err error
		if password, err = authn.NewPassword(); err != nil {
			return "", err
		}
	}
	view := a.State().Policy.View(authn.Principal(ctx, a.people, person, ""), a.Now(), a.cfg.Zone)
	return password, a.auth.SetPassword(ctx, person.ID, password, Administers(view), mustReset)
}

// administering are the permissions of administrators (docs/formats.md, Limits).
var administering = []string{authz.Applications, authz.System, authz.Root, authz.Accounts}

// Administers reports whether rights are an administrator's, whose passwords are longer.
func Administers(view *authz.View) bool {
	return slices.ContainsFunc(view.Permissions(), func(p string) bool { return slices.Contains(administering, p) })
}

// Explain says how a list is read for a user: plan, SQL, and which role gave or withheld what.
func (a *App) Explain(ctx context.Context, username, list, locale string) (string, error) {
	person, ok := a.people.PersonByName(ctx, username)
	if !ok {
		return "", fault.New(fault.UserNotFound)
	}
	state := a.State()
	p := authn.Principal(ctx, a.people, person, "")
	p.Locale = locale
	return a.reader.Explain(ctx, state.Policy.View(p, a.Now(), a.cfg.Zone), list)
}
