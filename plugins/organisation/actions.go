package organisation

import (
	"context"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/organisation/codes"
)

const noInput = `{"type": "object", "additionalProperties": false}`

// resetPassword makes a password for one sign-in of the person of the row. The answer is the only place where it is ever shown.
func resetPassword() action.Action {
	return action.New("resetPassword", noInput,
		`{"type": "object", "required": ["password"], "properties": {"password": {"type": "string"}}}`,
		func(ctx context.Context, c action.Call, _ struct{}) (map[string]string, error) {
			org, ok := c.World.(world.Organisation)
			if !ok || len(c.IDs) != 1 {
				return nil, fault.New(fault.ActionRecords)
			}
			made, err := org.NewPassword(ctx, c.IDs[0])
			if err != nil {
				return nil, err
			}
			return map[string]string{"password": made.Reveal()}, nil
		})
}

// resetFactor takes the second factor of the person of the row away.
func resetFactor() action.Action {
	return action.New("resetFactor", noInput, "",
		func(ctx context.Context, c action.Call, _ struct{}) (struct{}, error) {
			org, ok := c.World.(world.Organisation)
			if !ok || len(c.IDs) != 1 {
				return struct{}{}, fault.New(fault.ActionRecords)
			}
			return struct{}{}, org.ResetFactor(ctx, c.IDs[0])
		})
}

// unlockUser forgets the failed attempts to sign in as the person of the row. With "look" it changes nothing, and answers how many there are
// and until when they keep the person out.
func unlockUser() action.Action {
	type input struct {
		Look bool `json:"look"`
	}
	return action.New("unlockUser", `{"type": "object", "additionalProperties": false, "properties": {"look": {"type": "boolean"}}}`,
		"",
		func(ctx context.Context, c action.Call, in input) (out world.Lock, err error) {
			org, ok := c.World.(world.Organisation)
			if !ok || len(c.IDs) != 1 {
				return out, fault.New(fault.ActionRecords)
			}
			if !in.Look {
				if err := org.UnlockSignIn(ctx, c.IDs[0]); err != nil {
					return out, err
				}
			}
			return org.SignInLock(ctx, c.IDs[0])
		})
}

// signIns shows where the person of the row is signed in, with the person's tokens. With "end" it ends one of them before, with "all" all of them.
func signIns() action.Action {
	type input struct {
		End string `json:"end"`
		All bool   `json:"all"`
	}
	type output struct {
		Content []world.SignIn `json:"content"`
	}
	return action.New("signIns", `{"type": "object", "additionalProperties": false, "properties": {"end": {"type": "string", "maxLength": 36}, "all": {"type": "boolean"}}}`,
		"",
		func(ctx context.Context, c action.Call, in input) (out output, err error) {
			org, ok := c.World.(world.Organisation)
			if !ok || len(c.IDs) != 1 {
				return out, fault.New(fault.ActionRecords)
			}
			if in.End != "" || in.All {
				if err := org.EndSignIns(ctx, c.IDs[0], in.End); err != nil {
					return out, err
				}
			}
			out.Content, err = org.SignIns(ctx, c.IDs[0])
			return out, err
		})
}

// disableUser disables the people of the rows. With "look" it changes nothing, and answers what the person of the row has and what becomes of it.
func disableUser() action.Action {
	type input struct {
		Look bool `json:"look"`
	}
	type output struct {
		Content []world.Belonging `json:"content"`
	}
	return action.New("disableUser", `{"type": "object", "additionalProperties": false, "properties": {"look": {"type": "boolean"}}}`,
		"",
		func(ctx context.Context, c action.Call, in input) (out output, err error) {
			out.Content = []world.Belonging{}
			if !in.Look {
				return out, enable(ctx, c, false)
			}
			org, ok := c.World.(world.Organisation)
			if !ok || len(c.IDs) != 1 {
				return out, fault.New(fault.ActionRecords)
			}
			if out.Content, err = org.Belongings(ctx, c.IDs[0]); err != nil {
				return out, err
			}
			more, err := offices(ctx, c.World, c.IDs[0])
			out.Content = append(out.Content, more...)
			return out, err
		})
}

// offices are the departments that a person leads and the person's roles, as the principal sees them.
func offices(ctx context.Context, w world.World, person string) ([]world.Belonging, error) {
	led, err := w.Find(ctx, department, map[string]any{codes.Leader: person}, world.All)
	if err != nil {
		return nil, err
	}
	found, err := w.Get(ctx, user, person)
	of := func(kind string, n int) world.Belonging {
		return world.Belonging{Kind: kind, Count: n, Disabled: world.Stays, Deleted: world.Stays, Handed: world.Moves}
	}
	return []world.Belonging{of(codes.Department, len(led)), of(codes.Role, len(entries(found.Values[codes.Roles])))}, err
}

// enableUser enables the people of the rows.
func enableUser() action.Action {
	return action.New("enableUser", noInput, "",
		func(ctx context.Context, c action.Call, _ struct{}) (struct{}, error) {
			return struct{}{}, enable(ctx, c, true)
		})
}

func enable(ctx context.Context, c action.Call, enabled bool) error {
	for _, one := range c.IDs {
		if err := update(ctx, c.World, user, one, map[string]any{codes.Disabled: !enabled}); err != nil {
			return err
		}
	}
	return nil
}
