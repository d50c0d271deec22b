package app

import (
	"context"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/oidc"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// demandsFactor reports whether a role of a person asks for a second factor.
func (a *App) demandsFactor(p principal.Person) bool {
	s := a.State()
	return s != nil && s.Policy.DemandsFactor(p.Roles)
}

// administrates reports whether a person administers the installation, applications, or the workflows of everybody.
func (a *App) administrates(p principal.Person) bool {
	s := a.State()
	return s == nil || s.Policy.Permits(p.Roles, append([]string{workflow.AdminPermission}, administering...)...)
}

// personFor makes the person of an identity that nobody has been linked to, where the operator lets a provider do so. It answers "" when
// there is no name that is free.
func (a *App) personFor(ctx context.Context, p oidc.Provider, who oidc.Identity) (string, error) {
	for _, username := range []string{who.Username, verified(who)} {
		if !signInName.MatchString(username) {
			continue
		}
		if _, taken := a.people.PersonByName(ctx, username); taken {
			return "", nil // which may be somebody else
		}
		name := who.Name
		if name == "" {
			name = username
		}
		return a.addUser(ctx, username, name, p.Roles, map[string]any{"email": verified(who)})
	}
	return "", nil
}

// verified is the address of an identity, if the provider has made sure of it.
func verified(who oidc.Identity) string {
	if who.Verified {
		return who.Email
	}
	return ""
}

// SignInProvider is a provider as the page of sign-in shows it.
type SignInProvider struct {
	Code     string            `json:"code"`
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
}

// SignInProviders are the providers that people can choose.
func (a *App) SignInProviders() []SignInProvider {
	out := []SignInProvider{}
	for _, p := range a.cfg.Providers {
		names := p.NameI18n
		if names == nil {
			names = map[string]string{}
		}
		out = append(out, SignInProvider{Code: p.Code, Name: p.Name, NameI18n: names})
	}
	return out
}

// Name is that of the installation.
func (a *App) Name() string { return a.cfg.Name }
