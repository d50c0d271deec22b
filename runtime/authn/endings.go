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
	labels, _, err = TokensWhere(tx, func(of []principal.AppScope) bool {
		return slices.ContainsFunc(of, func(s principal.AppScope) bool { return strings.EqualFold(s.App, app) })
	})
	return labels, err
}

// TokensWhere are the tokens in use whose applications pass, by what they are for, and by the ids of their people. Those without limits are not asked.
func TokensWhere(tx *store.Tx, pass func([]principal.AppScope) bool) (labels, owners []string, err error) {
	var rows []session
	err = tx.System().Select("label", "apps", "user_id").Where("apps <> '' AND ended_at IS NULL AND expires_at > ?", tx.Now().UTC()).Order("label, id").Find(&rows).Error
	for _, row := range rows {
		if pass(appsOf(row.Apps)) {
			labels, owners = append(labels, row.Label), append(owners, row.UserID)
		}
	}
	return labels, owners, err
}
