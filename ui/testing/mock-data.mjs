// Ship-lock data for the mock server: the same rows at every start.
let seed = 20261121
const random = () => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return seed / 0x7fffffff
}
const pick = (list) => list[Math.floor(random() * list.length)]
const some = (list, max) => [...new Set(Array.from({ length: Math.floor(random() * (max + 1)) }, () => pick(list)))]
const uuid = (n, kind) => `${kind}0000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const i18n = (en) => ({ en })

export const people = [
  ['赵启明', '质检员', 'Zhao Qiming'],
  ['钱学文', '监理工程师', 'Qian Xuewen'],
  ['孙立群', '试验员', 'Sun Liqun'],
  ['李淑芬', '资料员', 'Li Shufen'],
  ['周建国', '项目经理', 'Zhou Jianguo'],
  ['吴海涛', '测量员', 'Wu Haitao'],
  ['郑晓岚', '质检员', 'Zheng Xiaolan'],
  ['王振东', '总监理工程师', 'Wang Zhendong'],
  ['冯一诺', '施工员', 'Feng Yinuo'],
  ['陈国栋', '安全员', 'Chen Guodong'],
  ['褚玉兰', '合同管理员', 'Chu Yulan'],
  ['欧阳静怡', '计量工程师', 'Ouyang Jingyi'],
].map(([name, position], i) => ({
  id: uuid(i + 1, 'a'),
  name,
  imgUrl: null,
  type: 3,
  position,
  detail: ['工程部', '质量部', '试验室', '监理办'][i % 4],
}))
export const departments = [
  '工程部',
  '质量部',
  '试验室',
  '合同部',
  '监理办',
  '第一施工队',
  '第二施工队',
  '金属结构分部',
].map((name, i) => ({ id: uuid(i + 1, 'b'), name, imgUrl: null, type: 1 }))
const person = () => {
  const { id, name, imgUrl, type } = pick(people)
  return { id, name, imgUrl, type }
}
const staff = (max) => some(people, max).map(({ id, name, imgUrl, type }) => ({ id, name, imgUrl, type }))

const partyB = ['中交第二航务工程局有限公司', '江苏省水利建设工程有限公司', '中国水利水电第七工程局', '长江航道工程局']
export const contracts = [
  ['SL-01', '主体土建工程施工合同'],
  ['SL-02', '上下游引航道开挖与护岸工程施工合同'],
  ['SL-03', '闸阀门及启闭机制造与安装合同'],
  ['SL-04', '机电设备采购合同'],
  ['SL-05', '监理服务合同'],
  ['SL-06', '试验检测服务合同'],
  ['SL-07', '安全监测服务合同'],
  ['SL-08', '房建与绿化工程施工合同'],
].map(([code, title], i) => ({
  id: uuid(i + 1, 'c'),
  workflowInstanceId: null,
  sequenceStatus: i === 7 ? 'DRAFT' : 'COMPLETED',
  version: 1,
  data: {
    sequenceNo: `HT-2026${String(i + 1).padStart(4, '0')}`,
    code,
    title,
    partyB: partyB[i % 4],
    kind: ['BUILD', 'BUILD', 'SUPPLY', 'SUPPLY', 'SERVICE', 'SERVICE', 'SERVICE', 'BUILD'][i],
    amount: [
      '486250000.00',
      '173480500.50',
      '96500000.00',
      '28990000.00',
      '18600000.00',
      '7350000.00',
      '4280000.00',
      '31200000.00',
    ][i],
    signDate: `2025-${String((i % 9) + 3).padStart(2, '0')}-18`,
    manager: people[(i + 4) % 12],
  },
}))

const field = (propertyCode, propertyType, name, en, more = {}) => ({
  propertyCode,
  propertyType,
  name,
  name_i18n: i18n(en),
  displayFormat: null,
  options: null,
  relativeCode: null,
  relativePropertyCode: null,
  settings: {},
  operators: [],
  defaultProperty: false,
  ...more,
})
const options = (list) =>
  list.map(([code, name, en, color]) => ({
    code,
    name,
    name_i18n: i18n(en),
    color: color ?? null,
    disabled: false,
    parent: null,
  }))

const results = options([
  ['OK', '合格', 'Qualified', 'green'],
  ['BAD', '不合格', 'Unqualified', 'red'],
  ['WAIT', '待复检', 'To re-inspect', 'orange'],
])
const methods = options([
  ['EYE', '目测', 'Visual'],
  ['MEASURE', '实测', 'Measured'],
  ['SAMPLE', '取样', 'Sampled'],
  ['NDT', '无损检测', 'Non-destructive'],
])
const weather = options([
  ['SUN', '晴', 'Sunny', 'gold'],
  ['CLOUD', '多云', 'Cloudy', 'gray'],
  ['RAIN', '小雨', 'Light rain', 'blue'],
  ['WIND', '大风', 'Windy', 'cyan'],
])
const defects = options([
  ['HONEYCOMB', '蜂窝', 'Honeycomb', 'orange'],
  ['CRACK', '裂缝', 'Crack', 'red'],
  ['PITTED', '麻面', 'Pitted surface', 'gold'],
  ['EXPOSED', '露筋', 'Exposed bar', 'volcano'],
  ['MISALIGN', '错台', 'Misalignment', 'purple'],
])
const kinds = options([
  ['BUILD', '施工', 'Works', 'blue'],
  ['SUPPLY', '采购', 'Supply', 'purple'],
  ['SERVICE', '服务', 'Services', 'cyan'],
])
const nodeTypes = options([
  ['UNIT', '单位工程', 'Unit works', 'blue'],
  ['PART', '分部工程', 'Part', 'purple'],
  ['ITEM', '分项工程', 'Item', 'cyan'],
  ['LOT', '检验批', 'Lot', 'gray'],
])

const inspectionFields = {
  sequenceNo: field('sequenceNo', 0, '编号', 'No.', { defaultProperty: true }),
  part: field('part', 0, '部位', 'Part'),
  result: field('result', 12, '结论', 'Result', { options: results }),
  contract: field('contract', 9, '合同', 'Contract', { relativeCode: 'contract', relativePropertyCode: 'title' }),
  'contract.partyB': field('contract.partyB', 0, '施工单位', 'Contractor'),
  inspector: field('inspector', 50, '检查人', 'Inspector'),
  team: field('team', 51, '参加人', 'Team'),
  checkDate: field('checkDate', 3, '检查日期', 'Checked on', { displayFormat: 'yyyy-MM-dd' }),
  pouredAt: field('pouredAt', 3, '浇筑时间', 'Poured at', { displayFormat: 'yyyy-MM-dd HH:mm' }),
  startTime: field('startTime', 20, '开始', 'Start', { displayFormat: 'HH:mm' }),
  quantity: field('quantity', 2, '数量', 'Quantity', { settings: { scale: 3, unit: 'm³' } }),
  amount: field('amount', 2, '金额', 'Amount', { displayFormat: 'thousands', settings: { scale: 2 } }),
  passRate: field('passRate', 2, '合格率', 'Pass rate', { displayFormat: 'percent', settings: { scale: 4 } }),
  hidden: field('hidden', 4, '隐蔽工程', 'Concealed'),
  methods: field('methods', 13, '检查方法', 'Methods', { options: methods }),
  weather: field('weather', 14, '天气', 'Weather', { options: weather }),
  defects: field('defects', 15, '缺陷', 'Defects', { options: defects }),
  unit: field('unit', 60, '责任部门', 'Department'),
  parties: field('parties', 61, '参与部门', 'Departments involved'),
  informed: field('informed', 5, '抄送', 'Copied to'),
  drawings: field('drawings', 11, '图纸', 'Drawings', { relativeCode: 'drawing', relativePropertyCode: 'name' }),
  place: field('place', 10, '地点', 'Place', { displayFormat: 'province-city-district' }),
  photos: field('photos', 6, '照片', 'Photos', { settings: { accept: ['image/*'], maxCount: 9 } }),
  opinion: field('opinion', 7, '审批意见', 'Opinions'),
  items: field('items', 8, '检查项', 'Check items', {
    children: [
      field('item', 0, '项目', 'Item'),
      field('value', 2, '实测值', 'Measured', { settings: { scale: 2 } }),
      field('ok', 4, '合格', 'Qualified'),
    ],
  }),
  remark: field('remark', 1, '备注', 'Remark'),
  modifiedTime: field('modifiedTime', 3, '更新时间', 'Updated', {
    displayFormat: 'yyyy-MM-dd HH:mm',
    defaultProperty: true,
  }),
}
const column = (f, width = 176, more = {}) => ({
  ...f,
  width,
  sortable: ![1, 5, 6, 7, 8, 11, 13, 15, 51, 61].includes(f.propertyType),
  visible: true,
  sumType: null,
  childColumns: f.children ? f.children.map((c) => column(c, 120)) : null,
  ...more,
})
const condition = (f, queryFilterType, more = {}) => ({
  ...f,
  queryFilterType,
  visible: true,
  defaultValue: null,
  startValue: null,
  endValue: null,
  accurateSearch: false,
  choiceType: null,
  displayType: null,
  defaultState: null,
  ...more,
})
const action = (actionCode, name, en, more = {}) => ({
  actionCode,
  queryActionType: actionCode,
  name,
  name_i18n: i18n(en),
  associationType: 0,
  associationCode: null,
  row: false,
  hint: null,
  extend1: null,
  sortKey: 0,
  attributes: null,
  ...more,
})
const I = inspectionFields
const crud = [
  action('add', '新增', 'Add'),
  action('edit', '编辑', 'Edit', { row: true }),
  action('delete', '删除', 'Delete'),
]
const list = (schemaCode, queryCode, name, en, modelName, modelEn, more) => ({
  schemaCode,
  queryCode,
  sheetCode: schemaCode,
  name,
  name_i18n: i18n(en),
  modelName,
  modelName_i18n: i18n(modelEn),
  digest: 'mock',
  orderBy: [],
  queryConditions: [],
  queryColumns: [],
  queryActions: crud,
  searchable: true,
  searched: [{ propertyCode: 'name', name: '名称', name_i18n: { en: 'Name' } }],
  queryPresentation: { presentationType: 'table', fixedLeftColumns: [], fixedRightColumns: [], queryPanelColumns: 3 },
  ...more,
})

const inspectionConditions = [
  condition(I.part, 'Contains'),
  condition(I.result, 'In'),
  condition(I.checkDate, 'Between'),
  condition(I.inspector, 'In'),
  condition(I.contract, 'Equal'),
  condition(I.amount, 'Between'),
  condition(I.unit, 'Of'),
  condition(I.hidden, 'Equal'),
  condition(I.defects, 'Contains'),
  condition(I.place, 'Contains'),
  condition(I.pouredAt, 'Between'),
  condition(I.startTime, 'Equal'),
]
const inspectionColumns = [
  column(I.sequenceNo, 148),
  column(I.part, 260),
  column(I.result, 108),
  column(I.contract, 220),
  column(I['contract.partyB'], 220),
  column(I.inspector, 120),
  column(I.checkDate, 120),
  column(I.quantity, 140, { sumType: 'sum' }),
  column(I.amount, 160, { sumType: 'sum' }),
  column(I.passRate, 100, { sumType: 'average' }),
  column(I.items, 240),
  column(I.defects, 180),
  column(I.hidden, 96),
  column(I.team, 150),
  column(I.pouredAt, 150),
  column(I.startTime, 84),
  column(I.methods, 160),
  column(I.weather, 96),
  column(I.unit, 120),
  column(I.parties, 180),
  column(I.informed, 160),
  column(I.drawings, 200),
  column(I.place, 220),
  column(I.photos, 150),
  column(I.opinion, 200),
  column(I.remark, 260),
  column(I.modifiedTime, 150),
]

const contractFields = {
  sequenceNo: field('sequenceNo', 0, '编号', 'No.', { defaultProperty: true }),
  code: field('code', 0, '合同号', 'Contract no.'),
  title: field('title', 0, '合同名称', 'Title'),
  kind: field('kind', 14, '类别', 'Kind', { options: kinds }),
  partyB: field('partyB', 0, '乙方', 'Party B'),
  amount: field('amount', 2, '合同金额', 'Amount', { displayFormat: 'thousands', settings: { scale: 2, unit: '元' } }),
  signDate: field('signDate', 3, '签订日期', 'Signed on', { displayFormat: 'yyyy-MM-dd' }),
  manager: field('manager', 50, '负责人', 'Manager'),
}
const C = contractFields
const qbsFields = {
  code: field('code', 0, '编码', 'Code'),
  name: field('name', 0, '名称', 'Name'),
  nodeType: field('nodeType', 12, '类型', 'Type', { options: nodeTypes }),
  lots: field('lots', 2, '检验批', 'Lots', { settings: { scale: 0 } }),
  passRate: field('passRate', 2, '合格率', 'Pass rate', { displayFormat: 'percent', settings: { scale: 4 } }),
  leader: field('leader', 50, '负责人', 'Leader'),
  planDate: field('planDate', 3, '计划完成', 'Planned', { displayFormat: 'yyyy-MM-dd' }),
}
const Q = qbsFields

export const lists = {
  inspection: [
    list('inspection', 'inspection', '全部检验批', 'All lots', '检验批', 'Inspection lots', {
      orderBy: [{ propertyCode: 'checkDate', direction: 2 }],
      queryConditions: inspectionConditions,
      queryColumns: inspectionColumns,
      searchable: true,
      searched: [{ propertyCode: 'name', name: '名称', name_i18n: { en: 'Name' } }],
      queryPresentation: {
        presentationType: 'table',
        fixedLeftColumns: ['sequenceNo'],
        fixedRightColumns: [],
        queryPanelColumns: 3,
      },
    }),
    list('inspection', 'inspection_rejected', '不合格检验批', 'Unqualified lots', '检验批', 'Inspection lots', {
      queryConditions: inspectionConditions.slice(0, 4),
      queryColumns: inspectionColumns.slice(0, 9),
    }),
  ],
  contract: [
    list('contract', 'contract', '合同', 'Contracts', '合同', 'Contracts', {
      queryConditions: [
        condition(C.title, 'Contains'),
        condition(C.kind, 'In'),
        condition(C.amount, 'Between'),
        condition(C.manager, 'In'),
      ],
      queryColumns: [
        column(C.code, 110),
        column(C.title, 300),
        column(C.kind, 100),
        column(C.partyB, 240),
        column(C.amount, 180, { sumType: 'sum' }),
        column(C.signDate, 120),
        column(C.manager, 120),
      ],
    }),
  ],
  qbs: [
    list('qbs', 'qbs', '工程划分', 'Quality breakdown', '工程划分', 'Quality breakdown', {
      queryConditions: [condition(Q.name, 'Contains'), condition(Q.nodeType, 'In')],
      queryColumns: [
        column(Q.name, 320),
        column(Q.code, 140),
        column(Q.nodeType, 120),
        column(Q.lots, 110),
        column(Q.passRate, 110),
        column(Q.leader, 130),
        column(Q.planDate, 130),
      ],
      searchable: true,
      searched: [{ propertyCode: 'name', name: '名称', name_i18n: { en: 'Name' } }],
      queryPresentation: {
        presentationType: 'tree',
        fixedLeftColumns: [],
        fixedRightColumns: [],
        queryPanelColumns: 3,
      },
    }),
  ],
  ncr: [
    list('ncr', 'ncr', '整改单', 'Non-conformities', '整改单', 'Non-conformities', {
      queryConditions: [condition(I.part, 'Contains')],
      queryColumns: [column(I.sequenceNo, 148), column(I.part, 300), column(I.result, 108)],
    }),
  ],
  broken: [
    list('broken', 'broken', '出错的列表', 'Failing list', '出错的列表', 'Failing list', {
      queryColumns: [column(I.sequenceNo, 148)],
    }),
  ],
}
export const fields = {
  inspection: inspectionFields,
  contract: contractFields,
  qbs: qbsFields,
  ncr: inspectionFields,
  broken: inspectionFields,
}

const axes = ['上闸首', '下闸首', '闸室', '上游引航道', '下游引航道', '输水廊道']
const works = [
  '底板第%层混凝土',
  '边墩第%段钢筋',
  '左侧闸墙第%段模板',
  '右侧闸墙第%段混凝土',
  '灌注桩 Z-%',
  '廊道衬砌第%仓',
  '护坦第%块',
  '止水带第%段',
  '启闭机房第%层梁板',
]
const checks = [
  '轴线偏位',
  '顶面高程',
  '断面尺寸',
  '平整度',
  '钢筋间距',
  '保护层厚度',
  '混凝土强度',
  '预埋件位置',
  '垂直度',
]
const places = [
  ['320584', '江苏省', '苏州市', '吴江区', '太浦河船闸左岸'],
  ['330402', '浙江省', '嘉兴市', '南湖区', '秀洲枢纽 2 号闸'],
  ['310118', '上海市', '上海市', '青浦区', ''],
  ['420500', '湖北省', '宜昌市', '', '三峡枢纽下游 3.2 km 处临时码头'],
]

export const drawings = Array.from({ length: 40 }, (_, i) => ({
  id: uuid(i + 1, 'd'),
  name: `SZ-${String(i + 1).padStart(3, '0')} ${pick(axes)}结构配筋图`,
}))
const COUNT = 1260
function lot(i) {
  const quantity = (random() * 1800 + 12).toFixed(3)
  const amount = (Number(quantity) * (420 + random() * 380)).toFixed(2)
  const day = new Date(Date.UTC(2026, 10, 21) - Math.floor(i / 4) * 86400000)
  const iso = day.toISOString().slice(0, 10)
  const contract = pick(contracts.slice(0, 4))
  const [code, province, city, district, detail] = pick(places)
  const result = random() < 0.78 ? 'OK' : random() < 0.6 ? 'WAIT' : 'BAD'
  const items = Array.from({ length: Math.floor(random() * 13) }, (_, n) => ({
    id: uuid(i * 100 + n, 'e'),
    item: checks[n % checks.length],
    value: (random() * 30 - 8).toFixed(2),
    ok: random() < 0.9,
  }))
  const long = i % 53 === 7
  return {
    id: uuid(i + 1, 'f'),
    workflowInstanceId: null,
    sequenceStatus: i % 19 === 3 ? 'DRAFT' : i % 11 === 5 ? 'PROCESSING' : 'COMPLETED',
    version: 1,
    items,
    data: {
      sequenceNo: `JY-2026${String(11 - (Math.floor(i / 120) % 11)).padStart(2, '0')}${String(COUNT - i).padStart(4, '0')}`,
      part: long
        ? '上闸首左边墩▽-4.50～▽+2.80 高程段（含输水廊道进口段、检修门槽二期混凝土及全部预埋件）第 3 仓混凝土浇筑'
        : `${pick(axes)}${pick(works).replace('%', String(Math.floor(random() * 24) + 1))}`,
      result,
      contract: { id: contract.id, name: contract.data.title },
      'contract.partyB': contract.data.partyB,
      inspector: person(),
      team: staff(5),
      checkDate: iso,
      pouredAt:
        random() < 0.3
          ? null
          : `${iso}T0${Math.floor(random() * 9)}:${String(Math.floor(random() * 60)).padStart(2, '0')}:00.000Z`,
      startTime: random() < 0.3 ? null : `${String(7 + Math.floor(random() * 10)).padStart(2, '0')}:30:00`,
      quantity,
      amount: i === 2 ? '1234567890123456.78' : amount,
      passRate: (0.8 + random() * 0.2).toFixed(4),
      hidden: random() < 0.4,
      methods: some(methods, 3).map((o) => o.code),
      weather: pick(weather).code,
      defects: result === 'OK' ? [] : some(defects, 4).map((o) => o.code),
      unit: pick(departments),
      parties: some(departments, 4),
      informed: [...staff(2), ...some(departments, 1)],
      drawings: some(drawings, 3),
      place: random() < 0.2 ? null : { code, province, city, district, detail },
      photos: Array.from({ length: Math.floor(random() * 5) }, (_, n) => ({
        refId: uuid(i * 10 + n, '9'),
        name: n === 3 ? `检测报告-${i}.pdf` : `现场照片_${n + 1}.jpg`,
        mimeType: n === 3 ? 'application/pdf' : 'image/jpeg',
        size: 1843200 + n * 90000,
        isImage: n !== 3,
      })),
      opinion:
        random() < 0.6
          ? []
          : [
              {
                nodeName: '监理复核',
                user: person(),
                result: '同意',
                opinion: '检验资料齐全，实测数据符合设计与规范要求，同意进入下道工序。',
                time: `${iso}T08:10:00.000Z`,
              },
            ],
      items: { rows: items.slice(0, 7), total: items.length },
      remark: long
        ? '<b>该段</b>存在冷缝'
        : random() < 0.6
          ? null
          : '养护第 7 天回弹推定强度 36.4 MPa；模板拆除后表面有少量气泡，已按方案修补并复查合格。',
      modifiedTime: `${iso}T09:${String(Math.floor(random() * 60)).padStart(2, '0')}:00.000Z`,
    },
  }
}
const lots = Array.from({ length: COUNT }, (_, i) => lot(i))

const qbs = []
function node(parent, code, name, nodeType, depth) {
  const id = uuid(qbs.length + 1, '8')
  qbs.push({
    id,
    parent,
    workflowInstanceId: null,
    sequenceStatus: null,
    version: 1,
    data: {
      code,
      name,
      nodeType,
      lots: String(Math.floor(random() * (160 / (depth + 1))) + 1),
      passRate: (0.86 + random() * 0.14).toFixed(4),
      leader: person(),
      planDate: `2027-0${(qbs.length % 9) + 1}-15`,
    },
  })
  return id
}
;['船闸主体工程', '引航道工程', '金属结构与机电工程', '房屋建筑工程'].forEach((unit, u) => {
  const unitId = node('', `0${u + 1}`, unit, 'UNIT', 0)
  axes.slice(0, 3 + (u % 3)).forEach((part, p) => {
    const partId = node(unitId, `0${u + 1}-0${p + 1}`, part, 'PART', 1)
    ;['基坑开挖', '钻孔灌注桩', '钢筋混凝土底板', '墩墙', '止水'].forEach((item, n) => {
      const itemId = node(partId, `0${u + 1}-0${p + 1}-0${n + 1}`, item, 'ITEM', 2)
      for (let k = 1; k <= 4; k++)
        node(itemId, `0${u + 1}-0${p + 1}-0${n + 1}-00${k}`, `${part}${item}第 ${k} 段`, 'LOT', 3)
    })
  })
})
const parents = new Set(qbs.map((row) => row.parent))
for (const row of qbs) row.leaf = !parents.has(row.id)

export const rows = { inspection: lots, contract: contracts, qbs, ncr: [], broken: [] }

const menuNode = (appCode, code, type, name, en, more = {}) => ({
  id: `${appCode}/${code}`,
  code,
  name,
  name_i18n: i18n(en),
  icon: null,
  type,
  appCode,
  parentId: null,
  openMode: null,
  pcUrl: null,
  mobileUrl: null,
  queryCode: null,
  schemaCode: type === 'BizModel' ? code : null,
  reportCode: null,
  modelType: 'LIST',
  pcAble: true,
  mobileAble: true,
  published: 1,
  deleted: false,
  sortKey: 0,
  children: [],
  ...more,
})
const m = (code, name, en, more) => menuNode('shiplock', code, 'BizModel', name, en, { queryCode: code, ...more })
const folder = (code, name, en, icon, children) => {
  const f = menuNode('shiplock', code, 'Folder', name, en, { icon, children })
  for (const child of children) child.parentId = f.id
  return f
}
export const menu = {
  shiplock: [
    folder('quality', '质量', 'Quality', 'check', [
      m('inspection', '检验批', 'Inspection lots'),
      m('rejected', '不合格检验批', 'Unqualified lots', { schemaCode: 'inspection', queryCode: 'inspection_rejected' }),
      m('qbs', '工程划分', 'Quality breakdown', { modelType: 'TREE' }),
      m('ncr', '整改单', 'Non-conformities'),
    ]),
    folder('contracts', '合同', 'Contracts', 'file', [
      m('contract', '合同', 'Contracts'),
      m('broken', '变更令', 'Variation orders'),
    ]),
    menuNode('shiplock', 'norms', 'Page', '规范查询', 'Standards', {
      icon: 'book',
      pcUrl: 'https://example.org/norms',
      openMode: 'NEW_PAGE_MODE',
    }),
  ],
  lab: [menuNode('lab', 'contract', 'BizModel', '合同', 'Contracts', { queryCode: 'contract' })],
}
export const apps = [
  {
    code: 'shiplock',
    name: '船闸工程',
    name_i18n: i18n('Ship lock'),
    group: '工程',
    group_i18n: i18n('Engineering'),
    logoUrl: null,
  },
  {
    code: 'lab',
    name: '试验检测',
    name_i18n: i18n('Laboratory'),
    group: '工程',
    group_i18n: i18n('Engineering'),
    logoUrl: null,
  },
  {
    code: 'assets',
    name: '设备与物资',
    name_i18n: i18n('Equipment and materials'),
    group: '资源',
    group_i18n: i18n('Resources'),
    logoUrl: null,
  },
  {
    code: 'people',
    name: '组织与人员',
    name_i18n: i18n('Organization'),
    group: '系统',
    group_i18n: i18n('System'),
    logoUrl: null,
  },
]
