package authn

import (
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/store"
)

// LinksTo are the open external links to a form, by whom they are for. No service works with it: it is asked for while the form is removed.
func LinksTo(tx *store.Tx, form string) (labels []string, err error) {
	err = tx.System().Model(&link{}).Where("lower(form) = lower(?) AND withdrawn_at IS NULL AND expires_at > ?", form, tx.Now().UTC()).Order("created_at, id").Pluck("label", &labels).Error
	return labels, err
}

// TokensFor are the tokens in use that are limited to applications and name this one, by what they are for.
func TokensFor(tx *store.Tx, app string) (labels []string, err error) {
	var rows []session
	err = tx.System().Select("label", "apps").Where("apps <> '' AND ended_at IS NULL AND expires_at > ?", tx.Now().UTC()).Order("label, id").Find(&rows).Error
	for _, row := range rows {
		if slices.ContainsFunc(appsOf(row.Apps), func(s principal.AppScope) bool { return strings.EqualFold(s.App, app) }) {
			labels = append(labels, row.Label)
		}
	}
	return labels, err
}
