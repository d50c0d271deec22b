package httpapi

import (
	"errors"
	"slices"
	"strconv"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// instanceOrder is what somebody asks of an instance.
type instanceOrder struct {
	Instance string         `json:"workflowInstanceId"`
	Action   flow.Operation `json:"action"` // of a preview
	Opinion  string         `json:"opinion"`
	Node     string         `json:"activityCode"`
	From     string         `json:"fromActivityCode"`
	People   []string       `json:"people"`
	Remove   []string       `json:"remove"`
	Token    string         `json:"clientToken"`
}

// order reads what somebody asks of an instance. Without an operation the body names it: that of a preview.
func order(r *request, do flow.Operation) (workflow.Order, error) {
	var in instanceOrder
	if err := decode(r.Context, &in); err != nil {
		return workflow.Order{}, err
	}
	if len(in.People) > mostAtOnce || len(in.Remove) > mostAtOnce {
		return workflow.Order{}, fault.New(fault.BadParameter, "people")
	}
	if do == "" {
		switch do = in.Action; do {
		case flow.OpJump, flow.OpAdjust, flow.OpActivate, flow.OpCancel, flow.OpRetry, flow.OpVoid:
		default:
			return workflow.Order{}, fault.New(fault.BadParameter, "action")
		}
	} else if in.Action != "" {
		return workflow.Order{}, fault.New(fault.BadParameter, "action")
	}
	token, err := idempotencyKey(r, in.Token)
	return workflow.Order{Instance: in.Instance, Do: do, Opinion: in.Opinion, Node: in.Node, From: in.From, People: in.People, Remove: in.Remove, Token: token}, err
}

// workflowAdminRoutes are what those who administer workflows do with them, beside what is done with an instance.
func (s *Server) workflowAdminRoutes() {
	const flows, items = "/api/runtime/workflow/", "/api/runtime/workitem/"
	s.register(route{method: "POST", path: flows + "preview", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		o, err := order(r, "")
		if err != nil {
			return nil, err
		}
		return s.app.Workflows().Preview(r.ctx, r.view, o)
	}})
	s.register(route{method: "POST", path: flows + "delete", access: signedIn, body: small, deadline: patient, handle: func(r *request) (any, error) {
		var in struct {
			Instance string `json:"workflowInstanceId"`
			Token    string `json:"clientToken"`
		}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		token, err := idempotencyKey(r, in.Token)
		if err != nil {
			return nil, err
		}
		return nil, s.app.Workflows().Remove(r.ctx, r.view, in.Instance, token)
	}})
	s.register(route{method: "GET", path: flows + "log_compare", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		number, err := strconv.ParseInt(r.QueryParam("logId"), 10, 64)
		if err != nil {
			return nil, fault.New(fault.BadParameter, "logId")
		}
		return s.app.Workflows().Compare(r.ctx, r.view, r.QueryParam("workflowInstanceId"), r.QueryParam("workItemId"), number)
	}})
	s.register(route{method: "POST", path: items + "query", access: signedIn, body: small, deadline: quick, handle: func(r *request) (any, error) {
		in := workflow.TaskSearch{Search: workflow.Search{Size: 20}}
		if err := decode(r.Context, &in); err != nil {
			return nil, err
		}
		return s.app.Workflows().Tasks(r.ctx, r.view, in)
	}})
	s.register(route{method: "GET", path: items + "participants", access: signedIn, body: small, deadline: quick, handle: s.participants})
	s.register(route{method: "POST", path: items + "hand_over", access: signedIn, body: small, deadline: patient, handle: s.handOver})
}

// participants are people by name, also those who cannot sign in any more, for those who oversee workflows.
func (s *Server) participants(r *request) (any, error) {
	if !r.view.Has(workflow.AdminPermission) {
		if err := looksAfter(r); err != nil {
			return nil, err
		}
	}
	type person struct {
		personOut
		Disabled bool `json:"disabled"`
	}
	out := []person{}
	d := s.app.People()
	if id := r.QueryParam("userId"); id != "" {
		if who, known := d.Person(r.ctx, id); known {
			out = append(out, person{personOut{who.ID, who.Name, who.Username, ""}, who.Disabled})
		}
		return out, nil
	}
	text := finder.Typed(r.QueryParam("search"))
	found, _ := d.Search(r.ctx, directory.Wanted{Kind: directory.User, Text: r.QueryParam("search"), Keys: query.PeopleKeys(r.view), Limit: peopleFound})
	for _, f := range found {
		out = append(out, person{personOut{f.ID, f.Name, f.Detail, string(f.Named)}, false})
	}
	gone := slices.DeleteFunc(d.People(r.ctx), func(p principal.Person) bool { return !p.Disabled })
	fits := finder.Rank(text, gone, func(p principal.Person) finder.Subject {
		return finder.Subject{Names: []string{p.Name}, Codes: []string{p.Username}, Person: true}
	})
	for _, one := range fits[:min(len(fits), 2*peopleFound-len(out))] {
		out = append(out, person{personOut{one.Of.ID, one.Of.Name, one.Of.Username, string(text.Named(one.Fit))}, true})
	}
	return out, nil
}

// handOver tells of each instance what became of it.
func (s *Server) handOver(r *request) (any, error) {
	var in struct {
		From    string   `json:"from"`
		To      string   `json:"to"`
		Items   []string `json:"workItemIds"`
		Opinion string   `json:"opinion"`
		Token   string   `json:"clientToken"`
	}
	if err := decode(r.Context, &in); err != nil {
		return nil, err
	}
	token, err := idempotencyKey(r, in.Token)
	if err != nil {
		return nil, err
	}
	if len(in.Items) > mostAtOnce || len([]rune(in.Opinion)) > mostAtOnce {
		return nil, fault.New(fault.BadParameter, "workItemIds")
	}
	type result struct {
		Instance string     `json:"workflowInstanceId"`
		Name     string     `json:"instanceName"`
		Count    int        `json:"count"`
		Code     fault.Code `json:"errcode"`
		Message  string     `json:"errmsg"`
	}
	out := struct {
		Results []result `json:"results"`
		Left    int      `json:"left"`
	}{Results: []result{}}
	done, left, err := s.app.Workflows().HandOver(r.ctx, r.view, workflow.HandOver{From: in.From, To: in.To, Items: in.Items, Opinion: in.Opinion, Token: token})
	if err != nil {
		return nil, err
	}
	out.Left = left
	for _, one := range done {
		row := result{Instance: one.Instance, Name: one.Name, Count: one.Count}
		if one.Err != nil {
			var refused *fault.Error
			if !errors.As(one.Err, &refused) {
				return nil, one.Err
			}
			row.Code, row.Message = refused.Code, s.texts.sentence(refused.Code, r.locale, refused.Args)
		}
		out.Results = append(out.Results, row)
	}
	return out, nil
}
