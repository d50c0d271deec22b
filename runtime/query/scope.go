package query

import (
	"github.com/sluice-platform/sluice/engine/expression"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// blank is the scope of a record that does not exist yet: only the caller is known.
type blank struct{ view *authz.View }

func (blank) Column(*plan.Field) any { return nil }

func (b blank) Var(name string) any { return b.view.Vars()[name] }

func (blank) Rows(string) []expression.Scope { return nil }

// Records implements expression.Scope.
func (blank) Records(*plan.Records) []expression.Scope { return nil }

func (blank) Belongs(_, _ []string) bool { return false }

func (blank) LinkTexts(_, _ string, _ []string) []string { return nil }
