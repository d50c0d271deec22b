package httpapi

import (
	"slices"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
)

func (s *Server) organizationRoutes() {
	s.register(route{method: "GET", path: "/api/organization/user/info", access: signedIn, body: small, deadline: quick, handle: s.userInfo})
	s.register(route{method: "PUT", path: "/api/organization/user/password", access: signedIn, body: small, deadline: quick, login: true, handle: s.changePassword})
	s.register(route{method: "GET", path: "/api/organization/user/card", access: signedIn, body: small, deadline: quick, handle: s.userCard})
	s.register(route{method: "GET", path: "/api/organization/user/departments", access: signedIn, body: small, deadline: quick, handle: s.userDepartments})
}

// administrators are the permissions that make somebody an administrator (specification 1-shell section 6).
var administrators = []string{"APP_MNG", "SYS_MNG", "ADMIN"}

func isAdministrator(r *request) bool {
	return slices.ContainsFunc(r.rights.Permissions(), func(p string) bool { return slices.Contains(administrators, p) })
}

// orNull is how empty texts travel.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (s *Server) userInfo(r *request) (any, error) {
	d := s.app.People()
	p, ok := d.Person(r.ctx, r.principal.UserID)
	if !ok {
		return nil, fault.New(fault.UserNotFound)
	}
	last, err := s.app.Auth().LastLogin(r.ctx, p.ID)
	if err != nil {
		return nil, err
	}
	department, parent := s.departmentNames(r, p.MainDepartment)
	var seen any
	if last != nil {
		seen = last.UTC().Format(time.RFC3339)
	}
	permissions := r.rights.Permissions()
	if permissions == nil {
		permissions = []string{}
	}
	return map[string]any{"id": p.ID, "username": p.Username, "name": p.Name, "mobile": orNull(p.Mobile), "email": orNull(p.Email),
		"imgUrl": orNull(p.ImageURL), "departmentName": orNull(department), "parentDepartmentName": orNull(parent),
		"position": orNull(p.Position), "employeeNo": orNull(p.EmployeeNo), "roleName": orNull(s.roleNames(r, p)), "remark": nil,
		"permissions": permissions, "lastLoginTime": seen}, nil
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
	return strings.Join(names, "、")
}

func (s *Server) changePassword(r *request) (any, error) {
	var in struct{ Index, OldPassword, NewPassword string }
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	t, err := s.app.Auth().ChangePassword(r.ctx, r.principal, isAdministrator(r), in.Index, in.OldPassword, in.NewPassword)
	if err != nil {
		return nil, err
	}
	_, err = s.keep(r, t, nil)
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
	department, _ := s.departmentNames(r, p.MainDepartment)
	return map[string]any{"id": p.ID, "name": p.Name, "mobile": orNull(p.Mobile), "email": orNull(p.Email), "mainDepartment": orNull(department),
		"departments": departments, "employeeNo": orNull(p.EmployeeNo), "position": orNull(p.Position), "role": orNull(s.roleNames(r, p)),
		"imgUrl": orNull(p.ImageURL)}, nil
}

func (s *Server) userDepartments(r *request) (any, error) {
	p, ok := s.app.People().Person(r.ctx, r.QueryParam("userId"))
	if !ok {
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
