package httpapi

import (
	"cmp"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/portal"
)

const openPath = "/open/"

// openRoutes answer public pages to people without an account. Nothing else is answered: a page is public by its document, and its records are
// read with the rights of the role that it names.
func (s *Server) openRoutes() {
	get := func(name string, handle func(*request, *catalog.Portal) (any, error)) {
		s.register(route{method: "GET", path: openPath + name, access: public, open: true, body: small, deadline: patient, handle: func(r *request) (any, error) {
			code, err := pageCode(r)
			if err != nil {
				return nil, err
			}
			p, err := s.visit(r, code)
			if err != nil {
				return nil, err
			}
			return handle(r, p)
		}})
	}
	get("getPortalWeb", s.portalWeb)
	get("getProjectInfo", func(r *request, _ *catalog.Portal) (any, error) {
		c, err := s.app.ProjectConfig(r.ctx, "project")
		if err != nil {
			return nil, err
		}
		cached(r)
		return map[string]any{"title": c.Title, "logo": c.Logo, "bimUrl": c.BimURL, "single": c.Single}, nil
	})
	get("getEpccPortalCarousel", func(r *request, p *catalog.Portal) (any, error) {
		cached(r)
		return portal.Photos(s.app.Portals().Public(r.view, p)), nil
	})
	get("picture", s.openPicture)
	get("file", s.openFile)
	s.register(route{method: "POST", path: openPath + "listTabDatas", access: public, open: true, body: small, deadline: patient, handle: s.openTab})
	s.register(route{method: "POST", path: openPath + "getTabDataDoc", access: public, open: true, body: small, deadline: patient, handle: s.openDocument})
}

// pageCode is the page that an address asks for: by portalCode as elsewhere, or by code, as the address of the page itself has it.
func pageCode(r *request) (string, error) {
	of, code := r.QueryParam("portalCode"), r.QueryParam("code")
	if of != "" && code != "" && of != code {
		return "", fault.New(fault.BadParameter, "code")
	}
	return cmp.Or(of, code), nil
}

// visit finds a public page and gives the call the rights of its visitors.
func (s *Server) visit(r *request, code string) (*catalog.Portal, error) {
	p, err := portal.PublicPage(r.state.Catalog, code)
	if err != nil {
		return nil, err
	}
	r.principal = portal.Visitor(p, r.locale)
	r.view = r.state.Policy.View(r.principal, s.app.Now(), s.app.Zone())
	return p, nil
}

// cached lets caches keep what all visitors get.
func cached(r *request) { r.Response().Header().Set("Cache-Control", "public, max-age=60") }

func (s *Server) portalWeb(r *request, p *catalog.Portal) (any, error) {
	page := s.app.Portals().Public(r.view, p)
	look := s.app.SystemConfig(false, nil)
	cached(r)
	return map[string]any{"title": page.Name, "title_i18n": page.NameI18n, "logo": look["logoUrl"], "menus": portal.Menus(page), "blocks": page.Widgets, "page": page.Page, "portalCode": page.Code}, nil
}

// openRow is a line of a list of a public page.
type openRow struct {
	ID     string            `json:"id"` // that getTabDataDoc takes
	Texts  []string          `json:"texts"`
	Values []json.RawMessage `json:"values"`
}

func (s *Server) openTab(r *request) (any, error) {
	in := struct {
		Portal string `json:"portalCode"`
		Tab    string `json:"tabCode"`
		Page   int    `json:"page"`
		Size   int    `json:"size"`
	}{Size: usualRows}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	p, err := s.visit(r, in.Portal)
	if err != nil {
		return nil, err
	}
	rows, err := s.app.Portals().PublicRows(r.ctx, r.view, p, in.Tab, in.Page, in.Size)
	if err != nil {
		return nil, err
	}
	list := wireRows(rows)
	out := []openRow{}
	for _, row := range list.Rows {
		out = append(out, openRow{ID: in.Tab + "/" + row.ID, Texts: row.Texts, Values: row.Values})
	}
	return map[string]any{"columns": list.Columns, "content": out, "more": list.More}, nil
}

func (s *Server) openDocument(r *request) (any, error) {
	var in struct {
		Portal string `json:"portalCode"`
		ID     string `json:"id"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	p, err := s.visit(r, in.Portal)
	if err != nil {
		return nil, err
	}
	return s.app.Portals().PublicDocument(r.ctx, r.view, p, in.ID)
}

func (s *Server) openPicture(r *request, p *catalog.Portal) (any, error) {
	if picture := portal.PublicPicture(p, r.QueryParam("digest")); picture != nil {
		h := r.Response().Header()
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("Content-Security-Policy", "default-src 'none'")
		return sent{}, r.Blob(http.StatusOK, picture.Type, picture.Data)
	}
	id := r.QueryParam("refId")
	if _, err := uuid.Parse(id); err != nil || !portal.ShownIn(p, id) {
		return nil, fault.New(fault.FileNotFound)
	}
	f, err := s.app.Reader().Kept(r.ctx, id)
	if err != nil {
		return nil, err
	}
	return s.send(r, f, true)
}

// openFile answers a file of a document of a public page.
func (s *Server) openFile(r *request, p *catalog.Portal) (any, error) {
	document, err := s.app.Portals().PublicDocument(r.ctx, r.view, p, r.QueryParam("id"))
	if err != nil {
		return nil, err
	}
	for _, raw := range document.Files {
		var f struct {
			RefID string `json:"refId"`
		}
		if json.Unmarshal(raw, &f) == nil && f.RefID != "" && f.RefID == r.QueryParam("refId") {
			kept, err := s.app.Reader().Kept(r.ctx, f.RefID)
			if err != nil {
				return nil, err
			}
			return s.deliver(r, kept)
		}
	}
	return nil, fault.New(fault.FileNotFound)
}
