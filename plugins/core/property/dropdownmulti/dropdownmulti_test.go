package dropdownmulti_test

import (
	"testing"

	"github.com/sluice-platform/sluice/plugins/core/property/dropdownmulti"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/choice/choicetest"
)

func TestDropdownMulti(t *testing.T) { choicetest.Multiple(t, dropdownmulti.Type{}) }
