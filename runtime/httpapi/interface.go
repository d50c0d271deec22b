package httpapi

import (
	"net/http"
	"path"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/fault"
)

const interfacePath = "/api/runtime/interface/"

// bundle is the interface of a pack in an answer (api.yaml InterfaceBundle).
type bundle struct {
	Pack    string      `json:"pack"`
	SDK     string      `json:"sdk"`
	Address string      `json:"address"`
	Styles  []string    `json:"styles"`
	Defines def.Defines `json:"defines"`
}

// interfaceRoutes serve what packs bring to the interface. Everybody who is signed in can read all of it: it is code, not data, and what a person sees is decided by the
// other calls. Nobody else learns which packs there are.
func (s *Server) interfaceRoutes() {
	s.register(route{method: "GET", path: interfacePath + "list", access: signedIn, body: small, deadline: quick, handle: bundles})
	s.register(route{method: "GET", path: interfacePath + "{pack}/{digest}/{file}", access: signedIn, body: small, deadline: quick, handle: bundleFile})
}

func bundles(r *request) (any, error) {
	out := []bundle{}
	for _, p := range r.state.Catalog.Packs {
		b := p.Bundle
		if b == nil {
			continue
		}
		at := interfacePath + p.Code + "/" + b.Digest + "/"
		one := bundle{Pack: p.Code, SDK: b.SDK, Address: at + b.Entry, Styles: []string{}, Defines: defines(b.Defines)}
		for _, name := range b.Styles {
			one.Styles = append(one.Styles, at+name)
		}
		out = append(out, one)
	}
	return out, nil
}

// defines has an empty list where the manifest has none.
func defines(d def.Defines) def.Defines {
	return def.Defines{Properties: orEmpty(d.Properties), Actions: orEmpty(d.Actions), Pages: orEmpty(d.Pages), Parts: orEmpty(d.Parts),
		Views: orEmpty(d.Views), Widgets: orEmpty(d.Widgets)}
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// bundleFile answers a file by its name in the manifest: no path reaches a disk. The address names the content, so the browser keeps it.
func bundleFile(r *request) (any, error) {
	for _, p := range r.state.Catalog.Packs {
		if b := p.Bundle; b != nil && p.Code == r.Param("pack") && b.Digest == r.Param("digest") {
			data, ok := b.Files[r.Param("file")]
			if !ok {
				break
			}
			h := r.Response().Header()
			h.Set("Cache-Control", "private, max-age=31536000, immutable")
			h.Set("Content-Security-Policy", workerPolicy)
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			kind := "text/javascript; charset=utf-8"
			if strings.EqualFold(path.Ext(r.Param("file")), ".css") {
				kind = "text/css; charset=utf-8"
			}
			return sent{}, r.Blob(http.StatusOK, kind, data)
		}
	}
	return nil, fault.New(fault.RouteNotFound)
}
