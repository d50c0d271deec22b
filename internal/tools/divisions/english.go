package main

import (
	"strings"

	"github.com/mozillazg/go-pinyin"
)

// suffixes are the sorts of divisions, longest first, with their English words.
var suffixes = []struct{ zh, en string }{
	{"高新技术产业开发区", "High-tech Industrial Development Zone"},
	{"高新技术产业园区", "High-tech Industrial Park"},
	{"高技术产业开发区", "High-tech Industrial Development Zone"},
	{"高新技术开发区", "High-tech Development Zone"},
	{"经济技术开发区", "Economic and Technological Development Zone"},
	{"航空港经济综合实验区", "Airport Economy Experimental Zone"},
	{"循环化工园区", "Circular Chemical Industry Park"},
	{"现代产业园区", "Modern Industrial Park"},
	{"文化旅游创意园区", "Cultural Tourism Park"},
	{"转型综合改革示范区", "Transformation Reform Demonstration Zone"},
	{"城乡一体化示范区", "Urban-Rural Integration Demonstration Zone"},
	{"风景名胜区", "Scenic Area"},
	{"经济开发区", "Economic Development Zone"},
	{"管理区管委会", "Management Area"},
	{"行政委员会", "Administrative Committee"},
	{"特别行政区", "Special Administrative Region"},
	{"工业园区", "Industrial Park"},
	{"开发区", "Development Zone"},
	{"示范区", "Demonstration Zone"},
	{"管理区", "Management Area"},
	{"自治州", "Autonomous Prefecture"},
	{"自治县", "Autonomous County"},
	{"自治旗", "Autonomous Banner"},
	{"自治区", "Autonomous Region"},
	{"新区", "New Area"},
	{"矿区", "Mining District"},
	{"特区", "Special District"},
	{"地区", "Prefecture"},
	{"群岛", "Islands"},
	{"堂区", "Parish"},
	{"盟", "League"},
	{"旗", "Banner"},
	{"区", "District"},
	{"县", "County"},
	{"市", ""},
	{"镇", "Township"},
	{"乡", "Township"},
	{"省", ""},
}

// peoples are the peoples that autonomous divisions are named after; longest first where one begins like another.
var peoples = []struct{ zh, en string }{
	{"各族", "Multi-ethnic"}, {"维吾尔族", "Uyghur"}, {"蒙古族", "Mongol"}, {"蒙古", "Mongol"}, {"回族", "Hui"}, {"藏族", "Tibetan"}, {"苗族", "Miao"},
	{"彝族", "Yi"}, {"壮族", "Zhuang"}, {"布依族", "Bouyei"}, {"朝鲜族", "Korean"}, {"满族", "Manchu"}, {"侗族", "Dong"}, {"瑶族", "Yao"}, {"白族", "Bai"},
	{"土家族", "Tujia"}, {"哈尼族", "Hani"}, {"哈萨克族", "Kazakh"}, {"哈萨克", "Kazakh"}, {"傣族", "Dai"}, {"黎族", "Li"}, {"傈僳族", "Lisu"}, {"佤族", "Va"},
	{"畲族", "She"}, {"拉祜族", "Lahu"}, {"水族", "Sui"}, {"东乡族", "Dongxiang"}, {"纳西族", "Naxi"}, {"景颇族", "Jingpo"}, {"柯尔克孜", "Kyrgyz"},
	{"土族", "Tu"}, {"达斡尔族", "Daur"}, {"仫佬族", "Mulao"}, {"羌族", "Qiang"}, {"布朗族", "Blang"}, {"撒拉族", "Salar"}, {"毛南族", "Maonan"},
	{"仡佬族", "Gelao"}, {"锡伯", "Xibe"}, {"普米族", "Pumi"}, {"塔吉克", "Tajik"}, {"怒族", "Nu"}, {"保安族", "Bonan"}, {"裕固族", "Yugur"}, {"独龙族", "Derung"},
}

// english makes the English name of a division: a known one, or the pinyin of its stem with its sort in English.
func english(name string) string {
	if known, ok := wholeNames[name]; ok {
		return known
	}
	stem, sort := name, ""
	for _, s := range suffixes {
		if rest, ok := strings.CutSuffix(name, s.zh); ok && rest != "" {
			stem, sort = rest, s.en
			break
		}
	}
	if strings.HasPrefix(sort, "Autonomous") {
		stem, sort = people(stem, sort)
	}
	return strings.TrimSpace(romanise(stem) + " " + sort)
}

// people takes the peoples off the end of a stem: 恩施土家族苗族 -> 恩施, "Tujia and Miao".
func people(stem, sort string) (string, string) {
	var found []string
	for again := true; again; {
		again = false
		for _, p := range peoples {
			if rest, ok := strings.CutSuffix(stem, p.zh); ok && rest != "" {
				stem, found, again = rest, append([]string{p.en}, found...), true
				break
			}
		}
	}
	switch len(found) {
	case 0:
		return stem, sort
	case 1:
		return stem, found[0] + " " + sort
	}
	last := len(found) - 1
	return stem, strings.Join(found[:last], ", ") + " and " + found[last] + " " + sort
}

// romanise writes a name in pinyin as one word, with an apostrophe where syllables would run together.
func romanise(stem string) string {
	if known, ok := stems[stem]; ok {
		return known
	}
	for _, p := range prefixes { // 徐州经济 ... : the city's own name is first
		if rest, ok := strings.CutPrefix(stem, p.zh); ok && rest != "" {
			return p.en + " " + romanise(rest)
		}
	}
	if city, rest, ok := strings.Cut(stem, "市"); ok && city != "" && rest != "" {
		return romanise(city) + " " + romanise(rest)
	}
	args := pinyin.NewArgs()
	args.Fallback = func(r rune, _ pinyin.Args) []string { return nil }
	var b strings.Builder
	for _, r := range stem {
		syllable := syllables[r]
		if syllable == "" {
			readings := pinyin.SinglePinyin(r, args)
			if len(readings) == 0 {
				continue
			}
			syllable = readings[0]
		}
		syllable = strings.ReplaceAll(syllable, "v", "ü")
		if b.Len() > 0 && strings.ContainsAny(syllable[:1], "aeo") {
			b.WriteByte('\'')
		}
		b.WriteString(syllable)
	}
	return upper(b.String())
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
