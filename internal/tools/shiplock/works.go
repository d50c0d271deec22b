package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

func number(prefix string, n int) string { return fmt.Sprintf("%s%03d", prefix, n) }

// unit is a unit of the works with its divisions and their items. Kinds of items are keys of checks.
type unit struct {
	code, name, english, contractor string
	divisions                       []division
}

type division struct {
	name      string
	essential bool
	items     []item
}

type item struct {
	name, kind string
	quantity   float64
}

var units = []unit{
	{"01", "上游引航道", "Upstream approach", secondTeam, []division{
		{"航道开挖", false, []item{{"土方开挖", "earth", 186000}, {"岸坡修整", "earth", 42000}}},
		{"导航墙与靠船墩", true, []item{{"灌注桩", "pile", 5200}, {"墩身混凝土", "concrete", 8600}, {"靠船钢护面", "steel", 130}}},
		{"护坡与护底", false, []item{{"混凝土护坡", "concrete", 6400}, {"抛石护底", "earth", 15800}}}}},
	{"02", "上闸首", "Upper gate head", firstTeam, []division{
		{"基坑与地基", true, []item{{"基坑开挖", "earth", 58000}, {"地基灌注桩", "pile", 3600}}},
		{"底板", true, []item{{"底板钢筋", "rebar", 620}, {"底板模板", "formwork", 2100}, {"底板混凝土", "concrete", 12400}}},
		{"边墩", true, []item{{"边墩钢筋", "rebar", 840}, {"边墩模板", "formwork", 7600}, {"边墩混凝土", "concrete", 18700}}},
		{"输水廊道", false, []item{{"廊道钢筋", "rebar", 210}, {"廊道混凝土", "concrete", 3900}, {"止水安装", "waterstop", 460}}}}},
	{"03", "闸室", "Lock chamber", firstTeam, []division{
		{"基坑与地基", true, []item{{"基坑开挖", "earth", 164000}, {"地基处理", "pile", 9800}}},
		{"底板", true, []item{{"底板钢筋", "rebar", 1900}, {"底板混凝土", "concrete", 38600}, {"底板止水", "waterstop", 1480}}},
		{"闸室墙", true, []item{{"墙身钢筋", "rebar", 2650}, {"墙身模板", "formwork", 31200}, {"墙身混凝土", "concrete", 56300}}},
		{"附属设施", false, []item{{"浮式系船柱", "steel", 96}, {"爬梯与护舷", "steel", 74}}}}},
	{"04", "下闸首", "Lower gate head", secondTeam, []division{
		{"基坑与地基", true, []item{{"基坑开挖", "earth", 61000}, {"地基灌注桩", "pile", 3900}}},
		{"底板", true, []item{{"底板钢筋", "rebar", 650}, {"底板混凝土", "concrete", 13100}}},
		{"边墩", true, []item{{"边墩钢筋", "rebar", 890}, {"边墩混凝土", "concrete", 19800}, {"边墩止水", "waterstop", 380}}}}},
	{"05", "下游引航道", "Downstream approach", secondTeam, []division{
		{"航道开挖", false, []item{{"土方开挖", "earth", 204000}}},
		{"导航墙与靠船墩", true, []item{{"灌注桩", "pile", 5600}, {"墩身混凝土", "concrete", 9100}}}}},
	{"06", "金属结构与机电", "Gates and machinery", steel, []division{
		{"闸门", true, []item{{"人字门制作", "steel", 860}, {"人字门安装", "steel", 860}, {"阀门安装", "steel", 240}}},
		{"启闭机", true, []item{{"液压启闭机安装", "machine", 8}}},
		{"电气与控制", false, []item{{"电缆敷设", "machine", 24}, {"集中控制系统", "machine", 1}}}}},
}

var measures = map[string]string{"earth": "m³", "concrete": "m³", "rebar": "t", "formwork": "m²", "pile": "m", "waterstop": "m", "steel": "t", "machine": "项"}

func breakdown() []row {
	var out []row
	for _, u := range units {
		out = append(out, row{{"code", u.code}, {"name", u.name}, {"level", "UNIT"}, {"unit", u.contractor}, {"key", true}, {"remark", u.english}})
		for i, d := range u.divisions {
			code := fmt.Sprintf("%s-%02d", u.code, i+1)
			out = append(out, row{{"code", code}, {"name", d.name}, {"parent", u.code}, {"level", "DIVISION"}, {"unit", u.contractor}, {"key", d.essential}})
			for j, it := range d.items {
				out = append(out, row{{"code", fmt.Sprintf("%s-%02d", code, j+1)}, {"name", it.name}, {"parent", code}, {"level", "ITEM"}, {"unit", u.contractor},
					{"quantity", it.quantity}, {"measure", measures[it.kind]}})
			}
		}
	}
	return out
}

func sites() []row {
	place := func(code, detail string) map[string]string { return map[string]string{"code": code, "detail": detail} }
	var out []row
	for i, s := range []struct {
		name, kind, keeper  string
		place               map[string]string
		units               []string
		from, until         string
		area                float64
		longitude, latitude string // of WGS 84
	}{
		{"上闸首作业面", "WORK", "caoyong", place("320831", "入江水道东侧，桩号 K0+120 至 K0+158"), []string{firstTeam, steel}, "06:00", "22:00", 4200, "119.012150", "33.022500"},
		{"闸室作业面", "WORK", "caoyong", place("320831", "桩号 K0+158 至 K0+388"), []string{firstTeam}, "06:00", "22:00", 9800, "119.015150", "33.022487"},
		{"下闸首作业面", "WORK", "tianye", place("320831", "桩号 K0+388 至 K0+426"), []string{secondTeam, steel}, "06:00", "22:00", 4400, "119.018150", "33.022500"},
		{"上游引航道作业面", "WORK", "tianye", place("320831", "桩号 K-0+460 至 K0+120"), []string{secondTeam}, "06:00", "20:00", 61000, "119.008850", "33.023250"},
		{"下游引航道作业面", "WORK", "tianye", place("320831", "桩号 K0+426 至 K1+010"), []string{secondTeam}, "06:00", "20:00", 64500, "119.021150", "33.023125"},
		{"混凝土拌和站", "PLANT", "liangdahai", place("320831", "南岸滩地，距闸址 1.2 公里"), []string{civil}, "00:00", "23:59", 12600, "119.009150", "33.020250"},
		{"钢筋加工场", "PLANT", "liangdahai", place("320831", "南岸进场路北侧"), []string{firstTeam, secondTeam}, "07:00", "19:00", 5200, "119.014100", "33.020312"},
		{"金结拼装场", "YARD", "yuhaiyang", place("320831", "下闸首东侧"), []string{steel}, "07:00", "19:00", 7300, "119.019725", "33.021125"},
		{"弃土场", "YARD", "tianye", place("320813", "河道管理范围外低洼地"), []string{secondTeam}, "06:00", "20:00", 88000, "119.022200", "33.019937"},
		{"指挥部驻地", "OFFICE", "qinlu", place("320831", "建设路 88 号"), []string{employer, supervisor}, "08:30", "17:30", 3100, "119.011625", "33.019650"},
	} {
		out = append(out, row{{"code", number("GD-", i+1)}, {"name", s.name}, {"kind", s.kind}, {"place", s.place}, {"longitude", s.longitude}, {"latitude", s.latitude}, {"keeper", s.keeper}, {"units", s.units},
			{"openFrom", s.from + ":00"}, {"openUntil", s.until + ":00"}, {"area", s.area}})
	}
	return out
}

// drawings gives two or three drawings for each unit.
func drawings(r *rand.Rand) []row {
	var out []row
	for _, u := range units {
		titles := []struct{ name, discipline string }{{"平面布置图", "HYDRAULIC"}, {"结构图", "STRUCTURE"}, {"钢筋图", "STRUCTURE"}, {"地质剖面图", "GEOTECHNICAL"}}
		if u.contractor == steel {
			titles = []struct{ name, discipline string }{{"人字门总图", "GATES"}, {"液压启闭机布置图", "GATES"}, {"控制系统图", "ELECTRICAL"}, {"电缆布置图", "ELECTRICAL"}}
		}
		for i, t := range titles {
			status, revision := "ISSUED", "A"
			if r.IntN(6) == 0 {
				revision = "B"
			}
			if i == 3 && r.IntN(3) == 0 {
				status = "REVIEW"
			}
			issued := day(2024, 1, 10).AddDate(0, 0, r.IntN(150))
			out = append(out, row{{"number", fmt.Sprintf("CZ-S-%s-%02d", u.code, i+1)}, {"name", u.name + strings.TrimPrefix(t.name, u.name)}, {"discipline", t.discipline},
				{"revision", revision}, {"status", status}, {"issuedOn", date(issued)}, {"part", u.code}, {"designer", pick(r, []string{"chenjianping", "hexiaolan"})}})
		}
	}
	return out
}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func date(t time.Time) string { return t.Format("2006-01-02") }
