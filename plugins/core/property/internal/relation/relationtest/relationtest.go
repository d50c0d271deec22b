// Package relationtest holds what the property types of relations have in common for their tests.
package relationtest

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/propertytest"
)

// Scope knows a model of contracts, and one that is broken.
var Scope = propertytest.Scope{Models: map[string]property.ModelInfo{
	"contract": {Properties: map[string]string{"title": "ShortText", "unitPrice": "Number", "name": "ShortText"}},
	"broken":   {Broken: true},
}}

// Problems tests what is reported of a relation's options.
func Problems(t *testing.T, typ property.Type) {
	t.Helper()
	propertytest.Problems(t, typ, Scope, []propertytest.Problem{
		{Options: `{"relativeCode": "contrat"}`, Code: "REL001", Pointer: "/relativeCode", En: `unknown model "contrat" (did you mean "contract"?)`},
		{Options: `{"relativeCode": "contract", "relativePropertyCode": "titel"}`, Code: "REL002", Pointer: "/relativePropertyCode",
			En: `unknown property "titel" of model "contract" (did you mean "title"?)`},
		{Options: `{"relativeCode": "contract", "fill": {"beside": "unitPrize"}}`, Code: "REL002", Pointer: "/fill/beside",
			En: `unknown property "unitPrize" of model "contract" (did you mean "unitPrice"?)`},
		{Options: `{"relativeCode": "contract", "fill": {"besides": "unitPrice"}}`, Code: "REL003", Pointer: "/fill/besides",
			En: `unknown property "besides" to fill (did you mean "beside"?)`},
		{Options: `{"relativeCode": "contract", "onDelete": "cascade"}`, Code: "PROP004", Pointer: "/onDelete",
			En: `"cascade" is not a value of "onDelete"; allowed: refuse, clear`},
	})
}

// BrokenTarget tests that what is wrong with a broken model is said there, once.
func BrokenTarget(t *testing.T, typ property.Type) {
	t.Helper()
	_, problems := typ.Compile(propertytest.Define(typ, `{"relativeCode": "broken", "relativePropertyCode": "x"}`), Scope)
	if len(problems) > 0 {
		t.Error(problems)
	}
}
