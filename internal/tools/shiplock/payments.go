package main

import "fmt"

// request is a request for payment; the number of its contract is its place in agreements.
type request struct {
	contract  int
	milestone string
	amount    int // yuan
	reason    string
}

var asked = []request{
	{18, "复测结算", 264000, "第二次控制网复测成果已验收，申请支付尾款。"},
	{26, "三季度监测费", 198000, "三季度水质、噪声监测报告已提交。"},
	{28, "中期进度款", 126000, "截至九月的档案整编与数字化工作已核对。"},
	{29, "租金三期", 690000, "移动模架两套七至九月租金。"},
	{3, "进度款二期", 9860000, "下闸首底板与门库段混凝土浇筑完成，工程量已计量。"},
	{9, "九月供货款", 3185000, "九月供应 C30 混凝土 6,480 立方米，随附对账单。"},
	{16, "检测服务二期", 670000, "原材料与桩基检测报告 42 份。"},
}

// approvals, acceptances and paying are what is being approved when the example is started for the first time.
var (
	approvals   = []start{{"contractApproval", "fanwenbo", []string{"CZ-2024-015"}}, {"contractApproval", "dengxiuying", []string{"CZ-2025-023"}}}
	acceptances = []start{{"inspectionAcceptance", "jiangxiaofeng", []string{"JYP-2024-247", "JYP-2024-284"}}}
	paying      = []start{
		{"paymentApproval", "dengxiuying", []string{paymentNo(0), paymentNo(1), paymentNo(4)}},
		{"paymentApproval", "fanwenbo", []string{paymentNo(2), paymentNo(3), paymentNo(5)}},
	}
)

func paymentNo(i int) string { return fmt.Sprintf("ZF-2024-%03d", i+1) }

func requests() []row {
	var out []row
	for i, q := range asked {
		out = append(out, row{{"paymentNo", paymentNo(i)}, {"contract", fmt.Sprintf("CZ-2024-%03d", q.contract)}, {"milestone", q.milestone},
			{"amount", fmt.Sprint(q.amount)}, {"status", "DRAFT"}, {"reason", q.reason}})
	}
	return out
}
