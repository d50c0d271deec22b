package deptsingle_test

import (
	"testing"

	"github.com/sluice-platform/sluice/plugins/core/property/deptsingle"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/party/partytest"
)

func TestDeptSingle(t *testing.T) { partytest.Single(t, deptsingle.Type{}, partytest.Department) }
