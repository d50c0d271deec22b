package dropdown_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/dropdown"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/choice/choicetest"
)

func TestDropdown(t *testing.T) { choicetest.Single(t, dropdown.Type{}) }

func TestDependsOn(t *testing.T) {
	propertytest.Problems(t, dropdown.Type{}, choicetest.Weather, []propertytest.Problem{
		{Options: `{"dictionary": "weather", "dependsOn": "besides"}`, Code: "PROP010", Pointer: "/dependsOn", En: `unknown property "besides" in dependsOn (did you mean "beside"?)`},
	})
}
