package httpapi

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// workflowRoutes are what people do with workflows: their tasks, what they have started, and what administrators mend.
func (s *Server) workflowRoutes() {
	const flows, items = "/api/runtime/workflow/", "/api/runtime/workitem/"
	s.register(route{method: "GET", path: flows + "start_list", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Workflows().StartList(r.ctx, r.view)
	}})
	s.register(route{method: "GET", path: flows + "known", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Workflows().Known(r.ctx, r.view, r.QueryParam("list"))
	}})
	s.register(route{method: "GET", path: flows + "start_form", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Workflows().StartForm(r.ctx, r.view, r.QueryParam("workflowCode"), r.QueryParam("objectId"))
	}})
	s.register(route{method: "POST", path: "/api/runtime/form/submit", access: signedIn, body: medium, deadline: patient, handle: s.submitForm})
	for _, list := range []string{"unfinished", "finished", "unread", "read", "delegated"} {
		s.register(route{method: "POST", path: items + list, access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
			in := workflow.Search{Size: 20}
			if err := decode(r.Context, &in); err != nil {
				return nil, err
			}
			return s.app.Workflows().Items(r.ctx, r.view, list, in)
		}})
	}
	s.register(route{method: "GET", path: items + "counts", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Workflows().Counts(r.ctx, r.view, r.QueryParam("appCode"))
	}})
	s.register(route{method: "PUT", path: items + "mark_read", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		in := struct {
			IDs []string `json:"ids"`
		}{IDs: []string{}}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		if in.IDs == nil || len(in.IDs) > mostAtOnce {
			return nil, fault.New(fault.BadParameter, "ids")
		}
		return nil, s.app.Workflows().MarkRead(r.ctx, r.view, in.IDs)
	}})
	s.register(route{method: "PUT", path: items + "mark_read_all", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return nil, s.app.Workflows().MarkRead(r.ctx, r.view, nil)
	}})
	s.register(route{method: "GET", path: items + "detail", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return s.app.Workflows().Detail(r.ctx, r.view, r.QueryParam("workItemId"))
	}})
	s.register(route{method: "POST", path: items + "next_nodes", access: signedIn, body: medium, deadline: patient, handle: func(r *request) (any, error) {
		c, err := workItemCommand(r, "")
		if err != nil {
			return nil, err
		}
		return s.app.Workflows().Next(r.ctx, r.view, c)
	}})
	for path, do := range map[string]flow.Operation{"save": flow.OpSave, "submit": flow.OpSubmit, "agree": flow.OpAgree, "disagree": flow.OpDisagree, "reject": flow.OpReject,
		"transfer": flow.OpTransfer, "add_sign": flow.OpAddSign, "assist": flow.OpAssist, "circulate": flow.OpCirculate, "claim": flow.OpClaim, "release": flow.OpRelease, "withdraw": flow.OpWithdraw} {
		s.register(route{method: "POST", path: items + path, access: signedIn, body: medium, deadline: patient, handle: func(r *request) (any, error) {
			c, err := workItemCommand(r, do)
			if err != nil {
				return nil, err
			}
			return s.app.Workflows().Act(r.ctx, r.view, c)
		}})
	}
	s.preferenceRoutes()
	s.register(route{method: "GET", path: items + "people", access: signedIn, body: small, deadline: quick, handle: s.workItemPeople})
	s.register(route{method: "POST", path: items + "agree_all", access: signedIn, body: small, deadline: patient, handle: s.agreeToAll})
	for path, all := range map[string]bool{"mine": false, "query": true} {
		s.register(route{method: "POST", path: flows + path, access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
			in := workflow.InstanceSearch{Size: 20}
			if err := decode(r.Context, &in); err != nil {
				return nil, err
			}
			return s.app.Workflows().Mine(r.ctx, r.view, in, all)
		}})
	}
	s.register(route{method: "GET", path: flows + "track", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		out, err := s.app.Workflows().Track(r.ctx, r.view, r.QueryParam("workflowInstanceId"))
		if err == nil {
			s.stuckTexts(out.Stuck)
		}
		return out, err
	}})
	s.register(route{method: "GET", path: flows + "base_info", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		found, err := s.app.Workflows().OfRecord(r.ctx, r.view, r.QueryParam("schemaCode"), r.QueryParam("objectId"))
		if found == nil {
			return nil, err
		}
		return found, err
	}})
	for path, do := range map[string]flow.Operation{"revoke": flow.OpRevoke, "urge": flow.OpUrge, "void": flow.OpVoid, "jump": flow.OpJump, "adjust": flow.OpAdjust, "retry": flow.OpRetry,
		"activate": flow.OpActivate, "cancelActivity": flow.OpCancel} {
		s.register(route{method: "POST", path: flows + path, access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
			o, err := order(r, do)
			if err != nil {
				return nil, err
			}
			return s.app.Workflows().Order(r.ctx, r.view, o)
		}})
	}
	s.workflowAdminRoutes()
}

// signalRoute lets go on what waits for a signal.
func (s *Server) signalRoute() {
	s.register(route{method: "POST", path: "/api/runtime/workflow/signal", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		var in struct {
			Signal string `json:"signal"`
			Key    string `json:"key"`
		}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		n, err := s.app.Workflows().Signal(r.ctx, r.view, in.Signal, in.Key)
		return map[string]int{"count": n}, err
	}})
}

// delegationRoutes let somebody else have the caller's tasks.
func (s *Server) delegationRoutes() {
	const path = "/api/runtime/delegation"
	s.register(route{method: "GET", path: path, access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		return s.app.Workflows().Delegations(r.ctx, r.view)
	}})
	for _, method := range []string{"POST", "PUT"} {
		s.register(route{method: method, path: path, access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
			in := struct {
				ID      string    `json:"id"`
				To      string    `json:"to"`
				Codes   []string  `json:"workflowCodes"`
				Starts  time.Time `json:"startTime"`
				Ends    time.Time `json:"endTime"`
				Enabled bool      `json:"enabled"`
				Depts   []string  `json:"initiatorDepts"`
				Copy    bool      `json:"keepCopy"`
				Move    bool      `json:"moveOpen"`
				Return  bool      `json:"returnOpen"`
			}{Enabled: true, Copy: true}
			if err := decode(r.Context, &in); err != nil {
				return nil, err
			}
			if (method == "PUT") != (in.ID != "") {
				return nil, fault.New(fault.BadParameter, "id")
			}
			return s.app.Workflows().Delegate(r.ctx, r.view, workflow.DelegationOrder{ID: in.ID, To: in.To, Codes: in.Codes, Starts: in.Starts, Ends: in.Ends, Enabled: in.Enabled,
				Departments: in.Depts, KeepCopy: in.Copy, MoveOpen: in.Move, ReturnOpen: in.Return})
		}})
	}
	s.register(route{method: "DELETE", path: path + "/{id}", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		return nil, s.app.Workflows().Undelegate(r.ctx, r.view, r.Param("id"))
	}})
}

// mostAtOnce bounds the people and tasks of one call.
const mostAtOnce = 200

func (s *Server) submitForm(r *request) (any, error) {
	var in struct {
		Workflow    string                     `json:"workflowCode"`
		Record      string                     `json:"objectId"`
		Version     *int64                     `json:"version"`
		Data        map[string]json.RawMessage `json:"data"`
		Opinion     string                     `json:"opinion"`
		Choices     map[string][]string        `json:"startUserChoice"`
		ClientToken string                     `json:"clientToken"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if err := fewChoices(in.Choices); err != nil {
		return nil, err
	}
	token, err := idempotencyKey(r, in.ClientToken)
	if err != nil {
		return nil, err
	}
	return s.app.Workflows().Start(r.ctx, r.view, workflow.Start{Workflow: in.Workflow, Record: in.Record, Version: in.Version, Data: in.Data, Opinion: in.Opinion, Choices: in.Choices, Token: token})
}

// fewChoices bounds the people of nodes that somebody chooses.
func fewChoices(of map[string][]string) error {
	n := 0
	for _, people := range of {
		n += len(people)
	}
	if len(of) > 50 || n > mostAtOnce {
		return fault.New(fault.BadParameter, "choices")
	}
	return nil
}

// workItemCommand reads what somebody does with a task. Without an operation the body names it: that of a prediction.
func workItemCommand(r *request, do flow.Operation) (c workflow.Command, err error) {
	var in struct {
		Item        string                     `json:"workItemId"`
		Action      string                     `json:"action"`
		Version     *int64                     `json:"version"`
		Data        map[string]json.RawMessage `json:"data"`
		Opinion     string                     `json:"opinion"`
		People      []string                   `json:"people"`
		Node        string                     `json:"activityCode"`
		Placing     flow.Placing               `json:"placing"`
		Resubmit    flow.Resubmit              `json:"resubmit"`
		Choices     map[string][]string        `json:"choices"`
		Signature   string                     `json:"signature"`
		Files       []string                   `json:"files"`
		Mentions    []string                   `json:"mentions"`
		ClientToken string                     `json:"clientToken"`
	}
	if err := decode(r.Context, &in); err != nil {
		return c, err
	}
	if do == "" {
		switch do = flow.Operation(in.Action); do {
		case flow.OpSubmit, flow.OpAgree, flow.OpDisagree, flow.OpReject, flow.OpTransfer, flow.OpAssist, flow.OpCirculate, flow.OpWithdraw, flow.OpRelease:
		case "add_sign":
			do = flow.OpAddSign
		default:
			return c, fault.New(fault.BadParameter, "action")
		}
	}
	switch {
	case len(in.People) > mostAtOnce || len(in.Files) > mostAtOnce || len(in.Mentions) > mostAtOnce:
		return c, fault.New(fault.BadParameter, "people")
	case do == flow.OpAddSign && in.Placing != flow.Before && in.Placing != flow.After && in.Placing != flow.Parallel:
		return c, fault.New(fault.BadParameter, "placing")
	case in.Resubmit != "" && in.Resubmit != flow.Rerun && in.Resubmit != flow.ToRejector:
		return c, fault.New(fault.BadParameter, "resubmit")
	}
	if err := fewChoices(in.Choices); err != nil {
		return c, err
	}
	token, err := idempotencyKey(r, in.ClientToken)
	return workflow.Command{Item: in.Item, Do: do, Version: in.Version, Data: in.Data, Opinion: in.Opinion, People: in.People, Node: in.Node, Placing: in.Placing,
		Resubmit: in.Resubmit, Choices: in.Choices, Signature: in.Signature, Files: in.Files, Mentions: in.Mentions, Token: token}, err
}

// mostPeople bounds the people of one answer.
const mostPeople = 50

// mostSearched bounds the people among whom those of an instance are looked for.
const mostSearched = 5000

// workItemPeople are those to whom a task may be passed on. Names of people are everybody's to see.
func (s *Server) workItemPeople(r *request) (any, error) {
	_, size, err := paging(r)
	if err != nil {
		return nil, err
	}
	size = min(size, mostPeople)
	switch r.QueryParam("kind") {
	case "", directory.User:
	case directory.Department:
		return s.departments(r, size)
	default:
		return nil, fault.New(fault.BadParameter, "kind")
	}
	most, only := size+1, map[string]bool(nil)
	if item := r.QueryParam("workItemId"); item != "" {
		ids, anybody, err := s.app.Workflows().Mentionable(r.ctx, r.view, item)
		if err != nil {
			return nil, err
		}
		if !anybody {
			most, only = mostSearched, ids
		}
	}
	found, total := s.app.People().Search(r.ctx, directory.Wanted{Kind: directory.User, Text: r.QueryParam("keyword"), Keys: query.PeopleKeys(r.view), Limit: most})
	out := pageOf[query.Entry]{Content: []query.Entry{}, Total: int64(total)}
	for _, p := range found {
		if p.ID == r.principal.UserID || only != nil && !only[p.ID] {
			out.Total--
		} else if len(out.Content) < size {
			out.Content = append(out.Content, query.PersonEntry(p))
		}
	}
	return out, nil
}

// agreeToAll tells of each task what became of it.
func (s *Server) agreeToAll(r *request) (any, error) {
	var in struct {
		IDs     []string `json:"ids"`
		Opinion string   `json:"opinion"`
		Token   string   `json:"clientToken"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 || len(in.IDs) > 100 {
		return nil, fault.New(fault.BadParameter, "ids")
	}
	token, err := idempotencyKey(r, in.Token)
	if err != nil {
		return nil, err
	}
	type result struct {
		Item    string     `json:"workItemId"`
		Code    fault.Code `json:"errcode"`
		Message string     `json:"errmsg"`
	}
	out := []result{}
	for i, err := range s.app.Workflows().AgreeAll(r.ctx, r.view, in.IDs, in.Opinion, token) {
		one := result{Item: in.IDs[i]}
		if err != nil {
			var refused *fault.Error
			if !errors.As(err, &refused) {
				return nil, err
			}
			one.Code, one.Message = refused.Code, s.texts.sentence(refused.Code, r.locale, refused.Args)
		}
		out = append(out, one)
	}
	return out, nil
}
