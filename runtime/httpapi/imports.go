package httpapi

import (
	"errors"
	"io"
	"net/http"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/temporary"
)

// largestImport is the body of an upload: the file with its form around it.
const largestImport = 65 << 20

// importRoutes take records from spreadsheets.
func (s *Server) importRoutes() {
	post := func(path string, body int64, handle func(r *request) (any, error)) {
		s.register(route{method: "POST", path: path, access: signedIn, body: body, deadline: patient, handle: handle})
	}
	get := func(path string, handle func(r *request) (any, error)) {
		s.register(route{method: "GET", path: path, access: signedIn, body: small, deadline: patient, handle: handle})
	}
	s.register(route{method: "POST", path: "/api/runtime/import/upload", access: signedIn, body: largestImport, deadline: slow, upload: true, handle: s.importUpload})
	post("/api/runtime/import/delete_temporary_file", small, s.importDelete)
	get("/api/runtime/query/export_template", s.importTemplate)
	get("/api/runtime/import/fields", func(r *request) (any, error) {
		return s.app.Importer().Fields(r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"))
	})
	post("/api/runtime/import/head", small, func(r *request) (any, error) {
		var in importer.HeadRequest
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		out, err := s.app.Importer().Propose(r.ctx, r.view, in)
		for i := range out.Sheets {
			if one := &out.Sheets[i]; one.Code != 0 {
				one.Message = s.texts.sentence(one.Code, r.locale, one.Args)
			}
		}
		return out, err
	})
	post("/api/runtime/import/dry_run", medium, func(r *request) (any, error) { return s.importStart(r, true) })
	post("/api/runtime/import/start", medium, func(r *request) (any, error) { return s.importStart(r, false) })
	get("/api/runtime/import/progress", s.importProgress)
	get("/api/runtime/import/rows", s.importRows)
	get("/api/runtime/import/unresolved", func(r *request) (any, error) {
		n, err := s.app.Importer().Unresolved(r.ctx, r.view, r.QueryParam("id"))
		return map[string]int64{"unresolvedCount": n}, err
	})
	post("/api/runtime/import/edit", large, s.importEdit)
	post("/api/runtime/import/replace", medium, s.importReplace)
	post("/api/runtime/import/skip", medium, s.importSkip)
	post("/api/runtime/import/second", large, s.importSecond)
	get("/api/runtime/import/error_result", s.importErrors)
	post("/api/runtime/import/undo", small, s.importUndo)
	get("/api/runtime/import/list", s.importList)
	get("/api/runtime/import/source", func(r *request) (any, error) {
		return s.app.Importer().Sources(r.ctx, r.view, r.QueryParam("schemaCode"), r.QueryParam("bizObjectId"))
	})
}

func (s *Server) importUpload(r *request) (any, error) {
	part, err := r.filePart()
	if err != nil {
		return nil, err
	}
	out, err := s.app.Importer().Upload(r.ctx, r.view, fileName(part), part, func(blob.File) error { return s.arrived(r) })
	return out, broken(err)
}

func (s *Server) importDelete(r *request) (any, error) {
	var in struct {
		FileName string `json:"fileName"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return nil, s.app.Importer().DeleteUpload(r.ctx, r.view, in.FileName)
}

func (s *Server) importStart(r *request, dry bool) (any, error) {
	var in importer.Request
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	id, err := s.app.Importer().Start(r.ctx, r.view, in, dry)
	if err != nil {
		return nil, err
	}
	return s.importResult(r, id)
}

// importProgress finds an import by its own id, or by that of one of its jobs.
func (s *Server) importProgress(r *request) (any, error) {
	id, jobID := r.QueryParam("id"), r.QueryParam("jobId")
	if id == "" && jobID != "" {
		var err error
		if id, err = s.app.Importer().OfJob(r.ctx, r.view.User(), jobID); err != nil {
			return nil, err
		}
	}
	return s.importResult(r, id)
}

func (s *Server) importResult(r *request, id string) (any, error) {
	out, err := s.app.Importer().Result(r.ctx, r.view, id)
	if err != nil {
		return nil, err
	}
	s.wordImport(&out, r.locale)
	return out, nil
}

// wordImport puts what an import has to say into words.
func (s *Server) wordImport(out *importer.Result, locale string) {
	if out.ErrorCode != 0 {
		out.ErrorMsg = s.texts.sentence(out.ErrorCode, locale, out.ErrorArgs)
	}
	s.wordRows(out.Rows, locale)
}

func (s *Server) wordRows(rows []importer.RowItem, locale string) {
	for i := range rows {
		for k := range rows[i].Errors {
			rows[i].Errors[k].Message = s.sayVerdict(rows[i].Errors[k], locale)
		}
	}
}

func (s *Server) sayVerdict(v importer.Verdict, locale string) string {
	switch {
	case locale == "en" && v.MessageEn != "":
		return v.MessageEn
	case v.MessageZh != "":
		return v.MessageZh
	}
	return s.texts.sentence(v.Code, locale, v.Args)
}

func (s *Server) importRows(r *request) (any, error) {
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.app.Importer().Rows(r.ctx, r.view, r.QueryParam("id"), r.QueryParam("kind"), page, size)
	s.wordRows(rows, r.locale)
	return pageOf[importer.RowItem]{Content: rows, Total: total}, err
}

func (s *Server) importEdit(r *request) (any, error) {
	var in struct {
		ID   string          `json:"id"`
		Rows []importer.Edit `json:"rows"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	rows, err := s.app.Importer().Edit(r.ctx, r.view, in.ID, in.Rows)
	s.wordRows(rows, r.locale)
	return rows, err
}

func (s *Server) importReplace(r *request) (any, error) {
	var in importer.Replacement
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Importer().Replace(r.ctx, r.view, in)
}

func (s *Server) importSkip(r *request) (any, error) {
	var in struct {
		ID   string   `json:"id"`
		Rows []string `json:"rows"`
		All  bool     `json:"all"`
		Back bool     `json:"back"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return nil, s.app.Importer().Skip(r.ctx, r.view, in.ID, in.Rows, in.All, in.Back)
}

// importSecond also takes what clients send back and nobody needs: the columns, and where they came from (api.yaml ImportSecond).
func (s *Server) importSecond(r *request) (any, error) {
	var in struct {
		importer.Second
		Head       any    `json:"headColumns"`
		QueryField string `json:"queryField"`
		QueryCode  string `json:"queryCode"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	out, err := s.app.Importer().Second(r.ctx, r.view, in.Second)
	s.wordImport(&out, r.locale)
	var again *fault.Error
	if errors.As(err, &again) && again.Code == fault.ImportAgain {
		again.Data = out
	}
	return out, err
}

func (s *Server) importUndo(r *request) (any, error) {
	var in struct {
		ID string `json:"id"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := s.app.Importer().Undo(r.ctx, r.view, in.ID); err != nil {
		return nil, err
	}
	return s.importResult(r, in.ID)
}

func (s *Server) importList(r *request) (any, error) {
	page, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	found, total, err := s.app.Importer().List(r.ctx, r.view, r.QueryParam("schemaCode"), page, size)
	for i := range found {
		s.wordImport(&found[i], r.locale)
	}
	return pageOf[importer.Result]{Content: found, Total: total}, err
}

// sheetMime is the type of workbooks.
const sheetMime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

func (s *Server) importTemplate(r *request) (any, error) {
	locale := r.locale
	if language := r.QueryParam("languageType"); language != "" {
		locale = languageOf(language)
	}
	return s.sendWorkbook(r, func(to io.Writer) (string, error) {
		return s.app.Importer().Template(r.ctx, r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"), locale, to)
	})
}

// languageOf reads a languageType.
func languageOf(language string) string {
	if len(language) >= 2 && (language[:2] == "en" || language[:2] == "EN") {
		return "en"
	}
	return "zh"
}

func (s *Server) importErrors(r *request) (any, error) {
	return s.sendWorkbook(r, func(to io.Writer) (string, error) {
		return s.app.Importer().ErrorFile(r.ctx, r.view, r.QueryParam("fileName"), s.sayVerdict, to)
	})
}

// sendWorkbook makes a workbook and sends it when it is whole, so that a failure is an answer as any other.
func (s *Server) sendWorkbook(r *request, write func(io.Writer) (name string, err error)) (any, error) {
	tmp, err := temporary.Create()
	if err != nil {
		return nil, err
	}
	defer tmp.Close()
	name, err := write(tmp)
	if err != nil {
		return nil, err
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	r.extendDeadline()
	h := r.Response().Header()
	h.Set("Content-Type", sheetMime)
	h.Set("Content-Disposition", disposition(false, name))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	r.Response().WriteHeader(http.StatusOK)
	_, err = io.Copy(r.Response(), tmp)
	return sent{}, err
}
