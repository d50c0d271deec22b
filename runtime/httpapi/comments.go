package httpapi

import (
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/query"
)

// commentRoutes are about the comments of a record, for all who may see it.
func (s *Server) commentRoutes() {
	const path = "/api/runtime/comment/"
	s.register(route{method: "POST", path: path + "list", access: signedIn, body: small, deadline: quick, handle: s.listComments})
	s.register(route{method: "POST", path: path + "add", access: signedIn, body: medium, deadline: quick, handle: s.addComment})
	s.register(route{method: "PUT", path: path + "update", access: signedIn, body: medium, deadline: quick, handle: s.updateComment})
	s.register(route{method: "POST", path: path + "delete", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var in struct {
			ID string `json:"id"`
		}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return nil, s.app.Comments().Delete(r.ctx, r.view, in.ID)
	}})
	s.register(route{method: "GET", path: path + "people", access: signedIn, body: small, deadline: quick, handle: s.commentPeople})
}

func (s *Server) listComments(r *request) (any, error) {
	in := struct {
		SchemaCode string `json:"schemaCode"`
		ObjectID   string `json:"objectId"`
		Before     string `json:"before"`
		Size       int    `json:"size"`
	}{Size: 30}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Comments().List(r.ctx, r.view, query.Ref{SchemaCode: in.SchemaCode, ID: in.ObjectID}, in.Before, in.Size)
}

func (s *Server) addComment(r *request) (any, error) {
	var in struct {
		SchemaCode  string   `json:"schemaCode"`
		ObjectID    string   `json:"objectId"`
		ReplyTo     string   `json:"replyTo"`
		Text        string   `json:"text"`
		Mentions    []string `json:"mentions"`
		Files       []string `json:"files"`
		ClientToken string   `json:"clientToken"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	token, err := idempotencyKey(r, in.ClientToken)
	if err != nil {
		return nil, err
	}
	return s.app.Comments().Add(r.ctx, r.view, comment.Draft{At: query.Ref{SchemaCode: in.SchemaCode, ID: in.ObjectID}, ReplyTo: in.ReplyTo,
		Text: in.Text, Mentions: in.Mentions, Files: in.Files, Token: token})
}

func (s *Server) updateComment(r *request) (any, error) {
	var in struct {
		ID       string   `json:"id"`
		Text     string   `json:"text"`
		Mentions []string `json:"mentions"`
		Files    []string `json:"files"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Comments().Update(r.ctx, r.view, in.ID, comment.Draft{Text: in.Text, Mentions: in.Mentions, Files: in.Files})
}

// commentPeople are those who may be mentioned.
func (s *Server) commentPeople(r *request) (any, error) {
	_, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	found, err := s.app.Comments().People(r.ctx, r.view, query.Ref{SchemaCode: r.QueryParam("schemaCode"), ID: r.QueryParam("objectId")},
		r.QueryParam("keyword"), min(size, comment.MaxPage))
	if err != nil {
		return nil, err
	}
	out := pageOf[query.Entry]{Content: []query.Entry{}, Total: int64(len(found))}
	for _, p := range found {
		out.Content = append(out.Content, query.PersonEntry(p))
	}
	return out, nil
}
