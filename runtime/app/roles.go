package app

import (
	"context"

	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/record"
	"github.com/sluice-platform/sluice/runtime/store"
)

// roleMembers are the people with a role. The tables of reserved models have their codes.
var roleMembers = store.Members{Table: "d_" + directory.User, Column: rolesProperty, Name: usernameProperty, Of: "d_" + directory.Role, Key: codeProperty}

// endRole takes a role that goes from its people: another one that gets its code later is not theirs. The record of the role stays, and what people had
// is in their history and in the audit log.
func endRole(ctx context.Context, tx *store.Tx, code string) error {
	of, err := roleMembers.Find(ctx, tx, code)
	if err != nil || len(of) == 0 {
		return err
	}
	now := tx.Now().UTC()
	if err := roleMembers.TakeOut(ctx, tx, of, now); err != nil {
		return err
	}
	if err := record.TakenOut(ctx, tx, directory.User, rolesProperty, of, now); err != nil {
		return err
	}
	for _, one := range of {
		e := audit.Entry{Kind: audit.RolesChanged, Subject: one.ID, About: one.Name, Detail: map[string]string{"added": "", "removed": code}}
		if err := audit.Write(ctx, tx, e); err != nil {
			return err
		}
	}
	return nil
}
