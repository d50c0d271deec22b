// Writes plugins/core/data/division.json: the administrative divisions of China with Chinese and English names.
//
//   node internal/tools/divisions/generate.mjs FOLDER plugins/core/data/division.json
//
// FOLDER holds provinces.csv, cities.csv, areas.csv and HK-MO-TW.json of the data set "Administrative-divisions-of-China"
// (WTFPL). Hong Kong, Macao and Taiwan have no codes there; they get 81, 82 and 71 with two running digits a level.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinyin } from 'pinyin-pro';

const [folder, target] = process.argv.slice(2);
if (!folder || !target) {
  console.error('usage: generate.mjs FOLDER TARGET');
  process.exit(2);
}
const csv = (name) =>
  readFileSync(join(folder, name), 'utf8').trim().split(/\r?\n/).slice(1).map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));

const provinces = { 11: 'Beijing', 12: 'Tianjin', 13: 'Hebei', 14: 'Shanxi', 15: 'Inner Mongolia', 21: 'Liaoning', 22: 'Jilin', 23: 'Heilongjiang', 31: 'Shanghai', 32: 'Jiangsu', 33: 'Zhejiang', 34: 'Anhui', 35: 'Fujian', 36: 'Jiangxi', 37: 'Shandong', 41: 'Henan', 42: 'Hubei', 43: 'Hunan', 44: 'Guangdong', 45: 'Guangxi', 46: 'Hainan', 50: 'Chongqing', 51: 'Sichuan', 52: 'Guizhou', 53: 'Yunnan', 54: 'Xizang (Tibet)', 61: 'Shaanxi', 62: 'Gansu', 63: 'Qinghai', 64: 'Ningxia', 65: 'Xinjiang', 71: 'Taiwan', 81: 'Hong Kong', 82: 'Macao' };

const known = {
  市辖区: 'Municipal districts', 县: 'Counties', 省直辖县级行政区划: 'County-level divisions under the province', 自治区直辖县级行政区划: 'County-level divisions under the region',
  呼和浩特市: 'Hohhot', 包头市: 'Baotou', 乌海市: 'Wuhai', 鄂尔多斯市: 'Ordos', 呼伦贝尔市: 'Hulunbuir', 巴彦淖尔市: 'Bayannur', 乌兰察布市: 'Ulanqab', 兴安盟: 'Hinggan League', 锡林郭勒盟: 'Xilingol League', 阿拉善盟: 'Alxa League', 哈尔滨市: 'Harbin', 齐齐哈尔市: 'Qiqihar', 乌鲁木齐市: 'Ürümqi', 克拉玛依市: 'Karamay', 吐鲁番市: 'Turpan', 哈密市: 'Hami', 喀什地区: 'Kashgar Prefecture', 和田地区: 'Hotan Prefecture', 伊犁哈萨克自治州: 'Ili Kazakh Autonomous Prefecture', 拉萨市: 'Lhasa', 日喀则市: 'Shigatse', 昌都市: 'Chamdo', 林芝市: 'Nyingchi', 山南市: 'Shannan', 那曲市: 'Nagqu', 阿里地区: 'Ngari Prefecture', 大安区: "Da'an District", 六安市: "Lu'an", 蚌埠市: 'Bengbu', 台州市: 'Taizhou', 丽水市: 'Lishui', 亳州市: 'Bozhou', 厦门市: 'Xiamen', 重庆市: 'Chongqing', 西安市: "Xi'an", 泰安市: "Tai'an", 雅安市: "Ya'an", 吉安市: "Ji'an",
  香港岛: 'Hong Kong Island', 九龙: 'Kowloon', 新界: 'New Territories', 澳门半岛: 'Macau Peninsula', 澳门外岛: 'Macau Islands',
  大堂区: 'Sé', 望德堂区: 'São Lázaro', 风顺堂区: 'São Lourenço', 花地玛堂区: 'Nossa Senhora de Fátima', 圣安多尼堂区: 'Santo António', '嘉模堂区（氹仔）': 'Nossa Senhora do Carmo (Taipa)', '圣方济各堂区（路环）': 'São Francisco Xavier (Coloane)',
  台北市: 'Taipei', 新北市: 'New Taipei', 桃园市: 'Taoyuan', 台中市: 'Taichung', 台南市: 'Tainan', 高雄市: 'Kaohsiung', 基隆市: 'Keelung', 新竹市: 'Hsinchu City', 嘉义市: 'Chiayi City', 新竹县: 'Hsinchu County', 苗栗县: 'Miaoli County', 彰化县: 'Changhua County', 南投县: 'Nantou County', 云林县: 'Yunlin County', 嘉义县: 'Chiayi County', 屏东县: 'Pingtung County', 宜兰县: 'Yilan County', 花莲县: 'Hualien County', 台东县: 'Taitung County', 澎湖县: 'Penghu County',
};
const hongKong = { 中西区: 'Central and Western', 湾仔区: 'Wan Chai', 东区: 'Eastern', 南区: 'Southern', 油尖旺区: 'Yau Tsim Mong', 深水埗区: 'Sham Shui Po', 九龙城区: 'Kowloon City', 黄大仙区: 'Wong Tai Sin', 观塘区: 'Kwun Tong', 葵青区: 'Kwai Tsing', 荃湾区: 'Tsuen Wan', 屯门区: 'Tuen Mun', 元朗区: 'Yuen Long', 北区: 'North', 大埔区: 'Tai Po', 沙田区: 'Sha Tin', 西贡区: 'Sai Kung', 离岛区: 'Islands' };
const peoples = { 蒙古族: 'Mongol', 蒙古: 'Mongol', 回族: 'Hui', 藏族: 'Tibetan', 维吾尔: 'Uyghur', 苗族: 'Miao', 彝族: 'Yi', 壮族: 'Zhuang', 布依族: 'Buyei', 朝鲜族: 'Korean', 满族: 'Manchu', 侗族: 'Dong', 瑶族: 'Yao', 白族: 'Bai', 土家族: 'Tujia', 哈尼族: 'Hani', 哈萨克族: 'Kazakh', 哈萨克: 'Kazakh', 傣族: 'Dai', 黎族: 'Li', 傈僳族: 'Lisu', 佤族: 'Va', 畲族: 'She', 拉祜族: 'Lahu', 水族: 'Sui', 东乡族: 'Dongxiang', 纳西族: 'Naxi', 景颇族: 'Jingpo', 柯尔克孜: 'Kirgiz', 土族: 'Tu', 达斡尔族: 'Daur', 仫佬族: 'Mulao', 羌族: 'Qiang', 布朗族: 'Blang', 撒拉族: 'Salar', 毛南族: 'Maonan', 仡佬族: 'Gelao', 锡伯: 'Xibe', 普米族: 'Pumi', 塔吉克: 'Tajik', 怒族: 'Nu', 鄂温克族: 'Evenk', 鄂伦春: 'Oroqen', 保安族: 'Bonan', 裕固族: 'Yugur', 独龙族: 'Derung', 各族: 'Multi-ethnic' };
const endings = [['自治州', ' Autonomous Prefecture'], ['自治县', ' Autonomous County'], ['自治旗', ' Autonomous Banner'], ['地区', ' Prefecture'], ['林区', ' Forestry District'], ['特区', ' Special District'], ['新区', ' New Area'], ['市', ''], ['县', ' County'], ['区', ' District'], ['盟', ' League'], ['旗', ' Banner']];

function sound(text) {
  const parts = pinyin(text, { toneType: 'none', type: 'array', nonZh: 'consecutive', v: true }).map((part) => part.replace(/v/g, 'ü'));
  const joined = parts.map((part, i) => (i > 0 && /^[aoe]/.test(part) ? `'${part}` : part)).join('');
  return joined.charAt(0).toUpperCase() + joined.slice(1);
}

function english(name) {
  if (known[name]) return known[name];
  for (const [zh, en] of endings) {
    if (!name.endsWith(zh) || name.length - zh.length < 1) continue;
    let stem = name.slice(0, -zh.length);
    if (stem.length === 1 && zh.length === 1) return zh === '市' ? sound(name) : `${sound(name)}${zh === '县' || zh === '区' || zh === '旗' ? en : ''}`;
    const groups = [];
    for (let found = true; found && en.includes('Autonomous'); ) {
      const people = Object.keys(peoples).find((p) => stem.endsWith(p) && stem.length > p.length);
      found = people !== undefined;
      if (people) {
        groups.unshift(peoples[people]);
        stem = stem.slice(0, -people.length);
      }
    }
    return `${sound(stem)}${groups.length ? ` ${groups.join(' and ')}` : ''}${en}`;
  }
  return sound(name);
}

const rows = [];
const add = (code, name, nameEn, parent) => rows.push({ code, name, nameEn, ...(parent ? { parent } : {}), level: String(code.length / 2) });
for (const [code, name] of csv('provinces.csv')) add(code, name, provinces[code]);
const extra = JSON.parse(readFileSync(join(folder, 'HK-MO-TW.json'), 'utf8'));
for (const [name, code] of [['台湾省', '71'], ['香港特别行政区', '81'], ['澳门特别行政区', '82']]) {
  add(code, name, provinces[code]);
  Object.entries(extra[name]).forEach(([area, districts], i) => {
    const areaCode = code + String(i + 1).padStart(2, '0');
    add(areaCode, area, english(area), code);
    districts.forEach((district, k) => add(areaCode + String(k + 1).padStart(2, '0'), district, (code === '81' && hongKong[district]) || english(district), areaCode));
  });
}
for (const [code, name, province] of csv('cities.csv')) add(code, name, english(name), province);
for (const [code, name, city] of csv('areas.csv')) add(code, name, english(name), city);
rows.sort((a, b) => a.code.length - b.code.length || a.code.localeCompare(b.code));
const lines = rows.map((row) => `    ${JSON.stringify(row)}`);
writeFileSync(target, `{\n  "key": ["code"],\n  "rows": [\n${lines.join(',\n')}\n  ]\n}\n`);
console.log(`${rows.length} divisions`);
