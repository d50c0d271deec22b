package quality

import (
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins/quality/codes"
)

// levelOf reads a level by its code or its title in either language.
func levelOf(s string) string {
	for _, code := range levelOrder {
		name := levelNames[code]
		short := strings.TrimSuffix(name.Zh, "工程")
		for _, known := range []string{code, name.Zh, short, name.I18n["en"], strings.TrimPrefix(strings.TrimPrefix(name.I18n["en"], "a "), "an ")} {
			if strings.EqualFold(known, s) {
				return code
			}
		}
	}
	return ""
}

// judgeNodes reads rows of a breakdown.
func judgeNodes(ctx context.Context, m *importing) error {
	m.begin()
	there := namedNodes{}
	byCode, level, own := map[string]string{}, map[string]string{}, map[string]bool{}
	for n, err := range m.Rows(ctx, "quality.tree", world.Args{"project": m.project}) {
		if err != nil {
			return err
		}
		byCode[n.Text(codes.Code)] = n.ID
		level[n.ID] = n.Text(codes.NodeType)
		there.note(n.Text(codes.ParentID), n.Text(codes.NodeType), n.Text(codes.Name), n.ID)
		own[n.ID] = n.Text(codes.ContractID) != ""
	}
	contracts, err := idsBy(m.Rows(ctx, "quality.contracts", world.Args{"id": m.project}), func(r world.Row) string { return r.Text(codes.Code) })
	if err != nil {
		return err
	}
	r, err := rollerOf(m.World)
	if err != nil {
		return err
	}
	set, err := r.current(ctx, m.project)
	if err != nil {
		return err
	}
	editable := map[string]bool{}
	inFile := m.once("code", byCode, func(r *ImportRow) string { return r.Data["code"] })
	var open []*ImportRow // rows above the present one, from the top
	for _, one := range m.rows {
		one.values[codes.ProjectID] = m.project
		one.take(codes.Name, "name")
		one.take(codes.Code, "code")
		one.take(codes.Unit, "unit")
		one.take(codes.DrawingNo, "drawingNo")
		one.take(codes.Professional, "professional")
		m.number(one, codes.DesignQty, "designQty", 0)
		m.yes(one, codes.MainFlag, "mainFlag")
		m.date(one, codes.PlanStart, "planStart")
		m.date(one, codes.PlanFinish, "planFinish")
		if len([]rune(one.Data["name"])) > 200 {
			one.bad(m, "name", forbidden, "名称最长 200 字", "A name has at most 200 characters")
		}
		if v := one.Data["contract"]; v != "" {
			if one.values[codes.ContractID] = orNil(contracts[v]); contracts[v] == "" {
				one.bad(m, "contract", noExit, "没有合同“"+v+"”", "There is no contract “"+v+"”")
			}
		}
		from, to := Stations(one.Data["station"])
		if err := stations(from, to); err != nil {
			one.bad(m, "station", forbidden, "桩号“"+one.Data["station"]+"”写法不对，或起止颠倒", "The stations “"+one.Data["station"]+"” are not read, or the wrong way round")
		} else if from != "" {
			one.values[codes.StationFrom], one.values[codes.StationTo] = from, orNil(to)
		}
		kind := levelOf(one.Data["nodeType"])
		if kind == "" {
			if one.Data["nodeType"] != "" {
				one.bad(m, "nodeType", noExit, "没有层级“"+one.Data["nodeType"]+"”", "There is no level “"+one.Data["nodeType"]+"”")
			}
			continue
		}
		one.values[codes.NodeType] = kind
		for len(open) > 0 && slices.Index(levelOrder, text(open[len(open)-1].values[codes.NodeType])) >= slices.Index(levelOrder, kind) {
			open = open[:len(open)-1]
		}
		up := ""
		switch code := one.Data["code"]; {
		case one.wide:
			m.hung(one, there)
		case one.Data["parentCode"] != "":
			m.hang(one, one.Data["parentCode"], inFile, byCode)
		case one.id != "" && code != "": // what is there stays where it is
		case hasParent(code, inFile, byCode) != "":
			m.hang(one, hasParent(code, inFile, byCode), inFile, byCode)
		case len(open) > 0 && strange(code, open[len(open)-1].Data["code"]):
			m.hang(one, aboveCode(code), inFile, byCode) // it is not there: nobody knows whether the code or the place in the file is meant
		case len(open) > 0:
			one.above = open[len(open)-1]
		case m.parent != "":
			one.values[codes.ParentID] = m.parent
		}
		id := text(one.values[codes.ParentID])
		if up = level[id]; one.above != nil {
			up = text(one.above.values[codes.NodeType])
			id = one.above.id
		}
		if !(one.id != "" && one.above == nil && id == "") && !set.Below(up, kind) {
			over, down := levelName(up), levelName(kind)
			one.bad(m, "nodeType", forbidden, down.Zh+"不能放在"+over.Zh+"下面", down.In("en")+" can't be part of "+over.In("en"))
		}
		if id != "" && one.values[codes.ContractID] == nil && one.above == nil {
			if _, known := editable[id]; !known {
				editable[id] = m.Allowed(ctx, "edit", node, id) == nil
			}
			if !editable[id] {
				one.bad(m, "parentCode", forbidden, "不能在这个上级下面增加", "You can't add anything below it")
			}
		}
		if one.Data["code"] == "" && !one.wide && one.above == nil && id == "" && one.Data["nodeType"] != "" {
			one.bad(m, "code", empty, "最上级需要编码", "The top level needs a code")
		}
		open = append(open, one)
	}
	m.circles()
	return nil
}

// hasParent is the longest code whose parts a code begins with and that is in the file or there; "" when none is.
func hasParent(code string, inFile map[string]*ImportRow, there map[string]string) string {
	for code = aboveCode(code); code != "" && inFile[code] == nil && there[code] == ""; code = aboveCode(code) {
	}
	return code
}

// judgeLibrary reads processes of the library.
func judgeLibrary(ctx context.Context, m *importing) error {
	m.begin()
	there, err := idsBy(m.Rows(ctx, "quality.library", nil), func(r world.Row) string { return r.Text(codes.Code) })
	if err != nil {
		return err
	}
	inFile := m.once("code", there, func(r *ImportRow) string { return r.Data["code"] })
	kinds := map[string]string{"": codes.OptionProcess, "工序模板": codes.OptionTemplate, "模板": codes.OptionTemplate, "template": codes.OptionTemplate, "工序组": codes.OptionGroup, "group": codes.OptionGroup, "工序": codes.OptionProcess, "process": codes.OptionProcess}
	for _, r := range m.rows {
		r.take(codes.Code, "code")
		r.take(codes.Title, "title")
		r.take(codes.QbsType, "qbsType")
		kind, ok := kinds[strings.ToLower(r.Data["kind"])]
		if r.values[codes.Kind] = kind; !ok {
			r.bad(m, "kind", noExit, "没有类别“"+r.Data["kind"]+"”", "There is no kind “"+r.Data["kind"]+"”")
		}
		m.number(r, codes.SortKey, "sortKey", 0)
		m.yes(r, codes.Required, "required")
		if v := r.Data["parentCode"]; v != "" {
			m.hang(r, v, inFile, there)
		}
		var before []any
		for _, code := range strings.FieldsFunc(r.Data["prevCodes"], func(c rune) bool { return strings.ContainsRune(";；,，、", c) }) {
			switch code = strings.TrimSpace(code); {
			case code == "":
			case inFile[code] != nil && inFile[code] != r:
				before = append(before, inFile[code])
			case there[code] != "":
				before = append(before, there[code])
			default:
				r.bad(m, "prevCodes", noExit, "没有工序“"+code+"”", "There is no process “"+code+"”")
			}
		}
		if len(before) > 0 {
			r.last = map[string]any{codes.PrevIDs: before}
		}
	}
	m.circles()
	return nil
}

// judgeRelations reads bindings of components.
func judgeRelations(ctx context.Context, m *importing) error {
	m.begin()
	nodes, err := idsBy(m.Rows(ctx, "quality.tree", world.Args{"project": m.project}), func(r world.Row) string { return r.Text(codes.Code) })
	if err != nil {
		return err
	}
	parts, twice := map[string]string{}, map[string]bool{}
	for row, err := range m.Rows(ctx, "quality.components", world.Args{"id": m.project}) {
		if err != nil {
			return err
		}
		code := row.Text(codes.Code)
		twice[code] = parts[code] != ""
		parts[code], parts[code+"\x00"+row.Text(codes.GUID)] = row.ID, row.ID
	}
	there, bound := map[string]string{}, map[string]string{}
	for row, err := range m.Rows(ctx, "quality.boundStates", nil) {
		if err != nil {
			return err
		}
		there[row.Text(codes.QbsID)+" "+row.Text(codes.MbsID)] = row.ID
		bound[row.Text(codes.MbsID)] = row.Text(codes.QbsID)
	}
	for _, r := range m.rows {
		q, p := nodes[r.Data["qbsCode"]], parts[r.Data["mbsCode"]]
		if r.Data["guid"] != "" {
			p = parts[r.Data["mbsCode"]+"\x00"+r.Data["guid"]]
		} else if twice[r.Data["mbsCode"]] {
			r.bad(m, "mbsCode", repeat, "有几个构件的编码是“"+r.Data["mbsCode"]+"”", "Several components have the code “"+r.Data["mbsCode"]+"”")
		}
		if r.Data["qbsCode"] != "" && q == "" {
			r.bad(m, "qbsCode", noExit, "没有部位“"+r.Data["qbsCode"]+"”", "There is no node “"+r.Data["qbsCode"]+"”")
		}
		if r.Data["mbsCode"] != "" && p == "" {
			r.bad(m, "mbsCode", noExit, "没有构件“"+r.Data["mbsCode"]+"”", "There is no component “"+r.Data["mbsCode"]+"”")
		}
		r.values[codes.QbsID], r.values[codes.MbsID] = q, p
		m.number(r, codes.Ratio, "ratio", 0)
		if at := bound[p]; p != "" && at != "" && at != q && r.Data["ratio"] == "" {
			r.bad(m, "mbsCode", forbidden, "构件已挂接到别的部位", "The component is bound to another node")
		}
	}
	m.once("mbsCode", there, func(r *ImportRow) string {
		if text(r.values[codes.QbsID]) == "" || text(r.values[codes.MbsID]) == "" {
			return ""
		}
		return text(r.values[codes.QbsID]) + " " + text(r.values[codes.MbsID])
	})
	return nil
}
