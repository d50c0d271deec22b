// Package lockquality makes the data of examples/lock-quality: an invented ship lock in the third month of its construction, with its
// breakdown of some 3,000 nodes, processes, sheets, inspections and components. Its output is always the same, and it is committed:
//
//	go test ./internal/tools/lockquality -run TestData -update
//
// Facts come from tables and one random source; what follows from them, states and rates, is computed by the pack quality itself, so that
// the example shows what its people would have got.
package lockquality

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Row is a row of a data file.
type Row map[string]any

// The parties. Their departments come with examples/ship-lock.
const (
	employer   = "船闸建设指挥部"
	safety     = "质量安全部"
	supervisor = "江淮工程监理部"
	firstTeam  = "土建一工区"
	secondTeam = "土建二工区"
	steel      = "金属结构与机电项目部"
)

const project = "HJCZ2"

var people = []struct{ username, name, department, position, role string }{
	{"hanchengzhi", "韩承志", safety, "质量工程师", "R_OWNER"},
	{"fangzhiyuan", "方致远", supervisor, "总监理工程师", "R_CSUP"},
	{"lvsiqi", "吕思齐", supervisor, "水工监理工程师", "R_SUP"},
	{"luozhenhua", "罗振华", firstTeam, "项目经理", "R_CPM"},
	{"tanlixin", "谭立新", firstTeam, "质检员", "R_CQC"},
	{"fengxiaodong", "冯晓东", secondTeam, "质检员", "R_CQC"},
	{"pujianguo", "蒲建国", steel, "质检员", "R_CQC"},
	{"hejing", "何婧", supervisor, "试验工程师", "R_LAB"},
	{"shenmingzhe", "沈明哲", employer, "设计代表", "R_DESIGN"},
	{"gaoyan", "高岩", employer, "BIM 工程师", "R_BIM"},
	{"daixuefeng", "戴雪峰", employer, "质量监督员", "R_QSUP"},
}

// checker is the person of a contractor who inspects its works.
var checker = map[string]string{firstTeam: "tanlixin", secondTeam: "fengxiaodong", steel: "pujianguo"}

var contracts = []struct{ code, name, contractor, amount string }{
	{"HJCZ2-TJ1", "上闸首、闸室及上游导航墙工程", firstTeam, "186500000"},
	{"HJCZ2-TJ2", "下闸首、下游导航墙及引航道工程", secondTeam, "142800000"},
	{"HJCZ2-JJ", "金属结构与机电工程", steel, "96300000"},
}

var contractOf = map[string]string{firstTeam: "HJCZ2-TJ1", secondTeam: "HJCZ2-TJ2", steel: "HJCZ2-JJ"}

// step is a process of a template with the sheet that it asks for.
type step struct{ title, sheet, kind string }

// template is a template of the library of processes.
type template struct {
	code, title, discipline string
	steps                   []step
	items                   []item
}

// item is a check item. Tolerances are in its unit; design is the grade of concrete or the standard of compaction, which a laboratory tests.
type item struct {
	code, name, class, method, unit, low, high, design string
	points                                             int
	safety, machine                                    bool
}

var templates = []template{
	{"T-EARTH", "土石方开挖", "EARTH", []step{{"测量放样", "q_setout", "NOTICE"}, {"开挖", "q_work", "RECORD"}, {"检验批检查", "q_record", "LOT"}}, []item{
		{"EA-01", "底面高程", "MAIN", "POINT", "mm", "-50", "0", "", 10, true, false},
		{"EA-02", "轴线位置", "GENERAL", "POINT", "mm", "-100", "100", "", 8, false, false},
		{"EA-03", "坡面平整度", "GENERAL", "POINT", "mm", "-100", "100", "", 20, false, false}}},
	{"T-PILE", "钻孔灌注桩", "FOUNDATION", []step{{"测量放样", "q_setout", "NOTICE"}, {"成孔", "q_work", "RECORD"}, {"钢筋笼", "q_hidden", "HIDDEN"}, {"水下混凝土灌注", "q_work", "RECORD"}, {"检验批检查", "q_record", "LOT"}}, []item{
		{"PI-01", "孔底沉渣厚度", "MAIN", "POINT", "mm", "", "50", "", 6, true, false},
		{"PI-02", "孔位偏差", "GENERAL", "POINT", "mm", "-50", "50", "", 12, false, false},
		{"PI-03", "垂直度", "GENERAL", "POINT", "‰", "", "10", "", 12, true, false}}},
	{"T-CONC", "混凝土结构", "STRUCTURE", []step{{"测量放样", "q_setout", "NOTICE"}, {"钢筋", "q_hidden", "HIDDEN"}, {"模板", "q_work", "RECORD"}, {"混凝土浇筑", "q_work", "RECORD"}, {"检验批检查", "q_record", "LOT"}}, []item{
		{"CO-01", "轴线位置", "MAIN", "POINT", "mm", "-15", "15", "", 6, true, false},
		{"CO-02", "顶面高程", "GENERAL", "POINT", "mm", "-10", "10", "", 12, false, false},
		{"CO-03", "表面平整度", "GENERAL", "POINT", "mm", "", "8", "", 20, false, false},
		{"CO-04", "混凝土抗压强度", "MAIN", "STAT_STRENGTH", "MPa", "", "", "30", 3, true, false},
		{"CO-05", "表面无露筋、蜂窝和裂缝", "GENERAL", "YESNO", "", "", "", "", 4, false, false}}},
	{"T-FILL", "回填与防护", "EARTH", []step{{"测量放样", "q_setout", "NOTICE"}, {"分层填筑", "q_work", "RECORD"}, {"检验批检查", "q_record", "LOT"}}, []item{
		{"FI-01", "分层厚度", "MAIN", "POINT", "mm", "-30", "30", "", 10, false, false},
		{"FI-02", "坡面平整度", "GENERAL", "POINT", "mm", "-100", "100", "", 20, false, false},
		{"FI-03", "压实度", "MAIN", "STAT_COMPACTION", "%", "", "", "95", 6, true, false}}},
	{"T-STEEL", "金属结构制作与安装", "GATE", []step{{"下料与拼装", "q_work", "RECORD"}, {"焊接", "q_work", "RECORD"}, {"防腐", "q_hidden", "HIDDEN"}, {"检验批检查", "q_record", "LOT"}}, []item{
		{"ST-01", "面板平面度", "MAIN", "POINT", "mm", "", "3", "", 12, true, false},
		{"ST-02", "对角线差", "GENERAL", "POINT", "mm", "-4", "4", "", 4, false, false}}},
	{"T-MACH", "机电设备安装", "ELECTRIC", []step{{"基础复核", "q_setout", "NOTICE"}, {"安装", "q_work", "RECORD"}, {"检验批检查", "q_record", "LOT"}}, []item{
		{"MA-01", "安装水平度", "MAIN", "POINT", "mm/m", "", "0.2", "", 8, false, true},
		{"MA-02", "中心线偏差", "GENERAL", "POINT", "mm", "-2", "2", "", 8, false, true}}},
}

// works is a work item: its lots, how many of them are done, and on which day of the project the first one began.
type works struct {
	name, template string
	lots, done     int
	from           int
	quantity       float64
	unit           string
}

type division struct {
	name  string
	main  bool
	works []works
}

// unitWorks are unit works with their place along the lock's axis in meters.
type unitWorks struct {
	name, contractor, discipline string
	from, to                     int
	divisions                    []division
}

func head(done [4]int) []division {
	return []division{
		{"基坑与地基", true, []works{{"基坑开挖", "T-EARTH", 30, done[0], 2, 58000, "m³"}, {"地基灌注桩", "T-PILE", 60, done[1], 18, 3600, "m"}}},
		{"底板", true, []works{{"底板混凝土", "T-CONC", 36, done[2], 46, 12400, "m³"}, {"底板止水", "T-CONC", 18, 0, 60, 460, "m"}}},
		{"左边墩", true, []works{{"墩身混凝土", "T-CONC", 64, 0, 90, 9300, "m³"}, {"空箱混凝土", "T-CONC", 24, 0, 110, 2600, "m³"}}},
		{"右边墩", true, []works{{"墩身混凝土", "T-CONC", 64, 0, 92, 9300, "m³"}, {"空箱混凝土", "T-CONC", 24, 0, 112, 2600, "m³"}}},
		{"输水系统", false, []works{{"输水廊道混凝土", "T-CONC", 40, 0, 100, 3900, "m³"}, {"阀门井混凝土", "T-CONC", 20, done[3], 120, 1400, "m³"}}},
	}
}

func guideWall(piles, caps int) []division {
	return []division{
		{"桩基", true, []works{{"钻孔灌注桩", "T-PILE", 90, piles, 20, 5200, "m"}}},
		{"导航墙", true, []works{{"导航墙混凝土", "T-CONC", 96, caps, 62, 8600, "m³"}, {"墙后回填", "T-FILL", 40, 0, 130, 21000, "m³"}}},
		{"靠船墩", false, []works{{"墩身混凝土", "T-CONC", 64, 0, 95, 4200, "m³"}, {"靠船钢护面", "T-STEEL", 24, 0, 150, 130, "t"}}},
	}
}

func approach(dug int) []division {
	return []division{
		{"航道开挖", false, []works{{"土方开挖", "T-EARTH", 48, dug, 15, 186000, "m³"}}},
		{"护坡与护底", false, []works{{"混凝土护坡", "T-CONC", 64, 0, 120, 6400, "m³"}, {"抛石护底", "T-FILL", 32, 0, 115, 15800, "m³"}}},
	}
}

var lock = []unitWorks{
	{"上闸首", firstTeam, "STRUCTURE", 120, 158, head([4]int{30, 46, 9, 0})},
	{"闸室", firstTeam, "STRUCTURE", 158, 388, []division{
		{"基坑与地基", true, []works{{"基坑开挖", "T-EARTH", 60, 51, 4, 164000, "m³"}, {"地基灌注桩", "T-PILE", 80, 38, 22, 9800, "m"}}},
		{"底板", true, []works{{"底板混凝土", "T-CONC", 96, 13, 48, 38600, "m³"}, {"底板止水", "T-CONC", 48, 0, 64, 1480, "m"}}},
		{"左闸墙", true, []works{{"墙身混凝土", "T-CONC", 128, 0, 95, 28100, "m³"}, {"墙后回填", "T-FILL", 40, 0, 140, 36000, "m³"}}},
		{"右闸墙", true, []works{{"墙身混凝土", "T-CONC", 128, 0, 97, 28100, "m³"}, {"墙后回填", "T-FILL", 40, 0, 142, 36000, "m³"}}},
		{"附属设施", false, []works{{"浮式系船柱", "T-STEEL", 48, 0, 170, 96, "t"}, {"爬梯与护舷", "T-STEEL", 48, 0, 175, 74, "t"}}}}},
	{"下闸首", secondTeam, "STRUCTURE", 388, 426, head([4]int{24, 14, 0, 0})},
	{"上游导航墙与靠船墩", firstTeam, "GUIDE", -80, 120, guideWall(31, 4)},
	{"下游导航墙与靠船墩", secondTeam, "GUIDE", 426, 626, guideWall(12, 0)},
	{"上游引航道", secondTeam, "EARTH", -460, -80, approach(22)},
	{"下游引航道", secondTeam, "EARTH", 626, 1010, approach(9)},
	{"跨闸公路桥", secondTeam, "STRUCTURE", 150, 400, []division{
		{"基础", true, []works{{"钻孔灌注桩", "T-PILE", 64, 10, 40, 2800, "m"}, {"承台", "T-CONC", 32, 0, 100, 1600, "m³"}}},
		{"下部结构", true, []works{{"墩柱", "T-CONC", 48, 0, 120, 1100, "m³"}, {"盖梁", "T-CONC", 32, 0, 140, 900, "m³"}}},
		{"上部结构", false, []works{{"预制梁", "T-CONC", 72, 0, 150, 2400, "m³"}, {"桥面铺装", "T-CONC", 32, 0, 190, 800, "m³"}}}}},
	{"金属结构与机电", steel, "GATE", 120, 426, []division{
		{"闸门", true, []works{{"人字门制作", "T-STEEL", 32, 5, 30, 860, "t"}, {"人字门安装", "T-STEEL", 16, 0, 200, 860, "t"}, {"阀门制作与安装", "T-STEEL", 24, 0, 190, 240, "t"}}},
		{"启闭机", true, []works{{"液压启闭机安装", "T-MACH", 16, 0, 210, 8, "台"}}},
		{"电气与控制", false, []works{{"电缆敷设", "T-MACH", 24, 0, 220, 24, "km"}, {"集中控制系统", "T-MACH", 12, 0, 230, 1, "套"}}}}},
	{"施工围堰与导流", secondTeam, "EARTH", -100, 640, []division{
		{"围堰", true, []works{{"堰体填筑", "T-FILL", 40, 40, 0, 92000, "m³"}, {"防渗墙", "T-PILE", 24, 24, 8, 2600, "m"}}},
		{"导流", false, []works{{"导流明渠开挖", "T-EARTH", 24, 24, 3, 64000, "m³"}}}}},
}

// lot is an inspection lot with the day on which its inspection is due; started says how many of its processes have their sheets.
type lot struct {
	code, name, contractor string
	template               template
	day                    time.Time
	started                int
	quantity               float64
	unit                   string
}

var begin = time.Date(2026, 9, 7, 0, 0, 0, 0, time.UTC)

func station(m int) string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	return fmt.Sprintf("K%s%d+%03d", sign, m/1000, m%1000)
}

func templateOf(code string) template {
	for _, t := range templates {
		if t.code == code {
			return t
		}
	}
	panic(code)
}

func date(t time.Time) string { return t.Format("2006-01-02") }

// breakdown gives the nodes, parents first, and the lots of which works have begun.
func breakdown() (nodes []Row, lots []lot) {
	add := func(code, parent, level, name string, more Row) {
		row := Row{"projectId": project, "code": code, "name": name, "nodeType": level, "sortKey": len(nodes) + 1}
		if parent != "" {
			row["parentId"] = parent
		}
		for k, v := range more {
			row[k] = v
		}
		nodes = append(nodes, row)
	}
	add("CZ", "", "PROJECT", "淮江二线船闸工程", nil)
	for u, unit := range lock {
		uc := fmt.Sprintf("CZ-%02d", u+1)
		add(uc, "CZ", "UNIT", unit.name, Row{"contractId": contractOf[unit.contractor], "professional": unit.discipline, "stationFrom": station(unit.from), "stationTo": station(unit.to),
			"drawingNo": fmt.Sprintf("HJCZ2-S-%02d", u+1), "mainFlag": u < 3})
		for i, d := range unit.divisions {
			dc := fmt.Sprintf("%s-%02d", uc, i+1)
			add(dc, uc, "DIVISION", d.name, Row{"contractId": contractOf[unit.contractor], "professional": unit.discipline, "mainFlag": d.main})
			for j, w := range d.works {
				wc := fmt.Sprintf("%s-%02d", dc, j+1)
				first := begin.AddDate(0, 0, w.from)
				t := templateOf(w.template)
				add(wc, dc, "ITEM", w.name, Row{"contractId": contractOf[unit.contractor], "professional": t.discipline, "mainFlag": d.main && j == 0, "designQty": w.quantity, "unit": w.unit,
					"planStart": date(first), "planFinish": date(first.AddDate(0, 0, 6+w.lots)), "dueSetId": t.code})
				for n := range w.lots {
					lc, day := fmt.Sprintf("%s-%03d", wc, n+1), first.AddDate(0, 0, 4+n)
					length := (unit.to - unit.from) * 1000 / w.lots
					more := Row{"contractId": contractOf[unit.contractor], "designQty": fmt.Sprintf("%.1f", w.quantity/float64(w.lots)), "unit": w.unit, "planStart": date(day.AddDate(0, 0, -4)),
						"planFinish": date(day), "stationFrom": station(unit.from + n*length/1000), "stationTo": station(unit.from + (n+1)*length/1000)}
					if started := startedOf(w, n, len(t.steps)); started > 0 {
						lots = append(lots, lot{code: lc, name: name(w, n), contractor: unit.contractor, template: t, day: day, started: started, quantity: w.quantity / float64(w.lots), unit: w.unit})
						more["jbsTemplateId"] = t.code
					}
					add(lc, wc, "LOT", name(w, n), more)
				}
			}
		}
	}
	return nodes, lots
}

// startedOf is how many processes of the nth lot have their sheets: all of those that are done, some of the two that follow.
func startedOf(w works, n, steps int) int {
	switch {
	case n < w.done:
		return steps
	case w.done > 0 && w.done < w.lots && n == w.done:
		return steps - 2
	case w.done > 0 && w.done < w.lots && n == w.done+1:
		return 1
	}
	return 0
}

func name(w works, n int) string {
	switch w.template {
	case "T-PILE":
		return fmt.Sprintf("%s %d#～%d#", w.name, 6*n+1, 6*n+6)
	case "T-CONC":
		return fmt.Sprintf("%s第 %d 段第 %d 层", w.name, n/4+1, n%4+1)
	case "T-EARTH", "T-FILL":
		return fmt.Sprintf("%s第 %d 层%s", w.name, n/2+1, []string{"左侧", "右侧"}[n%2])
	}
	return fmt.Sprintf("%s %d#", w.name, n+1)
}

// readings are what was measured for an item: all within the tolerances, or so many of them not.
func readings(r *rand.Rand, it item, bad int) string {
	out := make([]string, it.points)
	switch it.method {
	case "YESNO":
		for i := range out {
			out[i] = "是"
		}
		return join(out)
	case "STAT_STRENGTH", "STAT_COMPACTION":
		span := map[string][2]float64{"STAT_STRENGTH": {5, 8}, "STAT_COMPACTION": {1.5, 3.5}}[it.method]
		for i := range out {
			out[i] = fmt.Sprintf("%.1f", bound(it.design, 0)+span[0]+(span[1]-span[0])*r.Float64())
		}
		return join(out)
	}
	low, high := bound(it.low, 0), bound(it.high, 0)
	if it.low == "" {
		low = high * 0.1
	}
	places := 0
	if high <= 10 {
		places = 1
	}
	if high <= 1 {
		places = 2
	}
	for i := range out {
		v := low + (high-low)*(0.1+0.8*r.Float64())
		if i < bad {
			v = high + (high-low)*(0.05+0.12*r.Float64())
		}
		out[i] = fmt.Sprintf("%.*f", places, v)
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return join(out)
}
