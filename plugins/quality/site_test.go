package quality_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/blob"
)

const (
	v2    = "/api/quality/v2"
	check = "/api/quality/check"
)

// must calls a route and reads the answer.
func (s *site) must(who principal.Principal, method, path string, in any, out any) string {
	s.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	text, err := s.call(who, method, path, string(body))
	require.NoError(s.t, err, told(err))
	if out != nil {
		require.NoError(s.t, json.Unmarshal([]byte(text), out), text)
	}
	return text
}

type in = map[string]any

// fails calls a route that refuses.
func (s *site) fails(who principal.Principal, method, path string, in any) error {
	s.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	_, err = s.call(who, method, path, string(body))
	require.Error(s.t, err)
	return err
}

// upload sends a file to a route.
func (s *site) upload(who principal.Principal, path, name, content string, in any) (string, error) {
	s.t.Helper()
	f, err := s.Files().Put(s.t.Context(), blob.Upload{By: who.UserID, Name: name, Most: 1 << 20, Bytes: strings.NewReader(content)})
	require.NoError(s.t, err)
	route, _, _ := s.State().Catalog.RouteOf("POST", path)
	require.NotNil(s.t, route, path)
	view := s.View(who)
	if !view.Call(route) {
		return "", fault.New(fault.Forbidden)
	}
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	out, err := s.Call(s.t.Context(), view, route, app.Input{Body: body, File: &f})
	s.described(route, out, err)
	return string(out), err
}

// download reads the file of a route.
func (s *site) download(who principal.Principal, path string, in any) (string, []byte) {
	s.t.Helper()
	route, _, _ := s.State().Catalog.RouteOf("GET", path)
	require.NotNil(s.t, route, path)
	body, err := json.Marshal(in)
	require.NoError(s.t, err)
	var to bytes.Buffer
	name, err := s.Download(s.t.Context(), s.View(who), route, app.Input{Body: body}, &to)
	require.NoError(s.t, err, told(err))
	return name, to.Bytes()
}

// newProject adds a project.
func (s *site) newProject(key string) (id string) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		id = s.make(ctx, w, "pm_project", in{"projectKey": key, "projectName": key, "evalRule": "JTS257_2008"})
	})
	return id
}

// small is a breakdown with two items below a division.
type small struct{ unit, division, item, other string }

func (s *site) small() (out small) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		out.unit = s.node(ctx, w, "", "UNIT", "单位")
		out.division = s.node(ctx, w, out.unit, "DIVISION", "分部")
		out.item, out.other = s.node(ctx, w, out.division, "ITEM", "底板"), s.node(ctx, w, out.division, "ITEM", "闸墙")
	})
	return out
}

// components of the site's project, by code.
func (s *site) components(codes ...string) map[string]string {
	out := map[string]string{}
	s.do(s.Person("bim-"+s.key, "R_BIM"), func(ctx context.Context, w world.World) {
		for _, code := range codes {
			values := map[string]any{"projectId": s.project, "code": code, "guid": s.project + code, "componentName": "构件 " + code}
			if up, ok := out[code[:max(0, strings.LastIndexByte(code, '-'))]]; ok {
				values["parentId"] = up
			}
			out[code] = s.make(ctx, w, "b_mbs", values)
		}
	})
	return out
}

func (s *site) bindings(node, model string) (id string) {
	s.do(s.owner, func(ctx context.Context, w world.World) {
		found, err := w.Find(ctx, "q_biz", map[string]any{"qbsId": node, "schemaCode": model}, 2)
		require.NoError(s.t, err)
		require.Len(s.t, found, 1)
		id = found[0]
	})
	return id
}

// firm is a person with a role in a department of its own.
func (s *site) firm(name, role string) (who principal.Principal, department string) {
	s.t.Helper()
	admin := s.Person("chief-"+name, "administrator")
	s.do(admin, func(ctx context.Context, w world.World) {
		department = s.make(ctx, w, "department", map[string]any{"name": "单位 " + name})
		person := s.make(ctx, w, "user", map[string]any{"username": name, "name": name, "mainDepartment": department, "departments": []string{department}})
		roles, err := w.Find(ctx, "role", map[string]any{"code": role}, 1)
		require.NoError(s.t, err)
		require.NoError(s.t, edit(ctx, w, "user", person, map[string]any{"roles": roles}))
	})
	who, ok := s.Caller(s.t.Context(), name)
	require.True(s.t, ok)
	return who, department
}

// contract of a contractor and a supervisor.
func (s *site) contract(code, contractor, supervisor string) (id string) {
	s.do(s.Person("contracts-"+code, "administrator"), func(ctx context.Context, w world.World) {
		id = s.make(ctx, w, "c_contract", map[string]any{"projectId": s.project, "code": code, "contractName": "合同 " + code, "partyADept": supervisor, "partyBDept": contractor, "supDept": supervisor, "contractAmount": "1"})
	})
	return id
}

// system is the program itself.
func (s *site) system() principal.Principal { return principal.Principal{System: "test", Locale: "zh"} }
