package staffsingle_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/property/propertytest"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/party/partytest"
	"github.com/sluice-platform/sluice/plugins/core/property/staffsingle"
)

func TestStaffSingle(t *testing.T) { partytest.Single(t, staffsingle.Type{}, partytest.Person) }

func TestProblems(t *testing.T) {
	propertytest.Problems(t, staffsingle.Type{}, propertytest.Scope{}, []propertytest.Problem{
		{Options: `{"staffFilter": "users"}`, Code: "PROP004", Pointer: "/staffFilter", En: `"users" is not a value of "staffFilter"; allowed: all, user, org, admin (did you mean "user"?)`},
	})
}
