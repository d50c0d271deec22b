package quality_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
)

// arguments: what names nothing that the caller sees, and a word that means nothing, are refused by the name of the argument. An answer without rows
// would read as if there were none.
func arguments(t *testing.T, s *site) {
	n := s.small()
	firm, _ := s.firm("arguments", "R_CQC")
	for _, x := range []struct {
		method, path, argument string
		more                   in
	}{
		{"GET", v2 + "/qbs/log", "qbsId", nil}, {"PUT", v2 + "/qbs/log", "qbsId", in{"action": "x"}}, {"GET", v2 + "/qbs/treeList", "parentId", nil}, {"GET", v2 + "/qbs/complete/tree", "rootId", nil},
		{"GET", v2 + "/mbs/tree", "parentId", nil}, {"GET", v2 + "/mbs/tree", "modelId", nil}, {"GET", v2 + "/mbs/list", "qbsId", nil}, {"GET", v2 + "/jbs/node", "qbsId", nil}, {"GET", v2 + "/jbs/node", "qbsIds", nil},
		{"GET", v2 + "/jbs/biz", "jbsId", nil}, {"GET", v2 + "/jbs/schemaCode", "jbsId", nil}, {"GET", v2 + "/qbs/jbs", "qbsId", nil}, {"POST", v2 + "/qbs/jbs", "qbsIds", in{"jbsBaseId": ""}},
		{"PUT", v2 + "/qbs/jbs", "qbsId", in{"nodes": []in{}}}, {"POST", v2 + "/syncJbs", "jbsBaseId", nil}, {"GET", v2 + "/analyse/node", "qbsId", nil}, {"POST", v2 + "/import/mbs", "qbsRootId", in{"rule": "byCode"}},
		{"POST", v2 + "/mbs/unbind", "mbsIds", in{"qbsId": n.item}}, {"PUT", v2 + "/mbs/edit", "mbsIds", in{"mode": "bind", "qbsId": n.item}}, {"POST", v2 + "/bizsheet/unbind", "ids", nil}, {"DELETE", v2 + "/jbs/delete", "ids", nil},
		{"POST", check + "/group/delete", "ids", nil}, {"POST", check + "/project/record/list", "qbsId", nil}, {"POST", check + "/project/record/list", "groupId", nil}, {"GET", check + "/item/group/statistic", "qbsId", nil},
		{"GET", check + "/group/edit/auth", "groupId", nil}, {"GET", check + "/evaluation/tree", "rootId", nil}, {"PUT", check + "/refresh/record/status", "qbsId", nil}, {"POST", v2 + "/qbs/add", "parentId", in{"name": "x", "nodeType": "LOT"}},
		{"POST", v2 + "/import/mbs", "undo", nil}, {"POST", v2 + "/qbs/add", "undo", nil},
		{"GET", v2 + "/qbs/treeList", "nodeType", nil}, {"GET", v2 + "/qbs/simplifiedTree", "maxNodeType", nil}, {"POST", check + "/project/record/list", "recordKind", nil}, {"POST", check + "/project/record/list", "status", nil},
		{"GET", v2 + "/system/baseTree", "professional", nil}, {"GET", v2 + "/system/tree", "professional", nil}, {"GET", v2 + "/jbs/schemaCode", "qbsType", nil}, {"POST", v2 + "/qbs/due/upgrade", "code", nil},
		{"POST", v2 + "/qbs/due/bind", "kind", in{"qbsId": n.item, "schemaCode": "q_record"}}, {"GET", v2 + "/analyse/biz/handle", "groupBy", nil},
	} {
		ask := in{"projectKey": s.key, x.argument: "nobody"}
		if x.argument[len(x.argument)-1] == 's' && x.argument != "status" {
			ask[x.argument] = []string{n.item, "nobody"}
		}
		for name, v := range x.more {
			ask[name] = v
		}
		err := s.fails(s.owner, x.method, x.path, ask)
		refused(t, err, fault.BadParameter)
		require.Contains(t, told(err), x.argument, x.path)
	}
	refused(t, s.fails(firm, "GET", check+"/evaluation/tree", in{"rootId": s.hidden()}), fault.BadParameter)
	for _, empty := range []any{"", nil} {
		s.must(s.owner, "POST", check+"/project/record/list", in{"projectKey": s.key, "qbsId": empty, "groupId": empty, "recordKind": empty, "status": empty}, nil)
	}
	s.must(s.owner, "GET", v2+"/qbs/treeList", in{"projectKey": s.key, "parentId": "", "nodeType": ""}, nil)
	for _, known := range []string{"GATE", ""} {
		s.must(s.owner, "GET", v2+"/system/tree", in{"professional": known}, nil)
	}
	s.must(s.owner, "POST", check+"/project/record/list", in{"projectKey": s.key, "status": "NOT_OK", "recordKind": "SELF"}, nil)
}

// hidden is a node of a contract of others.
func (s *site) hidden() (id string) {
	_, department := s.firm("hidden-of", "R_CQC")
	contract := s.contract("HIDDEN", department, department)
	s.do(s.owner, func(ctx context.Context, w world.World) {
		id = s.make(ctx, w, "q_qbs", in{"projectId": s.project, "nodeType": "UNIT", "code": "H", "name": "别人的", "contractId": contract})
	})
	return id
}
