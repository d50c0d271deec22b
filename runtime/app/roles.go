package app

import (
	"context"

	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
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

// goneRoles tells of the roles that a plan removes and people have, by the code that takes them away.
func goneRoles(ctx context.Context, db *store.DB, p *store.Plan) (out []store.Step, err error) {
	gone, _ := p.Changed(names.Role)
	if len(gone) == 0 {
		return nil, nil
	}
	err = db.Read(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, code := range gone {
			of, err := roleMembers.Find(ctx, tx, code)
			if err != nil {
				return err
			}
			if len(of) > 0 {
				out = append(out, roleStep(code, int64(len(of))))
			}
		}
		return nil
	})
	return out, err
}

// roleStep is a role that goes, with how many people have it; 0 = that is not said.
func roleStep(code string, people int64) store.Step {
	text := plan.Label{Zh: "删除角色 " + code + "，拥有它的人将失去它", I18n: en("remove role " + code + "; its people lose it")}
	if people > 0 {
		text = plan.Label{Zh: diag.Fill("删除角色 {0}，{1} 人将失去它", []any{code, people}, "zh"), I18n: en(diag.Fill("remove role {0}; {1} {1|person loses|people lose} it", []any{code, people}, "en"))}
	}
	return store.Step{Action: removeRole, Class: store.Confirm, Model: code, Count: people, Text: text}
}
