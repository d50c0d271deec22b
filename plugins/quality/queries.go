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

var (
	recordColumns  = []string{"qbsId", "state", "round", "conclusion", "points", "okPoints", "mainItems", "mainOk", "generalItems", "generalOk", "excellent", "recordKind"}
	bindingColumns = []string{"qbsId", "jbsId", "ownerType", "schemaCode", "sheetCode", "workflowCode", "sheetTitle", "bizKind", "required", "multi", "fillRole", "auditRole", "instances", "objectId", "status",
		"statusTime", "active", "baseId", "sortKey", "mbsId", "version"}
	processColumns = []string{"qbsId", "parentId", "prevIds", "code", "title", "qbsType", "sortKey", "required", "status", "active", "sheetTotal", "sheetDone", "baseId", "baseVersion", "syncFlag", "version"}
	ncrColumns     = []string{"qbsId", "recordId", "status", "level", "deadline"}
)

func by(code, model, where string, args map[string]plan.Kind, columns, order []string) world.Query {
	return world.Query{Code: "quality." + code, Model: model, Where: where, Args: args, Columns: columns, OrderBy: order}
}

// one is the argument of queries about one thing, set that of queries about several.
var (
	one = map[string]plan.Kind{"id": plan.ID}
	set = map[string]plan.Kind{"ids": plan.Set}
)

// queries are all that the pack reads with. Those whose code ends in "All" read a whole project at once.
var queries = []world.Query{
	{Code: "quality.tree", Model: node, Where: "projectId == args.project", Args: map[string]plan.Kind{"project": plan.ID}, Columns: nodeColumns, OrderBy: []string{"sortKey", "code"}, Tree: true},
	{Code: "quality.subtree", Model: node, Args: map[string]plan.Kind{"root": plan.ID}, Columns: nodeColumns, OrderBy: []string{"sortKey", "code"}, Tree: true, Below: "root"},
	by("node", node, "id == args.id", one, nodeColumns, nil),
	by("children", node, "parentId == args.id", one, nodeColumns, []string{"sortKey", "code"}),
	by("roots", node, "projectId == args.id and empty(parentId)", one, nodeColumns, []string{"sortKey", "code"}),
	by("lastCode", node, "parentId == args.id", one, []string{"code"}, []string{"-code"}),
	by("records", record, "qbsId == args.id", one, recordColumns, nil),
	by("recordsAll", record, "qbsId.projectId == args.id", one, recordColumns, nil),
	by("bindings", binding, "qbsId == args.id and active", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("bindingsAll", binding, "qbsId.projectId == args.id and active", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("bindingOf", binding, "objectId == args.object", map[string]plan.Kind{"object": plan.Text}, bindingColumns, nil),
	by("processes", process, "qbsId == args.id and active", one, processColumns, []string{"sortKey", "code"}),
	by("processesAll", process, "qbsId.projectId == args.id and active", one, processColumns, []string{"sortKey", "code"}),
	by("ncrs", ncr, "qbsId == args.id", one, ncrColumns, nil),
	by("ncrsAll", ncr, "qbsId.projectId == args.id", one, ncrColumns, nil),
	by("components", relation, "qbsId == args.id", one, []string{"qbsId", "mbsId", "ratio", "measures", "batch", "version"}, nil),
	by("componentsAll", relation, "qbsId.projectId == args.id", one, []string{"qbsId", "mbsId", "ratio", "measures", "batch"}, nil),
	by("boundTo", relation, "mbsId == args.id", one, []string{"qbsId", "qbsId.name", "qbsId.code", "ratio", "version"}, nil),
	by("componentTree", component, "projectId == args.id", one, []string{"modelId", "parentId", "code", "guid", "componentName", "ifcClass", "volume"}, []string{"code"}),
	by("componentsOfModel", component, "modelId == args.id", one, []string{"parentId", "code", "guid", "componentName", "ifcClass", "volume"}, []string{"code"}),
	by("leafComponents", component, "parentId.code == args.code", map[string]plan.Kind{"code": plan.Text}, []string{"code", "guid", "componentName", "volume"}, []string{"code"}),
	by("componentChildren", component, "parentId == args.id", one, []string{"code", "guid", "componentName"}, []string{"code"}),
	by("library", library, "", nil, []string{"parentId", "prevIds", "kind", "code", "title", "qbsType", "professional", "sortKey", "required", "revision"}, []string{"sortKey", "code"}),
	by("librarySheets", bindBase, "", nil, []string{"jbsBaseId", "schemaCode", "sheetCode", "workflowCode", "sheetTitle", "bizKind", "required", "multi", "fillRole", "auditRole", "sortKey"}, []string{"sortKey", "sheetTitle"}),
	by("checkItems", checkItem, "", nil, []string{"code", "itemName", "jbsBaseId", "qbsType", "itemClass", "evalMethod", "unit", "designFrom", "devLow", "devHigh", "limitLow", "limitHigh", "minPoints", "frequency"}, []string{"code"}),
	by("instancesOf", process, "baseId == args.id", one, processColumns, []string{"sortKey", "code"}),
	by("bindingsOfProcess", binding, "jbsId == args.id", one, bindingColumns, []string{"sortKey", "sheetTitle"}),
	by("recordsOfBinding", record, "bizId == args.id", one, []string{"state", "creator", "createdTime", "workflowInstanceId", "name"}, []string{"-createdTime"}),
	by("rules", ruleSet, "code == args.code", map[string]plan.Kind{"code": plan.Text}, []string{"revision", "current"}, []string{"-revision"}),
	by("groups", group, "", nil, []string{"groupName", "leader", "members", "qbsIds", "itemCodes", "startDate", "endDate", "allowOverlap", "groupKind", "creator", "version", "recordSchemaCodes"}, []string{"groupName"}),
	by("recordsOfGroup", record, "groupId == args.id", one, []string{"qbsId"}, nil),
	by("items", record+".items", "", nil, []string{"itemId", "itemName", "itemClass", "points", "okPoints", "conclusion"}, nil),
	by("log", logEntry, "qbsId == args.id", one, []string{"action", "before", "after", "remark", "creator", "creator.name", "createdTime", "objectType", "objectId"}, []string{"-createdTime"}),
}
