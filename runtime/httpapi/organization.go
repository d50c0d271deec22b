package httpapi

import (
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/secret"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/authn"
)

func (s *Server) organizationRoutes() {
	s.register(route{method: "GET", path: "/api/organization/user/info", access: signedIn, scoped: true, due: true, body: small, deadline: quick, handle: s.userInfo})
	s.register(route{method: "PUT", path: "/api/organization/user/password", account: true, access: signedIn, due: true, body: small, deadline: quick, login: true, handle: s.changePassword})
	s.sessionRoutes()
	s.register(route{method: "GET", path: "/api/organization/user/card", access: signedIn, body: small, deadline: quick, handle: s.userCard})
	s.register(route{method: "GET", path: "/api/organization/user/departments", access: signedIn, body: small, deadline: quick, handle: s.userDepartments})
}

// orNull is how empty texts travel.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// lockedName is the account whose password is changed on the server only.
const lockedName = "admin"

func (s *Server) userInfo(r *request) (any, error) {
	d := s.app.People()
	p, ok := d.Person(r.ctx, r.principal.UserID)
	if !ok {
		return nil, fault.New(fault.UserNotFound)
	}
	account, err := s.app.Auth().Account(r.ctx, p.ID)
	if err != nil {
		return nil, err
	}
	department, parent := s.departmentNames(r, p.MainDepartment)
	var seen any
	if account.LastLogin != nil {
		seen = account.LastLogin.UTC().Format(time.RFC3339)
	}
	permissions := r.view.Permissions()
	if permissions == nil {
		permissions = []string{}
	}
	return map[string]any{"id": p.ID, "username": p.Username, "name": p.Name, "mobile": orNull(p.Mobile), "email": orNull(p.Email),
		"imgUrl": orNull(p.ImageURL), "departmentName": orNull(department), "parentDepartmentName": orNull(parent),
		"position": orNull(p.Position), "employeeNo": orNull(p.EmployeeNo), "roleName": orNull(s.roleNames(r, p)), "remark": nil,
		"permissions": permissions, "lastLoginTime": seen, "lastLoginAddress": orNull(account.LastFrom), "mustChangePassword": account.MustReset, "mayChangePassword": account.Password && p.Username != lockedName && r.principal.SeenBy == "",
		"externalLinks":   r.principal.SeenBy == "" && slices.ContainsFunc(r.state.Catalog.Forms, func(f *catalog.Form) bool { return mayLink(r, f) }),
		"mustSetUpFactor": account.FactorDue && r.principal.SeenBy == "", "seenBy": s.seenBy(r)}, nil
}

func (s *Server) departmentNames(r *request, id string) (name, parent string) {
	d, ok := s.app.People().Department(r.ctx, id)
	if !ok {
		return "", ""
	}
	above, _ := s.app.People().Department(r.ctx, d.Parent)
	return d.Name, above.Name
}

func (s *Server) roleNames(r *request, p principal.Person) string {
	var names []string
	for _, code := range p.Roles {
		if role := r.state.Catalog.Role(code); role != nil {
			names = append(names, role.Label.In(r.locale))
		}
	}
	if r.locale == "en" {
		return strings.Join(names, ", ")
	}
	return strings.Join(names, "、")
}

func (s *Server) changePassword(r *request) (any, error) {
	var in struct {
		Index       string      `json:"index"`
		OldPassword secret.Text `json:"oldPassword"`
		NewPassword secret.Text `json:"newPassword"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := byBrowser(r); err != nil {
		return nil, err
	}
	t, err := s.app.Auth().ChangePassword(r.ctx, r.principal, app.Administers(r.view),
		authn.PasswordChange{Index: in.Index, Peer: s.peer(r.Context), Device: r.Request().UserAgent(), Old: in.OldPassword, New: in.NewPassword})
	if err != nil {
		return nil, err
	}
	_, err = s.setTokenCookies(r, t, nil)
	return nil, err
}

func (s *Server) userCard(r *request) (any, error) {
	p, ok := s.app.People().Person(r.ctx, r.QueryParam("id"))
	if !ok {
		return nil, fault.New(fault.UserNotFound)
	}
	departments := []string{}
	for _, id := range p.Departments {
		if d, ok := s.app.People().Department(r.ctx, id); ok {
			departments = append(departments, d.Name)
		}
	}
	if !s.maySee(r, p.ID, "departments") {
		departments = []string{}
	}
	show := func(property, value string) any {
		if !s.maySee(r, p.ID, property) {
			return nil
		}
		return orNull(value)
	}
	department, _ := s.departmentNames(r, p.MainDepartment)
	return map[string]any{"id": p.ID, "name": p.Name, "mobile": show("mobile", p.Mobile), "email": show("email", p.Email),
		"mainDepartment": show("mainDepartment", department), "departments": departments, "employeeNo": show("employeeNo", p.EmployeeNo),
		"position": show("position", p.Position), "role": show("roles", s.roleNames(r, p)), "relatedType": show("disabled", relatedType(p)), "imgUrl": show("imgUrl", p.ImageURL)}, nil
}

// relatedType is what somebody is to the organisation.
func relatedType(p principal.Person) string {
	if p.Disabled {
		return "disabled"
	}
	return "user"
}

// maySee reports whether the caller may read a property of that person: of everybody by the rights on the model user, of
// themselves always. A right that holds on some rows only does not count here.
func (s *Server) maySee(r *request, person, property string) bool {
	if person == r.principal.UserID {
		return true
	}
	m := r.state.Catalog.Model("user")
	f := m.Field(property)
	if f == nil || !r.view.Can(m, "view") || !plan.IsTrue(r.view.Rows(m)) {
		return false
	}
	right, guard := r.view.Field(f)
	return right != catalog.Hidden && plan.IsTrue(guard)
}

func (s *Server) userDepartments(r *request) (any, error) {
	p, ok := s.app.People().Person(r.ctx, r.QueryParam("userId"))
	if !ok || !s.maySee(r, p.ID, "departments") {
		return nil, fault.New(fault.UserNotFound)
	}
	type option struct {
		ID   string `json:"deptId"`
		Name string `json:"deptName"`
		Main bool   `json:"isMain"`
	}
	out := []option{}
	for _, id := range p.Departments {
		if d, ok := s.app.People().Department(r.ctx, id); ok {
			out = append(out, option{ID: id, Name: d.Name, Main: id == p.MainDepartment})
		}
	}
	return out, nil
}
