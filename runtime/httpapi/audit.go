package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	cell "github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/audit"
	"github.com/sluice-platform/sluice/runtime/workbook"
)

// auditRoutes are about the audit log, for those who look after the installation or administer it.
func (s *Server) auditRoutes() {
	s.register(route{method: "GET", path: "/api/system/audit", access: signedIn, body: small, deadline: quick, handle: s.auditLog})
	s.register(route{method: "GET", path: "/api/system/audit/export", access: signedIn, body: small, deadline: slow, handle: s.exportAudit})
}

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

// auditQuery reads which entries a call is about.
func auditQuery(r *request) (audit.Query, error) {
	q := audit.Query{Person: r.QueryParam("person")}
	if !r.view.Has(systemPermission) {
		return q, fault.New(fault.Forbidden)
	}
	for name, to := range map[string]*time.Time{"from": &q.From, "to": &q.To} {
		if text := r.QueryParam(name); text != "" {
			at, err := time.Parse(time.RFC3339, text)
			if err != nil {
				return q, fault.New(fault.BadParameter, name)
			}
			*to = at
		}
	}
	if text := r.QueryParam("kind"); text != "" {
		for _, k := range strings.Split(text, ",") {
			q.Kinds = append(q.Kinds, audit.Kind(k))
		}
		if len(q.Kinds) > len(audit.Kinds()) {
			return q, fault.New(fault.BadParameter, "kind")
		}
	}
	return q, nil
}

// mostAudited is how many entries one file holds.
const mostAudited = 50_000

var auditHeads = map[string][]string{
	"zh": {"时间", "类型", "操作人", "操作人编号", "地址", "对象", "对象编号", "是否失败", "详情"},
	"en": {"Time", "Kind", "By", "Id of who did it", "Address", "Of", "Id of what it is about", "Failed", "Details"},
}

// exportAudit answers entries as CSV. Who took the log away is an entry of it.
func (s *Server) exportAudit(r *request) (any, error) {
	q, err := auditQuery(r)
	if err != nil {
		return nil, err
	}
	q.Size = 500
	var file bytes.Buffer
	out := workbook.NewCSV(&file)
	put := func(texts ...string) error {
		cells := make([]workbook.Out, len(texts))
		for i, text := range texts {
			cells[i].Cell = cell.Cell{Kind: cell.CellText, Text: text}
		}
		return out.Row(cells, 0)
	}
	if err := put(auditHeads[r.locale]...); err != nil {
		return nil, err
	}
	for n := 0; ; {
		page, err := s.app.Audit().Page(r.ctx, q)
		if err != nil {
			return nil, err
		}
		if n += len(page.Entries); n > mostAudited {
			return nil, fault.New(fault.AuditTooLong, mostAudited)
		}
		for _, e := range page.Entries {
			detail, err := json.Marshal(e.Detail)
			if err != nil {
				return nil, err
			}
			if err := put(e.At.In(s.app.Zone()).Format("2006-01-02 15:04:05.000"), string(e.Kind), e.Name, e.Actor, e.Address, e.About, e.Subject, strconv.FormatBool(e.Failed), string(detail)); err != nil {
				return nil, err
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	if err := out.Close(); err != nil {
		return nil, err
	}
	detail := map[string]string{}
	for _, name := range []string{"from", "to", "kind", "person"} {
		if text := r.QueryParam(name); text != "" {
			detail[name] = text
		}
	}
	if err := s.app.Note(r.ctx, audit.Entry{Kind: audit.LogExported, Detail: detail}); err != nil {
		return nil, err
	}
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", disposition(false, "audit-"+s.app.Now().In(s.app.Zone()).Format("20060102-150405")+".csv"))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	r.extendDeadline()
	http.ServeContent(r.Response(), r.Request(), "", time.Time{}, bytes.NewReader(file.Bytes()))
	return sent{}, nil
}

// spoken is the detail of an entry with the names of roles in the reader's language; the log itself, and files of it, have their codes. A role that
// is no longer there keeps its code.
func (s *Server) spoken(e audit.Entry, locale string) map[string]string {
	if e.Kind != audit.RolesChanged {
		return e.Detail
	}
	out, between := maps.Clone(e.Detail), "、"
	if locale == "en" {
		between = ", "
	}
	for _, key := range []string{"added", "removed"} {
		codes := strings.Split(out[key], ", ")
		for i, code := range codes {
			codes[i] = s.roleName(code, locale)
		}
		if out[key] != "" {
			out[key] = strings.Join(codes, between)
		}
	}
	return out
}

func (s *Server) roleName(code, locale string) string {
	if r := s.app.State().Catalog.Role(code); r != nil {
		return r.Label.In(locale)
	}
	return code
}

// subjectName is what an entry is about, as people call it: somebody whose roles changed by name and account, a role by its name.
func (s *Server) subjectName(ctx context.Context, e audit.Entry, locale string) string {
	switch e.Kind {
	case audit.RolesChanged:
		if p, ok := s.app.People().Person(ctx, e.Subject); ok && p.Name != e.About && p.Name != "" && e.About != "" {
			return p.Name + " (" + e.About + ")"
		}
	case audit.RoleChanged:
		return s.roleName(e.About, locale)
	}
	return e.About
}

func (s *Server) auditLog(r *request) (any, error) {
	q, err := auditQuery(r)
	if err != nil {
		return nil, err
	}
	q.Cursor, q.Size = r.QueryParam("cursor"), 50
	if text := r.QueryParam("size"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 500 {
			return nil, fault.New(fault.BadParameter, "size")
		}
		q.Size = n
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
		v := auditEntry{ID: e.ID, At: e.At, Kind: e.Kind, Address: e.Address, Failed: e.Failed, Detail: s.spoken(e, r.locale)}
		if e.Actor != "" || e.Name != "" {
			v.Actor = &auditPerson{e.Actor, e.Name}
		}
		if e.Subject != "" || e.About != "" {
			v.Subject = &auditPerson{e.Subject, s.subjectName(r.ctx, e, r.locale)}
		}
		out.Content = append(out.Content, v)
	}
	return out, nil
}
