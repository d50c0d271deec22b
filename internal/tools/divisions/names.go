package main

// syllables are characters whose reading in place names is not the first one of the pinyin table.
var syllables = map[rune]string{
	'重': "chong", '长': "chang", '厦': "xia", '蚌': "beng", '埠': "bu", '亳': "bo", '番': "pan", '单': "shan", '浚': "xun", '莘': "shen",
	'乐': "le", '泊': "bo", '阿': "a", '行': "xing", '朝': "chao", '都': "du", '曾': "zeng", '覃': "qin", '沈': "shen", '石': "shi",
	'洞': "dong", '大': "da", '藏': "zang", '曲': "qu", '和': "he", '什': "shi", '万': "wan", '盖': "gai", '贾': "jia", '仇': "qiu",
	'便': "bian", '车': "che", '宿': "su", '卜': "bo", '缙': "jin", '盱': "xu", '眙': "yi", '甪': "lu", '崆': "kong", '峒': "tong",
	'郫': "pi", '鄄': "juan", '隰': "xi", '瀍': "chan", '珙': "gong", '岢': "ke", '岚': "lan", '澧': "li", '濉': "sui", '歙': "she", '黟': "yi",
	'沁': "qin", '任': "ren", '华': "hua", '盛': "sheng", '冠': "guan", '屯': "tun", '尉': "wei", '会': "hui", '牟': "mu", '台': "tai",
	'解': "jie", '陆': "lu", '柏': "bai", '纳': "na", '巷': "xiang", '堡': "bao", '调': "diao", '若': "ruo", '强': "qiang", '令': "ling", '无': "wu",
	'夏': "xia", '红': "hong", '茄': "qie", '洛': "luo", '呼': "hu", '那': "na", '硕': "shuo", '余': "yu", '信': "xin", '彭': "peng", '枞': "zong",
}

// prefixes stand in front of the names of development zones.
var prefixes = []struct{ zh, en string }{
	{"河北", "Hebei"}, {"山西", "Shanxi"}, {"内蒙古", "Inner Mongolia"}, {"安徽", "Anhui"}, {"河南", "Henan"}, {"湖南", "Hunan"},
}

// stems are names that differ from the pinyin of their characters.
var stems = map[string]string{
	// provinces
	"陕西": "Shaanxi", "内蒙古": "Inner Mongolia", "西藏": "Tibet", "新疆": "Xinjiang", "宁夏": "Ningxia", "广西": "Guangxi", "香港": "Hong Kong", "澳门": "Macao",
	"台湾": "Taiwan",
	// Inner Mongolia
	"呼和浩特": "Hohhot", "鄂尔多斯": "Ordos", "呼伦贝尔": "Hulunbuir", "巴彦淖尔": "Bayannur", "乌兰察布": "Ulanqab", "锡林郭勒": "Xilingol", "阿拉善": "Alxa", "兴安": "Hinggan",
	"锡林浩特": "Xilinhot", "二连浩特": "Erenhot", "乌兰浩特": "Ulanhot", "海拉尔": "Hailar", "满洲里": "Manzhouli", "额尔古纳": "Ergun", "阿尔山": "Arxan", "霍林郭勒": "Holingol",
	"鄂伦春": "Oroqen", "鄂温克族": "Ewenki", "鄂温克": "Ewenki", "莫力达瓦": "Morin Dawa", "托克托": "Togtoh", "达拉特": "Dalad", "准格尔": "Jungar", "鄂托克": "Otog",
	"鄂托克前": "Otog Front", "杭锦": "Hanggin", "杭锦后": "Hanggin Rear", "乌审": "Uxin", "伊金霍洛": "Ejin Horo", "康巴什": "Kangbashi", "科尔沁": "Horqin",
	"科尔沁左翼中": "Horqin Left Middle", "科尔沁左翼后": "Horqin Left Rear", "科尔沁右翼前": "Horqin Right Front", "科尔沁右翼中": "Horqin Right Middle", "库伦": "Hure",
	"奈曼": "Naiman", "扎鲁特": "Jarud", "阿鲁科尔沁": "Ar Horqin", "巴林左": "Bairin Left", "巴林右": "Bairin Right", "克什克腾": "Hexigten", "翁牛特": "Ongniud",
	"喀喇沁": "Harqin", "敖汉": "Aohan", "喀喇沁左翼": "Harqin Left", "达尔罕茂明安联合": "Darhan Muminggan United", "土默特左": "Tumed Left", "土默特右": "Tumed Right",
	"察哈尔右翼前": "Qahar Right Front", "察哈尔右翼中": "Qahar Right Middle", "察哈尔右翼后": "Qahar Right Rear", "四子王": "Siziwang", "阿巴嘎": "Abag", "苏尼特左": "Sonid Left",
	"苏尼特右": "Sonid Right", "东乌珠穆沁": "East Ujimqin", "西乌珠穆沁": "West Ujimqin", "太仆寺": "Taibus", "镶黄": "Bordered Yellow", "正镶白": "Plain and Bordered White",
	"正蓝": "Plain Blue", "阿拉善左": "Alxa Left", "阿拉善右": "Alxa Right", "额济纳": "Ejin", "乌拉特前": "Urad Front", "乌拉特中": "Urad Middle", "乌拉特后": "Urad Rear",
	"新巴尔虎左": "New Barag Left", "新巴尔虎右": "New Barag Right", "陈巴尔虎": "Old Barag", "阿荣": "Arun", "扎赉特": "Jalaid", "扎兰屯": "Zhalantun", "白云鄂博": "Bayan Obo",
	// the north-east
	"哈尔滨": "Harbin", "齐齐哈尔": "Qiqihar", "佳木斯": "Jiamusi", "杜尔伯特": "Dorbod", "前郭尔罗斯": "Qian Gorlos",
	// Tibet and Tibetan places
	"拉萨": "Lhasa", "日喀则": "Xigaze", "昌都": "Qamdo", "林芝": "Nyingchi", "山南": "Shannan", "那曲": "Nagqu", "阿里": "Ngari", "阿坝": "Aba", "甘孜": "Garze",
	"迪庆": "Diqing", "香格里拉": "Shangri-La", "果洛": "Golog", "玉树": "Yushu", "海西": "Haixi", "格尔木": "Golmud", "德令哈": "Delingha", "大柴旦": "Da Qaidam",
	// Xinjiang
	"乌鲁木齐": "Urumqi", "克拉玛依": "Karamay", "吐鲁番": "Turpan", "哈密": "Hami", "昌吉": "Changji", "博尔塔拉": "Bortala", "巴音郭楞": "Bayingolin", "阿克苏": "Aksu",
	"克孜勒苏": "Kizilsu", "喀什": "Kashgar", "和田": "Hotan", "伊犁": "Ili", "塔城": "Tacheng", "阿勒泰": "Altay", "石河子": "Shihezi", "库尔勒": "Korla", "博乐": "Bole",
	"阿图什": "Artux", "伊宁": "Yining", "奎屯": "Kuytun", "霍尔果斯": "Khorgos", "阿拉山口": "Alashankou", "库车": "Kuqa", "莎车": "Yarkant", "叶城": "Kargilik", "疏附": "Konasheher",
	"塔什库尔干": "Taxkorgan", "察布查尔": "Qapqal", "和布克赛尔": "Hoboksar", "巴里坤": "Barkol", "木垒": "Mori", "焉耆": "Yanqi", "若羌": "Ruoqiang", "且末": "Qiemo", "尉犁": "Yuli",
	"墨玉": "Karakax", "皮山": "Pishan", "民丰": "Minfeng", "于田": "Yutian",
	// readings of one place only
	"佛山": "Foshan", "闵行": "Minhang", "回龙圩": "Huilongxu", "珲春": "Hunchun", "筠连": "Junlian", "阆中": "Langzhong", "鄠邑": "Huyi", "勐海": "Menghai", "勐腊": "Mengla", "佛冈": "Fogang", "六安": "Lu'an", "六合": "Luhe", "台州": "Taizhou", "乐清": "Yueqing", "乐亭": "Laoting", "丽水": "Lishui", "铅山": "Yanshan", "涡阳": "Guoyang", "大埔": "Dabu",
	"黄陂": "Huangpi", "东阿": "Dong'e", "长子": "Zhangzi", "中牟": "Zhongmu", "繁峙": "Fanshi", "洪洞": "Hongtong", "解州": "Xiezhou", "侯马": "Houma", "石柱": "Shizhu",
	"婺源": "Wuyuan", "弋阳": "Yiyang", "于都": "Yudu", "鄱阳": "Poyang", "监利": "Jianli", "郧西": "Yunxi", "秭归": "Zigui", "耒阳": "Leiyang", "郴州": "Chenzhou", "枝江": "Zhijiang",
	"朝阳": "Chaoyang", "成都": "Chengdu", "都匀": "Duyun", "会稽": "Kuaiji", "会泽": "Huize", "车里": "Cheli", "西双版纳": "Xishuangbanna", "林州": "Linzhou", "巴中": "Bazhong",
	"犍为": "Qianwei", "什邡": "Shifang", "荥经": "Yingjing", "荥阳": "Xingyang", "尉氏": "Weishi", "柘城": "Zhecheng", "泌阳": "Biyang", "渑池": "Mianchi", "武陟": "Wuzhi", "获嘉": "Huojia",
	"曲阳": "Quyang", "阜城": "Fucheng", "大城": "Daicheng", "蔚县": "Yuxian", "井陉": "Jingxing", "藁城": "Gaocheng", "乐陵": "Laoling", "莒南": "Junan", "临朐": "Linqu", "无棣": "Wudi",
	"张家口": "Zhangjiakou", "浚": "Xun", "蔚": "Yu", "莘": "Shen", "洪江": "Hongjiang", "吴堡": "Wubu", "宜丰": "Yifeng", "南部": "Nanbu", "瓯海": "Ouhai", "福鼎": "Fuding", "宕昌": "Tanchang",
	"临洮": "Lintao", "吴起": "Wuqi", "柞水": "Zhashui", "华阴": "Huayin", "华": "Hua", "澄城": "Chengcheng", "三都": "Sandu", "番禺": "Panyu", "东莞": "Dongguan", "荔浦": "Lipu",
	"百色": "Baise", "那坡": "Napo", "北碚": "Beibei", "綦江": "Qijiang", "涪陵": "Fuling", "垫江": "Dianjiang", "济源": "Jiyuan", "沁阳": "Qinyang", "闽侯": "Minhou", "长汀": "Changting",
	"盱眙": "Xuyi", "睢宁": "Suining", "邗江": "Hanjiang", "邳州": "Pizhou", "氹仔": "Taipa", "茌平": "Chiping", "鄄城": "Juancheng", "儋州": "Danzhou", "三亚": "Sanya", "琼中": "Qiongzhong",
	"宿州马鞍山": "Suzhou-Ma'anshan", "阜阳合肥": "Fuyang-Hefei", "吐鲁": "Tulu", "吕梁": "Lüliang", "藏青": "Zangqing", "虎丘": "Huqiu",
}

// wholeNames are names that are not made of a stem and a sort.
var wholeNames = map[string]string{
	"市辖区": "Municipal Districts", "县": "Counties", "省直辖县级行政区划": "Divisions Directly under the Province",
	"自治区直辖县级行政区划": "Divisions Directly under the Autonomous Region", "城区": "Chengqu District", "矿区": "Kuangqu District", "郊区": "Jiaoqu District",
	"广西壮族自治区": "Guangxi Zhuang Autonomous Region", "西藏自治区": "Tibet Autonomous Region", "宁夏回族自治区": "Ningxia Hui Autonomous Region",
	"新疆维吾尔自治区": "Xinjiang Uyghur Autonomous Region", "内蒙古自治区": "Inner Mongolia Autonomous Region",
	"香港特别行政区": "Hong Kong Special Administrative Region", "澳门特别行政区": "Macao Special Administrative Region",
	"西沙群岛": "Paracel (Xisha) Islands", "南沙群岛": "Spratly (Nansha) Islands", "中沙群岛的岛礁及其海域": "Zhongsha Islands and Their Waters",
	"保定白沟新城": "Baigou New Town, Baoding", "中新苏滁高新技术产业开发区": "China-Singapore Suchu High-tech Industrial Development Zone",
	"合肥新站高新技术产业开发区": "Hefei Xinzhan High-tech Industrial Development Zone", "湘潭昭山示范区": "Xiangtan Zhaoshan Demonstration Zone",
	"神农架林区": "Shennongjia Forestry District", "东乡族自治县": "Dongxiang Autonomous County", "互助土族自治县": "Huzhu Tu Autonomous County",
	"鄂伦春自治旗": "Oroqen Autonomous Banner", "鄂温克族自治旗": "Ewenki Autonomous Banner", "河南蒙古族自治县": "Henan Mongol Autonomous County",
	"金林区": "Jinlin District", "北林区": "Beilin District", "新林区": "Xinlin District", "碑林区": "Beilin District", "万柏林区": "Wanbailin District",
	"牡丹区": "Mudan District", "清新区": "Qingxin District", "山亭区": "Shanting District", "老城区": "Laocheng District", "古城区": "Gucheng District",
	// Hong Kong
	"香港岛": "Hong Kong Island", "九龙": "Kowloon", "新界": "New Territories", "中西区": "Central and Western District", "湾仔区": "Wan Chai District",
	"油尖旺区": "Yau Tsim Mong District", "深水埗区": "Sham Shui Po District", "九龙城区": "Kowloon City District", "黄大仙区": "Wong Tai Sin District",
	"观塘区": "Kwun Tong District", "葵青区": "Kwai Tsing District", "荃湾区": "Tsuen Wan District", "屯门区": "Tuen Mun District", "元朗区": "Yuen Long District",
	"大埔区": "Tai Po District", "沙田区": "Sha Tin District", "西贡区": "Sai Kung District", "离岛区": "Islands District",
	"81东区": "Eastern District", "81南区": "Southern District", "81北区": "North District", // these names stand elsewhere too
	// Macao
	"澳门半岛": "Macao Peninsula", "澳门外岛": "Outlying Islands", "大堂区": "Cathedral Parish (Sé)", "望德堂区": "St. Lazarus Parish (São Lázaro)",
	"风顺堂区": "St. Lawrence Parish (São Lourenço)", "花地玛堂区": "Our Lady of Fátima Parish (Nossa Senhora de Fátima)",
	"圣安多尼堂区": "St. Anthony Parish (Santo António)", "嘉模堂区（氹仔）": "Our Lady of Carmel Parish (Taipa)", "圣方济各堂区（路环）": "St. Francis Xavier Parish (Coloane)",
	// Taiwan
	"台北市": "Taipei", "新北市": "New Taipei", "桃园市": "Taoyuan", "台中市": "Taichung", "台南市": "Tainan", "高雄市": "Kaohsiung", "基隆市": "Keelung", "新竹市": "Hsinchu",
	"嘉义市": "Chiayi", "新竹县": "Hsinchu County", "苗栗县": "Miaoli County", "彰化县": "Changhua County", "南投县": "Nantou County", "云林县": "Yunlin County",
	"嘉义县": "Chiayi County", "屏东县": "Pingtung County", "宜兰县": "Yilan County", "花莲县": "Hualien County", "台东县": "Taitung County", "澎湖县": "Penghu County",
	"金门县": "Kinmen County", "连江县": "Lienchiang County",
}
