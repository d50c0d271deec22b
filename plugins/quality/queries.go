package quality

import (
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// nodeColumns are what trees and the roll-up read of a node.
var nodeColumns = []string{codes.ParentID, codes.ProjectID, codes.ContractID, codes.Code, codes.Name, codes.NodeType, codes.Professional, codes.MainFlag, codes.Unit, codes.DesignQty, codes.DrawingNo, codes.StationFrom, codes.StationTo,
	codes.PlanStart, codes.PlanFinish, codes.ActStart, codes.ActFinish, codes.WorkStatus, codes.EvalStatus, codes.PassRate, codes.Score, codes.DocComplete, codes.Appearance, codes.Concession, codes.RuleCode, codes.RuleRevision,
	codes.Conclusion, codes.NcrState, codes.TestOk, codes.Records, codes.Round, codes.OwnStarted, codes.OwnExcellent, codes.OwnProcesses, codes.OwnProcessesDone, codes.JbsTemplateID, codes.SortKey, codes.FinalMeasures, codes.Measures,
	codes.Points, codes.OkPoints, codes.MainItems, codes.MainOk, codes.GeneralItems, codes.GeneralOk, codes.SheetTotal, codes.SheetDone, codes.NcrOpen,
	codes.OwnPoints, codes.OwnOkPoints, codes.OwnMainItems, codes.OwnMainOk, codes.OwnGeneralItems, codes.OwnGeneralOk, codes.OwnSheetTotal, codes.OwnSheetDone, codes.OwnNcrOpen, codes.DueSetID, codes.DueCode, codes.DueRevision, codes.DueChanges, codes.Missing, codes.KindsGiven, "version"}

// inOrder is the order of processes and of the library: what people gave, then the codes.
var inOrder = []string{codes.SortKey, codes.CodeOrder, codes.Code}

// shownColumns are what the trees of people show of a node.
var shownColumns = []string{codes.ParentID, codes.Code, codes.Name, codes.NodeType, codes.SortKey, codes.EvalStatus, codes.WorkStatus, codes.PassRate, codes.Points, codes.OkPoints, codes.DocComplete, codes.NcrOpen, codes.Missing, codes.RuleCode, codes.RuleRevision, codes.SheetTotal, codes.SheetDone,
	codes.MainItems, codes.MainOk, codes.GeneralItems, codes.GeneralOk}

var (
	recordColumns  = []string{codes.QbsID, codes.State, codes.Round, codes.Conclusion, codes.Points, codes.OkPoints, codes.MainItems, codes.MainOk, codes.GeneralItems, codes.GeneralOk, codes.Excellent, codes.RecordKind, codes.JudgedItems, codes.FailedItems, codes.VoidItems, codes.ClaimedItems, codes.Inspector, codes.Party, codes.SignedBy, codes.BizID, "creator"}
	bindingColumns = []string{codes.QbsID, codes.JbsID, codes.OwnerType, codes.SchemaCode, codes.SheetCode, codes.WorkflowCode, codes.SheetTitle, codes.BizKind, codes.Required, codes.Multi, codes.FillRole, codes.AuditRole, codes.Instances, codes.ObjectID, codes.Status,
		codes.StatusTime, codes.Active, codes.BaseID, codes.SortKey, codes.MbsID, codes.BaseVersion, codes.StartTime, codes.SignedBy, codes.Answer, codes.FirstDay, codes.LastDay, codes.ContractID, "creator", "version"}
	processColumns = []string{codes.PrevIDs, codes.QbsID, codes.ParentID, codes.Code, codes.Title, codes.QbsType, codes.SortKey, codes.Required, codes.Status, codes.Active, codes.SheetTotal, codes.SheetDone, codes.BaseID, codes.BaseVersion, codes.SyncFlag, codes.ByContractor, "version"}
	listColumns    = []string{"sequenceNo", codes.QbsID, codes.QbsIDName, codes.QbsIDCode, codes.GroupID, codes.GroupIDGroupName, codes.RecordKind, codes.Round, codes.Inspector, codes.InspectorName, codes.CheckDate, codes.Part, codes.State, codes.Conclusion,
		codes.Points, codes.OkPoints, codes.Rate, codes.RuleCode, codes.RuleRevision, "workflowInstanceId"}
	componentColumns = []string{codes.ParentID, codes.Code, codes.GUID, codes.ComponentName, codes.IfcClass, codes.ModelID, codes.Bbox}
	boundColumns     = []string{codes.MbsID, codes.MbsIDCode, codes.MbsIDGUID, codes.MbsIDComponentName, codes.MbsIDIfcClass, codes.MbsIDVolume, codes.QbsID, codes.QbsIDName, codes.QbsIDCode, codes.Ratio, codes.Measures, codes.BoundBy, codes.BoundByName, codes.BoundTime,
		codes.Batch, "version"}
	ncrColumns     = []string{codes.QbsID, codes.RecordID, codes.Status, codes.Level, codes.Deadline}
	consentColumns = []string{codes.QbsID, codes.DueCode, codes.Title, codes.ConsentDate, codes.Remark, "creator", "creator.name", "createdTime"}
	changeColumns  = []string{codes.QbsID, codes.What, codes.Effect, codes.ItemID, codes.RecordKind, codes.SchemaCode, codes.DueCode, codes.JbsID, codes.JbsIDTitle, codes.DevLow, codes.DevHigh, codes.LimitLow, codes.LimitHigh, codes.MinPoints, codes.DesignValue,
		codes.Share, codes.Reason, "sequenceNo", "creator.name", "createdTime"}
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
	{Code: "quality.tree", Model: node, Where: "projectId == args.project", Args: map[string]plan.Kind{"project": plan.ID}, Columns: nodeColumns, OrderBy: []string{codes.SortKey, codes.Code}, Tree: true},
	{Code: "quality.subtree", Model: node, Args: map[string]plan.Kind{"root": plan.ID}, Columns: nodeColumns, OrderBy: []string{codes.SortKey, codes.Code}, Tree: true, Below: "root"},
	{Code: "quality.shown", Model: node, Where: "projectId == args.project", Args: map[string]plan.Kind{"project": plan.ID}, Columns: shownColumns, OrderBy: []string{codes.SortKey, codes.Code}, Tree: true},
	{Code: "quality.shownBelow", Model: node, Args: map[string]plan.Kind{"root": plan.ID}, Columns: shownColumns, OrderBy: []string{codes.SortKey, codes.Code}, Tree: true, Below: "root"},
	{Code: "quality.named", Model: node, Where: "projectId == args.project", Args: map[string]plan.Kind{"project": plan.ID}, Columns: shownColumns[:5], OrderBy: []string{codes.SortKey, codes.Code}, Tree: true},
	{Code: "quality.namedBelow", Model: node, Args: map[string]plan.Kind{"root": plan.ID}, Columns: shownColumns[:5], OrderBy: []string{codes.SortKey, codes.Code}, Tree: true, Below: "root"},
	by("shownOne", node, "id == args.id", one, shownColumns, nil),
	by("namedOne", node, "id == args.id", one, shownColumns[:5], nil),
	by("shownIn", node, "has(args.ids, parentId)", several, shownColumns, []string{codes.SortKey, codes.Code}),
	by("namedIn", node, "has(args.ids, parentId)", several, shownColumns[:5], []string{codes.SortKey, codes.Code}),
	by("node", node, "id == args.id", one, nodeColumns, nil),
	by("above", node, "id == args.id", one, []string{codes.ProjectID, codes.ProjectIDEvalRule, codes.ContractID, codes.Code, codes.Name, codes.NodeType, codes.EvalStatus, codes.WorkStatus, codes.DocComplete, codes.OwnProcesses, codes.DueSetID, codes.DueChanges}, nil),
	by("children", node, "parentId == args.id", one, nodeColumns, []string{codes.SortKey, codes.Code}),
	{Code: "quality.lastBelow", Model: node, Where: "parentId == args.id", Args: one, Figures: []world.Figure{{As: "last", Fn: plan.SumMaximum, Column: codes.SortKey}}},
	{Code: "quality.lastRoot", Model: node, Where: "projectId == args.id and empty(parentId)", Args: one, Figures: []world.Figure{{As: "last", Fn: plan.SumMaximum, Column: codes.SortKey}}},
	{Code: "quality.childCount", Model: node, Where: "parentId == args.id", Args: one, Figures: []world.Figure{{As: "rows", Fn: plan.SumCount}}},
	{Code: "quality.childCounts", Model: node, Where: "parentId.parentId == args.id", Args: one, GroupBy: []string{codes.ParentID}, Figures: []world.Figure{{As: "rows", Fn: plan.SumCount}}},
	{Code: "quality.rootCounts", Model: node, Where: "projectId == args.id and not empty(parentId) and empty(parentId.parentId)", Args: one, GroupBy: []string{codes.ParentID}, Figures: []world.Figure{{As: "rows", Fn: plan.SumCount}}},
	by("ruleNow", ruleSet, "code == args.code and current", map[string]plan.Kind{"code": plan.Text}, []string{"version"}, nil),
	by("ruleThen", ruleSet, "code == args.code and revision == args.revision", map[string]plan.Kind{"code": plan.Text, "revision": plan.Number}, []string{"version"}, nil),
	by("dueNow", dueSets, "code == args.code and current", map[string]plan.Kind{"code": plan.Text}, []string{"version"}, nil),
	by("dueThen", dueSets, "code == args.code and revision == args.revision", map[string]plan.Kind{"code": plan.Text, "revision": plan.Number}, []string{"version"}, nil),
	by("dueSet", dueSets, "id == args.id", one, []string{codes.Code}, nil),
	by("dueChanges", dueChange, "qbsId == args.id", one, changeColumns, []string{"createdTime", "id"}),
	by("consents", consent, "qbsId == args.id", one, consentColumns, nil),
	by("consentsAll", consent, "qbsId.projectId == args.id", one, consentColumns, nil),
	by("signed", evaluation, "qbsId == args.id and sequenceStatus == 'COMPLETED' and not empty(workflowInstanceId)", one, []string{codes.EvalStatus}, nil),
	by("roots", node, "projectId == args.id and empty(parentId)", one, nodeColumns, []string{codes.SortKey, codes.Code}),
	by("records", record, "qbsId == args.id", one, recordColumns, nil),
	by("recordsAll", record, "qbsId.projectId == args.id", one, recordColumns, nil),
	by("bindings", binding, "qbsId == args.id and active", one, bindingColumns, []string{codes.SortKey, codes.SheetTitle}),
	by("bindingsAll", binding, "qbsId.projectId == args.id and active", one, bindingColumns, []string{codes.SortKey, codes.SheetTitle}),
	by("bindingOf", binding, "objectId == args.object", map[string]plan.Kind{"object": plan.Text}, bindingColumns, nil),
	by("processes", process, "qbsId == args.id and active", one, processColumns, inOrder),
	by("processesAll", process, "qbsId.projectId == args.id and active", one, processColumns, inOrder),
	by("bindingsOfNodes", binding, "has(args.ids, qbsId) and active", several, bindingColumns, []string{codes.SortKey, codes.SheetTitle}),
	by("processesOfNodes", process, "has(args.ids, qbsId) and active", several, processColumns, inOrder),
	by("ncrs", ncr, "qbsId == args.id", one, ncrColumns, nil),
	by("ncrsAll", ncr, "qbsId.projectId == args.id", one, ncrColumns, nil),
	{Code: "quality.componentCounts", Model: relation, GroupBy: []string{codes.QbsID}, Figures: []world.Figure{{As: "rows", Fn: plan.SumCount}}},
	by("bindingsOfComponent", binding, "mbsId == args.id and active", one, bindingColumns, []string{codes.SortKey, codes.SheetTitle}),
	by("bindingsOfComponentEver", binding, "mbsId == args.id", one, bindingColumns, []string{codes.SortKey, codes.SheetTitle}),
	by("boundTo", relation, "mbsId == args.id", one, []string{codes.QbsID, codes.QbsIDName, codes.QbsIDCode, codes.Ratio, "version"}, nil),
	{Code: "quality.library", Model: library, Columns: []string{codes.ParentID, codes.PrevIDs, codes.Kind, codes.Code, codes.Title, codes.QbsType, codes.Professional, codes.SortKey, codes.Required, codes.Revision}, OrderBy: inOrder, Tree: true},
	by("librarySheets", bindBase, "", nil, []string{codes.JbsBaseID, codes.SchemaCode, codes.SheetCode, codes.WorkflowCode, codes.SheetTitle, codes.BizKind, codes.Required, codes.Multi, codes.FillRole, codes.AuditRole, codes.SortKey}, []string{codes.SortKey, codes.SheetTitle}),
	by("bindingsOfProcess", binding, "jbsId == args.id", one, bindingColumns, []string{codes.SortKey, codes.SheetTitle}),
	by("processesEver", process, "qbsId == args.id", one, processColumns, inOrder),
	by("bindingsEver", binding, "qbsId == args.id", one, bindingColumns, []string{codes.SortKey, codes.SheetTitle}),
	by("nodesOfTemplate", node, "jbsTemplateId == args.id", one, nodeColumns, []string{codes.Code}),
	by("checkItems", checkItem, "", nil, []string{codes.Code, codes.ItemName, codes.ItemClass, codes.EvalMethod, codes.JbsBaseID, codes.QbsType}, []string{codes.Code}),
	by("contracts", contract, "projectId == args.id", one, []string{codes.Code}, nil),
	by("roles", "role", "", nil, []string{codes.Code}, nil),
	by("department", "department", "id == args.id", one, []string{codes.AboveDepartment}, nil),
	by("rolesOf", "user", "id == args.id", one, []string{codes.Roles}, nil),
	by("departmentsOf", "user", "id == args.id", one, []string{codes.Departments, codes.MainDepartment, codes.Disabled}, nil),
	by("people", "user", "", nil, []string{codes.Name, codes.Disabled}, []string{codes.Name}),
	by("recordList", record, "qbsId == args.id", one, listColumns, []string{"-checkDate", "-round"}),
	by("recordListAll", record, "qbsId.projectId == args.id", one, listColumns, []string{"-checkDate", "-round"}),
	by("recordItems", record+".items", "qbsId.projectId == args.id", one, []string{codes.ItemID, codes.ItemName, codes.ItemClass, codes.Points, codes.OkPoints, codes.Conclusion}, nil),
	by("handled", binding, "qbsId.projectId == args.id", one, []string{codes.Instances, codes.Status, codes.StatusTime, codes.StartTime, codes.SchemaCode, codes.SheetTitle, codes.ContractIDPartyBDept, codes.ContractIDPartyBDeptName, codes.QbsIDPlanFinish}, nil),
	{Code: "quality.components", Model: component, Where: "projectId == args.id", Args: one, Columns: componentColumns, OrderBy: []string{codes.Code}, Tree: true},
	by("componentFacts", component, "projectId == args.id", one, []string{codes.ParentID, codes.ModelID, codes.Code, codes.GUID, codes.ComponentName, codes.IfcClass, codes.Tag, codes.Layer, codes.Storey, codes.Bbox, codes.Volume, codes.Area, codes.Length}, []string{codes.Code}),
	{Code: "quality.componentsOfModel", Model: component, Where: "modelId == args.id", Args: one, Columns: componentColumns, OrderBy: []string{codes.Code}, Tree: true},
	{Code: "quality.componentsBelow", Model: component, Args: map[string]plan.Kind{"root": plan.ID}, Columns: componentColumns, OrderBy: []string{codes.Code}, Tree: true, Below: "root"},
	by("boundComponents", relation, "", nil, []string{codes.MbsID}, nil),
	by("boundStates", relation, "", nil, []string{codes.MbsID, codes.QbsID, codes.QbsIDEvalStatus, codes.QbsIDWorkStatus}, nil),
	by("boundIn", relation, "qbsId == args.id", one, boundColumns, []string{codes.MbsIDCode}),
	by("boundInProject", relation, "qbsId.projectId == args.id", one, boundColumns, []string{codes.MbsIDCode}),
	by("boundInBatch", relation, "batch == args.batch", map[string]plan.Kind{"batch": plan.Text}, boundColumns, nil),
	by("batches", relation, "boundBy == args.id and not empty(batch)", one, []string{codes.Batch, codes.BoundTime}, []string{"-boundTime"}),
	by("nodesInBatch", node, "batch == args.batch and creator == args.id", map[string]plan.Kind{"id": plan.ID, "batch": plan.Text}, []string{codes.ParentID}, nil),
	by("nodeBatches", node, "creator == args.id and not empty(batch)", one, []string{codes.Batch}, []string{"-createdTime"}),
	by("groups", group, "", nil, []string{codes.GroupName, codes.Leader, codes.Members, codes.QbsIDs, codes.ItemCodes, codes.StartDate, codes.EndDate, codes.AllowOverlap, codes.GroupKind, "creator", "version", codes.RecordSchemaCodes, codes.ProjectID}, []string{codes.GroupName}),
	by("log", logEntry, "qbsId == args.id", one, []string{codes.Action, codes.Before, codes.After, codes.Remark, "creator", "creator.name", "createdTime", codes.ObjectType, codes.ObjectID}, []string{"-createdTime"}),
}
