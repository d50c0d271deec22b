// Writes the data of examples/ship-lock: a deterministic, believable set of departments, people, contracts, breakdown
// nodes, sites, drawings and inspection lots. The names are invented.
//
//   node internal/tools/shiplock/generate.mjs examples/ship-lock/data
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const target = process.argv[2];
if (!target) {
  console.error('usage: generate.mjs FOLDER');
  process.exit(2);
}
mkdirSync(target, { recursive: true });
let seed = 20261121;
const random = () => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return seed / 0x7fffffff;
};
const pick = (list) => list[Math.floor(random() * list.length)];
const some = (list, most) => [...new Set(Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(list)))];
const between = (low, high, digits = 0) => (low + random() * (high - low)).toFixed(digits);
const day = (from, days) => new Date(Date.UTC(2025, 2, 1) + (from + Math.floor(random() * days)) * 86400000).toISOString().slice(0, 10);
const write = (model, key, rows) =>
  writeFileSync(join(target, `${model}.json`), `{\n  "key": ${JSON.stringify(key)},\n  "rows": [\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]\n}\n`);

const departments = [
  ['青江船闸项目指挥部', null], ['工程部', '青江船闸项目指挥部'], ['质量安全部', '青江船闸项目指挥部'], ['合同计量部', '青江船闸项目指挥部'], ['综合部', '青江船闸项目指挥部'],
  ['施工一标项目部', null], ['一标工程科', '施工一标项目部'], ['一标质检科', '施工一标项目部'], ['施工二标项目部', null], ['二标质检科', '施工二标项目部'], ['监理部', null],
];
write('department', ['name'], departments.map(([name, parent], i) => ({ name, ...(parent ? { parent } : {}), sortNo: String((i + 1) * 10) })));

const people = [
  ['zhang.wei', '张伟', '项目经理', '工程部', ['projectManager']], ['li.na', '李娜', '合同主管', '合同计量部', ['contractManager']], ['wang.qiang', '王强', '质量总监', '质量安全部', ['projectManager']],
  ['liu.yang', '刘洋', '质检工程师', '质量安全部', ['inspectorRole']], ['chen.jing', '陈静', '质检员', '一标质检科', ['inspectorRole']], ['yang.fan', '杨帆', '质检员', '一标质检科', ['inspectorRole']],
  ['zhao.lei', '赵磊', '质检员', '二标质检科', ['inspectorRole']], ['huang.min', '黄敏', '监理工程师', '监理部', ['viewer']], ['zhou.tao', '周涛', '总监理工程师', '监理部', ['viewer']], ['wu.gang', '吴刚', '施工员', '一标工程科', ['viewer']],
  ['xu.li', '徐丽', '资料员', '综合部', ['viewer']], ['sun.hao', '孙浩', '施工员', '一标工程科', ['viewer']], ['hu.jun', '胡军', '标段经理', '施工一标项目部', ['inspectorRole']], ['zhu.yan', '朱燕', '计量工程师', '合同计量部', ['contractManager']],
  ['gao.peng', '高鹏', '标段经理', '施工二标项目部', ['inspectorRole']], ['lin.xue', '林雪', '安全工程师', '质量安全部', ['viewer']], ['he.bin', '何斌', '测量员', '工程部', ['viewer']], ['guo.ying', '郭颖', '试验员', '质量安全部', ['inspectorRole']],
  ['ma.chao', '马超', '机电工程师', '工程部', ['viewer']], ['luo.dan', '罗丹', '档案员', '综合部', ['viewer']],
];
write('user', ['username'], people.map(([username, name, position, department, roles], i) => ({ username, name, position, employeeNo: `QJ${String(1001 + i)}`, mobile: `1380000${String(1001 + i)}`, email: `${username}@example.com`, departments: [department], mainDepartment: department, roles })));
const inspectors = people.filter((p) => p[4].includes('inspectorRole'));

const tree = [
  ['上闸首', ['基础开挖与处理', '底板混凝土', '边墩混凝土', '输水廊道', '工作门安装']], ['闸室', ['基坑开挖', '底板混凝土', '左侧闸墙', '右侧闸墙', '浮式系船柱安装']], ['下闸首', ['基础开挖与处理', '底板混凝土', '边墩混凝土', '人字门安装', '启闭机安装']],
  ['上游引航道', ['航道疏浚', '护岸工程', '靠船墩']], ['下游引航道', ['航道疏浚', '护岸工程', '导航墙']], ['机电工程', ['供配电系统', '集中控制系统', '通航信号系统']],
];
const works = ['钢筋安装', '模板安装', '混凝土浇筑'];
const qbs = [];
tree.forEach(([unit, parts], u) => {
  const unitCode = `U${String(u + 1).padStart(2, '0')}`;
  qbs.push({ code: unitCode, name: unit, kind: 'UNIT', weight: between(8, 24, 2), responsible: pick(people)[0] });
  parts.forEach((part, p) => {
    const partCode = `${unitCode}-${String(p + 1).padStart(2, '0')}`;
    qbs.push({ code: partCode, name: part, parent: unitCode, kind: 'PART', weight: between(10, 40, 2), responsible: pick(inspectors)[0] });
    if (part.includes('混凝土') || part.includes('闸墙')) works.forEach((work, k) => qbs.push({ code: `${partCode}-${String(k + 1).padStart(2, '0')}`, name: work, parent: partCode, kind: 'ITEM', weight: between(20, 50, 2), responsible: pick(inspectors)[0] }));
  });
});
write('qbs', ['code'], qbs);

const contractors = ['江河水利建设有限公司', '远洋航务工程有限公司', '中川基础工程有限公司', '华东船闸设备有限公司', '宏图勘察设计院', '天平工程监理有限公司', '东岳建材贸易有限公司', '北斗测绘技术有限公司'];
const subjects = [['上闸首土建工程施工', 'CONSTRUCTION'], ['闸室土建工程施工', 'CONSTRUCTION'], ['下闸首土建工程施工', 'CONSTRUCTION'], ['引航道疏浚与护岸施工', 'CONSTRUCTION'], ['人字门及启闭机采购', 'SUPPLY'], ['工程监理', 'SUPERVISION'], ['施工图设计', 'DESIGN'], ['钢筋采购', 'SUPPLY'], ['水泥采购', 'SUPPLY'], ['沉降与变形监测', 'SERVICE'], ['第三方质量检测', 'SERVICE'], ['机电设备安装', 'CONSTRUCTION'], ['环境保护监测', 'SERVICE'], ['集中控制系统采购', 'SUPPLY'], ['靠船墩施工', 'CONSTRUCTION']];
const contracts = Array.from({ length: 30 }, (_, i) => {
  const [subject, kind] = subjects[i % subjects.length];
  const signed = day(i * 8, 6);
  const amount = Number(between(80000, kind === 'CONSTRUCTION' ? 98000000 : 6800000, 2));
  const state = i < 4 ? 'DONE' : i === 11 ? 'ENDED' : i > 26 ? 'DRAFT' : 'RUNNING';
  const terms = state === 'DRAFT' ? 0 : 1 + Math.floor(random() * 5);
  const payments = Array.from({ length: terms }, (_, k) => ({ period: `第${k + 1}期`, date: day(i * 8 + 30 + k * 30, 20), amount: (amount * 0.05 * (1 + random())).toFixed(2), note: pick(['预付款', '进度款', '进度款', '材料款']) }));
  return { number: `QJCZ-${kind.slice(0, 2)}-${String(i + 1).padStart(3, '0')}`, title: `${subject}合同${i >= subjects.length ? '（二标段）' : ''}`, kind, state, partyA: '青江船闸项目指挥部', partyB: pick(contractors), amount: amount.toFixed(2), signed, ends: day(i * 8 + 400, 300), manager: pick(['li.na', 'zhu.yan', 'zhang.wei']), payments, ...(i % 4 === 0 ? { remark: '付款前须附经监理签认的计量报表。' } : {}) };
});
write('contract', ['number'], contracts);

const sites = [['A01', '上闸首工区', '420506'], ['A02', '闸室工区', '420506'], ['A03', '下闸首工区', '420506'], ['B01', '上游引航道工区', '420526'], ['B02', '下游引航道工区', '420526'], ['C01', '混凝土拌和站', '420505'], ['C02', '钢筋加工场', '420505'], ['D01', '项目部驻地', '420502']];
write('site', ['code'], sites.map(([code, name, place], i) => ({ code, name, place: { code: place, detail: `青江路${18 + i * 6}号` }, leader: pick(people)[0], unit: pick(['施工一标项目部', '施工二标项目部']), opened: `2025-${String(3 + (i % 6)).padStart(2, '0')}-01`, shiftStart: pick(['07:30:00', '08:00:00']) })));

const drawings = tree.flatMap(([unit], u) => ['平面布置图', '结构配筋图', '剖面图', '金属结构图'].map((kind, k) => ({ number: `QJ-S-${u + 1}${String(k + 1).padStart(2, '0')}`, name: `${unit}${kind}`, stage: pick(['CONSTRUCTION', 'CONSTRUCTION', 'PRELIMINARY', 'AS_BUILT']), issued: day(u * 10, 40) })));
write('drawing', ['number'], drawings);

const checks = [['轴线偏位', '±10 mm'], ['断面尺寸', '±8 mm'], ['顶面高程', '±5 mm'], ['垂直度', '≤6 mm'], ['平整度', '≤5 mm'], ['钢筋间距', '±10 mm'], ['保护层厚度', '±5 mm']];
const nodes = qbs.filter((node) => node.kind !== 'UNIT');
const lots = Array.from({ length: 300 }, (_, i) => {
  const node = pick(nodes);
  const unitName = qbs.find((n) => n.code === node.code.slice(0, 3)).name;
  const inspector = pick(inspectors);
  const result = random() < 0.82 ? 'OK' : random() < 0.6 ? 'BAD' : 'REWORK';
  const checkDate = day(Math.floor(i * 1.9), 12);
  const bad = result !== 'OK';
  const items = Array.from({ length: 2 + Math.floor(random() * 7) }, (_, k) => {
    const [item, standard] = checks[k % checks.length];
    return { item, standard, value: between(-9, 12, 2), ok: !(bad && k === 0) };
  });
  return {
    lotKey: i + 1, part: `${unitName}${node.name}第${1 + (i % 12)}仓`, qbs: node.code, contract: pick(contracts.filter((c) => c.state === 'RUNNING')).number, site: pick(sites)[0], drawings: some(drawings.map((d) => d.number), 2),
    quantity: between(8, 960, 3), price: between(280, 1260, 2), checkDate, pouredAt: `${checkDate}T${String(Math.floor(random() * 10)).padStart(2, '0')}:${pick(['00', '15', '30', '45'])}:00Z`, startTime: pick(['07:30:00', '08:00:00', '13:30:00']),
    hidden: random() < 0.3, result, methods: some(['VISUAL', 'MEASURE', 'ULTRASONIC', 'CORE'], 3), weather: pick(['SUNNY', 'SUNNY', 'CLOUDY', 'LIGHT_RAIN', 'WIND']), ...(bad ? { defects: some(['HONEYCOMB', 'PITTING', 'CRACK', 'EXPOSED_BAR', 'COLD_JOINT', 'DEVIATION'], 3), remark: pick(['已通知施工单位三日内整改，整改后复检。', '局部蜂窝，凿除后以高一标号砂浆修补。', '裂缝宽度 0.15 mm，封闭处理并持续观测。']) } : {}),
    inspector: inspector[0], team: some(people.map((p) => p[0]), 4), unit: inspector[3].startsWith('二标') ? '施工二标项目部' : '施工一标项目部', parties: some(['施工一标项目部', '施工二标项目部', '监理部', '质量安全部'], 3),
    place: { code: '420506', detail: `${unitName}作业面` }, items,
  };
});
write('inspection', ['part', 'checkDate'], lots.map(({ lotKey, ...lot }) => ({ ...lot, part: `${lot.part}（${String(lotKey).padStart(3, '0')}）` })));
console.log('data written');
