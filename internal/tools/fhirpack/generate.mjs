// Writes the pack examples/clinic from a public data model: the FHIR R4 resources (CC0) as the type definitions of
// @types/fhir (MIT) give them. It shows what converting somebody's metadata takes: plain fields, picklists, references,
// child tables, long texts, amounts and periods become properties; each model gets lists and a form.
//
//   npm pack @types/fhir@0.0.44 && tar xzf types-fhir-0.0.44.tgz
//   node internal/tools/fhirpack/generate.mjs fhir/r4.d.ts examples/clinic
//   go run ./cmd/sluice fmt examples/clinic
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [source, target] = process.argv.slice(2);
if (!source || !target) {
  console.error('usage: generate.mjs r4.d.ts FOLDER');
  process.exit(2);
}

// The fifty resources with their Chinese names, by menu folder.
const folders = [
  ['people', '人员与机构', 'People and organisations', { Patient: '患者', Practitioner: '医务人员', PractitionerRole: '任职', RelatedPerson: '相关人员', Organization: '机构', Location: '地点', HealthcareService: '医疗服务', Endpoint: '接入点', Person: '个人', Group: '群组' }],
  ['care', '诊疗', 'Care', { Encounter: '就诊', EpisodeOfCare: '诊疗阶段', Condition: '病情', Observation: '观察', Procedure: '操作', CarePlan: '照护计划', CareTeam: '照护团队', Goal: '目标', AllergyIntolerance: '过敏', Flag: '警示' }],
  ['orders', '医嘱与检查', 'Orders and results', { ServiceRequest: '服务申请', DiagnosticReport: '诊断报告', Specimen: '标本', ImagingStudy: '影像检查', Media: '影像资料', Task: '任务', Appointment: '预约', AppointmentResponse: '预约答复', Schedule: '排班', Slot: '号源' }],
  ['medicine', '用药与免疫', 'Medication and immunisation', { Medication: '药品', MedicationRequest: '用药申请', MedicationAdministration: '给药', MedicationDispense: '发药', MedicationStatement: '用药陈述', Immunization: '接种', ImmunizationRecommendation: '接种建议', Substance: '物质', NutritionOrder: '膳食医嘱', SupplyRequest: '物资申请' }],
  ['finance', '费用与设备', 'Finance and devices', { Account: '账户', Coverage: '保险', Claim: '理赔', Invoice: '发票', ChargeItem: '收费项', PaymentNotice: '付款通知', Device: '设备', DeviceRequest: '设备申请', DeviceUseStatement: '设备使用', Communication: '沟通' }],
];
const zhWords = { active: '有效', address: '地址', name: '名称', gender: '性别', birth: '出生', date: '日期', time: '时间', status: '状态', code: '代码', category: '类别', type: '类型', description: '说明', comment: '备注', note: '备注', patient: '患者', subject: '对象', encounter: '就诊', performer: '执行者', author: '作者', recorder: '记录者', requester: '申请者', asserter: '断言者', practitioner: '医务人员', organization: '机构', location: '地点', start: '开始', end: '结束', period: '期间', priority: '优先级', reason: '原因', value: '值', quantity: '数量', amount: '金额', price: '单价', total: '合计', identifier: '标识', system: '体系', use: '用途', title: '标题', text: '文本', part: '部分', of: '所属', based: '依据', on: '项', specialty: '专科', service: '服务', role: '角色', language: '语言', photo: '照片', telecom: '联系方式', marital: '婚姻', deceased: '已故', boolean: '是否', integer: '整数', string: '文本', multiple: '多胞胎', contact: '联系人', general: '全科', managing: '管理', issued: '发布时间', recorded: '记录时间', onset: '起病', abatement: '缓解', severity: '严重程度', stage: '分期', evidence: '依据', outcome: '结果', body: '身体', site: '部位', method: '方法', device: '设备', specimen: '标本', series: '序列', number: '编号', intent: '意图', detail: '详情', instruction: '说明', medication: '药品', dosage: '剂量', dose: '剂量', lot: '批号', expiration: '到期', manufacturer: '厂家', serial: '序列号', model: '型号', version: '版本', url: '网址', owner: '所有者', item: '项目', created: '创建时间', payment: '付款', insurer: '承保人', insurance: '保险', provider: '提供者', recipient: '接收人', sender: '发送人', sent: '发送时间', received: '接收时间', occurrence: '发生', effective: '生效', authored: '开具时间', modified: '修改时间', last: '最近', class: '分类', account: '账户', claim: '理赔', coverage: '保险', condition: '病情', goal: '目标', task: '任务', request: '申请', response: '答复', result: '结果', conclusion: '结论', comments: '备注', count: '计数', member: '成员', members: '成员', actual: '实际', primary: '主要', source: '来源', state: '状态', history: '历史', activity: '活动', target: '目标', measure: '度量', due: '到期', participant: '参与者', team: '团队', plan: '计划', order: '顺序', rank: '顺序', sequence: '序号', unit: '单位', factor: '系数', net: '净额', gross: '总额', currency: '币种', relationship: '关系', family: '姓', given: '名', display: '显示名', available: '可用', hours: '时间', day: '日', days: '天', all: '全部', mode: '方式', position: '位置', longitude: '经度', latitude: '纬度', altitude: '海拔', alias: '别名', criticality: '危急程度', verification: '核实', clinical: '临床', substance: '物质', reaction: '反应', exposure: '接触', route: '途径', manifestation: '表现', focus: '焦点', group: '分组', context: '背景', component: '组成', reference: '参考', range: '范围', low: '下限', high: '上限', interpretation: '解释', absent: '缺失', data: '数据', duration: '时长', minutes: '分钟', slot: '号源', schedule: '排班', actor: '参与方', required: '必需', ordered: '医嘱', do: '', not: '不', perform: '执行', priority2: '' };

const text = readFileSync(source, 'utf8');
const interfaces = new Map();
for (const m of text.matchAll(/export interface (\w+) extends (\w+) \{([\s\S]*?)\n\}/g)) {
  interfaces.set(m[1], { base: m[2], body: m[3] });
}

const chosen = new Map();
for (const [, , , models] of folders) for (const [name, zh] of Object.entries(models)) chosen.set(name, zh);
const codeOf = (name) => name[0].toLowerCase() + name.slice(1);
const words = (code) => code.replace(/([A-Z])/g, ' $1').toLowerCase().trim().split(' ');
const english = (code) => { const w = words(code).join(' '); return w[0].toUpperCase() + w.slice(1); };
const chinese = (code) => { const w = words(code).map((x) => zhWords[x]); return w.every((x) => x !== undefined) ? w.join('') : english(code); };
const label = (code) => ({ name: chinese(code), name_i18n: { en: english(code) } });

const references = { subject: 'Patient', patient: 'Patient', beneficiary: 'Patient', encounter: 'Encounter', context: 'Encounter', performer: 'Practitioner', author: 'Practitioner', recorder: 'Practitioner', requester: 'Practitioner', asserter: 'Practitioner', practitioner: 'Practitioner', enterer: 'Practitioner', sender: 'Practitioner', generalPractitioner: 'Practitioner', organization: 'Organization', managingOrganization: 'Organization', serviceProvider: 'Organization', insurer: 'Organization', provider: 'Organization', manufacturer: 'Organization', custodian: 'Organization', payor: 'Organization', issuer: 'Organization', providedBy: 'Organization', location: 'Location', basedOn: 'ServiceRequest', specimen: 'Specimen', device: 'Device', medicationReference: 'Medication', account: 'Account', coverage: 'Coverage', claim: 'Claim', schedule: 'Schedule', slot: 'Slot', appointment: 'Appointment', healthcareService: 'HealthcareService', endpoint: 'Endpoint', reasonReference: 'Condition', goal: 'Goal', careTeam: 'CareTeam', episodeOfCare: 'EpisodeOfCare', diagnosis: 'Condition', condition: 'Condition', recipient: 'Practitioner', owner: 'Organization', party: 'Organization' };
const system = new Set(['id', 'name', 'sequenceno', 'creator', 'createddeptid', 'owner', 'ownerdeptid', 'ownerdeptquerycode', 'createdtime', 'modifier', 'modifiedtime', 'workflowinstanceid', 'sequencestatus', 'version']);
const skipped = new Set(['resourceType', 'contained', 'extension', 'modifierExtension', 'meta', 'implicitRules', 'text']);

function fields(name) {
  const out = [];
  const decl = interfaces.get(name);
  if (!decl) return out;
  const pattern = /(?:\/\*\*([\s\S]*?)\*\/\s*)?(?:readonly )?(\w+)(\?)?: ([^;]+);/g;
  for (const m of decl.body.matchAll(pattern)) {
    const [, comment = '', code, optional, rawType] = m;
    if (code.startsWith('_') || skipped.has(code)) continue;
    out.push({ code, optional: !!optional, type: rawType.replace(/\s*\|\s*undefined/, '').trim(), note: comment.split('\n').map((l) => l.replace(/^\s*\*\s?/, '').trim()).find((l) => l !== '') ?? '' });
  }
  return out;
}

const dateish = /(Date|DateTime|Time|Instant)$|^(date|issued|recorded|created|sent|received|started|authoredOn|lastModified|lastUpdated|onset|start|end|expirationDate|whenPrepared|whenHandedOver)$/;
const momentish = /(DateTime|Instant|Time)$|^(issued|recorded|sent|received|started|authoredOn|start|end|whenPrepared|whenHandedOver)$/;

// property turns one field into property definitions; several for a period, none for what has no meaning in a table.
function property(owner, f, depth) {
  const many = f.type.endsWith('[]');
  const type = many ? f.type.slice(0, -2) : f.type;
  const code = system.has(f.code.toLowerCase()) && !(f.code === 'name' && ['string', 'HumanName'].includes(type)) ? `${codeOf(owner)}${f.code[0].toUpperCase()}${f.code.slice(1)}` : f.code;
  const base = { code, ...label(f.code) };
  const note = f.note ? { description: f.note } : {};
  const options = type.match(/'([^']+)'/g)?.map((s) => s.slice(1, -1));
  if (options) {
    return [{ ...base, propertyType: many ? 'DropdownMulti' : 'Dropdown', ...note, options: options.map((o) => ({ code: o, name: chinese(o.replace(/-(\w)/g, (_, c) => c.toUpperCase())), name_i18n: { en: english(o.replace(/-(\w)/g, (_, c) => c.toUpperCase())) } })) }];
  }
  switch (type) {
    case 'boolean': return [{ ...base, propertyType: 'Logic', ...note }];
    case 'number': return [{ ...base, propertyType: 'Number', ...note, scale: /^(rank|sequence|count|number|order)/i.test(f.code) || /Integer|PositiveInt|UnsignedInt/.test(f.code) ? 0 : 4 }];
    case 'Money': return [{ ...base, propertyType: 'Number', ...note, scale: 2, displayFormat: 'thousands', unit: '元' }];
    case 'Quantity': case 'Duration': case 'Age': case 'SimpleQuantity': return many ? [] : [{ ...base, propertyType: 'Number', ...note, scale: 4 }];
    case 'Period': return many ? [] : ['Start', 'End'].map((side) => ({ code: code + side, name: `${chinese(f.code)}${side === 'Start' ? '开始' : '结束'}`, name_i18n: { en: `${english(f.code)} ${side.toLowerCase()}` }, propertyType: 'Date', ...note, displayFormat: 'yyyy-MM-dd HH:mm' }));
    case 'Reference': {
      const to = f.code === 'partOf' || f.code === 'replaces' ? owner : references[f.code];
      if (!to || !chosen.has(to)) return [];
      if (depth > 0 && many) return [];
      return [{ ...base, propertyType: many ? 'RelevanceFormEx' : 'RelevanceForm', ...note, relativeCode: codeOf(to) }];
    }
    case 'Attachment': return depth > 0 ? [] : [{ ...base, propertyType: 'Attachment', ...note, maxCount: many ? 20 : 1 }];
    case 'Annotation': return depth > 0 ? [] : [{ ...base, propertyType: 'LongText', ...note }];
    case 'Address': return depth > 0 ? [] : [{ ...base, propertyType: 'Address', ...note }];
    case 'Identifier': case 'CodeableConcept': case 'Coding': case 'ContactPoint': case 'HumanName':
      return many && depth > 0 ? [] : [{ ...base, propertyType: 'ShortText', ...note }];
    case 'string':
      if (many) return [{ ...base, propertyType: 'ShortText', ...note }];
      if (/^(time|.*TimeOfDay)$/.test(f.code)) return [{ ...base, propertyType: 'Time', ...note }];
      if (dateish.test(f.code)) return [{ ...base, propertyType: 'Date', ...note, ...(momentish.test(f.code) ? { displayFormat: 'yyyy-MM-dd HH:mm' } : {}) }];
      if (/description|comment|note|instruction|conclusion|div|markdown|summary|disposition/i.test(f.code)) return [{ ...base, propertyType: 'LongText', ...note }];
      return [{ ...base, propertyType: 'ShortText', ...note }];
  }
  if (many && depth === 0 && interfaces.get(type)?.base === 'BackboneElement') {
    const nested = fields(type).flatMap((g) => property(owner, g, 1));
    return nested.length ? [{ ...base, propertyType: 'Sheet', ...note, properties: nested }] : [];
  }
  return [];
}

const write = (path, value) => { mkdirSync(join(target, path, '..'), { recursive: true }); writeFileSync(join(target, path), `${JSON.stringify(value, null, 2)}\n`); };
for (const old of ['models', 'lists', 'forms', 'access']) rmSync(join(target, old), { recursive: true, force: true });

write('pack.json', { code: 'clinic', name: '诊所', name_i18n: { en: 'Clinic' }, description: 'Fifty models from the FHIR R4 resources (CC0), written by internal/tools/fhirpack.', version: '1.0.0', requires: ['organisation'] });
write('app.json', { name: '诊所', name_i18n: { en: 'Clinic' }, group: '示例', menu: folders.map(([code, zh, en, models]) => ({ code, type: 'Folder', name: zh, name_i18n: { en }, children: Object.keys(models).map((n) => ({ code: codeOf(n), type: 'BizModel' })) })) });
write('access/clinicStaff.json', { name: '诊所员工', name_i18n: { en: 'Clinic staff' }, apps: ['clinic'], models: [...chosen.keys()].map((n) => ({ schemaCode: codeOf(n), actions: ['view', 'add', 'edit', 'delete'], rows: 'all' })) });

for (const [name, zh] of chosen) {
  const properties = fields(name).flatMap((f) => property(name, f, 0)).filter((p, i, all) => all.findIndex((q) => q.code.toLowerCase() === p.code.toLowerCase()) === i);
  const plain = properties.filter((p) => !['Sheet', 'LongText', 'Attachment'].includes(p.propertyType));
  const title = properties.find((p) => p.propertyType === 'ShortText');
  const own = properties.some((p) => p.code === 'name');
  const moment = properties.find((p) => p.propertyType === 'Date');
  const texts = { name: zh, name_i18n: { en: english(codeOf(name)) } };
  write(`models/${codeOf(name)}.json`, { ...texts, ...(own || !title ? {} : { digest: `{${title.code}} {sequenceNo}` }), sequence: { prefix: `${name.replace(/[a-z]/g, '').slice(0, 3)}-`, length: 6 }, properties });
  write(`lists/${codeOf(name)}.json`, {
    schemaCode: codeOf(name), ...texts,
    ...(moment ? { orderBy: [{ propertyCode: moment.code, direction: 'descending' }] } : {}),
    queryConditions: plain.filter((p) => p.propertyType !== 'Address').slice(0, 5).map((p) => p.code),
    queryColumns: ['sequenceNo', ...plain.slice(0, 9).map((p) => p.code), ...properties.filter((p) => p.propertyType === 'Sheet').slice(0, 1).map((p) => ({ propertyCode: p.code, childColumns: p.properties.slice(0, 3).map((c) => c.code) })), 'owner', 'createdTime'],
    queryActions: ['add', 'edit', 'delete'],
  });
  const groups = [{ type: 'Section', name: '基本信息', name_i18n: { en: 'Basics' }, items: plain.map((p) => p.code) }];
  const long = properties.filter((p) => ['LongText', 'Attachment'].includes(p.propertyType));
  if (long.length) groups.push({ type: 'Section', name: '说明与附件', name_i18n: { en: 'Notes and files' }, items: long.map((p) => ({ propertyCode: p.code, span: 2 })) });
  const sheets = properties.filter((p) => p.propertyType === 'Sheet');
  if (sheets.length) groups.push({ type: 'Tabs', items: sheets.map((p) => ({ type: 'Section', name: p.name, name_i18n: p.name_i18n, items: [p.code] })) });
  write(`forms/${codeOf(name)}.json`, { schemaCode: codeOf(name), ...texts, columns: 2, items: groups.filter((g) => g.items.length), actions: ['save'] });
}
console.log(`${chosen.size} models written to ${target}`);
