package checkbox_test

import (
	"testing"

	"github.com/sluice-platform/sluice/plugins/core/property/checkbox"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/choice/choicetest"
)

func TestCheckbox(t *testing.T) { choicetest.Multiple(t, checkbox.Type{}) }
