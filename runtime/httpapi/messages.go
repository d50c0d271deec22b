package httpapi

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// messageRoutes are about the caller's own messages; other people's do not exist for them.
func (s *Server) messageRoutes() {
	s.register(route{method: "POST", path: "/api/search/paltformSearch", access: signedIn, body: small, deadline: quick, handle: s.searchMessages})
	s.register(route{method: "GET", path: "/api/message/unread_count", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Messages().Unread(r.ctx, r.view)
	}})
	s.register(route{method: "PUT", path: "/api/message/updateReadStateAll", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var in struct {
			MessageType wordOrNumber `json:"messageType"`
		}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.Messages().ReadAll(r.ctx, r.view, string(in.MessageType))
	}})
	s.register(route{method: "PUT", path: "/api/message/read", access: signedIn, body: medium, deadline: quick, handle: func(r *request) (any, error) {
		var in struct {
			IDs []string `json:"messageIdList"`
		}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.Messages().Read(r.ctx, r.view, in.IDs)
	}})
	s.register(route{method: "GET", path: "/api/message/form_url", access: signedIn, body: small, deadline: quick, handle: s.messageURL})
}

// wordOrNumber is a messageType: the word of a kind, or the number of a type.
type wordOrNumber string

// UnmarshalJSON takes "COMMENT", 41 and null.
func (w *wordOrNumber) UnmarshalJSON(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) == 0 || text[0] != '"' {
		var n *json.Number
		if err := json.Unmarshal(text, &n); err != nil || n == nil {
			return err
		}
		*w = wordOrNumber(n.String())
		return nil
	}
	var word string
	err := json.Unmarshal(text, &word)
	*w = wordOrNumber(word)
	return err
}

func (s *Server) searchMessages(r *request) (any, error) {
	in := struct {
		Searchword  string       `json:"searchword"`
		Size        int          `json:"size"`
		Page        int          `json:"page"`
		Tab         string       `json:"tab"`
		MessageType wordOrNumber `json:"messageType"`
		ReadState   string       `json:"readState"`
	}{Size: 10}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if in.Tab != "" && in.Tab != "MESSAGE" {
		return nil, fault.New(fault.BadParameter, "tab")
	}
	page, err := s.app.Messages().Search(r.ctx, r.view, notify.Search{Keyword: in.Searchword, Type: string(in.MessageType),
		ReadState: strings.ToUpper(in.ReadState), Page: in.Page, Size: in.Size})
	return map[string]any{"MESSAGE": page}, err
}

// formLink is what a notification opens (docs/formats.md, Addresses).
type formLink struct {
	ObjectID   string  `json:"bizObjectId"`
	WorkItem   *string `json:"workItemId"`
	Instance   *string `json:"workflowInstanceId"`
	SchemaCode string  `json:"schemaCode"`
	SheetCode  string  `json:"sheetCode"`
	URL        string  `json:"url"`
}

// messageURL is what one of the caller's messages opens, or a record that is named. Anyone who may not see it gets no address.
func (s *Server) messageURL(r *request) (any, error) {
	t := notify.Target{Record: query.Ref{SchemaCode: r.QueryParam("schemaCode"), ID: r.QueryParam("bizObjectId")},
		Biz: notify.Biz{WorkItemID: r.QueryParam("workItemId"), WorkflowInstanceID: r.QueryParam("workflowInstanceId")}}
	if id := r.QueryParam("messageId"); id != "" {
		var err error
		if t, err = s.app.Messages().Target(r.ctx, r.view, id); err != nil {
			return nil, err
		}
		if path := placePaths[t.Place]; path != "" {
			return formLink{URL: path}, nil
		}
		if t.Record.ID == "" || t.Nothing {
			return modelLink(r.view, t)
		}
	}
	if t.Record.ID == "" {
		return nil, fault.New(fault.EmptyParameter, "messageId")
	}
	opens, err := s.app.Workflows().Opens(r.ctx, r.view, t.Biz.WorkItemID, t.Biz.WorkflowInstanceID)
	if err != nil {
		return nil, err
	}
	switch opens {
	case workflow.OpensTask:
		q := url.Values{"isFromTips": {"true"}, "workitemId": {t.Biz.WorkItemID}, "workitemType": {t.Biz.WorkItemType}, "workflowInstanceId": {t.Biz.WorkflowInstanceID}}
		return formLink{ObjectID: t.Record.ID, WorkItem: &t.Biz.WorkItemID, Instance: orNil(t.Biz.WorkflowInstanceID), SchemaCode: t.Record.SchemaCode,
			URL: "/form/detail?" + q.Encode()}, nil
	case workflow.OpensTrack:
		return formLink{ObjectID: t.Record.ID, Instance: &t.Biz.WorkflowInstanceID, SchemaCode: t.Record.SchemaCode,
			URL: "/from/workflow-track/" + url.PathEscape(t.Biz.WorkflowInstanceID) + "/0/"}, nil
	}
	loaded, err := s.app.Reader().FormLoad(r.ctx, r.view, query.FormRequest{SchemaCode: t.Record.SchemaCode, ObjectID: t.Record.ID})
	if err != nil {
		return nil, err
	}
	q := url.Values{"schemaCode": {loaded.Form.SchemaCode}, "sheetCode": {loaded.Form.SheetCode}, "objectId": {t.Record.ID}, "isFromTips": {"true"}}
	for name, value := range map[string]string{"workitemId": t.Biz.WorkItemID, "workitemType": t.Biz.WorkItemType,
		"workflowInstanceId": t.Biz.WorkflowInstanceID, "comment": t.Biz.CommentID} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return formLink{ObjectID: t.Record.ID, WorkItem: orNil(t.Biz.WorkItemID), Instance: orNil(t.Biz.WorkflowInstanceID), SchemaCode: loaded.Form.SchemaCode,
		SheetCode: loaded.Form.SheetCode, URL: "/form/detail?" + q.Encode()}, nil
}

// workHandover is the model whose address the specification gives: it takes names, as pickers offer nobody who left.
const (
	workHandover = "handover"
	mostNames    = 20
)

// placePaths are the addresses of the product's pages that messages open.
var placePaths = map[notify.Place]string{
	notify.PlaceDelegations: "/workflow-center/delegation-workflow",
	notify.PlaceTasks:       "/workflow-center/my-unfinished-workitem",
	notify.PlaceFindings:    "/workflow-center/workflow-versions",
}

// modelLink is what a message without a record opens: a model's form for a new record about the one person that it names, or its list.
func modelLink(view *authz.View, t notify.Target) (any, error) {
	m := view.Model(t.Record.SchemaCode)
	if m == nil || t.Nothing || !view.Can(m, "view") {
		return nil, fault.New(fault.MessageNoAddress)
	}
	if len(t.Biz.UserIDs) == 1 && t.Biz.Relation != "" && view.Can(m, "add") {
		q := url.Values{"schemaCode": {m.Code}, "relSchemacode": {directory.User}, "relPropertyCode": {t.Biz.Relation}, "relId": {t.Biz.UserIDs[0]}, "isFromTips": {"true"}}
		return formLink{SchemaCode: m.Code, URL: "/form/detail?" + q.Encode()}, nil
	}
	if m.Code == workHandover && len(t.Biz.UserNameList) > 1 {
		names := t.Biz.UserNameList[:min(len(t.Biz.UserNameList), mostNames)]
		return formLink{SchemaCode: m.Code, URL: "/admin/#/organization/workHandover?" + url.Values{"userName": names}.Encode()}, nil
	}
	for _, a := range view.Apps {
		if !view.Opens(a.Code) {
			continue
		}
		if at := entryOf(a.Menu, m.Code); at != nil {
			return formLink{SchemaCode: m.Code, URL: "/application/" + a.Code + "/application-list/" + m.Code + "?queryCode=" + url.QueryEscape(at.QueryCode)}, nil
		}
	}
	return nil, fault.New(fault.MessageNoAddress)
}

// entryOf is the first menu item that opens a list of a model.
func entryOf(in []*catalog.Menu, model string) *catalog.Menu {
	for _, at := range in {
		if at.SchemaCode == model && at.QueryCode != "" {
			return at
		}
		if found := entryOf(at.Children, model); found != nil {
			return found
		}
	}
	return nil
}

func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
