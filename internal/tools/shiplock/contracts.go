package main

import (
	"fmt"
	"math/rand/v2"
)

type agreement struct {
	name, kind, partyB, status, scope string
	wan                               int // amount in units of ten thousand yuan
	month                             int // of signing, counted from January 2024
	days                              int // of the term
}

var agreements = []agreement{
	{"船闸土建工程施工总承包合同", "WORKS", civil, "ACTIVE", "上下闸首、闸室、引航道的土建工程，含基坑支护、地基处理、主体混凝土与导航建筑物。", 46800, 1, 900},
	{"闸首及闸室主体混凝土专业施工合同", "WORKS", firstTeam, "ACTIVE", "上闸首、闸室的钢筋、模板和混凝土施工。", 18650, 2, 640},
	{"下闸首及下游引航道施工合同", "WORKS", secondTeam, "ACTIVE", "下闸首与下游引航道全部土建内容。", 15920, 2, 660},
	{"上游引航道及导航墙施工合同", "WORKS", secondTeam, "ACTIVE", "上游引航道开挖、护坡护底、导航墙与靠船墩。", 9380, 3, 480},
	{"金属结构与机电设备采购及安装合同", "WORKS", steel, "ACTIVE", "人字门、阀门、液压启闭机和集中控制系统的制作、运输、安装与调试。", 12460, 4, 720},
	{"工程监理合同", "SUPERVISION", supervisor, "ACTIVE", "施工阶段质量、进度、投资控制与安全监理，含试验检测见证。", 1580, 1, 980},
	{"地基处理专项施工合同", "WORKS", firstTeam, "CLOSED", "闸室地基水泥搅拌桩复合地基。", 2240, 2, 210},
	{"基坑支护与降水工程合同", "WORKS", firstTeam, "CLOSED", "三处基坑的支护桩、降水井与监测。", 1860, 2, 260},
	{"商品混凝土供应合同", "SUPPLY", civil, "ACTIVE", "C25 至 C35 混凝土约 16 万立方米，按月结算。", 7450, 3, 780},
	{"钢筋采购合同", "SUPPLY", civil, "ACTIVE", "HRB400 热轧带肋钢筋约 8,600 吨。", 3620, 3, 600},
	{"止水材料采购合同", "SUPPLY", civil, "ACTIVE", "铜止水与橡胶止水。", 318, 4, 420},
	{"人字门支承件采购合同", "SUPPLY", steel, "ACTIVE", "底枢、顶枢与支枕垫块各四套。", 486, 5, 300},
	{"液压启闭机采购合同", "SUPPLY", steel, "ACTIVE", "人字门启闭机 4 台、阀门启闭机 4 台。", 1320, 5, 420},
	{"电缆及桥架采购合同", "SUPPLY", steel, "SUSPENDED", "动力与控制电缆 46 公里。", 392, 7, 260},
	{"集中控制与通航信号系统合同", "SUPPLY", steel, "DRAFT", "集控室、现地控制、视频与通航信号。", 685, 12, 360},
	{"第三方试验检测服务合同", "SERVICE", supervisor, "ACTIVE", "原材料、桩基与实体质量检测。", 268, 2, 900},
	{"安全监测服务合同", "SERVICE", supervisor, "ACTIVE", "基坑与主体结构变形、渗压监测。", 195, 3, 860},
	{"工程测量控制网复测合同", "SERVICE", civil, "CLOSED", "施工控制网加密与两次复测。", 48, 1, 180},
	{"施工用电接入工程合同", "WORKS", steel, "CLOSED", "10 千伏临时用电线路与箱变。", 236, 1, 120},
	{"进场道路工程合同", "WORKS", secondTeam, "CLOSED", "南岸进场路 1.8 公里。", 412, 1, 150},
	{"围堰工程施工合同", "WORKS", secondTeam, "ACTIVE", "上下游土石围堰填筑、防渗与拆除。", 1650, 2, 760},
	{"弃土外运合同", "SERVICE", secondTeam, "ACTIVE", "开挖土方外运与弃土场整治。", 980, 3, 540},
	{"鱼道与生态护岸施工合同", "WORKS", secondTeam, "DRAFT", "生态护岸 1,100 米与鱼道。", 860, 13, 400},
	{"闸区建筑工程合同", "WORKS", firstTeam, "DRAFT", "启闭机房、集控楼与配套用房。", 1240, 14, 420},
	{"桥梁涉航防护合同", "WORKS", civil, "SUSPENDED", "跨闸公路桥防撞设施。", 356, 6, 240},
	{"水土保持与环境监测合同", "SERVICE", supervisor, "ACTIVE", "施工期水土保持、水质与噪声监测。", 88, 2, 900},
	{"运行操作培训服务合同", "SERVICE", steel, "ACTIVE", "闸门、启闭机与集控系统的操作和维护培训。", 36, 9, 420},
	{"档案整编服务合同", "SERVICE", supervisor, "ACTIVE", "施工过程档案收集、整编与数字化。", 42, 4, 900},
	{"钢模板台车租赁合同", "SUPPLY", firstTeam, "ACTIVE", "闸室墙移动模架两套。", 276, 5, 520},
	{"塔式起重机租赁合同", "SUPPLY", firstTeam, "ACTIVE", "塔吊四台及附着。", 318, 3, 620},
}

func contracts(r *rand.Rand) []row {
	var out []row
	for i, a := range agreements {
		signed := day(2024, a.month, 4).AddDate(0, 0, r.IntN(22))
		start := signed.AddDate(0, 0, 10)
		partyA, manager := employer, pick(r, []string{"dengxiuying", "fanwenbo"})
		if a.partyB == firstTeam || a.partyB == secondTeam {
			partyA = civil
		}
		out = append(out, row{{"contractNo", fmt.Sprintf("CZ-%d-%03d", signed.Year(), i+1)}, {"name", a.name}, {"kind", a.kind}, {"partyA", partyA}, {"partyB", a.partyB},
			{"manager", manager}, {"signedOn", date(signed)}, {"startOn", date(start)}, {"endOn", date(start.AddDate(0, 0, a.days))}, {"status", a.status},
			{"amount", fmt.Sprintf("%d0000", a.wan)}, {"payments", payments(a)}, {"scope", a.scope}})
	}
	return out
}

// payments spreads the amount over the milestones of its kind; how much is paid follows from the state.
func payments(a agreement) []row {
	steps := []struct {
		name  string
		share int // percent
		at    int // percent of the term
	}{{"预付款", 10, 0}, {"进度款一期", 30, 30}, {"进度款二期", 35, 65}, {"完工结算", 22, 100}, {"质量保证金", 3, 165}}
	if a.kind == "SERVICE" || a.kind == "SUPERVISION" {
		steps = steps[:4]
		steps[3].share = 25
	}
	done := map[string]int{"ACTIVE": 65, "SUSPENDED": 30, "CLOSED": 100, "DRAFT": -1}[a.status]
	var out []row
	for _, s := range steps {
		due := day(2024, a.month, 20).AddDate(0, 0, a.days*s.at/100)
		r := row{{"milestone", s.name}, {"dueOn", date(due)}, {"ratio", fmt.Sprintf("0.%02d", s.share)}}
		if s.at <= done && (s.at < 65 || a.status == "CLOSED") {
			r = append(r, field{"paid", fmt.Sprintf("%d", a.wan*100*s.share)}, field{"paidOn", date(due.AddDate(0, 0, 6))})
		}
		out = append(out, r)
	}
	return out
}
