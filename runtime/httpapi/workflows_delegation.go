package httpapi

import (
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
)

// departments are those that somebody may choose for a delegation: all, for the person who may see departments.
func (s *Server) departments(r *request, size int) (any, error) {
	out := pageOf[query.Entry]{Content: []query.Entry{}}
	m := r.view.Model(directory.Department)
	if m == nil || !r.view.Can(m, "view") {
		return out, nil
	}
	if id := r.QueryParam("departmentId"); id != "" { // that one alone, for its name
		if d, known := s.app.People().Department(r.ctx, id); known {
			up, _ := s.app.People().Department(r.ctx, d.Parent)
			out.Content, out.Total = append(out.Content, query.DepartmentEntry(directory.Found{ID: d.ID, Name: d.Name, Detail: up.Name})), 1
		}
		return out, nil
	}
	found, total := s.app.People().Search(r.ctx, directory.Wanted{Kind: directory.Department, Text: r.QueryParam("keyword"), Limit: size})
	out.Total = int64(total)
	for _, d := range found {
		out.Content = append(out.Content, query.DepartmentEntry(d))
	}
	return out, nil
}
