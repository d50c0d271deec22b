// Package action is the contract of actions: list buttons and domain calls that packs bring (DESIGN section 2).
package action

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/registry"
)

// Action is something that a user or a caller asks for. Its name is queryActionType in lists and "action" in routes.
type Action interface {
	registry.Entry
}

// Runner: the action does something on the server. What it returns becomes the envelope's data.
type Runner interface {
	Run(ctx context.Context, call Call) (any, error)
}

// Call is all that an action gets: who asks, for what, and small interfaces to the world.
type Call struct {
	Principal principal.Principal
	Model     string
	IDs       []string
	Body      json.RawMessage
	Records   Records
	Now       time.Time
}

// Records reads and writes records with the caller's rights.
type Records interface {
	Get(ctx context.Context, p principal.Principal, model, id string) (map[string]any, error)
	Write(ctx context.Context, p principal.Principal, model, id string, version int64, set map[string]any) (string, error)
}
