// Package organisation is the pack of people, departments and roles, which every installation has. The engine reserves the codes of its
// models user, department and role, because sign-in, rights and the people properties refer to them.
package organisation

import (
	"embed"
	"errors"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/organisation/codes"
)

//go:embed pack.json app.json models lists forms access ui/codes.json
var folder embed.FS

// Codes of the models.
var (
	user       = codes.User
	department = codes.Department
	role       = codes.Role
	roleGroup  = codes.RoleGroup
	handover   = codes.Handover
)

// Register adds the pack's documents and code.
func Register(s *pack.Set) error {
	s.AddFolder("plugins/organisation", folder)
	s.Declare(codes.Declared)
	s.On(user).BeforeWrite.Add(beforeUser)
	s.On(user).AfterWrite.Add(departed)
	s.On(department).BeforeWrite.Add(beforeDepartment)
	s.On(role).BeforeWrite.Add(beforeRole)
	s.On(codes.DepartmentMerge).BeforeWrite.Add(merge)
	s.On(handover).BeforeWrite.Add(handOver)
	words(s)
	for _, source := range sources {
		if err := s.Participants.Add(source); err != nil {
			return err
		}
	}
	return errors.Join(
		s.Rules.Add(hook.NewRule("residentNumber", residentNumber)),
		s.Jobs.Add(world.Job{Code: taskJob, Title: tasksTitle, Work: handOverTasks}),
		s.Actions.Add(resetPassword()),
		s.Actions.Add(resetFactor()),
		s.Actions.Add(signIns()),
		s.Actions.Add(unlockUser()),
		s.Actions.Add(disableUser()),
		s.Actions.Add(enableUser()),
	)
}

// words are the codes of the models' own for what the engine refuses in general ones.
func words(s *pack.Set) {
	s.On(user).Codes = map[hook.Refusal]fault.Code{
		{Property: codes.Username, Code: fault.FieldRequired}:    fault.AccountEmpty,
		{Property: codes.Username, Code: fault.FieldPattern}:     fault.AccountInvalid,
		{Property: codes.Username, Code: fault.FieldDuplicate}:   fault.UserExists,
		{Property: codes.Name, Code: fault.FieldRequired}:        fault.PersonNameEmpty,
		{Property: codes.Mobile, Code: fault.FieldPattern}:       fault.MobileInvalid,
		{Property: codes.Mobile, Code: fault.FieldDuplicate}:     fault.MobileExists,
		{Property: codes.Email, Code: fault.FieldPattern}:        fault.EmailInvalid,
		{Property: codes.IDNumber, Code: fault.FieldRule}:        fault.IDNumberInvalid,
		{Property: codes.IDNumber, Code: fault.FieldTooLong}:     fault.IDNumberInvalid,
		{Property: codes.IDNumber, Code: fault.FieldDuplicate}:   fault.IDNumberExists,
		{Property: codes.EmployeeNo, Code: fault.FieldDuplicate}: fault.EmployeeNoExists,
	}
	s.On(department).Codes = map[hook.Refusal]fault.Code{
		{Property: codes.Name, Code: fault.FieldRequired}:    fault.DepartmentNameEmpty,
		{Property: codes.Parent, Code: fault.FieldReference}: fault.DepartmentNotFound,
		{Property: codes.Parent, Code: fault.FieldCycle}:     fault.DepartmentCycle,
	}
	s.On(department).Holders = map[string]fault.Code{user: fault.DepartmentHasPeople, department: fault.DepartmentHasChildren}
	s.On(role).Codes = map[hook.Refusal]fault.Code{
		{Property: codes.Name, Code: fault.FieldRequired}:  fault.RoleNameEmpty,
		{Property: codes.Code, Code: fault.FieldDuplicate}: fault.RoleCodeExists,
	}
	s.On(role).Holders = map[string]fault.Code{user: fault.RoleHasPeople}
	s.On(roleGroup).Codes = map[hook.Refusal]fault.Code{
		{Property: codes.Name, Code: fault.FieldRequired}:  fault.RoleGroupNameEmpty,
		{Property: codes.Name, Code: fault.FieldDuplicate}: fault.RoleGroupNameExists,
	}
	s.On(roleGroup).Holders = map[string]fault.Code{role: fault.RoleGroupHasRoles}
}

// refuse is the refusal of one property.
func refuse(property string, code fault.Code, args ...any) error {
	return &fault.Error{Code: fault.RecordInvalid, Args: []any{1},
		Data: fault.Invalid{Errors: []fault.FieldError{{PropertyCode: property, Code: code, Args: args}}}}
}

// id is the id in a relation's wire value; "" when it is empty.
func id(v any) string {
	entry, _ := v.(map[string]any)
	found, _ := entry["id"].(string)
	return found
}
