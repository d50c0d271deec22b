package organisation

import (
	"context"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
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
	return action.New("resetFactor", noInput, `{"type": "object"}`,
		func(ctx context.Context, c action.Call, _ struct{}) (struct{}, error) {
			org, ok := c.World.(world.Organisation)
			if !ok || len(c.IDs) != 1 {
				return struct{}{}, fault.New(fault.ActionRecords)
			}
			return struct{}{}, org.ResetFactor(ctx, c.IDs[0])
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
		`{"type": "object", "required": ["content"], "properties": {"content": {"type": "array", "items": {"type": "object"}}}}`,
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

// enabling is the action that disables or enables the people of the rows.
func enabling(name string, disabled bool) action.Action {
	return action.New(name, noInput, `{"type": "object"}`,
		func(ctx context.Context, c action.Call, _ struct{}) (struct{}, error) {
			for _, one := range c.IDs {
				if err := update(ctx, c.World, user, one, map[string]any{"disabled": disabled}); err != nil {
					return struct{}{}, err
				}
			}
			return struct{}{}, nil
		})
}
