package deptmulti_test

import (
	"testing"

	"github.com/sluice-platform/sluice/plugins/core/property/deptmulti"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/party/partytest"
)

func TestDeptMulti(t *testing.T) { partytest.Multiple(t, deptmulti.Type{}, partytest.Department) }
