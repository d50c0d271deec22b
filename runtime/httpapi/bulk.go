package httpapi

import (
	"encoding/json"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/bulk"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/record"
)

// bulkRoutes change many records at once.
func (s *Server) bulkRoutes() {
	s.register(route{method: "GET", path: "/api/runtime/batch/fields", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Reader().BulkFields(r.view, r.QueryParam("schemaCode"), r.QueryParam("queryCode"))
	}})
	s.register(route{method: "POST", path: "/api/runtime/batch/update", access: signedIn, body: medium, deadline: patient, handle: s.batchUpdate})
	s.register(route{method: "GET", path: "/api/runtime/batch/log", access: signedIn, body: small, deadline: quick, handle: s.batchLog})
	s.register(route{method: "POST", path: "/api/runtime/batch/undo", access: signedIn, body: small, deadline: patient, handle: s.batchUndo})
	s.register(route{method: "POST", path: "/api/runtime/query/no_presentation_count", access: signedIn, body: medium, deadline: patient, handle: s.noPresentation})
	s.register(route{method: "POST", path: "/api/runtime/query/modify_owner", access: signedIn, body: medium, deadline: patient, handle: s.modifyOwner})
	s.register(route{method: "POST", path: "/api/runtime/query/bulk_check", access: signedIn, body: medium, deadline: patient, handle: s.bulkCheck})
	s.register(route{method: "POST", path: "/api/runtime/query/bulk_delete", access: signedIn, body: medium, deadline: patient, handle: s.bulkDelete})
}

// carryOut runs a request for the caller; the results get their texts.
func (s *Server) carryOut(r *request, in bulk.Request) (any, error) {
	if in.Selection.All && len(in.Selection.ObjectIDs) > 0 {
		return nil, fault.New(fault.BadParameter, "objectIds")
	}
	out, err := s.app.Bulk().Run(r.ctx, r.view, in)
	if err != nil {
		return nil, err
	}
	for i, one := range out.Results {
		if one.Code != 0 {
			out.Results[i].Message = s.texts.about(one.Field, one.Code, r.locale, one.Args)
		}
	}
	return out, nil
}

func (s *Server) batchUpdate(r *request) (any, error) {
	var in struct {
		query.SelectionRequest
		PropertyCode  string          `json:"propertyCode"`
		ModifiedValue json.RawMessage `json:"modifiedValue"`
		SheetCode     string          `json:"sheetCode"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if len(in.ModifiedValue) == 0 {
		return nil, fault.New(fault.ValueEmpty)
	}
	return s.carryOut(r, bulk.Request{Kind: bulk.BatchUpdate, Selection: in.SelectionRequest, Sheet: in.SheetCode, Property: in.PropertyCode, Value: in.ModifiedValue})
}

func (s *Server) batchLog(r *request) (any, error) {
	page, size, err := pagingTo(r, logSize)
	if err != nil {
		return nil, err
	}
	return s.app.Bulk().Log(r.ctx, r.view, r.QueryParam("schemaCode"), page, size)
}

// logSize is how many entries of the log may be read at once: all that a model is likely to have.
const logSize = 99999

func (s *Server) batchUndo(r *request) (any, error) {
	var in struct {
		LogID string `json:"logId"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.carryOut(r, bulk.Request{Kind: bulk.Undo, Batch: in.LogID})
}

// ownerRequest is the specification's modify-owner payload; page, size, mobile and isSheet say where the client stood.
type ownerRequest struct {
	query.SelectionRequest
	Mobile      bool   `json:"mobile"`
	IsSheet     bool   `json:"isSheet"`
	Page        int    `json:"page"`
	Size        int    `json:"size"`
	OwnerID     string `json:"ownerId"`
	OwnerDeptID string `json:"ownerDeptId"`
	Remark      string `json:"remark"`
}

func (s *Server) noPresentation(r *request) (any, error) {
	var in ownerRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	counts, err := s.app.Bulk().Check(r.ctx, r.view, in.SelectionRequest, record.OwnerRight)
	return counts.Refused, err
}

func (s *Server) modifyOwner(r *request) (any, error) {
	var in ownerRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.carryOut(r, bulk.Request{Kind: bulk.ChangeOwner, Selection: in.SelectionRequest,
		Owner: record.Owner{User: in.OwnerID, Dept: in.OwnerDeptID, Remark: in.Remark}})
}

func (s *Server) bulkCheck(r *request) (any, error) {
	var in struct {
		query.SelectionRequest
		Action string `json:"action"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.app.Bulk().Check(r.ctx, r.view, in.SelectionRequest, in.Action)
}

func (s *Server) bulkDelete(r *request) (any, error) {
	var in query.SelectionRequest
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	return s.carryOut(r, bulk.Request{Kind: bulk.Delete, Selection: in})
}
