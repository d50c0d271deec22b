package hook

import (
	"context"

	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
)

// Rule is a data rule in code. A model names it: {"propertyCode": "welder", "checkType": "hook", "hook": "qualifiedWelder",
// "message": "..."}. The write path asks it for every record that is written, after computed properties and inside the
// transaction.
type Rule struct {
	name  string
	check Check
}

// Check reports whether what is written keeps the rule. An error is a failure of the rule itself, not a refusal.
type Check func(ctx context.Context, c Checked) (bool, error)

// NewRule makes a rule; a pack adds it to the Rules of its Set.
func NewRule(name string, check Check) Rule { return Rule{name: name, check: check} }

// Name is what models write in "hook".
func (r Rule) Name() string { return r.name }

// Options is nil: a rule has none.
func (r Rule) Options() []byte { return nil }

// Holds asks the rule.
func (r Rule) Holds(ctx context.Context, c Checked) (bool, error) { return r.check(ctx, c) }

// Checked is what a rule decides about. Values are Go values in the forms of plan.Kind, by property code.
type Checked struct {
	Principal principal.Principal
	World     world.World // that only reads
	Model     string
	ID        string
	Create    bool
	Property  string         // the rule's propertyCode; "" = the whole record
	Value     any            // of Property; never nil: a rule of a property is not asked about an empty one
	Record    map[string]any // as it will be; empty properties are missing
	Old       map[string]any // as it was; nil on create
	Row       map[string]any // of the sub-table, when Property is one of its columns
}
