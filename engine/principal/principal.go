// Package principal is who asks: one value made by one middleware, the first argument of every service.
package principal

import "context"

// Principal is a user, a script acting for one, or the system itself. The zero value is anonymous and has no rights.
type Principal struct {
	UserID         string
	Name           string
	Roles          []string // codes, as assigned; inheritance is resolved by runtime/authz
	Departments    []string // ids
	DepartmentTree []string // those and all below
	MainDepartment string
	System         string     // reason of system work; such a principal is listed and audited
	Reason         string     // why code of a pack acts for this person with a right of its own
	Session        string     // id of the session or token; "" without one
	Script         bool       // the session is a token for scripts
	ReadOnly       bool       // nothing may be written with it
	Apps           []AppScope // the token reaches these applications only; nil = all that its person reaches
	Link           string     // id of the external link of somebody who is nobody else: no person, roles or departments
	LinkForm       string     // code of the form that the link opens
	LinkRecord     string     // id of the record that the link shows; "" = it adds records
	SeenBy         string     // id of the administrator who looks at the product as this person; "" = it is the person
	Locale         string     // zh or en
}

// AppScope is an application that a token reaches.
type AppScope struct {
	App   string // code
	Write bool   // records may be changed, too
}

// System is the principal of the product's own work. The reason is logged.
func System(reason string) Principal { return Principal{System: reason, Name: "system", Locale: "zh"} }

// Known reports whether anybody is signed in.
func (p Principal) Known() bool { return p.UserID != "" || p.System != "" }

// Directory reads people, departments and roles from the reserved models of the pack organisation. runtime/authn and the
// evaluators ask it; it is at most one second stale.
type Directory interface {
	// Person returns a user by id.
	Person(ctx context.Context, id string) (Person, bool)
	// PersonByName returns a user by the sign-in name, compared without case.
	PersonByName(ctx context.Context, username string) (Person, bool)
	// Below returns the departments and all below them.
	Below(ctx context.Context, departments []string) []string
	// Department returns a department's name and the one above it.
	Department(ctx context.Context, id string) (Department, bool)
}

// Person is a user as the directory knows one.
type Person struct {
	ID, Username, Name, Mobile, Email, ImageURL, EmployeeNo, Position string
	Disabled                                                          bool
	Roles, Departments                                                []string
	MainDepartment                                                    string
}

// Department is one node of the organisation.
type Department struct{ ID, Name, Parent string }
