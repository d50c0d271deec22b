package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// calls are the actions behind the routes of pack.json (docs/quality.md).
var calls = []action.Action{
	call("qbsLog", `"qbsId": {"type": "string", "x-id": "node"}, "page": {"type": "integer", "minimum": 0}, "size": {"type": "integer", "minimum": 1, "maximum": 200}`, "qbsId", readLog),
	call("qbsRemark", `"qbsId": {"type": "string", "x-id": "node"}, "action": {"type": "string", "maxLength": 60}, "remark": {"type": "string", "maxLength": 2000}`, "qbsId action", addRemark),
	call("qbsAuthority", `"qbsId": {"type": "string"}`, "", authority),
	call("qbsTreeList", `"parentId": {"type": "string", "x-id": "node"}, "keyword": {"type": "string", "maxLength": 200}, "nodeType": `+words(levelOrder...)+`, "withStatus": {"type": "boolean"}`, "", treeList),
	call("qbsSimplifiedTree", `"maxNodeType": `+words(levelOrder...)+``, "", simplifiedTree),
	call("qbsCompleteTree", `"rootId": {"type": "string", "x-id": "node"}`, "", completeTree),
	open("qbsAdd", `"nodes": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "object"}}, "parentId": {"type": ["string", "null"], "x-id": "node"}, "name": {"type": "string"}, "code": {"type": "string"}, "nodeType": {"type": "string"}, "jbsBaseId": {"type": "string", "x-id": "library"}, "values": {"type": "object"}, "dryRun": {"type": "boolean"}, "undo": {"type": "string", "maxLength": 40}`, "", addNodes),
	open("qbsEdit", `"id": {"type": "string"}, "version": {"type": "integer"}, "cascadeCode": {"type": "boolean"}, "values": {"type": "object"}`, "id version", editNode),
	call("qbsDelete", `"ids": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}`, "ids", deleteNodes),
	call("mbsEdit", `"id": {"type": "string"}, "qbsId": {"type": "string", "x-id": "node"}, "mbsIds": {"type": "array", "maxItems": 2000, "items": {"type": "string", "x-id": "component"}}, "mode": {"enum": ["bind", "replace", "rename"]}, "name": {"type": "string", "maxLength": 200}, "ratio": {"type": ["string", "number", "null"]}`, "mode", bindComponents),
	call("mbsTree", `"modelId": {"type": "string", "x-id": "model"}, "parentId": {"type": "string", "x-id": "component"}`, "", componentTree),
	call("mbsList", `"qbsId": {"type": "string", "x-id": "node"}, "includeChildren": {"type": "boolean"}`, "qbsId", componentList),
	answering[ComponentsUnbound]("mbsUnbind", `"qbsId": {"type": "string", "x-id": "node"}, "mbsIds": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string", "x-id": "component"}}`, "qbsId mbsIds", unbindComponents),
	answering[ComponentInfo]("mbsInfo", `"guid": {"type": "string", "maxLength": 64}, "mbsId": {"type": "string", "x-id": "component"}`, "", componentInfo),
	answering[ComponentsByRule]("importMbs", `"modelId": {"type": "string", "x-id": "model"}, "rule": {"enum": ["byCode", "byName"]}, "qbsRootId": {"type": "string", "x-id": "node"}, "dryRun": {"type": "boolean"}, "undo": {"type": "string", "maxLength": 40}`, "", importComponents),
	answering[[]LeafComponent]("codeMbsLeafs", `"parentCode": {"type": "string", "maxLength": 120}`, "", leafComponents),
	upload[CodesImported]("codeMbsImport", `"modelId": {"type": "string", "x-id": "model"}`, "", importCodes),
	upload[Checked]("excelPreImport", `"kind": {"enum": ["QBS", "JBS", "MBS", "REL"]}, "parentId": {"type": "string", "x-id": "node"}, "overwrite": {"type": "boolean"}`, "kind", preImport),
	lengthy[Imported]("excelImport", `"token": {"type": "string"}, "mode": {"enum": ["skipBad", "allOrNothing"]}, "overwrite": {"type": "boolean"}, "corrections": {"type": "array", "maxItems": 20000, "items": {"type": "object", "required": ["row", "data"], "properties": {"row": {"type": "integer"}, "data": {"type": "object", "additionalProperties": {"type": "string"}}}}}`, "token mode", runImport),
	action.NewDownload("excelTemplate", schemaOf(`"kind": {"enum": ["QBS", "JBS", "MBS", "REL"]}`, "kind", false), xlsx, importTemplate),
	action.NewDownload("excelMatrix", schemaOf(`"qbsId": {"type": "string", "x-id": "node"}`, "qbsId", false), xlsx, named(`"qbsId": {"type": "string", "x-id": "node"}`, matrix)),
	open("bizsheetEdit", `"id": {"type": "string"}, "version": {"type": "integer"}`, "id", editSheet),
	call("jbsBiz", `"jbsId": {"type": "string", "x-id": "process"}`, "jbsId", processSheets),
	call("jbsSchemaCode", `"jbsId": {"type": "string", "x-id": "process"}, "qbsType": {"type": "string"}`, "", usableSheets),
	open("jbsEdit", `"id": {"type": "string"}, "version": {"type": "integer"}, "prevIds": {"type": "array", "maxItems": 200, "items": {"type": "string"}}`, "id", editProcess),
	call("jbsDelete", `"ids": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string", "x-id": "process"}}`, "ids", deleteProcesses),
	call("qbsJbs", `"qbsId": {"type": "string", "x-id": "node"}`, "qbsId", attached),
	call("qbsJbsReplace", `"qbsId": {"type": "string", "x-id": "node"}, "nodes": {"type": "array", "maxItems": 500, "items": {"type": "object"}}`, "qbsId nodes", replaceProcesses),
	call("syncJbs", `"jbsBaseId": {"type": "string", "x-id": "library"}, "qbsIds": {"type": "array", "maxItems": 2000, "items": {"type": "string", "x-id": "node"}}, "dryRun": {"type": "boolean"}`, "jbsBaseId", syncTemplate),
	call("systemJbsBizSync", `"targets": {"type": "array", "maxItems": 100, "items": {"type": "string"}}, "dryRun": {"type": "boolean"}`, "", syncLibrary),
	call("systemBaseTree", `"professional": {"type": "string", "x-option": "discipline"}`, "", baseTree),
	call("systemTree", `"professional": {"type": "string", "x-option": "discipline"}`, "", systemTree),
	call("analyseBizHandle", `"from": {"type": "string"}, "to": {"type": "string"}, "groupBy": {"enum": ["dept", "sheet", "month"]}`, "", analyseHandle),
	call("recordList", `"qbsId": {"type": ["string", "null"], "x-id": "node"}, "groupId": {"type": ["string", "null"], "x-id": "group"}, "recordKind": `+words(codes.OptionSelf, codes.OptionSup, codes.OptionTest)+`, "status": `+words(recordStates...)+`, "from": {"type": ["string", "null"]}, "to": {"type": ["string", "null"]}, "page": {"type": "integer", "minimum": 0}, "size": {"type": "integer", "minimum": 1, "maximum": 500}`, "", recordList),
	call("itemGroupStatistic", `"qbsId": {"type": "string", "x-id": "node"}, "from": {"type": "string"}, "to": {"type": "string"}`, "", itemStatistic),
	call("groupList", `"keyword": {"type": "string", "maxLength": 100}`, "", groupList),
	call("groupAddInfo", ``, "", groupAddInfo),
	open("groupAdd", ``, "", addGroup),
	open("groupEdit", `"id": {"type": "string"}, "version": {"type": "integer"}`, "id version", editGroup),
	call("groupDelete", `"ids": {"type": "array", "minItems": 1, "maxItems": 500, "items": {"type": "string", "x-id": "group"}}`, "ids", deleteGroups),
	call("groupEditAuth", `"groupId": {"type": "string", "x-id": "group"}`, "groupId", groupAuth),
	call("evaluationTree", `"rootId": {"type": "string", "x-id": "node"}, "depth": {"type": "integer", "minimum": 1}`, "", evaluationTree),
	call("refreshRecordStatus", `"qbsId": {"type": "string", "x-id": "node"}`, "", refreshStatus),
	call("bizsheetList", `"ownerType": {"enum": ["QBS", "JBS", "MBS"]}, "ownerId": {"type": "string"}, "includeChildren": {"type": "boolean"}`, "ownerType ownerId", listSheets),
	call("bizsheetBind", `"ownerType": {"enum": ["QBS", "JBS", "MBS"]}, "qbsId": {"type": "string", "x-id": "node"}, "ownerIds": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}, "sheets": {"type": "array", "minItems": 1, "maxItems": 100, "items": {"type": "object", "required": ["schemaCode"]}}`, "ownerType ownerIds sheets", bindSheets),
	call("bizsheetUnbind", `"ids": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string", "x-id": "binding"}}`, "ids", unbindSheets),
	call("jbsNode", `"qbsId": {"type": "string", "x-id": "node"}, "qbsIds": {"type": "array", "maxItems": 200, "items": {"type": "string", "x-id": "node"}}`, "", listProcesses),
	call("qbsJbsApply", `"qbsIds": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string", "x-id": "node"}}, "jbsBaseId": {"type": "string", "x-id": "library"}`, "qbsIds jbsBaseId", applyTemplate),
	call("qbsDue", `"qbsId": {"type": "string", "x-id": "node"}`, "qbsId", qbsDue),
	call("qbsDueBind", `"qbsId": {"type": "string", "x-id": "node"}, "schemaCode": {"type": "string", "maxLength": 63}, "kind": {"type": "string", "maxLength": 20}`, "qbsId schemaCode", bindDue),
	call("qbsDueLibrary", `"dueSetId": {"type": "string", "x-id": "dueSet"}, "itemIds": {"type": "array", "maxItems": 500, "items": {"type": "string", "x-id": "checkItem"}}, "dryRun": {"type": "boolean"}`, "dueSetId", takeLibrary),
	call("qbsDueUpgrade", `"code": {"type": "string", "maxLength": 60}, "qbsIds": {"type": "array", "maxItems": 2000, "items": {"type": "string", "x-id": "node"}}, "dryRun": {"type": "boolean"}`, "", upgradeDue),
	call("analyseNode", `"qbsId": {"type": "string", "x-id": "node"}`, "", analyseNode),
	call("analyseProject", ``, "", analyseProject),
}

// xlsx is the type of spreadsheets.
const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// schemaOf is the input of a call. Every call takes appCode, projectKey and clientToken besides its own properties; required are names in one text.
// An open one takes the properties of a record too.
func schemaOf(properties, required string, open bool) string {
	all := `"appCode": {"type": "string"}, "projectKey": {"type": "string", "maxLength": 60}, "clientToken": {"type": "string", "minLength": 8, "maxLength": 80}`
	if properties != "" {
		all += ", " + properties
	}
	need := "[]"
	if required != "" {
		need = `["` + strings.Join(strings.Fields(required), `", "`) + `"]`
	}
	return fmt.Sprintf(`{"type": "object", "additionalProperties": %t, "required": %s, "properties": {%s}}`, open, need, all)
}

// recordStates are the states and the conclusions of an inspection record.
var recordStates = []string{codes.OptionDraft, codes.OptionProcessing, codes.OptionCompleted, codes.OptionCanceled, codes.OptionOk, codes.OptionNotOk, codes.OptionIncomplete, codes.OptionNa}

// call makes an Endpoint; open one that takes the properties of a record; upload one that takes a spreadsheet. Answers are described by their types;
// those of answering and upload, which are made of texts and maps, by a type that they are written like.
func call[In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, in In) (Out, error)) action.Action {
	return action.New(name, schemaOf(properties, required, false), "", named(properties, run))
}

func answering[Answer, In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, in In) (Out, error)) action.Action {
	return action.New(name, schemaOf(properties, required, false), action.Shape[Answer](), named(properties, run))
}

// lengthy answers a call that writes what a file has brought.
func lengthy[Answer, In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, in In) (Out, error)) action.Action {
	return action.Long(action.New(name, schemaOf(properties, required, false), action.Shape[Answer](), named(properties, run)))
}

func open[In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, in In) (Out, error)) action.Action {
	return action.New(name, schemaOf(properties, required, true), "", named(properties, run))
}

func upload[Answer, In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, file world.File, in In) (Out, error)) action.Action {
	return action.NewUpload(name, action.Upload{Accept: []string{".xlsx", ".csv"}}, schemaOf(properties, required, false), action.Shape[Answer](), func(ctx context.Context, c action.Call, file world.File, in In) (Out, error) {
		return named(properties, func(ctx context.Context, c action.Call, in In) (Out, error) { return run(ctx, c, file, in) })(ctx, c, in)
	})
}

// projectOf is the id of the project that a call names, or of the only one that the caller sees.
func projectOf(ctx context.Context, w world.World, key string) (string, error) {
	equal := map[string]any{}
	if key != "" {
		equal[codes.ProjectKey] = key
	}
	found, err := w.Find(ctx, project, equal, 2)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0 && key != "":
		return "", fault.New(fault.Forbidden) // of another installation's project nobody is told that it is missing
	case len(found) == 0:
		return "", fault.Refuse("还没有项目", "There is no project yet")
	case len(found) > 1:
		return "", fault.New(fault.BadParameter, "projectKey")
	}
	return found[0], nil
}

func readLog(ctx context.Context, c action.Call, in struct {
	QbsID      string
	Page, Size int
}) (Page[LogLine], error) {
	out := pageOf[LogLine](in.Page, in.Size)
	for row, err := range c.Rows(ctx, "quality.log", world.Args{"id": in.QbsID}) {
		if err != nil {
			return out, err
		}
		out.add(func() LogLine {
			return LogLine{ID: row.ID, Action: row.Text(codes.Action), UserID: row.Text("creator"), UserName: row.Text("creator.name"), Time: row.Time("createdTime"), Before: row.Text(codes.Before),
				After: row.Text(codes.After), Remark: row.Text(codes.Remark), ObjectType: row.Text(codes.ObjectType)}
		})
	}
	return out, nil
}

// remarkAction is the action of log entries that people write. Every other one is the pack's: roles read the log and write nothing into it.
const remarkAction = "remark"

// addRemark writes a remark of the caller into the log of a node that they see. What the caller calls it is a part of the remark.
func addRemark(ctx context.Context, c action.Call, in struct{ QbsID, Action, Remark string }) (out Remarked, err error) {
	n, err := c.Get(ctx, node, in.QbsID)
	if err != nil {
		return out, err
	}
	if n.Values[codes.WorkStatus] == nil { // they see its name alone (readsState)
		return out, fault.New(fault.Forbidden)
	}
	r, err := rollerOf(c.World)
	if err != nil {
		return out, err
	}
	remark := strings.Join(slices.DeleteFunc([]string{in.Action, in.Remark}, func(s string) bool { return s == "" }), ": ")
	id, err := r.w.Create(ctx, logEntry, map[string]any{codes.ObjectType: node, codes.ObjectID: in.QbsID, codes.QbsID: in.QbsID, codes.Action: remarkAction, codes.Remark: orNil(remark), codes.ContractID: orNil(text(n.Values[codes.ContractID]))})
	return Remarked{id, id}, err
}

func authority(ctx context.Context, c action.Call, in struct{ QbsID string }) (out Authority, err error) {
	for right, can := range map[string]*bool{"add": &out.CanAdd, "edit": &out.CanEdit, "delete": &out.CanDelete, "import": &out.CanImport} {
		err := c.Allowed(ctx, right, node, "")
		if err == nil && in.QbsID != "" {
			err = c.Allowed(ctx, right, node, in.QbsID)
		}
		*can = err == nil
	}
	out.CanAdd = out.CanAdd && takesParts(ctx, c, in.QbsID)
	out.CanReview = c.Allowed(ctx, review, ncr, "") == nil
	out.CanBind = c.Allowed(ctx, "add", relation, "") == nil && (in.QbsID == "" || readsState(ctx, c, in.QbsID))
	if in.QbsID == "" {
		return out, nil
	}
	if out.Kinds, err = recordKinds(ctx, c, in.QbsID); err != nil {
		return out, err
	}
	out.Concession, err = concessionOf(ctx, c, in.QbsID)
	return out, err
}

// takesParts reports whether anything may be added below a node: not below a lot, nor below what has processes. "" is the project, which takes works.
func takesParts(ctx context.Context, c action.Call, id string) bool {
	if id == "" {
		return true
	}
	n, err := c.Get(ctx, node, id)
	return err == nil && text(n.Values[codes.NodeType]) != codes.OptionLot && whole(n.Values[codes.OwnProcesses]) == 0
}

// recordKinds are the kinds of inspections that the caller records at a node: each party of its contract its own, a laboratory tests. Who is no
// party, as the employer, is not limited. The roles of the pack say the same of rows (access/q_*.json), and they decide.
func recordKinds(ctx context.Context, c action.Call, id string) ([]string, error) {
	if _, err := c.Get(ctx, node, id); err != nil || c.Allowed(ctx, "add", record, "") != nil {
		return []string{}, nil //nolint:nilerr // who does not see it records nothing there
	}
	r, err := rollerOf(c.World)
	if err != nil {
		return nil, err
	}
	n, _, err := r.read(ctx, id)
	if err != nil {
		return nil, err
	}
	kinds, who := []string{}, c.Principal()
	if of := n.Text(codes.ContractID); of != "" {
		found, err := r.w.Get(ctx, contract, of)
		if err != nil {
			return nil, err
		}
		for _, party := range []struct{ department, kind string }{{codes.PartyBDept, codes.OptionSelf}, {codes.SupDept, codes.OptionSup}} {
			if slices.Contains(who.DepartmentTree, text(found.Values[party.department])) {
				kinds = append(kinds, party.kind)
			}
		}
	}
	if slices.Contains(who.Roles, codes.RoleLaboratory) {
		kinds = append(kinds, codes.OptionTest)
	}
	if len(kinds) == 0 {
		kinds = []string{codes.OptionSelf, codes.OptionSup, codes.OptionTest}
	}
	return kinds, nil
}

// readsState says whether the caller reads how far a node is, which components that are bound to it show. Of nodes without a contract a
// contractor reads the name alone: a binding would belong to no contract either, and contractors write those of their own contracts.
func readsState(ctx context.Context, c action.Call, id string) bool {
	n, err := c.Get(ctx, node, id)
	return err == nil && n.Values[codes.WorkStatus] != nil
}

func editNode(ctx context.Context, c action.Call, in fields) (out Written, err error) {
	id := in.text("id")
	was, err := c.Get(ctx, node, id)
	if err != nil {
		return out, err
	}
	values := in.values("cascadeCode")
	out, err = in.write(ctx, c, node, values)
	if err != nil {
		return out, err
	}
	from, to := text(was.Values[codes.Code]), text(values[codes.Code])
	if !is(in["cascadeCode"]) || to == "" || to == from {
		return out, nil
	}
	below, err := rows(ctx, c, "quality.subtree", world.Args{"root": id})
	if err != nil {
		return out, err
	}
	for _, n := range below {
		if rest, ok := partsBelow(n.Text(codes.Code), from); ok && n.ID != id {
			if err := update(ctx, c, node, n.ID, map[string]any{codes.Code: to + rest}); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

func refreshStatus(ctx context.Context, c action.Call, in struct{ ProjectKey, QbsID string }) (out Recomputed, err error) {
	id := ""
	if in.QbsID != "" {
		n, err := c.Get(ctx, node, in.QbsID) // who does not see a node does not refresh it
		if err != nil {
			return out, err
		}
		id = text(n.Values[codes.ProjectID])
	} else {
		if id, err = projectOf(ctx, c, in.ProjectKey); err != nil {
			return out, err
		}
	}
	r, err := rollerOf(c)
	if err != nil {
		return out, err
	}
	out.Recomputed, err = r.refresh(ctx, id, in.QbsID)
	return out, err
}

// Statistics are the counts of a node and of its children.
type Statistics struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Total       int     `json:"total"` // nodes without parts whose state the caller sees
	Qualified   int     `json:"qualified"`
	Unqualified int     `json:"unqualified"`
	Pending     int     `json:"pending"`
	PassRate    *string `json:"passRate"`
}

func (s *Statistics) add(n *TreeNode) {
	if !n.Leaf || n.Status == nil {
		return
	}
	s.Total++
	switch n.Status.Eval {
	case rule.Qualified, rule.Excellent:
		s.Qualified++
	case rule.Unqualified, rule.Rework:
		s.Unqualified++
	default:
		s.Pending++
	}
}

func analyseNode(ctx context.Context, c action.Call, in treeInput) (out NodeStatistics, err error) {
	flat, err := forest(ctx, c, in.ProjectKey, in.QbsID, true)
	if err != nil {
		return out, err
	}
	self, children, depth := Statistics{}, []*Statistics{}, 1
	if in.QbsID != "" {
		depth = 2
	}
	for _, n := range flat {
		switch {
		case n.Level == 1 && in.QbsID != "":
			self.ID, self.Name, self.PassRate = n.ID, n.Title, n.rate()
		case n.Level == depth:
			children = append(children, &Statistics{ID: n.ID, Name: n.Title, PassRate: n.rate()})
		}
		self.add(n)
		if len(children) > 0 && n.Level >= depth {
			children[len(children)-1].add(n)
		}
	}
	return NodeStatistics{self, children}, nil
}

func analyseProject(ctx context.Context, c action.Call, in treeInput) (out ProjectStatistics, err error) {
	flat, err := forest(ctx, c, in.ProjectKey, "", true)
	if err != nil {
		return out, err
	}
	id, err := projectOf(ctx, c, in.ProjectKey)
	if err != nil {
		return out, err
	}
	months, err := trend(ctx, c, id)
	if err != nil {
		return out, err
	}
	out = ProjectStatistics{Nodes: byState(flat), Trend: months}
	if tops := topmost(flat); len(tops) > 0 {
		var sheets Done
		var open int64
		for _, n := range tops {
			sheets.Total, sheets.Done, open = sheets.Total+n.Status.Sheets.Total, sheets.Done+n.Status.Sheets.Done, open+n.Status.NCROpen
		}
		lots := complete(flat)
		out.Sheets, out.Lots, out.NCROpen = &sheets, &lots, &open
	}
	return out, nil
}

// complete counts the lowest nodes whose state the caller sees, and those of them that have all their sheets. A node of which no sheet is known yet has
// fulfilled nothing.
func complete(flat []*TreeNode) (out Done) {
	for _, n := range flat {
		if n.Status == nil || !n.Leaf || n.NodeType != codes.OptionLot && n.Status.Sheets.Total == 0 {
			continue
		}
		if out.Total++; n.Status.Sheets.Total > 0 && n.Status.Sheets.Done >= n.Status.Sheets.Total {
			out.Done++
		}
	}
	return out
}

// byState counts nodes whose state the caller sees, by type and state.
func byState(flat []*TreeNode) map[string]map[string]int {
	out := map[string]map[string]int{}
	for _, n := range flat {
		if n.Status == nil {
			continue
		}
		if out[n.NodeType] == nil {
			out[n.NodeType] = map[string]int{}
		}
		out[n.NodeType][n.Status.Eval]++
	}
	return out
}

// topmost are the nodes of a tree whose figures the caller sees and of none above whom they do: their sums are those of all that the caller sees. The
// nodes are in the order of the tree.
func topmost(flat []*TreeNode) (out []*TreeNode) {
	within := 0 // the level of the last one, while its parts follow
	for _, n := range flat {
		if within > 0 && n.Level > within {
			continue
		}
		within = 0
		if n.Status != nil {
			out, within = append(out, n), n.Level
		}
	}
	return out
}

// rate is the pass rate of a node; nil where the caller does not see it, or there are no points.
func (n *TreeNode) rate() *string {
	if n.Status == nil {
		return nil
	}
	return n.Status.PassRate
}
