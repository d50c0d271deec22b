// Package oidc asks OpenID Connect providers who somebody is: the address to send a browser to, and the identity behind the code that it
// comes back with. It decides nothing about accounts (runtime/authn).
package oidc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/secret"
)

// Provider is one place where people can prove who they are.
type Provider struct {
	Code     string            `json:"code"` // in addresses and environment variables
	Name     string            `json:"name"`
	NameI18n map[string]string `json:"name_i18n"`
	Issuer   string            `json:"issuer"` // exactly as the provider's tokens name it
	ClientID string            `json:"clientId"`

	// ClientSecretFile names a file with the secret, relative to the file of the providers; "" = SLUICE_OIDC_SECRET_<CODE> has it.
	ClientSecretFile string   `json:"clientSecretFile"`
	Scopes           []string `json:"scopes"` // beside openid; empty = profile and email

	// LinkByEmail lets an identity with a verified address in at its first sign-in, if exactly one person has that address.
	LinkByEmail bool `json:"linkByEmail"`
	// Create makes a person for an identity that no account is linked to and whose address nobody has. Roles are theirs.
	Create bool     `json:"create"`
	Roles  []string `json:"roles"`

	Secret secret.Text `json:"-"`
}

// providerCode is how codes of providers are written.
var providerCode = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

// Read reads a file with a list of providers, and their secrets from beside it or the environment.
func Read(file string, environment func(string) string) ([]Provider, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	d := json.NewDecoder(io.LimitReader(f, 1<<20))
	d.DisallowUnknownFields()
	var out []Provider
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for i := range out {
		if err := out[i].complete(filepath.Dir(file), environment); err != nil {
			return nil, fmt.Errorf("%s: provider %d (%q): %w", file, i+1, out[i].Code, err)
		}
		if slices.ContainsFunc(out[:i], func(p Provider) bool { return p.Code == out[i].Code }) {
			return nil, fmt.Errorf("%s: two providers have the code %q", file, out[i].Code)
		}
	}
	return out, nil
}

func (p *Provider) complete(dir string, environment func(string) string) error {
	if err := p.Check(); err != nil {
		return err
	}
	if p.ClientSecretFile == "" {
		name := "SLUICE_OIDC_SECRET_" + strings.ToUpper(p.Code)
		if p.Secret = secret.Text(environment(name)); p.Secret == "" {
			return fmt.Errorf("it has no secret: set %s or clientSecretFile", name)
		}
		return nil
	}
	file := p.ClientSecretFile
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if p.Secret = secret.Text(strings.TrimSpace(string(text))); p.Secret == "" {
		return fmt.Errorf("%s is empty", file)
	}
	return nil
}

// Check tells what is wrong with a provider's settings.
func (p *Provider) Check() error {
	switch issuer, err := url.Parse(p.Issuer); {
	case !providerCode.MatchString(p.Code):
		return errors.New("code must be small letters and digits, beginning with a letter, at most 31")
	case p.Name == "":
		return errors.New("name is missing")
	case p.ClientID == "":
		return errors.New("clientId is missing")
	case err != nil || issuer.Host == "" || issuer.RawQuery != "" || issuer.Fragment != "" || issuer.User != nil:
		return errors.New("issuer must be the address of the provider, such as https://id.example.com/realms/main")
	case issuer.Scheme != "https" && (issuer.Scheme != "http" || !loopback(issuer.Hostname())):
		return errors.New("issuer must begin with https://; http:// is for this machine only")
	case p.Create && len(p.Roles) == 0:
		return errors.New("create needs roles for the people that are made")
	case !p.Create && len(p.Roles) > 0:
		return errors.New("roles are for people that are made: set create")
	}
	return nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
