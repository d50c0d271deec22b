package lockquality

import (
	"fmt"
	"strconv"
	"strings"
)

func bound(s string, missing float64) float64 {
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v
	}
	return missing
}

func join(list []string) string { return strings.Join(list, "; ") }

// stepCode is the code of the nth process of a template.
func (t template) stepCode(n int) string { return fmt.Sprintf("%s-%02d", t.code, n+1) }

// document is a data file.
type document struct {
	Key   []string `json:"key"`
	Rows  []Row    `json:"rows"`
	Start []start  `json:"start,omitempty"`
}

// start are rows whose workflow somebody has started.
type start struct {
	Workflow  string     `json:"workflow"`
	Initiator string     `json:"initiator"`
	Rows      [][]string `json:"rows"`
}

// ids gives the ids that rows of files get.
type ids func(model string, key ...string) string

// facts are the files whose rows follow from nothing: all but those of what was done.
func facts(nodes []Row, id ids) map[string]document {
	docs := map[string]document{
		"pm_project": {Key: []string{"projectKey"}, Rows: []Row{{"projectKey": project, "projectName": "淮江二线船闸工程", "projectType": "LOCK", "evalRule": "JTS257_2008", "ownerDept": employer, "supDept": supervisor,
			"startDate": date(begin), "finishDate": "2028-12-31", "budget": "1268000000", "lng": "119.0151", "lat": "33.0225", "title": "淮江二线船闸质量管理", "single": true}}},
		"q_qbs": {Key: []string{"code"}, Rows: nodes},
	}
	add := func(model string, key string, row Row) {
		d := docs[model]
		docs[model] = document{Key: []string{key}, Rows: append(d.Rows, row)}
	}
	for i, p := range people {
		add("user", "username", Row{"username": p.username, "name": p.name, "employeeNo": fmt.Sprintf("HJ%03d", i+1), "position": p.position, "email": p.username + "@example.com",
			"mainDepartment": p.department, "departments": []string{p.department}, "roles": []string{p.role}})
	}
	for _, c := range contracts {
		add("pm_section", "code", Row{"projectId": project, "code": c.code, "sectionName": c.name})
		add("c_contract", "code", Row{"projectId": project, "code": c.code, "contractName": c.name, "contractType": "WORKS", "section": c.code, "partyADept": employer, "partyBDept": c.contractor,
			"supDept": supervisor, "signDate": "2026-08-20", "startDate": date(begin), "finishDate": "2028-10-31", "contractAmount": c.amount, "status": "EXECUTING"})
	}
	for i, t := range templates {
		add("q_jbs_base", "code", Row{"code": t.code, "title": t.title, "kind": "TEMPLATE", "qbsType": t.title, "professional": t.discipline, "sortKey": i + 1})
		add("q_due_set", "code", due(t, id))
		for n, s := range t.steps {
			row := Row{"code": t.stepCode(n), "title": s.title, "kind": "PROCESS", "parentId": t.code, "qbsType": t.title, "sortKey": n + 1}
			if n > 0 {
				row["prevIds"] = []string{t.stepCode(n - 1)}
			}
			add("q_jbs_base", "code", row)
			sheet := Row{"jbsBaseId": t.stepCode(n), "schemaCode": s.sheet, "bizKind": s.kind, "sheetTitle": titles[s.sheet], "fillRole": []string{"R_CQC"}, "auditRole": []string{"R_SUP"}, "sortKey": 1}
			if flow := flows[s.kind]; flow != "" {
				sheet["workflowCode"] = flow
			}
			d := docs["q_biz_base"]
			docs["q_biz_base"] = document{Key: []string{"jbsBaseId", "schemaCode"}, Rows: append(d.Rows, sheet)}
		}
		for _, it := range t.items {
			row := Row{"code": it.code, "itemName": it.name, "itemClass": it.class, "evalMethod": it.method, "unit": it.unit, "qbsType": t.title, "jbsBaseId": t.stepCode(len(t.steps) - 1),
				"minPoints": min(it.points, 4), "safetyFlag": it.safety, "machineFlag": it.machine, "ruleCode": "JTS257_2008", "designFrom": "设计图纸"}
			if it.low != "" {
				row["devLow"] = it.low
			}
			if it.high != "" {
				row["devHigh"] = it.high
			}
			add("q_check_item", "code", row)
		}
	}
	add("q_group", "groupName", Row{"projectId": project, "groupName": "主体工程检查组", "leader": "lvsiqi", "members": []string{"lvsiqi", "hejing", "tanlixin"}, "qbsIds": []string{"CZ-01", "CZ-02", "CZ-04"},
		"startDate": date(begin)})
	add("q_group", "groupName", Row{"projectId": project, "groupName": "引航道与桥梁检查组", "leader": "lvsiqi", "members": []string{"lvsiqi", "hejing", "fengxiaodong"},
		"qbsIds": []string{"CZ-03", "CZ-05", "CZ-06", "CZ-07", "CZ-08", "CZ-10"}, "startDate": date(begin)})
	add("b_model", "modelName", Row{"projectId": project, "modelName": "船闸主体结构模型", "format": "IFC", "modelVersion": "2026-09", "discipline": "水工", "status": "READY"})
	components(nodes, add)
	return docs
}

// flows are the workflows of sheets that the supervisor confirms, by kind.
var flows = map[string]string{"LOT": "q_lot", "HIDDEN": "q_hidden"}

// laboratory reports whether a laboratory tests an item.
func (it item) laboratory() bool { return it.design != "" }

// due is what is due of the work of a template: the contractor's inspection of each lot, confirmed by the supervisor; the supervisor's own of one lot in
// ten; tests; concealed works; and before concrete is poured the supervisor's consent.
func due(t template, id ids) Row {
	kinds := []any{Row{"recordKind": "SELF", "judges": "ALL", "workflowCode": "q_lot"}, Row{"recordKind": "SUP", "judges": "MAIN", "share": "0.1"}}
	var items, sheets []any
	tested := false
	for _, it := range t.items {
		row := Row{"itemId": id("q_check_item", it.code), "itemName": it.name, "itemClass": it.class, "evalMethod": it.method, "unit": it.unit, "minPoints": min(it.points, 4), "safetyFlag": it.safety, "machineFlag": it.machine, "recordKind": "SELF"}
		for code, v := range map[string]string{"devLow": it.low, "devHigh": it.high, "designValue": it.design} {
			if v != "" {
				row[code] = v
			}
		}
		if it.laboratory() {
			row["recordKind"], row["minPoints"], tested = "TEST", it.points, true
		}
		items = append(items, row)
	}
	if tested {
		kinds = append(kinds, Row{"recordKind": "TEST", "judges": "ALL"})
	}
	for _, s := range t.steps {
		if s.kind == "HIDDEN" {
			sheets = append(sheets, Row{"schemaCode": s.sheet, "title": titles[s.sheet], "workflowCode": flows[s.kind]})
		}
	}
	out := Row{"code": t.code, "revision": "1", "current": true, "title": t.title, "items": items, "kinds": kinds}
	if len(sheets) > 0 {
		out["sheets"] = sheets
	}
	if t.code == "T-CONC" {
		out["consents"] = []any{Row{"code": "POUR", "title": "混凝土浇筑许可", "roles": []any{"R_SUP", "R_CSUP"}, "processCode": "04"}}
	}
	return out
}

var titles = map[string]string{"q_setout": "施工放样报验单", "q_work": "施工记录", "q_hidden": "隐蔽工程验收记录", "q_record": "检验批质量检验记录"}

// sections are where concrete is across the lock's axis: y from and to, z from and to, in meters; that of the left side, where it is on one side only.
var sections = map[string][4]float64{
	"底板混凝土": {-17.5, 17.5, -3.2, 0}, "底板止水": {-17.5, 17.5, -3.6, -3.2}, "墩身混凝土": {11.5, 17.5, 0, 14}, "空箱混凝土": {17.5, 23, 0, 11},
	"墙身混凝土": {11.5, 16.5, 0, 13.2}, "输水廊道混凝土": {23, 27, -3.2, 1.6}, "阀门井混凝土": {-27, -23, -3.2, 14},
}

// space is the bounding box of the lot of a code: works are poured in segments along the axis, each in four layers.
func space(code string) string {
	var u, d, w, n int
	if _, err := fmt.Sscanf(code, "CZ-%02d-%02d-%02d-%03d", &u, &d, &w, &n); err != nil {
		panic(err)
	}
	unit := lock[u-1]
	division, n := unit.divisions[d-1], n-1
	works := division.works[w-1]
	in := sections[works.name]
	if strings.HasPrefix(division.name, "右") {
		in[0], in[1] = -in[1], -in[0]
	}
	length, height := float64(unit.to-unit.from)/float64(works.lots/4), (in[3]-in[2])/4
	x, z := float64(unit.from)+float64(n/4)*length, in[2]+float64(n%4)*height
	return fmt.Sprintf("%.2f %.2f %.2f %.2f %.2f %.2f", x, in[0], z, x+length, in[1], z+height)
}

// components are the parts of the model of the chamber and its heads; all but what is above the floor of the lower head is bound to its lot.
func components(nodes []Row, add func(model, key string, row Row)) {
	n := 0
	for _, node := range nodes {
		code := node["code"].(string)
		unit := code[:min(len(code), len("CZ-01"))]
		inModel := unit == "CZ-01" || unit == "CZ-02" || unit == "CZ-03"
		level := node["nodeType"]
		if !inModel || level == "ITEM" || level == "LOT" && !strings.Contains(node["name"].(string), "段") {
			continue
		}
		row := Row{"projectId": project, "modelId": "船闸主体结构模型", "code": code, "guid": fmt.Sprintf("0HJ%019d", n), "componentName": node["name"]}
		n++
		if level == "LOT" {
			row["parentId"], row["ifcClass"], row["volume"] = code[:len("CZ-01-02")], "IfcBuildingElement", node["designQty"]
			row["bbox"] = space(code)
			if unit != "CZ-03" || strings.HasPrefix(node["name"].(string), "底板") {
				add("q_qbs_mbs", "mbsId", Row{"qbsId": code, "mbsId": code, "boundBy": "gaoyan"})
			}
		} else if level == "DIVISION" {
			row["parentId"] = unit
		}
		add("b_mbs", "code", row)
	}
}
