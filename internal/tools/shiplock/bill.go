package main

import (
	"fmt"
	"math/rand/v2"
	"unicode/utf8"
)

// The contract whose works are measured, by its place in agreements, and the period.
const (
	measured = 2
	periodNo = "JL-002-12"
)

// work is an entry of the bill of quantities that comes back in each structure. Base is its quantity in a structure of size 1.
type work struct {
	name, unit  string
	price, base float64
	places      int // decimals of quantities
}

// chapter is a chapter of the bill. Done is how much of it is measured before the period, now how much in it.
type chapter struct {
	no        int
	name      string
	done, now float64
	works     []work
}

// general are the works of chapter 100: lump sums.
var general = []struct {
	name string
	yuan float64
}{
	{"建筑工程一切险", 559500}, {"第三者责任险", 93200}, {"施工环境保护费", 428000}, {"安全生产费", 2797500}, {"竣工文件编制费", 260000}, {"临时道路修建与养护", 684000},
	{"临时用电设施", 512000}, {"临时供水与排污", 268000}, {"施工驻地建设", 936000}, {"拌和站与钢筋场建设", 1240000}, {"工地试验室", 385000}, {"信息化管理与视频监控", 318000},
}

var structures = []struct {
	name string
	size float64
	lead float64 // how far its works are ahead of the others
}{{"上闸首", 0.71, 0.08}, {"闸室", 2.13, 0.02}, {"下闸首", 0.73, 0}, {"上游导航墙", 0.31, -0.04}, {"下游导航墙", 0.34, -0.1}, {"靠船墩", 0.17, -0.16}}

var chapters = []chapter{
	{200, "土石方工程", 0.9, 0.04, []work{{"土方开挖", "m³", 18.6, 58000, 1}, {"淤泥质土开挖", "m³", 24.3, 9600, 1}, {"建基面清理", "m²", 6.8, 4100, 1}, {"土方回填", "m³", 22.4, 31000, 1},
		{"砂砾石垫层", "m³", 138, 1450, 1}, {"弃土外运（运距 5 km）", "m³", 16.2, 36500, 1}}},
	{300, "地基与基础工程", 0.97, 0.03, []work{{"φ800 灌注桩", "m", 1120, 2100, 1}, {"φ1000 灌注桩", "m", 1460, 1500, 1}, {"水泥搅拌桩", "m", 62.5, 11800, 1}, {"高压旋喷桩", "m", 268, 1350, 1},
		{"桩头凿除", "根", 185, 148, 0}, {"单桩静载试验", "组", 18600, 3, 0}}},
	{400, "混凝土工程", 0.46, 0.07, []work{{"C15 混凝土垫层", "m³", 468, 620, 1}, {"C25 混凝土底板", "m³", 596, 11800, 1}, {"C30 混凝土墙身", "m³", 642, 14600, 1},
		{"C30 混凝土输水廊道", "m³", 688, 2350, 1}, {"C35 二期混凝土", "m³", 826, 340, 1}, {"C40 抗冲磨混凝土", "m³", 892, 260, 1}, {"普通模板", "m²", 68.5, 9200, 1},
		{"曲面模板", "m²", 146, 1280, 1}, {"大体积混凝土温控", "m³", 21.5, 21000, 1}, {"施工缝凿毛与清洗", "m²", 9.4, 7400, 1}}},
	{500, "钢筋与预埋件", 0.49, 0.07, []work{{"HRB400 钢筋（φ≤16）", "t", 5580, 168, 3}, {"HRB400 钢筋（16<φ≤25）", "t", 5460, 742, 3}, {"HRB400 钢筋（φ>25）", "t", 5390, 515, 3},
		{"直螺纹机械接头", "个", 9.8, 16400, 0}, {"预埋钢板与锚筋", "t", 8260, 24, 3}, {"植筋（φ20）", "根", 38, 860, 0}}},
	{600, "止水、伸缩缝与排水", 0.38, 0.06, []work{{"紫铜止水片（厚 1.2 mm）", "m", 236, 620, 1}, {"橡胶止水带", "m", 92, 860, 1}, {"闭孔泡沫板填缝", "m²", 48.5, 1350, 1}, {"聚硫密封胶", "m", 36.8, 1420, 1},
		{"φ200 软式透水管", "m", 64, 540, 1}, {"反滤料", "m³", 176, 780, 1}}},
	{700, "金属结构埋件", 0.14, 0.05, []work{{"闸门导轨与底槛埋件", "t", 16800, 21, 3}, {"启闭机基础埋件", "t", 14200, 13, 3}, {"阀门井埋件", "t", 15400, 9, 3}, {"埋件防腐", "m²", 96, 760, 1},
		{"埋件二期调整与固定", "套", 4200, 12, 0}}},
	{800, "附属与安全设施", 0, 0.02, []work{{"固定系船柱", "个", 6850, 8, 0}, {"爬梯", "m", 480, 76, 1}, {"D 型橡胶护舷", "m", 1260, 118, 1}, {"不锈钢栏杆", "m", 560, 320, 1}, {"水位标尺", "套", 3200, 3, 0}}},
	{900, "观测与环境保护", 0.3, 0.05, []work{{"沉降观测点", "个", 420, 18, 0}, {"渗压计", "支", 5600, 7, 0}, {"测斜管", "m", 210, 96, 1}, {"边坡草皮护坡", "m²", 14.6, 2200, 1}}},
}

// entry is a line of the bill with what is measured of it. Quantities are in thousandths, prices in fen.
type entry struct {
	chapter, no, name, unit            string
	price                              int64
	contract, revised, previous, thisQ int64
	structure                          string
	places                             int
}

// fen is a quantity times the price, rounded half up.
func (e entry) fen(q int64) int64 { return (q*e.price + 500) / 1000 }

func yuan(fen int64) string {
	sign := ""
	if fen < 0 {
		sign, fen = "-", -fen
	}
	return fmt.Sprintf("%s%d.%02d", sign, fen/100, fen%100)
}

func thousandths(q int64) string { return fmt.Sprintf("%d.%03d", q/1000, q%1000) }

// rounded cuts a quantity to its decimals.
func rounded(q float64, places int) int64 {
	step := []int64{1000, 100, 10, 1}[places]
	return (int64(q*1000) + step/2) / step * step
}

// joinedName has a space before letters and digits, as Chinese texts do.
func joinedName(of, what string) string {
	if r, _ := utf8.DecodeRuneInString(what); r < 0x2e80 {
		return of + " " + what
	}
	return of + what
}

// bill are the 300 entries of the contract, in their order.
func bill() []entry {
	r := rand.New(rand.NewPCG(2025, 12))
	var out []entry
	for i, g := range general {
		done := []float64{1, 1, 0.55, 0.52, 0, 0.8, 0.85, 0.8, 1, 1, 0.7, 0.6}[i]
		e := entry{chapter: "100 章 总则", no: fmt.Sprintf("101-%02d", i+1), name: g.name, unit: "总额", price: int64(g.yuan * 100), contract: 1000, revised: 1000, previous: rounded(done, 2), places: 2}
		if done > 0 && done < 1 {
			e.thisQ = 40
		}
		out = append(out, e)
	}
	for _, c := range chapters {
		for s, of := range structures {
			for i, w := range c.works {
				e := entry{chapter: fmt.Sprintf("%d 章 %s", c.no, c.name), no: fmt.Sprintf("%d-%02d", c.no+s+1, i+1), name: joinedName(of.name, w.name), unit: w.unit, structure: of.name, places: w.places}
				e.price = int64(w.price*(0.97+0.06*r.Float64())*10+0.5) * 10
				e.contract = rounded(w.base*of.size*(0.9+0.2*r.Float64()), w.places)
				if w.places == 0 {
					e.contract = max(e.contract, 1000)
				}
				e.revised = e.contract
				if r.IntN(9) == 0 {
					e.revised = rounded(float64(e.contract)/1000*(0.95+0.17*r.Float64()), w.places)
				}
				done := min(max(c.done+of.lead+0.1*(r.Float64()-0.5), 0), 1)
				if c.no == 800 || c.no == 700 && s > 2 {
					done = 0
				}
				e.previous = min(rounded(float64(e.revised)/1000*done, w.places), e.revised)
				if left := e.revised - e.previous; left > 0 && (c.no != 800 || s == 0) && r.IntN(4) > 0 {
					e.thisQ = min(rounded(float64(e.revised)/1000*c.now*(0.5+r.Float64()), w.places), left)
				}
				out = append(out, e)
			}
		}
	}
	return out
}

// periods are the measured periods of the contract: the one that is being signed.
func periods() []row {
	var lines []row
	for _, e := range bill() {
		lines = append(lines, row{{"chapter", e.chapter}, {"itemNo", e.no}, {"name", e.name}, {"unit", e.unit}, {"price", yuan(e.price)}, {"contractQty", thousandths(e.contract)},
			{"revisedQty", thousandths(e.revised)}, {"previousQty", thousandths(e.previous)}, {"currentQty", thousandths(e.thisQ)}})
	}
	return []row{{{"periodNo", periodNo}, {"contract", fmt.Sprintf("CZ-2024-%03d", measured)}, {"ordinal", 12}, {"startOn", "2025-02-26"}, {"endOn", "2025-03-25"}, {"lines", lines}}}
}

// sums are the amounts of a chapter in fen.
type sums struct{ contract, previous, current int64 }

// certificates are the interim payment certificates: chapters with their sums, what is paid beside them, and deductions.
func certificates() []row {
	var order []string
	by := map[string]*sums{}
	var total sums
	for _, e := range bill() {
		if by[e.chapter] == nil {
			order = append(order, e.chapter)
			by[e.chapter] = &sums{}
		}
		s := by[e.chapter]
		s.contract += e.fen(e.contract)
		s.previous += e.fen(e.previous)
		s.current += e.fen(e.thisQ)
	}
	var lines []row
	line := func(kind, name string, contract string, previous, current int64) {
		lines = append(lines, row{{"kind", kind}, {"name", name}, {"contractAmount", contract}, {"previous", yuan(previous)}, {"current", yuan(current)}})
	}
	for _, c := range order {
		s := by[c]
		line("WORKS", c, yuan(s.contract), s.previous, s.current)
		total.contract, total.previous, total.current = total.contract+s.contract, total.previous+s.previous, total.current+s.current
	}
	amount := int64(agreements[measured-1].wan) * 1_000_000
	daywork := int64(60_000_000)
	line("WORKS", "计日工", yuan(daywork), 8_432_000, 1_246_000)
	line("WORKS", "暂列金额", yuan(amount-daywork-total.contract), 0, 0)
	line("WORKS", "工程变更", "", 35_680_000, 4_820_000)
	line("WORKS", "价格调整", "", 51_234_060, 6_381_542)
	previous, current := total.previous+8_432_000+35_680_000+51_234_060, total.current+1_246_000+4_820_000+6_381_542
	line("DEDUCTION", "扣回动员预付款", "", -(amount/10)*6/10, -(amount/10)*8/100)
	line("DEDUCTION", "材料预付款", "", 96_400_000, -18_250_000)
	line("DEDUCTION", "质量保证金（3%）", "", -(previous*3+50)/100, -(current*3+50)/100)
	line("DEDUCTION", "违约金", "", -2_000_000, -500_000)
	return []row{{{"certificateNo", "ZS-002-12"}, {"period", periodNo}, {"preparedOn", "2025-03-28"}, {"lines", lines}}}
}
