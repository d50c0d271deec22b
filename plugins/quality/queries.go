package quality

import (
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
)

// nodeColumns are what trees and the roll-up read of a node.
var nodeColumns = []string{"parentId", "projectId", "contractId", "code", "name", "nodeType", "professional", "mainFlag", "unit", "designQty", "drawingNo", "stationFrom", "stationTo",
	"planStart", "planFinish", "actStart", "actFinish", "workStatus", "evalStatus", "passRate", "score", "docComplete", "appearance", "concession", "ruleCode", "ruleRevision",
	"conclusion", "ncrState", "testOk", "records", "round", "ownStarted", "ownExcellent", "ownProcesses", "ownProcessesDone", "jbsTemplateId", "sortKey", "finalMeasures", "measures",
	"points", "okPoints", "mainItems", "mainOk", "generalItems", "generalOk", "sheetTotal", "sheetDone", "ncrOpen",
	"ownPoints", "ownOkPoints", "ownMainItems", "ownMainOk", "ownGeneralItems", "ownGeneralOk", "ownSheetTotal", "ownSheetDone", "ownNcrOpen", "version"}

// shownColumns are what the trees of people show of a node.
var shownColumns = []string{"parentId", "code", "name", "nodeType", "evalStatus", "workStatus", "passRate", "points", "okPoints", "docComplete", "ncrOpen", "ruleCode", "ruleRevision", "sheetTotal", "sheetDone",
	"mainItems", "mainOk", "generalItems", "generalOk"}

var (
	recordColumns  = []string{"qbsId", "state", "round", "conclusion", "points", "okPoints", "mainItems", "mainOk", "generalItems", "generalOk", "excellent", "recordKind"}
	bindingColumns = []string{"qbsId", "jbsId", "ownerType", "schemaCode", "sheetCode", "workflowCode", "sheetTitle", "bizKind", "required", "multi", "fillRole", "auditRole", "instances", "objectId", "status",
		"statusTime", "active", "baseId", "sortKey", "mbsId", "baseVersion", "startTime", "version"}
	processColumns = []string{"prevIds", "qbsId", "parentId", "code", "title", "qbsType", "sortKey", "required", "status", "active", "sheetTotal", "sheetDone", "baseId", "baseVersion", "syncFlag", "version"}
	listColumns    = []string{"sequenceNo", "qbsId", "qbsId.name", "qbsId.code", "groupId", "groupId.groupName", "recordKind", "round", "inspector", "inspector.name", "checkDate", "part", "state", "conclusion",
		"points", "okPoints", "rate", "ruleCode", "ruleRevision", "workflowInstanceId"}
	componentColumns = []string{"parentId", "code", "guid", "componentName", "ifcClass", "modelId", "bbox"}
	boundColumns     = []string{"mbsId", "mbsId.code", "mbsId.guid", "mbsId.componentName", "mbsId.ifcClass", "mbsId.volume", "qbsId", "qbsId.name", "qbsId.code", "ratio", "measures", "boundBy", "boundBy.name", "boundTime",
		"batch", "version"}
	ncrColumns = []string{"qbsId", "recordId", "status", "level", "deadline"}
)

func by(code, model, where string, args map[string]plan.Kind, columns, order []string) world.Query {
	return world.Query{Code: "quality." + code, Model: model, Where: where, Args: args, Columns: columns, OrderBy: order}
}

// one is the argument of queries about one thing.
var one = map[string]plan.Kind{"id": plan.ID}

// several is the argument of queries about some things.
var several = map[string]plan.Kind{"ids": plan.Set}

// queries are all that the pack reads with. Those whose code ends in "All" read a whole project at once.
var queries = []world.Query{
	{Code: "quality.tree", Model: node, Where: "projectId == args.project", Args: map[string]plan.Kind{"project": plan.ID}, Columns: nodeColumns, OrderBy: []string{"sortKey", "code"}, Tree: true},
	{Code: "quality.subtree", Model: node, Args: map[string]plan.Kind{"root": plan.ID}, Columns: nodeColumns, OrderBy: []string{"sortKey", "code"}, Tree: true, Below: "root"},
	{Code: "quality.shown", Model: node, Where: "projectId == args.project", Args: map[string]plan.Kind{"project": plan.ID}, Columns: shownColumns, OrderBy: []string{"sortKey", "code"}, Tree: true},
	{Code: "quality.shownBelow", Model: node, Args: map[string]plan.Kind{"root": plan.ID}, Columns: shownColumns, OrderBy: []string{"sortKey", "code"}, Tree: true, Below: "root"},
	{Code: "quality.named", Model: node, Where: "projectId == args.project", Args: map[string]plan.Kind{"project": plan.ID}, Columns: shownColumns[:4], OrderBy: []string{"sortKey", "code"}, Tree: true},
	{Code: "quality.namedBelow", Model: node, Args: map[string]plan.Kind{"root": plan.ID}, Columns: shownColumns[:4], OrderBy: []string{"sortKey", "code"}, Tree: true, Below: "root"},
	by("shownOne", node, "id == args.id", one, shownColumns, nil),
	by("namedOne", node, "id == args.id", one, shownColumns[:4], nil),
	by("shownIn", node, "has(args.ids, parentId)", several, shownColumns, []string{"sortKey", "code"}),
	by("namedIn", node, "has(args.ids, parentId)", several, shownColumns[:4], []string{"sortKey", "code"}),
	by("node", node, "id == args.id", one, nodeColumns, nil),
	by("above", node, "id == args.id", one, []string{"projectId", "projectId.evalRule", "contractId", "code", "name", "nodeType", "evalStatus", "workStatus", "docComplete", "ownProcesses"}, nil),
	by("children", node, "parentId == args.id", one, nodeColumns, []string{"sortKey", "code"}),
	{Code: "quality.lastBelow", Model: node, Where: "parentId == args.id", Args: one, Figures: []world.Figure{{As: "last", Fn: plan.SumMaximum, Column: "sortKey"}}},
	{Code: "quality.lastRoot", Model: node, Where: "projectId == args.id and empty(parentId)", Args: one, Figures: []world.Figure{{As: "last", Fn: plan.SumMaximum, Column: "sortKey"}}},
	{Code: "quality.childCount", Model: node, Where: "parentId == args.id", Args: one, Figures: []world.Figure{{As: "n", Fn: plan.SumCount}}},
	{Code: "quality.childCounts", Model: node, Where: "parentId.parentId == args.id", Args: one, GroupBy: []string{"parentId"}, Figures: []world.Figure{{As: "n", Fn: plan.SumCount}}},
	{Code: "quality.rootCounts", Model: node, Where: "projectId == args.id and not empty(parentId) and empty(parentId.parentId)", Args: one, GroupBy: []string{"parentId"}, Figures: []world.Figure{{As: "n", Fn: plan.SumCount}}},
	by("ruleNow", ruleSet, "code == args.code and current", map[string]plan.Kind{"code": plan.Text}, []string{"version"}, nil),
	by("ruleThen", ruleSet, "code == args.code and revision == args.revision", map[string]plan.Kind{"code": plan.Text, "revision": plan.Number}, []string{"version"}, nil),
	by("roots", node, "projectId == args.id and empty(parentId)", one, nodeColumns, []string{"sortKey", "code"}),
	by("records", record, "qbsId == args.id", one, recordColumns, nil),
	by("recordsAll", record, "qbsId.projectId == args.id", one, recordColumns, nil),
	by("bindings", binding, "qbsId == args.id and active", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("bindingsAll", binding, "qbsId.projectId == args.id and active", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("bindingOf", binding, "objectId == args.object", map[string]plan.Kind{"object": plan.Text}, bindingColumns, nil),
	by("processes", process, "qbsId == args.id and active", one, processColumns, []string{"sortKey", "code"}),
	by("processesAll", process, "qbsId.projectId == args.id and active", one, processColumns, []string{"sortKey", "code"}),
	by("bindingsOfNodes", binding, "has(args.ids, qbsId) and active", several, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("processesOfNodes", process, "has(args.ids, qbsId) and active", several, processColumns, []string{"sortKey", "code"}),
	by("ncrs", ncr, "qbsId == args.id", one, ncrColumns, nil),
	by("ncrsAll", ncr, "qbsId.projectId == args.id", one, ncrColumns, nil),
	{Code: "quality.componentCounts", Model: relation, GroupBy: []string{"qbsId"}, Figures: []world.Figure{{As: "n", Fn: plan.SumCount}}},
	by("bindingsOfComponent", binding, "mbsId == args.id and active", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("boundTo", relation, "mbsId == args.id", one, []string{"qbsId", "qbsId.name", "qbsId.code", "ratio", "version"}, nil),
	{Code: "quality.library", Model: library, Columns: []string{"parentId", "prevIds", "kind", "code", "title", "qbsType", "professional", "sortKey", "required", "revision"}, OrderBy: []string{"sortKey", "code"}, Tree: true},
	by("librarySheets", bindBase, "", nil, []string{"jbsBaseId", "schemaCode", "sheetCode", "workflowCode", "sheetTitle", "bizKind", "required", "multi", "fillRole", "auditRole", "sortKey"}, []string{"sortKey", "sheetTitle"}),
	by("bindingsOfProcess", binding, "jbsId == args.id", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("processesEver", process, "qbsId == args.id", one, processColumns, []string{"sortKey", "code"}),
	by("bindingsEver", binding, "qbsId == args.id", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("nodesOfTemplate", node, "jbsTemplateId == args.id", one, nodeColumns, []string{"code"}),
	by("checkItems", checkItem, "", nil, []string{"code", "itemName", "itemClass", "evalMethod", "jbsBaseId", "qbsType"}, []string{"code"}),
	by("contracts", contract, "projectId == args.id", one, []string{"code"}, nil),
	by("roles", "role", "", nil, []string{"code"}, nil),
	by("rolesOf", "user", "id == args.id", one, []string{"roles"}, nil),
	by("people", "user", "", nil, []string{"name", "disabled"}, []string{"name"}),
	by("recordList", record, "qbsId == args.id", one, listColumns, []string{"-checkDate", "-round"}),
	by("recordListAll", record, "qbsId.projectId == args.id", one, listColumns, []string{"-checkDate", "-round"}),
	by("recordItems", record+".items", "qbsId.projectId == args.id", one, []string{"itemId", "itemName", "itemClass", "points", "okPoints"}, nil),
	by("handled", binding, "qbsId.projectId == args.id", one, []string{"instances", "status", "statusTime", "startTime", "schemaCode", "sheetTitle", "contractId.partyBDept", "contractId.partyBDept.name", "qbsId.planFinish"}, nil),
	{Code: "quality.components", Model: component, Where: "projectId == args.id", Args: one, Columns: componentColumns, OrderBy: []string{"code"}, Tree: true},
	{Code: "quality.componentsOfModel", Model: component, Where: "modelId == args.id", Args: one, Columns: componentColumns, OrderBy: []string{"code"}, Tree: true},
	{Code: "quality.componentsBelow", Model: component, Args: map[string]plan.Kind{"root": plan.ID}, Columns: componentColumns, OrderBy: []string{"code"}, Tree: true, Below: "root"},
	by("boundComponents", relation, "", nil, []string{"mbsId"}, nil),
	by("boundStates", relation, "", nil, []string{"mbsId", "qbsId", "qbsId.evalStatus", "qbsId.workStatus"}, nil),
	by("boundIn", relation, "qbsId == args.id", one, boundColumns, []string{"mbsId.code"}),
	by("boundInProject", relation, "qbsId.projectId == args.id", one, boundColumns, []string{"mbsId.code"}),
	by("boundInBatch", relation, "batch == args.batch", map[string]plan.Kind{"batch": plan.Text}, boundColumns, nil),
	by("batches", relation, "boundBy == args.id and not empty(batch)", one, []string{"batch", "boundTime"}, []string{"-boundTime"}),
	by("groups", group, "", nil, []string{"groupName", "leader", "members", "qbsIds", "itemCodes", "startDate", "endDate", "allowOverlap", "groupKind", "creator", "version", "recordSchemaCodes", "projectId"}, []string{"groupName"}),
	by("log", logEntry, "qbsId == args.id", one, []string{"action", "before", "after", "remark", "creator", "creator.name", "createdTime", "objectType", "objectId"}, []string{"-createdTime"}),
}
