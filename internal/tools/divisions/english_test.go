package main

import "testing"

func TestEnglish(t *testing.T) {
	for zh, want := range map[string]string{
		"陕西省":        "Shaanxi",
		"山西省":        "Shanxi",
		"内蒙古自治区":     "Inner Mongolia Autonomous Region",
		"西安市":        "Xi'an",
		"重庆市":        "Chongqing",
		"厦门市":        "Xiamen",
		"吕梁市":        "Lüliang",
		"恩施土家族苗族自治州": "Enshi Tujia and Miao Autonomous Prefecture",
		"积石山保安族东乡族撒拉族自治县": "Jishishan Bonan, Dongxiang and Salar Autonomous County",
		"东乡族自治县":          "Dongxiang Autonomous County",
		"单县":              "Shan County",
		"浦东新区":            "Pudong New Area",
		"井陉矿区":            "Jingxing Mining District",
		"市辖区":             "Municipal Districts",
		"油尖旺区":            "Yau Tsim Mong District",
		"永州市回龙圩管理区":       "Yongzhou Huilongxu Management Area",
	} {
		if got := english(zh); got != want {
			t.Errorf("%s is %q, want %q", zh, got, want)
		}
	}
}
