package httpapi

import (
	"bytes"
	"cmp"
	"net/http"
	"time"

	"github.com/sluice-platform/sluice/engine/bpmn"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/app"
)

const bpmnPath = definitionPath + "workflow/bpmn/"

// bpmnRoutes turn workflows into BPMN 2.0 files and such files into documents, for those who may publish. Nothing is published by them.
func (s *Server) bpmnRoutes() {
	s.register(route{method: "POST", path: bpmnPath + "import", access: signedIn, body: large, deadline: publishing, handle: s.importBPMN})
	s.register(route{method: "GET", path: bpmnPath + "export", access: signedIn, body: small, deadline: patient, handle: s.exportBPMN})
}

// importBPMN reads the file, which is the whole body.
func (s *Server) importBPMN(r *request) (any, error) {
	if err := s.app.MayImportBPMN(r.view); err != nil { // before somebody without the right sends a file
		return nil, err
	}
	in := app.BPMNImport{File: cmp.Or(r.QueryParam("file"), "workflow.bpmn"), Pack: r.QueryParam("pack"), Model: r.QueryParam("model"), Code: r.QueryParam("code"), Pool: r.QueryParam("pool")}
	for name, text := range map[string]string{"model": in.Model, "code": in.Code} {
		if text != "" && !bpmn.ValidCode(text) {
			return nil, fault.New(fault.BadParameter, name)
		}
	}
	if in.Pack == "" {
		return nil, fault.New(fault.EmptyParameter, "pack")
	}
	out, err := s.app.ImportBPMN(r.ctx, r.view, r.Request().Body, in)
	if err != nil {
		return nil, broken(err)
	}
	return out, nil
}

func (s *Server) exportBPMN(r *request) (any, error) {
	dialect := cmp.Or(bpmn.Dialect(r.QueryParam("for")), bpmn.Plain)
	if !dialect.Known() {
		return nil, fault.New(fault.BadParameter, "for")
	}
	name, file, err := s.app.ExportBPMN(r.view, r.state.Catalog, r.QueryParam("code"), dialect)
	if err != nil {
		return nil, err
	}
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Type", "application/xml; charset=utf-8")
	h.Set("Content-Disposition", disposition(false, name))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	http.ServeContent(r.Response(), r.Request(), "", time.Time{}, bytes.NewReader(file))
	return sent{}, nil
}
