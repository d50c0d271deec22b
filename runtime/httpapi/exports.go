package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/exporter"
	"github.com/sluice-platform/sluice/runtime/query"
)

// exportRoutes write what lists show into files. Other people's exports do not exist for the caller.
func (s *Server) exportRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/export/fields", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Reader().ExtractFields(r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"), exporter.Action)
	}})
	s.register(route{method: "GET", path: "/api/runtime/export/history", access: signedIn, body: small, deadline: quick, handle: s.exportHistory})
	s.register(route{method: "POST", path: "/api/runtime/export/start", access: signedIn, body: medium, deadline: patient, handle: s.exportStart})
	s.register(route{method: "GET", path: "/api/runtime/export/progress", access: signedIn, body: small, deadline: quick, handle: s.exportProgress})
	s.register(route{method: "GET", path: "/api/runtime/export/file", access: signedIn, body: small, deadline: slow, handle: s.exportFile})
	s.register(route{method: "POST", path: "/api/runtime/export/tasks", access: signedIn, body: small, deadline: quick, handle: s.exportTasks})
	s.register(route{method: "DELETE", path: "/api/runtime/export/tasks", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return nil, s.app.Exports().Delete(r.ctx, r.view, r.QueryParam("id"))
	}})
}

// exportRequest is the list call's body with what only an export has. Clients of the specification put the last three into options.
type exportRequest struct {
	SchemaCode     string            `json:"schemaCode"`
	QueryCode      string            `json:"queryCode"`
	Mobile         bool              `json:"mobile"`
	Page           int               `json:"page"`
	Size           *int              `json:"size"`
	Filters        []query.Filter    `json:"filters"`
	OrderByFields  []string          `json:"orderByFields"`
	OrderType      int               `json:"orderType"`
	Keyword        string            `json:"keyword"`
	ParentID       *string           `json:"parentId"`
	ObjectIDs      []string          `json:"objectIds"`
	AllObjectID    bool              `json:"allObjectId"`
	Columns        []exporter.Column `json:"columns"`
	QueryCondition json.RawMessage   `json:"queryCondition"`
	LanguageType   string            `json:"languageType"`
	FileType       string            `json:"fileType"`
	WithID         bool              `json:"withId"`
	exportOptions
	Options exportOptions `json:"options"`
}

// exportOptions say what is remembered: nothing is when isUpdateExportFields is false.
type exportOptions struct {
	IsUpdateExportFields *bool  `json:"isUpdateExportFields"`
	UserCommonQueryID    string `json:"userCommonQueryId"`
	ShowParticipant      bool   `json:"showParticipant"`
}

func (s *Server) exportStart(r *request) (any, error) {
	var in exportRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	remember := in.IsUpdateExportFields
	if remember == nil {
		remember = in.Options.IsUpdateExportFields
	}
	return s.app.Exports().Start(r.ctx, r.view, exporter.Request{
		ListRequest: query.ListRequest{SchemaCode: in.SchemaCode, QueryCode: in.QueryCode, Filters: in.Filters, OrderByFields: in.OrderByFields,
			OrderType: in.OrderType, Keyword: in.Keyword, ObjectIDs: in.ObjectIDs},
		Columns: in.Columns, All: in.AllObjectID, Language: in.LanguageType, FileType: in.FileType, WithID: in.WithID,
		Remember: remember == nil || *remember, Participant: in.ShowParticipant || in.Options.ShowParticipant})
}

// exportTask is an export on the wire. taskStatus and status are one; exportResultStatus is set when the task has ended.
type exportTask struct {
	ID           string          `json:"id"`
	JobID        string          `json:"jobId"`
	RefID        string          `json:"refId"` // the file's name
	Name         string          `json:"name"`
	FileSize     int64           `json:"fileSize"`
	SchemaCode   string          `json:"schemaCode"`
	QueryCode    string          `json:"queryCode"`
	SchemaName   string          `json:"schemaName"`
	CreatedTime  time.Time       `json:"createdTime"`
	EndTime      *time.Time      `json:"endTime"`
	TaskStatus   exporter.State  `json:"taskStatus"`
	Status       exporter.State  `json:"status"`
	ResultStatus *exporter.State `json:"exportResultStatus"`
	Ahead        int             `json:"ahead"`
	Done         int64           `json:"done"`
	Total        int64           `json:"total"`
	Skipped      int64           `json:"skipped"`
	Missing      string          `json:"missing"`
	TooWide      []string        `json:"tooWide"`
	Error        *jobError       `json:"error"`
}

func (s *Server) exportTask(r *request, t exporter.Task) exportTask {
	out := exportTask{ID: t.ID, JobID: t.JobID, RefID: t.Name, Name: t.Name, FileSize: t.Size, SchemaCode: t.Model, QueryCode: t.List, SchemaName: t.Label.In(r.locale),
		CreatedTime: t.CreatedAt, EndTime: t.EndedAt, TaskStatus: t.State, Status: t.State, Ahead: t.Ahead, Done: t.Done, Total: t.Total, Skipped: t.Lacks.Skipped, Missing: t.Lacks.Missing, TooWide: []string{}}
	if t.Lacks.TooWide != "" {
		out.TooWide = strings.Split(t.Lacks.TooWide, "\n")
	}
	if t.Ended() {
		out.ResultStatus = &t.State
	}
	if t.Code != 0 {
		out.Error = &jobError{Code: t.Code, Message: s.texts.sentence(t.Code, r.locale, t.Args)}
	}
	return out
}

func (s *Server) exportProgress(r *request) (any, error) {
	t, err := s.app.Exports().Progress(r.ctx, r.view, r.QueryParam("id"))
	if err != nil {
		return nil, err
	}
	return s.exportTask(r, t), nil
}

func (s *Server) exportTasks(r *request) (any, error) {
	in := struct {
		Name string `json:"name"`
		Page int    `json:"page"`
		Size int    `json:"size"`
	}{Size: 20}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if in.Page < 0 || in.Page > maxTaskPage || in.Size < 1 || in.Size > query.MaxPageSize {
		return nil, fault.New(fault.PageOutOfRange)
	}
	tasks, total, err := s.app.Exports().Tasks(r.ctx, r.view, in.Name, in.Page, in.Size)
	if err != nil {
		return nil, err
	}
	out := pageOf[exportTask]{Content: []exportTask{}, Total: total}
	for _, t := range tasks {
		out.Content = append(out.Content, s.exportTask(r, t))
	}
	return out, nil
}

// maxTaskPage keeps the number of rows before a page in what databases count with.
const maxTaskPage = 1_000_000

func (s *Server) exportHistory(r *request) (any, error) {
	if kind := r.QueryParam("type"); kind != "" && kind != exporter.HistoryType {
		return nil, fault.New(fault.BadParameter, "type")
	}
	return s.app.Exports().History(r.ctx, r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"))
}

// exportFile answers the file of an export. It is saved, never shown: nothing in it acts as a page of ours.
func (s *Server) exportFile(r *request) (any, error) {
	f, bytes, err := s.app.Exports().File(r.ctx, r.view, r.QueryParam("id"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = bytes.Close() }()
	h := r.Response().Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Type", f.Mime)
	h.Set("Content-Disposition", disposition(false, f.Name))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	r.extendDeadline()
	http.ServeContent(r.Response(), r.Request(), "", f.CreatedAt, bytes)
	return sent{}, nil
}
