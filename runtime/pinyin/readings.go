package pinyin

import (
	"strings"
	"sync"
)

// common are the readings of characters that people use for more than one, without tones, the most usual first; the one that a character
// has as a surname ends with "*". A character that is not here has the first reading of the library: its others are rare, and searches that
// knew them would find what nobody meant.
const common = `
阿 a e;艾 ai yi;扒 ba pa;柏 bai* bo;薄 bao bo*;暴 bao pu;被 bei pi;辟 pi bi;便 bian pian;卜 bu* bo;参 can shen cen;藏 cang zang;查 cha zha*;
差 cha chai ci;颤 chan zhan;长 chang zhang*;朝 chao zhao;车 che* ju;称 cheng chen;澄 cheng deng;仇 chou qiu*;臭 chou xiu;传 chuan zhuan;
大 da dai;单 dan shan* chan;弹 dan tan;得 de dei;的 de di;翟 zhai* di;调 diao tiao;都 du* dou;度 du duo;恶 e wu;繁 fan po*;佛 fo fu;否 fou pi;
盖 gai ge*;蛤 ge ha;给 gei ji;和 he huo;还 hai huan;会 hui kuai;贾 jia* gu;槛 kan jian;见 jian xian;降 jiang xiang;嚼 jiao jue;角 jiao jue;
解 jie xie*;劲 jin jing;句 ju gou*;觉 jue jiao;卡 ka qia;壳 ke qiao;吭 keng hang;乐 le yue*;了 le liao;六 liu lu;露 lu lou;率 lv shuai;绿 lv lu;
落 luo lao la;埋 mai man;脉 mai mo;蔓 man wan;没 mei mo;模 mo mu;娜 na nuo;呢 ne ni;能 neng nai*;溺 ni niao;弄 nong long;屏 ping bing;
朴 pu piao* po;奇 qi ji;强 qiang* jiang;亲 qin qing;区 qu ou*;圈 quan juan;塞 sai se;裳 shang chang;省 sheng xing;石 shi* dan;什 shen shi;识 shi zhi;
氏 shi zhi;属 shu zhu;术 shu zhu;数 shu shuo;宿 su* xiu;汤 tang* shang;拓 tuo ta;万 wan* mo;俟 si qi;尉 wei* yu;系 xi ji;吓 xia he;纤 xian qian;
校 xiao jiao;行 xing hang;畜 chu xu;血 xue xie;吁 xu yu;员 yuan yun*;攒 zan cuan;曾 ceng zeng*;扎 zha za;喳 zha cha;召 zhao shao*;折 zhe she*;
重 zhong chong;著 zhu zhuo;爪 zhao zhua;着 zhe zhuo zhao;仔 zi zai;柞 zuo zha;乜 mie nie*;隗 wei kui*;拗 ao niu;捋 lv luo;叨 dao tao;呱 gua gu;
阚 kan* han;澹 dan tan*;缪 mou miao* miu;铛 dang cheng;覃 qin tan*;厦 sha xia;蚌 bang beng;番 fan pan;泊 bo po;堡 bao pu bu;咖 ka ga;茄 qie jia;
剥 bo bao;削 xiao xue;色 se shai;熟 shu shou;似 si shi;说 shuo shui;粘 zhan nian;轧 zha ya ga;尺 chi che;读 du dou;夹 jia ga;凹 ao wa;
秘 mi bi*;泌 mi bi;莘 shen* xin;栖 qi xi;洗 xi xian*;盛 sheng* cheng;牟 mou* mu;郗 xi* chi;谌 chen* shen;祭 ji zhai*;宓 mi* fu;伽 jia qie ga;侗 dong tong;
勒 le lei;咳 ke hai;囤 tun dun;埔 pu bu;姥 lao mu;扛 kang gang;抹 mo ma;择 ze zhai;提 ti di;期 qi ji;枸 gou ju;杉 shan sha;栅 zha shan;桔 ju jie;
桧 gui hui;椎 zhui chui;涡 wo guo*;溃 kui hui;百 bai bo;禅 chan shan;稽 ji qi;络 luo lao;缉 ji qi;膀 bang pang;臂 bi bei;茜 qian xi;荠 ji qi;莎 sha suo;
蔚 wei yu*;虾 xia ha;谁 shui shei;这 zhe zhei;那 na* nei;钥 yao yue;铅 qian yan;镐 gao hao;陆 lu* liu;隽 jun juan;雀 que qiao;颈 jing geng;龟 gui jun qiu;
巷 xiang hang;殷 yin* yan;浒 hu xu;渑 mian sheng;漯 luo ta;荥 xing ying;莞 guan wan;伯 bo bai;蕃 fan bo;圩 wei xu;峒 dong tong;叶 ye* xie;咀 ju zui;
种 zhong chong*;黑 hei he*;炮 pao bao;贲 ben bi;沈 shen* chen;炔 que gui;佃 dian tian;
苫 shan;铫 diao yao;呷 xia ga;泷 long shuang;歙 she xi;郇 xun* huan;於 yu* wu;万俟 moqi*;
晟 sheng cheng;玟 wen min;珩 heng hang;琢 zhuo zuo;骠 biao piao;溱 qin zhen;铣 xi xian;嚣 xiao;刹 sha cha;伺 si ci;肋 lei le;幢 chuang zhuang;簿 bu;
耙 pa ba;掺 chan;匙 chi shi;貉 he hao;藉 jie ji;傀 kui;潦 liao lao;郄 qie xi;剡 shan yan;诘 jie ji;喔 wo;啜 chuo;峤 qiao jiao;焘 tao dao;樘 tang cheng;沓 ta da;
鹄 hu gu;靓 liang jing;龈 yin;豉 chi;芫 yan yuan;荨 qian xun;苕 tiao shao;荑 ti yi;葚 shen;铤 ting ding;箐 qing jing;鳜 gui;擘 bo;聒 guo;徵 zheng zhi;芎 xiong;
尉迟 yuchi*;长孙 zhangsun*;澹台 tantai*`

// reading is what a character sounds like.
type reading struct {
	all     []string // the most usual first
	surname string   // "" = as usual
}

var readings = sync.OnceValue(func() map[string]reading {
	out := map[string]reading{}
	for entry := range strings.SplitSeq(common, ";") {
		words := strings.Fields(entry)
		var r reading
		for _, word := range words[1:] {
			sound, surname := strings.CutSuffix(word, "*")
			if surname {
				r.surname = sound
			}
			r.all = append(r.all, sound)
		}
		out[words[0]] = r
	}
	return out
})

// readingsOf are the common sounds of a Chinese character, the most usual first; nil for another character.
func readingsOf(r rune) []string {
	if known, ok := sounds.Load(r); ok {
		return known.([]string)
	}
	out := libraryReadings(r)
	if out != nil {
		sounds.Store(r, out)
	}
	return out
}

// surnameOf is how the first characters of a person's name are read as a surname, one sound a character; nil = as usual.
func surnameOf(name []rune) []string {
	if len(name) >= 2 {
		if r, ok := readings()[string(name[:2])]; ok {
			return doubleSurnames[r.surname]
		}
	}
	if len(name) > 0 {
		if r := readings()[string(name[:1])]; r.surname != "" {
			return []string{r.surname}
		}
	}
	return nil
}

// doubleSurnames are the surnames of two characters that are read unlike their characters.
var doubleSurnames = map[string][]string{"moqi": {"mo", "qi"}, "yuchi": {"yu", "chi"}, "zhangsun": {"zhang", "sun"}, "tantai": {"tan", "tai"}}
