package quality

import "github.com/sluice-platform/sluice/engine/action"

// calls are the actions behind the routes of pack.json.
var calls []action.Action
