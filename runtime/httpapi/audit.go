package httpapi

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/audit"
)

// auditRoutes are about the audit log, for those who look after the installation or administer it.
func (s *Server) auditRoutes() {
	s.register(route{method: "GET", path: "/api/system/audit", access: signedIn, body: small, deadline: quick, handle: s.auditLog})
}

// adminPermission is the platform permission of administrators.
const adminPermission = "ADMIN"

// auditEntry is an entry of the log in an answer.
type auditEntry struct {
	ID      string            `json:"id"`
	At      time.Time         `json:"time"`
	Kind    audit.Kind        `json:"kind"`
	Actor   *auditPerson      `json:"actor"` // null = the system, or nobody that is known
	Address string            `json:"address"`
	Subject *auditPerson      `json:"subject"`
	Failed  bool              `json:"failed"`
	Detail  map[string]string `json:"detail"`
}

type auditPerson struct {
	ID   string `json:"id"`
	Name string `json:"name"` // then
}

type auditPage struct {
	Content []auditEntry `json:"content"`
	Next    *string      `json:"next"`
}

func (s *Server) auditLog(r *request) (any, error) {
	if !r.view.Has(systemPermission) && !r.view.Has(adminPermission) {
		return nil, fault.New(fault.Forbidden)
	}
	q := audit.Query{Person: r.QueryParam("person"), Cursor: r.QueryParam("cursor"), Size: 50}
	if text := r.QueryParam("size"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 500 {
			return nil, fault.New(fault.BadParameter, "size")
		}
		q.Size = n
	}
	for name, to := range map[string]*time.Time{"from": &q.From, "to": &q.To} {
		if text := r.QueryParam(name); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return nil, fault.New(fault.BadParameter, name)
			}
			*to = at
		}
	}
	if text := r.QueryParam("kind"); text != "" {
		for _, k := range strings.Split(text, ",") {
			q.Kinds = append(q.Kinds, audit.Kind(k))
		}
		if len(q.Kinds) > len(audit.Kinds()) {
			return nil, fault.New(fault.BadParameter, "kind")
		}
	}
	page, err := s.app.Audit().Page(r.ctx, q)
	if errors.Is(err, audit.ErrCursor) {
		return nil, fault.New(fault.BadParameter, "cursor")
	}
	if err != nil {
		return nil, err
	}
	out := auditPage{Content: []auditEntry{}}
	if page.Next != "" {
		out.Next = &page.Next
	}
	for _, e := range page.Entries {
		v := auditEntry{ID: e.ID, At: e.At, Kind: e.Kind, Address: e.Address, Failed: e.Failed, Detail: e.Detail}
		if e.Actor != "" || e.Name != "" {
			v.Actor = &auditPerson{e.Actor, e.Name}
		}
		if e.Subject != "" || e.About != "" {
			v.Subject = &auditPerson{e.Subject, e.About}
		}
		out.Content = append(out.Content, v)
	}
	return out, nil
}
