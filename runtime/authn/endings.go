package authn

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/store"
)

// LinksTo counts the open external links to a form. No service works with it: it is asked for while the form is removed.
func LinksTo(tx *store.Tx, form string) (int, error) {
	var n int64
	err := tx.System().Model(&link{}).Where("lower(form) = lower(?) AND withdrawn_at IS NULL AND expires_at > ?", form, tx.Now().UTC()).Count(&n).Error
	return int(n), err
}

// TokensFor counts the tokens in use that are limited to applications and name this one.
func TokensFor(tx *store.Tx, app string) (n int, err error) {
	var scopes []string
	err = tx.System().Model(&session{}).Where("apps <> '' AND ended_at IS NULL AND expires_at > ?", tx.Now().UTC()).Pluck("apps", &scopes).Error
	for _, text := range scopes {
		if slices.ContainsFunc(appsOf(text), func(s principal.AppScope) bool { return strings.EqualFold(s.App, app) }) {
			n++
		}
	}
	return n, err
}
