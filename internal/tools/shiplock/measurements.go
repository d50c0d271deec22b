package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// stakes are where structures are along the axis of the lock, in meters.
var stakes = map[string][2]int{"上闸首": {120, 158}, "闸室": {158, 388}, "下闸首": {388, 426}}

// drawnIn is the unit of the works in whose drawings a structure is.
var drawnIn = map[string]string{"上闸首": "02", "闸室": "03", "下闸首": "04"}

// parts are what measurement sheets of a work are about.
var parts = map[string]string{"C25 混凝土底板": "底板", "C30 混凝土墙身": "墙身", "C30 混凝土输水廊道": "输水廊道", "普通模板": "墙身"}

// measurements are sheets for some entries of the period: two for each, whose quantities add up to the one in the period.
func measurements() []row {
	r := rand.New(rand.NewPCG(2025, 3))
	var out []row
	for _, e := range bill() {
		part := parts[strings.TrimSpace(strings.TrimPrefix(e.name, e.structure))]
		at, known := stakes[e.structure]
		if part == "" || !known || e.thisQ < 20_000 {
			continue
		}
		first := rounded(float64(e.thisQ)/1000*(0.4+0.2*r.Float64()), e.places)
		for i, q := range []int64{first, e.thisQ - first} {
			from := at[0] + (at[1]-at[0])*(4*i+r.IntN(3))/8
			claimed := q
			if r.IntN(3) == 0 {
				claimed = rounded(float64(q)/1000*(1.005+0.02*r.Float64()), e.places)
			}
			n := len(out) + 1
			out = append(out, row{{"sheetNo", fmt.Sprintf("%s-%03d", periodNo, n)}, {"period", periodNo}, {"itemNo", e.no}, {"itemName", e.name}, {"unit", e.unit}, {"price", yuan(e.price)},
				{"location", fmt.Sprintf("%s%s第 %d 段", e.structure, part, 3*i+1+r.IntN(3))}, {"stake", stake(from) + " ～ " + stake(from+12)},
				{"drawing", "CZ-S-" + drawnIn[e.structure] + "-02"}, {"formula", calculation(r, q, e.unit, part)}, {"claimed", thousandths(claimed)}, {"checked", thousandths(q)}})
		}
	}
	return out
}

func stake(m int) string { return fmt.Sprintf("K0+%03d", m) }

// calculation are lines whose results add up to a quantity.
func calculation(r *rand.Rand, q int64, unit, part string) string {
	var lines []string
	var sum int64 // thousandths
	plus := func(name string, sides ...int64) {
		product, factor := int64(1), int64(1)
		texts := make([]string, len(sides))
		for i, s := range sides { // hundredths
			product, factor = product*s, factor*100
			texts[i] = fmt.Sprintf("%d.%02d", s/100, s%100)
		}
		v := (product*1000 + factor/2) / factor
		sum += v
		lines = append(lines, fmt.Sprintf("%s%s = %s %s", name, strings.Join(texts, " × "), thousandths(v), unit))
	}
	across := func(share float64, fixed ...int64) []int64 { // a side so that the product is about a share of the quantity
		area := int64(1)
		for _, s := range fixed {
			area *= s
		}
		scale := 1.0
		for range fixed {
			scale *= 100
		}
		return append([]int64{max(int64(float64(q)/1000*share/(float64(area)/scale)*100), 1)}, fixed...)
	}
	switch unit {
	case "m³":
		plus("① "+part+"：", across(0.72, 1200+int64(r.IntN(300)), 180+int64(r.IntN(80)))...)
		plus("② 加厚段：", across(0.33, 600+int64(r.IntN(200)), 90+int64(r.IntN(40)))...)
	case "m²":
		plus("① 迎水面：", across(0.55, 620+int64(r.IntN(200)))...)
		plus("② 背水面：", across(0.5, 620+int64(r.IntN(200)))...)
	}
	if rest := q - sum; rest < 0 {
		lines = append(lines, fmt.Sprintf("③ 扣除孔洞与重叠：-%s %s", thousandths(-rest), unit))
	} else if rest > 0 {
		lines = append(lines, fmt.Sprintf("③ 其他：%s %s", thousandths(rest), unit))
	}
	return strings.Join(append(lines, fmt.Sprintf("合计：%s %s", thousandths(q), unit)), "\n")
}
