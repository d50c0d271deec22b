package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// check is one thing that is looked at in lots of a kind. Limit is the tolerance in the measure of the text. All points of a main one must pass.
type check struct {
	item, standard string
	limit          float64
	points         int
	main           bool
}

var checks = map[string][]check{
	"earth":     {{"坡面平整度", "±100 mm", 100, 20, false}, {"底面高程", "-50 ～ 0 mm", 50, 20, true}, {"轴线位置", "±100 mm", 100, 8, false}},
	"pile":      {{"孔位偏差", "≤ 50 mm", 50, 10, false}, {"孔深", "不小于设计值", 0, 10, true}, {"垂直度", "≤ 1 %", 1, 10, false}, {"沉渣厚度", "≤ 100 mm", 100, 10, true}},
	"rebar":     {{"受力钢筋间距", "±10 mm", 10, 30, false}, {"保护层厚度", "-5 ～ +10 mm", 10, 30, false}, {"接头位置", "符合图纸", 0, 10, true}, {"焊接长度", "≥ 10 d", 0, 10, true}},
	"formwork":  {{"模板平整度", "≤ 3 mm", 3, 20, false}, {"相邻板高差", "≤ 2 mm", 2, 20, false}, {"垂直度", "≤ 8 mm", 8, 10, true}, {"预埋件位置", "≤ 10 mm", 10, 8, false}},
	"concrete":  {{"轴线偏位", "≤ 10 mm", 10, 8, false}, {"顶面高程", "±10 mm", 10, 12, false}, {"表面平整度", "≤ 8 mm", 8, 20, false}, {"抗压强度", "不低于设计等级", 0, 3, true}, {"坍落度", "160 ～ 200 mm", 200, 6, false}},
	"waterstop": {{"中心线偏差", "±5 mm", 5, 12, false}, {"接头焊接", "煤油渗透无渗漏", 0, 6, true}, {"插入深度", "±10 mm", 10, 12, false}},
	"steel":     {{"焊缝外观", "二级", 0, 12, true}, {"面板平面度", "≤ 3 mm", 3, 20, false}, {"对角线差", "≤ 4 mm", 4, 4, false}, {"防腐涂层厚度", "≥ 320 μm", 0, 30, true}},
	"machine":   {{"安装水平度", "≤ 0.2 mm/m", 0.2, 8, false}, {"绝缘电阻", "≥ 10 MΩ", 0, 6, true}, {"空载试运行", "无异常", 0, 3, true}},
}

// price is the rate of a measure of each kind in yuan, where lots are paid by quantity.
var price = map[string]float64{"earth": 18.6, "pile": 1280, "rebar": 5460, "formwork": 68.5, "concrete": 642, "waterstop": 236, "steel": 15800, "machine": 0}

var faults = map[string][][]string{
	"earth":     {{"LEVEL"}, {"FLATNESS"}},
	"pile":      {{"DISPLACEMENT"}},
	"rebar":     {{"DISPLACEMENT"}, {"GEOMETRY"}},
	"formwork":  {{"FLATNESS"}, {"DISPLACEMENT", "FLATNESS"}},
	"concrete":  {{"HONEYCOMB"}, {"TEMPERATURE_CRACK"}, {"HONEYCOMB", "EXPOSED_REBAR"}, {"FLATNESS"}, {"SHRINKAGE_CRACK", "SEEPAGE"}},
	"waterstop": {{"SEEPAGE"}, {"DISPLACEMENT"}},
	"steel":     {{"GEOMETRY"}, {"COLOUR"}},
	"machine":   {{"LEVEL"}},
}

// leaf is an item of the breakdown as lots see it.
type leaf struct {
	code, name, unitName, contractor, kind string
	quantity                               float64
	first                                  time.Time // when its works began
}

// lots makes ten or so lots for each item: about one in fourteen is rejected, a few are undecided.
func lots(r *rand.Rand) []row {
	var out []row
	for _, l := range leaves() {
		count := 6 + r.IntN(4)
		if l.kind == "machine" {
			count = 2 + r.IntN(2)
		}
		at := l.first
		for n := 1; n <= count; n++ {
			at = at.AddDate(0, 0, 3+r.IntN(12))
			out = append(out, lot(r, l, n, count, at, len(out)+1))
		}
	}
	return out
}

func leaves() []leaf {
	var out []leaf
	for u, unit := range units {
		for i, d := range unit.divisions {
			for j, it := range d.items {
				out = append(out, leaf{fmt.Sprintf("%s-%02d-%02d", unit.code, i+1, j+1), it.name, unit.name, unit.contractor, it.kind, it.quantity,
					day(2024, 5+2*i, 6+3*u).AddDate(0, 0, 20*j)})
			}
		}
	}
	return out
}

func lot(r *rand.Rand, l leaf, n, count int, at time.Time, running int) row {
	result := "OK"
	switch k := r.IntN(28); {
	case k < 2:
		result = "BAD"
	case k == 2:
		result = "PENDING"
	}
	checkers, attending := inspectors(l.contractor)
	team := []string{attending[r.IntN(2)], attending[2]}
	weather, temperature := climate(r, at)
	quantity := math.Round(l.quantity/float64(count)*(0.4+r.Float64()*0.4)*10) / 10
	out := row{
		{"lotNo", fmt.Sprintf("JYP-%d-%03d", at.Year(), running)}, {"qbs", l.code}, {"part", part(r, l, n)}, {"contract", contractOf(l)}, {"site", siteOf(l)},
		{"unit", l.contractor}, {"parties", []string{supervisor, quality}}, {"quantity", fmt.Sprintf("%.1f", quantity)},
	}
	if price[l.kind] > 0 {
		out = append(out, field{"price", fmt.Sprintf("%.2f", price[l.kind])})
	}
	hidden := l.kind == "rebar" || l.kind == "pile" || l.kind == "waterstop"
	out = append(out, field{"checkDate", date(at)}, field{"startTime", fmt.Sprintf("%02d:%02d:00", 7+r.IntN(10), 10*r.IntN(6))})
	if l.kind == "concrete" {
		out = append(out, field{"pouredAt", at.Add(-time.Duration(50+r.IntN(40)) * time.Hour).Format("2006-01-02T15:00:00.000Z")})
	}
	out = append(out, field{"weather", weather}, field{"temperature", fmt.Sprintf("%.1f", temperature)}, field{"hidden", hidden},
		field{"methods", methods(l.kind)}, field{"items", itemsOf(r, l.kind, result, running)}, field{"result", result})
	if result == "BAD" {
		out = append(out, field{"defects", pick(r, faults[l.kind])}, field{"rectifyBy", date(at.AddDate(0, 0, 7+r.IntN(14)))},
			field{"remark", "按缺陷处理方案整改，整改完成后由监理复验。"})
	}
	return append(out, field{"inspector", checkers[0]}, field{"team", team}, field{"drawings", drawingsOf(l)},
		field{"place", map[string]string{"code": "320831", "detail": l.unitName}})
}

func part(r *rand.Rand, l leaf, n int) string {
	side := pick(r, []string{"左侧", "右侧"})
	switch l.kind {
	case "earth":
		return fmt.Sprintf("%s%s第 %d 层 %s", l.unitName, l.name, n, side)
	case "pile":
		return fmt.Sprintf("%s%s %d#～%d# 桩", l.unitName, l.name, 12*n-11, 12*n)
	case "steel", "machine":
		return fmt.Sprintf("%s %d# %s", l.name, n, side)
	}
	return fmt.Sprintf("%s%s第 %d 段 %s", l.unitName, l.name, n, side)
}

func itemsOf(r *rand.Rand, kind, result string, running int) []row {
	own := rand.New(rand.NewPCG(1, uint64(running))) // of what was added later, so that the rest stays as it was
	var out []row
	for i, c := range checks[kind] {
		passed, worst, ok := c.points, c.limit*(0.3+0.6*r.Float64()), true
		if r.IntN(3) == 0 && c.points > 5 {
			if lost := 1 + r.IntN(max(c.points/12, 1)); !c.main {
				passed, worst = passed-lost, worst/3+c.limit
			}
		}
		if result == "BAD" && i == 0 {
			passed, worst, ok = c.points*6/10, c.limit*(1.2+r.Float64()), false
		}
		one := row{{"item", c.item}, {"standard", c.standard}, {"points", c.points}, {"passed", passed}}
		if c.limit > 0 && c.item != "坍落度" {
			one = append(one, field{"value", fmt.Sprintf("%.2f", worst)})
		}
		class := "GENERAL"
		if c.main {
			class = "MAIN"
		}
		out = append(out, append(one, field{"ok", ok}, field{"kind", class}, field{"readings", readings(own, c, passed, worst)}))
	}
	return out
}

// readings are what was measured at up to ten points: the worst one, those that did not pass, and others within the limit.
func readings(r *rand.Rand, c check, passed int, worst float64) string {
	n := min(c.points, 10)
	var out []string
	add := func(v float64, places int) { out = append(out, strconv.FormatFloat(v, 'f', places, 64)) }
	switch {
	case c.item == "抗压强度":
		for range n {
			add(31+6*r.Float64(), 1)
		}
	case c.item == "坍落度":
		for range n {
			add(165+float64(5*r.IntN(7)), 0)
		}
	case c.item == "防腐涂层厚度":
		for range n {
			add(325+float64(r.IntN(60)), 0)
		}
	case c.item == "绝缘电阻":
		for range n {
			add(18+float64(r.IntN(40)), 0)
		}
	case c.limit == 0:
		return "符合要求"
	default:
		places := 0
		if c.limit <= 10 {
			places = 1
		}
		if c.limit <= 1 {
			places = 2
		}
		lost := min(c.points-passed, n)
		for i := range n {
			switch {
			case i == 0:
				add(worst, places)
			case i < lost:
				add(c.limit+(worst-c.limit)*(0.4+0.5*r.Float64()), places)
			default:
				add(min(worst, c.limit)*(0.15+0.8*r.Float64()), places)
			}
		}
		r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return strings.Join(out, "、")
}

// climate is the weather of a day near the Huai river.
func climate(r *rand.Rand, at time.Time) (string, float64) {
	mean := 15.5 - 12.5*math.Cos(2*math.Pi*float64(at.YearDay()-20)/365)
	weather := pick(r, []string{"SUNNY", "SUNNY", "CLOUDY", "CLOUDY", "OVERCAST", "LIGHT_RAIN"})
	if mean < 4 && r.IntN(8) == 0 {
		weather = "SNOW"
	}
	return weather, mean + 8*r.Float64() - 4
}

func methods(kind string) []string {
	switch kind {
	case "concrete", "pile":
		return []string{"MEASURE", "SAMPLE"}
	case "machine":
		return []string{"MEASURE", "RECORD"}
	}
	return []string{"LOOK", "MEASURE"}
}

// contractOf names the contract in progress that the works belong to: numbers are places in agreements.
func contractOf(l leaf) string {
	n := map[string]int{"上游引航道": 4, "上闸首": 2, "闸室": 2, "下闸首": 3, "下游引航道": 3, "金属结构与机电": 5}[l.unitName]
	return fmt.Sprintf("CZ-2024-%03d", n)
}

func siteOf(l leaf) string {
	n := map[string]int{"上闸首": 1, "闸室": 2, "下闸首": 3, "上游引航道": 4, "下游引航道": 5, "金属结构与机电": 8}[l.unitName]
	return number("GD-", n)
}

func drawingsOf(l leaf) []string {
	unit := l.code[:2]
	if l.kind == "rebar" {
		return []string{"CZ-S-" + unit + "-02", "CZ-S-" + unit + "-03"}
	}
	return []string{"CZ-S-" + unit + "-02"}
}
