// Package codes declares what the code of the pack names in documents.
package codes

import "github.com/sluice-platform/sluice/engine/pack"

// Declared are all codes of the package.
var Declared = pack.NewCodes("organisation")

// Models.
var (
	DefinedDepartment = Declared.Model("definedDepartment")
	Department        = Declared.Model("department")
	DepartmentMerge   = Declared.Model("departmentMerge")
	Handover          = Declared.Model("handover")
	Role              = Declared.Model("role")
	RoleGroup         = Declared.Model("roleGroup")
	User              = Declared.Model("user")
)

// Properties.
var (
	Avatar         = Declared.Property("avatar", User)
	Code           = Declared.Property("code", DefinedDepartment, Role)
	Departments    = Declared.Property("departments", DepartmentMerge, User)
	Disabled       = Declared.Property("disabled", DefinedDepartment, Department, User)
	Email          = Declared.Property("email", User)
	EmployeeNo     = Declared.Property("employeeNo", User)
	Ended          = Declared.Property("ended", Handover)
	Endings        = Declared.Property("endings", Handover)
	IDNumber       = Declared.Property("idNumber", User)
	ImageURL       = Declared.Property("imgUrl", User)
	Kind           = Declared.Property("kind", Department)
	Leader         = Declared.Property("leader", Department)
	Leadership     = Declared.Property("leadership", Handover)
	MainDepartment = Declared.Property("mainDepartment", User)
	Members        = Declared.Property("members", DefinedDepartment)
	Mobile         = Declared.Property("mobile", User)
	Moved          = Declared.Property("moved", Handover)
	Name           = Declared.Property("name", DefinedDepartment, Department, Role, RoleGroup, User)
	Ownership      = Declared.Property("ownership", Handover)
	Parent         = Declared.Property("parent", Department)
	People         = Declared.Property("people", DepartmentMerge)
	Project        = Declared.Property("project", DefinedDepartment)
	Records        = Declared.Property("records", DepartmentMerge, Handover)
	Roles          = Declared.Property("roles", pack.Path(DefinedDepartment, Members), Handover, User)
	Source         = Declared.Property("source", DepartmentMerge, Handover)
	Target         = Declared.Property("target", DepartmentMerge, Handover)
	Tasks          = Declared.Property("tasks", Handover)
	Things         = Declared.Property("things", Handover)
	Username       = Declared.Property("username", User)
	Workflows      = Declared.Property("workflows", Handover)
)

// Options.
var (
	OptionProject = Declared.Option("PROJECT", pack.Path(Department, Kind))
)
