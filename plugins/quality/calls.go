package quality

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/rule"
)

// calls are the actions behind the routes of pack.json (docs/quality.md).
var calls = []action.Action{
	call("qbsLog", `"qbsId": {"type": "string"}, "page": {"type": "integer", "minimum": 0}, "size": {"type": "integer", "minimum": 1, "maximum": 200}`, "qbsId", readLog),
	call("qbsRemark", `"qbsId": {"type": "string"}, "action": {"type": "string", "maxLength": 60}, "remark": {"type": "string", "maxLength": 2000}`, "qbsId action", addRemark),
	call("qbsAuthority", `"qbsId": {"type": "string"}`, "", authority),
	call("qbsTreeList", `"parentId": {"type": "string"}, "keyword": {"type": "string", "maxLength": 200}, "nodeType": {"type": "string"}, "withStatus": {"type": "boolean"}`, "", treeList),
	call("qbsSimplifiedTree", `"maxNodeType": {"type": "string"}`, "", simplifiedTree),
	call("qbsCompleteTree", `"rootId": {"type": "string"}`, "", completeTree),
	open("qbsAdd", `"nodes": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "object"}}, "parentId": {"type": ["string", "null"]}, "name": {"type": "string"}, "code": {"type": "string"}, "nodeType": {"type": "string"}, "values": {"type": "object"}`, "", addNodes),
	open("qbsEdit", `"id": {"type": "string"}, "version": {"type": "integer"}, "cascadeCode": {"type": "boolean"}, "values": {"type": "object"}`, "id version", editNode),
	call("qbsDelete", `"ids": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}`, "ids", deleteNodes),
	call("mbsEdit", `"id": {"type": "string"}, "qbsId": {"type": "string"}, "mbsIds": {"type": "array", "maxItems": 2000, "items": {"type": "string"}}, "mode": {"enum": ["bind", "replace", "rename"]}, "name": {"type": "string", "maxLength": 200}, "ratio": {"type": ["string", "number", "null"]}`, "mode", bindComponents),
	call("mbsTree", `"modelId": {"type": "string"}, "parentId": {"type": "string"}`, "", componentTree),
	call("mbsList", `"qbsId": {"type": "string"}, "includeChildren": {"type": "boolean"}`, "qbsId", componentList),
	call("mbsUnbind", `"qbsId": {"type": "string"}, "mbsIds": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}`, "qbsId mbsIds", unbindComponents),
	call("mbsInfo", `"guid": {"type": "string", "maxLength": 64}, "mbsId": {"type": "string"}`, "", componentInfo),
	call("importMbs", `"modelId": {"type": "string"}, "rule": {"enum": ["byCode", "byName"]}, "qbsRootId": {"type": "string"}, "dryRun": {"type": "boolean"}, "undo": {"type": "string", "maxLength": 40}`, "", importComponents),
	call("codeMbsLeafs", `"parentCode": {"type": "string", "maxLength": 120}`, "", leafComponents),
	upload("codeMbsImport", `"modelId": {"type": "string"}`, "", importCodes),
	upload("excelPreImport", `"kind": {"enum": ["QBS", "JBS", "MBS", "REL"]}, "parentId": {"type": "string"}, "overwrite": {"type": "boolean"}`, "kind", preImport),
	call("excelImport", `"token": {"type": "string"}, "mode": {"enum": ["skipBad", "allOrNothing"]}, "overwrite": {"type": "boolean"}, "corrections": {"type": "array", "maxItems": 20000, "items": {"type": "object", "required": ["row", "data"], "properties": {"row": {"type": "integer"}, "data": {"type": "object", "additionalProperties": {"type": "string"}}}}}`, "token mode", runImport),
	action.NewDownload("excelTemplate", schemaOf(`"kind": {"enum": ["QBS", "JBS", "MBS", "REL"]}`, "kind", false), xlsx, importTemplate),
	open("bizsheetEdit", `"id": {"type": "string"}, "version": {"type": "integer"}`, "id", editSheet),
	call("jbsBiz", `"jbsId": {"type": "string"}`, "jbsId", processSheets),
	call("jbsSchemaCode", `"jbsId": {"type": "string"}, "qbsType": {"type": "string"}`, "", usableSheets),
	open("jbsEdit", `"id": {"type": "string"}, "version": {"type": "integer"}, "prevIds": {"type": "array", "maxItems": 200, "items": {"type": "string"}}`, "id", editProcess),
	call("jbsDelete", `"ids": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}`, "ids", deleteProcesses),
	call("qbsJbs", `"qbsId": {"type": "string"}`, "qbsId", attached),
	call("qbsJbsReplace", `"qbsId": {"type": "string"}, "nodes": {"type": "array", "maxItems": 500, "items": {"type": "object"}}`, "qbsId nodes", replaceProcesses),
	call("syncJbs", `"jbsBaseId": {"type": "string"}, "qbsIds": {"type": "array", "maxItems": 2000, "items": {"type": "string"}}, "dryRun": {"type": "boolean"}`, "jbsBaseId", syncTemplate),
	call("systemJbsBizSync", `"targets": {"type": "array", "maxItems": 100, "items": {"type": "string"}}, "dryRun": {"type": "boolean"}`, "", syncLibrary),
	call("systemBaseTree", `"professional": {"type": "string"}`, "", baseTree),
	call("systemTree", `"professional": {"type": "string"}`, "", systemTree),
	call("analyseBizHandle", `"from": {"type": "string"}, "to": {"type": "string"}, "groupBy": {"enum": ["dept", "sheet", "month"]}`, "", analyseHandle),
	call("recordList", `"qbsId": {"type": ["string", "null"]}, "groupId": {"type": ["string", "null"]}, "recordKind": {"type": ["string", "null"]}, "status": {"type": ["string", "null"]}, "from": {"type": ["string", "null"]}, "to": {"type": ["string", "null"]}, "page": {"type": "integer", "minimum": 0}, "size": {"type": "integer", "minimum": 1, "maximum": 500}`, "", recordList),
	call("itemGroupStatistic", `"qbsId": {"type": "string"}, "from": {"type": "string"}, "to": {"type": "string"}`, "", itemStatistic),
	call("groupList", `"keyword": {"type": "string", "maxLength": 100}`, "", groupList),
	call("groupAddInfo", ``, "", groupAddInfo),
	open("groupAdd", ``, "", addGroup),
	open("groupEdit", `"id": {"type": "string"}, "version": {"type": "integer"}`, "id version", editGroup),
	call("groupDelete", `"ids": {"type": "array", "minItems": 1, "maxItems": 500, "items": {"type": "string"}}`, "ids", deleteGroups),
	call("groupEditAuth", `"groupId": {"type": "string"}`, "groupId", groupAuth),
	call("evaluationTree", `"rootId": {"type": "string"}, "depth": {"type": "integer", "minimum": 1}`, "", evaluationTree),
	call("refreshRecordStatus", `"qbsId": {"type": "string"}`, "", refreshStatus),
	call("bizsheetList", `"ownerType": {"enum": ["QBS", "JBS", "MBS"]}, "ownerId": {"type": "string"}`, "ownerType ownerId", listSheets),
	call("bizsheetBind", `"ownerType": {"enum": ["QBS", "JBS"]}, "ownerIds": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}, "sheets": {"type": "array", "minItems": 1, "maxItems": 100, "items": {"type": "object", "required": ["schemaCode"]}}`, "ownerType ownerIds sheets", bindSheets),
	call("bizsheetUnbind", `"ids": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}`, "ids", unbindSheets),
	call("jbsNode", `"qbsId": {"type": "string"}`, "qbsId", listProcesses),
	call("qbsJbsApply", `"qbsIds": {"type": "array", "minItems": 1, "maxItems": 2000, "items": {"type": "string"}}, "jbsBaseId": {"type": "string"}`, "qbsIds jbsBaseId", applyTemplate),
	call("analyseNode", `"qbsId": {"type": "string"}`, "", analyseNode),
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

// call makes an Endpoint; open one that takes the properties of a record; upload one that takes a spreadsheet.
func call[In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, in In) (Out, error)) action.Action {
	return action.New(name, schemaOf(properties, required, false), `{}`, run)
}

func open[In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, in In) (Out, error)) action.Action {
	return action.New(name, schemaOf(properties, required, true), `{}`, run)
}

func upload[In, Out any](name, properties, required string, run func(ctx context.Context, c action.Call, file world.File, in In) (Out, error)) action.Action {
	return action.NewUpload(name, action.Upload{Accept: []string{".xlsx", ".csv"}}, schemaOf(properties, required, false), `{}`, run)
}

// projectOf is the id of the project that a call names, or of the only one that the caller sees.
func projectOf(ctx context.Context, w world.World, key string) (string, error) {
	equal := map[string]any{}
	if key != "" {
		equal["projectKey"] = key
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

// TreeNode is a node in the trees of the pack.
type TreeNode struct {
	ID       string      `json:"id"`
	ParentID string      `json:"parentId"`
	Title    string      `json:"title"`
	Value    string      `json:"value"`
	Key      string      `json:"key"`
	Code     string      `json:"code"`
	Level    int         `json:"level"` // 1 at the top
	Leaf     bool        `json:"leaf"`
	NodeType string      `json:"nodeType,omitempty"`
	Status   *NodeStatus `json:"status,omitempty"`
	Children []*TreeNode `json:"children,omitempty"`
}

// NodeStatus is what a tree shows of a node besides its name. Hidden values are empty.
type NodeStatus struct {
	Eval        string `json:"evalStatus"`
	Work        string `json:"workStatus"`
	PassRate    any    `json:"passRate"` // a share as a decimal text; null without points
	Points      int64  `json:"points"`
	OKPoints    int64  `json:"okPoints"`
	DocComplete bool   `json:"docComplete"`
	NCROpen     int64  `json:"ncrOpen"`
	Rule        string `json:"rule,omitempty"` // the revision that it was evaluated by: JTS257_2008@1
	Sheets      Done   `json:"bizCount"`
	Items       struct {
		Main    Passed `json:"main"`
		General Passed `json:"general"`
	} `json:"items"`
	Components int64 `json:"mbsCount"`
}

// Done counts what is done of a total, Passed what passed of n.
type (
	Done struct {
		Total int64 `json:"total"`
		Done  int64 `json:"done"`
	}
	Passed struct {
		N  int64 `json:"n"`
		OK int64 `json:"ok"`
	}
)

func treeNode(r world.Row, status bool) *TreeNode {
	out := &TreeNode{ID: r.ID, ParentID: r.Text("parentId"), Title: r.Text("name"), Value: r.ID, Key: r.ID, Code: r.Text("code"), Level: len(r.Path) + 1, Leaf: true, NodeType: r.Text("nodeType")}
	if !status {
		return out
	}
	v := func(code string) int64 { return whole(r.Values[code]) }
	s := &NodeStatus{Eval: r.Text("evalStatus"), Work: r.Text("workStatus"), Points: v("points"), OKPoints: v("okPoints"), DocComplete: r.Is("docComplete"), NCROpen: v("ncrOpen"),
		Sheets: Done{v("sheetTotal"), v("sheetDone")}}
	if rate := number(r.Values["passRate"]); rate != nil {
		s.PassRate = rate.String()
	}
	if code := r.Text("ruleCode"); code != "" {
		s.Rule = code + "@" + itoa(v("ruleRevision"))
	}
	s.Items.Main, s.Items.General = Passed{v("mainItems"), v("mainOk")}, Passed{v("generalItems"), v("generalOk")}
	out.Status = s
	return out
}

// forest reads the nodes of a project, or those below a root, in the order of a tree, with the caller's rights.
func forest(ctx context.Context, w world.World, key, root string, status bool) (flat []*TreeNode, err error) {
	query, args := "quality.named", world.Args{"root": root}
	if status {
		query = "quality.shown"
	}
	if root != "" {
		if flat, few, err := branch(ctx, w, key, root, status, downTo{}); few || err != nil {
			return flat, err
		}
		query += "Below"
	} else {
		id, err := projectOf(ctx, w, key)
		if err != nil {
			return nil, err
		}
		args = world.Args{"project": id}
	}
	for row, err := range w.Rows(ctx, query, args) {
		if err != nil {
			return nil, err
		}
		flat = append(flat, treeNode(row, status))
	}
	for i, n := range flat {
		n.Leaf = i+1 >= len(flat) || flat[i+1].Level <= n.Level
	}
	return flat, nil
}

// nested hangs a flat tree together; nodes deeper than depth (0 = none) are left out.
func nested(flat []*TreeNode, depth int) (roots []*TreeNode) {
	var above []*TreeNode
	for _, n := range flat {
		above = above[:min(len(above), n.Level-1)]
		if depth == 0 || n.Level <= depth {
			if len(above) == 0 {
				roots = append(roots, n)
			} else {
				parent := above[len(above)-1]
				parent.Children = append(parent.Children, n)
			}
		}
		above = append(above, n)
	}
	return roots
}

// fewNodes is how many nodes are read level by level; of more the whole tree is read at once. manyAbove are asked for together.
const (
	fewNodes  = 4_000
	manyAbove = 400
)

// downTo bounds what is read of a tree: so many levels (0 = all), and nothing below nodes of a type ("" = all).
type downTo struct {
	depth    int
	nodeType string
}

// branch reads a node and what is below it, or with root "" the roots of a project, in the order of a tree. few = false: there are many, and
// they are better read at once.
func branch(ctx context.Context, w world.World, key, root string, status bool, to downTo) (flat []*TreeNode, few bool, err error) {
	query, args, columns := "quality.roots", world.Args{"id": root}, "quality.named"
	if status {
		columns = "quality.shown"
	}
	if root != "" {
		query = columns + "One"
	} else if args["id"], err = projectOf(ctx, w, key); err != nil {
		return nil, false, err
	}
	tops, err := rows(ctx, w, query, args)
	if err != nil {
		return nil, false, err
	}
	below, above, read := map[string][]*TreeNode{}, []string{}, 0
	for _, row := range tops {
		n := treeNode(row, status)
		below[""], above = append(below[""], n), append(above, n.ID)
	}
	last := len(levelOrder)
	if to.nodeType != "" {
		last = slices.Index(levelOrder, to.nodeType)
	}
	for level := 1; len(above) > 0 && (to.depth == 0 || level <= to.depth); level++ { // one more than is given: a leaf has none
		next := []string{}
		for chunk := range slices.Chunk(above, manyAbove) {
			for row, err := range w.Rows(ctx, columns+"In", world.Args{"ids": chunk}) {
				if err != nil {
					return nil, false, err
				}
				n := treeNode(row, status)
				below[n.ParentID] = append(below[n.ParentID], n)
				if at := slices.Index(levelOrder, n.NodeType); at <= last && at < len(levelOrder)-1 { // nothing is below a lot
					next = append(next, n.ID)
				}
				if read++; read > fewNodes {
					return nil, false, nil
				}
			}
		}
		above = next
	}
	var give func(parent string, level int)
	give = func(parent string, level int) {
		if to.depth > 0 && level > to.depth {
			return
		}
		for _, n := range below[parent] {
			n.Level, n.Leaf = level, len(below[n.ID]) == 0
			flat = append(flat, n)
			give(n.ID, level+1)
		}
	}
	give("", 1)
	return flat, true, nil
}

type treeInput struct {
	ProjectKey, ParentID, Keyword, NodeType, MaxNodeType, RootID, QbsID string
	WithStatus                                                          bool
	Depth                                                               int
}

func treeList(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	out := []*TreeNode{}
	if in.Keyword == "" && in.NodeType == "" {
		query, counts, args := "quality.children", "quality.childCounts", world.Args{"id": in.ParentID}
		if in.ParentID == "" {
			id, err := projectOf(ctx, c, in.ProjectKey)
			if err != nil {
				return nil, err
			}
			query, counts, args = "quality.roots", "quality.rootCounts", world.Args{"id": id}
		}
		parts := map[string]bool{}
		for row, err := range c.Rows(ctx, counts, args) {
			if err != nil {
				return nil, err
			}
			parts[row.Text("parentId")] = true
		}
		for row, err := range c.Rows(ctx, query, args) {
			if err != nil {
				return nil, err
			}
			n := treeNode(row, in.WithStatus)
			n.Leaf = !parts[row.ID]
			out = append(out, n)
		}
		return out, nil
	}
	var flat []*TreeNode
	var few bool
	var err error
	if in.NodeType != "" && slices.Contains(levelOrder, in.NodeType) {
		flat, few, err = branch(ctx, c, in.ProjectKey, in.ParentID, in.WithStatus, downTo{nodeType: in.NodeType})
	}
	if !few && err == nil {
		flat, err = forest(ctx, c, in.ProjectKey, in.ParentID, in.WithStatus)
	}
	for _, n := range flat {
		if (in.NodeType == "" || n.NodeType == in.NodeType) && (in.Keyword == "" || strings.Contains(strings.ToLower(n.Code+" "+n.Title), strings.ToLower(in.Keyword))) {
			out = append(out, n)
		}
	}
	return out, err
}

func simplifiedTree(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	flat, err := forest(ctx, c, in.ProjectKey, "", false)
	if err != nil {
		return nil, err
	}
	order := levelOrder
	at := func(nodeType string) int {
		for i, one := range order {
			if one == nodeType {
				return i
			}
		}
		return len(order)
	}
	kept := []*TreeNode{}
	for _, n := range flat {
		if in.MaxNodeType == "" || at(n.NodeType) <= at(in.MaxNodeType) {
			kept = append(kept, n)
		}
	}
	return nested(kept, 0), nil
}

func completeTree(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	flat, err := forest(ctx, c, in.ProjectKey, in.RootID, true)
	if err != nil {
		return nil, err
	}
	byID := map[string]*TreeNode{}
	for _, n := range flat {
		byID[n.ID] = n
	}
	for row, err := range c.Rows(ctx, "quality.componentCounts", nil) {
		if err != nil {
			return nil, err
		}
		if n := byID[row.Text("qbsId")]; n != nil {
			n.Status.Components = whole(row.Values["n"])
		}
	}
	return nested(flat, 0), nil
}

func evaluationTree(ctx context.Context, c action.Call, in treeInput) ([]*TreeNode, error) {
	if in.RootID != "" && in.Depth > 0 {
		if flat, few, err := branch(ctx, c, in.ProjectKey, in.RootID, true, downTo{depth: in.Depth}); few || err != nil {
			return nested(flat, 0), err
		}
	}
	flat, err := forest(ctx, c, in.ProjectKey, in.RootID, true)
	return nested(flat, in.Depth), err
}

// Page is a page of an answer.
type Page struct {
	Content       []map[string]any `json:"content"`
	TotalElements int              `json:"totalElements"`
	Page          int              `json:"page"`
	Size          int              `json:"size"`
}

func readLog(ctx context.Context, c action.Call, in struct {
	QbsID      string
	Page, Size int
}) (out Page, err error) {
	out = Page{Content: []map[string]any{}, Page: in.Page, Size: in.Size}
	if out.Size == 0 {
		out.Size = 20
	}
	for row, err := range c.Rows(ctx, "quality.log", world.Args{"id": in.QbsID}) {
		if err != nil {
			return out, err
		}
		if out.TotalElements >= out.Page*out.Size && len(out.Content) < out.Size {
			out.Content = append(out.Content, map[string]any{"id": row.ID, "action": row.Text("action"), "userId": row.Text("creator"), "userName": row.Text("creator.name"),
				"time": row.Time("createdTime"), "before": row.Text("before"), "after": row.Text("after"), "remark": row.Text("remark"), "objectType": row.Text("objectType")})
		}
		out.TotalElements++
	}
	return out, nil
}

func addRemark(ctx context.Context, c action.Call, in struct{ QbsID, Action, Remark string }) (map[string]string, error) {
	n, err := c.Get(ctx, node, in.QbsID)
	if err != nil {
		return nil, err
	}
	id, err := c.Create(ctx, logEntry, map[string]any{"objectType": node, "objectId": in.QbsID, "qbsId": in.QbsID, "action": in.Action, "remark": orNil(in.Remark), "contractId": orNil(text(n.Values["contractId"]))})
	return map[string]string{"id": id, "logId": id}, err
}

func authority(ctx context.Context, c action.Call, in struct{ QbsID string }) (map[string]bool, error) {
	out := map[string]bool{}
	for name, right := range map[string][2]string{"canAdd": {node, "add"}, "canEdit": {node, "edit"}, "canDelete": {node, "delete"}, "canImport": {node, "import"}, "canBind": {relation, "add"}} {
		err := c.Allowed(ctx, right[1], right[0], "")
		if err == nil && in.QbsID != "" && right[0] == node {
			err = c.Allowed(ctx, right[1], node, in.QbsID)
		}
		out[name] = err == nil
	}
	return out, nil
}

// addNodes adds one node, whose properties the input has, or the nodes of a list.
func addNodes(ctx context.Context, c action.Call, in fields) (map[string][]string, error) {
	id, err := projectOf(ctx, c, in.text("projectKey"))
	if err != nil {
		return nil, err
	}
	var list []map[string]any
	if many, ok := in["nodes"].([]any); ok {
		for _, one := range many {
			values, _ := one.(map[string]any)
			list = append(list, values)
		}
	} else {
		list = []map[string]any{in.values("nodes")}
	}
	for _, one := range list {
		one["projectId"] = id
	}
	ids, err := c.CreateAll(ctx, node, list)
	return map[string][]string{"ids": ids}, err
}

func editNode(ctx context.Context, c action.Call, in fields) (map[string]int64, error) {
	id := in.text("id")
	was, err := c.Get(ctx, node, id)
	if err != nil {
		return nil, err
	}
	values := in.values("cascadeCode")
	out, err := in.write(ctx, c, node, values)
	if err != nil {
		return nil, err
	}
	from, to := text(was.Values["code"]), text(values["code"])
	if !is(in["cascadeCode"]) || to == "" || to == from {
		return out, nil
	}
	below, err := rows(ctx, c, "quality.subtree", world.Args{"root": id})
	if err != nil {
		return nil, err
	}
	for _, n := range below {
		if rest, ok := strings.CutPrefix(n.Text("code"), from+"-"); ok && n.ID != id {
			if err := update(ctx, c, node, n.ID, map[string]any{"code": to + "-" + rest}); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func refreshStatus(ctx context.Context, c action.Call, in struct{ ProjectKey, QbsID string }) (map[string]int, error) {
	id := ""
	if in.QbsID != "" {
		n, err := c.Get(ctx, node, in.QbsID) // who does not see a node does not refresh it
		if err != nil {
			return nil, err
		}
		id = text(n.Values["projectId"])
	} else {
		var err error
		if id, err = projectOf(ctx, c, in.ProjectKey); err != nil {
			return nil, err
		}
	}
	r, err := rollerOf(c)
	if err != nil {
		return nil, err
	}
	n, err := r.refresh(ctx, id, in.QbsID)
	return map[string]int{"recomputed": n}, err
}

// Statistics are the counts of a node and of its children.
type Statistics struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Total       int    `json:"total"` // nodes without parts
	Qualified   int    `json:"qualified"`
	Unqualified int    `json:"unqualified"`
	Pending     int    `json:"pending"`
	PassRate    any    `json:"passRate"`
}

func (s *Statistics) add(n *TreeNode) {
	if !n.Leaf {
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

func analyseNode(ctx context.Context, c action.Call, in treeInput) (map[string]any, error) {
	flat, err := forest(ctx, c, in.ProjectKey, in.QbsID, true)
	if err != nil {
		return nil, err
	}
	self, children, depth := Statistics{}, []*Statistics{}, 1
	if in.QbsID != "" {
		depth = 2
	}
	for _, n := range flat {
		switch {
		case n.Level == 1 && in.QbsID != "":
			self.ID, self.Name, self.PassRate = n.ID, n.Title, n.Status.PassRate
		case n.Level == depth:
			children = append(children, &Statistics{ID: n.ID, Name: n.Title, PassRate: n.Status.PassRate})
		}
		self.add(n)
		if len(children) > 0 && n.Level >= depth {
			children[len(children)-1].add(n)
		}
	}
	return map[string]any{"self": self, "children": children}, nil
}

func analyseProject(ctx context.Context, c action.Call, in treeInput) (map[string]any, error) {
	flat, err := forest(ctx, c, in.ProjectKey, "", true)
	if err != nil {
		return nil, err
	}
	id, err := projectOf(ctx, c, in.ProjectKey)
	if err != nil {
		return nil, err
	}
	months, err := trend(ctx, c, id)
	if err != nil {
		return nil, err
	}
	nodes := map[string]map[string]int{}
	var sheets Done
	var open int64
	for _, n := range flat {
		if nodes[n.NodeType] == nil {
			nodes[n.NodeType] = map[string]int{}
		}
		nodes[n.NodeType][n.Status.Eval]++
		if n.Level == 1 {
			sheets.Total, sheets.Done, open = sheets.Total+n.Status.Sheets.Total, sheets.Done+n.Status.Sheets.Done, open+n.Status.NCROpen
		}
	}
	return map[string]any{"nodes": nodes, "sheets": sheets, "ncrOpen": open, "trend": months}, nil
}
