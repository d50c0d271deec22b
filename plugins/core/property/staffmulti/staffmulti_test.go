package staffmulti_test

import (
	"testing"

	"github.com/sluice-platform/sluice/plugins/core/property/internal/party/partytest"
	"github.com/sluice-platform/sluice/plugins/core/property/staffmulti"
)

func TestStaffMulti(t *testing.T) { partytest.Multiple(t, staffmulti.Type{}, partytest.Person) }
