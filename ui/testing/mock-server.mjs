// A stand-in for the server (it also serves a built ui/dist under the production policy): the contract over ship-lock data in memory. `npm run mock`, then `npm run dev`.
// Sign in as zhao with Lock2026. MOCK_SETUP=1 starts without an administrator (secret: 7f3a-91cc).
// PUT /mock/events {"event", "data"} sends a server event; MOCK_DELAY=800 slows every answer down.
import { constants, generateKeyPairSync, privateDecrypt, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { apps, departments, drawings, fields, lists, menu, people, rows } from './mock-data.mjs'

const port = Number(process.env.PORT ?? 8790)
const keys = new Map()
const listeners = new Set()
let setupNeeded = process.env.MOCK_SETUP === '1'
const account = { username: 'zhao', name: '赵启明', password: 'Lock2026' }

class Refusal extends Error {
  constructor(status, errcode, errmsg, data = null) {
    super(errmsg)
    Object.assign(this, { status, errcode, data })
  }
}
const required = (value, name) =>
  value ??
  (() => {
    throw new Refusal(400, 100002, `缺少参数 ${name}`)
  })()
const page = (all, q) => ({
  content: all.slice(Number(q.page ?? 0) * Number(q.size ?? 20), (Number(q.page ?? 0) + 1) * Number(q.size ?? 20)),
  totalElements: all.length,
})

function decrypt(index, text) {
  const key = keys.get(index)
  if (!key) throw new Refusal(401, 100013, '登录已超时，请重试')
  keys.delete(index)
  return (value) =>
    privateDecrypt(
      { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(value ?? text, 'base64'),
    ).toString()
}
const tokens = () => ({ access_token: 'mock', refresh_token: 'mock', exp: Math.floor(Date.now() / 1000) + 3600 })

const text = (value) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
const ids = (value) =>
  value === null || value === undefined
    ? []
    : (Array.isArray(value) ? value : [value]).map((v) => v?.id ?? v?.code ?? String(v))
function matches(row, filter) {
  if (filter.or) return filter.or.some((f) => matches(row, f))
  if (filter.and) return filter.and.every((f) => matches(row, f))
  const value = row.data[filter.propertyCode]
  const operand = Array.isArray(filter.propertyValue)
    ? filter.propertyValue.join(';')
    : String(filter.propertyValue ?? '')
  const [low, high] = operand.split(';')
  switch (filter.queryFilterType) {
    case 'Between': {
      const number = filter.propertyType === 2
      const v = number ? Number(value) : text(value).slice(0, low.length || high?.length || 10)
      return (
        text(value) !== '' &&
        (!low || v >= (number ? Number(low) : low)) &&
        (!high || v <= (number ? Number(high) : high))
      )
    }
    case 'In':
    case 'Of':
      return ids(value).some((id) => operand.split(';').includes(id))
    case 'Contains':
      return [9, 11, 50, 51, 60, 61, 5, 13, 15, 12, 14].includes(filter.propertyType)
        ? ids(value).some((id) => operand.split(';').includes(id))
        : filter.propertyType === 10
          ? text(value?.code).startsWith(operand.replace(/(00)+$/, ''))
          : text(value).toLowerCase().includes(operand.toLowerCase())
    default:
      return ids(value).join(';') === operand
  }
}
const comparable = (value) => (typeof value === 'object' && value ? text(value.name ?? value.code) : text(value))
function order(list, code, type, wire) {
  const sign = type === 2 ? -1 : 1
  return [...list].sort(
    (a, b) =>
      sign *
      (wire === 2
        ? Number(a.data[code]) - Number(b.data[code])
        : comparable(a.data[code]).localeCompare(comparable(b.data[code]), 'zh')),
  )
}
function sum(list, column) {
  const values = list.map((row) => row.data[column.propertyCode]).filter((v) => v !== null)
  const scale = column.settings?.scale ?? 2
  const total = values.reduce(
    (a, v) =>
      a + BigInt(v.replace('.', '').padEnd(v.replace('.', '').length + scale - (v.split('.')[1] ?? '').length, '0')),
    0n,
  )
  const print = (n) => {
    const s = n.toString().padStart(scale + 1, '0')
    return scale ? `${s.slice(0, -scale)}.${s.slice(-scale)}` : s
  }
  return column.sumType === 'sum' ? print(total) : print(values.length ? total / BigInt(values.length) : 0n)
}
function config(schemaCode, queryCode) {
  const found = lists[schemaCode]?.find((l) => !queryCode || l.queryCode === queryCode)
  if (!found) throw new Refusal(404, 300002, '列表不存在')
  return found
}
function queryList(body) {
  const list = config(body.schemaCode, body.queryCode)
  if (list.schemaCode === 'broken') throw new Refusal(500, 999999, '读取数据失败')
  let all = rows[body.schemaCode]
  if (list.queryCode === 'inspection_rejected') all = all.filter((row) => row.data.result === 'BAD')
  if (list.queryPresentation.presentationType === 'tree' && body.parentId !== undefined && body.parentId !== null)
    all = all.filter((row) => row.parent === body.parentId)
  all = all.filter((row) => (body.filters ?? []).every((f) => matches(row, f)))
  const code = body.orderByFields?.[0] ?? list.orderBy[0]?.propertyCode
  if (code)
    all = order(all, code, body.orderType || list.orderBy[0]?.direction, fields[body.schemaCode][code]?.propertyType)
  const size = body.size ?? 20
  const from = body.cursor ? Number(Buffer.from(body.cursor, 'base64url')) : (body.page ?? 0) * size
  const cursor = (n) => Buffer.from(String(n)).toString('base64url')
  return {
    content: all.slice(from, from + size).map(({ items: _, parent: __, ...row }) => ({
      ...row,
      actions: row.sequenceStatus === 'PROCESSING' ? [] : ['edit', 'delete'],
    })),
    totalElements: all.length,
    aggregates: Object.fromEntries(
      list.queryColumns.filter((c) => c.sumType).map((c) => [c.propertyCode, sum(all, c)]),
    ),
    next: from + size < all.length ? cursor(from + size) : null,
    previous: from > 0 ? cursor(Math.max(0, from - size)) : null,
  }
}
function choices(q) {
  const path = q.propertyCode.split('.')[0]
  const f = fields[q.schemaCode]?.[path]
  const wire = f?.propertyType
  const dept = q.kind === 'department' || wire === 60 || wire === 61
  const pool = dept
    ? departments
    : wire === 9
      ? rows.contract.map((r) => ({ id: r.id, name: r.data.title, imgUrl: null, type: null }))
      : wire === 11
        ? drawings.map((d) => ({ ...d, imgUrl: null, type: null }))
        : people
  return page(
    pool.filter((e) => !q.keyword || e.name.includes(q.keyword)).map((e) => ({ leaf: true, ...e })),
    q,
  )
}
const divisions = {
  '': [
    ['320000', '江苏省', 'Jiangsu'],
    ['330000', '浙江省', 'Zhejiang'],
    ['420000', '湖北省', 'Hubei'],
  ],
  320000: [['320500', '苏州市', 'Suzhou']],
  320500: [['320584', '吴江区', 'Wujiang']],
  330000: [['330400', '嘉兴市', 'Jiaxing']],
  330400: [['330402', '南湖区', 'Nanhu']],
  420000: [['420500', '宜昌市', 'Yichang']],
  420500: [],
}

function recordPlan(schemaCode) {
  const all = Object.values(fields[schemaCode]).filter((f) => !f.defaultProperty && !f.propertyCode.includes('.'))
  const list = config(schemaCode)
  return {
    schemaCode,
    sheetCode: schemaCode,
    name: list.modelName,
    name_i18n: list.modelName_i18n,
    modelName: list.modelName,
    modelName_i18n: list.modelName_i18n,
    columns: 2,
    layout: all.map((f) => ({ type: 'Field', propertyCode: f.propertyCode })),
    fields: all,
    schema: { type: 'object', properties: Object.fromEntries(all.map((f) => [f.propertyCode, {}])) },
    uiSchema: {},
    buttons: [],
  }
}
function formLoad(q) {
  const form = recordPlan(q.schemaCode)
  if (!q.objectId) return { id: null, version: null, name: '', data: {}, form, actions: ['save'] }
  const row = rows[q.schemaCode].find((r) => r.id === q.objectId)
  if (!row) throw new Refusal(404, 302000, '记录不存在或您看不到')
  return {
    id: row.id,
    version: row.version,
    name: row.data.sequenceNo ?? row.data.name,
    data: { ...row.data, ...(row.items ? { items: row.items } : {}) },
    form,
    actions: row.sequenceStatus === 'PROCESSING' ? [] : ['save', 'delete'],
  }
}
function formSave(body) {
  const all = rows[body.schemaCode]
  const row = body.id
    ? all.find((r) => r.id === body.id)
    : { id: randomUUID(), version: 0, workflowInstanceId: null, sequenceStatus: 'DRAFT', data: {} }
  if (body.version !== undefined && body.version !== row.version)
    throw new Refusal(409, 302002, '这条记录刚被别人改过', { current: row.data, changed: Object.keys(body.data) })
  Object.assign(row.data, body.data)
  row.version += 1
  if (!body.id) all.unshift(row)
  return { id: row.id, version: row.version }
}
function user() {
  const me = people[0]
  return {
    id: me.id,
    username: account.username,
    name: account.name,
    mobile: '138 0512 6601',
    email: 'zhao@example.org',
    imgUrl: null,
    departmentName: '质量部',
    parentDepartmentName: '项目经理部',
    position: '质检员',
    employeeNo: 'ZJ-0126',
    roleName: '质检员',
    remark: null,
    permissions: ['APP_MNG'],
    lastLoginTime: '2026-11-20T23:41:00.000Z',
    mustChangePassword: false,
  }
}
function card(id) {
  const p = people.find((x) => x.id === id) ?? people[0]
  return {
    id: p.id,
    name: p.name,
    mobile: '138 0512 6601',
    email: null,
    mainDepartment: p.detail,
    departments: [p.detail],
    employeeNo: 'ZJ-0126',
    position: p.position,
    role: p.position,
    imgUrl: null,
  }
}
const session = (index, body) => {
  decrypt(index, body)
  return tokens()
}

const routes = {
  'GET /api/login/rsa_key': () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const index = randomUUID()
    keys.set(index, privateKey)
    return { index, key: publicKey.export({ type: 'spki', format: 'pem' }) }
  },
  'POST /api/login/Authentication/get_token': (_, b) => {
    if (b.username !== account.username || decrypt(b.index)(b.password) !== account.password)
      throw new Refusal(401, 100001, '账号或密码错误')
    return tokens()
  },
  'GET /api/login/Authentication/get_refresh_token': (_, __, signedIn) => {
    if (!signedIn) throw new Refusal(401, 100012, '登录已过期，请重新登录')
    return tokens()
  },
  'POST /api/login/logout': () => null,
  'GET /api/login/setup': () => ({ needed: setupNeeded }),
  'POST /api/login/setup': (_, b) => {
    if (b.secret !== '7f3a-91cc') throw new Refusal(403, 700001, '密钥不对，请看服务器的控制台')
    setupNeeded = false
    return session(b.index, b.password)
  },
  'GET /api/organization/user/info': user,
  'PUT /api/organization/user/password': (_, b) => {
    if (decrypt(b.index)(b.oldPassword) !== account.password) throw new Refusal(422, 200103, '原密码不对')
    return null
  },
  'GET /api/organization/user/card': (q) => card(q.id),
  'GET /api/organization/user/departments': () =>
    departments.slice(0, 2).map((d, i) => ({ deptId: d.id, deptName: d.name, isMain: i === 0 })),
  'GET /api/system/config': () => ({
    name: '船闸项目管理',
    name_i18n: { en: 'Ship Lock Projects' },
    timezone: 'Asia/Shanghai',
    version: '0.1.0',
    dev: true,
    digest: 'mock',
  }),
  'GET /api/app/apppackage/list': () => apps,
  'GET /api/app/function/tree': (q) => menu[required(q.appCode, 'appCode')] ?? [],
  'GET /api/message/unread_count': () => ({ STATION: 0, COMMENT: 0 }),
  'POST /api/search/paltformSearch': () => ({ MESSAGE: { content: [], totalElements: 0 } }),
  'POST /api/runtime/comment/list': () => ({ content: [], totalElements: 0, more: false }),
  'GET /api/runtime/query/saved_filters': () => ({ content: [], mayShare: false }),
  'GET /api/runtime/query/headers': (q) =>
    (lists[q.schemaCode] ?? []).map(({ queryCode, name, name_i18n }) => ({ queryCode, name, name_i18n })),
  'GET /api/runtime/query/config': (q) => config(q.schemaCode, q.queryCode),
  'POST /api/runtime/query/list': (_, b) => queryList(b),
  'GET /api/runtime/query/sheet_rows': (q) => page(rows[q.schemaCode].find((r) => r.id === q.objectId)?.items ?? [], q),
  'GET /api/runtime/query/data_items': (q) => Object.values(fields[q.schemaCode] ?? {}),
  'GET /api/runtime/query/data_rules': () => [],
  'POST /api/runtime/query/add_check': () => null,
  'POST /api/runtime/query/delete_check': (_, b) =>
    b.ids.map((objectId) => ({ objectId, relativeModel: null, resultCode: 1000, resultDesc: '' })),
  'POST /api/runtime/query/delete': (_, b) => {
    rows[b.schemaCode] = rows[b.schemaCode].filter((r) => !b.ids.includes(r.id))
    return { successCount: b.ids.length, errorCount: 0, errors: [] }
  },
  'GET /api/runtime/form/get_form_url': (q) =>
    `/form/detail?schemaCode=${q.schemaCode}&sheetCode=${q.schemaCode}&key=${q.bizObjectId}`,
  'GET /api/runtime/form/load': formLoad,
  'POST /api/runtime/form/save': (_, b) => formSave(b),
  'GET /api/runtime/form/options': choices,
  'GET /api/runtime/form/divisions': (q) =>
    (divisions[q.parent ?? ''] ?? []).map(([code, name, en]) => ({
      code,
      name,
      name_i18n: { en },
      leaf: !divisions[code]?.length,
    })),
  'POST /api/runtime/track/detail': () => ({
    content: [
      {
        id: '1',
        modifiedTime: '2026-11-20T08:00:00.000Z',
        creatorName: '赵启明',
        departmentName: '质量部',
        kind: 'update',
        changes: [
          {
            propertyCode: 'quantity',
            name: '数量',
            name_i18n: { en: 'Quantity' },
            type: 2,
            beforeValue: '12.000',
            afterValue: '18.500',
          },
        ],
      },
    ],
    totalElements: 1,
  }),
}
const open = (path) => path.startsWith('/api/login') || path.startsWith('/login') || path === '/api/system/config'

const mime = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/** The built interface as the real server sends it: strict policy, a nonce in index.html. */
async function serveBuilt(path, res) {
  const asset = /^\/(assets\/[\w.-]+|favicon\.svg)$/.exec(path)?.[1]
  const file = await readFile(new URL(`../dist/${asset ?? 'index.html'}`, import.meta.url))
  if (asset) return res.writeHead(200, { 'Content-Type': mime[extname(asset)] }).end(file)
  const nonce = randomUUID()
  const policy = `default-src 'self'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; form-action 'self'`
  res
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
    .end(String(file).replaceAll('{{nonce}}', nonce))
}

createServer(async (req, res) => {
  const url = new URL(req.url, 'http://mock')
  const requestId = randomUUID().slice(0, 8)
  const signedIn = (req.headers.cookie ?? '').includes('sluice_token=')
  if (url.pathname === '/api/events') {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' }).write(': open\n\n')
    listeners.add(res)
    req.on('close', () => listeners.delete(res))
    return
  }
  if (!/^\/(api|login\/Authentication|mock)\//.test(url.pathname)) {
    await serveBuilt(url.pathname, res).catch(() => res.writeHead(404).end())
    return
  }
  let body = ''
  for await (const chunk of req) body += chunk
  if (url.pathname === '/mock/events') {
    const { event, data } = JSON.parse(body)
    for (const listener of listeners) listener.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    res.end()
    return
  }
  const answer = (status, errcode, errmsg, data) =>
    res
      .writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': requestId })
      .end(JSON.stringify({ errcode, errmsg, data }))
  try {
    await wait(Number(process.env.MOCK_DELAY ?? 30))
    const handler = routes[`${req.method} ${url.pathname}`]
    if (!handler) throw new Refusal(404, 100003, `没有这个接口 ${req.method} ${url.pathname}`)
    if (!open(url.pathname) && !signedIn) throw new Refusal(401, 100010, '请先登录')
    const data = handler(Object.fromEntries(url.searchParams), body ? JSON.parse(body) : undefined, signedIn)
    if (data?.access_token) res.setHeader('Set-Cookie', 'sluice_token=mock; Path=/; HttpOnly; SameSite=Lax')
    if (url.pathname === '/api/login/logout') res.setHeader('Set-Cookie', 'sluice_token=; Path=/; Max-Age=0')
    answer(200, 0, '', data)
  } catch (error) {
    if (error instanceof Refusal) answer(error.status, error.errcode, error.message, error.data)
    else answer(500, 999999, String(error), null)
  }
}).listen(port, '127.0.0.1', () => console.log(`mock server at http://127.0.0.1:${port}`))
