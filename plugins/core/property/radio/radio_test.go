package radio_test

import (
	"testing"

	"github.com/sluice-platform/sluice/plugins/core/property/internal/choice/choicetest"
	"github.com/sluice-platform/sluice/plugins/core/property/radio"
)

func TestRadio(t *testing.T) { choicetest.Single(t, radio.Type{}) }
